#!/usr/bin/env python3
"""How long `predict` takes as a whole process, from PTX and with everything, files of models included: every launch of
kernels/launches.json, the better of two runs, one after the other.  Prints quantiles of all and of sources of fewer than
LINES lines, and the slowest.

usage: predict_examples.py FOREWARP [--lines LINES]"""
import argparse
import json
import os
import statistics
import subprocess
import time

import rank_examples

GOAL = 0.03  # seconds
RUNS = 2


def command_of(forewarp, launch):
    order = rank_examples.parameters(launch)
    command = [forewarp, "predict", os.path.join(rank_examples.ROOT, "tests/golden/kernels", launch["file"].replace(".cu", ".ptx")), "-k",
               launch["kernel"], "-d", "h200", "-g", ",".join(map(str, launch["grid"])), "-b", ",".join(map(str, launch["block"]))]
    command += ["--shared", str(launch["shared"])] if launch["shared"] else []
    for name, value in launch["arguments"].items():
        command += ["-s", f"{order.index(name)}={value}"]
    return command


def seconds_of(command):
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("forewarp")
    parser.add_argument("--lines", type=int, default=60)
    options = parser.parse_args()
    rows = []
    with open(os.path.join(rank_examples.ROOT, "kernels/launches.json")) as file:
        launches = json.load(file)
    for launch in launches:
        with open(os.path.join(rank_examples.ROOT, "kernels", launch["file"])) as source:
            lines = len(source.read().splitlines())
        command = command_of(options.forewarp, launch)
        rows.append((min(seconds_of(command) for _ in range(RUNS)), lines, launch["kernel"], launch["size"]))
    rows.sort(reverse=True)
    for title, some in (("all", rows), (f"fewer than {options.lines} lines", [row for row in rows if row[1] < options.lines])):
        times = [row[0] for row in some]
        quarters = statistics.quantiles(times, n=20)
        print(f"{title}: {len(some)} launches, median {1e3 * statistics.median(times):.1f} ms, 75th percentile {1e3 * quarters[14]:.1f}, "
              f"90th {1e3 * quarters[17]:.1f}, most {1e3 * times[0]:.0f}; {sum(time <= GOAL for time in times)} within {1e3 * GOAL:.0f} ms")
    for seconds, lines, kernel, size in rows[:10]:
        print(f"  {1e3 * seconds:.0f} ms  {kernel} {size}, {lines} lines")


main()
