#!/usr/bin/env python3
"""Volumes of kernels that share data: around a periodic boundary, between blocks, and from launch to launch.

usage: around.py FOREWARP ROOT

around.ptx has a grid whose rows and columns go on at the other side (`around`), and the same within a margin
(`inside`): both move the same but for the edges.  `rows_in_common`: the blocks along x load one row, without a loop;
the coalescer leaves as much as `once` in data/h200/sharing.  `added` and `summed` go over 50 MB in one wave: what is
stored takes from what is found again (add in data/h200/retained reads 0.85 of its data again), loads alone find
more (read_parts: 0.43)."""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]


def ask(kernel, grid, block, **arguments):
    command = [FOREWARP, 'traffic', ROOT + '/tests/cli/around.ptx', '-d', 'h200', '-k', kernel, '-g', grid, '-b', block, '--json']
    for name, value in arguments.items():
        command += ['-s', f'{name[1:]}={value}']
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    failed = 0

    def check(what, value, low, high):
        nonlocal failed
        print(f'{what}: {value:.3f}, from {low} to {high}')
        failed += not low <= value <= high

    for n in 3000, 4096:
        grid = f'{-(-n // 32)},{n // 4}'
        got, expected = ask('around', grid, '32,4', _2=n), ask('inside', grid, '32,4', _2=n)
        for volume in 'l2_to_l1_bytes', 'l1_to_l2_bytes', 'dram_read_bytes', 'dram_write_bytes':
            check(f'{volume} around {n}', got[volume] / expected[volume], 0.98, 1.02)
    rows = ask('rows_in_common', '64,400', '256', _2=16384)
    # 64 blocks load the same: of them, 0.8 are the first on their multiprocessor, whose requests merge to 0.41
    check('rows in common, of the requests', rows['l2_to_l1_bytes'] / (32 * rows['global_load_sectors']), 0.31, 0.35)
    n = 12600000 // 3
    added, summed = (ask(kernel, '1024', '256', _3=m) for kernel, m in (('added', n), ('summed', 12600000 // 2)))
    check('added in one wave, read again', added['dram_read_bytes'] / (8 * n), 0.7, 1)
    check('summed in one wave, read again', summed['dram_read_bytes'] / 50.4e6, 0.3, 0.75)
    return failed > 0


sys.exit(main())
