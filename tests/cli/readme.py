#!/usr/bin/env python3
"""README.md's commands print what README.md shows.  usage: readme.py FOREWARP SOURCE [--accept]

A block that begins with `$ forewarp` is one command and its output; it runs in the source tree."""
import os
import re
import shlex
import subprocess
import sys

forewarp, source = map(os.path.abspath, sys.argv[1:3])
path = source + "/README.md"
text = open(path).read()
blocks = re.findall(r"```\n\$ (forewarp [^\n]*)\n(.*?)```", text, re.S)
failed = 0
for command, shown in blocks:
    run = subprocess.run([forewarp, *shlex.split(command)[1:]], capture_output=True, text=True, cwd=source,
                         env={**os.environ, "FOREWARP_DATA": source, "NO_COLOR": "1", "XDG_CACHE_HOME": "/nowhere"})
    if run.stdout == shown:
        continue
    if "--accept" in sys.argv:
        text = text.replace("$ " + command + "\n" + shown, "$ " + command + "\n" + run.stdout)
    else:
        failed += 1
        print("FAILED:", command, "\nREADME.md shows:\n" + shown, "\nit prints:\n" + run.stdout, run.stderr)
if "--accept" in sys.argv:
    open(path, "w").write(text)
print(len(blocks), "commands of README.md run,", failed, "failed")
sys.exit(1 if failed or not blocks else 0)
