#!/usr/bin/env python3
"""What the model forest is off by for kernels that it has not seen, and the forest that ships: from data/ alone.
usage: forest_accuracy.py FOREWARP SOURCE [--short] [--accept]

Evaluates on the lists of data/h200/forest, compares with docs/forest-accuracy.md, and trains the forest again,
which is models/forest/h200.forest byte for byte.  --accept writes both
and docs/figures/forest-accuracy.svg.  --short, which the tests run, takes every
24th launch and 4 trees a forest, and compares with tests/cli/forest_accuracy.expect, the forest by its hash."""
import hashlib
import json
import os
import subprocess
import sys
import tempfile

forewarp, source = map(os.path.abspath, sys.argv[1:3])
accept, short = "--accept" in sys.argv[3:], "--short" in sys.argv[3:]
EVERY, TREES, NESTED = (24, 4, 1) if short else (1, 64, 2)
data = os.path.join(source, "data/h200/")
page, shipped = os.path.join(source, "docs/forest-accuracy.md"), os.path.join(source, "models/forest/h200.forest")
figure = os.path.join(source, "docs/figures/forest-accuracy.svg")
expected = os.path.join(source, "tests/cli/forest_accuracy.expect")
HEAD = """# Accuracy of the model forest

What predictions are off by, |predicted / measured - 1|, on the launches of
`data/h200/forest/README.md`. `tests/cli/forest_accuracy.py FOREWARP SOURCE --accept` writes this
page from `data/` alone. Forests did not see the family of a launch that they predict, except where
said here. `judged` launches, of generated and of synthetic kernels, were never trained on; their
families are left out as well. The forest that ships is also trained on programs, and on watts of
asynchronous launches, of which [blend](blend.md) has figures.

*Sizes ten times beyond*: trained on launches under 200 microseconds, asked for those of 2
milliseconds and more; kernels stand on both sides, sizes do not. *Random tenths*, *leave-one-out*
and *nested folds* train on other sizes and blocks of the kernel that they predict, and so flatter:
they are figures for kernels that were measured before, not for new ones. *Nested folds* follow the
forest paper (five folds; the five longest launches always trained on; short, medium and long ones
dealt evenly; at most 100 launches of a family), and each of their "launches" is one fold's mean
error. There, criterion, candidates and what launches near count beside trees are chosen on the
folds that are then reported, which flatters once more; *chosen within* they are chosen by folds of
the training launches alone. Leave-one-out has 16 trees a forest. *Features*, *quick basis* and
*no basis* lines have trees alone; the other lines have launches near beside them, which in nested
folds and leave-one-out know those of their own kernel. *Quick basis* is what `train --ratio-to
roofline` makes (`docs/forest.md`), *no basis, portable* what `train --absolute` does.

![predicted over measured, errors, importance](figures/forest-accuracy.svg)

"""
records = ["times", "power-one-board", "generated/found", "generated/power-found", "generated/power-found-short", "generated/judged", "generated/power-judged",
           "generated/power-judged-short",
           "synthetic/learned", "synthetic/power-learned", "synthetic/judged", "synthetic/power-judged",
           *("programs" + number + "/times" for number in ("", "-second", "-third", "-fourth", "-fifth", "-sixth", "-seventh", "-eighth", "-ninth", "-tenth",
                                                          "-eleventh")),
           "forest/asynchronous"]
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
    done = subprocess.run([forewarp, *arguments, *measured, "-d", "h200", "--trees", str(TREES)], capture_output=True, text=True,
                          env={**os.environ, "FOREWARP_DATA": source})
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
    examples, found, synthetic = (sample(folder, name + ".jsonl") for name in ("examples", "found", "synthetic"))
    judged = [] if short else ["--judged", ",".join(data + f"forest/{n}.jsonl" for n in ("judged", "synthetic-judged"))]  # totals of few would tell of single launches
    lists = ["--launches", examples, "--launches", found, "--launches", synthetic]
    text = HEAD + run("evaluate", *lists, *judged, "--nested", str(NESTED), "--plot", folder + "/plot.svg")
    others = ["--launches", sample(folder, "programs.jsonl"),
              "--launches", sample(folder, "asynchronous.jsonl")]  # nothing of these' times is taught
    run("train", *lists, *others, "-o", folder + "/forest")
    forest, plot = (open(folder + name, "rb").read() for name in ("/forest", "/plot.svg"))
if short:
    pinned = {expected: (text + "\nforest " + hashlib.sha256(forest).hexdigest() +
                         "\nplot " + hashlib.sha256(plot).hexdigest() + "\n").encode()}
else:
    pinned = {page: text.encode(), shipped: forest, figure: plot}
faults = [path for path, content in pinned.items() if not same(path, content)]
for path in faults:
    print(f"{path} is not what data/ give: --accept writes it")
print(f"forest accuracy: {len(faults)} faults")
sys.exit(1 if faults else 0)
