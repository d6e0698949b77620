# Many launches and their total.
K=$SOURCE/tests/golden/kernels
cat >many.json <<JSON
{"file": "$K/saxpy.ptx", "kernel": "saxpy", "grid": [3907, 1, 1], "block": [256, 1, 1], "arguments": {"3": 1000000}, "repeats": 10}

{"file": "$K/saxpy.ptx", "grid": 4, "block": [256], "arguments": {"3": 1000, "2": 2.5}}
{"file": "$K/copy.ptx", "kernel": "copy", "grid": [4], "block": [256, 1, 1], "shared": 0, "arguments": {"param_2": "1K"}, "repeats": 3}
JSON
run forewarp predict --launches many.json -d h200
run forewarp count --launches many.json
forewarp predict --launches many.json -d h200 --json | python3 -c '
import json, sys
top = json.load(sys.stdin)
print([(l["repeats"], l["line"], l["answer"]["kernel"]["name"]) for l in top["launches"]])
one = sum(l["repeats"] * l["answer"]["predictions"][0]["seconds"] for l in top["launches"])
print(abs(one - top["totals"]["seconds"]) < 1e-9 * one, top["totals"]["launches"])'
echo '[{"kernel": "saxpy", "grid": [1], "block": [32], "arguments": {"3": 5}}]' >array.json
run forewarp count "$K/saxpy.ptx" --launches array.json
echo '== wrong'
run forewarp count --launches array.json
run forewarp count --launches missing.json
echo '{"grid": [1]' >open.json
run forewarp count x.ptx --launches open.json
echo '{"grid": [0], "block": [1]}' >zero.json
run forewarp count x.ptx --launches zero.json
echo '{"grid": [1], "block": [32], "arguments": {"3": [1]}}' >value.json
run forewarp count "$K/saxpy.ptx" --launches value.json
echo '{"grid": [1], "block": [2000]}' >block.json
run forewarp count "$K/saxpy.ptx" --launches block.json
: >none.json
run forewarp count x.ptx --launches none.json
