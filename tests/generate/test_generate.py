#!/usr/bin/env python3
"""The generators that come with forewarp, from outside.

usage: test_generate.py counts|compile|measure FOREWARP MEASURE
counts: every kernel of the default variants reads, and each launch counts what its generator expects.
compile: the generated OpenCL C and CUDA C++ compile (clang; nvcc where it is), and their PTX is counted: every
generator with every combination of its usual words, each text once, whatever its constants are.
measure: a few small variants are measured on an OpenCL device.  What is missing is skipped, loudly (77).
"""
import collections
import concurrent.futures
import json
import math
import os
import re
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


# What check_compiled generates: fewer copies of one text than the usual variants have.  Both ways to
# unroll stay: in the text (up to 512 copies), and by a pragma (more).
FEWER = {"arithmetic": [["unroll:2"], ["unroll:17", "op:madd"]], "arithmetic_integer": [["unroll:2"], ["unroll:17", "op:madd"]],
         "arithmetic_special": [["unroll:1"]], "arithmetic_latency": [["chains:1", "dtype:f32"], ["chains:2"]],
         "intensity": [["degree:1"], ["degree:16"]], "matmul_coarse": [["coarse:2"]], "star_stencil": [["reach:1"]],
         "box_filter": [["width:3"]]}


def words_of(row):
    return row["generator"], tuple(value for value in row["values"].values() if isinstance(value, str))


def texts_to_compile():
    """(folder, launch) of each text that differs from all others in more than its constants."""
    generators = json.loads(run("generate", "--list", "--json"))["generators"]
    jobs = []
    for generator in generators:
        sizes = [f"{argument['name']}:{argument['values'][0]}" for argument in generator["arguments"] if argument["size"]]
        for number, fewer in enumerate(FEWER.get(generator["name"], [[]])):
            jobs.append((f"{generator['name']}-{number}", "--match", "identical", *generator["tags"], *sizes, *fewer))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda job: generate(*job), jobs))
    texts = {}
    for folder, launches in made:
        for launch in launches:
            text = open(f"{folder}/{launch['kernel']}.cu").read().replace(launch["kernel"], "kernel")
            texts.setdefault((*words_of(launch), re.sub(r"\b[0-9]+", "0", text)), (folder, launch))
    usual = {words_of(row) for row in json.loads(run("generate", "--json"))["variants"]}
    missing = usual - {key[:2] for key in texts}
    if missing:
        sys.exit(f"not compiled: {missing}")
    return list(texts.values())


def units_of(texts, suffix, most):
    """Translation units: (path, launches).  A text with more than its kernel (a directive or a function of
    its own) is a unit alone, so that no other text can lack what it brings; the others share `most`."""
    shared, alone = [[] for _ in range(most)], []
    for number, (folder, launch) in enumerate(texts):
        text = open(f"{folder}/{launch['kernel']}.{suffix}").read()
        more = re.search(r"^(#|static|typedef|struct|inline)", text, re.MULTILINE) or len(re.findall(r"^}", text, re.MULTILINE)) != 1
        if more:
            alone.append([(text, launch)])
        else:
            shared[number % most].append((text, launch))
    units = []
    for unit in filter(None, shared + alone):
        path = f"{FOLDER.name}/unit{len(units)}.{suffix}"
        with open(path, "w") as file:
            file.write("\n".join(text for text, _ in unit))
        units.append((path, [launch for _, launch in unit]))
    return units


def check_compiled():
    if not shutil.which("clang"):
        print("SKIPPED: no clang")
        sys.exit(77)
    texts = texts_to_compile()

    def compiled(path, launches, compiler):
        lines = [json.dumps({"file": path, "kernel": launch["kernel"], "grid": launch["grid"], "block": launch["block"],
                             "arguments": launch["arguments"]}) for launch in launches]
        listed = f"{path}-{compiler[-1] if compiler else 'default'}.launches"
        with open(listed, "w") as file:
            file.write("\n".join(lines) + "\n")
        command = [FOREWARP, "count", "--launches", listed, *compiler, "--json", "--numbers", "--ptxas", "never"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=500, env=ENVIRONMENT)
        if done.returncode:
            return f"{command}: {done.stderr}\n"
        answered = [row["answer"]["kernel"]["name"] for row in json.loads(done.stdout)["launches"]]
        wanted = [launch["kernel"] for launch in launches]
        return "" if answered == wanted else f"{command}: answers for {answered}, not {wanted}\n"

    opencl, cuda = units_of(texts, "cl", 2), units_of(texts, "cu", 2)
    jobs = [(*unit, []) for unit in opencl] + [(*unit, ["--compiler", "clang"]) for unit in cuda]
    if shutil.which("nvcc"):
        jobs += [(*unit, ["--compiler", "nvcc"]) for unit in cuda]
    else:
        print("SKIPPED: no nvcc; clang alone compiles CUDA C++")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failures = [text for text in pool.map(lambda job: compiled(*job), jobs) if text]
    if failures:
        sys.exit("".join(failures[:5]) + f"{len(failures)} of {len(jobs)} units do not compile")
    print(f"{sum(len(launches) for _, launches, _ in jobs)} compilations of {len(texts)} texts in {len(jobs)} units")


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
