#!/usr/bin/env python3
"""What if a device had more: is a launch then never slower? Each property grows step by step, and each model's time is
compared between neighbouring steps and between the first step and the last. The model roofline has to be monotone. The
models traffic and trace simulate an order of events, in which a faster resource can come to others at a worse moment
(docs/what-if.md): their steps may be slower by MOST, and so may their last step, of a property that does not limit
them, be slower than the first. Multiprocessors are compared for launches of many waves. What limits a kernel has to
make it faster: SCALING says by how much at least.
usage: what_if.py FOREWARP SOURCE [--all]  (--all: every example, with a table of how often and how much; no verdict)"""
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys

forewarp, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
everything = '--all' in sys.argv
MOST = {'roofline': 1e-9, 'traffic': 0.11, 'trace': 0.1}  # slower, of a step
MANY_WAVES = 16
KERNELS = ['copy', 'triad', 'matmul_naive', 'matmul_tiled', 'transpose', 'stencil2d', 'star25', 'conv2d', 'nbody',
           'spmv_csr', 'reduce', 'lbm_d3q19']
MODELS = ['roofline', 'traffic', 'trace']
MORE = {
    'multiprocessors': ['33', '66', '100', '132', '160', '198', '264'],
    'sm_clock': ['0.5x', '0.8x', '1x', '1.1x', '1.5x', '2x'],
    'dram_copy_bandwidth': ['0.25x', '0.5x', '0.9x', '1x', '1.2x', '2x', '4x'],
    'l2_bandwidth': ['0.25x', '0.5x', '0.9x', '1x', '1.2x', '2x', '4x'],
    'l2_bytes': ['0.25x', '0.5x', '1x', '1.5x', '2x', '8x'],
    'l1_shared_bytes': ['1x', '1.5x', '2x', '4x'],
    'lanes_f32': ['0.5x', '1x', '2x'],
    'latency_dram': ['4x', '2x', '1x', '0.9x'],
}
# From the first step to the last.  From about the device's own bandwidth of memory on, what L2 writes limits triad: the
# data that come and what is stored (l2_store_bandwidth, which stays).
SCALING = {('triad', 'dram_copy_bandwidth'): 4, ('nbody', 'sm_clock'): 3.8,
           ('nbody', 'multiprocessors'): 6, ('matmul_tiled', 'multiprocessors'): 6, ('matmul_tiled', 'sm_clock'): 3}


def order(path, kernel):
    """Names of a kernel's parameters, in their order."""
    found = re.search(r'\b' + kernel + r'\s*\(([^)]*)\)', open(path).read())
    return [re.findall(r'\w+', p)[-1] for p in found.group(1).split(',')] if found else []


def launches():
    """The first kernel of each example that is asked for, at its medium size."""
    seen = set()
    for row in json.load(open(source + '/kernels/launches.json')):
        name = row['file'].replace('.cu', '')
        ptx = f'{source}/tests/golden/kernels/{name}.ptx'
        if name in seen or row['size'] != 'medium' or not os.path.exists(ptx) or not (everything or name in KERNELS):
            continue
        seen.add(name)
        names = order(f'{source}/kernels/{row["file"]}', row['kernel'])
        command = [forewarp, 'predict', ptx, '-k', row['kernel'], '-g', ','.join(map(str, row['grid'])),
                   '-b', ','.join(map(str, row['block'])), '--shared', str(row.get('shared', 0)), '--json',
                   '--limit', '500', '-m', ','.join(MODELS)]
        for argument, value in row['arguments'].items():
            command += ['-s', f'{names.index(argument) if argument in names else argument}={value}']
        yield name, command


def ask(name, command, key):
    """Times by model, in the order of the property's steps; and the most waves of any step."""
    devices = [f'h200:{key}={value}' for value in MORE[key]]
    answer = subprocess.run([*command, '-d', ','.join(devices)], capture_output=True, text=True,
                            env={**os.environ, 'FOREWARP_DATA': source})
    if answer.returncode:
        sys.exit(f'{name}, {key}: {answer.stderr}')
    by_device = {row['device']: row['predictions'] for row in json.loads(answer.stdout)['devices']}
    times = {model: [next(p['seconds'] for p in by_device[device] if p['model'] == model) for device in devices]
             for model in MODELS}
    return name, key, times, min(row[0]['occupancy']['waves'] for row in by_device.values())


with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 1) // 2)) as pool:
    jobs = [pool.submit(ask, name, command, key) for name, command in launches() for key in MORE]
    answers = [job.result() for job in jobs]
steps, slower, worst, failures = collections.Counter(), collections.Counter(), {}, []
for name, key, times, waves in answers:
    if key == 'multiprocessors' and waves < MANY_WAVES:
        continue
    for model, row in times.items():
        for i, (before, after) in enumerate(zip(row, row[1:])):
            more = after / before - 1
            steps[model] += 1
            slower[model] += more > 0.01
            worst[model] = max(worst.get(model, (0, '')), (more, f'{name}, {key} {MORE[key][i]} to {MORE[key][i + 1]}'))
            if more > MOST[model]:
                failures.append(f'{model}: {name} is {100 * more:.2f} % slower at {key} {MORE[key][i + 1]} than {MORE[key][i]}')
        if row[0] / row[-1] < SCALING.get((name, key), 1 - MOST[model]):
            failures.append(f'{model}: {name} at {key} {MORE[key][-1]} is only {row[0] / row[-1]:.2f} times as fast as at {MORE[key][0]}')
for model in MODELS:
    print(f'{model}: {steps[model]} steps, slower by more than 1 %: {slower[model]}; worst {100 * worst[model][0]:.2f} % ({worst[model][1]})')
if not everything:
    print('\n'.join(failures))
    sys.exit(bool(failures) or steps['roofline'] < 300)
