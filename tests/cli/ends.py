#!/usr/bin/env python3
"""predict: the interval of a launch whose branches or trips are defaults has the answers at the ends of what these
usually are in it; where they do not matter, it is narrow; where the user states them, there are no ends.
usage: ends.py FOREWARP SOURCE"""
import json
import os
import subprocess
import sys

forewarp, source = map(os.path.abspath, sys.argv[1:3])
QUANTILES = 0.243, 8.63  # of trips by their default: scripts/unknown-values --quantiles
faults = 0


def answers(ptx, *arguments, model="blend"):
    done = subprocess.run([forewarp, "predict", f"{source}/tests/{ptx}.ptx", "-d", "h200", "--json",
                           "-m", model, *arguments], capture_output=True, text=True, env={**os.environ, "FOREWARP_DATA": source})
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def predict(kernel, *arguments, model="blend"):
    answer = answers(f"golden/kernels/{kernel}", *arguments, model=model)
    return answer["predictions"][0], answer["unknowns"]


def check(what, good, shown):
    global faults
    faults += not good
    if not good:
        print("FAILED:", what, shown)


def joined(kind, seconds):
    """The joined seconds of the models by the weights that the blend has for a kind of launches."""
    line = next(l.split() for l in open(f"{source}/models/blend/h200.blend") if l.startswith(f"weights seconds {kind} "))
    weights = dict(zip(line[5::2], map(float, line[6::2])))
    return sum(weight / seconds[model] for model, weight in weights.items()) / sum(weight / seconds[model] ** 2 for model, weight in weights.items())


def wide(prediction):
    return prediction["interval"][1] / prediction["interval"][0]


collatz = ["-g", "8193", "-b", "256", "-s", "1=2097153"]
answer, unknowns = predict("collatz", *collatz)
trips = next(u for u in unknowns if u["kind"] == "trips")
usual = predict("collatz", *collatz, model="traffic")[0]["seconds"]
for quantile in QUANTILES:
    end = predict("collatz", *collatz, "-s", f"{trips['name']}={trips['value'] * quantile}", model="traffic")[0]["seconds"]
    low, high = (end / usual * answer["seconds"] * off for off in (0.999, 1.001))
    check("the answer at an end is part of the interval", answer["interval"][0] <= high and low <= answer["interval"][1],
          (quantile, low, high, answer["interval"]))
check("the unknowns are those of the answer", trips["default"] and trips["source"] == "default", unknowns)
steady = predict("black_scholes", "-g", "32769", "-b", "256", "-s", "5=0.02", "-s", "6=0.3", "-s", "7=8388613")[0]
check("a branch that does not matter", wide(steady) < wide(answer) / 4, (steady["interval"], answer["interval"]))
stated = predict("collatz", *collatz, "-s", f"{trips['name']}=138")[0]
check("no ends of what is stated", wide(stated) < wide(answer) / 4, (stated["interval"], answer["interval"]))
product = ["-k", "wgmma_product", "-g", "32,32", "-b", "384", "--shared", "132096", "-s", "3=4096", "-s", "4=4096"]
answer = answers("golden/asynchronous/wgmma_product", *product)
check("loops that wait for an mbarrier are unknown", any(u["kind"] == "trips" and u["default"] for u in answer["unknowns"]), answer["unknowns"])
check("and have no ends", wide(answer["predictions"][0]) < 2.5, answer["predictions"][0]["interval"])
for kernel, n, kind, other in ("passes", 2 ** 21, "dram", "leans"), ("wanders", 2 ** 23, "leans", "dram"):
    answer = answers("cli/ends", "-k", kernel, "-g", str(n // 256), "-b", "256", "-s", f"2={n}", model="traffic,trace,forest,blend")
    seconds = {p["model"]: p["seconds"] for p in answer["predictions"]}
    right, wrong = joined(kind, seconds), joined(other, seconds)
    check(f"{kernel}: both kinds of weights can be told apart", abs(right / wrong - 1) > 3e-4, (right, wrong))
    check(f"{kernel}: weights are those of {kind}", abs(seconds["blend"] / right - 1) < 1e-4, (seconds, right, wrong))
print(f"ends: {faults} faults")
sys.exit(1 if faults else 0)
