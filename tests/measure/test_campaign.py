#!/usr/bin/env python3
"""`forewarp measure` from outside: the store, campaigns that are cut off, counters, bad input.

usage: test_campaign.py store|fake|opencl|data FOREWARP MEASURE
MEASURE: forewarp-measure, or for `store` and `fake` the one with the misbehaving backend.  `opencl` exits 77,
loudly, when there is no OpenCL platform.
"""
import fcntl
import hashlib
import json
import os
import pty
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

MODE, FOREWARP, MEASURE = sys.argv[1], os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FOLDER = tempfile.TemporaryDirectory()
ENVIRONMENT = {**os.environ, "FOREWARP_MEASURE": MEASURE, "FOREWARP_STORE": os.path.join(FOLDER.name, "store.db")}


def path(name):
    return os.path.join(FOLDER.name, name)


def write(name, text):
    os.makedirs(os.path.dirname(path(name)), exist_ok=True)
    with open(path(name), "w") as file:
        file.write(text)
    return path(name)


def read(name):
    with open(path(name), "rb") as file:
        return file.read()


def run(*arguments, environment=None, prefix=None, status=0):
    command = [FOREWARP, "measure", *arguments]
    if prefix:
        command = ["bash", "-c", prefix + ' && exec "$0" "$@"'] + command
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=FOLDER.name,
                          env={**ENVIRONMENT, **(environment or {})})
    if status is not None and done.returncode != status:
        sys.exit(f"measure {' '.join(arguments)}: status {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def expect(seen, wanted, what):
    if seen != wanted:
        sys.exit(f"{what}: expected {wanted!r}, found {seen!r}")


def holds(text, part, what):
    if part not in text:
        sys.exit(f"{what}: {part!r} is not in {text!r}")


def plan(name, kernels, head="", body=""):
    text = f"plan 1\ntrials 20\nsettle 0\nlimit 20\n{head}\n"
    for kernel in kernels:
        text += (f"configuration {kernel}\nsource any.txt\nkernel {kernel.split('-')[0]}\ngrid 2\nblock 32\n"
                 f"buffer a f32 1000 zero\n{body}\nend\n")
    write("any.txt", "text\n")
    return write(name, text)


def rows(store="store.db"):
    """What SQLite itself says of the store: name -> (status, line)."""
    with sqlite3.connect(path(store)) as database:
        found = {name: (status, line) for name, status, line in
                 database.execute("SELECT name, status, line FROM measurement")}
        expect(database.execute("PRAGMA integrity_check").fetchone()[0], "ok", "integrity")
    database.close()
    return found


def fresh():
    for name in os.listdir(FOLDER.name):
        target = path(name)
        shutil.rmtree(target) if os.path.isdir(target) else os.unlink(target)


def digest(name):
    return hashlib.sha256(read(name)).hexdigest()


def refused(name, part, what):
    """A file that is no good store is refused by every command, and is as before."""
    before, there = digest(name), sorted(os.listdir(FOLDER.name))
    for arguments in (["list"], ["import", "rest.txt"], ["export", "out"], ["x.plan", "--backend", "fake"]):
        _, errors = run(*arguments, environment={"FOREWARP_STORE": path(name)}, status=1)
        holds(errors, part, what)
    expect(digest(name), before, what + ": the file")
    expect([n for n in sorted(os.listdir(FOLDER.name)) if not n.startswith(name + "-")],
           [n for n in there if not n.startswith(name + "-")], what + ": other files")


# ---- the store ----

def test_damage():
    fresh()
    plan("x.plan", [f"good-{i}" for i in range(40)])
    run("x.plan", "--backend", "fake")
    run("export", "out")
    shutil.copy(path("out/fake-device-fake.txt"), path("rest.txt"))
    shutil.rmtree(path("out"))
    whole = read("store.db")
    write("text.db", "this is a text, and no database at all, and somewhat longer than a header of a hundred bytes\n" * 3)
    refused("text.db", "not a store of forewarp", "a text")
    write("short.db", "SQLite format 3\0")
    refused("short.db", "not a store of forewarp", "a header that is cut off")
    with sqlite3.connect(path("other.db")) as database:
        database.execute("CREATE TABLE setup (id INTEGER PRIMARY KEY)")
    database.close()
    refused("other.db", "not a store of forewarp", "another program's database")
    with open(path("later.db"), "wb") as file:
        file.write(whole[:60] + b"\0\0\0\x09" + whole[64:])
    refused("later.db", "version 9", "a later version")
    with open(path("cut.db"), "wb") as file:
        file.write(whole[:len(whole) // 2])
    refused("cut.db", "is damaged", "half a database")
    pages = len(whole) // 4096
    with open(path("hurt.db"), "wb") as file:
        file.write(whole[:4096 * (pages // 2)] + b"\xff" * 4096 + whole[4096 * (pages // 2 + 1):])
    refused("hurt.db", "is damaged", "a page of garbage")
    out, _ = run("list", environment={"FOREWARP_STORE": path("none.db")}, status=3)
    expect(os.path.exists(path("none.db")), False, "a store that only gives is not made")
    os.mkdir(path("folder.db"))
    run("list", environment={"FOREWARP_STORE": path("folder.db")}, status=3)
    # A store that is empty, as a crash while making it leaves it, is made.
    write("empty.db", "")
    run("import", "rest.txt", environment={"FOREWARP_STORE": path("empty.db")})


def test_rebuild():
    fresh()
    plan("x.plan", ["good", "good-2", "unloadable"])
    run("x.plan", "--backend", "fake", "--campaign", "deep/one", status=3)
    plan("y.plan", ["good-3", "good-4"])
    run("y.plan", "--backend", "fake", "--campaign", "two")
    run("export", "data")
    expect(sorted(os.listdir(path("data"))), ["deep", "two.txt"], "files")
    out, _ = run("rebuild", "data", "--store", "again.db")
    holds(out, "5 measurements", "rebuilt")
    run("export", "data2", "--store", "again.db")
    for name in ("deep/one.txt", "two.txt"):
        expect(read("data2/" + name), read("data/" + name), "text after a rebuild")
    expect({name: line for name, (_, line) in rows("again.db").items()},
           {name: line for name, (_, line) in rows().items()}, "rows after a rebuild")
    before = digest("again.db")
    _, errors = run("rebuild", "data", "--store", "again.db", status=2)
    holds(errors, "there already", "rebuilding over a store")
    expect(digest("again.db"), before, "the store that was there")
    out, _ = run("import", "data", "--store", "again.db")
    holds(out, "0 measurements and counters of 0, 2 files, 5 known before", "importing twice")
    # Another order of lines gives the same text.
    lines = open(path("data/two.txt")).read().splitlines()
    write("turned/two.txt", "\n".join([lines[0]] + lines[:0:-1]) + "\n")
    run("rebuild", "turned", "--store", "turned.db")
    run("export", "data3", "--store", "turned.db")
    expect(read("data3/two.txt"), read("data/two.txt"), "text of turned lines")


def test_import():
    fresh()
    plan("x.plan", ["good", "good-2"])
    run("x.plan", "--backend", "fake", "--campaign", "one")
    run("export", ".")
    text = open(path("one.txt")).read()
    lines = text.splitlines()
    store = {"FOREWARP_STORE": path("other.db")}
    write("one.txt", text[:-50])
    _, errors = run("import", "one.txt", environment=store)
    holds(errors, "one.txt:3:1", "place of an unfinished line")
    holds(errors, "not finished", "an unfinished line")
    expect(list(rows("other.db")), ["good"], "what is finished is taken in")
    for broken, place, what in ((lines[1][:-1], "2:", "a line that is cut"), ("[]", "2:1", "an array"),
                                ('{"record": "song"}', "2:1", "an unknown kind"),
                                (lines[1].replace('"good"', '"good", "name": "x"', 1), "2:", "a name twice"),
                                (lines[1].replace('"done"', '1'), "2:1", "a status that is a number")):
        write("one.txt", "\n".join([lines[0], broken, lines[2]]) + "\n")
        _, errors = run("import", "one.txt", environment={"FOREWARP_STORE": path("bad.db")}, status=1)
        holds(errors, "one.txt:" + place, what)
        expect(rows("bad.db"), {}, what + ": nothing was taken in")
    write("one.txt", lines[0].replace('"format": 1', '"format": 2') + "\n" + lines[1] + "\n")
    _, errors = run("import", "one.txt", environment={"FOREWARP_STORE": path("bad.db")}, status=1)
    holds(errors, "one.txt:1:1", "records of a later format")
    holds(errors, "of a format that this program does not know", "records of a later format")
    write("one.txt", lines[1] + "\n")
    _, errors = run("import", "one.txt", status=1)
    holds(errors, "no setup line", "a measurement without a setup")
    write("one.txt", lines[0] + "\n" + lines[1].replace('"median_seconds": 0.0001', '"median_seconds": 0.0002') + "\n")
    _, errors = run("import", "one.txt", status=1)
    holds(errors, "with other numbers", "another measurement of the same configuration")
    write("one.txt", lines[0].replace('fake \\"device\\"', "another") + "\n" + lines[1] + "\n")
    _, errors = run("import", "one.txt", status=1)
    holds(errors, "one holds records of", "another device")
    run("import", "one.txt", "--campaign", "elsewhere")
    run("import", "gone.txt", status=3)


def csv(launches, head='"ID","Kernel Name","Block Size","Grid Size","dram__bytes_read.sum","sm__cycles_elapsed.min","device__attribute_major",'
                       '"gpu__time_duration.sum","smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"\n'):
    text = "==PROF== Connected\nprinted by the program\n" + head + '"","","","","Kbyte","","","us","inst"\n'
    for i, (kernel, grid, value) in enumerate(launches):
        text += f'"{i}","{kernel}","(32, 1, 1)","({grid}, 1, 1)","{value}","17","9","1,234.5","0"\n'
    return text


def counted():
    with sqlite3.connect(path("store.db")) as database:
        found = {name: json.loads(line)["counters"] for name, line in database.execute(
            "SELECT m.name, c.line FROM counters c JOIN measurement m ON m.id = c.measurement")}
    database.close()
    return found


def test_counters():
    fresh()
    text = open(plan("x.plan", ["good", "good-2", "idles", "plain"])).read()
    write("x.plan", text.replace("kernel idles\ngrid 2", "kernel idles\ngrid 3"))
    run("x.plan", "--backend", "fake", "--campaign", "c")
    write("n.csv", csv([("good", 2, "1,000.5"), ("idles", 3, 7), ("good", 2, 2), ("idles", 3, 8)]))
    out, _ = run("counters", "n.csv", "--campaign", "c")
    holds(out, "counters of 3", "counters by the launch's number")
    found = counted()
    expect(found["good"], {"dram__bytes_read.sum": 1000500, "gpu__time_duration.sum": 0.0012345}, "units")
    expect(found["good-2"]["dram__bytes_read.sum"], 2000, "the second launch")
    expect(found["idles"]["dram__bytes_read.sum"], 7000, "of several launches of one measurement, the first")
    write("order.jsonl", '{"name": "good-2"}\n{"name": "idles", "error": "did not run"}\n{"name": "good"}\n')
    write("o.csv", csv([("good", 2, 5), ("good", 2, 6)]))
    run("counters", "o.csv", "--order", "order.jsonl", "--campaign", "c")
    expect((counted()["good-2"]["dram__bytes_read.sum"], counted()["good"]["dram__bytes_read.sum"]), (5000, 6000),
           "counters by names")
    write("r.jsonl", '{"name": "plain", "counters": {"dram__bytes_read.sum": 3}}\n{"name": "nobody"}\n')
    run("counters", "r.jsonl", "--campaign", "c")
    expect(counted()["plain"], {"dram__bytes_read.sum": 3}, "counters as JSON lines")
    before = counted()
    for bad, part in ((csv([("good", 2, 1), ("nobody", 2, 1)]), "no measurement of nobody 2,1,1 32,1,1"),
                      (csv([("good", 2, 1)] * 3), "more launches than"), ("nothing\n", "no table"),
                      (csv([], head='"ID","Kernel Name"\n'), "lacks the column Grid Size"),
                      (csv([("good", 2, 9)]) + '"1","good"\n', "not complete"), ('{"x": }\n', "not a line of JSON")):
        write("bad.csv", bad)
        _, errors = run("counters", "bad.csv", "--campaign", "c", status=1)
        holds(errors, part, "bad counters")
    expect(counted(), before, "bad counters leave nothing behind")
    run("counters", "n.csv", status=2)
    # Counters go with their measurements.
    run("export", "data")
    run("rebuild", "data", "--store", "again.db")
    run("export", "data2", "--store", "again.db")
    expect(read("data2/c.txt"), read("data/c.txt"), "counters after a rebuild")
    expect(read("data/c.txt").count(b'"record": "counters"'), 4, "counters in the text")


def test_two_writers():
    fresh()
    names = ("a", "b", "c")
    for name in names:
        plan(name + ".plan", [f"good-{name}{i}" for i in range(12)])
    running = [subprocess.Popen([FOREWARP, "measure", name + ".plan", "--backend", "fake", "--campaign", name],
                                env=ENVIRONMENT, cwd=FOLDER.name, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                text=True) for name in names]
    for process in running:
        errors = process.communicate(timeout=120)[1]
        expect((process.returncode, errors), (0, ""), "one of three writers")
    expect(len(rows()), 36, "rows of three writers")
    expect(os.path.exists(path("store.db.work")), False, "what is left of their work")
    # One campaign is one process's.
    plan("slow.plan", ["good-slow", "hangs"], head="limit 3")
    first = subprocess.Popen([FOREWARP, "measure", "slow.plan", "--backend", "fake", "--campaign", "s"],
                             env=ENVIRONMENT, cwd=FOLDER.name, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while "good-slow" not in rows():
        time.sleep(0.05)
    first.send_signal(signal.SIGSTOP) # however long the next one takes to start, on a busy machine
    _, errors = run("slow.plan", "--backend", "fake", "--campaign", "s", status=3)
    holds(errors, "another process measures the campaign s", "a campaign that runs")
    first.send_signal(signal.SIGCONT)
    first.wait(timeout=60)
    expect(rows()["hangs"][0], "failed", "the kernel that never ends")


def as_nobody(*arguments):
    """As one who may read the store and write nothing; None where that cannot be arranged."""
    command = [FOREWARP, "measure", *arguments]
    who = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=FOLDER.name, env=ENVIRONMENT,
                              **who)
    except PermissionError: # the program lies where nobody else may look
        return None
    return done.returncode, done.stdout, done.stderr


def test_read_only():
    """Reading needs no right to write; writing is refused, and leaves the store as it is."""
    fresh()
    plan("x.plan", ["good", "good-2"])
    run("x.plan", "--backend", "fake", "--campaign", "c")
    run("export", "text")
    os.chmod(FOLDER.name, 0o755)
    os.mkdir(path("out"))
    os.chmod(path("out"), 0o777)
    os.mkdir(path("still"))
    name = "still/a?b%41#.db"
    shutil.copy(path("store.db"), path(name))
    os.chmod(path(name), 0o444)
    os.chmod(path("still"), 0o555)
    before = digest(name)
    for place in (name, path(name), "/" + path(name)):
        seen = as_nobody("list", "--store", place)
        if seen is None:
            print("SKIPPED: nobody else may run", FOREWARP)
            break
        expect((seen[0], seen[2]), (0, ""), "list")
        holds(seen[1], "c ", "list")
        expect(as_nobody("export", "out", "--store", place)[::2], (0, ""), "export")
        expect(read("out/c.txt"), read("text/c.txt"), "what was exported")
        seen = as_nobody("import", "text", "--store", place)
        expect(seen[0], 3, "import")
        holds(seen[2], "[STO004]", "import")
        seen = as_nobody("import", "text", "--store", "still/new.db")
        expect(seen[0], 3, "a new store where none can be made")
    expect((digest(name), os.listdir(path("still"))), (before, [os.path.basename(name)]), "the store")
    os.chmod(path("still"), 0o755)


def test_locked():
    """A store that another process writes to is waited for, and read meanwhile."""
    fresh()
    plan("x.plan", ["good", "good-2"])
    run("x.plan", "--backend", "fake", "--campaign", "c")
    run("export", "text")
    database = sqlite3.connect(path("store.db"), isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    out, _ = run("list")
    holds(out, "c ", "list meanwhile")
    waiting = subprocess.Popen([FOREWARP, "measure", "import", "text/c.txt", "--campaign", "d"], env=ENVIRONMENT,
                               cwd=FOLDER.name, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    expect(waiting.poll(), None, "waits")
    database.execute("ROLLBACK")
    errors = waiting.communicate(timeout=60)[1]
    database.close()
    expect((waiting.returncode, errors), (0, ""), "afterwards")
    expect(len(read("store.db")) > 0 and "d " in run("list")[0], True, "taken in")


# ---- campaigns on the misbehaving backend ----

def test_failures():
    fresh()
    names = ["good", "aborts", "faults", "unloadable", "idles", "good-2"]
    plan("x.plan", names, body="output a poison")
    out, errors = run("x.plan", "--backend", "fake", status=3)
    holds(out, "6 configurations, 2 measured, 4 failed, 0 in the store before", "what was done")
    for part in ("failed: aborts", "signal 6", "failed: faults", "does not write its output a"):
        holds(errors, part, "failures")
    found = rows()
    expect(list(found), names, "rows")
    out, _ = run("x.plan", "--backend", "fake")
    holds(out, "0 measured, 0 failed, 6 in the store before", "again")
    out, _ = run("x.plan", "--backend", "fake", "--retry", status=3)
    holds(out, "0 measured, 4 failed, 2 in the store before", "failures again")
    expect(rows()["good"], found["good"], "what was done stays")


def test_memory():
    fresh()
    plan("x.plan", ["good"], body="buffer b f64 200000 zero")
    _, errors = run("x.plan", "--backend", "fake", status=3)
    holds(errors, "asks for 1604000 bytes of buffers, the device has 1000000", "memory")


def test_device_gone():
    fresh()
    plan("x.plan", ["good", "vanishes", "good-2"])
    mark = path("gone")
    _, errors = run("x.plan", "--backend", "fake", environment={"FAKE_GONE": mark}, status=3)
    holds(errors, "the device is gone", "message")
    expect(list(rows()), ["good"], "what was measured stands")
    _, errors = run("x.plan", "--backend", "fake", environment={"FAKE_GONE": mark}, status=3)
    holds(errors, "no such device", "still gone")
    os.unlink(mark)
    text = open(path("x.plan")).read().replace("kernel vanishes", "kernel good")
    write("x.plan", text)
    out, _ = run("x.plan", "--backend", "fake")
    holds(out, "2 measured, 0 failed, 1 in the store before", "the device is back")


def test_full_disk():
    fresh()
    names = [f"good-{i}" for i in range(60)]
    plan("x.plan", names)
    _, errors = run("x.plan", "--backend", "fake", prefix="ulimit -f 100", status=3)
    holds(errors, "store.db", "which file")
    some = len(rows())
    expect(0 < some < 60, True, f"rows that fitted: {some}")
    kept = rows()
    out, _ = run("x.plan", "--backend", "fake")
    after = rows()
    expect(sorted(after), sorted(names), "rows")
    expect({name: after[name] for name in kept}, kept, "rows from before")
    measured = int(out.split(" measured")[0].split()[-1])
    expect(measured <= 60 - some, True, "what was measured is not measured again")


def killed(arguments, after):
    """Starts a campaign, kills it -9 once `after` rows are in the store; the rows that were there then."""
    process = subprocess.Popen([FOREWARP, "measure", *arguments], cwd=FOLDER.name, env=ENVIRONMENT,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    found = {}
    while process.poll() is None and len(found) < after:
        try:
            found = rows()
        except sqlite3.OperationalError: # not made yet
            time.sleep(0.01)
    expect(process.poll(), None, "still running")
    process.send_signal(signal.SIGKILL)
    process.wait()
    return found


def resumed(arguments, found, count):
    """Every row that was there is there, and is not measured again."""
    for _ in range(50): # the killed one's child goes with it, in a moment
        again = rows()
        expect({name: again[name] for name in found}, found, "rows of the killed campaign")
        time.sleep(0.01)
    out, _ = run(*arguments)
    again = rows()
    expect(len(again), count, "rows")
    expect({name: again[name] for name in found}, found, "rows of the killed campaign, after")
    before = int(out.split(" in the store before")[0].split()[-1])
    expect(before >= len(found), True, f"known before: {before}, killed at {len(found)}")
    expect(os.path.exists(path("store.db.work")), False, "what is left of the work")


def replayed(plan_file, campaign):
    """Export, import elsewhere, replay into a third store: the same rows."""
    run("export", "text")
    run("import", "text", "--store", "second.db")
    expect(rows("second.db"), rows(), "rows of the import")
    environment = {} if MODE == "opencl" else {"FOREWARP_MEASURE": MEASURE}
    run(plan_file, "--backend", "replay", "--recording", f"text/{campaign}.txt", "--store", "third.db",
        "--campaign", campaign, environment=environment)
    expect({name: line for name, (_, line) in rows("third.db").items()},
           {name: line for name, (_, line) in rows().items()}, "rows of the replay")


def test_kill():
    for after in (1, 6):
        fresh()
        plan("x.plan", [f"good-{i}" for i in range(12)], head="energy 0.05", body="output a")
        found = killed(["x.plan", "--backend", "fake"], after)
        resumed(["x.plan", "--backend", "fake"], found, 12)
        replayed("x.plan", "fake-device-fake")


def test_left_behind():
    """Records of a killed process that are not in the store yet are taken in; those of a living one are its own."""
    fresh()
    plan("x.plan", ["good", "good-2", "good-3"])
    run("x.plan", "--backend", "fake")
    run("export", ".")
    lines = open(path("fake-device-fake.txt")).read().splitlines(True)
    for name in ("store.db", "store.db-wal", "store.db-shm"):
        if os.path.exists(path(name)):
            os.unlink(path(name))
    for who in ("999998", "999999"):
        write(f"store.db.work/{who}.campaign", "fake-device-fake")
        write(f"store.db.work/{who}.records", "".join(lines[:3]) + lines[3][:40])
        write(f"store.db.work/{who}.plan/plan", "")
    with open(path("store.db.work/999998.campaign")) as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        out, errors = run("x.plan", "--backend", "fake")
    holds(out, "1 measured, 0 failed, 2 in the store before", "what was left behind")
    holds(errors, "not finished", "its unfinished line")
    expect({name: line for name, (_, line) in rows().items() if name != "good-3"},
           {json.loads(line)["name"]: line.strip() for line in lines[1:3]}, "rows")
    expect(sorted(os.listdir(path("store.db.work"))), ["999998.campaign", "999998.plan", "999998.records"], "files")


def test_progress():
    fresh()
    plan("x.plan", [f"good-{i}" for i in range(5)])
    parent, child = pty.openpty()
    done = subprocess.run([FOREWARP, "measure", "x.plan", "--backend", "fake"], cwd=FOLDER.name, env=ENVIRONMENT,
                          stdout=subprocess.DEVNULL, stderr=child, timeout=60)
    os.close(child)
    fcntl.fcntl(parent, fcntl.F_SETFL, os.O_NONBLOCK)
    seen = os.read(parent, 100000).decode()
    expect(done.returncode, 0, "status")
    for part in ("0 of 5", "3 of 5, about", "5 of 5", ": good-4"):
        holds(seen, part, "progress")


def test_no_program():
    fresh()
    plan("x.plan", ["good"])
    _, errors = run("x.plan", "--backend", "fake", environment={"FOREWARP_MEASURE": "/nowhere"}, status=3)
    holds(errors, "cannot run /nowhere", "message")
    _, errors = run("x.plan", "--backend", "abacus", status=3)
    holds(errors, "no such backend", "message")
    write("x.plan", "plan 1\ntrails 3\n")
    _, errors = run("x.plan", "--backend", "fake", status=1)
    holds(errors, "x.plan:2:1: no such directive", "a plan at fault")
    run("a", "b", "c", status=2)
    run("x.plan", "--trials", "many", status=2)


# ---- lists, on a device that is there ----

LIST = """[
{"file": "add.cl", "kernel": "add", "size": "small", "grid": [8, 1, 1], "block": [64, 1, 1], "arguments": {"n": 500},
 "buffers": {"a": {"type": "f32", "count": 512, "fill": "random"}, "b": {"type": "f32", "count": 512, "fill": "zero"}},
 "outputs": ["b"]},
{"file": "add.cl", "kernel": "add", "size": "small", "shape": "32x1x1", "grid": [16, 1, 1], "block": [32, 1, 1],
 "arguments": {"n": 500}, "buffers": {"a": {"type": "f32", "count": 512, "fill": "random"},
 "b": {"type": "f32", "count": 512, "fill": "zero"}}, "outputs": ["b"]},
{"file": "add.cl", "kernel": "raise", "size": "large", "grid": [8, 1, 1], "block": [64, 1, 1], "arguments": {},
 "buffers": {"b": {"type": "s32", "count": 512, "fill": "ramp"}}, "outputs": ["b"]},
{"file": "add.cl", "kernel": "missing", "size": "small", "grid": [8], "block": [64], "buffers": {}},
{"file": "other.cu", "kernel": "other", "size": "small", "grid": [8], "block": [64], "buffers": {}}
]
"""
SOURCE = """/* kernel void missing( */
kernel void add(global const float *a, global float *b, const int n)
{ int i = get_global_id(0); if (i < n) b[i] = a[i] + 1; }
kernel void raise(global int *b) { b[get_global_id(0)]++; }
kernel void never(global int *b) { while (((volatile global int *)b)[0] == 0) ; }
kernel void astray(global int *b) { b[1l << 44] = 1; }
"""


def test_list():
    fresh()
    write("add.cl", SOURCE)
    write("launches.json", LIST)
    out, errors = run(".", "--backend", "opencl", "--trials", "5", "--settle", "0", status=None)
    if "no OpenCL platform" in errors or "no OpenCL loader" in errors:
        print("SKIPPED: there is no OpenCL platform here:", errors, file=sys.stderr)
        sys.exit(77)
    holds(out, "3 configurations, 3 measured, 0 failed, 0 in the store before, 2 left out", "what was done")
    holds(errors, "left out: add missing small: the source has no such kernel", "left out")
    holds(errors, "left out: other other small: there is no OpenCL source of it", "left out")
    found = {name: json.loads(line) for name, (_, line) in rows().items()}
    expect(sorted(found), ["add add small", "add add small 32x1x1", "add raise large"], "names")
    expect(found["add add small"]["outputs_changed"], {"b": True}, "outputs")
    out, _ = run("launches.json", "--trials", "5", "--settle", "0", "--backend", "opencl", "--sizes", "large",
                 "--kernels", "raise,add")
    holds(out, "1 configurations, 0 measured, 0 failed, 1 in the store before", "a choice of launches")
    run(".", "--plan", "made/it/plan", "--backend", "opencl", "--sizes", "small")
    holds(read("made/it/plan").decode(), "output b poison", "a plan")
    for option, names, part in (("--kernels", "add,rise", "no launch has the kernel 'rise'"),
                                ("--sizes", "small,huge", "no launch has the size 'huge'")):
        _, errors = run(".", "--backend", "opencl", option, names, status=1)
        holds(errors, part, "a misspelt name")
    # Shapes of one kernel and size do not follow each other.
    launches = json.loads(LIST)[:3]
    other = [{**launch, "kernel": "raise", "arguments": {}, "buffers": {"b": launches[2]["buffers"]["b"]}}
             for launch in launches[:2]]
    write("shapes.json", json.dumps(launches[:2] + other))
    run("shapes.json", "--plan", "shaped.plan", "--backend", "opencl")
    lines = [line for line in read("shaped.plan").decode().splitlines() if line.startswith("configuration")]
    expect(lines, [f'configuration "add {name}"' for name in
                   ("add small", "raise small", "add small 32x1x1", "raise small 32x1x1")], "the order")
    expect(read("made/it/add.cl").decode(), SOURCE, "its source")
    for text, part in (("[{]", "launches.json:1:3"), ('{"kernel": "k"}', 'has no "file"'), ("[]", "no launch of these"),
                       ('{"file": "a.cl", "kernel": "k", "grid": [0], "block": [1]}', '"grid" is not'),
                       ('{"file": "none.cl", "kernel": "k", "grid": [1], "block": [1]}\n{', "launches.json:2:")):
        write("launches.json", text)
        _, errors = run(".", "--backend", "opencl", status=1)
        holds(errors, part, text)


def test_astray():
    """A kernel that never ends, and one that writes far out of bounds, cost themselves alone."""
    fresh()
    write("add.cl", SOURCE)
    rows_of = [{"file": "add.cl", "kernel": kernel, "grid": [1], "block": [1], "outputs": ["b"],
                "buffers": {"b": {"type": "s32", "count": 64, "fill": "zero"}}} for kernel in ("never", "astray", "raise")]
    write("launches.json", json.dumps(rows_of))
    _, errors = run(".", "--backend", "opencl", "--trials", "3", "--settle", "0", "--time-limit", "3", status=3)
    holds(errors, "failed: add never: ", "never ends")
    holds(errors, "time limit of 3 s", "never ends")
    holds(errors, "failed: add astray: ", "out of bounds")
    expect({name: status for name, (status, _) in rows().items()},
           {"add never": "failed", "add astray": "failed", "add raise": "done"}, "rows")


def test_chain():
    """The whole chain: plan, measure, kill in the middle, resume, export, import, replay, equal."""
    fresh()
    arguments = [os.path.join(ROOT, "kernels"), "--backend", "opencl", "--sizes", "small", "--trials", "12", "--settle",
                 "0", "--kernels", "copy,saxpy,triad,transpose,stencil2d,matmul_tiled,gather,reduce,softmax,spmv_csr",
                 "--campaign", "pocl"]
    found = killed(arguments, 3)
    resumed(arguments, found, 10)
    run(*arguments[:-2], "--plan", "made/x.plan")
    replayed("made/x.plan", "pocl")


def test_data():
    """What is under data/ makes a store, and comes out of it as it went in."""
    fresh()
    out, _ = run("rebuild", os.path.join(ROOT, "data"), status=0)
    run("export", "text")
    seen = 0
    for folder, _, names in os.walk(path("text")):
        for name in names:
            inside = os.path.relpath(os.path.join(folder, name), path("text"))
            with open(os.path.join(ROOT, "data", inside), "rb") as file:
                expect(read("text/" + inside) == file.read(), True, inside + " as exported")
            seen += 1
    expect(seen > 0, True, "files")
    print(out.strip())


def test_recorded():
    """What an H200 gave, through the replay: every row comes out as it was recorded."""
    fresh()
    recording = os.path.join(ROOT, "data/h200/measured-cold.txt")
    recorded = {row["name"]: (row, line) for row, line in ((json.loads(line), line.strip()) for line in open(recording))
                if row["record"] == "measurement"}
    kernels = ",".join(sorted({row["kernel"] for row, _ in recorded.values()}))
    run(os.path.join(ROOT, "kernels"), "--backend", "replay", "--recording", recording, "--ptx",
        os.path.join(ROOT, "tests/golden/kernels"), "--kernels", kernels, "--sizes", "medium", "--settle", "0.05",
        "--cache", "cold", status=None)
    same = sum(1 for name, (status, line) in rows().items() if status == "done" and line == recorded[name][1].replace(
        "tests/golden/kernels/", ""))
    if same == 0:
        print("SKIPPED: the recorded kernels' PTX or launches are no longer as recorded", file=sys.stderr)
        sys.exit(77)
    print(same, "of", len(recorded), "recorded rows replayed")
    expect(same, len(recorded), "rows of the replay")


tests = {"store": [test_damage, test_rebuild, test_import, test_counters, test_two_writers, test_read_only,
                   test_locked],
         "fake": [test_failures, test_memory, test_device_gone, test_full_disk, test_kill, test_left_behind,
                  test_progress, test_no_program],
         "opencl": [test_list, test_astray, test_chain], "data": [test_data, test_recorded]}[MODE]
for test in tests:
    test()
    print("passed", test.__name__)
