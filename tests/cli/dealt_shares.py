#!/usr/bin/env python3
"""Blocks that go on from tile to tile until their share of all steps is done: the steps of dealt_shares.ptx are known.

usage: dealt_shares.py FOREWARP ROOT

What the loop carries (begin) has no closed form, and stays where it is behind the last tile: answers need no
defaults, and count what going through all blocks counts."""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
THREADS = 128


def counted(blocks, share, total, steps):
    """Loads, stores and atomic operations of all threads."""
    loads = stores = atomics = 0
    for block in range(blocks):
        begin = block * share
        end = min(begin + share, total)
        while begin < end:
            first = begin % steps
            last = min(steps, first + end - begin)
            loads += last - first
            whole = first == 0 and last == steps
            stores += whole
            atomics += not whole
            begin += last - first
    return THREADS * loads, THREADS * stores, THREADS * atomics


def ask(command, blocks, share, total, steps, *more):
    arguments = [FOREWARP, command, ROOT + '/tests/cli/dealt_shares.ptx', '-g', str(blocks), '-b', str(THREADS), '-s', f'2={share}',
                 '-s', f'3={total}', '-s', f'4={steps}', '--json', *more]
    return json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)


def main():
    failed = 0
    for launch in (132, 59, 7680, 64), (132, 544, 71680, 128), (66, 1000, 66000, 30):
        wanted = counted(*launch)
        for model in 'traffic', 'trace':
            got = ask('predict', *launch, '-d', 'h200', '-m', model)
            unknown = [one['name'] for one in got['unknowns'] if one['default']]
            print(launch, model, got['predictions'][0]['seconds'], unknown or 'nothing by default')
            failed += bool(unknown)
        volumes = ask('traffic', *launch, '-d', 'h200')
        loads = 32 * volumes['global_load_sectors'] / 4
        print(launch, 'loads', loads, 'of', wanted[0])
        failed += abs(loads / wanted[0] - 1) > 0.01
    return failed > 0


sys.exit(main())
