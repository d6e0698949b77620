#!/usr/bin/env python3
"""Tiles with halos: what blocks read that go through them in a persistent loop.

usage: tiles.py FOREWARP ROOT

tiles.ptx has kernels over tiles of one, two and three dimensions.  A persistent loop over tiles, `tile = block;
tile += grid`, touches what one block a tile does: every byte of the array once, whichever grid goes on by whole rows
of tiles or by a part of one, and what blocks ask L2 for is their tiles with their halos.  Between device memory and
L2, halos may be read again where blocks drift apart, up to two thirds of them."""
import json
import subprocess
import sys

FOREWARP, ROOT = sys.argv[1:3]
# kernel; grid and its arguments from the third on; elements that are read and written; elements that tiles ask for
TILES = [(kernel, grid, (nx, ny), (nx * (ny + rows), nx * ny), nx * ny // 16 * asked)
         for kernel, rows, asked, nx, ny, grids in [
             ('clamped', 0, 22, 8192, 8192, ('264', '528', '1056')),
             ('clamped', 0, 22, 4096, 4096, ('396',)),
             ('bordered', 2, 18, 8192, 8192, ('264', '500', '1024', '3000')),
             ('bordered', 2, 18, 8128, 8192, ('528', '1056')),
             ('bordered', 2, 19, 8100, 8192, ('528', '1056', '2112')),
             ('once', 2, 18, 8192, 8192, ('65536',)),
             ('once', 2, 18, 8128, 8192, ('65024',)),
             ('axes', 2, 18, 8192, 8192, ('128,512',)),
             ('shared_tiles', 2, 20.2, 8192, 8192, ('528', '1056', '1024')),
             ('shared_tiles', 2, 20.2, 8000, 8000, ('1000', '1056'))]
         for grid in grids]
BOXES = [('boxes', '1056', (512, 512, 512)), ('boxes', '528', (512, 480, 512)), ('boxes', '1056', (480, 480, 480)),
         ('boxes_once', '65536', (512, 512, 512))]
TILES += [(kernel, grid, n, (n[0] * (n[1] + 2) * (n[2] + 2), n[0] * n[1] * n[2]), n[0] * n[1] * n[2] * 1.5) for kernel, grid, n in BOXES]
TILES += [('line', grid, (1 << 26,), (1 << 26, 1 << 26), (1 << 26) * 1.06) for grid in ('1056', '777')]
MOST = {'once_read_bytes': 0.01, 'once_written_bytes': 0.01, 'l2_to_l1_bytes': 0.06}


def ask(kernel, grid, arguments):
    command = [FOREWARP, 'traffic', ROOT + '/tests/cli/tiles.ptx', '-d', 'h200', '-k', kernel, '-g', grid, '-b', '256', '--json']
    for position, value in enumerate(arguments):
        command += ['-s', f'{position + 2}={value}']
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    faults = []
    for kernel, grid, arguments, (read, written), asked in TILES:
        answer = ask(kernel, grid, arguments)
        expected = {'once_read_bytes': 4 * read, 'once_written_bytes': 4 * written, 'l2_to_l1_bytes': 4 * asked}
        for volume, most in MOST.items():
            if abs(answer[volume] / expected[volume] - 1) > most:
                faults.append(f'{kernel} {grid} {arguments}: {volume} is {answer[volume]:.4g}, not {expected[volume]:.4g}')
        again = answer['dram_read_bytes'] - 4 * read
        if again < -0.02 * 4 * read or again > 0.65 * (4 * asked - 4 * read) + 0.01 * 4 * read:
            faults.append(f'{kernel} {grid} {arguments}: {answer["dram_read_bytes"]:.4g} bytes are read of {4 * read:.4g}')
    print('\n'.join(faults) or 'tiles are read once, with their halos')
    return len(faults) > 0


sys.exit(main())
