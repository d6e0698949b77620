#!/usr/bin/env python3
"""Digits of an index, and axes, that lead far apart read device memory piece by piece, at the rate of lone pieces; what
comes back to a line when no thread of the device does is not beside it.  Digits that come back while L2 has the line
read it once.

usage: far_digits.py FOREWARP ROOT"""
import json
import os
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
A, B, C = 2048, 256, 400  # bytes of a column: 400 MB of 64 for each 4, more than L2 holds


def ask(what, kernel, grid, *more):
    command = [FOREWARP, what, ROOT + '/tests/cli/far_digits.ptx', '-d', 'h200', '-k', kernel, '-g', grid, '-b', '256', '--json', *more,
               '-s', f'2={A}', '-s', f'3={B}', '-s', f'4={C}']
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT}).stdout)


def main():
    failed = 0
    rates = {}
    for kernel, grid in (('apart_1d', str(A * C)), ('apart_3d', f'1,{A},{C}'), ('beside_1d', str(A * C))):
        moved = ask('traffic', kernel, grid)
        seconds = ask('predict', kernel, grid, '-m', 'traffic')['predictions'][0]['seconds']
        rates[kernel] = (moved['dram_read_bytes'] + moved['dram_write_bytes']) / seconds / 1e12
        print(f"{kernel}: {moved['dram_read_bytes'] / 1e9:.2f} GB read, {rates[kernel]:.2f} TB/s")
        expected = 4 * A * B * C * (1 if kernel == 'beside_1d' else 16)
        failed += abs(moved['dram_read_bytes'] / expected - 1) > 0.05
    failed += abs(rates['apart_1d'] / rates['apart_3d'] - 1) > 0.1 or not 2.4 < rates['apart_1d'] < 2.8
    print(f'{failed} faults')
    return failed > 0


sys.exit(main())
