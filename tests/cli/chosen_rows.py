#!/usr/bin/env python3
"""Rows that an index array chooses are as many whether a compiler unrolls the loop over them or not, come from device
memory by fetches of sectors side by side, and lie apart from each other as far as the array is stated to be large enough.
Matrices that a label of several blocks chooses differ as numbers do that are drawn from as many as there are labels, or
from as many as the stated bytes have.  Lanes that go along a row of an array whose begin is loaded ask for its sectors.

usage: chosen_rows.py FOREWARP ROOT"""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
BAGS, ROWS = 65536, 20
LABELS, COLUMNS, DEEP = 24, 2048, 256


def ask(kernel):
    command = [FOREWARP, 'traffic', ROOT + '/tests/cli/chosen_rows.ptx', '-d', 'h200', '-k', kernel, '-g', str(BAGS // 8), '-b', '16,8', '-s', f'3={BAGS}',
               '-s', f'4={ROWS}', '--json']
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def command_of(kernel, *stated):
    command = [FOREWARP, 'predict', ROOT + '/tests/cli/chosen_rows.ptx', '-d', 'h200', '-k', kernel, '-g', str(BAGS // 8), '-b', '16,8', '-s', f'3={BAGS}',
               '-s', f'4={ROWS}', '-m', 'traffic,trace', '--json']
    return command + [word for one in stated for word in ('-s', one)]


def needs(kernel, *stated):
    """Seconds that the models traffic and trace say device memory takes."""
    answer = json.loads(subprocess.run(command_of(kernel, *stated), check=True, capture_output=True, text=True).stdout)
    return [term['seconds'] for one in answer['predictions'] for term in one['terms'] if term['name'] == 'dram']


def matrices(*options):
    """How many matrices the labels of all blocks choose, and whether the answer says how that is known."""
    command = [FOREWARP, 'COMMAND', ROOT + '/tests/cli/chosen_rows.ptx', '-d', 'h200', '-k', 'one_matrix_a_label', '-g', str(LABELS * COLUMNS // 128),
               '-b', '128', '-s', f'3={COLUMNS}', '-s', f'4={DEEP}', *options]
    told = {name: subprocess.run([*command[:1], name, *command[2:], *more], check=True, capture_output=True, text=True).stdout
            for name, *more in (('traffic', '--json'), ('predict', '-m', 'traffic'))}
    return json.loads(told['traffic'])['once_read_bytes'] / (16 * COLUMNS * DEEP), 'choose for several blocks together' in told['predict']


def main():
    failed = 0
    for kernel in ('one_by_one', 'four_at_once'):
        traffic, trace = needs(kernel, '0.spread=4G')  # a table far larger than L2
        if not 0.8 < trace / traffic < 1.2:
            failed += 1
            print(f'{kernel}: device memory takes {1e6 * trace:.0f} us by trace and {1e6 * traffic:.0f} us by traffic')
    least = 256 * BAGS * ROWS
    for kernel in ('one_by_one', 'four_at_once'):
        answer = ask(kernel)
        for volume in ('l2_to_l1_bytes', 'once_read_bytes'):
            if not least <= answer[volume] <= 1.05 * least:
                failed += 1
                print(f'{kernel}: {volume} is {answer[volume]:.6g}, and the rows have {least:.6g}')
        apart, roomy, tight = needs(kernel), needs(kernel, '0.bytes=1G', '1.bytes=5M', '2.bytes=16M'), needs(kernel, '0.bytes=20M')
        if roomy != apart or not all(few < 0.3 * many for few, many in zip(tight, apart)):
            failed += 1
            print(f'{kernel}: device memory takes {apart} s, {roomy} s for a table of 1 GiB, {tight} s for one of 20 MiB')
    for stated in ('0.bytes=0', '3.bytes=4', 'tabel.bytes=4'):
        if subprocess.run(command_of('one_by_one', stated), capture_output=True).returncode == 0:
            failed += 1
            print(f'-s {stated} is taken')
    for options, least, most in (((), 0.5 * LABELS, 0.75 * LABELS), (('-s', f'0.spread={8 * 16 * COLUMNS * DEEP}'), 6, 10),
                                 (('-s', f'0.bytes={8 * 16 * COLUMNS * DEEP}'), 6, 10)):
        different, said = matrices(*options)
        if not least <= different <= most or said == bool(options):
            failed += 1
            print(f'{LABELS} labels {options} choose {different:.3g} matrices, {"which is" if said else "not"} said')
    command = [FOREWARP, 'traffic', ROOT + '/tests/cli/chosen_rows.ptx', '-d', 'h200', '-k', 'by_pointers', '-g', '1000', '-b', '128', '-s', '5=1', '--json']
    sectors = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)['global_load_sectors']
    command = [FOREWARP, 'count', *command[2:3], *command[5:]]
    memory = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)['memory']
    requests = sum(row['count'] for row in memory if row['bytes'] == 16 and row['direction'] == 'load') / 32
    if not 16 * requests < sectors < 24 * requests:  # four rows of four or five sectors each, and numbers that all lanes share
        failed += 1
        print(f'rows of arrays that a table has: {sectors:.6g} sectors for {requests:.6g} requests of four rows each')
    print(f'{failed} failed')
    return failed > 0


sys.exit(main())
