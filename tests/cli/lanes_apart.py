#!/usr/bin/env python3
"""A branch that each lane takes by data of its own: a warp goes where some lane goes.  By models that count and that walk,
in time and in sectors; where all lanes of a warp load one number, it goes one way.  Low bits of
rounded numbers are as many as not in each warp.

usage: lanes_apart.py FOREWARP ROOT"""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
BLOCKS, BLOCK = 4224, 256


def ask(what, kernel, *more):
    return json.loads(subprocess.run([FOREWARP, *what, ROOT + '/tests/cli/lanes_apart.ptx', '-d', 'h200', '-k', kernel, '-g', str(BLOCKS),
                                      '-b', str(BLOCK), '--json', *more], capture_output=True, text=True, check=True).stdout)


def seconds(kernel, model, skipped=None):
    """Where a share of the threads skips the work; None: where nothing is stated."""
    name = ask(['predict', '-m', model], kernel)['unknowns'][0]['name']
    stated = [] if skipped is None else ['-s', f'{name}={skipped}']
    return ask(['predict', '-m', model], kernel, *stated)['predictions'][0]['seconds']


SHARE = 1 - ask(['predict', '-m', 'traffic'], 'by_lane')['unknowns'][0]['value']  # of threads that work, where nothing is stated
for model in 'traffic', 'trace':
    whole = seconds('by_lane', model, 0)
    half, usual = seconds('by_lane', model, 0.5) / whole, seconds('by_lane', model) / whole
    print(model, 'by lanes', half, usual)
    assert 0.98 < half < 1.02, half
    assert model == 'trace' or SHARE + 0.05 < usual < 0.95, usual  # at one launch most shares are near 0 or 1
    for kernel in 'by_warp', 'by_place':
        half = seconds(kernel, model, 0.5) / seconds(kernel, model, 0)
        print(model, kernel, half)
        assert half < 0.85, (kernel, half)  # by trace chance has more warps at work on one scheduler than on another
    odd = seconds('by_quarter', model) / seconds('by_quarter', model, 0)  # rounded numbers: half of each warp's, at any launch
    print(model, 'by_quarter', odd)
    assert 0.98 < odd < 1.02, odd

# Of eight lanes whose elements lie in one sector one stores in it.
name = ask(['traffic'], 'by_lane')['unknowns'][0]['name']
whole = ask(['traffic'], 'by_lane', '-s', f'{name}=0')['l1_to_l2_bytes']
few = ask(['traffic'], 'by_lane', '-s', f'{name}=0.95')['l1_to_l2_bytes']
print('sectors', few / whole)
assert abs(few / whole / (1 - 0.95 ** 8) - 1) < 0.02, few / whole
