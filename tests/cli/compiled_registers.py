#!/usr/bin/env python3
"""What a list of launches says of the compiler ("compiled") stands for what ptxas would say: registers, spills, and no
others.  By estimate, products of warp groups are waited for one by one only where registers are lacking for these.

usage: compiled_registers.py FOREWARP ROOT"""
import json
import os
import subprocess
import sys
import tempfile

FOREWARP, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SUMS = 128


def product_then_scaled(held):
    """A product of 64 x 256, whose sums are scaled behind the loop by what all of them and as many values from memory
    give: some 270 registers there, 142 in the loop.  held: the values are loaded before the loop, and live through it.
    ptxas 13.0 gives both 255 registers, spills 64 and 76 bytes, and waits for no product by itself."""
    sums = ', '.join(f'%f{i}' for i in range(SUMS))
    loads = [f'ld.global.f32 %g{i}, [%rd6+{512 * i}];' for i in range(SUMS)]
    product = f'wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {{{sums}}}, %rd2, %rd3, 1, 1, 1, 0, 0;'
    lines = ['.version 8.0', '.target sm_90a', '.address_size 64',
             '.visible .entry product_then_scaled(.param .u64 target, .param .u64 scales, .param .u32 count)', '.maxntid 128, 1, 1', '{',
             '.reg .pred %p<4>;', '.reg .b32 %r<16>;', '.reg .b64 %rd<16>;', f'.reg .f32 %f<{SUMS}>;', f'.reg .f32 %g<{SUMS}>;',
             f'.reg .f32 %h<{SUMS + 1}>;', '.shared .align 1024 .b8 tiles[49152];', 'ld.param.u64 %rd1, [target];',
             'ld.param.u64 %rd6, [scales];', 'ld.param.u32 %r1, [count];', 'mov.u32 %r2, %tid.x;', 'mov.u32 %r3, %ctaid.x;',
             'mov.u32 %r4, tiles;', 'shr.u32 %r5, %r4, 4;', 'and.b32 %r5, %r5, 16383;', 'cvt.u64.u32 %rd2, %r5;',
             'or.b64 %rd2, %rd2, 4611686293305294848;', 'add.s64 %rd3, %rd2, 1024;', 'mul.wide.u32 %rd4, %r3, 65536;',
             'mul.wide.u32 %rd5, %r2, 4;', 'add.s64 %rd4, %rd4, %rd5;', 'add.s64 %rd1, %rd1, %rd4;', 'add.s64 %rd6, %rd6, %rd4;',
             *[f'mov.f32 %f{i}, 0f00000000;' for i in range(SUMS)], 'mov.u32 %r6, 0;', *(loads if held else []),
             'LOOP:', 'wgmma.fence.sync.aligned;', *[product] * 4, 'wgmma.commit_group.sync.aligned;', 'wgmma.wait_group.sync.aligned 0;',
             'add.u32 %r6, %r6, 1;', 'setp.lt.u32 %p1, %r6, %r1;', '@%p1 bra LOOP;', *([] if held else loads), 'mov.f32 %h0, 0f00000000;',
             *[f'fma.rn.f32 %h{i + 1}, %g{i}, %f{i}, %h{i};' for i in range(SUMS)],
             *[f'fma.rn.f32 %f{i}, %f{i}, %h{SUMS}, %g{i};' for i in range(SUMS)],
             *[f'st.global.f32 [%rd1+{512 * i}], %f{i};' for i in range(SUMS)], 'ret;', '}', '']
    return '\n'.join(lines)


def run(*command):
    return subprocess.run([FOREWARP, *command], capture_output=True, text=True)


with tempfile.TemporaryDirectory() as folder:
    def answers(launches):
        with open(f'{folder}/list.jsonl', 'w') as out:
            for launch in launches:
                out.write(json.dumps({'file': 'kernel.ptx', 'grid': 132, 'block': 128, 'arguments': {'2': 256}, **launch}) + '\n')
        done = run('predict', '--launches', f'{folder}/list.jsonl', '-d', 'h200', '-m', 'trace', '--ptxas', 'never', '--json')
        return done, json.loads(done.stdout)['launches'] if done.stdout else []

    def seconds(answer):
        return answer.get('answer', answer)['predictions'][0]['seconds']

    with open(f'{folder}/kernel.ptx', 'w') as out:
        out.write(product_then_scaled(False))
    known = {'registers': 255, 'spills': 64}
    _, (estimated, compiled, freely) = answers([{}, {'compiled': known}, {'compiled': {'registers': 255}}])
    print([seconds(a) for a in (estimated, compiled, freely)])
    assert abs(seconds(estimated) / seconds(compiled) - 1) < 0.05, 'products are not waited for one by one'
    assert seconds(freely) < seconds(compiled), 'what is not spilled takes no time'

    # The answer has what was stated, and says where it is from.
    done = run('predict', f'{folder}/kernel.ptx', '-d', 'h200', '-m', 'trace', '--ptxas', 'never', '-g', '132', '-b', '128', '-s', '2=256',
               '--registers', '128', '--json')
    held_to = json.loads(done.stdout)
    assert held_to['predictions'][0]['seconds'] > 1.2 * seconds(freely), 'a stated limit makes products wait'

    # Values that live through the loop are spilled around it.
    with open(f'{folder}/kernel.ptx', 'w') as out:
        out.write(product_then_scaled(True))
    _, (estimated, compiled) = answers([{}, {'compiled': {'registers': 255, 'spills': 76}}])
    print([seconds(a) for a in (estimated, compiled)])
    assert abs(seconds(estimated) / seconds(compiled) - 1) < 0.05, 'products are not waited for one by one'

    # More than a thread can have, and what is no count, are refused.
    done, _ = answers([{'compiled': {'registers': 300}}])
    assert done.returncode == 2 and '"API036"' in done.stderr, done
    for wrong in 168, {'spills': 4}, {'registers': 0}, {'registers': 64, 'spills': -4}, {'registers': 64, 'shared': 4}:
        done, _ = answers([{'compiled': wrong}])
        assert done.returncode == 1 and '"API040"' in done.stderr and '"line": 1' in done.stderr, (wrong, done)
