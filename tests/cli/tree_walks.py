#!/usr/bin/env python3
"""Walks down binary trees whose children lie at twice a node's place, and columns of rows that data choose.

usage: tree_walks.py FOREWARP ROOT

Step k of a walk is at one of 2^k places beside each other: a warp asks for few sectors at first, and caches hold a small
tree.  A column lies in the row that its address begins with: what is read of device memory is no more than the rows."""
import json
import os
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
COUNT = 1 << 20
faults = []


def run(*words):
    done = subprocess.run([FOREWARP, *words], capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def volumes(kernel, **arguments):
    stated = [word for name, value in arguments.items() for word in ('-s', f'{name[1:]}={value}')]
    return json.loads(run('traffic', '--json', ROOT + '/tests/cli/tree_walks.ptx', '-d', 'h200', '-k', kernel, '-g', str(COUNT // 256),
                          '-b', '256', *stated))


def walks(kernel):
    return run('count', ROOT + '/tests/cli/tree_walks.ptx', '-k', kernel, '--dump', 'record').count('one of two to the power')


for kernel, least in (('heap', 14), ('from_one', 1), ('until', 1), ('linked', 0), ('columns', 0), ('offsets', 0)):
    if walks(kernel) != least:
        faults.append(f'{kernel}: {walks(kernel)} loads walk down a tree, not {least}')

# Ten steps at most 511 nodes of 4 bytes: the first have a sector a warp, and L1 holds all 16 lines.
warps = COUNT / 32
moved = volumes('from_one', _3=COUNT, _4=10)
sectors = (moved['global_load_sectors'] - COUNT / 8) / warps / 10
if not 4 < sectors < 12:
    faults.append(f'from_one: {sectors:.1f} sectors a request')
if moved['l2_to_l1_bytes'] > 1.5 * 4 * COUNT:
    faults.append(f'from_one: {moved["l2_to_l1_bytes"]:g} bytes from L2')
deep = volumes('from_one', _3=COUNT, _4=24)
if deep['l2_to_l1_bytes'] < 10 * moved['l2_to_l1_bytes']:
    faults.append(f'from_one, 24 steps: {deep["l2_to_l1_bytes"]:g} bytes from L2')

# Rows of 32 columns, of which all are chosen in the end: once from device memory; those of 2048 threads are more than L1 has.
rows = 4 * 32 * COUNT
moved = volumes('heap', _3=COUNT, _4=32, _5=100, _6=6)
if not 0.8 * rows < moved['dram_read_bytes'] < 1.5 * rows:
    faults.append(f'heap: {moved["dram_read_bytes"]:g} bytes from device memory, rows are {rows:g}')
if moved['l2_to_l1_bytes'] < 10 * rows:
    faults.append(f'heap: {moved["l2_to_l1_bytes"]:g} bytes from L2')
few = volumes('heap', _3=COUNT, _4=8, _5=100, _6=6)
if few['l2_to_l1_bytes'] > 0.2 * moved['l2_to_l1_bytes']:
    faults.append(f'heap with rows that L1 holds: {few["l2_to_l1_bytes"]:g} bytes from L2')

for fault in faults:
    print(fault)
sys.exit(bool(faults))
