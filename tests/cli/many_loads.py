#!/usr/bin/env python3
"""Accesses of an unrolled kernel that are one but for where they begin: more are there than are sampled, and each takes the
load-store unit and L2 what the sampled ones do, stores behind them too.

usage: many_loads.py FOREWARP"""
import json
import os
import subprocess
import sys
import tempfile

FOREWARP = sys.argv[1]
ROW = 4100  # bytes


def text(loads):
    """A thread adds `loads` words, a column of 25 rows after the other, and stores the sum four times."""
    lines = ['.version 8.0', '.target sm_90', '.address_size 64', '.visible .entry columns(.param .u64 in, .param .u64 out)', '{',
             '.reg .b32 %r<4>;', '.reg .f32 %f<3>;', '.reg .b64 %rd<8>;',
             'ld.param.u64 %rd1, [in];', 'ld.param.u64 %rd2, [out];', 'cvta.to.global.u64 %rd1, %rd1;', 'cvta.to.global.u64 %rd2, %rd2;',
             'mov.u32 %r1, %ctaid.x;', 'mov.u32 %r2, %tid.x;', 'mad.lo.s32 %r3, %r1, 128, %r2;', 'mul.wide.s32 %rd3, %r3, 4;',
             'add.s64 %rd4, %rd1, %rd3;', 'add.s64 %rd5, %rd2, %rd3;', 'mov.f32 %f1, 0f00000000;']
    for i in range(loads):
        lines += [f'ld.global.nc.f32 %f2, [%rd4+{4 * (i // 25) + ROW * (i % 25)}];', 'add.f32 %f1, %f1, %f2;']
    lines += [f'st.global.f32 [%rd5+{i << 20}], %f1;' for i in range(4)] + ['ret;', '}']
    return '\n'.join(lines) + '\n'


def amounts(folder, loads):
    path = os.path.join(folder, f'{loads}.ptx')
    open(path, 'w').write(text(loads))
    answer = json.loads(subprocess.run([FOREWARP, 'predict', path, '-d', 'h200', '-m', 'trace', '-g', '2112', '-b', '128', '--ptxas', 'never', '--json'],
                                       capture_output=True, text=True, check=True).stdout)
    return {term['name']: term['amount'] for term in answer['predictions'][0]['terms']}


with tempfile.TemporaryDirectory() as folder:
    few, many = amounts(folder, 400), amounts(folder, 800)
print(few, many)
assert 1.9 < many['lsu'] / few['lsu'] < 2.1, (few['lsu'], many['lsu'])
assert many['l2'] / few['l2'] < 2.2, (few['l2'], many['l2'])
