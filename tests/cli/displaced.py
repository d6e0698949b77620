#!/usr/bin/env python3
"""Places that data move from a thread's own, by a sum that is rounded or by whole elements, lie near it: warps ask for the
sectors, and blocks for the bytes, of lanes that draw each place by chance, within 4 elements or as many as constants or
the user state.  Own coordinates by a loaded scale are no such places.  Whose displacement is a default has ends.

usage: displaced.py FOREWARP ROOT"""
import json
import os
import random
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
WIDE, HIGH, BLOCK = 4096, 2048, (32, 8)
BLOCKS = WIDE * HIGH // 256
faults = 0


def check(what, good, shown):
    global faults
    faults += not good
    if not good:
        print('FAILED:', what, shown)


def run(command, kernel, *options, stated=()):
    flat = kernel in ('shifted', 'scaled')
    arguments = [f'3={WIDE * HIGH}'] if flat else [f'3={WIDE}', f'4={HIGH}'] + ['5=1'] * (kernel != 'compensated')
    grid = ['-g', str(BLOCKS), '-b', '256'] if flat else ['-g', f'{WIDE // 32},{HIGH // 8}', '-b', '32,8']
    return subprocess.run([FOREWARP, command, ROOT + '/tests/cli/displaced.ptx', '-d', 'h200', '-k', kernel, *grid, *options,
                           *(word for one in (*arguments, *stated) for word in ('-s', one))], capture_output=True, text=True,
                          env={**os.environ, 'FOREWARP_DATA': ROOT})


def traffic(kernel, *stated):
    done = run('traffic', kernel, '--json', stated=stated)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def drawn(low, high, corners, flat=False):
    """Sectors of the requests of a block's warps, and different ones of the block, of lanes that draw places by chance."""
    random.seed(1)
    requests, block = 0, set()
    for warp in range(8):
        places = [(lane + random.randint(low, high), warp + random.randint(low, high)) for lane in range(32)]
        if flat:
            places = [(32 * warp + lane + random.randint(low, high), 0) for lane in range(32)]
        for right, below in corners:
            touched = {((x + right) // 8, y + below) for x, y in places}
            requests += len(touched)
            block |= touched
    return requests, len(block)


def main():
    square = [(0, 0), (1, 0), (0, 1), (1, 1)]
    cases = [('traced', -4, 4, square, 8, ()), ('around', -4, 4, square[:1], 16, ()), ('compensated', -4, 4, square[:1], 8, ()),
             ('traced', 0, 0, square, 8, ('1.displacement=0',)), ('traced', -12, 12, square, 8, ('1.displacement=12',)),
             ('compensated', -1, 1, square[:1], 8, ('1.displacement=1',)), ('shifted', 0, 64, square[:1], 4, ())]
    for kernel, low, high, corners, own, stated in cases:
        answer = traffic(kernel, *stated)
        requests, block = drawn(low, high, corners, kernel == 'shifted')
        asked = answer['global_load_sectors'] / BLOCKS - 8 * own
        brought = answer['l2_to_l1_bytes'] / 32 / BLOCKS - 8 * own
        check(f'{kernel} {stated}: sectors of requests', 0.92 < asked / requests < 1.08, (asked, requests))
        check(f'{kernel} {stated}: sectors of a block', 0.85 < brought / block < 1.15, (brought, block))
        read = answer['dram_read_bytes'] / (4 * WIDE * HIGH) - own / 4
        check(f'{kernel} {stated}: the array is read once', 0.98 < read < 1.1, read)
    answer = traffic('scaled')
    check('scaled: each lane has a sector of its own', answer['global_load_sectors'] / BLOCKS > 8 * 35, answer['global_load_sectors'] / BLOCKS)
    anywhere = traffic('traced', f'1.spread={4 * WIDE * HIGH}')
    check('a stated working set is asked for at random', anywhere['global_load_sectors'] / BLOCKS > 8 * 130, anywhere['global_load_sectors'] / BLOCKS)
    for kernel in ('traced', 'compensated'):
        told = json.loads(run('predict', kernel, '--json').stdout)['predictions'][0]
        ends = told.get('ends', [])
        check(f'{kernel}: ends', [(e['name'].split('.')[-1], e['kind'], e['low'], e['high']) for e in ends] == [('displacement', 'displacement', 0, 64)], ends)
        check(f'{kernel}: they are in the interval', all(told['interval'][0] <= e['low_seconds'] < e['high_seconds'] <= told['interval'][1] for e in ends), told['interval'])
        said = run('predict', kernel).stdout
        check(f'{kernel}: how to state it is said', '_param_1.displacement=VALUE' in said or 'param_1.displacement=VALUE' in said, said)
        told = json.loads(run('predict', kernel, '--json', stated=('1.displacement=4',)).stdout)['predictions'][0]
        check(f'{kernel}: what is stated has no ends', 'ends' not in told, told)
    for kernel, stated in (('traced', '1.displacement=-1'), ('traced', '1.displacement=far'), ('traced', '0.displacement=2'), ('scaled', '1.displacement=2'), ('traced', 'x.displacement=1')):
        check(f'{kernel} {stated} is refused', run('traffic', kernel, stated=(stated,)).returncode != 0, stated)
    print(f'{faults} failed')
    return faults > 0


sys.exit(main())
