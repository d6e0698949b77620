#!/usr/bin/env python3
"""How long `rank` takes for a design space over the example kernels: every launch of kernels/launches.json in SHAPES block
shapes of its domain, a ranking a launch, so that each kernel and size has the same share.  Prints processor time (of all
processes, what they start included) by configuration, and what 300,000 configurations take on two cores by it.

usage: rank_examples.py FOREWARP [--model MODEL] [--shapes N]"""
import argparse
import itertools
import json
import os
import re
import resource
import subprocess
import sys
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
GOAL = 300_000


def parameters(launch):
    """Names of a kernel's parameters, in their order."""
    with open(os.path.join(ROOT, "kernels", launch["file"])) as file:
        listed = re.search(r"\b" + launch["kernel"] + r"\(([^)]*)\)", file.read()).group(1)
    return [part.split()[-1].lstrip("*") for part in listed.split(",")]


def shapes(axes, most):
    """Block shapes of 32 to 1,024 threads with as many axes, powers of two, spread evenly over all of these."""
    sides = [1 << power for power in range(11)]
    every = [shape + (1,) * (3 - axes) for shape in itertools.product(sides, repeat=axes)
             if 32 <= shape[0] * (shape[1] if axes > 1 else 1) * (shape[2] if axes > 2 else 1) <= 1024 and
             (axes < 3 or shape[2] <= 64)]
    step = max(1, len(every) / most)
    return ["x".join(map(str, every[int(i * step)])) for i in range(min(most, len(every)))]


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("forewarp")
    parser.add_argument("--model", default="traffic")
    parser.add_argument("--shapes", type=int, default=12)
    options = parser.parse_args()
    with open(os.path.join(ROOT, "kernels/launches.json")) as file:
        launches = json.load(file)
    rows, count, failed = [], 0, 0
    began, used = time.monotonic(), processor()
    for launch in launches:
        domain = [grid * block for grid, block in zip(launch["grid"], launch["block"])]
        axes = 3 if domain[2] > 1 else 2 if domain[1] > 1 else 1
        blocks = shapes(axes, options.shapes)
        command = [options.forewarp, "rank", os.path.join(ROOT, "tests/golden/kernels", launch["file"].replace(".cu", ".ptx")),
                   "-k", launch["kernel"], "-d", "h200", "--json", "--domain", ",".join(map(str, domain[:axes])), "--vary",
                   "block=" + ",".join(blocks)] + ([] if options.model == "default" else ["-m", options.model])
        command += ["--shared", str(launch["shared"])] if launch["shared"] else []
        order = parameters(launch)
        for name, value in launch["arguments"].items():
            command += ["-s", f"{order.index(name)}={value}"]
        before = processor()
        answer = subprocess.run(command, capture_output=True, text=True)
        if answer.returncode not in (0, 2) or not answer.stdout:
            sys.exit(f"{' '.join(command)}: {answer.stderr}")
        top = json.loads(answer.stdout)
        found = top["configurations"]
        count += len(found)
        failed += len(top["failed"])
        rows.append(((processor() - before) / max(1, len(found)), launch["kernel"], launch["size"]))
    used, wall = processor() - used, time.monotonic() - began
    each = used / count
    rows.sort(reverse=True)
    print(f"{len(rows)} launches of {len({row[1] for row in rows})} kernels, {count} configurations, {failed} more without a prediction")
    print(f"model {options.model}: {used:.1f} s of a processor ({wall:.1f} s passed), {1e3 * each:.2f} ms a configuration")
    print(f"by launch, ms a configuration: median {1e3 * rows[len(rows) // 2][0]:.2f}; most: " +
          ", ".join(f"{kernel} {size} {1e3 * seconds:.1f}" for seconds, kernel, size in rows[:5]))
    print(f"{GOAL} configurations: {GOAL * each / 60:.1f} minutes of a processor, {GOAL * each / 120:.1f} minutes on two")


if __name__ == "__main__":
    main()
