#!/usr/bin/env python3
"""Atomic operations on words that data choose from one table go at the rate of random sectors (105 G a second on an H200), also
where L2 takes stores; where a loop moves on along the table, they do not.

usage: drawn_atomics.py FOREWARP ROOT"""
import json
import os
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
OPERATIONS = 16 * 128 * 10000
faults = 0


def check(what, good, shown):
    global faults
    faults += not good
    if not good:
        print('FAILED:', what, shown)


def rates_of(kernel, *stated):
    """Operations a second by term of the model trace."""
    done = subprocess.run([FOREWARP, 'predict', '-m', 'trace', ROOT + '/tests/cli/drawn_atomics.ptx', '-k', kernel, '-g', '10000', '-b', '128', '-d', 'h200',
                           '--json', *(word for one in stated for word in ('-s', one))], capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
    if done.returncode:
        sys.exit(done.stderr)
    return {term['name']: OPERATIONS / term['seconds'] / 1e9 for term in json.loads(done.stdout)['predictions'][0]['terms'] if term['seconds'] > 0}


def main():
    any_word, rows = rates_of('any_word'), rates_of('row_by_row', '2=16')
    check('any word: 105 G a second', 100 < any_word['atomics'] < 110, any_word)
    check('any word: also where stores are taken', any_word['l2_stores'] > 100, any_word)
    check('row by row: 65 G a second', 55 < rows['atomics'] < 70, rows)
    print(f'{faults} failed')
    return faults > 0


sys.exit(main())
