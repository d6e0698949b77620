#!/usr/bin/env python3
"""Kernels whose predicted times are compared: what loops, branches and few warps do to waits.

usage: times.py FOREWARP ROOT

times.ptx says what each kernel does.  A comparison is of two times of the traffic model (or, where it says so, of the
model trace), or of one with a term of its own prediction: what is left where one cause of waits is there and where it
is not."""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]


def predict(kernel, grid, block, n, model='traffic', path='/tests/cli/times.ptx', argument=2, others=()):
    """Seconds, and seconds of terms by name"""
    command = [FOREWARP, 'predict', '-m', model, ROOT + path, '-d', 'h200', '-k', kernel,
               '-g', str(grid), '-b', str(block), '-s', f'{argument}={n}', *others, '--json']
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)['predictions'][0]
    return answer['seconds'], {term['name']: term['seconds'] for term in answer['terms']}


def main():
    checks = []

    def check(what, ratio, least, most):
        checks.append(least <= ratio <= most)
        if not checks[-1]:
            print(f'{what}: {ratio:.3f}, and from {least} to {most} are expected')

    # The first block of `below` has all n iterations in its first lane, the last one hardly any.
    check('time of a triangle to that of its square, one block a multiprocessor',
          predict('below', 8, 128, 1024)[0] / predict('whole', 8, 128, 1024)[0], 0.9, 1.2)
    # With one warp a scheduler, one waits while the load-store unit works for another.
    time, terms = predict('rows', 16, 128, 2048)
    check('time of rows to that of the load-store unit', time / terms['l1'], 1, 1.2)
    # What is in flight together is waited for once: the branch is taken half of the times.
    check('time of a load behind a branch to that of one ahead of it',
          predict('behind', 8, 128, 1024)[0] / predict('ahead', 8, 128, 1024)[0], 1.3, 1.6)
    # Loads with so many affine accesses that some are not sampled are not waited for once more.
    check('latency of a loop of loops up to the diagonal to that of one from it',
          predict('window_until', 8, 64, 512)[1]['latency'] / predict('window_from', 8, 64, 512)[1]['latency'], 0.6, 1.2)
    # Warps store parts of the sectors at their rows' ends; L1 does not have these when they are loaded again.
    check('time of what a block stores and loads again off a sector to that of the same on sectors',
          predict('again', 32, 128, 1)[0] / predict('again', 32, 128, 0)[0], 2.5, 6)
    # Stores by the register that loads let loads of further iterations pass.
    # By the estimate of registers, six of them are in flight, and in the copy fourteen.
    check('time of a loop in place to that of a copy', predict('in_place', 1, 128, 65536)[0] / predict('copied', 1, 128, 65536)[0],
          0.9, 2.8)
    # Iterations that an assembler makes one of wait for their own results side by side.
    check('cycles that a warp waits in one iteration of 16 dependent operations',
          predict('chains', 32, 128, 0)[1]['latency'] * 1.98e9 / 3200, 10, 45)
    # Each load of a list waits for the one before it, also where an assembler makes several iterations one.
    for model, most in (('traffic', 1100), ('trace', 1100)):
        check(f'cycles of a step of a list that L2 does not hold, by {model}',
              predict('pointer_chase', 32, 64, 4000, model, '/tests/golden/kernels/pointer_chase.ptx', 4,
                      ('-s', '2=2048', '-s', '3=1001'))[0] * 1.98e9 / 4000, 600, most)
    # What is behind a branch is not issued before its condition is known.
    check('cycles that a warp waits for a condition and then for what it decides',
          predict('decided', 32, 128, 1024)[1]['latency'] * 1.98e9 / 1024, 40, 100)
    # Where a multiprocessor has one block, the launch lasts as long as the heaviest: not the first, nor one behind the end.
    triangle = {'model': 'trace', 'path': '/tests/golden/kernels/triangular.ptx', 'argument': 3}
    check('time by trace of a triangle with a block more that has nothing to do to that without',
          predict('packed_triangular', 80, 64, 5000, **triangle)[0] / predict('packed_triangular', 79, 64, 5000, **triangle)[0], 0.99, 1.05)
    # Several stores of a warp to parts of the same sectors leave L1 as one: L2 and device memory have them once.
    structs = {'path': '/tests/golden/kernels/array_of_structs.ptx', 'argument': 2}
    check('device memory by trace, for members of a structure, to that by traffic',
          predict('advance_structs', 32769, 256, 8388613, model='trace', **structs)[1]['dram'] /
          predict('advance_structs', 32769, 256, 8388613, **structs)[1]['dram'], 0.95, 1.05)
    # A lane's value that no iteration changes is read before the loop.
    check('time by trace of a shuffle of one lane in each iteration to that of one before them',
          predict('chosen', 8, 128, 4096, 'trace')[0] / predict('kept', 8, 128, 4096, 'trace')[0], 0.98, 1.02)
    # .align 1 says nothing: rows are not taken to lie across sectors.
    sectors = [json.loads(subprocess.run([FOREWARP, 'traffic', ROOT + '/tests/cli/times.ptx', '-d', 'h200', '-k', 'aligned', '-g', '64', '-b', '128',
                                          *extra, '--json'], check=True, capture_output=True, text=True).stdout)['global_load_sectors']
               for extra in ([], ['-s', '0.align=256'])]
    check('sectors of a pointer of .align 1 to those of an aligned one', sectors[0] / sectors[1], 1, 1)
    # Two banks of registers: an operation that reads three of them takes longer than one that reads two.
    check('time by trace of products of three registers to that of products of two',
          predict('reads_three', 264, 256, 4096, model='trace')[0] / predict('reads_two', 264, 256, 4096, model='trace')[0], 1.5, 1.9)
    # Stores leave a multiprocessor by 32 bytes a cycle at most, also where no other stores.
    stores = {'model': 'trace', 'path': '/data/h200/synthetic/learned/family_107.ptx'}
    check('time by trace of stores of one block a multiprocessor to that of their bytes',
          predict('family_107', 3, 1024, 1024, **stores)[0] * 1.98e9 * 32 / (1024 * 1024 * 4), 0.95, 1.2)
    # An iteration takes its counter, on the scalar datapath too, then its comparison, then its branch.
    check('cycles by trace of an iteration that has little else to do',
          predict('family_247', 3, 64, 27308, 'trace', '/data/h200/synthetic/learned/family_247.ptx', 1)[0] * 1.98e9 / 27308, 28, 32)
    # A warp by itself waits for its own results, in all iterations of its longest lane, whatever the units could do.  The
    # H200 takes 21.4 cycles for one of family_137 (data/h200/synthetic), which does the same.
    check('cycles of an iteration of a chain of f64 with one warp a scheduler',
          predict('staircase', 132, 64, 314)[0] * 1.98e9 / (64 * 314), 17, 24)
    check('time of a chain through shared memory and barriers to that by trace, one block of two warps',
          predict('in_turn', 1, 64, 5393)[0] / predict('in_turn', 1, 64, 5393, 'trace')[0], 0.85, 1.15)
    # Blocks drift: some ask for the load-store unit while others wait at their barriers.
    for blocks in (4, 8, 16):
        check(f'the same of {blocks} blocks a multiprocessor',
              predict('in_turn', 132 * blocks, 64, 5393)[0] / predict('in_turn', 132 * blocks, 64, 5393, 'trace')[0], 0.85, 1.15)
    # Waves of blocks take that one after the other.
    one = ['--shared', '200000']  # block a multiprocessor
    check('time of five waves of such warps to that of one',
          predict('staircase', 660, 64, 314, others=one)[0] / predict('staircase', 132, 64, 314, others=one)[0], 4.8, 5.2)
    # A row's address is made of what the index gives: its load waits for that one's data.
    rows = {'path': '/tests/golden/kernels/gather.ptx', 'argument': 4, 'others': ('-s', '3=100001')}
    check('time of rows that an index gives to that by trace',
          predict('gather_rows', '5,25001', '64,4', 300, **rows)[0] / predict('gather_rows', '5,25001', '64,4', 300, 'trace', **rows)[0], 0.85, 1.15)
    # Iterations that an assembler makes one load at once what they store by the same register: the trace has it, too.
    check('time by trace of what a block stores and loads again to that by traffic',
          predict('again', 32, 128, 0, 'trace')[0] / predict('again', 32, 128, 0)[0], 0.8, 1.3)
    print(f'{len(checks)} comparisons, {checks.count(False)} differ')
    return checks.count(False) > 0


sys.exit(main())
