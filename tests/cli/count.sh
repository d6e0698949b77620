# Counts as people see them.
cd "$SOURCE/tests/golden/kernels"
run forewarp count saxpy.ptx -g 3907 -b 256 -s 3=1M
run forewarp count matmul_tiled.ptx -g 12,12 -b 16x16 -s 3=190 -s param_4=180 -s matmul_tiled_param_5=50
# Arguments are missing: what does not need them is counted all the same.
run forewarp count saxpy.ptx -g 4 -b 256
# Without a grid there are formulas.
run forewarp count saxpy.ptx -b 256
# Unknowns, with defaults and as stated.
run forewarp count mandelbrot.ptx -g 4,10 -b 32,8 -s 1=100 -s 2=75 -s 3=-2 -s 4=-1.125 -s 5=0.03 -s 6=50
run forewarp count mandelbrot.ptx -g 4,10 -b 32,8 -s 1=100 -s 2=75 -s 3=-2 -s 4=-1.125 -s 5=0.03 -s 6=50 -s trips@mandelbrot.cu:23=15.7
# From standard input.
run forewarp count - -x ptx -k transpose_naive -g 4,4 -b 32,8 -s 2=100 -s 3=100 <transpose.ptx
# Formulas on request: JSON has them, unless numbers alone are wanted.
forewarp count saxpy.ptx -g 4 -b 256 -s 3=1000 --json | grep -c '"symbolic": "'
forewarp count saxpy.ptx -g 4 -b 256 -s 3=1000 --json --numbers | grep -c '"symbolic": "'
# Calls whose code is not there are named.
run forewarp count "$SOURCE/tests/golden/ptx/calls.ptx" -g 1 -b 32 -s operations@ptx:38=100
