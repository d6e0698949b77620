# Code from the kernel language, the kernel as its transformations left it, and the work remover.
cd "$SOURCE/kernels/knl"
run forewarp emit matmul_prefetch.knl
run forewarp emit matmul.knl --target cuda
run forewarp emit matmul.knl --target c -s n=64
run forewarp emit matmul_prefetch.knl --target knl
run forewarp emit matmul.knl --target cuda --json
run forewarp emit "$SOURCE/tests/golden/knl/two.knl" -k tiles
run forewarp emit "$SOURCE/tests/golden/knl/two.knl" -k tiled --target knl
echo '== the work remover'
run forewarp strip matmul_prefetch.knl --remove a,c
run forewarp strip matmul_prefetch.knl --remove a,c --target opencl
run forewarp strip stencil_16.knl --target cuda
forewarp strip matmul_prefetch.knl --remove a,c >"$OLDPWD/stripped.knl"
cp matmul_prefetch.knl "$OLDPWD"
cd "$OLDPWD"
run forewarp count stripped.knl -s n=256
echo '== refused'
run forewarp strip matmul_prefetch.knl --remove a,,c
run forewarp strip matmul_prefetch.knl --remove d
run forewarp strip matmul_prefetch.knl --remove a,b,c
run forewarp emit matmul_prefetch.knl --target fortran
run forewarp emit matmul_prefetch.knl -s m=3
run forewarp emit matmul_prefetch.knl -s n=three
run forewarp emit matmul_prefetch.knl -s n=17
run forewarp emit matmul_prefetch.knl --remove a
run forewarp emit "$SOURCE/tests/golden/knl/two.knl"
run forewarp emit "$SOURCE/tests/golden/knl/race.knl"
cp "$SOURCE/tests/golden/kernels/saxpy.ptx" .
run forewarp emit saxpy.ptx
run forewarp emit
