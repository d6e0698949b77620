#!/usr/bin/env python3
"""Digits of indices of 64 bits are what those of 32 bits are.

usage: wide_digits.py FOREWARP ROOT

Compilers ask before each quotient of 64 bits whether 32 bits do.  A launch decides that: nothing about it is unknown,
no model refuses the launch, and the bytes are those of the kernel with indices of 32 bits.  One grid is an exception, which
is not mended yet: of 256 blocks the loop over all elements is one index by 32 bits alone, and by 64 half as much again is
read."""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
PTX = ROOT + '/tests/golden/digits/wide_digits.ptx'
VOLUMES = ['l1_to_l2_bytes', 'l2_to_l1_bytes', 'dram_read_bytes', 'dram_write_bytes', 'once_read_bytes', 'once_written_bytes']


def ask(what, kernel, grid):
    command = [FOREWARP, *what, PTX, '-d', 'h200', '-k', kernel, '-g', str(grid), '-b', '256', '-s', '2=540', '-s', '3=960', '-s', '4=12',
               '-s', '5=24883200', '--json']
    answer = subprocess.run(command, capture_output=True, text=True)
    return json.loads(answer.stdout) if answer.returncode == 0 else answer.stderr


def main():
    failed = []
    for grid in (64, 256, 2112):
        for model in ('traffic', 'trace'):
            answer = ask(['predict', '-m', model], 'regroup_long', grid)
            if isinstance(answer, str):
                failed.append(f'{grid} blocks, {model}: {answer}')
            elif answer['unknowns']:
                failed.append(f"{grid} blocks, {model}: not known: {', '.join(u['name'] for u in answer['unknowns'])}")
        narrow, wide = (ask(['traffic'], kernel, grid) for kernel in ('regroup_int', 'regroup_long'))
        failed += [f'{grid} blocks, {volume}: {wide[volume]:.6g}, and {narrow[volume]:.6g} by 32 bits' for volume in VOLUMES
                   if not 0.99 * narrow[volume] <= wide[volume] <= (1.5 if grid == 256 else 1.01) * narrow[volume]]
    print('\n'.join(failed + [f'{len(failed)} failed']))
    return bool(failed)


sys.exit(main())
