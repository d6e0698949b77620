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
# What is left of a pointer by a division may be 0: a test of its alignment leaves nothing out.
cd "$OLDPWD"
cat >aligned.ptx <<'PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry aligned(.param .u64 a)
{
  .reg .b64 %rd<8>; .reg .f32 %f<4>; .reg .pred %p<8>;
  ld.param.u64 %rd1, [a];
  and.b64 %rd2, %rd1, 3;
  setp.ne.s64 %p1, %rd2, 0;
  @%p1 bra $L;
  ld.global.f32 %f1, [%rd1];
  st.global.f32 [%rd1], %f1;
$L:
  ret;
}
PTX
forewarp count aligned.ptx -g 1 -b 32 | grep -E 'ldg|stg|taken'
