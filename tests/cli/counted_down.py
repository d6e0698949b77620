#!/usr/bin/env python3
"""Ranges with a step, as Numba writes them: a counter of what is left, which stops at zero, and an index that is zero
from there on.  What is counted is what the emulator executes, and addresses lean on nothing.

usage: counted_down.py FOREWARP ROOT

counted_down.ptx is of Numba (numba-cuda 0.30.4, NVVM of CUDA 13.0), entries renamed:

    def strided(x, y):
        for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
            y[i] = math.sqrt(x[i])

    def guarded(x, y, first):
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            if i >= first:
                total = 0.0
                for k in range(first):
                    total += x[i - k]
                y[i] = total

    def every_third(x, y, step):
        row = cuda.grid(1)
        total = float32(0)
        for c in range(cuda.threadIdx.x % 5, x.shape[1], step):
            total += x[row, c]
        y[row] = total
"""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
PTX = ROOT + '/tests/cli/counted_down.ptx'
TYPES = {'strided': ('f64', 8), 'guarded': ('f64', 8), 'every_third': ('f32', 4)}


def arrays(kernel, *shapes):
    """Arguments and contents of arrays: owner, parent, elements, bytes of one, pointer, lengths, strides."""
    kind, item = TYPES[kernel]
    values, contents = [], {}
    for shape in shapes:
        count = 1
        for length in shape:
            count *= length
        strides, step = [], item
        for length in reversed(shape):
            strides.insert(0, step)
            step *= length
        contents[len(values) + 4] = f'{kind}[{count}]:random'
        values += [0, 0, count, item, None, *shape, *strides]
    return values, contents


def ask(what, kernel, grid, block, values, contents, *more):
    command = [FOREWARP, what, PTX, '-k', kernel, '-g', str(grid), '-b', str(block), '--json', *more]
    for position, value in enumerate(values):
        command += ['-s', f'{position}={value}'] if value is not None else []
    if what == 'emulate':
        command += [f'--arg={position}={content}' for position, content in contents.items()]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def totals(answer):
    """Operations by name and type, and bytes by space and direction."""
    found = {}
    for row in answer['operations']:
        key = row['operation'], row['type']
        found[key] = found.get(key, 0) + (row['count'] or 0)
    for row in answer['memory']:
        if row['space'] == 'global':
            found[row['direction']] = found.get(row['direction'], 0) + row['bytes'] * row['count']
    return {key: count for key, count in found.items() if count}


def main():
    failed = 0
    launches = [('strided', grid, 64, arrays('strided', (n,), (n,))) for grid in (1, 3) for n in (5, 64, 192, 193, 777, 1536, 6001)]
    launches += [('guarded', 2, 96, with_first(n, first)) for n in (100, 1000, 4001) for first in (1, 3, 8, 21)]
    launches += [('every_third', 2, 32, with_step(columns, step)) for columns in (3, 40, 61) for step in (1, 3, 16)]
    for kernel, grid, block, (values, contents) in launches:
        counted, executed = (ask(what, kernel, grid, block, values, contents) for what in ('count', 'emulate'))
        expected, got = totals(executed), totals(counted)
        wrong = {key: (got.get(key), expected.get(key)) for key in got.keys() | expected.keys() if got.get(key) != expected.get(key)}
        leans = [unknown['name'] for unknown in counted['unknowns']]
        if wrong or leans:
            failed += 1
            print(f'{kernel} {values}: {wrong} {leans}')
    values, contents = arrays('strided', (20000000,), (20000000,))
    moved = ask('traffic', 'strided', 264, 256, values, contents, '-d', 'h200')
    if abs(moved['l2_to_l1_bytes'] / 160e6 - 1) > 0.001 or moved['unknowns']:
        failed += 1
        print(f"strided: {moved['l2_to_l1_bytes']} bytes, {moved['unknowns']}")
    print(f'{len(launches)} launches, {failed} differ')
    return failed > 0


def with_first(n, first):
    values, contents = arrays('guarded', (n,), (n,))
    return values + [first], contents


def with_step(columns, step):
    values, contents = arrays('every_third', (64, columns), (64,))
    return values + [step], contents


sys.exit(main())
