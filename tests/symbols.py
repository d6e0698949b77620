#!/usr/bin/python3
"""The shared library exports what include/forewarp.h declares, under the version of its interface.

usage: symbols.py LIBRARY SOURCE [--accept]

--accept: writes src/forewarp.symbols from the header; the library is then to be built again."""
import re
import subprocess
import sys

library, source = sys.argv[1:3]
header = re.sub(r'/\*.*?\*/|"[^"]*"', '', open(source + '/include/forewarp.h').read(), flags=re.S)
declared = set(re.findall(r'^(?:[a-z][a-z0-9_ *]*?\b\*?)?(fw_[a-z0-9_]+)\(', header, flags=re.M))
if sys.argv[3:] == ['--accept']:
    with open(source + '/src/forewarp.symbols', 'w') as file:
        file.write('FOREWARP_0 {\nglobal:\n' + ''.join(f'    {name};\n' for name in sorted(declared)) + 'local:\n    *;\n};\n')
    sys.exit(0)
stated = set(re.findall(r'^    (fw_\w+);', open(source + '/src/forewarp.symbols').read(), flags=re.M))
lines = subprocess.run(['nm', '-D', '--defined-only', library], capture_output=True, text=True, check=True).stdout
exported = {line.split()[2] for line in lines.splitlines()} - {'FOREWARP_0'}
good = True
for what, names in (('declared, not in forewarp.symbols', declared - stated),
                    ('in forewarp.symbols, not declared', stated - declared),
                    ('not exported', {name + '@@FOREWARP_0' for name in stated} - exported),
                    ('exported without being promised', exported - {name + '@@FOREWARP_0' for name in stated})):
    for name in sorted(names):
        print(f'{what}: {name}')
        good = False
print(len(exported), 'functions')
sys.exit(not good)
