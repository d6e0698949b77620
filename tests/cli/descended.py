#!/usr/bin/env python3
"""A loop that walks through a tree by a stack comes to as many nodes as a search for the nearest of points in space does, which is
tried here; of trees whose children are loaded nothing is known.

usage: descended.py FOREWARP ROOT"""
import json
import os
import random
import subprocess
import sys

FOREWARP, ROOT = map(os.path.abspath, sys.argv[1:3])
faults = 0


def check(what, good, shown):
    global faults
    faults += not good
    if not good:
        print('FAILED:', what, shown)


def trips_of(kernel, nodes):
    done = subprocess.run([FOREWARP, 'count', ROOT + '/tests/cli/descended.ptx', '-k', kernel, '-g', '100', '-b', '128', '-s', f'3={nodes}', '--json'],
                          capture_output=True, text=True, env={**os.environ, 'FOREWARP_DATA': ROOT})
    if done.returncode:
        sys.exit(done.stderr)
    return max(u['value'] for u in json.loads(done.stdout)['unknowns'] if u['name'].startswith('trips'))


def build(points, node, depth, tree):
    if points:
        points.sort(key=lambda p: p[depth % 3])
        middle = len(points) // 2
        tree[node] = points[middle]
        build(points[:middle], 2 * node + 1, depth + 1, tree)
        build(points[middle + 1:], 2 * node + 2, depth + 1, tree)


def visits(tree, at):
    """Nodes that a search for the nearest takes off its stack."""
    best, count, stack = 1e30, 0, [(0, 0)]
    while stack:
        node, away = stack.pop()
        count += 1
        if away >= best:
            continue
        best = min(best, sum((a - b) ** 2 for a, b in zip(tree[node], at)))
        axis = ((node + 1).bit_length() - 1) % 3
        along = at[axis] - tree[node][axis]
        near = 2 * node + (1 if along < 0 else 2)
        far = 4 * node + 3 - near
        stack += [(child, along * along * (child == far)) for child in (far, near) if child < len(tree) and (child == near or along * along < best)]
    return count


def main():
    random.seed(1)
    for levels in (8, 11, 14):
        nodes = 2 ** levels - 1
        tree = [None] * nodes
        build([[random.random() for _ in range(3)] for _ in range(nodes)], 0, 0, tree)
        mean = sum(visits(tree, [random.random() for _ in range(3)]) for _ in range(400)) / 400
        trips = trips_of('nearest', nodes)
        check(f'nearest of {nodes}', 0.8 < trips / mean < 1.25, (trips, mean))
    check('octants: each level, and those beside', 8 + 3.375 + 1 < trips_of('octants', 1 + 8 + 64 + 512) < 8 + 3.375 + 3, trips_of('octants', 585))
    check('linked: 16', trips_of('linked', 4095) == 16, trips_of('linked', 4095))
    print(f'{faults} failed')
    return faults > 0


sys.exit(main())
