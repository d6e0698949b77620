#!/usr/bin/env python3
"""Address expressions against the kernels that they state: volumes, sectors, wavefronts and the model's time of JSON and of
compiled PTX are equal; the examples of docs/traffic-json.md are those of docs/examples, and are what the schema allows.
usage: traffic_json.py FOREWARP SOURCE"""
import json
import os
import re
import subprocess
import sys
import tempfile

forewarp, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
ptx = source + "/data/h200/traffic/kernels.ptx"
Q = [(0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1), (1, 1, 0), (-1, -1, 0), (1, -1, 0),
     (-1, 1, 0), (1, 0, 1), (-1, 0, -1), (1, 0, -1), (-1, 0, 1), (0, 1, 1), (0, -1, -1), (0, 1, -1), (0, -1, 1)]
PULL = ", ".join(f"[{-x}, {-y}, {f'{-z} + {q}*nz'!r}]".replace("'", '"') for q, (x, y, z) in enumerate(Q))
LBM = """{"forewarp_kernel": 1, "name": "lbm", "sizes": {"nx": 256, "ny": 256, "nz": 256}, "domain": ["nx", "ny", "nz"],
 "where": ["x >= 1", "x < nx - 1", "y >= 1", "y < ny - 1", "z >= 1", "z < nz - 1"],
 "fields": {"old": {"type": "f64", "shape": ["nx", "ny", "19*nz"]}, "next": {"type": "f64", "shape": ["nx*ny*nz*19"]}},
 "loads": [{"field": "old", "at": ["x", "y", "z"], "offsets": [%s]}],
 "stores": [{"field": "next", "at": "x + nx*(y + ny*z)", "offsets": [%s]}],
 "block": [64, 4], "registers": 80}""" % (PULL, ", ".join(f'"{q}*nx*ny*nz"' for q in range(19)))
# name: JSON (a path or a text), block, grid, the PTX's sizes
CASES = {
    "star_1_1": [source + "/docs/examples/star25.json", "32,4,8", "20,126,63", [(7, 640), (8, 512), (9, 512)]],
    "star_1_1 16,8,2": [source + "/docs/examples/star25.json", "16,8,2", "40,63,252", [(7, 640), (8, 512), (9, 512)]],
    "star_1_1 512,2,1": [source + "/docs/examples/star25.json", "512,2,1", "2,252,504", [(7, 640), (8, 512), (9, 512)]],
    "five": [source + "/docs/examples/five.json", "64,4", "128,2048", [(2, 8192), (3, 8192)]],
    "lbm": [LBM, "64,4", "4,64,256", [(3, 256), (4, 256), (5, 256)]],
}
failed = 0


def ask(arguments, text=None):
    run = subprocess.run([forewarp, *arguments, "--json"], capture_output=True, text=True, input=text,
                         env={**os.environ, "FOREWARP_DATA": source})
    if run.returncode:
        print("FAILED:", " ".join(arguments), run.stderr)
        sys.exit(1)
    return json.loads(run.stdout)


def numbers(answer):
    """All volumes, and the terms of memory: those of arithmetic are stated, not compiled."""
    rows = {key: value for key, value in answer.items() if isinstance(value, float)}
    for key, value in answer.items():
        if key.endswith("_parts"):
            rows.update({f"{key}.{part}": number for part, number in value.items()})
    for term in answer["predictions"][0]["terms"]:
        if term["name"] in ("l1", "l2", "dram"):
            rows[term["name"]] = term["seconds"]
    return rows


for name, (path, block, grid, sizes) in CASES.items():
    text = path if path.startswith("{") else None
    values = [word for at, value in sizes for word in ("-s", f"{at}={value}")]
    compiled = ask(["traffic", ptx, "-k", name.split()[0], "-b", block, "-g", grid, "-d", "h200", *values])
    registers = compiled["kernel"]["registers"]
    description = json.loads(text or open(path).read())
    description["registers"] = registers
    description.pop("coarsening", None)
    stated = ask(["traffic", "-", "-x", "json", "-b", block, "-d", "h200"], json.dumps(description))
    a, b = numbers(compiled), numbers(stated)
    if a.keys() != b.keys() or stated["launch"]["grid"] != compiled["launch"]["grid"]:
        failed += 1
        print("FAILED:", name, "other rows or another grid", stated["launch"], a.keys() ^ b.keys())
    for key in a.keys() & b.keys():
        if abs(a[key] - b[key]) > 1e-9 * max(abs(a[key]), abs(b[key])):
            failed += 1
            print("FAILED:", name, key, "compiled", a[key], "stated", b[key])

