# Numbers so large that a product or a sum of them does not fit 64 bits: strides, offsets, trip
# counts, arguments.  What overflows is not known; nothing is undefined.
body() {
    cat >"$1.ptx" <<PTX
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p, .param .s64 n, .param .s64 m)
{
  .reg .b64 %rd<16>; .reg .f32 %f<4>; .reg .b32 %r<8>; .reg .pred %q<4>;
  .shared .align 4 .f32 tile[64];
  .local .align 4 .f32 stack[8];
  ld.param.u64 %rd1, [p];
  ld.param.s64 %rd2, [n];
  ld.param.s64 %rd3, [m];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  cvt.s64.s32 %rd4, %r1;
  cvt.s64.s32 %rd5, %r2;
  mov.s64 %rd6, 0;
\$L:
  $2
  st.global.f32 [%rd7], %f1;
  ld.global.f32 %f2, [%rd7];
  add.s64 %rd6, %rd6, 1;
  setp.lt.s64 %q1, %rd6, %rd3;
  @%q1 bra \$L;
  ret;
}
PTX
}
ask() {
    for command in count predict traffic rank; do
        device="-d h200"
        [ $command != count ] || device=
        forewarp $command $1.ptx -g 100000,64,3 -b 256 -s n=$2 -s m=$3 $device --json >answer 2>message
        echo "$command $1 n=$2 m=$3: exit status $?"
        grep -o 'error:.*' message
    done
}
body thread 'mul.lo.s64 %rd7, %rd4, %rd2;'
body block 'mad.lo.s64 %rd7, %rd5, %rd2, %rd1;'
body loop 'mad.lo.s64 %rd7, %rd6, %rd2, %rd1;'
body both 'mad.lo.s64 %rd7, %rd4, %rd2, %rd6; mad.lo.s64 %rd7, %rd5, %rd2, %rd7;'
body base 'add.s64 %rd7, %rd2, %rd4; ld.global.f32 %f1, [%rd7+9223372036854775807];'
body shared 'mul.lo.s64 %rd7, %rd4, %rd2; ld.shared.f32 %f1, [%rd7]; ld.shared.f32 %f3, [%rd7+-9223372036854775808];'
body local 'mul.lo.s64 %rd7, %rd4, %rd2; mov.u64 %rd8, stack; add.s64 %rd7, %rd7, %rd8; ld.local.f32 %f1, [%rd7];'
body divided 'div.s64 %rd7, %rd4, %rd2; rem.s64 %rd8, %rd2, -1; div.s64 %rd8, %rd2, -1; add.s64 %rd7, %rd7, %rd8; mul.lo.s64 %rd7, %rd7, %rd2;'
for kind in thread block loop both base shared local divided; do
    for n in 9223372036854775807 -9223372036854775808 4611686018427387904 72057594037927935; do
        ask $kind $n 3
    done
done
for m in 9223372036854775807 4611686018427387904 -9223372036854775808; do
    ask loop 4 $m
    ask both 72057594037927 $m
done
# an offset from a variable wraps around, as addresses do on the machine
body symbol 'ld.shared.f32 %f1, [tile+9223372036854775807]; ld.local.f32 %f3, [stack+-9223372036854775808]; mov.u64 %rd7, tile;'
ask symbol 1 1
forewarp emulate symbol.ptx -g 1 -b 32 -s n=1 -s m=1 --arg p=f32[64]:zero >answer 2>message
echo "emulate symbol: exit status $?"
grep -o 'error:.*' message
# a counted loop whose literals are as far apart as they can be
body literals 'mov.s64 %rd9, 1;
$M: add.s64 %rd9, %rd9, 4611686018427387904; setp.lt.s64 %q2, %rd9, 9223372036854775807; @%q2 bra $M;
mov.s64 %rd9, 0;
$N: add.s64 %rd9, %rd9, -1; setp.gt.s64 %q2, %rd9, -9223372036854775808; @%q2 bra $N; mov.s64 %rd7, %rd1;'
ask literals 1 1
