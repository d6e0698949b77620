#!/usr/bin/env python3
"""A new model is a file and a line in src/model/models.c: help, errors, completion, JSON, text and
rankings have it, and one that cannot be opened leaves the others to answer.
usage: models.py FOREWARP_WITH_TOY SOURCE"""
import json
import os
import subprocess
import sys

forewarp, source = map(os.path.abspath, sys.argv[1:3])
kernel = source + "/tests/golden/kernels/saxpy.ptx"
launch = [kernel, "-b", "256", "-s", "3=100000", "-d", "h200"]
checks = failed = 0


def run(*arguments):
    return subprocess.run([forewarp, *arguments], capture_output=True, text=True,
                          env={**os.environ, "FOREWARP_DATA": source, "NO_COLOR": "1"})


def check(what, good, shown=""):
    global checks, failed
    checks += 1
    failed += not good
    if not good:
        print("FAILED:", what, "\n", shown)


def predict(models):
    done = run("predict", *launch, "-g", "391", "--json", *(["-m", models] if models else []))
    return done, json.loads(done.stdout) if done.stdout else None


help_text = " ".join(run("predict", "--help").stdout.split())
check("help", "toy (a microsecond a block)" in help_text and "absent (one that never opens)" in help_text, help_text)
check("manual page", "toy (a microsecond a block)" in run("--manual-page").stdout)
completion = run("--completion-script").stdout
check("completion", "'absent toy blend traffic roofline cost trace forest'" in completion, completion)
wrong = run("predict", *launch, "-g", "391", "-m", "oracle")
check("errors", wrong.returncode == 2 and "there are absent, toy, blend, traffic, roofline, cost, trace, forest" in wrong.stderr, wrong.stderr)

done, answer = predict("toy")
check("json", done.returncode == 0 and answer["predictions"][0]["model"] == "toy"
      and answer["predictions"][0]["seconds"] == 391e-6 and answer["toy_blocks"] == 391, done)
done, answer = predict("toy,roofline")
check("several", [p["model"] for p in answer["predictions"]] == ["toy", "roofline"], done)
text = run("predict", *launch, "-g", "391", "-m", "toy").stdout
check("text", "model toy" in text and "What the toy counts" in text and "blocks of the grid" in text
      and "Everything but the number of blocks." in text, text)
ranked = run("rank", *launch, "--domain", "100000", "--vary", "block=128,256", "-m", "toy", "--json")
ranking = json.loads(ranked.stdout)
check("rank", ranking["model"] == "toy" and ranking["configurations"][0]["seconds"] == 391e-6, ranked)

# A model that cannot be opened.
done, answer = predict("absent")
check("absent alone", done.returncode == 1 and "no parameters for h200" in done.stderr and "TOY001" in done.stderr, done)
done, answer = predict("absent,roofline")
check("absent among others", done.returncode == 0 and [p["model"] for p in answer["predictions"]] == ["roofline"]
      and "warning" in done.stderr and "TOY001" in done.stderr, done)
done, answer = predict(None)  # it stands first in the table: the default is the next that answers
check("absent by default", done.returncode == 0 and answer["predictions"][0]["model"] == "toy"
      and "TOY001" not in done.stderr
      and any("absent" in s and "no parameters" in s for s in answer["predictions"][0]["left_out"]), done)
print(checks - failed, "passed,", failed, "failed")
sys.exit(1 if failed else 0)