# What is stated of instructions limits as what was compiled does: the star's time, its issue and its latency.  Threads beyond
# the domain issue what stands before their guard.  ptxas makes 123 instructions of the kernel; it is estimated to have 121.
# How blocks of one multiprocessor meet, and so the time, turns on little.  Latency is that of whole batches of loads, which
# follow the order of the code: address expressions state none.
star = json.load(open(source + "/docs/examples/star25.json"))
star["operations"]["s32"] = {"mad.wide": 22, "add": 11}
star.update(chain={"f64": {"add": 5, "mul": 1, "fma": 4}, "s32": {"add": 7}}, instructions=121)
for shape, grid in ("32,4,8", "20,126,63"), ("16,8,2", "40,63,252"), ("512,2,1", "2,252,504"):
    compiled = ask(["traffic", ptx, "-k", "star_1_1", "-b", shape, "-g", grid, "-d", "h200", "-s", "7=640", "-s", "8=512", "-s", "9=512"])
    star["registers"] = compiled["kernel"]["registers"]
    stated = ask(["traffic", "-", "-x", "json", "-b", shape, "-d", "h200"], json.dumps(star))
    bare = ask(["traffic", source + "/docs/examples/star25.json", "-b", shape, "-d", "h200"])
    one, other = ({term["name"]: term["seconds"] for term in answer["predictions"][0]["terms"]} for answer in (compiled, stated))
    one["time"], other["time"] = (answer["predictions"][0]["seconds"] for answer in (compiled, stated))
    for key, room in ("issue", 0.15), ("f64", 0.001), ("integer_multiply", 0.03), ("latency", 0.2), ("time", 0.08):
        if abs(one[key] - other[key]) > room * one[key]:
            failed += 1
            print("FAILED: star", shape, key, "compiled", one[key], "stated", other[key])
    bare = {term["name"]: term["seconds"] for term in bare["predictions"][0]["terms"]}
    if not (other["issue"] > 1.5 * bare["issue"] and other["latency"] > bare["latency"]):
        failed += 1
        print("FAILED: star", shape, "has no more to issue and to wait for with its instructions and its chain")

# The star four ways: as PTX, CUDA C++, kernel language and address expressions.
ways = {"CUDA C++": [source + "/data/h200/traffic/kernels.cu", "-k", "star_1_1"], "kernel language": [source + "/kernels/knl/star25.knl"]}
for (x, y, z), grid in ((32, 4, 8), "20,126,63"), ((16, 8, 2), "40,63,252"), ((512, 2, 1), "2,252,504"):
    shape = ["-b", f"{x},{y},{z}", "-g", grid]
    bound = ["-s", "7=640", "-s", "8=512", "-s", "9=512"]
    wanted = ask(["traffic", ptx, "-k", "star_1_1", *shape, *bound, "-d", "h200"])
    for way, arguments in ways.items():
        if way == "kernel language":
            shape = [f"-DBX={x}", f"-DBY={y}", f"-DBZ={z}"]
            bound = ["-s", "nx=640", "-s", "ny=512", "-s", "nz=512"]
        run = subprocess.run([forewarp, "traffic", *arguments, *shape, *bound, "-d", "h200", "--json"], capture_output=True, text=True,
                             env={**os.environ, "FOREWARP_DATA": source})
        if run.returncode and ("compiler" in run.stderr or "compiled" in run.stderr):
            print("nothing compiles CUDA C++ here: THE STAR'S", way, "WAS NOT COMPARED:", run.stderr.strip())
            continue
        got = json.loads(run.stdout) if run.returncode == 0 else {"launch": run.stderr}
        if got["launch"] == run.stderr or got["launch"]["grid"] != wanted["launch"]["grid"]:
            failed += 1
            print("FAILED: star", shape, way, got["launch"])
            continue
        for key, value in wanted.items():
            if isinstance(value, float) and abs(value - got[key]) > 1e-9 * max(value, got[key]):
                failed += 1
                print("FAILED: star", x, y, z, key, "PTX", value, way, got[key])

# The kernel language goes through generated code: a product of matrices beside its address expressions.
product = {"forewarp_kernel": 1, "sizes": {"n": 512}, "domain": ["n", "n"], "block": [16, 16],
           "fields": {f: {"type": "f32", "shape": ["n", "n"]} for f in "abc"}, "loops": [{"name": "k", "trips": "n"}],
           "loads": ["a[k, y]", "b[x, k]"], "stores": ["c[x, y]"]}
