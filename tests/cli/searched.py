#!/usr/bin/env python3
"""Loops that data end early: a search through a row ends at an entry that is found, of which any share is as probable; a loop
that computes alone ends at a third of its bound; a search by halves between ends that are loaded is one of a row's length.
What other data end comes to the end of its row, or to its bound.

usage: searched.py FOREWARP ROOT"""
import json
import math
import os
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
BLOCKS, THREADS = 1000, 128
ROW = 16
faults = 0


def check(what, good, shown):
    global faults
    faults += not good
    if not good:
        print('FAILED:', what, shown)


def ask(command, kernel, *stated):
    done = subprocess.run([FOREWARP, *command, ROOT + '/tests/cli/searched.ptx', '-k', kernel, '-g', str(BLOCKS), '-b', str(THREADS), '--json',
                           *(word for one in stated for word in ('-s', one))], capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def trips(kernel, *stated):
    """Loads of 8 bytes by a thread, and the unknowns by kind."""
    answer = ask(['count'], kernel, *stated)
    loads = sum(row['count'] for row in answer['memory'] if row['direction'] == 'load' and row['bytes'] == 8 and row['space'] == 'global')
    return loads / BLOCKS / THREADS, {u['kind']: u for u in answer['unknowns'] if 'follows' not in u or u['kind'] == 'trips'}


def main():
    n = f'4={BLOCKS * THREADS}'
    harmonic = sum(1 / k for k in range(1, ROW + 1))
    for kernel in ('any_marked', 'block_marked'):
        mean, unknowns = trips(kernel, n)
        check(f'{kernel}: entries that are looked at', 0.9 * harmonic < mean < 1.1 * harmonic, mean)
        check(f'{kernel}: the reason is said', 'looks for' in unknowns['taken']['meaning'], unknowns['taken'])
        name = unknowns['taken']['name']
        leaves = unknowns['taken']['value'] < 0.5  # taken where it leaves, or where it goes on
        for share, least, most in ((0, 0.9 * ROW, 1.1 * ROW), (0.5, 1.8, 2.1), (1, 0.95, 1)):
            mean, _ = trips(kernel, n, f'{name}={share if leaves else 1 - share}')
            check(f'{kernel}: a share of {share} is stated', least <= mean <= most, mean)
    seconds = {kernel: ask(['predict', '-d', 'h200', '-m', 'trace'], kernel, n)['predictions'][0]['terms'] for kernel in ('any_marked', 'block_marked')}
    issue = {kernel: sum(t['amount'] for t in terms if t['name'] == 'issue') for kernel, terms in seconds.items()}
    check('lanes that search each for itself wait for the last', issue['any_marked'] > 1.4 * issue['block_marked'], issue)
    mean, _ = trips('until_full', n)
    check('until_full: to the end of the row', 0.95 * ROW < mean < 1.05 * ROW, mean)
    _, unknowns = trips('escape', '3=300')
    check('escape: a third of the bound', unknowns['trips']['value'] == 100 and 'third' in unknowns['trips']['meaning'], unknowns)
    mean, _ = trips('first_above', f'2={BLOCKS * THREADS}', '3=200')
    check('first_above: to its bound', mean == 200, mean)
    _, unknowns = trips('within_row')
    check('within_row: by halves of a row', math.isclose(unknowns['trips']['value'], math.log2(ROW + 1), rel_tol=0.01), unknowns)
    _, unknowns = trips('looks_back')
    check('looks_back: its bound says nothing', unknowns['trips']['value'] == ROW, unknowns)
    cells = BLOCKS * THREADS
    for shift in range(2):  # the middle block begins on a border of the plane, or does not
        side = (256, 250)[shift]
        mean, _ = trips('cells_beside', f'3={side}')
        check(f'cells_beside: three rows of three cells each, {side}', 0.9 < mean * cells / (side * side * 9 * ROW) < 1.05, mean)
    print(f'{faults} failed')
    return faults > 0


sys.exit(main())
