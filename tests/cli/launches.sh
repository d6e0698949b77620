# Many launches and their total.
K=$SOURCE/tests/golden/kernels
cat >many.json <<JSON
{"file": "$K/saxpy.ptx", "kernel": "saxpy", "grid": [3907, 1, 1], "block": [256, 1, 1], "arguments": {"3": 1000000}, "repeats": 10}

{"file": "$K/saxpy.ptx", "grid": 4, "block": [256], "arguments": {"3": 1000, "2": 2.5}}
{"file": "$K/copy.ptx", "kernel": "copy", "grid": [4], "block": [256, 1, 1], "shared": 0, "arguments": {"param_2": "1K"}, "repeats": 3}
JSON
run forewarp predict --launches many.json -d h200 -m traffic
run forewarp count --launches many.json
forewarp predict --launches many.json -d h200 -m traffic --json | python3 -c '
import json, sys
top = json.load(sys.stdin)
print([(l["repeats"], l["line"], l["answer"]["kernel"]["name"]) for l in top["launches"]])
one = sum(l["repeats"] * l["answer"]["predictions"][0]["seconds"] for l in top["launches"])
print(abs(one - top["totals"]["seconds"]) < 1e-9 * one, top["totals"]["launches"])'
echo '[{"kernel": "saxpy", "grid": [1], "block": [32], "arguments": {"3": 5}}]' >array.json
run forewarp count "$K/saxpy.ptx" --launches array.json
echo '== in sequence: two launches over two arrays, again and again'
cat >sequence.json <<JSON
{"repeats": 3, "launches": [
 {"file": "$K/copy.ptx", "kernel": "copy", "grid": [16384], "block": [256], "arguments": {"2": 4194304, "0.array": "a", "1.array": "b"}},
 {"file": "$K/copy.ptx", "kernel": "copy", "grid": [16384], "block": [256], "arguments": {"2": 4194304, "0.array": "b", "1.array": "c"}, "repeats": 2}]}
JSON
tr -d '\n' <sequence.json >flat.json
for cache in cold sequence warm; do
    echo $cache
    forewarp predict --launches flat.json -d h200 -m traffic --cache $cache --json | python3 -c '
import json, sys
for row in json.load(sys.stdin)["launches"]:
    one = row["answer"]["predictions"][0]
    moved = [term["amount"] for term in one["terms"] if term["name"] == "dram"]
    print(row["repeats"], one["cache"], ["%.3g MB" % (bytes / 1e6) for bytes in moved])'
done
run forewarp count --launches flat.json
echo '== wrong'
run forewarp predict "$K/copy.ptx" -k copy -g 1 -b 32 -s 2=5 -d h200 --cache sequence
run forewarp predict "$K/copy.ptx" -k copy -g 1 -b 32 -s 2=5 -d h200 -s 2.array=a
run forewarp predict "$K/copy.ptx" -k copy -g 1 -b 32 -s 2=5 -d h200 -s 0.array=
for loop in '{"repeats": 0, "launches": [{}]}' '{"launches": [{}]}' '{"repeats": 2, "launches": []}' \
    '{"repeats": 2, "launches": 3}' '{"repeats": 2, "kernel": "x", "launches": [{}]}' '{"repeats": 2, "launches": [5]}' \
    '{"repeats": 9000000, "launches": [{"repeats": 9000000, "launches": [{"grid": [1], "block": [1]}]}]}' \
    '{"repeats": 2, "launches": [{"repeats": 2, "launches": [{"repeats": 2, "launches": [{"repeats": 2, "launches": [{"repeats": 2, "launches": [{}]}]}]}]}]}'; do
    echo "$loop" >loop.json
    run forewarp count x.ptx --launches loop.json
done
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
# One launch that cannot be answered fails alone.
cat >some.json <<JSON
{"file": "$K/saxpy.ptx", "grid": 4, "block": [256], "arguments": {"3": 1000}, "repeats": 2}
{"file": "$K/saxpy.ptx", "grid": 4, "block": [256], "arguments": {"nn": 1000}}
{"file": "$K/no-such.ptx", "grid": 4, "block": [256]}
{"file": "$K/saxpy.ptx", "grid": 4, "block": [256], "arguments": {"3": 1000}}
JSON
run forewarp predict --launches some.json -d h200
forewarp count --launches some.json --json 2>messages | python3 -c '
import json, sys
top = json.load(sys.stdin)
print([(l["line"], l["answer"] is None, l.get("reason")) for l in top["launches"]], top["totals"]["launches"])'
python3 -c '
import json
for line in open("messages"):
    told = json.loads(line)
    print(told["severity"], told["code"], told["line"])'
# So does one whose file is missing, once, also where a launch that is repeated is asked for twice.
cat >lost.json <<JSON
[{"file": "$K/no-such.ptx", "grid": 4, "block": [256], "repeats": 3},
 {"file": "$K/saxpy.ptx",
  "grid": 4, "block": [256], "arguments": {"3": 1000}, "repeats": 3},

 {"file": "$K/saxpy.ptx", "grid": 4, "block": [256], "arguments": {"nn": 1000}, "repeats": 3}]
JSON
run forewarp predict --launches lost.json -d h200
run forewarp predict --launches lost.json -d h200 --cache sequence
