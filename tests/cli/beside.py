#!/usr/bin/env python3
"""What the blend answers for bulk copies, which go on beside the threads: the simulation's time, where the launch executes
them.  Neither traffic nor the trees know when threads wait for these.  How models weigh does not depend on whether the
clock is stated.

usage: beside.py FOREWARP ROOT"""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
CLOCK = json.load(open(ROOT + '/profiles/h200.json'))['figures']['sm_clock']['value']


def seconds(kernel, *more):
    command = [FOREWARP, 'predict', ROOT + '/tests/cli/beside.ptx', '-d', 'h200', '-k', kernel, '-g', '2112', '-b', '256', '-m', 'blend,traffic,trace',
               '--ptxas', 'never', '--json', *more]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return {one['model']: one['seconds'] for one in answer['predictions']}


for kernel, more, beside in (('bulk', [], True), ('ordered', [], False), ('loaded', [], False), ('either', ['-s', '3=1'], True), ('either', ['-s', '3=0'], False)):
    found = seconds(kernel, '-s', '2=64', *more)
    print(kernel, more, found)
    assert abs(found['traffic'] / found['trace'] - 1) > 0.01, found  # else the test tells nothing
    assert (found['blend'] == found['trace']) == beside, found

default, stated = (seconds('counted', '-s', '3=64', *clock) for clock in ([], ['--clock', f'{CLOCK / 1e9}GHz']))
print(default, stated)
assert default['blend'] != default['traffic'], default
for model in default:
    assert abs(stated[model] / default[model] - 1) < 1e-6, (model, default, stated)
