#!/usr/bin/env python3
"""What `meson install` leaves is what the Debian packages take.  usage: installed.py BUILD SOURCE

Installs into an empty folder (DESTDIR) with Debian's paths.  Every file is in exactly one package by debian/*.install,
every pattern there takes a file, the programs have manual pages, and forewarp.pc names folders that are there."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

build, source = map(os.path.abspath, sys.argv[1:3])


def patterns():
    """(package, pattern) of debian/*.install."""
    for path in sorted(glob.glob(os.path.join(source, "debian/*.install"))):
        with open(path) as file:
            yield from ((os.path.basename(path)[:-len(".install")], line.strip()) for line in file if line.strip())


def takes(pattern, file):
    """Whether dh_install takes a file: the pattern names it, or a folder that it is in."""
    words = "".join("[^/]*" if one == "*" else re.escape(one) for one in pattern)
    return re.fullmatch(words + "(/.*)?", file) is not None


def main():
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["meson", "install", "-C", build, "--no-rebuild", "--destdir", folder], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
        with open(os.path.join(build, "meson-info/intro-buildoptions.json")) as file:
            prefix = next(one["value"] for one in json.load(file) if one["name"] == "prefix")
        root = folder + prefix
        files = [os.path.relpath(os.path.join(base, name), root)
                 for base, _, names in os.walk(root) for name in names]
        rules = list(patterns())
        # Debian's prefix is /usr, whichever this build has.
        for file in files:
            packages = {package for package, pattern in rules if takes(pattern, "usr/" + file)}
            if len(packages) != 1:
                wrong.append(f"usr/{file} is in {len(packages)} packages: {', '.join(sorted(packages))}")
        for package, pattern in rules:
            if not any(takes(pattern, "usr/" + file) for file in files):
                wrong.append(f"debian/{package}.install: {pattern} takes nothing")
        for file in files:
            name = os.path.basename(file)
            if file.startswith("bin/") and f"share/man/man1/{name}.1" not in files:
                wrong.append(f"{file} has no manual page")
        (described,) = [file for file in files if file.endswith("forewarp.pc")]
        with open(os.path.join(root, described)) as file:
            stated = dict(re.findall(r"^(\w+)=(.*)$", file.read(), flags=re.M))
        for name in ("includedir", "libdir", "datadir"):
            path = folder + re.sub(r"\$\{(\w+)\}", lambda match: stated[match[1]], stated[name])
            if not os.path.isdir(path):
                wrong.append(f"forewarp.pc: {name} is {stated[name]}, which is not installed")
    print("\n".join(wrong) or f"{len(files)} files, each in one of {len({package for package, _ in rules})} packages")
    sys.exit(bool(wrong))


main()
