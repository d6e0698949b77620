#!/usr/bin/python3
"""Checks real answers of the program against docs/schema/.  usage: schema.py FOREWARP SOURCE

Exits with 77 (skipped) when the Python module jsonschema is not there."""
import json
import os
import subprocess
import sys
import tempfile

forewarp, source = sys.argv[1:3]
try:
    import jsonschema
except ImportError:
    print("SKIPPED: the Python module jsonschema is missing; NO ANSWER WAS CHECKED against docs/schema")
    sys.exit(77)

kernels = source + "/tests/golden/kernels/"
loops = source + "/tests/golden/knl/"
saxpy = [kernels + "saxpy.ptx", "-g", "4", "-b", "256"]
mandelbrot = [kernels + "mandelbrot.ptx", "-g", "4,10", "-b", "32,8", "-s", "1=100", "-s", "2=75",
              "-s", "3=-2", "-s", "4=-1.125", "-s", "5=0.03", "-s", "6=50"]
spmv = [kernels + "spmv_csr.ptx", "-g", "10", "-b", "32", "-s", "5=320"]
huge = [kernels + "saxpy.ptx", "-g", "2147483647,65535", "-b", "1024", "-s", "3=2147483647"]
many = tempfile.NamedTemporaryFile("w", suffix=".json")
many.write('{"grid": [4], "block": [256], "arguments": {"3": 1000}, "repeats": 7}\n' * 2)
many.flush()
counters = tempfile.NamedTemporaryFile("w", suffix=".json")
counters.write('{"dram__bytes_read.sum": 8192, "dram_write_bytes": 4096, "gpu__time_duration.sum": 2e-6}')
counters.flush()
stores = tempfile.TemporaryDirectory()
store = stores.name + "/store.db"
subprocess.run([forewarp, "measure", "rebuild", source + "/data", "--store", store], check=True, capture_output=True)
# One configuration of the probe's plan, which its recording answers.
recording = source + "/data/h200/probe/probe.txt"
subprocess.run([forewarp, "device", "probe", "--plan", stores.name, "--replay", recording], check=True)
with open(stores.name + "/probe.plan") as file:
    head, *configurations = file.read().split("configuration ")
with open(stores.name + "/one.plan", "w") as file:
    file.write(head + "configuration " + next(text for text in configurations if text.startswith('"empty 16"')))
examples = source + "/docs/examples/"
calibration = stores.name + "/matmul.calibration"
costs = examples + "matmul-costs.csv"
subprocess.run([forewarp, "calibrate", examples + "matmul.cost", "--table", costs, "-o", calibration], check=True, capture_output=True)
with open(stores.name + "/few.cost", "w") as file: # more than the data tell: errors that are null
    file.write("output f_t\ncost = p_a * f_a + p_b * f_b + p_c\n")
with open(stores.name + "/few.csv", "w") as file:
    file.write("kernel,f_a,f_b,f_t\nx,1,2,3\ny,2,4,5\nz,3,6,7\n")
one = stores.name + "/one.calibration"
with open(stores.name + "/one.csv", "w") as file:
    file.write("kernel,f_op_float32_madd,f_sync_kernel_launch,f_time\nx,1e6,1,1.1e-3\ny,2e6,1,2e-3\nz,3e6,1,3.1e-3\n")
with open(stores.name + "/one.cost", "w") as file:
    file.write("output f_time\ncost = p_madd * f_op_float32_madd + p_launch * f_sync_kernel_launch\n")
subprocess.run([forewarp, "calibrate", stores.name + "/one.cost", "--table", stores.name + "/one.csv", "-o", one], check=True, capture_output=True)
with open(stores.name + "/few.jsonl", "w") as file: # launches of two files, for the forest
    for name in ("saxpy", "copy"):
        file.write(json.dumps({"name": f"{name} {name} medium", "file": f"{kernels}{name}.ptx", "kernel": name, "grid": [131073],
                               "block": [256], "arguments": {"3" if name == "saxpy" else "2": 33554437}}) + "\n")
