#!/usr/bin/env python3
"""The clock that launches are predicted at: where products of matrices are executed that are not of f64, the profile's
tensor_clock, and else its sm_clock; a stated clock as it is stated.  A chain of products takes as many cycles either way.

usage: products_clock.py FOREWARP ROOT"""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
FIGURES = json.load(open(ROOT + '/profiles/h200.json'))['figures']
FULL, SLOWER = (FIGURES[name]['value'] for name in ('sm_clock', 'tensor_clock'))
STEPS = 1 << 20


def predictions(kernel, *more, device='h200'):
    command = [FOREWARP, 'predict', ROOT + '/tests/cli/products_clock.ptx', '-d', device, '-k', kernel, '-g', '132', '-b', '32', '-m', 'roofline,traffic,trace',
               '--ptxas', 'never', '--json', *more]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return {one['model']: one for one in answer['predictions']}


def is_at(clock, found):
    return all(abs(one['clock_hertz'] / clock - 1) < 1e-9 for one in found.values())


steps = ['-s', f'1={STEPS}']
assert SLOWER < FULL
halves = predictions('halves', *steps)
stated = predictions('halves', *steps, '--clock', f'{FULL / 1e9}GHz')
assert is_at(SLOWER, halves), halves
assert is_at(FULL, stated), stated
for model in halves:
    print(model, halves[model]['seconds'], stated[model]['seconds'])
    assert abs(halves[model]['seconds'] / stated[model]['seconds'] * SLOWER / FULL - 1) < 0.01, model
assert is_at(FULL, predictions('doubles', *steps))
assert is_at(SLOWER, predictions('either', '-s', '1=1'))
assert is_at(FULL, predictions('either', '-s', '1=0'))
assert is_at(1e9, predictions('halves', *steps, device='h200:sm_clock=1GHz'))  # no faster than the device
assert is_at(1e9, predictions('halves', *steps, device='h200:tensor_clock=1GHz'))
