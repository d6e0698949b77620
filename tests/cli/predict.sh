# Predictions as people see them.
here=$PWD
cd "$SOURCE/tests/golden/kernels"
run forewarp predict matmul_tiled.ptx -g 129,129 -b 16,16 -s 3=2050 -s 4=2050 -s 5=2050 -d h200 -m traffic
run forewarp predict copy.ptx -k copy -g 131073 -b 256 -s 2=33554437 -d h200 -m traffic --cache cold
run forewarp predict copy.ptx -k copy -g 4 -b 256 -s 2=1000 -d a100 -m traffic --clock 1000
# Alignment of a pointer shifts its sectors.
run forewarp predict copy.ptx -k copy -g 131073 -b 256 -s 2=33554437 -s 0.align=4 -d h200 -m roofline
# What the time goes to, by stall reason and by line; the text of lines is that of a file beside the PTX.
cp matmul_tiled.ptx "$SOURCE/kernels/matmul_tiled.cu" "$here"
cd "$here"
forewarp predict matmul_tiled.ptx -g 64,64 -b 16,16 -s 3=1024 -s 4=1024 -s 5=1024 -d h200 -m trace --lines | sed -n '/^What the time/,/^Warps/p'
grep -v '[.]loc' matmul_tiled.ptx >bare.ptx
forewarp predict bare.ptx -g 64,64 -b 16,16 -s 3=1024 -s 4=1024 -s 5=1024 -d h200 -m trace | grep lineinfo
# A name in PTX opens no other file.
sed 's|"[^"]*matmul_tiled.cu"|"/etc/passwd"|' matmul_tiled.ptx >other.ptx
forewarp predict other.ptx -g 64,64 -b 16,16 -s 3=1024 -s 4=1024 -s 5=1024 -d h200 -m trace --lines | grep -c root
# The default, with its interval, its account and its percentages of peak.
forewarp predict "$SOURCE"/tests/golden/kernels/copy.ptx -k copy -g 131073 -b 256 -s 2=33554437 -d h200 --json | python3 -c '
import json, sys
one, = json.load(sys.stdin)["predictions"]
low, high = one["interval"]
print(one["model"], low < one["seconds"] < high, one["watts_interval"][0] < one["watts"] < one["watts_interval"][1])
print("account", abs(sum(part["seconds"] for part in one["account"]) / one["seconds"] - 1) < 1e-9)
print("lines", abs(sum(line["seconds"] for line in one["lines"]) / one["seconds"] - 1) < 1e-9)
print(*one["metrics"])'
for model in traffic roofline forest trace; do
    forewarp predict "$SOURCE"/tests/golden/kernels/copy.ptx -k copy -g 131073 -b 256 -s 2=33554437 -d h200 -m $model --json | python3 -c '
import json, sys
one, = json.load(sys.stdin)["predictions"]
print(one["model"], "account", abs(sum(part["seconds"] for part in one["account"]) / one["seconds"] - 1) < 1e-9)'
done
forewarp predict "$SOURCE"/tests/golden/kernels/copy.ptx -k copy -g 131073 -b 256 -s 2=33554437 -d a100 --json | python3 -c '
import json, sys
one, = json.load(sys.stdin)["predictions"]
print(one["model"], one["interval"], *(text for text in one["left_out"] if "trained" in text))'
forewarp predict "$SOURCE"/tests/golden/kernels/copy.ptx -k copy -g 131073 -b 256 -s 2=33554437 -d h200 --cache cold --json | python3 -c '
import json, sys
one, = json.load(sys.stdin)["predictions"]
print(one["model"], one["interval"], *(text for text in one["left_out"] if "interval" in text))'
# Nothing was measured of what no model follows: textures, calls of code that is not there, where they run.
for question in "replay/fetches.ptx -k linear_f32 -s 1=100" "golden/branches/likely.ptx -k checked -s 3=10000" \
    "golden/branches/likely.ptx -k checked -s 3=10000 -s taken@likely.cu:29=0"; do
    forewarp predict "$SOURCE"/tests/$question -g 1024 -b 256 -d h200 --json | python3 -c '
import json, sys
one, = json.load(sys.stdin)["predictions"]
print(one["interval"] is None, one.get("watts_interval") is None, *(text for text in one["left_out"] if "interval" in text))'
done
run bash -c "forewarp predict $SOURCE/tests/golden/kernels/copy.ptx -k copy -g 131073 -b 256 -s 2=33554437 -d h200 --metrics | grep pct_of_peak | cut -c1-40"
# What no model counts is said by each: match.any goes through the distinct values of a warp's lanes.
for model in roofline traffic trace blend; do
    forewarp predict "$SOURCE"/data/h200/programs-seventh/ordering.ptx -k scatter_by_digit -g 1000 -b 256 -s 3=0 -s 4=1024000 -d h200 -m $model --json | python3 -c '
import json, sys
one, = json.load(sys.stdin)["predictions"]
print(one["model"], *(text for text in one["left_out"] if "match" in text))'
done
# Atomic operations that L2 works on after the last warp are part of the account.
forewarp predict "$SOURCE"/tests/golden/kernels/histogram.ptx -k histogram_global -g 1024 -b 256 -s 2=64M -d h200 -m trace --json | python3 -c '
import json, sys
one, = json.load(sys.stdin)["predictions"]
print("account", abs(sum(part["seconds"] for part in one["account"]) / one["seconds"] - 1) < 1e-9, one["account"][0]["name"])'
