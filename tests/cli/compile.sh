# CUDA sources: by whichever compiler there is; the counts of the source's own names are the same.
# ptxas is a false one, which has an answer for every kernel, as that of the machine may be absent or
# not run; what is told of one that does not run stands at the end.
here=$(dirname "$XDG_CACHE_HOME")
mkdir -p "$here/ptxas" "$here/broken"
cat >"$here/ptxas/ptxas" <<'END'
#!/bin/sh
[ "$1" != --version ] || exec echo 'release 1.2, V1.2.3'
sed -n "s/.*\.entry \([A-Za-z0-9_]*\).*/ptxas info    : Compiling entry function '\1' for 'sm_90'\n\
ptxas info    : Used 16 registers/p" in.ptx
END
echo '#!/nowhere/sh' >"$here/broken/ptxas"
chmod +x "$here"/*/ptxas
PATH=$here/ptxas:$PATH
cd "$SOURCE/kernels"
forewarp count saxpy.cu -g 4 -b 256 -s n=1000 --json | python3 -c '
import json, sys
top = json.load(sys.stdin)
print([a["name"] for a in top["kernel"]["arguments"]], top["launch"]["arguments"])
print([(r["operation"], r["count"]) for r in top["operations"] if r["operation"] == "fma"])
print([(r["array"], r["direction"], r["count"]) for r in top["memory"] if r["space"] == "global"])
print(bool(top["kernel"]["compiler"]), bool(top["kernel"]["command"]))'
run forewarp count saxpy.cu -g 4 -b 256 -s m=1000
cd - >/dev/null
echo '__global__ void broken(int *p) { p[0] = q; }' >broken.cu
forewarp count broken.cu -g 1 -b 1 >output 2>errors; echo "[exit status $?]"
grep -c 'error' errors >/dev/null && echo the compiler told of it; test -s output || echo nothing printed
run forewarp count broken.cu -g 1 -b 1 --compiler /nowhere/nvcc
# Lines of a text that came without a file are lines of that text, whatever file has their name.
printf '%s\n' 'not this' 'nor this' 'nor that' >source.cu
printf '%s\n' 'extern "C" __global__ void k(float *p)' '{' 'p[threadIdx.x] = 2 * p[threadIdx.x];' '}' |
    forewarp predict - -x cu -g 4 -b 256 -d h200 --lines --json | python3 -c '
import json, sys
lines = json.load(sys.stdin)["predictions"][0]["lines"]
print({row["text"] for row in lines if row.get("line") == 3})'
echo '== variants'
cat >variant.cu <<'CU'
#ifndef BASE
#error BASE is missing
#endif
extern "C" __global__ void k(float *p) {
#pragma unroll
    for (int i = 0; i < TILE; i++)
        p[threadIdx.x + 32 * i] = i + BASE;
}
CU
for tile in 1 4 16 4; do
    echo '{"file": "variant.cu", "grid": 2, "block": 32, "defines": {"TILE": '$tile', "TYPE": "float"}}'
done >variants.json
forewarp count --launches variants.json -D BASE=1.5f --json | python3 -c '
import json, sys
top = json.load(sys.stdin)
for launch in top["launches"]:
    kernel = launch["answer"]["kernel"]
    print(launch["line"], sum(r["count"] for r in launch["answer"]["memory"] if r["space"] == "global"),
          [word for word in kernel["command"].split() if word.startswith("-D")])
print(top["totals"]["launches"])'
forewarp count --launches variants.json -D BASE=1 --ptxas=never | sed 's/ *[0-9][0-9]* *-DTILE/ N -DTILE/; s/total of 4.*/total/'
forewarp count --launches variants.json >output 2>errors; echo "[exit status $?]"
grep -c 'BASE is missing' errors; tail -1 errors
echo '== required blocks'
# clang's PTX of OpenCL C has lost the size of work groups that a source requires.
cat >group.cl <<'CL'
#ifndef WG
#define WG 8
#endif
__attribute__((reqd_work_group_size(WG * 4, 2, 1))) __kernel void k(__global float *p)
{
    p[get_global_id(0)] = 1;
}
CL
for _ in compiled cached; do
    forewarp count group.cl -g 4 --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["launch"]["block"])'
done
run forewarp count group.cl -g 4 -b 64
forewarp count group.cl -g 4 -b 64 -D "WG=sizeof(int)" 2>&1 >/dev/null | grep CMP025
echo '== structures by value'
cat >structure.cu <<'CU'
struct extent { int width, height; };
struct parameters { float *out; const float *in; extent size; float weights[3]; };
extern "C" __global__ void k(parameters p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.size.width)
        p.out[i] = p.weights[0] * p.in[i] + p.weights[2];
}
CU
for name in p.size.width p+16 0+16; do
    forewarp count structure.cu -g 4 -b 256 -s $name=1000 --json | python3 -c '
import json, sys
top = json.load(sys.stdin)
print({"p.size.width", "p.in", "p.out"} <= {a["name"] for a in top["kernel"]["arguments"]}, top["launch"]["arguments"],
      [r["count"] for r in top["memory"] if r["space"] == "global"], sorted({r["array"] for r in top["memory"] if r["array"]}))'
done
for names in "p.in p.out" "p+8 p+0" "0+8 0+0"; do
    set -- $names
    forewarp emulate structure.cu -g 1 -b 64 -s p.size.width=40 -s 'p.weights[0]=2' --arg $1=f32[64]:ones --arg $2=f32[64] --json |
        python3 -c 'import json, sys; print([r["count"] for r in json.load(sys.stdin)["memory"] if r["space"] == "global"])'
done
forewarp count structure.cu -g 4 -b 256 -s p.size.widht=1000 2>&1 | grep -o 'no argument.*\|did you.*'
echo '== ptxas'
cd "$SOURCE/kernels"
registers() {
    forewarp count saxpy.cu -g 4 -b 256 -s n=1000 --json 2>"$here/errors" | python3 -c '
import json, sys
kernel = json.load(sys.stdin)["kernel"]
print(kernel["assembler"], kernel["registers_source"])'
    sed "s|$here|BIN|" "$here/errors"
}
registers
PATH=$here/broken:$PATH
registers
