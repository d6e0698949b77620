#!/usr/bin/env python3
"""forewarp-measure from outside: plans, resumption, crashes, full disks, replay.

usage: test_measure.py fake|opencl|errors|fills|alone PROGRAM
`fake` takes the program built with the misbehaving backend, `fills` fill_dump, `alone` any, and builds its own.  `opencl` exits 77,
loudly, when there is no OpenCL platform.
"""
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time

MODE, PROGRAM = sys.argv[1], os.path.abspath(sys.argv[2])
HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = tempfile.TemporaryDirectory()


def path(name):
    return os.path.join(FOLDER.name, name)


def write(name, text):
    with open(path(name), "w") as file:
        file.write(text)
    return path(name)


def run(plan, *arguments, environment=None, shell_prefix=None):
    command = [PROGRAM, plan, *arguments]
    if shell_prefix:
        command = ["bash", "-c", shell_prefix + ' && exec "$0" "$@"'] + command
    done = subprocess.run(command, capture_output=True, text=True, timeout=120,
                          env={**os.environ, **(environment or {})})
    return done.returncode, done.stdout, done.stderr


def records(name):
    """Setup lines and measurement lines as text."""
    lines = open(path(name)).read().splitlines()
    return ([line for line in lines if json.loads(line)["record"] == "setup"],
            [line for line in lines if json.loads(line)["record"] == "measurement"])


def expect(seen, wanted, what):
    if seen != wanted:
        sys.exit(f"{what}: expected {wanted!r}, found {seen!r}")


def holds(text, part, what):
    if part not in text:
        sys.exit(f"{what}: {part!r} is not in {text!r}")


def plan(names, head="", body=""):
    text = f"plan 1\ntrials 30\nsettle 0\nlimit 20\n{head}\n"
    for name in names:
        text += (f"configuration {name}\nsource any.txt\nkernel {name.split('-')[0]}\ngrid 2\nblock 32\n"
                 f"buffer a f32 1000 zero\n{body}\nend\n")
    write("any.txt", "text\n")
    return text


def test_crashes():
    names = ["good", "aborts", "faults", "unloadable", "idles", "good-2"]
    file = write("crash.plan", plan(names, body="output a poison"))
    status, _, _ = run(file, "-b", "fake", "-o", path("crash.txt"))
    expect(status, 3, "status of a campaign with failures")
    rows = {row["name"]: row for row in map(json.loads, records("crash.txt")[1])}
    expect(list(rows), names, "rows")
    expect(rows["good"]["status"], "done", "good")
    expect(rows["good-2"]["status"], "done", "the one after the crashes")
    holds(rows["aborts"]["reason"], "signal 6", "abort")
    expect(rows["faults"]["status"], "failed", "fault")
    expect(rows["unloadable"]["reason"], 'a "quoted"\nreason', "reason")
    holds(rows["idles"]["reason"], "does not write its output a", "an output not written")
    before = open(path("crash.txt")).read()
    status, _, errors = run(file, "-b", "fake", "-o", path("crash.txt"))
    expect((status, open(path("crash.txt")).read()), (0, before), "a finished campaign adds nothing")
    holds(errors, "6 recorded before", "skipped")
    run(file, "-b", "fake", "-o", path("crash.txt"), "--retry")
    expect(len(records("crash.txt")[1]), 10, "rows after --retry")


def test_time_limit():
    file = write("hang.plan", plan(["hangs", "good"], head="limit 1"))
    run(file, "-b", "fake", "-o", path("hang.txt"))
    rows = [json.loads(line) for line in records("hang.txt")[1]]
    holds(rows[0]["reason"], "time limit of 1 s", "hang")
    expect(rows[1]["status"], "done", "the one after the hang")


