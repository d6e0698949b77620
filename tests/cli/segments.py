#!/usr/bin/env python3
"""Lanes whose number is compared with that of a lane near by have entries of rows: of 16 entries a row, one is the last, and 12 of
them are four or more places behind the first.

usage: segments.py FOREWARP ROOT"""
import json
import os
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
THREADS = 128000


def atomics_of(kernel):
    """Atomic operations a thread."""
    done = subprocess.run([FOREWARP, 'count', ROOT + '/tests/cli/segments.ptx', '-k', kernel, '-g', '1000', '-b', '128', '--json'],
                          capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
    if done.returncode:
        sys.exit(done.stderr)
    return sum(row['count'] for row in json.loads(done.stdout)['memory'] if row['direction'] in ('atomic', 'reduction')) / THREADS


def main():
    faults = 0
    for kernel, share in (('last_of_run', 1 / 16), ('inside_run', 12 / 16), ('others', 0.5)):
        found = atomics_of(kernel)
        if abs(found - share) > 1e-3:
            faults += 1
            print('FAILED:', kernel, found, share)
    print(f'{faults} failed')
    return faults > 0


sys.exit(main())
