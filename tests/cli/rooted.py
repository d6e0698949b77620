#!/usr/bin/env python3
"""Places that are roots of a thread's own coordinate squared and a number that all threads of a warp load alike follow each other
as places without a root do.  With a number for each thread they lie anywhere.

usage: rooted.py FOREWARP ROOT"""
import json
import os
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
SAMPLES = 1 << 20
faults = 0


def check(what, good, shown):
    global faults
    faults += not good
    if not good:
        print('FAILED:', what, shown)


def ask(kernel):
    stated = [word for place, number in ((3, SAMPLES), (4, 0.3), (5, 0.004)) for word in ('-s', f'{place}={number}')]
    done = subprocess.run([FOREWARP, 'traffic', ROOT + '/tests/cli/rooted.ptx', '-d', 'h200', '-k', kernel, '-g', str(SAMPLES // 256), '-b', '256',
                           '--json', *stated], capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def main():
    straight = ask('straight')
    for kernel in ('hyperbola', 'rows'):
        answer = ask(kernel)
        for what in ('global_load_sectors', 'l2_to_l1_bytes'):
            check(f'{kernel}: {what}', abs(answer[what] / straight[what] - 1) < 0.02, (answer[what], straight[what]))
    scattered = ask('scattered')['global_load_sectors']
    check('scattered', scattered > 4 * straight['global_load_sectors'], scattered)
    return 1 if faults else 0


sys.exit(main())
