#!/usr/bin/env python3
"""forewarp device probe from outside.

usage: test_probe.py replay|bad|opencl FOREWARP SOURCE [FOREWARP-MEASURE] [--accept]
`replay`: the committed recordings give the committed profile and table (--accept writes them), and repeat each
other.  `bad`: recordings that are damaged, and one of a device without a clock.  `opencl` measures on whatever OpenCL
device there is; it exits 77, loudly, when there is none.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

MODE, PROGRAM, SOURCE = sys.argv[1], os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
ACCEPT = "--accept" in sys.argv
MEASURE = [os.path.abspath(word) for word in sys.argv[4:] if word != "--accept"]
DATA = os.path.join(SOURCE, "data/h200/probe")
# Configurations that are younger than again.txt, and the properties that they alone determine.
YOUNGER = re.compile("atomic |shared_|constant_")
YOUNGER_FIGURES = {"atomic_float_word", "atomic_passes", "atomic_result_word", "atomic_slice_bytes", "atomic_slices",
                   "atomic_whole", "atomic_whole_f64", "constant_misses", "constant_requests"}
FOLDER = tempfile.TemporaryDirectory()


def path(name):
    return os.path.join(FOLDER.name, name)


def run(*arguments):
    done = subprocess.run([PROGRAM, "device", "probe", *arguments], capture_output=True, text=True,
                          timeout=250, cwd=SOURCE, env={**os.environ, "FOREWARP_DATA": SOURCE})
    return done.returncode, done.stdout, done.stderr


def expect(seen, wanted, what):
    if seen != wanted:
        sys.exit(f"{what}: expected {wanted!r}, found {seen!r}")


def holds(text, part, what):
    if part not in text:
        sys.exit(f"{what}: {part!r} is not in {text!r}")


def records():
    with open(os.path.join(DATA, "probe.txt")) as file:
        return [json.loads(line) for line in file]


def write(name, rows, tail=""):
    with open(path(name), "w") as file:
        file.write("".join(json.dumps(row) + "\n" for row in rows) + tail)
    return path(name)


def profile(recording):
    status, out, errors = run("--replay", recording, "--name", "h200", "--json")
    expect((status, errors), (0, ""), "replay of " + recording)
    return out


def committed(name, text):
    file = os.path.join(DATA, name)
    if ACCEPT:
        with open(file, "w") as out:
            out.write(text)
    with open(file) as there:
        if there.read() != text:
            sys.exit(f"{file} is not what the recording gives; see --accept")


def record(name, seconds=None, cycles=None):
    """A measurement as forewarp-measure leaves it, of three trials alike."""
    times = {"trials": 3, "seconds": [seconds or 1e-3] * 3}
    return json.dumps({"record": "measurement", "name": name, "fingerprint": f"{abs(hash(name)) % 2**64:016x}",
                       "status": "done", "single": times, "pipelined": times,
                       "read": {"out": [cycles] * 3} if cycles else None}) + "\n"


def test_units():
    """Rates that are known go in as times of additions and loads, and come out as properties."""
    passes, whole, whole_f64, word, result, slices, slice_bytes = 1.4e9, 1.7e9, 0.85e9, 0.57e9, 0.4e9, 48, 512
    per_word, missed, iterations = 2, 40, 256 * 8 * 32
    setup = next(line for line in open(os.path.join(DATA, "probe.txt")) if '"record": "setup"' in line)
    text = setup
    for name, size in (("u32", 4), ("u64", 8), ("f32", 4), ("f64", 8)):
        for words in (1, 32, 128, 256, 512, 4096, 65536, 1048576):
            threads = 8 * 256 * 132 * (16 if words < 4096 else 256)
            beside = min(slices, max(1, words * size / slice_bytes))
            for pattern in ("one", "row"):
                rate = passes * beside
                if pattern == "row":
                    rate = (whole_f64 if name == "f64" and words < 4096 else whole) * 32 / size * beside
                if words == 1:
                    rate = word if name[0] == "f" else passes
                for operation in ("red", "atom"):
                    shown = result if operation == "atom" and words == 1 else rate
                    text += record(f"atomic {operation}_{name}_{pattern} {words} 0", threads / shown)
    text += record("constant_lanes", cycles=[(10 + per_word * 2**k) * iterations for k in range(6)])
    text += record("constant_lines", cycles=[(10 + 4 * 2**k) * iterations for k in range(6)])
    text += record("constant_walk", cycles=[(2 if k < 2 else 2 + missed) * iterations for k in range(7)])
    with open(path("units.txt"), "w") as file:
        file.write(text)
    status, output, errors = run("--replay", path("units.txt"), "--json")
    expect(status, 0, "units: " + errors)
    figures = json.loads(output)["figures"]
    for name, wanted in (("atomic_passes", passes), ("atomic_whole", whole), ("atomic_whole_f64", whole_f64),
                         ("atomic_float_word", word), ("atomic_result_word", result), ("atomic_slices", slices),
                         ("atomic_slice_bytes", slice_bytes), ("constant_requests", 1 / per_word),
                         ("constant_misses", 1 / missed)):
        if name not in figures or abs(figures[name]["value"] / wanted - 1) > 0.01:
            sys.exit(f"{name}: expected {wanted}, found {figures.get(name)}")


def test_plan():
    """The recordings are of the kernels that the generators make today; again.txt of those that were there then."""
    status, _, errors = run("--plan", path("plan"), "--replay", "data/h200/probe/probe.txt")
    expect((status, errors), (0, ""), "the plan")
    listed = subprocess.run([MEASURE[0], path("plan/probe.plan"), "--list"], capture_output=True, text=True,
                            check=True).stdout
    planned = [line.split(" ", 1) for line in listed.splitlines()]
    older = [one for one in planned if not YOUNGER.match(one[1])]
    for name, wanted in (("probe.txt", planned), ("again.txt", older)):
        with open(os.path.join(DATA, name)) as file:
            rows = [row for row in map(json.loads, file) if row["record"] == "measurement"]
        expect(sorted([row["fingerprint"], row["name"]] for row in rows), sorted(wanted), "configurations of " + name)


def test_replay():
    if MEASURE:
        test_plan()
        test_units()
    text = profile("data/h200/probe/probe.txt")
    committed("profile.json", text)
    status, table, _ = run("--replay", "data/h200/probe/probe.txt", "--name", "h200")
    expect(status, 0, "table")
    committed("table.txt", table)
    # The profile of the H100: its recording, and the H200 for what no recording tells.
    status, similar, errors = run("--replay", "data/h100/probe.txt", "--like", "h200", "--name", "h100", "--json")
    expect((status, errors), (0, ""), "replay of data/h100/probe.txt")
    shipped = os.path.join(SOURCE, "profiles/h100.json")
    if ACCEPT:
        open(shipped, "w").write(similar)
    expect(open(shipped).read() == similar, True, "profiles/h100.json is what the recording gives; see --accept")
    # The run of the older plan, two days before: latencies and rates within 5%.
    first = json.loads(text)["figures"]
    second = json.loads(profile("data/h200/probe/again.txt"))["figures"]
    expect(set(first) - set(second), YOUNGER_FIGURES, "figures of the younger recording alone")
    expect(set(second) - set(first), set(), "figures of the older recording alone")
    for name in second:
        figure = first[name]
        if isinstance(figure["value"], list) or figure["value"] == 0:
            continue
        ratio = second[name]["value"] / figure["value"]
        # Power, and the clock that it leaves, depend on the temperature and on what ran before.
        allowed = 0.2 if name.startswith(("energy", "idle", "tensor_clock")) else 0.05
        if abs(ratio - 1) > allowed:
            sys.exit(f"{name}: {figure['value']} and {second[name]['value']} in two runs")


def test_bad():
    rows = records()
    whole = open(os.path.join(DATA, "probe.txt")).read()
    # Cut in the middle of a record: told, and the rest is used; what is gone is named.
    cut = whole.index('"name": "chase strides"') + 100  # records stand in the order of their names
    with open(path("cut.txt"), "w") as file:
        file.write(whole[:cut])
    status, out, errors = run("--replay", path("cut.txt"))
    expect(status, 0, "a recording that ends in a record")
    holds(errors, "PRB004", "the warning")
    missing = out[out.index("Not determined"):]
    holds(missing, "line_bytes", "what the lost records would have told")
    # Damaged in the middle: refused.
    with open(path("damaged.txt"), "w") as file:
        file.write(whole[:3000] + "\n" + whole[3000:])
    status, out, errors = run("--replay", path("damaged.txt"))
    expect((status, out), (1, ""), "a damaged recording")
    holds(errors, "PRB001", "the error")
    # Of a later format.
    status, out, errors = run("--replay", write("later.txt", [{**rows[0], "format": 2}] + rows[1:]))
    expect((status, out), (1, ""), "a later format")
    holds(errors, "PRB006", "the error")
    # Lines that all come from the part that was asked first: there is no far part.
    together = json.loads(json.dumps(rows))
    for row in together:
        if row.get("name", "").startswith("partitions"):
            for trial in row["read"]["out"]:
                trial[0::3] = trial[1::3]
    _, out, _ = run("--replay", write("together.txt", together))
    missing = re.sub(" +", " ", out[out.index("Not determined"):])
    holds(missing, "latency_l2_far no lines take longer at first", "one part")
    # No setup line; not there; both of --output and --replay; a comparison with nothing.
    expect(run("--replay", write("headless.txt", [row for row in rows if row["record"] != "setup"]))[0], 1, "no setup")
    expect(run("--replay", path("nowhere.txt"))[0], 3, "no file")
    expect(run("--replay", "a", "-o", "b")[0], 2, "both")
    expect(run()[0], 2, "neither")
    expect(run("--replay", "data/h200/probe/probe.txt", "--compare", "nothing")[0], 2, "compare")
    expect(run("--replay", "data/h200/probe/probe.txt", "--name", "a/b")[0], 2, "name")
    expect(run("--replay", "data/h200/probe/probe.txt", "--like", "nothing")[0], 2, "like")
    status, out, errors = run("--replay", "data/h200/probe/probe.txt", "--like", "v100")
    expect((status, out), (1, ""), "like a device of another compute capability")
    holds(errors, "PRB007", "the error")
    # A device whose clock stands still: nothing in cycles, all of it named, the rest as before.
    for row in rows:
        if "read" in row:
            row["read"]["out"] = [[0 for _ in trial] for trial in row["read"]["out"]]
    status, out, errors = run("--replay", write("clockless.txt", rows), "--json")
    expect((status, errors), (0, ""), "a device without a clock")
    figures = json.loads(out)["figures"]
    for name, figure in figures.items():
        if "cycle" in figure["unit"]:
            sys.exit(f"{name} was determined without a clock")
    for name in ("dram_copy_bandwidth", "empty_kernel", "idle_power", "multiprocessors"):
        if name not in figures:
            sys.exit(f"{name} needs no clock, and is not there")
    _, out, _ = run("--replay", path("clockless.txt"))
    holds(re.sub(" +", " ", out), "latency_l1 no latency curve in cycles was recorded", "why")
    # Every configuration failed.
    failed = [rows[0]] + [{"record": "measurement", "name": row["name"], "status": "failed",
                           "reason": "no such device"} for row in rows[1:5]]
    status, out, errors = run("--replay", write("failed.txt", failed))
    expect(status, 1, "nothing succeeded")
    holds(errors, "no such device", "the first reason")


def test_opencl():
    status, out, errors = run("-o", path("opencl.txt"), "--backend", "opencl", "--quick")
    if status == 3 and ("no OpenCL" in errors):
        print("NOT RUN: there is no OpenCL platform:", errors, file=sys.stderr)
        sys.exit(77)
    expect(status, 0, "probing an OpenCL device: " + errors)
    holds(out, "dram_copy_bandwidth", "a figure by events")
    holds(out, "Not determined", "what events cannot tell")
    status, text, errors = run("--replay", path("opencl.txt"), "--json")
    expect((status, errors), (0, ""), "replay")
    figures = json.loads(text)["figures"]
    for name in ("multiprocessors", "dram_copy_bandwidth", "dram_read_bandwidth", "empty_kernel"):
        if name not in figures:
            sys.exit(f"{name} was not determined")
    # Again: everything is recorded, nothing is measured, and the profile is the same.
    before = open(path("opencl.txt")).read()
    status, again, errors = run("-o", path("opencl.txt"), "--backend", "opencl", "--quick", "--json")
    expect((status, again, open(path("opencl.txt")).read()), (0, text, before), "a second call")
    # The plan alone, for another machine.
    status, out, errors = run("--plan", path("plan"), "--replay", path("opencl.txt"), "--quick")
    expect((status, out, errors), (0, "", ""), "a plan")
    holds(open(path("plan/probe.plan")).read(), "configuration \"empty 1\"", "the plan")
    status, _, errors = run("-o", path("none/opencl.txt"), "--backend", "opencl", "--quick")
    expect(status, 3, "records that cannot be written")


{"replay": test_replay, "bad": test_bad, "opencl": test_opencl}[MODE]()
