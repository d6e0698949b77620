# Instructions that no path leads to: code behind a ret, a trap, an endless loop.
body() {
    cat >"$1.ptx" <<PTX
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
  .reg .u64 %rd<4>; .reg .f32 %f<4>; .reg .u32 %r<4>; .reg .pred %q<2>;
  .shared .align 4 .f32 tile[32];
  ld.param.u64 %rd1, [p];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd2, %rd2, %rd3;
  ld.global.f32 %f1, [%rd2];
  add.f32 %f1, %f1, %f1;
  st.global.f32 [%rd2], %f1;
  $2
  st.global.f32 [%rd2], %f1;
  ld.global.f32 %f2, [%rd2+4];
  ld.shared.f32 %f3, [tile];
  bar.sync 0;
  ret;
}
PTX
}
ask() {
    for command in count predict traffic rank emulate; do
        device="-d h200"
        case $command in count) device= ;; emulate) device='--instructions 1000000' ;; esac
        echo "\$ $command $1"
        forewarp $command $1.ptx -g 10 -b 256 $device --json >answer.json 2>message || { echo "[exit status $?]"; cat message; }
        python3 - <<'END'
import json, os
if os.path.getsize("answer.json"):
    answer = json.load(open("answer.json"))
    rows = [(row["array"], row["direction"], row["count"]) for row in answer.get("memory", []) if row["space"] in ("global", "shared")]
    print(*(rows or ["answered"]))
END
    done
}
body plain 'ret;'
body twice 'ret; ret;'
body exit 'exit; trap;'
body trap 'trap;'
body endless '$L: bra $L;'
body jumped 'bra $M; trap; ld.global.f32 %f2, [%rd2+8]; $M:'
body around 'bra $N; $M: add.f32 %f1, %f1, %f1; bra $M; $N:'
for kind in plain twice exit trap endless jumped around; do
    ask $kind
done
# A way from a loop's header back to it is a way past what comes behind: as often as it executes.
cat >continue.ptx <<'PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 n)
{
  .reg .pred %p<4>; .reg .b32 %r<3>; .reg .b64 %rd<2>; .reg .f32 %f<2>;
  ld.param.u64 %rd1, [a]; ld.param.u32 %r1, [n]; mov.f32 %f1, 0f00000000; mov.u32 %r2, 0;
$header: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 3; @%p1 bra $short;
  add.f32 %f1, %f1, %f1; setp.lt.u32 %p2, %r2, 7; @%p2 bra $header;
  bra $join;
$short: mul.f32 %f1, %f1, %f1;
$join: st.global.f32 [%rd1], %f1; setp.lt.u32 %p3, %r2, %r1; @%p3 bra $header;
  ret;
}
PTX
for command in count emulate; do
    forewarp $command continue.ptx -g 1 -b 32 -s 1=20 2>&1 | grep -w 'stg\|store'
done