cases = [
    ("evaluate", ["evaluate", "--launches", stores.name + "/few.jsonl", "--measured", source + "/data/h200/times.txt",
                  "-d", "h200", "--trees", "2"]),
    ("calibrate", ["calibrate", examples + "matmul.cost", "--table", costs, "--hold-out", "matmul*"]),
    ("calibrate", ["calibrate", examples + "matmul.cost", "--table", costs, "--overlap", "none", "-d", "h200"]),
    ("calibrate", ["calibrate", stores.name + "/few.cost", "--table", stores.name + "/few.csv"]),
    ("calibrate-evaluate", ["calibrate", "--evaluate", calibration, "--table", costs]),
    ("features-list", ["features"]),
    ("features", ["features", *saxpy, "-s", "3=1000", "-d", "h200"]),
    ("features", ["features", *mandelbrot, "-f", "f_op", "-f", "f_mem_access_store_afr:1"]),
    ("features", ["features", source + "/kernels/knl/matmul.knl", "-s", "n=1K"]),
    ("predict", ["predict", *saxpy, "-s", "3=1000", "--calibration", one]),
    ("predict", ["predict", kernels + "transpose.ptx", "-k", "transpose_naive", "-g", "157,624", "-b", "32,8",
                 "-s", "2=5000", "-s", "3=4990", "-d", "h200", "--advice"]),
    ("predict", ["predict", *saxpy, "-s", "3=1000", "-d", "h200", "-m", "cost,roofline", "--calibration", one]),
    ("rank", ["rank", saxpy[0], "--calibration", one, "--domain", "3000", "-s", "3=3000", "--vary", "block=256,512"]),
    ("launches", ["predict", saxpy[0], "--launches", many.name, "--calibration", one]),
    ("count", ["count", *saxpy, "-s", "3=1000"]),
    ("count", ["count", *saxpy]),
    ("count", ["count", kernels + "saxpy.ptx", "-b", "256"]),
    ("count", ["count", *huge]),
    ("count", ["count", *mandelbrot]),
    ("count", ["count", kernels + "matmul_mma.ptx", "-g", "4,4", "-b", "32"]),
    ("count", ["count", loops + "matmul.knl"]),
    ("count", ["count", loops + "matmul.knl", "-s", "n=1G", "-s", "m=1G", "-s", "ell=1G"]),
    ("count", ["count", loops + "data.knl", "-s", "n=100", "--subscripts"]),
    ("count", ["count", loops + "not_affine.knl", "--contract"]),
    ("count", ["count", source + "/kernels/knl/matmul_coarse.knl", "-DTILE=64", "-s", "n=1K"]),
    ("rank", ["rank", source + "/kernels/knl/matmul.knl", "-d", "h200", "-m", "roofline", "--compiler", "none", "-s", "n=1K",
              "--vary", "-DTILE=0,16,24,32,64"]),
    ("predict", ["predict", loops + "matmul.knl", "-s", "n=1K", "-s", "m=1K", "-s", "ell=1K", "-d", "h200"]),
    ("predict", ["predict", loops + "data.knl", "-s", "n=100", "-d", "a100", "--cache", "cold"]),
    ("predict", ["predict", *saxpy, "-s", "3=1000", "-d", "h200"]),
    ("predict", ["predict", *saxpy, "-s", "3=1000", "-d", "v100", "--cache", "cold"]),
    ("predict", ["predict", *saxpy, "-s", "3=1000", "-d", "h200:l2_bytes=2x,multiprocessors=66,empty_kernel=0.5x,tensor_fp8=16K",
                 "--clock", "1.5GHz", "--registers", "20", "--static-shared", "1K"]),
    ("predict", ["predict", *saxpy, "-s", "3=1000", "-d", "v100:constant_misses=0.01", "-m", "roofline,trace"]),
    ("predict-devices", ["predict", *saxpy, "-s", "3=1000", "-d", "h200,a100,v100:registers_per_multiprocessor=128K"]),
    ("predict-devices", ["predict", kernels + "saxpy.ptx", "-g", "4", "-b", "512", "-s", "3=1000", "-d",
                         "h200,a100:threads_per_block=256", "-m", "roofline,traffic"]),
    ("diff", ["diff", kernels + "matmul_naive.ptx", kernels + "matmul_tiled.ptx", "-g", "9,9", "-b", "16,16", "-s", "3=140",
              "-s", "4=140", "-s", "5=140", "-d", "h200", "-m", "roofline,traffic"]),
    ("diff", ["diff", saxpy[0] + " -b 256", saxpy[0] + " -b 128", "-g", "4", "-s", "3=1000"]),
    ("diff", ["diff", *saxpy, "-s", "3=1000", "-d", "h200,a100,h200:l2_bytes=2x"]),
    ("device", ["device", "show", "h200:l2_bytes=2x,dram_copy_bandwidth=8TB/s,issue_order=greedy_oldest"]),
    ("rank", ["rank", saxpy[0], "-d", "h200:multiprocessors=66", "--domain", "3000", "-s", "3=3000", "--registers", "64"]),
    ("predict", ["predict", *mandelbrot, "-d", "h200"]),
    ("predict", ["predict", *mandelbrot, "-d", "h200", "-m", "traffic,roofline"]),
    ("traffic", ["traffic", *saxpy, "-s", "3=1000", "-d", "h200"]),
    ("traffic", ["traffic", *mandelbrot, "-d", "v100", "--cache", "cold"]),
    ("traffic", ["traffic", source + "/docs/examples/star25.json", "-d", "h200"]),
    ("count", ["count", source + "/docs/examples/five.json"]),
    ("predict", ["predict", source + "/docs/examples/five.json", "-d", "a100"]),
    ("traffic", ["traffic", *saxpy, "-s", "3=1000", "-d", "h200", "--volumes", counters.name]),
    ("rank", ["rank", source + "/docs/examples/five.json", "-d", "h200", "--vary", "coarsening=1x1,1x2", "--vary", "nx=1K,1000"]),
    ("rank", ["rank", saxpy[0], "-d", "h200", "--domain", "3000", "-s", "3=3000", "-m", "roofline", "--vary", "block=256,2048"]),
    ("rank", ["rank", saxpy[0], "-d", "h200", "--grid", "ceil(3000/threads)", "--vary", "3=1K,3000", "-m", "roofline", "--vary",
              "block=256,128", "--where", "threads > 100", "--best-for", "3"]),
    ("rank-devices", ["rank", saxpy[0], "-d", "h200,v100", "--domain", "3000", "-s", "3=3000", "-m", "roofline"]),
    ("emulate", ["emulate", *saxpy, "-s", "3=1000", "-s", "2=1.5"]),
    ("emulate", ["emulate", *mandelbrot, "--every", "2"]),
    ("emulate", ["emulate", *spmv, "--blocks", "3"]),
    ("predict", ["predict", *mandelbrot, "-d", "h200", "--emulate"]),
    ("predict", ["predict", *spmv, "-d", "h200", "--emulate"]),
    ("traffic", ["traffic", *spmv, "-d", "h200", "--emulate", "--arg", "0=s32[321]:ramp(0,3,3)"]),
    ("predict", ["predict", *mandelbrot, "-d", "h200", "-m", "trace"]),
    ("predict", ["predict", *saxpy, "-s", "3=1000", "-d", "v100", "-m", "trace"]),
    ("predict", ["predict", *mandelbrot, "-d", "h200:issue_order=loose_round_robin", "--issue-orders"]),
    ("trace", ["trace", *saxpy, "-s", "3=1000"]),
    ("trace", ["trace", *saxpy, "-s", "3=1000", "--warp", "3,7", "-d", "h200"]),
    ("trace", ["trace", *mandelbrot, "-d", "h200", "--timeline"]),
    ("trace", ["trace", *mandelbrot]),
    ("trace", ["trace", *spmv]),
    ("trace", ["trace", source + "/docs/examples/five.json"]),
    ("device-list", ["device", "list"]),
    ("device", ["device", "show", "h200"]),
    ("device", ["device", "show", "v100"]),
    ("device", ["device", "probe", "--replay", recording]),
    ("measure-list", ["measure", "list", "--store", store]),
    ("measure", ["measure", source + "/kernels", "--plan", stores.name + "/made.plan", "--backend", "opencl"]),
    ("measure", ["measure", stores.name + "/one.plan", "--backend", "replay", "--recording", recording,
                 "--store", store, "--campaign", 'a "name"']),
    ("store-change", ["measure", "export", stores.name + "/text", "--store", store]),
    ("store-change", ["measure", "import", source + "/data/h200/power.txt", "--store", stores.name + "/other.db"]),
    ("store-change", ["measure", "rebuild", source + "/data/h200/probe", "--store", stores.name + "/again.db"]),
    ("launches", ["predict", saxpy[0], "--launches", many.name, "-d", "h200"]),
    ("launches", ["predict", saxpy[0], "--launches", many.name, "-d", "a100"]),
    ("launches", ["count", saxpy[0], "--launches", many.name]),
    ("emit", ["emit", loops + "matmul.knl", "--target", "cuda"]),
    ("emit", ["strip", loops + "matmul.knl", "--remove", "a"]),
    ("generate", ["generate", "pattern", "--list"]),
    ("generate", ["generate", "pattern", "stream", "--match", "intersect"]),
    ("generate", ["generate", "barrier", "groups:8", "-o", stores.name + "/generated"]),
    ("set", ["count", "-x", "set", "[n] -> { [i] : 0 <= i < n }"]),
    ("set", ["count", "-x", "set", "[n] -> { [i] : 0 <= i < n }", "-s", "n=4G"]),
]
folder = source + "/docs/schema/"
schemas = {name: json.load(open(folder + name)) for name in sorted(os.listdir(folder))}
for schema in schemas.values():
    jsonschema.Draft202012Validator.check_schema(schema)


