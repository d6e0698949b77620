#!/usr/bin/env python3
"""How often a branch is taken that a loop's value decides, where arguments alone decide that value, is counted as the
loop goes; a model then leans on nothing, also where the loop is long, and the place that the branch moves is known.
Where each thread has a step of its own it is named as not known.

usage: credits.py FOREWARP ROOT"""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
PTX = ROOT + '/tests/cli/credits.ptx'
ACROSS, PITCH, THREADS = 100, 6400, 6400


def ask(command, kernel, arguments, *more):
    words = [FOREWARP, command, PTX, '-k', kernel, '-g', str(THREADS // 64), '-b', '64', '--json', *more]
    for place, value in arguments.items():
        words += ['-s', f'{place}={value}']
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def steps(down, pixels):
    """How often a line steps to the next row."""
    error, count = ACROSS // 2, 0
    for _ in range(pixels):
        error -= down
        if error < 0:
            count += 1
            error += ACROSS
    return count


def main():
    failed = 0
    for down, pixels in ((30, 100), (7, 1000), (57, 3000), (0, 50), (140, 300)):
        line = {2: ACROSS, 3: down, 4: pixels, 5: PITCH}
        counts = ask('count', 'line', line)
        loads = [row['count'] for row in counts['memory'] if row['direction'] == 'load' and row['space'] == 'global']
        if sum(loads) != THREADS * (1 + steps(down, pixels)) or counts['unknowns']:
            failed += 1
            print(f'{pixels} pixels, slope {down}: {loads} loads of {THREADS} threads, {steps(down, pixels)} steps of each')
        for model in ('traffic', 'trace'):
            answer = ask('predict', 'line', line, '-d', 'h200', '-m', model)
            if answer['unknowns'] or any('decide' in said for said in answer['predictions'][0]['left_out']):
                failed += 1
                print(f'{pixels} pixels, slope {down}, by {model}: not known {answer["unknowns"]}')
    if not ask('count', 'lines', {2: ACROSS, 3: 1000, 4: PITCH})['unknowns']:
        failed += 1
        print('slopes of threads: nothing is named as not known')
    print(f'{failed} failed')
    return failed > 0


sys.exit(main())
