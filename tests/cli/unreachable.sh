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