def test_together():
    """Configurations in one process: a crash or a hang costs itself alone, and another process goes on."""
    names = ["good-1", "good-2", "aborts", "good-3", "unloadable", "good-4", "hangs", "good-5"]
    file = write("together.plan", plan(names, head="process together\nlimit 1", body="read a 3"))
    status, _, errors = run(file, "-b", "fake", "-o", path("together.txt"))
    expect(status, 3, "status of a campaign with failures")
    rows = {row["name"]: row for row in map(json.loads, records("together.txt")[1])}
    expect(list(rows), names, "rows")
    for name in names:
        expect(rows[name]["status"], "done" if name.startswith("good") else "failed", name)
    holds(rows["aborts"]["reason"], "signal 6", "abort")
    holds(rows["hangs"]["reason"], "time limit of 1 s", "hang")
    # The backend's launches set every byte of the buffer to one: 0x01010101 as a float.
    number = struct.unpack("<f", b"\1\1\1\1")[0]
    read = rows["good-1"]["read"]["a"]
    expect((len(read), len(read[0])), (30, 3), "trials read back, and elements")
    expect(abs(read[29][2] / number - 1) < 1e-6, True, "an element read back")
    # One process: the backend counts on where the configuration before left off.
    own = write("own.plan", plan(["good-1", "good-2"], body="read a 3"))
    run(own, "-b", "fake", "-o", path("own.txt"))
    apart = [json.loads(line)["single"]["seconds"] for line in records("own.txt")[1]]
    expect(apart[0], apart[1], "a process each")
    expect(rows["good-1"]["single"]["seconds"] == rows["good-2"]["single"]["seconds"], False, "one process")
    # Again: only what failed, and replay gives the same records.
    before = open(path("together.txt")).read()
    run(file, "-b", "fake", "-o", path("together.txt"))
    expect(open(path("together.txt")).read(), before, "a finished campaign adds nothing")
    run(own, "-b", "replay", "-r", path("own.txt"), "-o", path("own-replayed.txt"))
    expect(records("own-replayed.txt")[1], records("own.txt")[1], "replay with what was read back")


def test_device_gone():
    file = write("gone.plan", plan(["good", "vanishes", "good-2"]))
    mark = path("gone")
    status, _, errors = run(file, "-b", "fake", "-o", path("gone.txt"), environment={"FAKE_GONE": mark})
    expect(status, 3, "status")
    holds(errors, "the device is gone", "message")
    expect(len(records("gone.txt")[1]), 1, "what was measured stands, nothing else")
    holds(errors, "2 left", "left")


def test_marks():
    file = write("marks.plan", plan(["good"], head="energy 0.2"))
    run(file, "-b", "fake", "-o", path("marks.txt"))
    row = json.loads(records("marks.txt")[1][0])
    seconds = row["single"]["seconds"]
    expect(len(seconds), 30, "trials")
    median = sorted(seconds)
    median = (median[14] + median[15]) / 2
    expect(abs(row["single"]["median_seconds"] / median - 1) < 1e-8, True, "median")
    # The backend's events are a microsecond apart with nothing between them.
    expect(row["single"]["floor_seconds"], 1e-6, "the timer's floor")
    expect(abs(row["single"]["net_median_seconds"] / (median - 1e-6) - 1) < 1e-6, True, "without the floor")
    expect("floor_seconds" in row["pipelined"], False, "a floor of what is shared by many launches")
    expect(row["single"]["outliers"], [i for i, s in enumerate(seconds) if s > 2.5e-4], "outliers")
    expect(row["single"]["below_top_clock"],
           [i for i, clock in enumerate(row["single"]["clock_hertz"]) if clock < 2e9], "clocks")
    expect(len(row["single"]["below_top_clock"]), 3, "trials below the top clock")
    energy = row["energy"]
    # The counter goes on by steps of 0.25 s; a window that begins and ends elsewhere has other watts.
    expect(abs(energy["watts"] - 250) < 20, True, "watts of whole steps")
    expect(abs(energy["joules_per_launch"] / (energy["joules"] / energy["launches"]) - 1) < 0.02, True, "joules of a launch")
    expect(energy["window_seconds"] >= 0.2 and 0 <= energy["idle_share"] < 1, True, "window")


def test_pause():
    file = write("pause.plan", plan(["good", "good-2"], head="pause 0.7"))
    begin = time.monotonic()
    run(file, "-b", "fake", "-o", path("pause.txt"))
    expect(time.monotonic() - begin >= 1.4, True, "a pause before each configuration")
    begin = time.monotonic()
    replays(file, "pause.txt")
    expect(time.monotonic() - begin < 1.4, True, "a recording does not rest")
    # It is not what makes a measurement the one that it is.
    status, _, errors = run(write("hurry.plan", plan(["good", "good-2"])), "-b", "fake", "-o", path("pause.txt"))
    holds(errors, "2 recorded before", "without the pause")


