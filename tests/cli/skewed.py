#!/usr/bin/env python3
"""Segments of device memory whose neighbours are stored far later, or loaded: tiles that are transposed, against an
H200 (data/h200/skewed).

usage: skewed.py FOREWARP ROOT"""
import json
import math
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
FOLDER = ROOT + '/data/h200/skewed/'
off = {}
for line in open(FOLDER + 'times.jsonl'):
    r = json.loads(line)
    if r['grid'][0] not in (64, 256) or not r['kernel'].startswith('turn'):
        continue
    answer = json.loads(subprocess.run([FOREWARP, 'predict', FOLDER + 'skewed.ptx', '-k', r['kernel'], '-d', 'h200', '-m', 'traffic',
                                        '-g', ','.join(map(str, r['grid'])), '-b', ','.join(map(str, r['block'])),
                                        '-s', f'2={r["nx"]}', '-s', f'3={r["ny"]}', '--json'], capture_output=True, text=True, check=True).stdout)
    off.setdefault(r['kernel'], []).append(math.log(answer['predictions'][0]['seconds'] / r['seconds']))
for kernel, those in off.items():
    print(kernel, [round(math.exp(x), 3) for x in those])
    assert all(abs(x) < 0.08 for x in those), kernel  # up to 0.23 with an overhead of 190 bytes
assert len(off) == 8
