#!/usr/bin/env python3
"""Atomic sums of f32 in shared memory are loops of a load, a sum and an exchange: a warp goes round until each lane of a
bank has come through, and fails where other warps write the same word.  An H200 counts 87 to 94 rounds of eight warps on
one word (autocorrelate in data/h200/programs-seventh).  Warps that have the loop ahead of them in parts, and others that
have it in one, come there at one time, however the simulation shortens it: the time grows with the rows evenly.

usage: exchanges.py FOREWARP ROOT"""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
GRID, ROUND = 132, 5  # a block for each multiprocessor; instructions


def predict(kernel, block, grid=str(GRID), *more):
    return json.loads(subprocess.run([FOREWARP, 'predict', ROOT + '/tests/cli/exchanges.ptx', '-k', kernel, '-d', 'h200', '-m', 'trace', '-g', grid,
                                      '-b', str(block), *more, '--json'], capture_output=True, text=True, check=True).stdout)['predictions'][0]


def rounds(block):
    """Of a warp, all of whose lanes come to one word, beyond the one that lanes with words of their own take."""
    counts = [next(t['amount'] for t in predict(kernel, block)['terms'] if t['name'] == 'issue') for kernel in ('one_word', 'own_words')]
    return (counts[0] - counts[1]) / (block / 32) / ROUND + 1


alone, together = rounds(32), rounds(256)
print(alone, together)
assert abs(alone - 32) < 2, alone
assert 80 < together < 110, together
LENGTHS = 20000, 22000, 23000, 24000, 28000, 32768
times = [predict('behind_tiles', 256, '32,8', '-s', f'2={length}')['seconds'] for length in LENGTHS]
each = predict('one_word', 256)['seconds'] - predict('own_words', 256)['seconds']  # of a sum
expected = LENGTHS[0] * (times[-1] - times[0]) / (LENGTHS[-1] - LENGTHS[0]) + 8 * each
print(times, expected)
assert all(1 < after / before < 1.15 for before, after in zip(times, times[1:])), times
assert abs(times[0] / expected - 1) < 0.1, (times[0], expected)
