#!/usr/bin/env python3
"""Kernels that number their threads along one axis move what those with several axes move.

usage: digits.py FOREWARP ROOT

tests/property/digits.cu has pairs of kernels that touch the same bytes, `_2d` by the axes of blocks and grids,
`_1d` by / and % of one index.  Their volumes must agree: what `_1d` reads and writes is digits of a mixed radix,
not an address that cannot be followed."""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
PTX = ROOT + '/tests/golden/digits/digits.ptx'
# kernel; grid, block and arguments of _2d and of _1d; how far sectors may be apart: halo_2d takes two loads to a row
PAIRS = [
    ('product', ('128,128', '16,16', {3: 2048}), ('16384', '256', {3: 2048}), 0.01),
    ('product', ('125,125', '16,16', {3: 2000}), ('15625', '256', {3: 2000}), 0.01),
    ('halo', ('256,256', '16,16', {2: 4098}), ('256,256', '256', {2: 4098}), 0.6),
    ('padded', ('16,4096', '256', {2: 4096, 3: 4128}), ('65536', '256', {2: 4096, 3: 4128, 4: 4096 * 4096}), 0.01),
    ('padded', ('4,16384', '256', {2: 1000, 3: 1024}), ('64000', '256', {2: 1000, 3: 1024, 4: 1000 * 16384}), 0.03),
    ('transpose', ('128,128', '32,8', {2: 4096}), ('16384', '256', {2: 4096}), 0.01),
    ('grouped', ('4,128,32', '16,16', {3: 2048}), ('16384', '256', {3: 2048}), 0.01),
    ('structures', ('20000', '32,4', {2: 128}), ('20000', '128', {2: 128}), 0.01)]
VOLUMES = ['l1_to_l2_bytes', 'l2_to_l1_bytes', 'dram_read_bytes', 'dram_write_bytes', 'once_read_bytes', 'once_written_bytes']


def ask(kernel, grid, block, arguments):
    command = [FOREWARP, 'traffic', PTX, '-d', 'h200', '-k', kernel, '-g', grid, '-b', block, '--json']
    for position, value in arguments.items():
        command += ['-s', f'{position}={value}']
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    failed = 0
    for name, axes, digits, sectors in PAIRS:
        expected, got = ask(name + '_2d', *axes), ask(name + '_1d', *digits)
        for volume in VOLUMES + ['global_load_sectors']:
            most = sectors if volume == 'global_load_sectors' else 0.02
            if abs(got[volume] - expected[volume]) > most * expected[volume]:
                failed += 1
                print(f'{name}_1d {digits[0]}: {volume} is {got[volume]:.6g}, and {expected[volume]:.6g} by axes')
    print(f'{len(PAIRS)} pairs, {failed} volumes differ')
    return failed > 0


sys.exit(main())
