# What a warp executes, in order.
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
