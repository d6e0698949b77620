#!/usr/bin/env python3
"""Loads that come to new sectors at the same iterations are waited for together.

usage: in_step.py FOREWARP ROOT

A loop that reads two arrays at one index waits for L2 as often as one that reads one of them, whether one warp
of a block reads them or two do."""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]


def seconds(kernel, block):
    command = [FOREWARP, 'predict', '-m', 'trace', ROOT + '/tests/cli/in_step.ptx', '-d', 'h200', '-k', kernel,
               '-g', '4', '-b', str(block), '-s', '3=16384', '--json']
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(answer)['predictions'][0]['seconds']


failed = False
for block in (32, 64):
    ratio = seconds('two', block) / seconds('one', block)
    if not 0.95 <= ratio <= 1.2:
        print(f'time of two arrays to that of one, {block} threads: {ratio:.3f}, and from 0.95 to 1.2 are expected')
        failed = True
sys.exit(failed)
