#!/usr/bin/env python3
"""A loop that goes through two lists at one time, as data decide in which it goes on, runs as often as both have entries but those
that one has left when the other ends; a loop with two counters that always move runs as often as one list has entries.  That a
way leads past a loop says the same of a branch, whether its condition has one part of which nothing is known or two.

usage: merged.py FOREWARP ROOT"""
import json
import os
import random
import statistics
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
ENTRIES = 16
faults = 0


def check(what, good, shown):
    global faults
    faults += not good
    if not good:
        print('FAILED:', what, shown)


def unknowns_of(kernel):
    done = subprocess.run([FOREWARP, 'count', ROOT + '/tests/cli/merged.ptx', '-k', kernel, '-g', '100', '-b', '128', '-s', '3=12800', '--json'],
                          capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)['unknowns']


def trips_of(kernel):
    return next((u['value'], u['meaning']) for u in unknowns_of(kernel) if u['name'].startswith('trips'))


def drawn():
    """Trips until one of two lists ends, of numbers in any order."""
    order = [0] * ENTRIES + [1] * ENTRIES
    random.shuffle(order)
    return max(t + 1 for t, of in enumerate(order) if of != order[-1])


def main():
    random.seed(1)
    mean = statistics.mean(drawn() for _ in range(20000))
    for kernel in ('common', 'merged'):
        trips, meaning = trips_of(kernel)
        check(f'{kernel}: both lists', abs(trips - mean) < 0.1, (trips, mean))
        check(f'{kernel}: the reason is said', 'two lists' in meaning, meaning)
    trips, meaning = trips_of('along')
    check('along: one list', trips == ENTRIES and 'two lists' not in meaning, (trips, meaning))
    past = next(u['value'] for u in unknowns_of('common') if u['name'].startswith('taken'))
    check('common: past the loop as of any other', past == 0.25, past)
    print(f'{faults} failed')
    return faults > 0


sys.exit(main())
