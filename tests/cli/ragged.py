#!/usr/bin/env python3
"""Loops whose trips differ between threads or blocks: volumes against distinct sectors that are counted.

usage: ragged.py FOREWARP ROOT

Each kernel of ragged.ptx reads every element that it touches once, so that its elements, in whole sectors, are
what it reads of device memory where they are more than L2 holds, and no less than what L1 asks L2 for."""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
SECTOR, FLOAT = 32, 4


def in_columns(n):
    """Sectors of row j up to column j, over all rows"""
    return sum((j * n + j) * FLOAT // SECTOR - j * n * FLOAT // SECTOR + 1 for j in range(n))


def in_rows(n):
    """The same: row i up to column i"""
    return in_columns(n)


def in_stride(n):
    return -(-n * FLOAT // SECTOR)


def in_vectors(n):
    return 4 * n * 4 * FLOAT // SECTOR


# kernel, grid, block, n, counted, whether it is more than L2 holds, how far volumes may be apart
LAUNCHES = [('columns', 24, 256, 6000, in_columns, True, 0.05),
            ('columns', 94, 64, 6000, in_columns, True, 0.05),
            ('columns', 8, 128, 1024, in_columns, False, 0.05),
            ('rows', 24, 256, 6000, in_rows, True, 0.05),
            ('rows', 94, 64, 6000, in_rows, True, 0.05),
            ('stride', 4224, 512, 56799289, in_stride, True, 0.03),
            ('vectors', 2112, 128, 5514854, in_vectors, True, 0.03)]


def main():
    failed = 0
    for kernel, grid, block, n, counted, large, most in LAUNCHES:
        command = [FOREWARP, 'traffic', ROOT + '/tests/cli/ragged.ptx', '-d', 'h200', '-k', kernel, '-g', str(grid),
                   '-b', str(block), '-s', f'{5 if kernel == "vectors" else 2}={n}', '--json']
        answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        expected = counted(n) * SECTOR
        for volume in ['once_read_bytes'] + (['dram_read_bytes'] if large else []):
            if abs(answer[volume] - expected) > most * expected:
                failed += 1
                print(f'{kernel} n {n} block {block}: {volume} is {answer[volume]:.6g}, and {expected:.6g} are counted')
    print(f'{len(LAUNCHES)} launches, {failed} volumes differ')
    return failed > 0


sys.exit(main())
