#!/usr/bin/env python3
"""The heap that `predict` makes for itself: few first touches of pages where the kernel gives large ones, and the same answer
where a limit of the process leaves no room for it.

usage: heap.py FOREWARP ROOT"""
import os
import resource
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
COMMAND = [FOREWARP, 'predict', ROOT + '/tests/golden/kernels/saxpy.ptx', '-d', 'h200', '-g', '3907', '-b', '256', '-s', '2=1.5', '-s', '3=1000000', '--json']
SMALL = 60000 << 10  # bytes of data: less than the heap that it asks for
MOST_TOUCHES = 600   # 200 to 300 with large pages, and 1,200 without
QUIET = {name: value for name, value in os.environ.items() if name != 'MALLOC_PERTURB_'}  # which touches what is allocated
LARGE_PAGES = '/sys/kernel/mm/transparent_hugepage/enabled'


def limit():
    resource.setrlimit(resource.RLIMIT_DATA, (SMALL, SMALL))


sanitized = b'__asan' in open(FOREWARP, 'rb').read()
usual = subprocess.run(COMMAND, capture_output=True, check=True)
if not sanitized:  # whose own memory is more than that
    limited = subprocess.run(COMMAND, capture_output=True, check=True, preexec_fn=limit)
    assert limited.stdout == usual.stdout and limited.stderr == usual.stderr, limited.stderr
if not sanitized and os.path.exists(LARGE_PAGES) and '[never]' not in open(LARGE_PAGES).read():
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
    subprocess.run(COMMAND, capture_output=True, check=True, env=QUIET)
    touches = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before
    print(touches, 'first touches of pages')
    assert touches < MOST_TOUCHES, touches
