#!/usr/bin/env python3
"""Conditions on quotients that take too much work to count are sampled, and stores at a block's end are seen.

usage: taps.py FOREWARP ROOT

taps.ptx: `taps` reads 5 x 5 pixels of images with borders, whose rows and columns are quotients and remainders of
one index: the rows of these conditions are too many to count exactly.  Their share follows from the borders, 0, 1 or 2
of 57 pixels a side.  `stores_at_the_end` stores sixteen rows a block in a loop behind one that is longer by far."""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
PTX = ROOT + '/tests/cli/taps.ptx'


def ask(what, kernel, grid, **arguments):
    command = [FOREWARP, *what, PTX, '-d', 'h200', '-k', kernel, '-g', str(grid), '-b', '128', '--json']
    for position, value in arguments.items():
        command += ['-s', f'{position[1:]}={value}']
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    faults = []
    beyond = 1 - (1 - 6 / 5 / 57) ** 2  # of the taps
    answer = ask(['predict', '-m', 'traffic'], 'taps', 1625, _2=32, _3=57, _4=57, _5=8)
    for unknown in answer['unknowns']:
        if unknown['reason'] != 'sampled' or abs(unknown['value'] / beyond - 1) > 0.1:
            faults.append(f"{unknown['name']} is {unknown['value']}, {unknown['reason']}: {beyond:.4f} of the taps lie beyond borders")
    if not answer['unknowns']:
        faults.append('taps counts exactly now: a test of sampling needs another kernel')
    for times in (20, 80, 100, 120):
        answer = ask(['traffic'], 'stores_at_the_end', 1000, _2=times)
        if answer['l1_to_l2_bytes'] != 1000 * 16 * 128 * 4:
            faults.append(f"stores_at_the_end, {times} times: {answer['l1_to_l2_bytes']} bytes go to L2, not {1000 * 16 * 128 * 4}")
    print('\n'.join(faults) or 'taps and stores are as they are')
    return len(faults) > 0


sys.exit(main())
