#!/usr/bin/env python3
"""One identifier of a diagnostic has one meaning.  usage: identifiers.py ROOT

An identifier (PTX012) stands for a kind of error of one room: a folder of src, or cli.  One that several rooms tell has
its meaning in SHARED, so that nobody takes a number for an error of another kind that is another room's already."""
import collections
import os
import re
import subprocess
import sys

SHARED = {
    "API005": "the program has no such kernel",
    "API008": "a question failed, and no diagnostic says why",
    "API020": "a value is given to what has no such parameter, or is no value of it",
    "API090": "a question took longer than the limit of time",
    "GEN004": "a tag, argument, value or match condition does not exist, or nothing is left",
}
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
# In a comparison an identifier is asked for, not told.
TOLD = re.compile(r'(strcmp\([^;"]*)?"([A-Z]{2,5}\d{3})"')
root = os.path.abspath(sys.argv[1])


def room_of(file):
    parts = file.split("/")
    return parts[0] if parts[0] == "cli" else parts[1]


def told(listed):
    """identifier: {room: [place, ...]}"""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for file in listed:
        with open(os.path.join(root, file), encoding="utf-8") as opened:
            text = COMMENT.sub(lambda match: "\n" * match[0].count("\n"), opened.read())
        for match in TOLD.finditer(text):
            if not match[1]:
                line = text.count("\n", 0, match.start(2)) + 1
                found[match[2]][room_of(file)].append(f"{file}:{line}")
    return found


def main():
    listed = subprocess.run(["git", "-C", root, "ls-files", "src", "cli"], capture_output=True, text=True)
    if listed.returncode or not listed.stdout:
        print("SKIPPED: not a git checkout, so that the project's files are not known")
        sys.exit(77)
    found = told([f for f in listed.stdout.split() if f.endswith((".c", ".h")) and os.path.exists(os.path.join(root, f))])
    wrong = []
    for name, rooms in sorted(found.items()):
        if len(rooms) > 1 and name not in SHARED:
            wrong.append(f"{name} is told by several rooms: " + ", ".join(places[0] for places in rooms.values()))
    wrong += [f"{name} is told by less than two rooms: it needs no row here" for name in SHARED if len(found[name]) < 2]
    if len(found) < 300:
        wrong.append(f"only {len(found)} identifiers are found: this test does not see how they are told any more")
    print("\n".join(wrong) or f"{len(found)} identifiers, each of one meaning")
    sys.exit(bool(wrong))


main()
