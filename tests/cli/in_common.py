#!/usr/bin/env python3
"""What blocks load that others load too, and tiles that their threads share out.

usage: in_common.py FOREWARP ROOT

in_common.ptx has tiles that the threads of two axes share out by one number: each block asks L2 for the sectors of
its tile, however the number is divided and its ends are guarded, and the launch reads each byte once.  Rows that
begin anywhere within a sector are counted where they begin (`checkered`).  Blocks beside each other that share
sectors, but no words, merge no requests (`bytes`).  Of data that blocks load in common, L1 has what blocks before
have loaded, and the first requests of all multiprocessors merge: `groups` and `rounds` are `once` of
data/h200/sharing, whose counters they are compared with, and `scaled` asks for its row no more often than there are
multiprocessors."""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
SHARED_OUT = ['shared_out', 'shared_out_clamped', 'shared_out_guarded', 'shared_out_twice']
# kernel; grid; block; arguments from the third on; sectors that a block asks L2 for; bytes that are read once
TILES = [(kernel, (375, 1500), '32,8', (12000, 12000), 60, 4 * 12000 * 12000) for kernel in SHARED_OUT]
TILES += [('bytes', (384, 768), '32,16', (12288, 12288), 60, 12288 * 12288),
          ('checkered', (313, 20000), '64,2', (40000, 40000, 1), 18, 40000 * 40000)]


def ask(kernel, grid, block, arguments, first=2):
    command = [FOREWARP, 'traffic', ROOT + '/tests/cli/in_common.ptx', '-d', 'h200', '-k', kernel, '-g', grid, '-b', block, '--json']
    for position, value in enumerate(arguments):
        command += ['-s', f'{first + position}={value}']
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def tiles():
    for kernel, (x, y), block, arguments, sectors, once in TILES:
        answer = ask(kernel, f'{x},{y}', block, arguments)
        asked = answer['l2_to_l1_bytes'] / (32 * x * y)
        if abs(asked / sectors - 1) > 0.01:
            yield f'{kernel}: a block asks for {asked:.4g} sectors, not {sectors}'
        if abs(answer['once_read_bytes'] / once - 1) > 0.02:
            yield f'{kernel}: {answer["once_read_bytes"]:.4g} bytes are read once, not {once:.4g}'


def recorded():
    """Blocks that load the same, one after the other; blocks that go round an array; sectors that L2 sent."""
    for line in open(ROOT + '/data/h200/sharing/measured.jsonl'):
        row = json.loads(line)
        if row['kernel'] == 'once':
            yield *row['size'][:2], row['grid'][0], row['counters']['lts__t_sectors_srcunit_tex_op_read.sum']


def common():
    for group, period, blocks, sectors in recorded():
        kernel, most = ('rounds', 0.12) if period else ('groups', 0.06)
        answer = ask(kernel, str(blocks), '256', (period or group,), 3)
        if abs(answer['l2_to_l1_bytes'] / (32 * sectors) - 1) > most:
            yield f'{kernel} {period or group}: {answer["l2_to_l1_bytes"] / 32:.4g} sectors are asked for, not {sectors:.4g}'
    for blocks in (512, 8192, 65536):
        times = (ask('scaled', str(blocks), '256', ())['l2_to_l1_bytes'] / 8192) - blocks
        if not 30 <= times <= 80:
            yield f'scaled {blocks}: the row is asked for {times:.4g} times'


faults = [*tiles(), *common()]
print('\n'.join(faults) or 'blocks ask for their tiles, and for what they have in common as counted')
sys.exit(len(faults) > 0)
