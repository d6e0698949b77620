#!/usr/bin/env python3
"""Nested folds of launches that lie as near each other as the forest paper's: a few families of data/h100/dense.
usage: forest_dense.py FOREWARP SOURCE [--all] [--accept]

Prints nothing but faults.  Compares the lines of nested folds, and scripts/nested-density of a few families, with
tests/cli/forest_dense.expect; --accept writes it.
--all takes all families and prints the lines instead, as docs/forest.md has them: some minutes."""
import os
import subprocess
import sys
import tempfile

forewarp, source = map(os.path.abspath, sys.argv[1:3])
every = "--all" in sys.argv[3:]
LAUNCHES, TREES, NESTED = (None, 32, 2) if every else (70, 4, 1)  # 14 of a family
dense, expected = os.path.join(source, "data/h100/dense"), os.path.join(source, "tests/cli/forest_dense.expect")

with tempfile.TemporaryDirectory() as folder:
    labels = os.path.join(folder, "labels.txt")
    text = subprocess.run([os.path.join(source, "scripts/device/dense-labels"), labels], capture_output=True, text=True, check=True).stderr
    lists = []
    for half in ("learned", "judged") if every else ("learned",):
        lists += ["--launches", os.path.join(folder, half + ".jsonl")]
        with open(lists[-1], "w") as out:
            for line in open(f"{dense}/{half}.jsonl").readlines()[:LAUNCHES]:
                out.write(line.replace("../../h200", os.path.join(source, "data/h200")))
    done = subprocess.run([forewarp, "evaluate", *lists, "--measured", labels, "-d", "h100", "--trees", str(TREES), "--nested", str(NESTED), "--nested-only"],
                          capture_output=True, text=True, env={**os.environ, "FOREWARP_DATA": source})
if done.returncode:
    sys.exit(done.stderr)
if not every:
    text += subprocess.run([os.path.join(source, "scripts/nested-density"), forewarp, "--families", "8", "--counts", "2,5", "--trees", "4"],
                           capture_output=True, text=True, check=True).stdout
text += "".join(line + "\n" for line in done.stdout.splitlines() if line.startswith("## ") or "nested folds" in line)
if every:
    print(text, end="")
elif "--accept" in sys.argv[3:]:
    with open(expected, "w") as out:
        out.write(text)
elif not os.path.exists(expected) or open(expected).read() != text:
    print(text, end="")
    sys.exit(f"{expected} is not what data/ give: --accept writes it")
