#!/usr/bin/env python3
"""A line of a function stands with the calls through which it runs, the innermost first, whether it was inlined or is
called in PTX, in each model that knows lines; the rows still add up to the time, and a function that is called at two
places has a row for each.

usage: calls.py FOREWARP ROOT"""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
COMMAND = [FOREWARP, 'predict', ROOT + '/tests/cli/calls.ptx', '-d', 'h200', '-g', '1000', '-b', '256', '-s', '2=256000']
# function's line: the lines that it is called through
EXPECTED = {4: {(9, 20), (21,), (14, 22), (14, 23)}, 9: {(20,)}, 14: {(22,), (23,)}, 24: {()}}


def main():
    failed = 0
    for model in ('blend', 'trace', 'traffic'):
        prediction = json.loads(subprocess.run([*COMMAND, '-m', model, '--json'], check=True, capture_output=True, text=True).stdout)['predictions'][0]
        found = {}
        for row in prediction['lines']:
            found.setdefault(row['line'], set()).add(tuple(at['line'] for at in row['called_at']))
            if any(at['file'] != 'calls.cu' or not at['text'] for at in row['called_at']):
                failed += 1
                print(f'{model}: a call without file or text: {row["called_at"]}')
        for line, calls in EXPECTED.items():
            if not found.get(line, set()) <= calls or line != 4 and found.get(line) != calls:
                failed += 1
                print(f'{model}: line {line} is called through {found.get(line)}, not {calls}')
        if len(found.get(4, ())) < 2:
            failed += 1
            print(f'{model}: line 4 is called through {found.get(4)} alone')
        whole = sum(row['seconds'] for row in prediction['lines'])
        if abs(whole / prediction['seconds'] - 1) > 1e-6:
            failed += 1
            print(f'{model}: lines add up to {whole} of {prediction["seconds"]} s')
    text = subprocess.run([*COMMAND, '--lines'], check=True, capture_output=True, text=True).stdout.splitlines()
    at = next((i for i, line in enumerate(text) if 'calls.cu:9 ' in line and 'in calls' not in line), None)
    if at is None or 'in calls.cu:20' not in text[at + 1] or 'norm(in + i, n)' not in text[at + 1]:
        failed += 1
        print('for people, the call of a line does not stand below it')
    print(f'{failed} failed')
    return failed > 0


sys.exit(main())
