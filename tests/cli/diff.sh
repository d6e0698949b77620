# What changed: variants, launches, devices, recorded answers.
cp "$SOURCE"/tests/golden/kernels/{matmul_naive,matmul_tiled,saxpy}.ptx "$SOURCE"/kernels/knl/matmul.knl .
sizes="-g 129,129 -b 16,16 -s 3=2050 -s 4=2050 -s 5=2050"
run forewarp diff -m traffic matmul_naive.ptx matmul_tiled.ptx $sizes -d h200
# Launches: options behind a file are that side's own.
run forewarp diff -m traffic 'saxpy.ptx -b 256 -g 4096' 'saxpy.ptx -b 64 -g 16384' 'saxpy.ptx -b 1024 -g 1024' -s 3=1M -d h200
# Devices, and what if.
run forewarp diff saxpy.ptx -g 4096 -b 256 -s 3=1M -d h200,h200:dram_copy_bandwidth=2x -m roofline
run forewarp diff 'saxpy.ptx -b 256' 'saxpy.ptx -b 256 --registers 64' -g 4096 -s 3=1M -d h200 -m roofline
# Recorded answers, beside one that is made now; nothing is equal to nothing.
forewarp predict saxpy.ptx -m traffic -g 4096 -b 256 -s 3=1M -d h200 --json >before.json
forewarp predict saxpy.ptx -m traffic -g 4096 -b 256 -s 3=1M -d a100 --json >after.json
run forewarp diff before.json before.json
run forewarp diff -m traffic before.json after.json
forewarp diff -m traffic before.json 'saxpy.ptx -g 4096 -b 256 -s 3=1M -d h200' --json | python3 -c '
import json, sys
answer = json.load(sys.stdin)
print(answer["sides"], sorted({row["section"] for row in answer["changes"]}), all(row["values"][0] is None for row in answer["changes"]))'
# Lines are followed through a source that changed: a comment above moves all, and an access is new.
sed -e '1i # a line more' -e 's/^\(.*\)c\[i, j\] = \(.*\)$/&/' matmul.knl >moved.knl
forewarp diff -m traffic matmul.knl moved.knl -s n=256 --json | python3 -c '
import json, sys
answer = json.load(sys.stdin)
print([(row["name"], row["values"]) for row in answer["changes"]])'
cat >one.cu <<'END'
extern "C" __global__ void f(float *a, const float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += b[i];
}
END
cat >two.cu <<'END'
// moved down
extern "C" __global__ void f(float *a, const float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float scale = b[0];
        a[i] += b[i];
        a[i] *= scale;
    }
}
END
forewarp diff one.cu two.cu --compiler clang --ptxas never -g 4 -b 256 -s n=1000 -d h200 -m roofline --json | python3 -c '
import json, sys
answer = json.load(sys.stdin)
for row in answer["changes"]:
    if row["line"]:
        print(row["section"], row["name"], row["line"], "AB"[row["line_of"]], row["line_text"], row["values"])'
echo '== wrong'
run forewarp diff
run forewarp diff saxpy.ptx -g 1 -b 32 -s 3=1
run forewarp diff 'saxpy.ptx other.ptx' before.json
run forewarp diff 'saxpy.ptx --top 3' before.json
run forewarp diff missing.ptx before.json
run forewarp diff missing.json before.json
echo '{"forewarp": "0.1.0", "kernel": {}, "launch": {}}' >empty.json
run forewarp diff before.json empty.json
echo '{"forewarp": "0.1.0", "kernel": {}, "launch": {}, "predictions": [{"seconds": "soon"}]}' >text.json
run forewarp diff before.json text.json
echo '{"forewarp": "0.1.0", "kernel": [], "launch": {}, "instructions": {}}' >list.json
run forewarp diff before.json list.json
python3 -c 'print("{\"forewarp\": \"0\", \"kernel\":" + "[" * 100000)' >deep.json
run forewarp diff before.json deep.json
python3 -c '
import json
print(json.dumps({"forewarp": "0", "kernel": {"name": "\x1b[31m"}, "launch": {}, "predictions": [], **{f"k{i}": i for i in range(100001)}}))' >many.json
run forewarp diff before.json many.json
python3 -c '
import json
print(json.dumps({"forewarp": "0", "kernel": {"name": "\x1b[31m\u202e"}, "launch": {"grid": [1, "x", {}], "arguments": [1]}, "unknowns": [7], "predictions": [3, {"terms": [{"name": 5, "seconds": 1e308, "line": -1}, {"seconds": 2, "line": 1e300}]}], "memory": [[]], "instructions": {"total": "99999999999999999999"}}))' >odd.json
run forewarp diff odd.json before.json
