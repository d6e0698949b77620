#!/usr/bin/env python3
"""What the model blend is off by for kernels that it has not seen, and the blend that ships: from data/ alone.
usage: blend_accuracy.py FOREWARP SOURCE [--short] [--accept]

Evaluates on the lists of data/h200/forest, compares with docs/blend.md, and trains the blend again, which is
models/blend/h200.blend byte for byte.  --accept writes both.  Of no kind of launches the blend may be more than 0.5
points worse than a model by itself, by mean and by median.  --short, which the tests run, takes every 24th launch
that is not judged and 4 trees a forest, and compares with tests/cli/blend_accuracy.expect, the blend by its hash."""
import hashlib
import json
import os
import subprocess
import sys
import tempfile

forewarp, source = map(os.path.abspath, sys.argv[1:3])
accept, short = "--accept" in sys.argv[3:], "--short" in sys.argv[3:]
EVERY, TREES = (24, 4) if short else (1, 64)
data = os.path.join(source, "data/h200/")
page, shipped = os.path.join(source, "docs/blend.md"), os.path.join(source, "models/blend/h200.blend")
expected = os.path.join(source, "tests/cli/blend_accuracy.expect")
HEAD = """# Accuracy of the model blend

`blend`, the default of `predict`, joins the answers of the models traffic, trace and forest.
[Predicting](predicting.md) says how. `tests/cli/blend_accuracy.py FOREWARP SOURCE --accept` trains
`models/blend/h200.blend` and writes this page, from `data/` alone; a test does so with a sample.

Errors are |predicted / measured - 1|. The launches are those of `data/h200/forest/README.md`; a
family is a file of kernels; of asynchronous launches, a kernel as its source has it, which are
predicted at the profile's clock, that of products where they have some, and with the registers that
Triton's recordings know. Neither the trees nor the weights nor the intervals that answer for a
launch have seen its family. `judged` launches were never trained on.

"""
records = ["times", "power-one-board", "generated/found", "generated/power-found", "generated/power-found-short", "generated/judged", "generated/power-judged",
           "generated/power-judged-short",
           "synthetic/learned", "synthetic/power-learned", "synthetic/judged", "synthetic/power-judged",
           *("programs" + number + "/times" for number in ("", "-second", "-third", "-fourth", "-fifth", "-sixth", "-seventh", "-eighth", "-ninth", "-tenth", "-eleventh")),
           "forest/asynchronous", "forest/asynchronous-judged"]
measured = ["--measured", ",".join(data + r + ".txt" for r in records)]


def sample(folder, name):
    """A list of every so many launches, whose files stay where they are."""
    path = os.path.join(folder, name)
    with open(path, "w") as out:
        for number, line in enumerate(open(data + "forest/" + name)):
            if number % EVERY == 0:
                launch = json.loads(line)
                launch["file"] = os.path.normpath(os.path.join(data, "forest", launch["file"]))
                out.write(json.dumps(launch) + "\n")
    return path


def run(*arguments):
    done = subprocess.run([forewarp, *arguments, "-m", "blend", *measured, "-d", "h200", "--trees", str(TREES)],
                          capture_output=True, text=True, env={**os.environ, "FOREWARP_DATA": source})
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def same(path, content):
    if accept:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as out:
            out.write(content)
        return True
    return os.path.exists(path) and open(path, "rb").read() == content


with tempfile.TemporaryDirectory() as folder:
    lists = [word for name in ("examples", "found", "synthetic", "programs", "asynchronous") for word in ("--launches", sample(folder, name + ".jsonl"))]
    judged = [] if short else ["--judged", ",".join(data + f"forest/{n}.jsonl" for n in ("judged", "synthetic-judged", "programs-judged", "asynchronous-judged"))]  # totals of few would tell of single launches
    text = HEAD + run("evaluate", *lists, *judged)
    run("train", *lists, "-o", folder + "/blend")
    blend = open(folder + "/blend", "rb").read()
if short:
    pinned = {expected: (text + "\nblend " + hashlib.sha256(blend).hexdigest() + "\n").encode()}
else:
    pinned = {page: text.encode(), shipped: blend}
faults = [f"{path} is not what data/ give: --accept writes it" for path, content in pinned.items() if not same(path, content)]
kinds = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.split("## Kinds")[1].split("## ")[0].splitlines() if line.startswith("|")][2:]
WORSE = 7  # the column
for kind in [] if short else kinds:
    if float(kind[WORSE].split(" / ")[0]) > 0.5:
        faults.append(f"{kind[0]}: the blend is {kind[WORSE]} points worse than the best model by itself (mean / median)")
if not kinds:
    faults.append("the report has no kinds of launches")
for fault in faults:
    print(fault)
print(f"blend accuracy: {len(faults)} faults")
sys.exit(1 if faults else 0)
