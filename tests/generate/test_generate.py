#!/usr/bin/env python3
"""The generators that come with forewarp, from outside.

usage: test_generate.py counts|compile|measure FOREWARP MEASURE
counts: every kernel of the default variants reads, and each launch counts what its generator expects.
compile: the generated OpenCL C and CUDA C++ compile (clang; nvcc where it is).
measure: a few small variants are measured on an OpenCL device.  What is missing is skipped, loudly (77).
"""
import collections
import concurrent.futures
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

MODE, FOREWARP, MEASURE = sys.argv[1], os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
SOURCE = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
FOLDER = tempfile.TemporaryDirectory()
ENVIRONMENT = {**os.environ, "FOREWARP_MEASURE": MEASURE, "FOREWARP_DATA": SOURCE,
               "XDG_CACHE_HOME": FOLDER.name + "/cache"}


def run(*arguments, status=0):
    done = subprocess.run([FOREWARP, *arguments], capture_output=True, text=True, timeout=500, env=ENVIRONMENT)
    if done.returncode != status:
        sys.exit(f"{' '.join(arguments)}: status {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
    return done.stdout


def generate(name, *tags):
    folder = FOLDER.name + "/" + name
    run("generate", *tags, "-o", folder)
    return folder, json.load(open(folder + "/launches.json"))


def counted(answer, what):
    """How often the launch does it, and by what a thread's count is to be multiplied."""
    grid, block = answer["launch"]["grid"], answer["launch"]["block"]
    threads, blocks = math.prod(block), math.prod(grid)
    factors = {"thread": threads*blocks, "warp": -(-threads // 32)*blocks}
    words = what.split()
    if words[0] == "barrier":
        rows = [answer["barriers"]]
    elif words[0] == "operation":
        rows = [row for row in answer["operations"] if (row["operation"], row["type"]) == (words[1], words[2])]
    else:
        rows = [row for row in answer["memory"] if (row["direction"], row["array"]) == (words[0], words[1])]
    granularities = {row["granularity"] for row in rows} or {"thread"}
    if len(granularities) > 1:
        sys.exit(f"{what}: counted by {granularities}")
    return sum(int(row["count"]) for row in rows), factors[granularities.pop()]


def check_counts():
    folder, launches = generate("all")
    generators = json.loads(run("generate", "--list", "--json"))["generators"]
    missing = {row["name"] for row in generators} - {row["generator"] for row in launches}
    if len(generators) < 20 or missing:
        sys.exit(f"{len(generators)} generators; without variants: {missing}")
    if len({row["name"] for row in launches}) != len(launches):
        sys.exit("two variants have one name")
    seen, checked = set(), collections.Counter()
    for launch in launches:
        if launch["kernel"] in seen:
            continue
        seen.add(launch["kernel"])
        bindings = [word for name, value in launch["arguments"].items() for word in ("-s", f"{name}={value}")]
        answer = json.loads(run("count", folder + "/" + launch["knl"], *bindings, "--json", "--numbers"))
        shape = (answer["launch"]["grid"], answer["launch"]["block"])
        if shape != (launch["grid"], launch["block"]):
            sys.exit(f"{launch['name']}: counted for {shape}, launched as {launch['grid']}, {launch['block']}")
        for what, expected in launch["expected"].items():
            count, factor = counted(answer, what)
            checked[launch["generator"]] += 1
            if count != expected*factor:
                sys.exit(f"{launch['name']}: {what}: {count}, expected {expected} x {factor}")
    print(f"{len(launches)} variants of {len(seen)} kernels; {sum(checked.values())} counts agree")


def check_compiled():
    if not shutil.which("clang"):
        print("SKIPPED: no clang")
        sys.exit(77)
    folder, launches = generate("all")
    # One kernel for each combination of words: numbers alone change constants.
    kernels = {}
    for launch in launches:
        words = tuple(value for value in launch["values"].values() if isinstance(value, str))
        kernels.setdefault((launch["generator"], words), launch)

    def compiled(launch, suffix, compiler):
        values = [word for name, value in launch["arguments"].items() for word in ("-s", f"{name}={value}")]
        shape = [",".join(map(str, launch[key])) for key in ("grid", "block")]
        command = [FOREWARP, "count", f"{folder}/{launch['kernel']}.{suffix}", *compiler, "-g", shape[0],
                   "-b", shape[1], *values, "--json", "--numbers", "--ptxas", "never"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=500, env=ENVIRONMENT)
        return "" if done.returncode == 0 else f"{command}: {done.stderr}\n"

    jobs = [(launch, suffix, compiler) for launch in kernels.values() for suffix, compiler in (("cl", []), ("cu", ["--compiler", "clang"]))]
    nvcc = shutil.which("nvcc")
    if nvcc:
        several = {launch["generator"]: launch for launch in kernels.values()}
        jobs += [(launch, "cu", ["--compiler", "nvcc"]) for launch in several.values()]
    else:
        print("SKIPPED: no nvcc; clang alone compiles CUDA C++")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failures = [text for text in pool.map(lambda job: compiled(*job), jobs) if text]
    if failures:
        sys.exit("".join(failures[:5]) + f"{len(failures)} of {len(jobs)} do not compile")
    print(f"{len(jobs)} compilations of {len(kernels)} kernels")


SMALL = [["empty", "groups:16"], ["matmul_sq", "n:64", "dtype:float32"], ["global_access", "groups_0:16", "inputs:2"],
         ["barrier", "lsize_0:64", "groups:8", "barriers:16"], ["overlap", "n:4K", "moves:0,4"],
         ["arithmetic", "peak", "flops", "op:madd", "dtype:f32", "unroll:4", "groups:8", "iterations:8"],
         ["shared_copy", "lsize_0:64", "groups:8", "moves:16"]]


def check_measured():
    for index, tags in enumerate(SMALL):
        folder, launches = generate(f"small{index}", *tags)
        store = f"{FOLDER.name}/store{index}.db"
        done = subprocess.run([FOREWARP, "measure", folder + "/launches.json", "--backend", "opencl", "--trials", "5",
                               "--settle", "0", "--store", store, "--json"], capture_output=True, text=True, timeout=500,
                              env=ENVIRONMENT)
        if "no OpenCL platform" in done.stderr or "no OpenCL loader" in done.stderr:
            print("SKIPPED: there is no OpenCL platform here:", done.stderr)
            sys.exit(77)
        if done.returncode:
            sys.exit(f"{tags}: {done.stdout}{done.stderr}")
        answer = json.loads(done.stdout)
        if (answer["measured"], answer["failed"]) != (len(launches), 0):
            sys.exit(f"{tags}: {answer}")
        run("measure", "export", FOLDER.name + f"/text{index}", "--store", store)
        text = "".join(open(os.path.join(where, file)).read()
                       for where, _, files in os.walk(FOLDER.name + f"/text{index}") for file in files)
        for launch in launches:
            if f'"{launch["name"]}"' not in text:
                sys.exit(f"{launch['name']} is not in the store\n{text[:2000]}")
        print(len(launches), "measured:", *tags)


{"counts": check_counts, "compile": check_compiled, "measure": check_measured}[MODE]()
