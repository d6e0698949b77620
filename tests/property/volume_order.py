#!/usr/bin/env python3
"""Volumes of the examples and of the generated kernels keep their order: device memory is read no more often than L1
requests data of L2 (twice their bytes at most, as L2 fetches two sectors for one) and than sectors are filled up; it is
written no more often than L1 stores; and no launch touches more distinct data than it moves.
usage: volume_order.py FOREWARP SOURCE [N]    with N: of every N-th launch alone"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys

forewarp, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
FETCH = 2  # sectors that L2 fetches together
ROUNDING = 1 + 1e-6


def launches():
    """PTX, source and launch of each row."""
    for row in json.load(open(source + '/kernels/launches.json')):
        name = row['file'].replace('.cu', '')
        yield f'{source}/tests/golden/kernels/{name}.ptx', f'{source}/kernels/{row["file"]}', row
    for half in ('found', 'judged'):
        folder = f'{source}/data/h200/generated/{half}/'
        for row in json.load(open(folder + 'launches.json')):
            yield folder + row['file'].replace('.cu', '.ptx'), folder + row['file'], row


def order(path, kernel):
    """Names of a kernel's parameters, in their order."""
    found = re.search(r'\b' + kernel + r'\s*\(([^)]*)\)', open(path).read())
    return [re.findall(r'\w+', p)[-1] for p in found.group(1).split(',')] if found else []


def wrong(ptx, path, row):
    """What is wrong with the launch's volumes; None: there is no answer."""
    names = order(path, row['kernel'])
    command = [forewarp, 'traffic', ptx, '-d', 'h200', '-k', row['kernel'], '-g', ','.join(map(str, row['grid'])),
               '-b', ','.join(map(str, row['block'])), '--shared', str(row.get('shared', 0)), '--json']
    for name, value in row['arguments'].items():
        command += ['-s', f'{names.index(name)}={value}'] if name in names else ['-s', f'{name}={value}']
    answer = subprocess.run(command, capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': source})
    if answer.returncode:
        return None
    v = json.loads(answer.stdout)
    loaded, stored = v['l2_to_l1_bytes'], v['l1_to_l2_bytes']
    fill = v['dram_read_bytes_parts']['fill']
    rules = {
        'read from device memory': (v['dram_read_bytes'] - fill, FETCH * loaded),
        'filled up': (fill, stored),
        'written to device memory': (v['dram_write_bytes'], stored),
        'read once': (v['once_read_bytes'], FETCH * loaded),
        'written once': (v['once_written_bytes'], stored),
    }
    return [f'{row["kernel"]} {row["size"]}: {what}: {bytes:g} bytes, at most {most:g}'
            for what, (bytes, most) in rules.items() if bytes > most * ROUNDING + 1]


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    answers = list(pool.map(lambda launch: wrong(*launch), list(launches())[::every]))
known = [a for a in answers if a is not None]
for line in [line for a in known for line in a]:
    print('FAILED:', line)
print(f'{len(known)} of {len(answers)} launches')
sys.exit(any(known) or len(known) < max(1, 0.95 * len(answers)))
