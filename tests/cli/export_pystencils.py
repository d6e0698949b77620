#!/usr/bin/env python3
"""docs/pystencils_export.py on pystencils' own fields: the star of range four and a lattice-Boltzmann pull have the volumes of
the kernels that are written by hand.  usage: export_pystencils.py FOREWARP SOURCE

Exits with 77 (skipped) where the Python module pystencils is missing (scripts/install-tools test puts it into build-python)."""
import json
import os
import subprocess
import sys

forewarp, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
own = source + "/build-python/bin/python"
sys.path.insert(0, source + "/docs")
try:
    import pystencils
except ImportError:
    if os.path.exists(own) and not os.environ.get("FOREWARP_OWN_PYTHON"):
        os.environ["FOREWARP_OWN_PYTHON"] = "1"
        os.execv(own, [own, os.path.abspath(__file__), *sys.argv[1:]])
    print("SKIPPED: the Python module pystencils is missing; ITS EXPORTER WAS NOT TESTED")
    sys.exit(77)
from pystencils_export import forewarp_kernel

failed = 0


def ask(arguments, text=None):
    run = subprocess.run([forewarp, "traffic", *arguments, "-d", "h200", "--json"], capture_output=True, text=True, input=text,
                         env={**os.environ, "FOREWARP_DATA": source})
    if run.returncode:
        sys.exit(f"{arguments}: {run.stderr}")
    return json.loads(run.stdout)


def compare(name, ours, theirs):
    """Volumes of all levels; loads stand in another order, which moves what L1 loses within the launch by a little."""
    global failed
    for key, value in ours.items():
        if not isinstance(value, float):
            continue
        room = 0.02 if key in ("l2_to_l1_bytes", "dram_read_bytes") else 1e-9
        if abs(value - theirs[key]) > room * max(value, theirs[key]):
            failed += 1
            print("FAILED:", name, key, "by hand", value, "exported", theirs[key])


src, dst = pystencils.fields("src, dst: double[640,512,512]", layout="fzyx")
star = [pystencils.Assignment(dst[0, 0, 0], sum(src[i, 0, 0] + src[-i, 0, 0] + src[0, i, 0] + src[0, -i, 0] + src[0, 0, i]
                                                + src[0, 0, -i] for i in range(1, 5)) + src[0, 0, 0])]
for block in ([32, 4, 8], [64, 8, 2], [16, 16, 4]):
    shape = ",".join(map(str, block))
    compare(f"star {shape}", ask([source + "/docs/examples/star25.json", "-b", shape]),
            ask(["-", "-x", "json"], json.dumps(forewarp_kernel(star, block, 32))))

five = json.load(open(source + "/docs/examples/five.json"))
five.pop("coarsening")
src, dst = pystencils.fields("src, dst: double[8192,8192]", layout="fzyx")
plane = [pystencils.Assignment(dst[0, 0], (src[1, 0] + src[-1, 0] + src[0, 1] + src[0, -1]) / 4)]
compare("five", ask(["-", "-x", "json"], json.dumps(five)), ask(["-", "-x", "json"], json.dumps(forewarp_kernel(plane, [64, 4], 24))))

# Structure of arrays, 19 values a cell: each is read from a neighbour and written here.
src, dst = pystencils.fields("src(19), dst(19): double[128,128,128]", layout="fzyx")
pull = [pystencils.Assignment(dst[0, 0, 0](q), src[q % 3 - 1, q // 3 % 3 - 1, q // 9 - 1](q)) for q in range(19)]
answer = ask(["-", "-x", "json"], json.dumps(forewarp_kernel(pull, [32, 4, 4], 64)))
cells = 126 ** 3
if abs(answer["once_written_bytes"] - 19 * 8 * cells) > 0.02 * 19 * 8 * cells:
    failed += 1
    print("FAILED: 19 values a cell are", 19 * 8 * cells, "bytes, not", answer["once_written_bytes"])
print("pystencils", pystencils.__version__, "exported:", failed, "differences")
sys.exit(1 if failed else 0)
