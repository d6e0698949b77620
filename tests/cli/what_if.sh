# What if: devices, registers, shared memory and clocks that are otherwise; several devices at once.
cd "$SOURCE/tests/golden/kernels"
tiled="matmul_tiled.ptx -g 129,129 -b 16,16 -s 3=2050 -s 4=2050 -s 5=2050"
run forewarp predict $tiled -d h200,a100,v100,h200:multiprocessors=66,l2_bytes=2x -m traffic
run forewarp predict mandelbrot.ptx -g 4,10 -b 32,8 -s 1=100 -s 2=75 -s 3=-2 -s 4=-1.125 -s 5=0.03 -s 6=50 -d h200,a100 -m roofline
run forewarp predict $tiled -d h200:dram_copy_bandwidth=2x,multiprocessors=66 --clock 1.5GHz --registers 48 --static-shared 8K -m roofline
# More registers than the estimate: fewer blocks. Fewer: fewer loads in flight; fewer than are needed: spilled.
for registers in 64 24 16; do
    forewarp predict $tiled -d h200 -m traffic --registers $registers --json | python3 -c '
import json, sys
answer = json.load(sys.stdin)
first = answer["predictions"][0]
print(answer["what_if"], first["occupancy"]["blocks_per_multiprocessor"], first["occupancy"]["limit"], first["interval"])
print([s for s in first["left_out"] if "Unchecked" in s or "egisters" in s or "estimated" in s])'
done
forewarp predict $tiled -d h200,v100:sm_clock=1GHz,a100:threads_per_block=128 -m traffic --json | python3 -c '
import json, sys
answer = json.load(sys.stdin)
print([(d["device"], d["predictions"][0]["model"], "what_if" in d) for d in answer["devices"]], answer["failed"])
times = [d["predictions"][0]["seconds"] for d in answer["devices"]]
print(times == sorted(times))'
# A changed profile is one that -d takes.
forewarp device show h200:l2_bytes=2x,multiprocessors=66 --json >"$OLDPWD/less.json"
forewarp predict $tiled -d "$OLDPWD/less.json" -m roofline --json >"$OLDPWD/a"
forewarp predict $tiled -d h200:l2_bytes=2x,multiprocessors=66 -m roofline --json >"$OLDPWD/b"
python3 -c '
import json, sys
a, b = (json.load(open(name))["predictions"][0] for name in sys.argv[1:])
print(a["seconds"] == b["seconds"], b["left_out"][-1])' "$OLDPWD/a" "$OLDPWD/b"
run forewarp rank saxpy.ptx -m traffic -d h200:multiprocessors=66 --registers 40 --domain 1M -s 3=1M --vary threads=32,1024 --top 2
echo '{"grid": [129, 129], "block": [16, 16], "arguments": {"3": 2050, "4": 2050, "5": 2050}}' >"$OLDPWD/one.json"
run forewarp predict matmul_tiled.ptx --launches "$OLDPWD/one.json" -d h200 -m roofline --registers 300
echo '== wrong'
for device in h200: h200:l2_bytes h200:l2_bite=2x h200:multiprocessors=0.7x h200:multiprocessors=0 \
    h200:l2_bytes=50GHz h200:empty_kernel=3 h200:l2_bytes=2x,l2_bytes=3x \
    h200:shared_per_multiprocessor=100K h200,b200 h200,,v100; do
    run forewarp predict $tiled -m roofline -d "$device"
done
run forewarp rank saxpy.ptx -d h200,a100 --domain 1M -s 3=1M
run forewarp predict $tiled -d h200 -m traffic --registers 300
run forewarp predict $tiled -d h200 -m traffic --registers many
run forewarp predict $tiled -d h200 -m traffic --static-shared 100K
run forewarp predict $tiled -d h200 -m traffic --clock 1.5THz
run forewarp predict $tiled -d h200 -m traffic --clock GHz
run forewarp predict - -x ptx -d h200,a100 -m traffic -g 1 -b 32 </dev/null
run forewarp predict copy.ptx -g 4 -b 256 -d h200,a100 -m traffic
