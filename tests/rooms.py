#!/usr/bin/env python3
"""The rooms of src keep their shape: a header called *_internal.h is included in its own room alone (a folder
with a meson.build, and the folders below that have none), file names are unique, and no folder holds more than 25 files.  usage: rooms.py ROOT"""
import collections
import os
import re
import subprocess
import sys

MOST_FILES = 25
root = os.path.abspath(sys.argv[1])
listed = subprocess.run(["git", "-C", root, "ls-files", "src", "cli", "include"], capture_output=True, text=True)
if listed.returncode or not listed.stdout:
    print("SKIPPED: not a git checkout, so that the project's files are not known")
    sys.exit(77)
files = [f for f in listed.stdout.split() if os.path.exists(os.path.join(root, f))]
wrong = []

names = collections.defaultdict(list)
for file in files:
    if file.endswith((".c", ".h")):
        names[os.path.basename(file)].append(file)
wrong += ["one name, several files: " + ", ".join(same) for same in names.values() if len(same) > 1]

folders = collections.Counter(os.path.dirname(f) for f in files if not f.endswith("meson.build"))
wrong += [f"{folder} holds {count} files, more than {MOST_FILES}"
          for folder, count in folders.items() if count > MOST_FILES]



def room_of(file):
    folder = os.path.dirname(file)
    while "/" in folder and not os.path.exists(os.path.join(root, folder, "meson.build")):
        folder = os.path.dirname(folder)
    return folder


for file in files:
    if not file.endswith((".c", ".h")):
        continue
    for header in re.findall(r'#include "([^"]*_internal\.h)"', open(os.path.join(root, file)).read()):
        if room_of(file) not in map(room_of, names[header]):
            wrong.append(f"{file} includes {header}, which is another room's own")

print("\n".join(wrong))
print(f"{len(files)} files, {len(folders)} folders, {len(wrong)} faults")
sys.exit(1 if wrong else 0)
