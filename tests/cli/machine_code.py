#!/usr/bin/env python3
"""Machine code beside Triton's PTX tells registers and spills: by auto, of the device that it is for.

usage: machine_code.py FOREWARP ROOT
"""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

FOREWARP, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
KERNEL = 'vector_add'


def cubin(registers, flags):
    """What is read of a cubin: a kernel with a frame of 8 bytes, which stores and loads 4 bytes each of local memory."""
    name = KERNEL.encode()
    names = b'\0.shstrtab\0.strtab\0.symtab\0.nv.info\0.text.' + name + b'\0'
    texts = b'\0' + name + b'\0'
    symbols = bytes(24) + struct.pack('<IBBHQQ', 1, 0x12, 0x10, 5, 0, 0)
    info = struct.pack('<BBHII', 4, 0x2f, 8, 1, registers) + struct.pack('<BBHII', 4, 0x11, 8, 1, 8)
    code = struct.pack('<QQQQ', 0xfa01007387, 0xfe20000100800, 0x1f97983, 0xee20000300800)
    parts = [(b'', 0, b'', 0), (b'.shstrtab', 3, names, 0), (b'.strtab', 3, texts, 0), (b'.symtab', 2, symbols, 2),
             (b'.nv.info', 0x70000000, info, 3), (b'.text.' + name, 1, code, 3)]
    content, sections = b'', b''
    for title, kind, part, link in parts:
        sections += struct.pack('<IIQQQQIIQQ', names.index(title + b'\0') if title else 0, kind, 0, 0, 64 + len(content),
                                len(part), link, 0, 1, 0)
        content += part
    header = b'\177ELF\x02\x01\x01\x41\x08' + bytes(7)
    header += struct.pack('<HHIQQQIHHHHHH', 2, 190, 1, 0, 0, 64 + len(content), flags, 64, 0, 0, 64, len(parts), 1)
    return header + content + sections


def ask(path, *more):
    command = [FOREWARP, 'predict', path, '-d', 'h200', '-m', 'traffic', '-g', '98', '-s', '3=100000', '--json', *more]
    answer = subprocess.run(command, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)['kernel']


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, KERNEL + '.ptx')
        for end in ('.ptx', '.json'):
            shutil.copy(os.path.join(ROOT, 'tests/golden/triton', KERNEL + end), folder)
        estimate = ask(path)
        assert estimate['registers_source'] == 'liveness' and not estimate['spill_store_bytes']

        def keep(content):
            with open(os.path.join(folder, KERNEL + '.cubin'), 'wb') as file:
                file.write(content)

        keep(cubin(77, 0x9005a04))
        told = ask(path)
        assert (told['registers'], told['registers_source'], told['assembler']) == (77, 'machine code', 'machine code'), told
        assert (told['stack_bytes'], told['spill_store_bytes'], told['spill_load_bytes']) == (8, 4, 4), told
        assert told['static_shared_bytes'] == estimate['static_shared_bytes']
        assert ask(path, '--ptxas', 'never') == estimate
        keep(cubin(77, 0x9006404))  # for compute capability 10.0
        assert ask(path) == estimate
        keep(cubin(77, 0x9005a04)[:300])
        assert ask(path) == estimate
        keep(b'')
        assert ask(path) == estimate
    return 0


if __name__ == '__main__':
    sys.exit(main())
