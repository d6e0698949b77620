#!/usr/bin/env python3
"""Warps in step, lanes that leave loops one after the other, blocks that differ, and shuffles that loads do not pass: times by both models.

usage: steps.py FOREWARP ROOT

Kernels of steps.ptx.  Barriers take what an H200 recorded (data/h200/isolated: `barrier`, nothing between, a block on
each multiprocessor)."""
import json
import os
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
MODELS = ('trace', 'traffic')


def seconds(model, kernel, grid, block, *values):
    command = [FOREWARP, 'predict', os.path.join(ROOT, 'tests/cli/steps.ptx'), '-k', kernel, '-d', 'h200', '-m', model, '--json',
               '-g', str(grid), '-b', str(block)]
    for position, value in enumerate(values, 1):
        command += ['-s', f'{position}={value}']
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)['predictions'][0]['seconds']


def check(holds, what):
    if not holds:
        sys.exit(f'steps.py: {what}')
    print(what)


def barriers():
    """Rounds of two barriers: one warp to 32, a block on each multiprocessor."""
    for line in open(os.path.join(ROOT, 'data/h200/isolated/times.jsonl')):
        record = json.loads(line)
        if (record['kernel'], record.get('what'), record.get('memory'), record.get('blocks')) != ('barrier', 'nothing', 'shared', 132):
            continue
        for model in MODELS:
            ratio = seconds(model, 'two_barriers', 132, record['threads'], record['rounds']) / record['seconds']
            check(0.95 < ratio < 1.1, f"{record['threads']} threads, {model}: {ratio:.2f} of the recorded time")


def trees():
    """Half of the threads go on after each barrier: the comparison behind the last request under a predicate is not
    hidden, 15 cycles in each of five or eight steps, and 10 of the branch."""
    for threads, steps in ((32, 5), (256, 8)):
        for model in MODELS:
            cycles = (seconds(model, 'tree', 1, threads, 2000) - seconds(model, 'tree', 1, threads, 1000)) / 1000 * 1.98e9
            least = steps * (2 * threads / 32 + 12 + 23 + 2 * 4 + 15 + 10)
            check(least < cycles < 1.4 * least, f'tree of {threads} threads, {model}: {cycles:.0f} cycles a round')


def lanes():
    """Lanes that leave a loop after 1 to 16 iterations keep their warp longer than if all had 16: where they meet, each way
    takes a while."""
    for model in MODELS:
        one, all_ways = (seconds(model, 'lanes_leave', 1, 32, 1000, *ways) for ways in ((0, 16), (15, 1)))
        check(0 < (all_ways - one) * 1.98e6 < 16 * 16, f'sixteen ways, {model}: {(all_ways - one) * 1.98e6:.0f} cycles more')


def blocks():
    """The last block to end has most to do, wherever it stands in the grid."""
    for grid in (7, 100):
        one, other = (seconds(model, 'blocks_differ', grid, 128, 1000) for model in MODELS)
        check(abs(other / one - 1) < 0.03, f'{grid} blocks: traffic {other / one:.3f} of trace')


def shuffles():
    """Between a load and its use stand shuffles in a loop that each warp begins at a number of its own: ptxas moves no load
    ahead of them, so that an iteration waits for two loads, one after the other."""
    apart, together = (seconds('trace', kernel, 1, 128, 8000) for kernel in ('shuffles_by_warp', 'shuffles_by_block'))
    check(1.4 < apart / together < 1.9, f'shuffles in a loop of warps: {apart / together:.2f} of the time of one of blocks')


barriers()
trees()
lanes()
blocks()
shuffles()
