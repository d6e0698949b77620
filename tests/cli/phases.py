#!/usr/bin/env python3
"""An index that goes round reads the places that it goes over, not those that its usual step would lead to.

usage: phases.py FOREWARP ROOT

phases.ptx: the thread i reads the row `i * m % n` of a table, and the places from `i * m / n` on of another array.  No digit
of i stands for the row.  What is read at all is both arrays, and the table is small."""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
COUNT, LENGTH = 2097152, 32


def read_at_all(n, m):
    command = [FOREWARP, 'traffic', ROOT + '/tests/cli/phases.ptx', '-d', 'h200', '-g', str(COUNT // 256), '-b', '256', '--json']
    for position, value in {3: COUNT, 4: n, 5: m, 6: LENGTH}.items():
        command += ['-s', f'{position}={value}']
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)['once_read_bytes']


def main():
    faults = []
    for n, m in ((147, 160), (160, 147), (1009, 160), (97, 13)):
        expected, got = 4 * (COUNT * m / n + LENGTH) + 4 * n * LENGTH, read_at_all(n, m)
        if abs(got / expected - 1) > 0.3:
            faults.append(f'n = {n}, m = {m}: {got:.4g} bytes are read, and both arrays have {expected:.4g}')
    print('\n'.join(faults) or 'phases go round')
    return len(faults) > 0


sys.exit(main())
