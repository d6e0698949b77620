#!/usr/bin/env python3
"""Places that are rounded from numbers in floating point and checked against bounds lie within them more often than not; that
adding to the greatest integer changes its sign is no test of a number's bits.

usage: places.py FOREWARP ROOT"""
import json
import os
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
BLOCKS, THREADS = 1000, 128
faults = 0


def check(what, good, shown):
    global faults
    faults += not good
    if not good:
        print('FAILED:', what, shown)


def ask(kernel, *stated):
    done = subprocess.run([FOREWARP, 'count', ROOT + '/tests/cli/places.ptx', '-k', kernel, '-g', str(BLOCKS), '-b', str(THREADS), '--json',
                           *(word for one in stated for word in ('-s', one))], capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def main():
    answer = ask('sampled', '3=1920', '4=1080')
    loads = sum(row['count'] for row in answer['memory'] if row['direction'] == 'load' and row['space'] == 'global') / BLOCKS / THREADS - 1
    check('sampled: most of four neighbours are loaded', 2 < loads < 4, loads)
    check('sampled: the reason is said', any('within its bounds' in u['meaning'] or 'negative' in u['meaning'] for u in answer['unknowns']), answer['unknowns'])
    answer = ask('logarithms')
    check('logarithms: of positive numbers', all(u['value'] in (0, 1) for u in answer['unknowns']), answer['unknowns'])
    print(f'{faults} failed')
    return faults > 0


sys.exit(main())
