#!/usr/bin/env python3
"""Checks kernels/launches.json against the sources in kernels/.

usage: scripts/check_launches.py

Every kernel has a launch of each size; a launch names every parameter of its kernel, scalars under
arguments and pointers under buffers, with values that fit the type; small launches are small; a .cl
twin has the same kernels with the same parameters in the same order.
"""
import glob
import json
import os
import re
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "kernels")
BYTES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "s8": 1, "u8": 1, "s32": 4, "u32": 4, "s64": 8,
         "u64": 8}
FILLS = {"zero", "random", "ramp", "permutation", "cycle"}
RANGES = {"int": (-2**31, 2**31), "unsigned int": (0, 2**32), "long long": (-2**63, 2**63)}
FIELDS = ["file", "kernel", "size", "grid", "block", "shared", "arguments", "buffers", "outputs",
          "data_dependent"]
problems = []


def parameters(path):
    """Kernels of a source: name -> [(parameter, type, is a pointer)]."""
    text = re.sub(r"/\*.*?\*/", "", open(path).read(), flags=re.S)
    text = re.sub(r"__launch_bounds__\(\w+\)|__attribute__\(\(.*?\)\)\)", "", text)
    kernels = {}
    for name, inside in re.findall(r"(?:__global__|__kernel)\s+void\s+(\w+)\(([^)]*)\)", text):
        kernels[name] = []
        for parameter in inside.split(","):
            words = parameter.replace("*", " * ").split()
            plain = [w for w in words[:-1] if w not in
                     ("const", "restrict", "__restrict__", "__global", "*")]
            kernels[name].append((words[-1], " ".join(plain), "*" in words))
    return kernels


def check_buffer(where, name, buffer):
    if buffer["type"] not in BYTES or buffer["fill"] not in FILLS or buffer["count"] < 1:
        problems.append(f"{where}: buffer {name}: type, fill or count")
    if buffer["type"][0] in "su" and buffer["fill"] == "random":
        bits = 8 * BYTES[buffer["type"]]
        least = -(1 << bits - 1) if buffer["type"][0] == "s" else 0
        most = least + (1 << bits)
        if not least <= buffer["low"] < buffer["high"] <= most:
            problems.append(f"{where}: buffer {name}: low and high")


def check(launch, sources):
    where = f"{launch['file']} {launch['kernel']} {launch['size']}"
    if list(launch)[:len(FIELDS)] != FIELDS or launch["data_dependent"] != ("why" in launch):
        problems.append(f"{where}: fields")
    wanted = sources.get(launch["file"], {}).get(launch["kernel"])
    if wanted is None:
        problems.append(f"{where}: no such kernel")
        return
    scalars = [name for name, _, pointer in wanted if not pointer]
    pointers = [name for name, _, pointer in wanted if pointer]
    if list(launch["arguments"]) != scalars or list(launch["buffers"]) != pointers:
        problems.append(f"{where}: arguments or buffers are not the kernel's, in its order")
    for name, type, pointer in wanted:
        low, high = RANGES.get(type, (None, None))
        value = launch["arguments"].get(name)
        if not pointer and low is not None and (
                not isinstance(value, int) or not low <= value < high):
            problems.append(f"{where}: {name} does not fit {type}")
    for name, buffer in launch["buffers"].items():
        check_buffer(where, name, buffer)
    if sum(b["count"] * BYTES[b["type"]] for b in launch["buffers"].values()) > 8e9:
        problems.append(f"{where}: more than 8 GB")
    if not set(launch["outputs"]) <= set(pointers) or not launch["outputs"]:
        problems.append(f"{where}: outputs")
    threads = 1
    for extent in launch["grid"] + launch["block"]:
        threads *= extent
    if launch["block"][0] * launch["block"][1] * launch["block"][2] > 1024 or \
            launch["block"][2] > 64 or max(launch["grid"][1:]) > 65535 or min(launch["grid"]) < 1:
        problems.append(f"{where}: grid or block")
    if launch["size"] == "small" and threads > 50000:
        problems.append(f"{where}: {threads} threads are not small")


def main():
    sources = {os.path.basename(path): parameters(path) for path in glob.glob(FOLDER + "/*.c[ul]")}
    launches = json.load(open(os.path.join(FOLDER, "launches.json")))
    seen = {}
    for launch in launches:
        check(launch, sources)
        seen.setdefault((launch["file"], launch["kernel"]), []).append(launch["size"])
    for file, kernels in sorted(sources.items()):
        if file.endswith(".cl"):
            twins = sources.get(file[:-2] + "cu", {})
            if {k: [p[0] for p in ps] for k, ps in kernels.items()} != \
                    {k: [p[0] for p in ps] for k, ps in twins.items()}:
                problems.append(f"{file}: kernels or parameters differ from the .cu file's")
            continue
        for kernel in kernels:
            if seen.get((file, kernel)) != ["small", "medium", "large"]:
                problems.append(f"{file} {kernel}: not one launch of each size")
    for problem in problems:
        print("launches.json:", problem, file=sys.stderr)
    print(f"{len(launches)} launches of {len(seen)} kernels in {len({f for f, _ in seen})} files")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
