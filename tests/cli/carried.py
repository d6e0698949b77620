#!/usr/bin/env python3
"""Places that a loop carries are bounded where each way around the loop bounds them, also where the loop's own condition compares
them: a walk ended by its own place, two ends that meet, the slot that leaves a search by hash.  A mask that is an argument
bounds what a constant bounds already.  A limit on a place that warps go through an array by leaves it as it is; each warp goes
through its own row, also where a loop outside goes on to the next.

usage: carried.py FOREWARP ROOT"""
import json
import os
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
COUNT, ROWS = 1 << 20, 1 << 20
faults = 0


def check(what, good, shown):
    global faults
    faults += not good
    if not good:
        print('FAILED:', what, shown)


def ask(kernel, blocks, *numbers):
    stated = [word for place, number in numbers for word in ('-s', f'{place}={number}')]
    done = subprocess.run([FOREWARP, 'traffic', ROOT + '/tests/cli/carried.ptx', '-d', 'h200', '-k', kernel, '-g', str(blocks), '-b', '256', '--json',
                           *stated], capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def within(kernel, rows, most, least, *numbers):
    """An array of so many bytes, which L2 holds, is all that the random accesses reach; one that it does not hold is missed."""
    few, many = (ask(kernel, COUNT // 256, *numbers, rows(times))['dram_read_bytes'] for times in (1, 256))
    check(f'{kernel}: a small array stays in L2', few < most, few)
    check(f'{kernel}: a large one does not', many > least, (few, many))


def main():
    streamed = 17 * 4 * COUNT  # keys and results
    within('walk', lambda times: (4, times * ROWS), 1.3 * streamed, 2 * streamed, (3, COUNT))
    within('two_ends', lambda times: (4, times * 32 * ROWS // 8), 1.3 * streamed, 2 * streamed, (3, COUNT))
    within('probe', lambda times: (4, times * ROWS - 1), 8 * COUNT, 64 * COUNT, (3, COUNT))
    within('narrow', lambda times: (3, times * (ROWS // 4) - 1), 8 * COUNT, 24 * COUNT, (2, COUNT))
    free, limited = (ask(kernel, 64, (2, 512), (3, 1500), (4, 40000)) for kernel in ('decode_free', 'decode_limited'))
    for what in ('l2_to_l1_bytes', 'dram_read_bytes'):
        check(f'a limited cursor: {what}', abs(limited[what] - free[what]) <= 0.01 * free[what], (free[what], limited[what]))
    drawn = 512 * 1500 * 16 * 2  # bytes of words: half of the lanes take one each time
    for kernel, blocks in (('decode_free', 64), ('decode_rows', 16)):
        answer = ask(kernel, blocks, (2, 512), (3, 1500), (4, 40000))
        check(f'{kernel}: each stream is read once', 0.8 < answer['l2_to_l1_bytes'] / drawn < 1.5, answer['l2_to_l1_bytes'])
        check(f'{kernel}: lanes share sectors', answer['global_load_sectors'] < 3 * 512 * 1500, answer['global_load_sectors'])
    return 1 if faults else 0


sys.exit(main())
