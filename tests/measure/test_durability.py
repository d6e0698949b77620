#!/usr/bin/env python3
"""What was reported is there: after kill -9, after a full disk, after a store was cut.

usage: test_durability.py DISK_FAULT FOREWARP MEASURE [all]
DISK_FAULT: the preloaded library of disk_fault.c; MEASURE: the forewarp-measure with the misbehaving backend.
Without `all` a few of each kind; with it a hundred kills at random moments, a kill and a full disk at each operation
on a file, a cut at each page of a store and at each page of its journal.  The last line of each test gives the figures.
"""
import os
import pty
import random
import re
import select
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

SHIM, FOREWARP, MEASURE = (os.path.abspath(argument) for argument in sys.argv[1:4])
ALL = sys.argv[4:] == ["all"]
FOLDER = tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
COUNTER = tempfile.NamedTemporaryFile()
ENVIRONMENT = {**os.environ, "FOREWARP_MEASURE": MEASURE, "XDG_CACHE_HOME": os.path.join(FOLDER.name, "cache"),
               "TMPDIR": FOLDER.name}
SETUP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fuzz/corpus-probe/small.txt")
SEED = 2611
random.seed(SEED)


def path(name):
    return os.path.join(FOLDER.name, name)


def read(name):
    with open(path(name), "rb") as file:
        return file.read()


