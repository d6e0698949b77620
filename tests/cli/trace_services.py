#!/usr/bin/env python3
"""The trace model takes the services that the traffic model takes: the same work takes longer where many atomic
operations meet on one word, where the threads of a warp load constants from places of their own, where rows of
device memory are short, and where a warp waits for its asynchronous copies.

usage: trace_services.py FOREWARP ROOT"""
import json
import os
import subprocess
import sys
import tempfile

HEAD = '.version 8.0\n.target sm_90\n.address_size 64\n'
INDEX = '''.reg .pred %p; .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .f32 %f<20>;
ld.param.u64 %d1,[a]; cvta.to.global.u64 %d1,%d1; mov.u32 %r1,%ctaid.x; mov.u32 %r2,%ntid.x; mov.u32 %r3,%tid.x;
mad.lo.s32 %r4,%r1,%r2,%r3;
'''


def kernel(body, shared='', const=''):
    return f'{HEAD}{const}.visible .entry k(.param .u64 a) {{\n{shared}{INDEX}{body}ret;\n}}\n'


def atomics(mask):
    """each thread adds to one of mask + 1 words"""
    return kernel(f'and.b32 %r5,%r4,{mask}; mul.wide.u32 %d2,%r5,4; add.s64 %d3,%d1,%d2; red.global.add.u32 [%d3],1;\n')


def constants(index):
    """loads from a place in a table that a thread or a block has for its own"""
    return kernel(f'and.b32 %r5,{index},255; mul.wide.u32 %d2,%r5,4; mov.u64 %d4,table; add.s64 %d5,%d4,%d2;\n'
                  'ld.const.f32 %f1,[%d5]; mul.wide.u32 %d2,%r4,4; add.s64 %d3,%d1,%d2; st.global.f32 [%d3],%f1;\n',
                  const='.const .align 4 .b8 table[1024];\n')


def rows(width):
    """copies rows of `width` words whose neighbours lie a long way off, next to each other for other blocks"""
    return kernel(f'div.u32 %r5,%r3,{width}; rem.u32 %r6,%r3,{width}; mul.lo.s32 %r7,%r5,4194304;\n'
                  f'mad.lo.s32 %r7,%r1,{width},%r7; add.s32 %r7,%r7,%r6; mul.wide.u32 %d2,%r7,4; add.s64 %d3,%d1,%d2;\n'
                  'ld.global.f32 %f1,[%d3]; add.f32 %f1,%f1,0f3F800000; st.global.f32 [%d3],%f1;\n')


def copies(left):
    """copies asynchronously 16 times, one group each, and waits for all but so many of them"""
    body = ('mul.wide.u32 %d2,%r4,16; add.s64 %d3,%d1,%d2; mov.u32 %r5,s; shl.b32 %r6,%r3,4; add.s32 %r5,%r5,%r6;\n'
            'mov.u32 %r7,0;\nL: cp.async.cg.shared.global [%r5],[%d3],16; cp.async.commit_group;\n'
            f'cp.async.wait_group {left}; add.s64 %d3,%d3,8388608; add.s32 %r7,%r7,1; setp.lt.s32 %p,%r7,16; @%p bra L;\n')
    return kernel(body, shared='.shared .align 16 .b8 s[4096];\n')


def seconds(forewarp, text, blocks, threads):
    with tempfile.NamedTemporaryFile('w', suffix='.ptx') as file:
        file.write(text)
        file.flush()
        answer = subprocess.run([forewarp, 'predict', file.name, '-m', 'trace', '-d', 'h200', '-g', str(blocks), '-b',
                                 str(threads), '--json'], capture_output=True, text=True)
    if answer.returncode:
        sys.exit(answer.stderr)
    prediction = json.loads(answer.stdout)['predictions'][0]
    return prediction['seconds'], {term['name']: term['seconds'] for term in prediction['terms']}


def main():
    forewarp, root = sys.argv[1:3]
    os.environ.setdefault('FOREWARP_DATA', root)
    failed = 0

    def holds(what, value):
        nonlocal failed
        failed += not value
        print(('ok      ' if value else 'FAILED  ') + what)

    apart, one = (seconds(forewarp, atomics(mask), 4096, 256) for mask in (0xfffff, 0))
    holds('operations on one word go one after the other', one[0] > 20 * apart[0])
    holds('and are a term of their own', one[1]['atomics'] > 0.9 * one[0])
    one, each = (seconds(forewarp, constants(index), 4096, 256) for index in ('%r1', '%r4'))
    holds('the constant cache serves one address of a warp after the other', each[0] > 1.5 * one[0])
    holds('and its requests are a term of their own', each[1]['constant'] > 20 * one[1]['constant'])
    long, short = (seconds(forewarp, rows(width), 131072, 256) for width in (256, 8))
    holds('short rows cost device memory more', short[1]['dram'] > 1.2 * long[1]['dram'])
    some, each = (seconds(forewarp, copies(left), 132, 256) for left in (8, 0))
    holds('a warp waits for its copies', each[0] > 1.5 * some[0])
    print(f'{failed} failed')
    sys.exit(failed > 0)


main()
