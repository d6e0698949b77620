#!/usr/bin/env python3
"""match.any takes a unit of the multiprocessor for each distinct value of a warp's lanes, and its warp waits for each
(data/h200/match): how many there are is what the bits of its operand leave.

usage: matches.py FOREWARP ROOT"""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
TRIPS, CLOCK = 1000, 1.98e9
FIGURES = json.load(open(ROOT + '/profiles/h200.json'))['figures']
INTERVAL, ONE, FURTHER = 1 / FIGURES['match_values']['value'], FIGURES['latency_match']['value'], FIGURES['latency_match_value']['value']


def cycles(kernel, warps, trips):
    """Of a launch of so many warps of each multiprocessor."""
    answer = json.loads(subprocess.run([FOREWARP, 'predict', ROOT + '/tests/cli/matches.ptx', '-k', kernel, '-d', 'h200', '-m', 'trace', '-g', '132',
                                        '-b', str(32 * warps), '-s', f'2={trips}', '--json'], capture_output=True, text=True, check=True).stdout)
    return answer['predictions'][0]['seconds'] * CLOCK


def distinct(values):
    return values * (1 - (1 - 1 / values) ** 32)


for kernel, values in (('any_value', 32), ('of_digits', distinct(16)), ('of_two', distinct(2)), ('of_block', 1)):
    full, lone = (((cycles(kernel, warps, 3 * TRIPS) - cycles(kernel, warps, TRIPS)) / 2 / TRIPS) for warps in (32, 1))
    print(kernel, values, full, lone)
    assert abs(full / (32 * values * INTERVAL) - 1) < 0.15, full
    if kernel != 'of_block':  # whose matches wait for nothing
        assert 0 <= lone - (ONE + (values - 1) * FURTHER) < 40, lone  # sums and the branch beside it
