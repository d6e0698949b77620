#!/usr/bin/env python3
"""The shared memory that the driver carved out of L1, as data/h200/carveout has it.

usage: data/h200/carveout/carve_outs.py PROFILED.csv... > data/h200/carveout/configurations.txt
PROFILED.csv: what ncu --csv --page raw prints with the metrics of record-isolated.  Prints a line a launch that
differs from those before: the kernel, threads of a block, blocks, registers of a thread, static and dynamic shared
memory of a block (bytes), the carve-out (bytes), and how many blocks warps, registers, shared memory and the device
allow."""
import csv
import sys

COLUMNS = ["registers_per_thread", "shared_mem_per_block_static", "shared_mem_per_block_dynamic",
           "shared_mem_config_size", "occupancy_limit_warps", "occupancy_limit_registers",
           "occupancy_limit_shared_mem", "occupancy_limit_blocks"]
UNITS = {"": 1, "byte": 1, "byte/block": 1, "register/thread": 1, "block": 1, "Kbyte": 1000, "Kbyte/block": 1000}


def product(text):
    """Of "(256, 1, 1)"."""
    x, y, z = (int(word) for word in text.strip("()").split(","))
    return x * y * z


def launches(path):
    with open(path) as file:
        rows = list(csv.reader(line for line in file if not line.startswith("==")))
    at = {name: column for column, name in enumerate(rows[0])}
    units = rows[1]
    for row in rows[2:]:
        kernel = row[at["Kernel Name"]].split("(")[0].split("<")[0]
        values = [float(row[at["launch__" + name]].replace(",", "")) * UNITS[units[at["launch__" + name]]]
                  for name in COLUMNS]
        yield [kernel, product(row[at["Block Size"]]), product(row[at["Grid Size"]])] + [round(v) for v in values]


seen = []
print("# kernel threads blocks registers static dynamic carve_out limit_warps limit_registers limit_shared limit_blocks")
for name in sys.argv[1:]:
    for launch in launches(name):
        if launch not in seen:
            seen.append(launch)
            print(*launch)
