# What really executes.
cd "$SOURCE/tests/golden/kernels"
run forewarp emulate saxpy.ptx -g 4 -b 256 -s 3=1000 -s 2=2
run forewarp emulate saxpy.ptx -g 4 -b 256 -s 3=1000 -s 2=2 --every 2
forewarp emulate spmv_csr.ptx -g 2 -b 128 -s 5=200 --arg '#0=s32[201]:index' --arg 1=s32[400]:zero | tail -9
# Static counts, given the measured frequencies, come to the same.
forewarp emulate spmv_csr.ptx -g 2 -b 128 -s 5=200 --arg '#0=s32[201]:index' --arg 1=s32[400]:zero | grep total
forewarp count spmv_csr.ptx -g 2 -b 128 -s 5=200 -s taken@spmv_csr.cu:21=0 -s taken@spmv_csr.cu:21#2=0 \
    -s taken@spmv_csr.cu:21#3=1 -s trips@spmv_csr.cu:21=1 | grep total
run forewarp emulate saxpy.ptx -g 4 -b 256 -s 3=1000
run forewarp emulate saxpy.ptx -g 4 -b 256 -s 3=1000 -s 2=2 --arg 0=f32[10]
run forewarp emulate saxpy.ptx -g 4 -b 256 -s 3=1000 -s 2=2 --arg 0=tea
run forewarp emulate saxpy.ptx -g 4 -b 256 -s 3=1000 -s 2=2 --instructions 5
