#!/usr/bin/env python3
"""Where a loop keeps the greatest numbers that it comes to, a branch is taken as often as numbers in any order are among the
greatest so far: of threads, of warps of which any lane has such a number, and of a warp that asks for all of its lanes.
What is compared with a sum that is made of it has half, as ever.

usage: beyond.py FOREWARP ROOT"""
import json
import os
import random
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
faults = 0


def check(what, good, shown):
    global faults
    faults += not good
    if not good:
        print('FAILED:', what, shown)


def ask(command, kernel, *stated, more=()):
    done = subprocess.run([FOREWARP, command, ROOT + '/tests/cli/beyond.ptx', '-k', kernel, '-g', '1000', '-b', '128', '--json', *more,
                           *(word for one in stated for word in ('-s', one))], capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def issued(kernel, model, *stated):
    """Instructions that the launch issues to warps."""
    terms = ask('predict', kernel, '3=500', '4=128000', *stated, more=('-d', 'h200', '-m', model))['predictions'][0]['terms']
    return next(term['amount'] for term in terms if term['name'] == 'issue')


def drawn(places, at_once, kept, lists=1, launches=12):
    """The share of places at which one of the numbers of any list is among the greatest of its list so far."""
    random.seed(1)
    beyond = 0
    for _ in range(launches):
        greatest = [[] for _ in range(lists)]
        for _ in range(places):
            any_beyond = False
            for one in greatest:
                for number in [random.random() for _ in range(at_once)]:
                    if len(one) < kept or number > one[0]:
                        any_beyond = True
                        one.append(number)
                        one.sort()
                        del one[:-kept]
            beyond += any_beyond
    return beyond / places / launches


def main():
    cases = [('greatest', ('3=500', '4=128000'), drawn(500, 1, 1, launches=200)), ('least_three', ('3=8', '4=128'), drawn(1024, 1, 3, launches=100)),
             ('warp_keeps', ('2=8192',), drawn(256, 32, 32))]
    for kernel, stated, expected in cases:
        unknowns = [u for u in ask('count', kernel, *stated)['unknowns'] if u['name'].startswith('taken@')]
        share = 1 - unknowns[0]['value']  # the code jumps over what is done of such a number
        check(f'{kernel}: one branch', len(unknowns) == 1, unknowns)
        check(f'{kernel}: its share', 0.93 < share / expected < 1.07, (share, expected))
        check(f'{kernel}: the reason is said', 'in any order' in unknowns[0]['meaning'], unknowns[0]['meaning'])
    expected = drawn(500, 1, 1, lists=32)
    for model in ('traffic', 'trace'):
        usual, all_do, none_does = (issued('greatest', model, *more) for more in ((), ('taken@ptx:59=0',), ('taken@ptx:59=1',)))
        share = (usual - none_does) / (all_do - none_does)
        check(f'greatest: warps by {model}', 0.9 < share / expected < 1.1, (share, expected))
    unknowns = ask('count', 'overflows', '2=1', '3=1000', '4=128000')['unknowns']
    check('overflows: half', [u['value'] for u in unknowns] == [0.5], unknowns)
    stated = ask('count', 'greatest', '3=500', '4=128000', 'taken@ptx:59=0.25')['unknowns']
    check('what is stated holds', [u['value'] for u in stated] == [0.25], stated)
    print(f'{faults} failed')
    return faults > 0


sys.exit(main())
