#!/usr/bin/env python3
"""Searches by halves: how often they go round, and what of the places where they look the caches hold.

usage: halves.py FOREWARP ROOT

A search among n ends at one of n + 1 places, each as probable: log2(n + 1) steps.  The first steps of all threads are at few
places: a warp asks for few sectors, and L1 has them."""
import json
import math
import os
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
faults = []


def ask(kernel, length, count):
    command = [FOREWARP, 'predict', '--json', '-m', 'traffic', ROOT + '/tests/cli/halves.ptx', '-d', 'h200', '-k', kernel, '-g', '4096', '-b', '256',
               '--shared', '4096', '-s', f'{count - 2}=1048576', '-s', f'{count - 1}={length}']
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
    if done.returncode:
        sys.exit(done.stderr)
    answer = json.loads(done.stdout)
    return answer, [u['value'] for u in answer['unknowns'] if u['kind'] == 'trips']


for kernel, count in (('between', 5), ('span', 5), ('remaining', 5), ('early', 5)):
    for length in (255, 1 << 9) if kernel == 'remaining' else (1000, 1 << 20):
        answer, trips = ask(kernel, length, count)
        if not any(abs(t - math.log2(length + 1)) < 0.01 for t in trips):
            faults.append(f'{kernel} of {length}: {trips}')
answer, trips = ask('halved', 1 << 20, 4)
if any(abs(t - 20) < 0.1 for t in trips):
    faults.append(f'halved is no search: {trips}')

# A recording of 4 M searches among 1 M on an H200 (data/h200/kernels.jsonl): 24.4 sectors a request, of which 54 % miss in L1.
answer, trips = ask('between', 1 << 20, 5)
[moved] = [t['amount'] for t in answer['predictions'][0]['terms'] if t['name'] == 'l2']
each = (moved / 32 - (1 << 20) / 4) / ((1 << 20) / 32 * 20)
if not 0.45 * 24.4 < each < 0.65 * 24.4:
    faults.append(f'sectors of a request that miss in L1: {each:.1f}')

for fault in faults:
    print(fault)
sys.exit(bool(faults))
