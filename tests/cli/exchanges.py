#!/usr/bin/env python3
"""Atomic sums of f32 in shared memory are loops of a load, a sum and an exchange: a warp goes round until each lane of a
bank has come through, and fails where other warps write the same word.  An H200 counts 87 to 94 rounds of eight warps on
one word (autocorrelate in data/h200/programs-seventh), 229 where they stay together (data/h200/exchanges).  Cycles of sums
one behind the other are near those recorded there: of words that the lane chooses, of the block or of each warp, and of
words in one bank.  Warps that have the loop ahead of them in parts, and others that
have it in one, come there at one time, however the simulation shortens it: the time grows with the rows evenly.

usage: exchanges.py FOREWARP ROOT"""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
GRID, ROUND, SUMS = 132, 5, 16  # a block for each multiprocessor; instructions; of a thread of exchanges_apart.cu


def predict(kernel, block, grid=str(GRID), *more, file='exchanges.ptx'):
    return json.loads(subprocess.run([FOREWARP, 'predict', ROOT + '/tests/cli/' + file, '-k', kernel, '-d', 'h200', '-m', 'trace', '-g', grid,
                                      '-b', str(block), *more, '--json'], capture_output=True, text=True, check=True).stdout)['predictions'][0]


def rounds(block):
    """Of a warp, all of whose lanes come to one word, beyond the one that lanes with words of their own take."""
    counts = [next(t['amount'] for t in predict(kernel, block)['terms'] if t['name'] == 'issue') for kernel in ('one_word', 'own_words')]
    return (counts[0] - counts[1]) / (block / 32) / ROUND + 1


alone, together = rounds(32), rounds(256)
print(alone, together)
assert abs(alone - 32) < 2, alone
assert 94 < together < 229, together


def cycles(row):
    """Of a sum of each thread, and what is ahead of them."""
    answer = predict('apart_' + row['type'], 32 * row['warps'], str(GRID), '-s', f"1={row['words']}", '-s', f"2={row['stride']}", '-s', f"3={row['apart']}",
                     file='exchanges_apart.ptx')
    return answer['seconds'] * answer['clock_hertz'] / SUMS


RECORDED = [json.loads(line) for line in open(ROOT + '/data/h200/exchanges/apart.jsonl')]
for number in ('f32', 'f64'):
    for warps in (1, 4, 16, 32):
        rows = {('bank' if row['stride'] > 1 else 'apart' if row['apart'] else 'block', row['words']): row
                for row in RECORDED if row['type'] == number and row['warps'] == warps}
        least = rows['apart' if warps > 1 else 'block', 32]
        for place, words in (('block', 32), ('block', 4), ('block', 1), ('apart', 1), ('bank', 32)):
            row = rows.get((place, words))
            if row and row != least:
                ratio = (cycles(row) - cycles(least)) / (row['cycles'] - least['cycles'])
                print(number, warps, place, words, round(ratio, 2))
                assert 0.45 < ratio < 1.5, (row, ratio)
LENGTHS = 20000, 22000, 23000, 24000, 28000, 32768
times = [predict('behind_tiles', 256, '32,8', '-s', f'2={length}')['seconds'] for length in LENGTHS]
each = predict('one_word', 256)['seconds'] - predict('own_words', 256)['seconds']  # of a sum
expected = LENGTHS[0] * (times[-1] - times[0]) / (LENGTHS[-1] - LENGTHS[0]) + 8 * each
print(times, expected)
assert all(0.99 < after / before < 1.15 for before, after in zip(times, times[1:])), times
assert abs(times[0] / expected - 1) < 0.1, (times[0], expected)
