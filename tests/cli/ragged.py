#!/usr/bin/env python3
"""Loops whose trips differ between threads or blocks, and blocks that a floor divides: volumes against distinct sectors
that are counted.

usage: ragged.py FOREWARP ROOT

Each kernel of ragged.ptx reads every element that it touches once, so that its elements, in whole sectors, are
what it reads of device memory where they are more than L2 holds.  L1 asks L2 for the sectors of each block."""
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


def by_block(n, block, size):
    """Sectors of row j from column j on, of each block of columns for itself"""
    return sum(sectors(j * n + max(j, first), j * n + min(first + block, n), size)
               for first in range(0, n, block) for j in range(min(first + block, n)))


def sectors(begin, end, size):
    return (end * size - 1) // SECTOR - begin * size // SECTOR + 1 if end > begin else 0


def in_eights(n):
    """Of the matrix in f64, the same triangle"""
    return by_block(n, n, 8)


# kernel, grid, block, n, counted, whether it is more than L2 holds, how far volumes may be apart
LAUNCHES = [('walk', 264, 128, 10000, in_stride, False, 0.01),   # fewer elements than threads
            ('walk', 264, 128, 42000, in_stride, False, 0.03),   # a quarter of the threads has a second one
            ('stride', 528, 256, 10000, in_stride, False, 0.01),
            ('eights', 16, 64, 1024, in_eights, False, 0.05),
            ('columns', 24, 256, 6000, in_columns, True, 0.05),
            ('columns', 94, 64, 6000, in_columns, True, 0.05),
            ('columns', 8, 128, 1024, in_columns, False, 0.05),
            ('rows', 24, 256, 6000, in_rows, True, 0.05),
            ('rows', 94, 64, 6000, in_rows, True, 0.05),
            ('stride', 4224, 512, 56799289, in_stride, True, 0.03),
            ('vectors', 2112, 128, 5514854, in_vectors, True, 0.03)]


def asked(forewarp_arguments):
    command = [FOREWARP, 'traffic', ROOT + '/tests/cli/ragged.ptx', '-d', 'h200', '--json'] + forewarp_arguments
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def widened(columns, rows, each):
    """Sectors of the matrix that each block of 32 x 8 threads reads, and how far the answer is from them."""
    counted = 0
    for y in range(0, rows * each, 8):
        for x in range(0, columns * each, 32):
            first, last = x // each, min((min(x + 32, columns * each) - 1) // each + 1, columns - 1)
            counted += sum(sectors(row * columns + first, row * columns + last + 1, FLOAT)
                           for row in range(y // each, (min(y + 8, rows * each) - 1) // each + 1))
    answer = asked(['-k', 'widened', '-g', f'{-(-columns * each // 32)},{-(-rows * each // 8)}', '-b', '32,8',
                    '-s', f'2={columns}', '-s', f'3={rows}', '-s', f'4={each}'])
    expected = {'l2_to_l1_bytes': counted * SECTOR, 'once_read_bytes': rows * columns * FLOAT}
    wrong = {volume: e for volume, e in expected.items() if abs(answer[volume] - e) > 0.05 * e}
    for volume, e in wrong.items():
        print(f'widened {columns} x {rows} by {each}: {volume} is {answer[volume]:.6g}, and {e:.6g} are counted')
    return len(wrong)


def beyond(n, size):
    """Sectors of n rows of 2 n columns, right of the line from corner to corner, that each block of size x size threads
    reads, each thread three in a row, and stores, and how far the answer is from them: most blocks are idle or whole."""
    read = stored = 0
    for first in range(0, n, size):
        for row in range(first, min(first + size, n)):
            begin, end = 2 * row, 2 * n
            for x in range(begin // size * size, end, size):
                at, last = row * end + max(x, begin), row * end + min(x + size, end)
                read += sectors(at, last + 2, FLOAT)
                stored += sectors(at, last, FLOAT)
    answer = asked(['-k', 'beyond', '-g', f'{-(-2 * n // size)},{-(-n // size)}', '-b', f'{size},{size}', '-s', f'2={n}'])
    expected = {'l2_to_l1_bytes': read * SECTOR, 'l1_to_l2_bytes': stored * SECTOR}
    wrong = {volume: e for volume, e in expected.items() if abs(answer[volume] - e) > 0.05 * e}
    for volume, e in wrong.items():
        print(f'beyond {n}: {volume} is {answer[volume]:.6g}, and {e:.6g} are counted')
    return len(wrong)


def angles(n, trips, size):
    """Sectors that each block of threads reads of a matrix of n columns, each thread a part of its row and, from its end
    down, a part of a column, and how far the answer is from them."""
    blocks = (n - trips - 1) // size
    each = 0
    for block in range(blocks):
        own = set()
        for i in range(block * size, (block + 1) * size):
            own.update(range((i * n + i) * FLOAT // SECTOR, (i * n + i + trips - 1) * FLOAT // SECTOR + 1))
            own.update(((k + 1) * n + i + trips) * FLOAT // SECTOR for k in range(i, i + trips))
        each += len(own)
    answer = asked(['-k', 'angles', '-g', str(blocks), '-b', str(size), '-s', f'2={n}', '-s', f'3={trips}'])
    if abs(answer['l2_to_l1_bytes'] - each * SECTOR) <= 0.05 * each * SECTOR:
        return 0
    print(f'angles {n} {trips}: l2_to_l1_bytes is {answer["l2_to_l1_bytes"]:.6g}, and {each * SECTOR:.6g} are counted')
    return 1


def main():
    failed = widened(1000, 900, 3) + widened(640, 480, 5) + beyond(1200, 16) + beyond(400, 8) + angles(1500, 400, 64)
    for kernel, grid, block, n, counted, large, most in LAUNCHES:
        answer = asked(['-k', kernel, '-g', str(grid), '-b', str(block), '-s', f'{5 if kernel == "vectors" else 2}={n}'])
        expected = counted(n) * SECTOR
        volumes = {'once_read_bytes': expected}
        if large:
            volumes['dram_read_bytes'] = expected
        volumes['l2_to_l1_bytes'] = expected
        if kernel in ('columns', 'eights'):
            volumes['l2_to_l1_bytes'] = by_block(n, block, FLOAT if kernel == 'columns' else 2 * FLOAT) * SECTOR
        for volume, expected in volumes.items():
            if abs(answer[volume] - expected) > most * expected:
                failed += 1
                print(f'{kernel} n {n} block {block}: {volume} is {answer[volume]:.6g}, and {expected:.6g} are counted')
    print(f'{len(LAUNCHES) + 5} launches, {failed} volumes differ')
    return failed > 0


sys.exit(main())
