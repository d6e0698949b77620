# CUDA sources: by whichever compiler there is; the counts of the source's own names are the same.
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
