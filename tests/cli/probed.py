#!/usr/bin/env python3
"""A loop that looks for a key in a hash table with open addressing looks at a slot and a half, also where it is unrolled, is
bound by a number of tries, or puts keys into free slots; other loops run as often as ever.

usage: probed.py FOREWARP ROOT"""
import json
import os
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
COUNT = 128000
faults = 0


def check(what, good, shown):
    global faults
    faults += not good
    if not good:
        print('FAILED:', what, shown)


def accesses(kernel, *stated):
    """Executions by direction and bytes, and the unknowns."""
    done = subprocess.run([FOREWARP, 'count', ROOT + '/tests/cli/probed.ptx', '-k', kernel, '-g', '1000', '-b', '128', '--json',
                           *(word for one in stated for word in ('-s', one))], capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
    if done.returncode:
        sys.exit(done.stderr)
    answer, counts = json.loads(done.stdout), {}
    for row in answer['memory']:
        key = row['direction'], row['bytes']
        counts[key] = counts.get(key, 0) + (row['count'] if row['space'] != 'param' else 0)
    return counts, answer['unknowns']


def seconds_by_trace(kernel, *stated):
    done = subprocess.run([FOREWARP, 'predict', '-m', 'trace', ROOT + '/tests/cli/probed.ptx', '-k', kernel, '-g', '1000', '-b', '128', '-d', 'h200', '--json',
                           *(word for one in stated for word in ('-s', one))], capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)['predictions'][0]['seconds']


def main():
    for kernel, access, stated in (('looked_up', ('load', 8), ('3=1048575', f'4={COUNT}')), ('put', ('atomic', 8), ('2=1000003', f'3={COUNT}'))):
        counts, unknowns = accesses(kernel, *stated)
        check(f'{kernel}: a slot and a half', 1.45 < counts[access] / COUNT < 1.55, counts)
        check(f'{kernel}: the reason is said', all('half full' in u['meaning'] for u in unknowns), unknowns)
    counts, _ = accesses('looked_up', '3=1048575', f'4={COUNT}', next(u['name'] for u in accesses('looked_up', '3=1048575', f'4={COUNT}')[1]) + '=4')
    check('what is stated holds', counts[('load', 8)] == 4 * COUNT, counts)
    arguments = ('2=1000003', f'3={COUNT}')
    trips = next(u['name'] for u in accesses('put', *arguments)[1] if u['name'].startswith('trips'))
    usual, once = (seconds_by_trace('put', *arguments, *more) for more in ((), (trips + '=1',)))
    check('put: trace does not go to the most tries, either', usual < 1.1 * once, (usual, once))
    counts, unknowns = accesses('up_to', f'3={COUNT}')
    check('up_to: 16 entries of a list', counts[('load', 4)] == 17 * COUNT and unknowns[0]['value'] == 16, (counts, unknowns))
    print(f'{faults} failed')
    return faults > 0


sys.exit(main())
