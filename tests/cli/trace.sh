# What a warp executes, in order.
here=$PWD
cd "$SOURCE/tests/golden/kernels"
# Lanes that leave a branch; a class for each warp of the tree.
run forewarp trace reduce.ptx -g 8 -b 128 -s 2=1000
# A block in the corner: the guard's parts along both sides of the grid are found.
run forewarp trace matmul_naive.ptx -g 63,63 -b 16,16 -s 3=1000 -s 4=1000 -s 5=1000 --warp 62,62,4
forewarp trace matmul_naive.ptx -g 63,63 -b 16,16 -s 3=1000 -s 4=1000 -s 5=1000 | sed -n '/^Warps/,$p'
# Inner loops whose trips rise with the outer iteration are one part.
run forewarp trace triangular.ptx -k prefix_dot -g 1 -b 64 -s 3=100
# What data decide has its share.
forewarp trace spmv_csr.ptx -g 10 -b 64 -s 5=600 -s taken@spmv_csr.cu:21=0.25 -s trips@spmv_csr.cu:21=8 | sed -n '/^Trace/,/^Inst/p'
run forewarp trace saxpy.ptx -g 4 -b 256 -s 3=1000 --warp 4,0
run forewarp trace saxpy.ptx -g 4 -b 256 -s 3=1000 --warp 3
run forewarp trace saxpy.ptx -g 4 -b 256 -s 3=1000 --warp 0,0,0,0,0
run forewarp trace saxpy.ptx -g 4 -b 256
run forewarp trace saxpy.ptx -g 4 -b 256 -s 3=1000 --warp 3,7 -d h200
# One multiprocessor over time: as letters, and as a picture.
forewarp trace reduce.ptx -g 8 -b 128 -s 2=1000 -d h200 --timeline --svg "$here/t.svg" | sed -n '/^Timeline/,$p'
head -c 38 "$here/t.svg"
echo
forewarp trace matmul_tiled.ptx -g 64,64 -b 16,16 -s 3=1024 -s 4=1024 -s 5=1024 -d h200 --timeline | sed -n '/^Timeline/,$p' | sed -n '1,6p;68,$p'
run forewarp trace saxpy.ptx -g 4 -b 256 -s 3=1000 --timeline
echo '== asynchronous: products wait for their group, bulk and tensor copies take L2 and device memory'
G=$SOURCE/tests/golden/asynchronous
seconds() {
    forewarp predict "$G/$1.ptx" -m trace --json "${@:2}" | python3 -c '
import json, sys
print(json.load(sys.stdin)["predictions"][0]["seconds"])'
}
slower() { # PROPERTY KERNEL ARGUMENT...: how much longer with a worse property
    python3 -c 'import sys; a, b = map(float, sys.argv[2:]); print(sys.argv[1], "slower" if b > 1.2 * a else "as fast")' \
        "$2, $1" "$(seconds "${@:2}" -d h200)" "$(seconds "${@:2}" -d "h200:$1")"
}
product=(wgmma_product -g 16,16 -b 384 --shared 132096 -s 3=2048 -s 4=2048)
scale=(bulk_scale -k bulk_scale -g 264 -b 256 --shared 65536 -s 3=8192)
stencil=(tensor_stencil -g 264 -b 256 -s 2=2048 -s 3=2048)
slower latency_wgmma=30x "${product[@]}"
slower latency_bulk=9x "${product[@]}"
slower latency_bulk=9x "${stencil[@]}"
slower latency_mbarrier=30x "${stencil[@]}"
slower tensor_f16=0.25x "${product[@]}"
slower l2_bandwidth=0.5x "${product[@]}"
slower l2_bandwidth=0.5x "${stencil[@]}"
slower dram_copy_bandwidth=0.5x "${scale[@]}"
