#!/usr/bin/env python3
"""Text on a terminal is fitted to its width, and says the same as in a pipe.

usage: terminal.py FOREWARP SOURCE"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

forewarp, source = map(os.path.abspath, sys.argv[1:3])
kernel = f'{source}/tests/golden/kernels/matmul_tiled.ptx'
predict = [kernel, '-g', '129,129', '-b', '16,16', '-s', '3=2050', '-s', '4=2050', '-s', '5=2050', '-d']
environment = {**os.environ, 'FOREWARP_DATA': source, 'XDG_CACHE_HOME': os.devnull}
failed = 0


def on_terminal(arguments, columns):
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack('HHHH', 50, columns, 0, 0))
    child = subprocess.Popen([forewarp, *arguments], stdin=subprocess.DEVNULL, stdout=side, stderr=side, env=environment)
    os.close(side)
    text = b''
    while True:
        try:
            piece = os.read(main, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        text += piece
    os.close(main)
    assert child.wait() == 0, text
    return re.sub('\x1b\\[[0-9;]*m', '', text.decode()).replace('\r\n', '\n')


def check(good, what):
    global failed
    print('ok  ' if good else 'FAIL', what)
    failed += not good


for name, arguments in (('predict', ['predict', *predict, 'h200']), ('traffic', ['traffic', *predict, 'h200']),
                        ('devices', ['predict', *predict, 'h200,a100']), ('device', ['device', 'show', 'v100'])):
    piped = subprocess.run([forewarp, *arguments], capture_output=True, text=True, env=environment, check=True).stdout
    for columns in (80, 100):
        shown = on_terminal(arguments, columns)
        wide = [line for line in shown.split('\n') if len(line) > columns and len(line.split()[-1]) < columns // 2]
        check(not wide, f'{name}: no line is wider than {columns} columns {wide[:2]}')
        check(shown.split() == piped.split(), f'{name}: the same words on {columns} columns as in a pipe')
    check(on_terminal(arguments, 400) == piped, f'{name}: a wide terminal changes nothing')
json = ['predict', *predict, 'h200', '--json']
piped = subprocess.run([forewarp, *json], capture_output=True, text=True, env=environment, check=True).stdout
check(on_terminal(json, 80) == piped, 'JSON is not fitted')
sys.exit(failed > 0)