def test_restore():
    file = write("restore.plan", plan(["raises"], body="output a\nrestore a"))
    run(file, "-b", "fake", "-o", path("restore.txt"))
    row = json.loads(records("restore.txt")[1][0])
    expect(row["status"], "done", "restored before each trial")
    expect(row["pipelined"], None, "no pipelined trials of a kernel that needs restoring")
    file = write("unrestored.plan", plan(["raises"], body="output a"))
    run(file, "-b", "fake", "-o", path("unrestored.txt"))
    holds(json.loads(records("unrestored.txt")[1][0])["reason"], "not restored", "without restoring")


def test_disk():
    names = [f"good-{i}" for i in range(8)]
    file = write("disk.plan", plan(names))
    status, _, errors = run(file, "-b", "fake", "-o", path("disk.txt"), shell_prefix="ulimit -f 8")
    expect(status, 3, "status")
    holds(errors, "cannot write: File too large; the file ends with its last complete record", "message")
    some = len(records("disk.txt")[1])
    expect(0 < some < 8, True, "rows that fitted")
    status, _, _ = run(file, "-b", "fake", "-o", path("disk.txt"))
    expect((status, [json.loads(row)["name"] for row in records("disk.txt")[1]]), (0, names), "resumed")


def test_truncated():
    file = write("cut.plan", plan(["good", "good-2"]))
    run(file, "-b", "fake", "-o", path("cut.txt"))
    whole = open(path("cut.txt")).read()
    write("cut.txt", whole[:-100])
    status, _, errors = run(file, "-b", "fake", "-o", path("cut.txt"))
    expect(status, 0, "status")
    holds(errors, "unfinished last line of", "note")
    expect([json.loads(row)["name"] for row in records("cut.txt")[1]], ["good", "good-2"], "rows")
    write("other.txt", "not a record\n")
    status, _, errors = run(file, "-b", "fake", "-o", path("other.txt"))
    holds(errors, "other.txt:1:1: not a record", "another kind of file")
    expect(open(path("other.txt")).read(), "not a record\n", "another kind of file is left alone")
    later = whole.replace('"format": 1', '"format": 2', 1)
    write("later.txt", later)
    for arguments in (["-b", "fake", "-o", path("later.txt")],
                      ["-b", "replay", "-r", path("later.txt"), "-o", path("later-replayed.txt")]):
        status, _, errors = run(file, *arguments)
        expect(status, 3, "status")
        holds(errors, "of a format that this program does not know: it knows 1", "records of a later format")
    expect(open(path("later.txt")).read(), later, "records of a later format are left alone")


def test_memory():
    file = write("memory.plan", plan(["good"], body="buffer b f64 200000 zero"))
    run(file, "-b", "fake", "-o", path("memory.txt"))
    holds(json.loads(records("memory.txt")[1][0])["reason"],
          "asks for 1604000 bytes of buffers, the device has 1000000", "memory")


