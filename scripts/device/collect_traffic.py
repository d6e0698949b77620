#!/usr/bin/env python3
"""Joins what record-traffic left in a folder into one row of JSON a configuration.

usage: collect_traffic.py FOLDER > data/h200/traffic/measured.jsonl
"""
import csv
import json
import os
import sys


SCALES = {"byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9, "ns": 1e-9, "nsecond": 1e-9, "us": 1e-6,
          "usecond": 1e-6, "ms": 1e-3, "msecond": 1e-3, "s": 1, "second": 1}


KEPT = (".sum", "sm__cycles_elapsed.max", "sm__warps_active.avg.pct_of_peak_sustained_active")


def counters(path):
    """Nsight Compute's rows in launch order, numbers in base units; several tables may follow each other."""
    head = units = None
    for values in csv.reader(line for line in open(path, newline="") if line.startswith('"')):
        if values[0] == "ID":
            head, units = values, None
        elif units is None:
            units = values
        else:
            row = {}
            for name, unit, value in zip(head, units, values):
                if name.endswith(KEPT) and "__" in name and value:
                    number = float(value.replace(",", "")) * SCALES.get(unit.strip(), 1)
                    row[name] = int(number) if number == int(number) else float(f"{number:.9g}")
            yield values[head.index("Kernel Name")], row


def key(row):
    return json.dumps([row[k] for k in ("kernel", "block", "grid", "size", "shared")])


def main():
    folder = sys.argv[1]
    times = {}
    for line in open(os.path.join(folder, "times.jsonl")):
        row = json.loads(line)
        times[key(row)] = row
    order = [json.loads(line) for line in open(os.path.join(folder, "order.jsonl"))]
    counted = list(counters(os.path.join(folder, "counters.csv")))
    if len(order) != len(counted):
        sys.exit(f"{len(order)} launched, {len(counted)} counted")
    for launched, (kernel, values) in zip(order, counted):
        if not kernel.startswith(launched["kernel"]):
            sys.exit(f"rows do not belong together: {launched['kernel']}, {kernel}")
        print(json.dumps({**launched, **times.get(key(launched), {}), "counters": dict(sorted(values.items()))}))


main()