def write(name, data):
    with open(path(name), "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def fresh():
    for name in os.listdir(FOLDER.name):
        target = path(name)
        shutil.rmtree(target) if os.path.isdir(target) and not os.path.islink(target) else os.unlink(target)


def fail(what, *details):
    sys.exit(": ".join([what, *map(str, details)]))


def broken(at, how):
    """The environment of a disk that fails at operation `at`."""
    with open(COUNTER.name, "wb") as file:
        file.write(bytes(8))
    options = os.environ.get("ASAN_OPTIONS", "")
    return {**ENVIRONMENT, "LD_PRELOAD": SHIM, "DISK_FAULT_COUNTER": COUNTER.name, "DISK_FAULT_AT": str(at),
            "DISK_FAULT_HOW": how, "ASAN_OPTIONS": options + (":" if options else "") + "verify_asan_link_order=0"}


def operations():
    with open(COUNTER.name, "rb") as file:
        return struct.unpack("Q", file.read(8))[0]


def run(*arguments, environment=None):
    done = subprocess.run([FOREWARP, *arguments], capture_output=True, timeout=120, cwd=FOLDER.name,
                          env=environment or ENVIRONMENT)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def good(*arguments):
    status, out, errors = run(*arguments)
    if status != 0:
        fail(" ".join(arguments), status, out + errors)
    return out


def plan(count):
    text = "plan 1\ntrials 6\nsettle 0\npause 0\nlimit 20\n"
    for i in range(count):
        text += f"configuration good-{i}\nsource any.txt\nkernel good\ngrid 2\nblock {i + 1}\nbuffer a f32 100 zero\nend\n"
    write("x.plan", text)
    write("any.txt", "text\n")


MEASURING = ("measure", "x.plan", "--backend", "fake", "--campaign", "c", "--store", "store.db")
REPORTED = re.compile(rb"(\d+) of \d+[^:\r\n]*: (good-\d+)")


def watched(environment, until=None, moment=None):
    """Measures with somebody looking on; the names that were reported, the status, all that was said.  It is killed,
    with all its children, once `until` names were reported and `moment` seconds more have passed."""
    parent, child = pty.openpty()
    process = subprocess.Popen([FOREWARP, *MEASURING], stdout=subprocess.DEVNULL, stderr=child, cwd=FOLDER.name,
                               env=environment, start_new_session=True)
    os.close(child)
    said, deadline = b"", None
    while True:
        ready, _, _ = select.select([parent], [], [], 0.002 if until is not None else 60)
        if ready:
            try:
                piece = os.read(parent, 65536)
            except OSError: # the other end is closed
                piece = b""
            said += piece
            if not piece:
                break
        if until is not None and deadline is None and len(REPORTED.findall(said)) >= until:
            deadline = time.monotonic() + moment
        if deadline is not None and time.monotonic() >= deadline and process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            deadline = float("inf")
    os.close(parent)
    return [name.decode() for _, name in REPORTED.findall(said)], process.wait(), said.decode(errors="replace")


def lines(store="store.db"):
    """The measurements that the store gives, name -> line; one that is not made, or not yet, has none."""
    if not os.path.exists(path(store)) or not os.path.getsize(path(store)):
        return {}
    shutil.rmtree(path("text"), ignore_errors=True)
    status, _, errors = run("measure", "export", "text", "--store", store)
    if status != 0:
        fail("export", status, errors)
    found = {}
    for name in os.listdir(path("text")) if os.path.isdir(path("text")) else ():
        for line in open(path("text/" + name)):
            match = re.search(r'"record": "measurement", "name": "([^"]*)"', line)
            if match:
                found[match[1]] = line
    return found


def expect_reported(reported, what):
    found = lines()
    for name in reported:
        if name not in found:
            fail(what, f"{name} was reported and is not in the store", sorted(found))
    return found


def finish(found, count, whole, what):
    """Another run ends it: all is there, what was there is as it was, and no files are left."""
    for _ in range(100): # what was killed may hold its lock for a moment
        status, out, errors = run(*MEASURING)
        if "another process measures" not in errors:
            break
        time.sleep(0.02)
    if status != 0:
        fail(what, "the next run", status, out + errors)
    after = lines()
    if after != whole:
        fail(what, "the store after the next run", sorted(after), len(after), count)
    if any(after[name] != line for name, line in found.items()):
        fail(what, "a measurement changed")
    if os.path.exists(path("store.db.work")):
        fail(what, "left behind", os.listdir(path("store.db.work")))


def undisturbed(count):
    """Operations of a run that nothing disturbs, and its lines: the fake device's durations are always the same."""
    fresh()
    plan(count)
    reported, status, said = watched(broken(0, "once"))
    if status != 0 or len(reported) != count:
        fail("undisturbed", status, said)
    return operations(), lines()


def chosen(count, few):
    return range(1, count + 1) if ALL else sorted(random.sample(range(1, count + 1), min(few, count)))


def sane(status, said, what, allowed):
    if status not in allowed or "Sanitizer" in said or "runtime error" in said:
        fail(what, status, said)


def test_kill_at_random():
    """Killed at any moment, with its children."""
    count = 6
    _, whole = undisturbed(count)
    kills = 100 if ALL else 2
    lost = total = 0
    for i in range(kills):
        fresh()
        plan(count)
        reported, status, _ = watched(ENVIRONMENT, random.randrange(count), random.random() * 0.05)
        finish(expect_reported(reported, f"kill {i}"), count, whole, f"kill {i}")
        total += len(reported)
    print(f"{kills} kills at random moments: {total} measurements were reported before them, {lost} lost")


def test_kill_at_operations():
    """Killed in the middle of an operation on a file, and the next run, in the middle of one as well."""
    count = 3
    all_operations, whole = undisturbed(count)
    at = chosen(all_operations, 3)
    total = 0
    for n in at:
        fresh()
        plan(count)
        reported, _, _ = watched(broken(n, "kill"))
        again, _, _ = watched(broken(random.randrange(1, all_operations), "kill"))
        total += len(reported)
        finish(expect_reported(reported + again, f"killed at operation {n}"), count, whole, f"killed at operation {n}")
    print(f"{len(at)} kills of {all_operations} operations on files, each followed by another: "
          f"{total} measurements were reported before them, 0 lost")


def test_full_disk():
    """A disk that is full at an operation, and stays so, or has room again."""
    count = 3
    all_operations, whole = undisturbed(count)
    at = chosen(all_operations, 2)
    refused = 0
    for how in ("full", "once"):
        for n in at:
            what = f"disk {how} at operation {n}"
            fresh()
            plan(count)
            reported, status, said = watched(broken(n, how))
            sane(status, said, what, (0, 3))
            if status == 0 and len(reported) != count:
                fail(what, "status 0 with measurements that are not there", said)
            if status == 3 and not re.search("full|space|write|cannot|unable|disk I.O error", said):
                fail(what, "nothing says why", said)
            refused += status == 3
            finish(expect_reported(reported, what), count, whole, what)
    print(f"full disk at {len(at)} of {all_operations} operations, once and for good: {refused} runs ended with 3 and "
          f"said why, the others did without; no reported measurement lost")


def outputs():
    """Commands that write files: arguments, and what they write."""
    return ((("measure", "export", "out", "--store", "store.db"), ["out/c.txt"]),
            (("measure", "rebuild", "data", "--store", "new.db"), ["new.db"]),
            (("measure", "list.json", "--plan", "made/plan", "--backend", "opencl"), ["made/plan", "made/k.cl"]),
            (("device", "probe", "--plan", "probed", "--replay", "setup.txt"), None))


LIST = ('[{"file": "k.cl", "kernel": "k", "grid": [1], "block": [32], "arguments": {}, "buffers": {"a": {"type": "f32", '
        '"count": 32, "fill": "zero"}}, "outputs": ["a"]}]')


def prepare():
    fresh()
    for name, data in SAVED.items():
        if "/" in name:
            os.makedirs(os.path.dirname(path(name)), exist_ok=True)
        write(name, data)


SAVED = {}


def tree():
    found = {}
    for folder, _, names in os.walk(FOLDER.name):
        for name in names:
            inside = os.path.relpath(os.path.join(folder, name), FOLDER.name)
            found[inside] = read(inside)
    return found


def test_outputs():
    """Files of other commands are written whole or not at all, and a full disk is the machine's fault."""
    fresh()
    plan(2)
    good(*MEASURING)
    good("measure", "export", "data", "--store", "store.db")
    SAVED.update({"store.db": read("store.db"), "data/c.txt": read("data/c.txt"), "list.json": LIST,
                  "k.cl": "kernel void k(global float *a) { a[get_global_id(0)] = 1; }\n",
                  "setup.txt": open(SETUP, "rb").read()})
    tried = refused = 0
    for arguments, files in outputs():
        prepare()
        before = tree()
        status, out, errors = run(*arguments, environment=broken(0, "once"))
        if status != 0:
            fail("outputs", arguments, status, errors)
        all_operations, whole = operations(), tree()
        new = {name: data for name, data in whole.items() if name not in before}
        if not new:
            fail("outputs", arguments, "nothing was written")
        for how in ("full", "once", "kill"):
            for n in chosen(all_operations, 1):
                for old in (False, True) if ALL else (n % 2 == 0,): # over an older file, or none
                    what = f"{' '.join(arguments)}: {how} at operation {n}"
                    prepare()
                    if old and arguments[1] != "rebuild":
                        for name in new:
                            os.makedirs(os.path.dirname(path(name)), exist_ok=True)
                            write(name, "older\n")
                    status, out, errors = run(*arguments, environment=broken(n, how))
                    tried += 1
                    if how != "kill":
                        sane(status, errors, what, (0, 3))
                        refused += status == 3
                        if status == 3 and not errors.strip():
                            fail(what, "nothing says why")
                    elif status != -signal.SIGKILL and status != 0:
                        fail(what, status, errors)
                    after = tree()
                    for name, data in new.items():
                        seen = after.get(name)
                        halves = seen is not None and seen != data and not (old and seen == b"older\n")
                        if halves and not name.endswith(".db"):
                            fail(what, f"{name} is neither whole nor as before", seen[-200:])
                        if status == 0 and seen is None:
                            fail(what, f"status 0, and no {name}")
                    if how != "kill":
                        extra = [name for name in after if name not in whole and name not in before and
                                 not name.endswith(("-wal", "-shm"))]
                        if extra:
                            fail(what, "left behind", extra)
    print(f"{tried} runs of commands that write files on a disk that fails: {refused} ended with 3 and said why; "
          "no file was half written")


def refuses(what):
    """A damaged store: every command says so."""
    before = read("store.db")
    for arguments in (("measure", "list", "--store", "store.db"), ("measure", "export", "out", "--store", "store.db"),
                      ("measure", "import", "data", "--store", "store.db")):
        status, out, errors = run(*arguments)
        sane(status, errors, what, (1,))
        if "[STO00" not in errors or out.strip():
            fail(what, "nothing says that it is damaged", out, errors)
    if read("store.db") != before:
        fail(what, "the damaged store was changed")


def test_cut():
    """A store that is cut anywhere is refused, by name."""
    fresh()
    plan(12)
    good(*MEASURING)
    good("measure", "export", "data", "--store", "store.db")
    whole = read("store.db")
    page = 4096
    pages = [page * p for p in range(1, len(whole) // page)]
    at = pages + [1, 15, 16, 99] if ALL else pages[::10]
    at += [random.randrange(1, len(whole)) for _ in range(100 if ALL else 1)]
    at += [100, len(whole) - 1]
    for n in at:
        write("store.db", whole[:n])
        refuses(f"cut at byte {n}")
    # Nothing at all: who only reads is told; who writes is told, and begins anew.
    write("store.db", b"")
    for arguments in (("measure", "list", "--store", "store.db"), ("measure", "export", "out", "--store", "store.db")):
        status, out, errors = run(*arguments)
        sane(status, errors, "an empty file", (1,))
        if "is empty" not in errors or out.strip():
            fail("an empty file", out, errors)
    os.utime(path("store.db"), (1, 1)) # nobody is making it
    status, out, errors = run("measure", "import", "data", "--store", "store.db")
    sane(status, errors, "an empty file", (0,))
    if "was empty" not in errors:
        fail("an empty file that is written to", errors)
    print(f"a store of {len(whole) // page} pages cut at {len(at)} places: each refused by every command, none changed")


def test_cut_journal():
    """A killed campaign's journal that is cut loses nothing that was reported."""
    count = 4
    _, whole = undisturbed(count)
    tried = journals = 0
    for until in range(1, count) if ALL else (2,):
        fresh()
        plan(count)
        reported, _, _ = watched(ENVIRONMENT, until, 0.001)
        kept = {name: read(name) for name in os.listdir(FOLDER.name) if name.startswith("store.db") and
                os.path.isfile(path(name))}
        journal = kept.get("store.db-wal", b"")
        journals += bool(journal)
        step = 4096 + 24
        for n in [0] + list(range(32, len(journal), step if ALL else 10 * step)):
            for name in os.listdir(FOLDER.name):
                if name.startswith("store.db") and os.path.isfile(path(name)):
                    os.unlink(path(name))
            for name, data in kept.items():
                if name != "store.db-shm":
                    write(name, data[:n] if name.endswith("-wal") else data)
            expect_reported(reported, f"journal cut at byte {n}")
            tried += 1
    print(f"journals of killed campaigns cut at {tried} places ({journals} held anything): nothing that was reported lost")


for test in (test_cut, test_cut_journal, test_kill_at_random, test_kill_at_operations, test_full_disk, test_outputs):
    begin = time.monotonic()
    test()
    print(f"passed {test.__name__} in {time.monotonic() - begin:.1f} s", flush=True)
