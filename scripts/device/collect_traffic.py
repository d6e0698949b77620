#!/usr/bin/env python3
"""Joins what record-traffic left in a folder into one row of JSON a configuration.

usage: collect_traffic.py FOLDER > data/h200/traffic/measured.jsonl
"""
import csv
import json
import os
import sys


def counters(path):
    """Nsight Compute's rows in launch order, numbers in base units."""
    text = [line for line in open(path, newline="") if line.startswith('"')]
    rows = list(csv.DictReader(text))
    units, rows = rows[0], rows[1:]
    scales = {"byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9, "ns": 1e-9, "nsecond": 1e-9, "us": 1e-6,
              "usecond": 1e-6, "ms": 1e-3, "msecond": 1e-3, "s": 1, "second": 1}
    for row in rows:
        out = {}
        for name, value in row.items():
            if not name or "__" not in name or value in ("", None):
                continue
            unit = units[name] or ""
            if unit.strip() and unit not in scales and unit not in ("sector", "inst"):
                scale = 1
            else:
                scale = scales.get(unit, 1)
            number = float(value.replace(",", "")) * scale
            out[name] = int(number) if number == int(number) and scale >= 1 else number
        yield row["Kernel Name"], out


def main():
    folder = sys.argv[1]
    times = [json.loads(line) for line in open(os.path.join(folder, "times.jsonl"))]
    order = [json.loads(line) for line in open(os.path.join(folder, "order.jsonl"))]
    counted = list(counters(os.path.join(folder, "counters.csv")))
    if not len(times) >= len(order) == len(counted):
        print(f"{len(times)} timed, {len(order)} launched, {len(counted)} counted", file=sys.stderr)
    for timed, launched, (kernel, values) in zip(times, order, counted):
        same = all(timed[k] == launched[k] for k in ("kernel", "block", "grid", "size"))
        if not same or not kernel.startswith(timed["kernel"]):
            sys.exit(f"rows do not belong together: {timed['kernel']}, {launched['kernel']}, {kernel}")
        print(json.dumps({**timed, "counters": dict(sorted(values.items()))}))


main()
