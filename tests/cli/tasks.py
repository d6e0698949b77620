#!/usr/bin/env python3
"""Blocks, warps and threads that take tasks from a counter take all of them, each in its turn: nothing is unknown, and the
answer says what is supposed.  What is no such counter stays unknown.

usage: tasks.py FOREWARP ROOT"""
import json
import os
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
BLOCKS, THREADS = 264, 128
faults = 0


def check(what, good, shown):
    global faults
    faults += not good
    if not good:
        print('FAILED:', what, shown)


def ask(command, kernel, *stated):
    done = subprocess.run([FOREWARP, *command, ROOT + '/tests/cli/tasks.ptx', '-k', kernel, '-g', str(BLOCKS), '-b', str(THREADS), '--json',
                           *(word for one in stated for word in ('-s', one))], capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def stores(answer):
    return sum(row['count'] for row in answer['memory'] if row['direction'] == 'store' and row['space'] == 'global')


def takes(answer):
    return sum(row['count'] for row in answer['memory'] if row['direction'] == 'atomic')


def main():
    for kernel, argument, tasks in (('by_blocks', 2, 1000), ('by_blocks', 2, 100), ('by_blocks_within', 2, 1000), ('own_first', 2, 1000)):
        answer = ask(['count'], kernel, f'{argument}={tasks}')
        check(f'{kernel}: each task once', stores(answer) == tasks * THREADS, stores(answer))
        check(f'{kernel}: nothing is unknown', not answer['unknowns'], answer['unknowns'])
        takers = tasks if kernel == 'own_first' else tasks + BLOCKS  # each block finds that there is none
        check(f'{kernel}: tasks are taken', takes(answer) == takers, takes(answer))
    for kernel in ('by_warps', 'by_threads'):
        answer = ask(['count'], kernel, '2=1000003')
        check(f'{kernel}: each element once', stores(answer) == 1000003, stores(answer))
        check(f'{kernel}: nothing is unknown', not answer['unknowns'], answer['unknowns'])
    answer = ask(['traffic', '-d', 'h200'], 'tile_each')
    check('tile_each: tiles are apart', answer['once_written_bytes'] >= BLOCKS * THREADS * 4, answer['once_written_bytes'])
    answer = ask(['predict', '-d', 'h200', '-m', 'traffic'], 'by_blocks', '2=100000')
    notes = answer['predictions'][0]['left_out']
    check('what is supposed is said', any('taken from a counter' in note for note in notes), notes)
    for kernel, tasks in (('by_loaded_amounts', '3=1000'), ('now_and_then', '3=1000')):
        answer = ask(['count'], kernel, tasks)
        check(f'{kernel}: its trips are unknown', any(u['kind'] == 'trips' for u in answer['unknowns']), answer['unknowns'])
    print(f'{faults} failed')
    return faults > 0


sys.exit(main())
