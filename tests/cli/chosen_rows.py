#!/usr/bin/env python3
"""Rows that an index array chooses are as many whether a compiler unrolls the loop over them or not.

usage: chosen_rows.py FOREWARP ROOT"""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
BAGS, ROWS = 65536, 20


def ask(kernel):
    command = [FOREWARP, 'traffic', ROOT + '/tests/cli/chosen_rows.ptx', '-d', 'h200', '-k', kernel, '-g', str(BAGS // 8), '-b', '16,8', '-s', f'3={BAGS}',
               '-s', f'4={ROWS}', '--json']
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    failed = 0
    least = 256 * BAGS * ROWS
    for kernel in ('one_by_one', 'four_at_once'):
        answer = ask(kernel)
        for volume in ('l2_to_l1_bytes', 'once_read_bytes'):
            if not least <= answer[volume] <= 1.05 * least:
                failed += 1
                print(f'{kernel}: {volume} is {answer[volume]:.6g}, and the rows have {least:.6g}')
    print(f'{failed} failed')
    return failed > 0


sys.exit(main())
