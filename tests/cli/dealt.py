#!/usr/bin/env python3
"""Blocks that differ: the model trace simulates those that the busiest multiprocessor is dealt.

usage: dealt.py FOREWARP ROOT

Launches on 132 multiprocessors, each of which gets about every 132nd block (data/h200/blocks)."""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]


def seconds(file, kernel, grid, block, *values):
    command = [FOREWARP, 'predict', '-m', 'trace', f'{ROOT}/{file}', '-k', kernel, '-d', 'h200', '-g', str(grid), '-b', str(block),
               '--json']
    for value in values:
        command += ['-s', value]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)['predictions'][0]['seconds']


def some(grid, last, n=4000):
    return seconds('tests/cli/dealt.ptx', 'some', grid, 1024, f'1={last}', f'2={n}')


def covariances(grid):
    return seconds('data/h200/programs/linear_algebra.ptx', 'covariances', grid, 256, '2=320', '3=256')


failed = 0


def expect(what, value, low, high):
    global failed
    good = low <= value <= high
    failed += not good
    print(f"{'passed' if good else 'failed'}: {what}: {value:.3f}, expected {low} to {high}")


one = some(1, 1)
expect('blocks 0 and 132 are on one multiprocessor', some(133, 132) / one, 1.7, 2.1)
expect('blocks 0 and 133 are on two', some(134, 133) / one, 0.95, 1.05)
expect('so are blocks 0 and 66', some(133, 66) / some(133, 132), 0.95, 1.05)  # 66 to 132: block 132 beside block 0
# One block beside which others end at once: also where the simulation does not go to its end.
expect('blocks that end at once', covariances(60) / covariances(1), 0.9, 1.1)
sys.exit(failed > 0)
