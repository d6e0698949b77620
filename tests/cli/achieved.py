#!/usr/bin/env python3
"""Achieved occupancy and hit rates, by Nsight Compute's names: of kernels of which they are plain.

usage: achieved.py FOREWARP

A loop that waits for device memory fills its places in one wave, half of them in half a wave.  Where three of four warps of a block
leave at once, a quarter of the places is held.  Atomic operations on one word wait in L2, and warps for a place in its
queue.  A store hits in L1 where the block has loaded its sector.  A load of data that L2 holds misses in the near part
in half of the cases and hits in the far one; stores are looked up in both (in_place in data/h200/isolated)."""
import json
import os
import subprocess
import sys
import tempfile

HEAD = '''.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b) {
.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>;
ld.param.u64 %d1,[a]; ld.param.u64 %d2,[b]; cvta.to.global.u64 %d1,%d1; cvta.to.global.u64 %d2,%d2;
mov.u32 %r1,%ctaid.x; mov.u32 %r2,%ntid.x; mov.u32 %r3,%tid.x;
mad.lo.s32 %r4,%r1,%r2,%r3; mul.wide.u32 %d3,%r4,4; add.s64 %d1,%d1,%d3; add.s64 %d2,%d2,%d3;
'''
LOOP = '''mov.u32 %r5,0; mov.f32 %f2,0f00000000;
again: ld.global.f32 %f1,[%d1]; add.f32 %f2,%f2,%f1; add.s64 %d1,%d1,1081344;
add.s32 %r5,%r5,1; setp.lt.u32 %p2,%r5,512; @%p2 bra again;
st.global.f32 [%d2],%f2;
'''
KERNELS = {
    'loop': LOOP,
    'quarter': 'setp.gt.u32 %p1,%r3,63; @%p1 bra done;\n' + LOOP + 'done:\n',
    'empty': '',
    'add': 'ld.param.u64 %d1,[a]; cvta.to.global.u64 %d1,%d1; red.global.add.u32 [%d1],%r4;\n',
    'in_place': 'ld.global.f32 %f1,[%d1]; add.f32 %f1,%f1,%f1; st.global.f32 [%d1],%f1;\n',
    'copy': 'ld.global.f32 %f1,[%d1]; add.f32 %f1,%f1,%f1; st.global.f32 [%d2],%f1;\n',
    'read': 'ld.global.f32 %f1,[%d1]; setp.lt.f32 %p1,%f1,0f7F800000; @%p1 bra done; st.global.f32 [%d2],%f1; done:\n',
}
OCCUPANCY = 'sm__warps_active.avg.pct_of_peak_sustained_active'
L1, L2 = 'l1tex__t_sector_hit_rate.pct', 'lts__t_sector_hit_rate.pct'


def main(forewarp):
    faults = []

    def ask(name, blocks, threads, model, *more):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'k.ptx')
            with open(path, 'w') as file:
                file.write(HEAD + KERNELS[name] + 'ret;\n}\n')
            answer = subprocess.run([forewarp, 'predict', path, '-g', str(blocks), '-b', str(threads), '-d', 'h200', '-m', model,
                                     '--json', *more], capture_output=True, text=True, check=True)
        return json.loads(answer.stdout)['predictions'][0]

    def expect(what, value, low, high):
        good = low <= value <= high
        print('ok  ' if good else 'FAIL', f'{what}: {value:.1f}, from {low} to {high}')
        if not good:
            faults.append(what)

    def occupancy(what, low, high, *launch):
        prediction = ask(*launch, 'trace')
        value = prediction['metrics'][OCCUPANCY]
        expect(f'occupancy, {what}', value, low, high)
        expect('  as a share', 100 * prediction['occupancy']['achieved'], value - 0.01, value + 0.01)

    occupancy('one wave of 2048 threads', 98, 100, 'loop', 132 * 8, 256)
    occupancy('half a wave', 49, 50, 'loop', 132 * 4, 256)
    occupancy('blocks on 44 multiprocessors', 12, 12.5, 'loop', 44, 256)
    occupancy('a wave and a half', 70, 90, 'loop', 132 * 12, 256)
    occupancy('a quarter of the warps', 24, 27, 'quarter', 132 * 8, 256)
    occupancy('blocks of one warp that do nothing', 0.9, 4, 'empty', 132 * 150, 32)
    occupancy('atomic operations on one word', 90, 100, 'add', 132 * 64, 256)

    n = 132 * 8192
    for name, l1 in ('in_place', 50), ('copy', 0):
        metrics = ask(name, n // 8, 256, 'traffic')['metrics']
        expect(f'hits in L1, {name}', metrics[L1], l1 - 0.5, l1 + 0.5)
        expect(f'hits in L2, {name}, 138 MB', metrics[L2], 48, 53)
    expect('hits in L2, read once', ask('read', 16384, 256, 'traffic')['metrics'][L2], 64, 69)
    expect('hits in L2, copied once', ask('copy', 8192, 256, 'traffic')['metrics'][L2], 80, 86)
    if OCCUPANCY in ask('copy', 8192, 256, 'traffic')['metrics']:
        faults.append('traffic follows no time, and tells no occupancy')
    return len(faults) > 0


sys.exit(main(sys.argv[1]))