def kill_in_the_middle(file, backend, name, after):
    """Starts a campaign, kills it -9 when `after` rows are reported, and resumes it."""
    process = subprocess.Popen([PROGRAM, file, "-b", backend, "-o", path(name)], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for _ in range(after):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    reported = after + len(process.stdout.read().splitlines())
    process.wait()
    rows = len(records(name)[1]) if open(path(name)).read().endswith("\n") else None
    if rows is not None and rows < reported:
        sys.exit(f"{reported} rows were reported done, {rows} are there")
    kept = records(name)[1]
    for _ in range(100):  # the child goes with its parent; the lock with the parent
        status, _, errors = run(file, "-b", backend, "-o", path(name))
        if "another campaign" not in errors:
            break
        time.sleep(0.1)
    expect(status, 0, "resumed: " + errors)
    expect(records(name)[1][:len(kept)], kept, "rows of the killed campaign")
    holds(errors, f"{len(kept)} recorded before", "resumed")


def replays(file, name):
    status, _, errors = run(file, "-b", "replay", "-r", path(name), "-o", path("replay-" + name))
    expect(status, 0, "replay: " + errors)
    expect(records("replay-" + name)[1], records(name)[1], "rows of the replay")


def test_kill_and_replay():
    file = write("kill.plan", plan([f"good-{i}" for i in range(10)], head="energy 0.1", body="output a"))
    kill_in_the_middle(file, "fake", "kill.txt", 3)
    expect(len(records("kill.txt")[1]), 10, "rows")
    replays(file, "kill.txt")


def test_other_device():
    file = write("device.plan", plan(["good", "good-2"]))
    run(file, "-b", "fake", "-o", path("device.txt"))
    text = open(path("device.txt")).read().replace('fake \\"device\\"', "another").splitlines()[:2]
    write("device.txt", "\n".join(text) + "\n")
    status, _, errors = run(file, "-b", "fake", "-o", path("device.txt"))
    expect(status, 3, "status")
    holds(errors, "holds records of another", "message")


def test_lock():
    file = write("lock.plan", plan(["good", "hangs"]))
    first = subprocess.Popen([PROGRAM, file, "-b", "fake", "-o", path("lock.txt")], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    first.stdout.readline()
    status, _, errors = run(file, "-b", "fake", "-o", path("lock.txt"))
    first.kill()
    first.wait()
    first.stdout.close()
    expect(status, 3, "status")
    holds(errors, "another campaign writes to this file", "message")
    expect(len(records("lock.txt")[1]), 1, "rows")


def opencl_plan():
    write("add.cl", "kernel void add(global const float *a, global float *b, const int n, local float *s)\n"
          "{ int i = get_global_id(0); s[get_local_id(0)] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
          "  if (i < n) b[i] = s[get_local_id(0)] + 1; }\n"
          "kernel void nothing(global const float *a, global float *b, const int n, local float *s) {}\n")
    text = "plan 1\ntrials 12\nsettle 0\nlimit 60\n"
    for i in range(4):
        text += (f"configuration add-{i}\nsource add.cl\nkernel add\ngrid 8\nblock 64\n"
                 f"{'cache cold' if i == 3 else ''}\n"
                 f"buffer a f32 512 random\nbuffer b f32 512 zero\nscalar n s32 {500 + i}\nlocal s 256\n"
                 "output b poison\nend\n")
    return text


def test_opencl():
    file = write("opencl.plan", opencl_plan())
    status, _, errors = run(file, "-b", "opencl", "-o", path("first.txt"))
    if "no OpenCL" in errors:
        print("SKIPPED: there is no OpenCL platform here:", errors, file=sys.stderr)
        sys.exit(77)
    expect(status, 0, "status: " + errors)
    setup, rows = records("first.txt")
    expect(len(rows), 4, "rows")
    holds(json.loads(setup[0])["driver"], "OpenCL", "driver")
    for row in map(json.loads, rows):
        expect(row["outputs_changed"], {"b": True}, "outputs")
        expect(row["single"]["minimum_seconds"] > 0, True, "seconds")
        expect("floor_seconds" in row["single"], False, "the kernel's own start and end have no floor")
    expect(json.loads(rows[3])["pipelined"], None, "cold: no pipelined trials")
    kill_in_the_middle(file, "opencl", "killed.txt", 2)
    replays(file, "killed.txt")
    file = write("bad.plan", opencl_plan().replace("local s 256", ""))
    run(file, "-b", "opencl", "-o", path("bad.txt"))
    reasons = [json.loads(row).get("reason", "") for row in records("bad.txt")[1]]
    holds(reasons[1], "the kernel has 4 parameters, the plan gives 3", "parameters")
    file = write("idle.plan", opencl_plan().replace("kernel add\n", "kernel nothing\n", 1))
    run(file, "-b", "opencl", "-o", path("idle.txt"))
    holds(json.loads(records("idle.txt")[1][0])["reason"], "does not write its output b", "not written")


ERRORS = [
    ("trials 3\n", "1:1", "a plan opens with the line 'plan 1'"),
    ("plan 2\n", "1:6", "version 1"),
    ("plan 1\ntrails 3\n", "2:1", "no such directive: 'trails'"),
    ("plan 1\ntrials\n", "2:7", "the form is 'trials COUNT'"),
    ("plan 1\ntrials 3 4\n", "2:10", "one word too many"),
    ("plan 1\n  trials x\n", "2:10", "not a whole number: 'x'"),
    ("plan 1\ntrials 0\n", "2:8", "too small"),
    ("plan 1\ntrials 99999999999999999999999\n", "2:8", "too large"),
    ("plan 1\ncache hot\n", "2:7", "warm or cold"),
    ("plan 1\nlimit -1\n", "2:7", "seconds are from 0"),
    ("plan 1\nlimit nan\n", "2:7", "not a number"),
    ("plan 1\npause x\n", "2:7", "not a number"),
    ("plan 1\ngrid 1\n", "2:1", "inside a configuration only"),
    ("plan 1\nconfiguration \"a b\n", "2:15", "does not end"),
    ("plan 1\nconfiguration a\n", "3:1", "the plan ends inside the configuration 'a'"),
    ("plan 1\nconfiguration a\nend\n", "3:1", "lacks 'source'"),
    ("plan 1\nconfiguration a\ngrid 0\n", "3:6", "at least 1"),
    ("plan 1\nconfiguration a\nscalar n s8 128\n", "3:13", "does not fit"),
    ("plan 1\nconfiguration a\nscalar n u8 -1\n", "3:13", "not a whole number of the type"),
    ("plan 1\nconfiguration a\nscalar n q8 1\n", "3:10", "no such type: 'q8'"),
    ("plan 1\nconfiguration a\nbuffer n f32 0 zero\n", "3:14", "at least 1 element"),
    ("plan 1\nconfiguration a\nbuffer n f32 8 ones\n", "3:16", "no such fill"),
    ("plan 1\nconfiguration a\nbuffer n f32 8 random 1\n", "3:24", "random [LOW HIGH]"),
    ("plan 1\nconfiguration a\nbuffer n f32 8 random 2 1\n", "3:25", "must rise"),
    ("plan 1\nconfiguration a\nbuffer n s8 200 cycle\n", "3:13", "too narrow"),
    ("plan 1\nconfiguration a\noutput n\n", "3:8", "no buffer before this line"),
    ("plan 1\nconfiguration a\nbuffer n s8 2 zero\nscalar n s8 2\n", "4:8", "of this name already"),
    ("plan 1\nconfiguration a\nsource missing.ptx\nkernel k\ngrid 1\nblock 1\nend\n", "line 2", "missing.ptx"),
    ("plan 1\n" + "x " * 20, "2:33", "too many words"),
    ("plan 1\nprocess apart\n", "2:9", "own or together"),
    ("plan 1\nconfiguration a\nread n 1\n", "3:6", "no buffer before this line"),
    ("plan 1\nconfiguration a\nbuffer n s8 2 zero\nread n 3\n", "4:8", "too large"),
    ("plan 1\nconfiguration a\nbuffer n s8 2 zero\nread n 0\n", "4:8", "at least 1 element"),
    ("plan 1\nconfiguration a\nbuffer n f16 2 zero\nread n 1\n", "4:6", "half types"),
]


def test_errors():
    for text, place, message in ERRORS:
        status, _, errors = run(write("error.plan", text), "--check")
        expect(status, 1, f"status of {text!r}")
        holds(errors, f"{place}: " if place[0].isdigit() else place, text)
        holds(errors, message, text)
    expect(run(path("none.plan"), "--check")[0], 1, "a plan that is not there")
    expect(run(write("fine.plan", "plan 1 # nothing\n\n"), "--check")[0], 0, "an empty plan")
    expect(run(path("fine.plan"))[0], 2, "no backend")
    expect(run(path("fine.plan"), "-b", "abacus", "-o", path("x"))[0], 2, "no such backend")


def random_bits(position, index):
    mask = 2**64 - 1
    x = (position * 2**40 + index + 1) & mask
    x = ((x ^ x >> 33) * 0xff51afd7ed558ccd) & mask
    x = ((x ^ x >> 33) * 0xc4ceb9fe1a85ec53) & mask
    return x ^ x >> 33


def bytes_of(type, values):
    if type == "bf16":
        words = [struct.unpack("<I", struct.pack("<f", value))[0] for value in values]
        return struct.pack(f"<{len(words)}H", *[(w + 0x7fff + (w >> 16 & 1)) >> 16 for w in words])
    letter = {"f16": "e", "f32": "f", "f64": "d", "s8": "b", "u8": "B", "s16": "h", "u16": "H",
              "s32": "i", "u32": "I", "s64": "q", "u64": "Q"}[type]
    return struct.pack(f"<{len(values)}{letter}", *values)


def filled(position, type, count, fill, numbers):
    """The formulas of kernels/README.md once more, in Python."""
    if fill == "zero":
        return [0] * count
    if fill == "ramp":
        low, step, jitter = numbers
        return [low + i * step + i * 7919 % jitter for i in range(count)]
    bits = [random_bits(position, i) for i in range(count)]
    if fill == "random":
        low, high = numbers or (0, 1)
        if type[0] in "fb":
            return [low + (high - low) * ((r >> 40) / 2**24) for r in bits]
        return [low + ((r >> 32) * (high - low) >> 32) for r in bits]
    order = list(range(count))
    for i in range(count - 1, 0, -1):
        j = bits[i] % (i if fill == "cycle" else i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def test_fills():
    buffers = [("f32", 100, "random", []), ("f64", 100, "random", [-3.5, 2.25]), ("f16", 300, "random", []),
               ("bf16", 300, "random", [-2, 1000]), ("f16", 99, "random", [0, 0.0005]), ("s8", 200, "random", [-128, 128]),
               ("s32", 99, "random", [-5, 7]), ("u32", 99, "random", [0, 4294967296]), ("u64", 9, "random", []),
               ("s32", 99, "ramp", [3, 40, 40]), ("f32", 50, "ramp", [0.5, 2, 3]), ("s64", 77, "permutation", []),
               ("u64", 17000, "ramp", [7, 268435456, 134217728]), ("s32", 1000, "permutation", []), ("s32", 1000, "cycle", []), ("u8", 256, "permutation", []),
               ("f32", 10, "zero", []), ("s16", 1, "cycle", [])]
    scalars = [("s8", -128), ("u16", 65535), ("s64", -2**63), ("u64", 2**64 - 1), ("f32", 0.1), ("f64", -1e300),
               ("f16", 65504.0), ("f16", 6e-8), ("bf16", 3.14159)]
    text = "plan 1\nconfiguration a\nsource a\nkernel a\ngrid 1\nblock 1\n"
    wanted = []
    for i, (type, count, fill, numbers) in enumerate(buffers):
        text += f"buffer b{i} {type} {count} {fill} {' '.join(map(str, numbers))}\n"
        wanted.append(bytes_of(type, filled(i, type, count, fill, numbers)).hex())
    for i, (type, value) in enumerate(scalars):
        text += f"scalar s{i} {type} {value!r}\n"
        wanted.append(bytes_of(type, [value]).hex())
    seen = subprocess.run([PROGRAM, write("fill.plan", text + "end\n")], capture_output=True, text=True)
    lines = seen.stdout.split("\n")[:-1]
    expect(len(lines), len(wanted), "arguments")
    for i, line in enumerate(lines):
        expect(line, wanted[i], f"argument {i}, {(buffers + scalars)[i]}")


def test_alone():
    """The one command of docs/forewarp-measure.md builds a program that needs the C library alone."""
    global PROGRAM
    root = os.path.join(HERE, "../..")
    with open(os.path.join(root, "docs/forewarp-measure.md")) as file:
        command = next(line.strip() for line in file if line.startswith("    gcc ") and "src/measure/*.c" in line)
    PROGRAM = path("forewarp-measure")
    built = subprocess.run(command.replace("-o forewarp-measure", "-o " + PROGRAM), shell=True, cwd=root, text=True,
                           capture_output=True)
    expect((built.returncode, built.stderr), (0, ""), command)
    dynamic = subprocess.run(["readelf", "--dynamic", "--wide", PROGRAM], text=True, capture_output=True, check=True)
    needed = {line.split("[")[1].split("]")[0] for line in dynamic.stdout.splitlines() if "(NEEDED)" in line}
    # Up to glibc 2.33 threads and dlopen had libraries of their own.
    expect(needed - {"libm.so.6", "libdl.so.2", "libpthread.so.0"}, {"libc.so.6"}, "libraries")
    expect(run(write("nothing.plan", "plan 1\n"), "--check")[0], 0, "the program built so")


if MODE == "fake":
    tests = [test_crashes, test_time_limit, test_together, test_device_gone, test_marks, test_pause, test_restore, test_disk,
             test_truncated, test_memory, test_kill_and_replay, test_other_device, test_lock]
else:
    tests = {"opencl": [test_opencl], "errors": [test_errors], "fills": [test_fills], "alone": [test_alone]}[MODE]
for test in tests:
    test()
    print("passed", test.__name__)
