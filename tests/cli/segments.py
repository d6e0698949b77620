#!/usr/bin/env python3
"""What device memory moves piece by piece.

usage: segments.py FOREWARP ROOT

segments.ptx: `heads` rotates pairs of elements in place, which lie 16 or 32 apart; the two pieces of a head, and the
heads behind each other, are one run of memory, so that it takes no longer than `row_halves`, whose pairs lie half a
row apart.  `table_entries` reads one sector of a fetch of its own for each thread from a table of 256 MB: device
memory brings whole fetches."""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]


def ask(kernel, what, grid, **arguments):
    command = [FOREWARP, *what, ROOT + '/tests/cli/segments.ptx', '-d', 'h200', '-k', kernel, '-g', str(grid), '-b', '256', '--json']
    for position, value in arguments.items():
        command += ['-s', f'{position[1:]}={value}']
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    faults = []
    predict = ['predict', '-m', 'traffic']
    whole = ask('row_halves', predict, 200000, _1=16, _2=512)['predictions'][0]['seconds']
    for half in (16, 32):
        apart = ask('heads', predict, 200000, _1=half, _2=512)['predictions'][0]['seconds']
        if abs(apart / whole - 1) > 0.08:
            faults.append(f'heads of {half} pairs take {apart:.4g} s, and rows in two halves {whole:.4g} s')
    threads = 1 << 26
    read = ask('table_entries', ['traffic'], threads // 256, _3=(1 << 20) - 1)['dram_read_bytes']
    if abs(read / (threads * (8 + 64)) - 1) > 0.02:
        faults.append(f'table_entries reads {read:.4g} bytes, not 8 and a fetch of 64 a thread, {threads * 72:.4g}')
    print('\n'.join(faults) or 'pieces are moved as they are')
    return len(faults) > 0


sys.exit(main())
