#!/usr/bin/env python3
"""Times every configuration of the tuning spaces of data/h200/spaces.  usage: record_spaces.py OUTPUT

A line a configuration: the space, its macros, grid, block, arguments, registers, and seconds of a launch:
the median of 9 batches of about 5 ms back to back, after such a batch.  Needs CuPy, nvcc and a device."""
import concurrent.futures
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile

import cupy as cp

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
STATIC_SHARED = 48 << 10
N = {'convolution': 4096, 'product': 2048, 'temporal': 6000}


def parts(a, b):
    return -(-a // b)


def product_of(**axes):
    for values in itertools.product(*axes.values()):
        yield dict(zip(axes, values))


def spaces():
    """(space, macros, grid, block, integer arguments)"""
    n = N['convolution']
    for m in product_of(BX=[16, 32, 64], BY=[2, 4, 8, 16], PX=[1, 2, 4], PY=[1, 2, 4], SHARED=[0, 1]):
        if m['SHARED'] and 4 * (m['BY'] * m['PY'] + 6) * (m['BX'] * m['PX'] + 6) > STATIC_SHARED:
            continue
        yield 'convolution', m, [n // m['BX'] // m['PX'], n // m['BY'] // m['PY']], [m['BX'], m['BY']], [n, n + 6]
    n = N['product']
    for m in product_of(BX=[8, 16, 32], BY=[4, 8, 16], RM=[2, 4, 8], RN=[2, 4, 8], BK=[8, 16, 32]):
        if 4 * m['BK'] * (m['BY'] * m['RM'] + 1 + m['BX'] * m['RN']) > STATIC_SHARED:
            continue
        yield 'product', m, [n // m['BX'] // m['RN'], n // m['BY'] // m['RM']], [m['BX'], m['BY']], [n]
    n = N['temporal']
    for m in product_of(BX=[32, 64, 128], BY=[2, 4, 8, 16], PY=[1, 2, 4, 8], STEPS=[1, 2, 3, 4]):
        rows = m['BY'] * m['PY']
        if m['BX'] * m['BY'] <= 1024 and rows > 2 * m['STEPS'] and 8 * rows * m['BX'] <= STATIC_SHARED:
            yield ('temporal', m, [parts(n, m['BX'] - 2 * m['STEPS']), parts(n, rows - 2 * m['STEPS'])], [m['BX'], m['BY']], [n])


def build(folder, number, one):
    space, macros = one[:2]
    out = f'{folder}/{number}.cubin'
    command = ['nvcc', '-O3', '-arch=sm_90', '-cubin', '-o', out, f'{ROOT}/data/h200/spaces/{space}.cu']
    subprocess.run(command + [f'-D{k}={v}' for k, v in macros.items()], check=True, capture_output=True)
    return out


def seconds_of(go):
    def batch(count):
        a, b = cp.cuda.Event(), cp.cuda.Event()
        a.record()
        for _ in range(count):
            go()
        b.record()
        b.synchronize()
        return cp.cuda.get_elapsed_time(a, b) / 1e3 / count
    go()
    count = max(3, min(200, int(5e-3 / batch(3))))
    batch(count)
    return statistics.median(batch(count) for _ in range(9))


def main():
    configurations = list(spaces())
    arrays = [cp.random.random((N['temporal'] + 64) ** 2, dtype=cp.float32) * 0.01 + 0.05 for _ in range(3)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, \
            open(sys.argv[1], 'w') as out:
        built = [pool.submit(build, folder, i, one) for i, one in enumerate(configurations)]
        for one, job in zip(configurations, built):
            job.result()
        for one, job in zip(configurations, built):
            space, macros, grid, block, integers = one
            kernel = cp.RawModule(path=job.result()).get_function(space)
            pointers = arrays[:3 if space == 'product' else 2]
            arguments = tuple(pointers) + tuple(cp.int32(i) for i in integers)
            row = {'space': space, 'macros': macros, 'grid': grid, 'block': block, 'integers': integers,
                   'registers': kernel.num_regs, 'spilled_bytes': kernel.local_size_bytes}
            row['seconds'] = float(f'{seconds_of(lambda: kernel(tuple(grid), tuple(block), arguments)):.6g}')
            out.write(json.dumps(row) + '\n')
    print(len(configurations), 'configurations')


main()
