#!/usr/bin/env python3
"""What kernels of asynchronous copies ask of memory and of their clusters, where one warp of many copies, bulk reductions
add, and blocks of a cluster wait for each other.

usage: asynchronous_kernels.py FOREWARP ROOT"""
import json
import os
import subprocess
import sys
import tempfile

FOREWARP, ROOT = sys.argv[1:3]


def ask(what, kernel, grid, block, arguments, *more, profile='h100'):
    command = [FOREWARP, what, f'{ROOT}/tests/golden/asynchronous/{kernel}.ptx', '-k', kernel, '-d', profile, '-g', str(grid),
               '-b', str(block), '--json', *more]
    for argument in arguments:
        command += ['-s', argument]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


# The ninth of nine warps copies: rows of 14,336 bytes, as many of each block or not.
for grid in 256, 264:
    sectors = ask('traffic', 'split_softmax', grid, 288, ['2=16384'])['global_load_sectors']
    print(grid, sectors)
    assert abs(sectors / (16384 * 14336 / 32) - 1) < 0.01, (grid, sectors)

# A pass over each sector of each row that is added, all of which change as a whole.
with open(f'{ROOT}/profiles/h100.json') as file:
    figures = json.load(file)['figures']
terms = ask('predict', 'reduce_rows', 264, 256, ['3=32768', '4=4096'], '-m', 'traffic')['predictions'][0]['terms']
atomics = next(t['seconds'] for t in terms if t['name'] == 'atomics')
expected = 32768 * 4096 / 32 / figures['atomic_whole']['value'] / figures['atomic_slices']['value']
print(atomics, expected)
assert abs(atomics / expected - 1) < 0.05, (atomics, expected)

# Two barriers of the cluster, and one turn or two of loads from its other blocks, in a launch of a block on each
# multiprocessor.
seconds = {}
with tempfile.TemporaryDirectory() as folder:
    for barrier, load in (14.2, 29), (1014.2, 29), (1014.2, 1029):
        with open(f'{ROOT}/profiles/h100.json') as file:
            profile = json.load(file)
        profile['figures']['latency_cluster_barrier']['value'] = barrier
        profile['figures']['latency_cluster']['value'] = load
        for name in 'latency_cluster_barrier', 'latency_cluster':
            for bound in 'low', 'high':
                profile['figures'][name].pop(bound, None)
        path = os.path.join(folder, 'changed.json')
        with open(path, 'w') as file:
            json.dump(profile, file)
        answer = ask('predict', 'cluster_norm', 132, 256, [], '-m', 'trace', profile=path)
        seconds[barrier, load] = answer['predictions'][0]['seconds']
clock = figures['sm_clock']['value']
barriers = (seconds[1014.2, 29] - seconds[14.2, 29]) * clock
loads = (seconds[1014.2, 1029] - seconds[1014.2, 29]) * clock
print(barriers, loads)
assert 1800 < barriers < 2200, barriers
assert 800 < loads < 2200, loads

# Reductions in the shared memory of the other blocks of a cluster: half as fast, twice as long.
with tempfile.TemporaryDirectory() as folder:
    took = []
    for factor in 1, 0.5:
        with open(f'{ROOT}/profiles/h200.json') as file:
            profile = json.load(file)
        figure = profile['figures']['cluster_reductions']
        figure['value'] *= factor
        figure.pop('low'), figure.pop('high')
        path = os.path.join(folder, 'changed.json')
        with open(path, 'w') as file:
            json.dump(profile, file)
        took.append(ask('predict', 'cluster_histogram', 528, 256, ['2=8192'], '-m', 'trace', profile=path)['predictions'][0]['seconds'])
print(took)
assert took[0] > 200e-6 and 1.9 < took[1] / took[0] < 2.1, took

# Clusters of four that find room on 122 of 132 multiprocessors: where a block fills one, the 31st takes a second turn.
took = [ask('predict', 'cluster_norm', grid, 256, [], '-m', 'trace', '--shared', '200000', profile='h200')['predictions'][0]['seconds']
        for grid in (120, 124)]
print(took)
assert took[1] > 1.2 * took[0], took

# Products by wgmma whose loops cp.async feeds: traffic has what trace simulates of them, where it took batches of loads to
# be waited for, or products as other arithmetic.
for kernel, grid, places, size in ('matmul_f16', '16,16', range(3, 9), 2048), ('attention', '64,32', (4,), 4096), ('attention', '32,64', (4,), 2048):
    command = [FOREWARP, 'predict', f'{ROOT}/tests/golden/triton/{kernel}.ptx', '-d', 'h200', '-g', grid, '-m', 'traffic,trace', '--ptxas', 'never', '--json']
    for place in places:
        command += ['-s', f'{place}={size}']
    traffic, trace = (one['seconds'] for one in json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)['predictions'])
    print(kernel, size, traffic / trace)
    assert abs(traffic / trace - 1) < 0.1, (kernel, size, traffic, trace)
