#!/usr/bin/env python3
"""Cursors, which loops move on when data say so, go along their mean course: of a decoder of woven words, of runs that each
thread merges, woven or in rows of its own, warps ask for about the sectors, and blocks bring the bytes, of threads whose data
are drawn.  Nothing is fetched from device memory twice.  A place that goes around is no cursor, nor is one that begins where
data choose.  A decoder's branch has the share that fills up what is used.

usage: cursors.py FOREWARP ROOT"""
import json
import os
import random
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
THREADS, BLOCK, COUNT, SYMBOLS = 1 << 20, 256, 64, 256
BLOCKS = THREADS // BLOCK
faults = 0


def check(what, good, shown):
    global faults
    faults += not good
    if not good:
        print('FAILED:', what, shown)


def ask(command, kernel, *stated):
    done = subprocess.run([FOREWARP, command, ROOT + '/tests/cli/cursors.ptx', '-d', 'h200', '-k', kernel, '-g', str(BLOCKS), '-b', str(BLOCK), '--json',
                           *(word for one in stated for word in ('-s', one))], capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def merged(place):
    """Sectors of the requests of a block that merges random runs, and different ones of the block."""
    requests, block = 0, set()
    for warp in range(BLOCK // 32):
        at = [[0, 0] for _ in range(32)]
        for _ in range(COUNT):
            for run in range(2):
                touched = {(run, *place(32 * warp + lane, at[lane][run])) for lane in range(32)}
                requests += len(touched)
                block |= touched
            for lane in range(32):
                at[lane][random.random() < 0.5] += 1
    return requests, len(block)


def decoded():
    """Likewise of a block that decodes, with lengths from 8 to 23 of words of 32 bits."""
    requests, block, refills = BLOCK // 8, {(column, 0) for column in range(BLOCK // 8)}, 0
    for warp in range(BLOCK // 32):
        have, following = [32] * 32, [1] * 32
        for _ in range(SYMBOLS):
            touched = set()
            for lane in range(32):
                have[lane] -= random.randint(8, 23)
                if have[lane] < 0:
                    touched.add(((32 * warp + lane) // 8, following[lane]))
                    following[lane] += 1
                    have[lane] += 32
                    refills += 1
            requests += len(touched)
            block |= touched
    return requests, len(block), refills / BLOCK / SYMBOLS


def main():
    random.seed(1)
    woven = merged(lambda thread, at: (thread // 8, at))
    rows = merged(lambda thread, at: (thread, at // 8))
    words = decoded()
    cases = [('merge_woven', woven, (f'3={THREADS}', f'4={COUNT}')), ('decode', words, (f'2={THREADS}', f'3={SYMBOLS}')),
             ('merge_rows', rows, ('3=64', f'4={THREADS}', f'5={COUNT}'))]
    for kernel, (requests, block, *_), stated in cases:
        answer = ask('traffic', kernel, *stated)
        asked = answer['global_load_sectors'] / BLOCKS
        brought = answer['l2_to_l1_bytes_parts']['compulsory'] / 32 / BLOCKS
        check(f'{kernel}: sectors of requests', 0.85 < asked / requests < 1.2, (asked, requests))
        check(f'{kernel}: sectors of a block', 0.85 < brought / block < 1.25, (brought, block))
        read = answer['once_read_bytes'] / 32 / BLOCKS
        check(f'{kernel}: each sector is read once', 0.85 < read / block < 1.5, (read, block))
        said = [note for one in answer['predictions'] for note in one.get('left_out', []) if 'Loops move on in' in note]
        check(f'{kernel}: it is said', said and 'param_0' in said[0], answer['predictions'][0]['left_out'])
    share = [one['value'] for one in ask('predict', 'decode', *cases[1][2])['unknowns']]
    check('decode: as much is added as is used up', len(share) == 1 and min(abs(share[0] - words[2]), abs(1 - share[0] - words[2])) < 0.02, (share, words[2]))
    for kernel, stated in (('around', (f'2={THREADS}', f'3={COUNT}', '4=63')), ('intersect', ('5=1', ))):
        answer = ask('traffic', kernel, *stated)
        said = json.dumps(answer)
        told = kernel == 'around'  # by the mask, which bounds it in each iteration
        check(f'{kernel}: it is no cursor', 'Loops move on in' not in said and ('Nothing tells where' in said) != told, said[-2000:])
    print(f'{faults} failed')
    return faults > 0


sys.exit(main())
