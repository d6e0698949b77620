#!/usr/bin/env python3
"""Instructions of one wavefront take the load-store unit longer than that wavefront (`lsu_request`): in the time by
traffic, too, as in that by trace.  The volumes are the wavefronts that counters count.

usage: single_requests.py FOREWARP ROOT"""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
GRID, BLOCK, TRIPS = 132 * 8, 256, 1000
WARPS = GRID * BLOCK / 32
REQUEST = json.load(open(ROOT + '/profiles/h200.json'))['figures']['lsu_request']['value']


def ask(*what):
    return json.loads(subprocess.run([FOREWARP, *what, ROOT + '/tests/cli/single_requests.ptx', '-d', 'h200', '-g', str(GRID),
                                      '-b', str(BLOCK), '-s', f'1={TRIPS}', '--json'], capture_output=True, text=True, check=True).stdout)


def cycles(kernel, model, term):
    """Cycles of a term for each trip of a warp's loop, with 132 multiprocessors at 1.98 GHz."""
    terms = ask('predict', '-m', model, '-k', kernel)['predictions'][0]['terms']
    return next(t['seconds'] for t in terms if t['name'] == term) * 1.98e9 * 132 / WARPS / TRIPS


for kernel, wavefronts, expected in ('single', 1, REQUEST), ('twofold', 2, 2):
    counted = ask('traffic', '-k', kernel)['lsu_wavefronts'] / WARPS / TRIPS
    by_traffic, by_trace = cycles(kernel, 'traffic', 'l1'), cycles(kernel, 'trace', 'lsu')
    print(kernel, counted, by_traffic, by_trace)
    assert abs(counted / wavefronts - 1) < 0.01, counted
    assert abs(by_traffic / expected - 1) < 0.01, by_traffic
    assert abs(by_traffic / by_trace - 1) < 0.01, (by_traffic, by_trace)
