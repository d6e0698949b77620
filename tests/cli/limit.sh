# The limit of wall time, and of work on a kernel of the kernel language.
cd "$SOURCE/tests/golden/kernels"
run forewarp count saxpy.ptx -g 4 -b 256 -s 3=1000 --limit tea
run forewarp count saxpy.ptx -g 4 -b 256 -s 3=1000 --limit 0
forewarp count saxpy.ptx -g 4 -b 256 -s 3=1000 --limit 600 | grep total
cd "$OLDPWD"
# A kernel without an end, as long as it is let run.
cat >endless.ptx <<'END'
.version 7.0
.target sm_80
.address_size 64
.visible .entry endless()
{
L:
    bra L;
}
END
run forewarp emulate endless.ptx -g 1 -b 32 --limit 0.2
run forewarp emulate endless.ptx -g 1 -b 32 --instructions 1000
# What waits for input that never comes is ended by the timer, a second later.
mkfifo pipe
run timeout 20 forewarp count -x ptx pipe -g 1 -b 32 --limit 0.1
# Three hundred statements alike, and a thousand orders alike, are quick.
{
    echo 'domain [n] -> {[i, j, k]: 0 <= i, j, k < n}'
    echo 'array a, b: f32'
    for _ in $(seq 300); do echo 'c[i, j] = sum(k, a[i, k]*b[k, j])'; done
    echo 'split i 16 outer=block.1 inner=thread.1'
    echo 'split j 16 outer=block.0 inner=thread.0'
} >statements.knl
timeout 60 forewarp count statements.knl -s n=1024 --numbers | tail -2
{
    echo 'domain [n] -> {[i, j]: 0 <= i, j < n}'
    echo 'array a: f32'
    echo 'c[i] = sum(j, a[i, j])'
    for _ in $(seq 1000); do echo 'order i, j'; done
} >orders.knl
timeout 60 forewarp emit orders.knl --target c | tail -3
# Work that is more than is allowed is refused by its amount, whatever the machine.
{
    echo 'domain [n] -> {[i, j]: 0 <= i, j < n}'
    echo 'array a: f32'
    echo 'if i == 0'
    echo 'c[i, j] = 1.0'
    for k in $(seq 150); do printf 'elif i == %d\nc[i, j] = a[i, j]\n' "$k"; done
    echo 'end'
} >cases.knl
timeout 60 forewarp emit cases.knl --target c 2>&1 | grep -o '\[LOOP[0-9]*\]'
# A condition behind a loop whose end is looked for at each sampled thread, and never found.
cat >search.ptx <<'PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry search(.param .u64 a)
{
  .reg .b64 %rd<8>; .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [a];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, 0;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
$L:
  add.s32 %r3, %r3, 1;
  mul.lo.s32 %r4, %r3, %r3;
  and.b32 %r5, %r4, 1048575;
  mad.lo.s32 %r6, %r2, 4, 2;
  ld.global.f32 %f1, [%rd3];
  setp.ne.s32 %p1, %r5, %r6;
  setp.lt.s32 %p2, %r5, %r6;
  @%p1 bra $L;
  @%p2 ld.global.f32 %f2, [%rd3+4];
  add.f32 %f2, %f1, %f2;
  st.global.f32 [%rd3], %f2;
  ret;
}
PTX
timeout 20 forewarp predict search.ptx -g 1000 -b 256 -d h200 -m traffic | grep -A 9 'Not known'
