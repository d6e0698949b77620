# PTX as Numba, Warp, CuPy and Pallas hand it out (tests/golden/dumps): kernels and arguments by names that one can type.
D=$SOURCE/tests/golden/dumps
asked() {
    forewarp count "$@" --json | python3 -c '
import json, sys
top = json.load(sys.stdin)
kernel = top["kernel"]
print(kernel["name"], len(kernel["arguments"]), "parts of arguments")
for row in top["memory"]:
    if row["space"] == "global" and int(row["count"]):
        print(" ", row["direction"], row["count"], "of", row["bytes"], "bytes")'
}
# Numba: the function by its own name, no hint is cut off however long the name in PTX is.
run forewarp predict $D/numba-axpy.ptx -k axpy -g 4096 -b 256 -d h200 -m roofline
asked $D/numba-axpy.ptx -k axpy -g 4096 -b 256 -s 3=1M
asked $D/numba-move.ptx -k move -g 4096 -b 256 -s 5=1M -s 3=16 -s param_12=12 -s 13=4
run forewarp count $D/numba-move.ptx -g 4096 -b 256 -s 99=1
# Warp: a zero byte ends the file; structures by position and offset of a part.
run forewarp predict $D/warp-saxpy.ptx -g 4096 -b 256 -d h200 -m roofline
asked $D/warp-saxpy.ptx -g 4096 -b 256 -s 0+8=1M -s 0+16=1 -s 1+16=1M -s 1+32=4 -s 2+16=1M -s 2+32=4
run forewarp count $D/warp-saxpy.ptx -g 4096 -b 256 -s 0+9=1M 2>&1 | head -4
{ head -c 100 $D/warp-saxpy.ptx; printf '\0'; cat $D/warp-saxpy.ptx; } >zero.ptx
run forewarp count zero.ptx -g 1 -b 32
# CuPy: its structures of arrays and of indices.
asked $D/cupy-scaled-sum.ptx -g 4096 -b 256 -s 3+0=1M -s 3+16=1K -s 0+32=4K -s 0+40=4 -s 1+32=4K -s 1+40=4
# Pallas: pointers alone, vectors of four.
asked $D/pallas-add.ptx -g 1024 -b 128
