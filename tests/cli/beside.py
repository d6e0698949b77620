#!/usr/bin/env python3
"""How the blend weighs models for bulk copies, which go on beside the threads: as launches of these have taught it, where
the launch executes them, and else as launches of its own kind have.  How models weigh does not depend on whether the
clock is stated.

usage: beside.py FOREWARP ROOT"""
import json
import re
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
WEIGHTS = {kind: {model: float(weight) for model, weight in re.findall(r'(traffic|trace|forest) (\S+)', rest)}
           for kind, rest in re.findall(r'(?m)^weights seconds (\w+) families \d+ (.*)$', open(ROOT + '/models/blend/h200.blend').read())}
CLOCK = json.load(open(ROOT + '/profiles/h200.json'))['figures']['sm_clock']['value']


def seconds(kernel, *more):
    command = [FOREWARP, 'predict', ROOT + '/tests/cli/beside.ptx', '-d', 'h200', '-k', kernel, '-g', '2112', '-b', '256', '-m', 'blend,traffic,trace,forest',
               '--ptxas', 'never', '--json', *more]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return {one['model']: one['seconds'] for one in answer['predictions']}


def is_weighed(found, kind):
    inverse, square = (sum(weight / found[model] ** power for model, weight in WEIGHTS[kind].items()) for power in (1, 2))
    return abs(found['blend'] * square / inverse - 1) < 1e-9  # of least relative error: docs/predicting.md


for kernel, more, beside in (('bulk', [], True), ('ordered', [], False), ('loaded', [], False), ('either', ['-s', '3=1'], True), ('either', ['-s', '3=0'], False)):
    found = seconds(kernel, '-s', '2=64', *more)
    print(kernel, more, found)
    assert abs(found['traffic'] / found['trace'] - 1) > 0.005, found  # else the test tells nothing
    assert is_weighed(found, 'asynchronous') == beside, found
    assert beside or any(is_weighed(found, kind) for kind in WEIGHTS), found

default, stated = (seconds('counted', '-s', '3=64', *clock) for clock in ([], ['--clock', f'{CLOCK / 1e9}GHz']))
print(default, stated)
assert default['blend'] != default['traffic'], default
for model in default:
    assert abs(stated[model] / default[model] - 1) < 1e-6, (model, default, stated)
