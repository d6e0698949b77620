#!/usr/bin/env python3
"""Lanes that ask for neighbouring bytes of constant memory ask for places of their own; predicates of shuffles are known.

usage: narrow.py FOREWARP ROOT

A load of constant memory takes as long for 32 bytes side by side as for 32 words (data/h100/narrow).  The second
result of shfl.sync says whether its lane is in range: what hangs on it is no unknown, and as often done as the
emulator says."""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]


def ask(what, kernel, *more):
    command = [FOREWARP, what, ROOT + '/tests/cli/narrow.ptx', '-k', kernel, '-g', '10', '-b', '128', '--json', *more]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def adds(answer):
    return [o['count'] for o in answer['operations'] if (o['operation'], o['type'], o['granularity']) == ('add', 's32', 'thread')]


def main():
    faults = []
    for kernel in ('byte_places', 'word_places'):
        requests = ask('traffic', kernel, '-d', 'h200')['constant_requests']
        if requests != 10 * 128:
            faults.append(f'{kernel}: {requests} requests of the constant cache, not one a lane, {10 * 128}')
    for kernel in ('sums_of_lanes', 'next_lanes'):
        answer = ask('count', kernel)
        if answer['unknowns']:
            faults.append(f"{kernel}: {', '.join(u['name'] for u in answer['unknowns'])} are not known")
        if adds(answer) != adds(ask('emulate', kernel)):
            faults.append(f"{kernel}: {adds(answer)} additions, and {adds(ask('emulate', kernel))} when emulated")
    print('\n'.join(faults) or 'lanes are told apart')
    return len(faults) > 0


sys.exit(main())