def local(base):
    """A validator against the schema of that name. A "$ref" names another file of docs/schema, and nothing else is
    ever fetched."""
    where = "file://" + os.path.abspath(folder) + "/"
    try: # jsonschema 4.18 and later
        from referencing import Registry, Resource
        registry = Registry().with_resources((where + name, Resource.from_contents(schema)) for name, schema in schemas.items())
        return jsonschema.Draft202012Validator({"$ref": where + base}, registry=registry)
    except ImportError:
        store = {where + name: schema for name, schema in schemas.items()}
        resolver = jsonschema.RefResolver(where + base, schemas[base], store=store, handlers={
            scheme: None for scheme in ("http", "https", "ftp", "file")})
        return jsonschema.Draft202012Validator(schemas[base], resolver=resolver)


# kernel.json describes the input of -x json: traffic_json.py checks kernels against it. Lines of serve are
# serve.py's. The other two hold what several answers share.
unused = {name[:-5] for name in schemas} - {name for name, _ in cases} - {"kernel", "common", "prediction", "serve-request", "serve-reply", "diagnostic"}
failed = len(unused)
told = subprocess.run([forewarp, "count", "no\u202e such.ptx", "-g", "4", "-b", "5", "--json"], capture_output=True, text=True)
told.stderr += subprocess.run([forewarp, "count", saxpy[0], "-g", "4", "-b", "5", "-s", "n=\x1b", "--json"], capture_output=True, text=True).stderr
if len(told.stderr.splitlines()) < 2 or "\u202e" in told.stderr:
    print("FAILED: diagnostics are not two lines of JSON:", told.stderr)
    failed += 1
for line in told.stderr.splitlines(): # what goes wrong is told in JSON, too
    local("diagnostic.json").validate(json.loads(line))
for name in sorted(unused):
    print("FAILED: no answer is checked against", name)
for name, arguments in cases:
    run = subprocess.run([forewarp, *arguments, "--json"], capture_output=True, text=True,
                         env={**os.environ, "FOREWARP_DATA": source})
    try:
        local(name + ".json").validate(json.loads(run.stdout))
    except Exception as error:
        failed += 1
        print("FAILED:", " ".join(arguments), "against", name, run.stderr, str(error)[:500])
print(len(cases), "answers checked,", failed, "failed")
sys.exit(1 if failed else 0)
