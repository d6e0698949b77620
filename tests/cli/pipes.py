#!/usr/bin/env python3
"""What units cost beside each other: stores along misaligned rows in L2, barriers, issue slots, and issue beside a unit
of fewer lanes, as data/h200/isolated and the mixes of data/h200/traffic show them.

usage: pipes.py FOREWARP"""
import json
import os
import subprocess
import sys
import tempfile

HEAD = '.version 8.0\n.target sm_90\n.address_size 64\n'
START = '''.reg .pred %p; .reg .b32 %r<20>; .reg .b64 %d<9>; .reg .f32 %f<20>;
ld.param.u64 %d1,[a]; cvta.to.global.u64 %d1,%d1; mov.u32 %r1,%ctaid.x; mov.u32 %r2,%ntid.x; mov.u32 %r3,%tid.x;
mad.lo.s32 %r4,%r1,%r2,%r3; mul.wide.u32 %d2,%r4,4; add.s64 %d3,%d1,%d2; cvt.rn.f32.u32 %f9,%r4;
'''
CHAINS = range(10, 18)
CLOCK, MULTIPROCESSORS, SCHEDULERS = 1.98e9, 132, 4


def kernel(body, rounds, before='', after=''):
    return (f'{HEAD}.visible .entry k(.param .u64 a) {{\n{START}{before}mov.u32 %r5,0;\nagain:\n{body}'
            f'add.s32 %r5,%r5,1; setp.lt.u32 %p,%r5,{rounds}; @%p bra again;\n{after}ret;\n}}\n')


def stores(offset):
    return kernel(f'st.global.f32 [%d3+{offset}],%f9; bar.warp.sync -1;\n', 16)


def arithmetic(kinds):
    before = ''.join(f'add.f32 %f{c},%f9,0f3F800000; add.s32 %r{c},%r4,{c};\n' for c in CHAINS)
    text = {'fma': 'fma.rn.f32 %f{0},%f{0},%f9,%f9;\n', 'xor': 'xor.b32 %r{0},%r{0},%r4;\nshr.u32 %r{0},%r{0},1;\n',
            'add': 'add.s32 %r{0},%r{0},%r4;\n', 'left': 'xor.b32 %r{0},%r{0},%r4;\nshl.b32 %r{0},%r{0},3;\n',
            'turn': 'xor.b32 %r{0},%r{0},%r4;\nshf.l.wrap.b32 %r{0},%r{0},%r{0},7;\n',
            'by_thread': 'xor.b32 %r{0},%r{0},%r4;\nshl.b32 %r{0},%r{0},%r4;\n'}
    body = ''.join(text[kind].format(c) for _ in range(4) for c in CHAINS for kind in kinds)
    sums = ''.join(f'add.f32 %f9,%f9,%f{c}; add.s32 %r4,%r4,%r{c};\n' for c in CHAINS)
    return kernel(body, 400, before, sums + 'cvt.rn.f32.u32 %f8,%r4; add.f32 %f9,%f9,%f8; st.global.f32 [%d3],%f9;\n')


def main(forewarp):
    faults = []

    def ask(text, grid, block, model='traffic', device='h200'):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'k.ptx')
            with open(path, 'w') as file:
                file.write(text)
            answer = subprocess.run([forewarp, 'predict', path, '-g', str(grid), '-b', str(block), '-d', device, '-m', model,
                                     '--json'], capture_output=True, text=True, check=True)
        prediction = json.loads(answer.stdout)['predictions'][0]
        return prediction['seconds'], {term['name']: term for term in prediction['terms']}

    def expect(good, what):
        print('ok  ' if good else 'FAIL', what)
        if not good:
            faults.append(what)

    aligned, misaligned = (ask(stores(offset), 16384, 256)[1]['l2']['seconds'] for offset in (0, 4))
    expect(1.45 < misaligned / aligned < 2, f'stores along misaligned rows take L2 {misaligned / aligned:.2f} times as long (1.6)')

    least = 1000 * 64 * 2 / CLOCK  # two cycles a warp, two blocks of 32 warps
    for model in 'traffic', 'trace':
        took, _ = ask(kernel('bar.sync 0;\n', 1000), 264, 1024, model)
        expect(0.95 * least < took < 1.5 * least, f'{model}: 64 warps at 1000 barriers take {1e6 * took:.1f} us ({1e6 * least:.1f})')

    def beyond_issue(kinds, device='h200'):
        took, terms = ask(arithmetic(kinds), 1056, 256, device=device)
        return took / (terms['issue']['amount'] / (MULTIPROCESSORS * SCHEDULERS * CLOCK)), terms

    alone, _ = beyond_issue(['fma'])
    expect(1 < alone < 1.1, f'products fill the issue slots: {alone:.2f} times what they issue in')
    beside, _ = beyond_issue(['fma', 'fma', 'xor'])
    apart, _ = beyond_issue(['fma', 'fma', 'xor'], 'h200:pipes_overlap=100')
    expect(beside > 1.08 * apart, f'a busy ALU delays issue: {beside:.2f} times, {apart:.2f} if they overlapped')
    _, terms = beyond_issue(['add'])
    expect(terms['f32']['amount'] > 0.2 * terms['integer']['amount'], 'the f32 unit takes over additions of integers')
    for model in 'traffic', 'trace':
        left, turned, by_thread = (ask(arithmetic([kind]), 1056, 256, model)[0] for kind in ('left', 'turn', 'by_thread'))
        expect(turned > 1.5 * left and by_thread > 1.5 * left,
               f'{model}: rotations and shifts by a register are the ALU\'s alone: {turned / left:.2f} and {by_thread / left:.2f} '
               'times shifts to the left by a literal (2)')
    print(f'{len(faults)} failed')
    return bool(faults)


sys.exit(main(sys.argv[1]))
