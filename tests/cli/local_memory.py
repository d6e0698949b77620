#!/usr/bin/env python3
"""What L2 and device memory move for stack arrays and spilled registers, beside the counters of an H100 and an H200.

usage: local_memory.py FOREWARP ROOT

Asks for the launches of data/h100/local and data/h200/local whose kernels are in local.ptx, by the estimate of
registers, and compares with what was counted: what is stored to L2, and what L2 writes to device memory, where the launch wrote
16 MB or more."""
import json
import re
import statistics
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
PTX = ROOT + '/data/h100/local/local.ptx'


# The largest errors.  Where an H200 writes 6 % of what is stored to L2, 45 MB, it is predicted to write 67 MB.
MOST = {'h100': 0.3, 'h200': 0.5}


def compare(device, names):
    """Whether volumes are off by too much, or too few launches were asked for"""
    stored, written = [], []
    for line in open(f'{ROOT}/data/{device}/local/measured.jsonl'):
        row = json.loads(line)
        name = names.get((row['kernel'], row['words'], row['resident'] if row['kernel'] == 'bounded' else 0))
        if not name or (row['kernel'] != 'bounded' and row['resident'] != 16):
            continue  # others leave shared memory unused
        answer = json.loads(subprocess.run(
            [FOREWARP, 'traffic', PTX, '-k', name, '-d', device, '-g', str(row['blocks']), '-b', '128',
             '-s', f"2={row['n']}", '-s', f"3={row['turns']}", '--json'], check=True, capture_output=True, text=True).stdout)
        stored.append((abs(answer['l1_to_l2_bytes'] / row['l2_write'] - 1), name, row))
        if row['dram_write'] >= 1 << 24:
            written.append((abs(answer['dram_write_bytes'] / row['dram_write'] - 1), name, row))
    failed = len(stored) < 20
    for what, errors, median, most in ('stored to L2', stored, 0.02, 0.05), ('written to device memory', written, 0.1, MOST[device]):
        middle, worst = statistics.median(e for e, *_ in errors), max(errors, key=lambda e: e[0])
        print(f'{device}, {what}: {len(errors)} launches, {100 * middle:.1f} % in the median, {100 * worst[0]:.1f} % at most: {worst[1]} '
              f"of {worst[2]['blocks']} blocks")
        failed |= middle > median or worst[0] > most
    return failed


def main():
    names = {}
    for name in re.findall(r'\.entry (\S+?)\(', open(PTX).read()):
        kernel, words, resident = re.match(r'_Z\d+([a-z]+)ILi(\d+)E(?:Li(\d+)E)?', name).groups()
        names[kernel, int(words), int(resident or 0)] = name
    return any([compare(device, names) for device in ('h100', 'h200')])


sys.exit(main())
