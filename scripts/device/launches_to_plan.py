#!/usr/bin/env python3
"""Turns kernels/launches.json into a plan for forewarp-measure (docs/measuring.md).

usage: launches_to_plan.py [--language ptx|cl] [--sizes small,medium] [--kernels A,B] [--trials N]
                           [--cache warm|cold] [--energy SECONDS] [--restore] [--limit SECONDS]
                           [--limit-bytes BYTES] > PLAN
Sources are the committed PTX (tests/golden/kernels) or the OpenCL C beside the CUDA source, by their
paths from the repository's root: keep the plan there, or give --root.  Argument order and types are
read from the CUDA source.  An output that starts as zeros and that the source only ever assigns is
poisoned; any other is compared with its fill, since a kernel may use what it reads there as an address.
"""
import argparse
import json
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SCALARS = {"int": "s32", "unsigned": "u32", "unsigned int": "u32", "float": "f32", "double": "f64",
           "long": "s64", "long long": "s64", "unsigned long": "u64", "unsigned long long": "u64",
           "size_t": "u64", "__half": "f16", "char": "s8", "unsigned char": "u8", "short": "s16"}


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def kernel_text(text, kernel):
    """A kernel's parameters, each as (name, is a pointer, declared type), and its body."""
    found = re.search(r"__global__[^;{(]*?\b(?:__launch_bounds__\s*\([^)]*\)\s*)?" + re.escape(kernel) + r"\s*\(([^)]*)\)", text)
    if not found:
        sys.exit(f"no kernel {kernel} in its source")
    depth, start = 0, text.index("{", found.end())
    for end in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth == 0:
            break
    parameters = []
    for one in found.group(1).split(","):
        words = re.sub(r"\b(const|__restrict__|__grid_constant__)\b", " ", one)
        name = re.split(r"[\s*&]+", words.strip())[-1]
        declared = " ".join(words.replace("*", " * ").strip()[: -len(name)].split())
        parameters.append((name, "*" in one, declared))
    return parameters, text[start:end]


def only_assigned(body, name):
    """Whether every mention of a name in a body is the target of an assignment to an element."""
    mentions = len(re.findall(r"\b" + name + r"\b", body))
    targets = len(re.findall(r"(?:^|[;{})]|\belse\b)\s*" + name + r"\s*\[[^;=]*\]\s*=[^=]", body))
    return mentions > 0 and mentions == targets


def number(value):
    return repr(value) if isinstance(value, float) else str(int(value))


def buffer_line(name, buffer):
    line = f"    buffer {name} {buffer['type']} {buffer['count']} {buffer['fill']}"
    if buffer["fill"] == "random" and ("low" in buffer or "high" in buffer):
        line += f" {number(buffer.get('low', 0))} {number(buffer.get('high', 1))}"
    if buffer["fill"] == "ramp":
        line += f" {number(buffer.get('low', 0))} {number(buffer.get('step', 1))} {buffer.get('jitter', 1) or 1}"
    return line


def configuration(launch, options):
    text = without_comments(open(os.path.join(ROOT, "kernels", launch["file"])).read())
    parameters, body = kernel_text(text, launch["kernel"])
    base = os.path.splitext(launch["file"])[0]
    source = f"tests/golden/kernels/{base}.ptx" if options.language == "ptx" else f"kernels/{base}.cl"
    if not os.path.exists(os.path.join(ROOT, source)):
        return None, f"there is no {source}"
    if options.language == "cl" and launch["shared"]:
        return None, "launch-time shared memory is CUDA's"
    name = " ".join([base, launch["kernel"], launch["size"], launch.get("shape", "")]).strip()
    lines = [f'configuration "{name}"',
             f"    source {os.path.join(options.root, source) if options.root else source}",
             f"    kernel {launch['kernel']}",
             "    grid " + " ".join(map(str, launch["grid"])),
             "    block " + " ".join(map(str, launch["block"]))]
    if launch["shared"]:
        lines.append(f"    shared {launch['shared']}")
    for name, pointer, declared in parameters:
        if pointer:
            lines.append(buffer_line(name, launch["buffers"][name]))
        elif declared in SCALARS:
            lines.append(f"    scalar {name} {SCALARS[declared]} {number(launch['arguments'][name])}")
        else:
            return None, f"unknown type {declared} of {name}"
    for name in launch["outputs"]:
        fresh = launch["buffers"][name]["fill"] == "zero" and only_assigned(body, name)
        lines.append(f"    output {name}" + (" poison" if fresh else ""))
        if options.restore and not fresh:
            lines.append(f"    restore {name}")
    return "\n".join(lines + ["end"]), None


def main():
    parse = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("> PLAN")[0] + "> PLAN")
    parse.add_argument("--language", choices=("ptx", "cl"), default="ptx")
    parse.add_argument("--sizes", default="small,medium")
    parse.add_argument("--kernels", default="")
    parse.add_argument("--trials", type=int, default=60)
    parse.add_argument("--settle", type=float)
    parse.add_argument("--cache", choices=("warm", "cold"), default="warm")
    parse.add_argument("--energy", type=float)
    parse.add_argument("--restore", action="store_true")
    parse.add_argument("--limit", type=float, default=120)
    parse.add_argument("--limit-bytes", type=float, default=float("inf"))
    parse.add_argument("--root", default="")
    parse.add_argument("--list", default=os.path.join(ROOT, "kernels", "launches.json"))
    options = parse.parse_args()
    sizes, kernels = options.sizes.split(","), [k for k in options.kernels.split(",") if k]
    print(f"plan 1\ntrials {options.trials}\ncache {options.cache}\nlimit {options.limit:g}")
    if options.settle is not None:
        print(f"settle {options.settle:g}")
    if options.energy:
        print(f"energy {options.energy:g}")
    for size in sizes:
        for launch in json.load(open(options.list)):
            if launch["size"] != size or (kernels and launch["kernel"] not in kernels):
                continue
            text, why = configuration(launch, options)
            asked = sum(buffer["count"] * 8 for buffer in launch["buffers"].values())
            if not text or asked > options.limit_bytes:
                print(f"left out: {launch['file']} {launch['kernel']} {size}: {why or 'too large'}", file=sys.stderr)
            else:
                print("\n" + text)


main()
