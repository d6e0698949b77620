#!/usr/bin/env python3
"""What `mpirun forewarp rank` loses with two processes to one: medians of ROUNDS runs of each, in turn.

usage: rank_processes.py FOREWARP_MPI SOURCE [ROUNDS]    (cli/forewarp-mpi of a release build with MPI, two processors)

Two questions: shapes of matvec, of which one takes some milliseconds, and of saxpy, a tenth of that.  Lost is the share of
the two processes' time that one process would not have needed."""
import os
import statistics
import subprocess
import sys
import time

program, source = sys.argv[1:3]
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 4
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1')


def numbers(first, last):
    return ','.join(map(str, range(first, last)))


QUESTIONS = {
    'matvec': (4000, ['-k', 'matvec', '--domain', '50000', '-s', '3=50000', '-s', '4=1000', '--vary', 'threads=64,128,256,512',
                      '--vary', '4=' + numbers(1000, 2000)]),
    'saxpy': (30000, ['--domain', '1M', '-s', '3=1M', '--vary', 'threads=32,64,128,256,512,1024', '--vary', '2=' + numbers(1, 5001)])}


def seconds(processes, name, options):
    begin = time.perf_counter()
    subprocess.run(['mpirun', '--oversubscribe', '-n', str(processes), program, 'rank', f'{source}/tests/golden/kernels/{name}.ptx',
                    '-d', 'h200', '-m', 'trace', '--json', *options], check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - begin


for name, (count, options) in QUESTIONS.items():
    one, two = map(statistics.median, zip(*[(seconds(1, name, options), seconds(2, name, options)) for _ in range(rounds)]))
    print(f'{name}: {count} configurations, {1000 * one / count:.2f} ms each; one process {one:.2f} s, two {two:.2f} s, '
          f'lost {100 * (2 * two - one) / (2 * two):.1f} %')
