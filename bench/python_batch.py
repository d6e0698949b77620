#!/usr/bin/env python3
"""Predicting 10,000 launches in one call from Python beside C, and the time of `import forewarp`: medians, and the ratio.

usage: python_batch.py BENCH_BATCH SOURCE [ROUNDS]    (by a Python that has forewarp, from its wheel, and NumPy)

BENCH_BATCH is bench/bench-batch of a release build: the same launches one by one, and in one call.  Both take turns."""
import statistics
import subprocess
import sys
import time

import numpy

import forewarp

program, source = sys.argv[1:3]
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 7
count = numpy.arange(10000)
grids = 64 + count % 997
lengths = 256 * grids - count % 13
kernel = forewarp.read(source + "/tests/golden/kernels/saxpy.ptx").kernel()


def python():
    begin = time.process_time()
    table = kernel.predict_many("h200", grid=grids, block=256, arguments={3: lengths, 2: 1.0})
    return time.process_time() - begin, float(table["seconds"].sum())


python()  # to warm up
one_by_one, in_one_call, from_python = [], [], []
for _ in range(rounds):
    single, batch, total = subprocess.run([program, source, "1"], capture_output=True, text=True, check=True).stdout.split()[:3]
    seconds, own = python()
    one_by_one.append(float(single))
    in_one_call.append(float(batch))
    from_python.append(seconds)
    if abs(own / float(total) - 1) > 1e-9:
        sys.exit(f"not the same: {own} and {total} seconds in all")
imports = []
for _ in range(rounds):
    code = ("import time; wall, own = time.perf_counter(), time.process_time(); import forewarp; "
            "print(time.perf_counter() - wall, time.process_time() - own)")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imports.append([float(one) for one in run.stdout.split()])
middle = [statistics.median(one) for one in (one_by_one, in_one_call, from_python)]
print(f"10,000 launches, processor time: C one by one {1e3 * middle[0]:.0f} ms, C in one call {1e3 * middle[1]:.0f} ms, "
      f"Python {1e3 * middle[2]:.0f} ms: {100 * middle[0] / middle[2]:.0f} % of the speed of C")
wall, own = (1e3 * statistics.median(one) for one in zip(*imports))
print(f"import forewarp: {wall:.0f} ms, of which {own:.0f} ms on a processor (required: under 100 ms)")
