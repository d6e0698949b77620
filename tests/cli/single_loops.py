#!/usr/bin/env python3
"""Loops that are gone through once around others, and loops one after the other.

usage: single_loops.py FOREWARP ROOT

A loop by a whole block that is gone through once (`around`) asks L2 for what the same code without it does (`plain`):
blocks that run the loops inside it in step load a matrix for each other, every second block the same.  Blocks that go
round in many short iterations and then in few long ones (`in_turn`) miss nothing again in L1, so that they load for each
other, too."""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]


def ask(kernel, grid, block, *arguments):
    command = [FOREWARP, 'traffic', ROOT + '/tests/cli/single_loops.ptx', '-d', 'h200', '-k', kernel, '-g', str(grid), '-b', str(block), '--json']
    for position, value in enumerate(arguments):
        command += ['-s', f'{3 + position}={value}']
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def around():
    for grid, block, depth in ((1024, 32, 64), (4096, 64, 128), (65536, 128, 128)):
        plain, once = (ask(kernel, grid, block, block, depth) for kernel in ('plain', 'around'))
        for key in ('l2_to_l1_bytes', 'once_read_bytes', 'dram_read_bytes'):
            if abs(once[key] - plain[key]) > 0.02 * plain[key] + 1000:
                yield f'{grid} blocks of {block}: {key} {plain[key]:.4g}, and {once[key]:.4g} in a loop that is gone through once'
        # Blocks of 16 to 32 on a multiprocessor run in step: they need the columns of two matrices, not of 16 or 32.
        alone = 32 * plain['global_load_sectors']
        if not plain['l2_to_l1_bytes'] < 0.45 * alone:
            yield f'{grid} blocks of {block}: {plain["l2_to_l1_bytes"]:.4g} bytes for {alone:.4g} that warps ask for'


def in_turn():
    for grid, block, few, many in ((65536, 128, 3, 128), (65536, 64, 5, 64), (32768, 256, 4, 128)):
        answer = ask('in_turn', grid, block, few, many)
        own = 4.0 * grid * block * many
        if not own <= answer['l2_to_l1_bytes'] <= own * (1 + 0.3 * few):
            yield f'in_turn, {few} x {many}: L1 asks for {answer["l2_to_l1_bytes"]:.4g} bytes, {own:.4g} of them the blocks\' own'


faults = [*around(), *in_turn()]
print('\n'.join(faults) or 'loops that are gone through once, and loops one after the other, load as without')
sys.exit(len(faults) > 0)