run = subprocess.run([forewarp, "traffic", source + "/kernels/knl/matmul.knl", "-s", "n=512", "-d", "h200", "--json"], capture_output=True,
                     text=True, env={**os.environ, "FOREWARP_DATA": source})
if run.returncode == 0:
    knl = json.loads(run.stdout)
    product["registers"] = knl["kernel"]["registers"]
    a, b = numbers(knl), numbers(ask(["traffic", "-", "-x", "json", "-d", "h200"], json.dumps(product)))
    for key in a: # L2 to L1 is predicted turn by turn of a loop, which the compiler has unrolled
        if "l2" not in key and abs(a[key] - b[key]) > 1e-9 * max(abs(a[key]), abs(b[key])):
            failed += 1
            print("FAILED: matmul.knl", key, "generated", a[key], "stated", b[key])
elif "compiler" in run.stderr or "compiled" in run.stderr:
    print("nothing compiles CUDA C++ here: THE KERNEL LANGUAGE'S TRAFFIC WAS NOT COMPARED:", run.stderr.strip())
else:
    failed += 1
    print("FAILED: traffic of matmul.knl:", run.stderr)

# A gather through an index, as compiled with its distribution stated and as address expressions.
gather = {"forewarp_kernel": 1, "sizes": {"n": 8388613}, "domain": ["n"], "block": 256,
          "fields": {f: {"type": "f32", "shape": ["n"]} for f in ("source", "index", "target")},
          "loads": ["index[x]", {"field": "source", "drawn": "n"}], "stores": ["target[x]"], "registers": 11}
compiled = ask(["traffic", source + "/tests/golden/kernels/gather.ptx", "-k", "gather", "-g", "32769", "-b", "256", "-s", "3=8388613",
                "-s", "0.spread=33554452", "-d", "h200"])
stated = ask(["traffic", "-", "-x", "json", "-d", "h200"], json.dumps(gather))
a, b = numbers(compiled), numbers(stated)
for key in a:
    if abs(a[key] - b[key]) > 1e-9 * max(abs(a[key]), abs(b[key])):
        failed += 1
        print("FAILED: gather", key, "compiled", a[key], "stated", b[key])

stated_star = dict(star)

# Two points of a thread: loads that both need are loaded once.  25 + 25 loads share 8 along y: 42 a thread.
star = json.load(open(source + "/docs/examples/star25.json"))
star["coarsening"] = [1, 2, 1]
one = ask(["count", source + "/docs/examples/star25.json"])
two = ask(["count", "-", "-x", "json"], json.dumps(star))


def executions(answer, direction):
    return sum(int(row["count"]) for row in answer["memory"] if row["direction"] == direction)


points = 632 * 504 * 504
for what, got, wanted in [("loads of one point", executions(one, "load"), 25 * points),
                          ("stores of one point", executions(one, "store"), points),
                          ("loads of two points", executions(two, "load"), 42 * points // 2),
                          ("stores of two points", executions(two, "store"), points),
                          ("flops", int(two["flops"]), 29 * points)]:
    if got != wanted:
        failed += 1
        print("FAILED:", what, got, "not", wanted)

manual = re.findall(r"```json\n(.*?)```", open(source + "/docs/traffic-json.md").read(), re.S)
files = [open(f"{source}/docs/examples/{name}.json").read() for name in ("star25", "five")]
if manual != files:
    failed += 1
    print("FAILED: the manual's examples are not those of docs/examples")
try:
    import jsonschema
    schema = json.load(open(source + "/docs/schema/kernel.json"))
    for text in [*files, LBM, json.dumps(gather), json.dumps(stated_star), open(source + "/tests/fuzz/corpus-addresses/all.json").read()]:
        jsonschema.validate(json.loads(text), schema, cls=jsonschema.Draft202012Validator)
    for broken in ({**star, "fields": {}}, {**star, "extra": 1}, {**star, "loads": [{"field": "u"}]}, {**star, "instructions": -1}, {**star, "chain": {"f64": 3}}):
        try:
            jsonschema.validate(broken, schema, cls=jsonschema.Draft202012Validator)
            failed += 1
            print("FAILED: the schema allows", str(broken)[:200])
        except jsonschema.ValidationError:
            pass
except ImportError:
    print("the Python module jsonschema is missing: the schema of kernels was not checked")
print(len(CASES), "kernels compared,", failed, "differences")
sys.exit(1 if failed else 0)
