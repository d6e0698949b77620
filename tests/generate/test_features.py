#!/usr/bin/env python3
"""Features of the generated measurement kernels, of their domains and of their code.

usage: test_features.py FOREWARP
Of each generator some variants at small sizes: what features of operations, accesses and barriers count
of the .knl must be what they count of the .cu that is generated of it.  Where the two differ for a reason,
EXPECTED says so.  Without a compiler for CUDA C++ it is skipped, loudly (77).
"""
import concurrent.futures
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

FOREWARP = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
FOLDER = tempfile.TemporaryDirectory()
ENVIRONMENT = {**os.environ, "FOREWARP_DATA": SOURCE}

# The generator's name, then the values of its arguments.
VARIANTS = [
    ["arithmetic", "dtype:f32", "unroll:2", "groups:4", "iterations:2"],
    ["arithmetic_integer", "op:add,shift", "unroll:2", "groups:4", "iterations:2"],
    ["arithmetic_latency", "dtype:f32", "chains:2", "groups:2", "iterations:2"],
    ["arithmetic_special", "dtype:f32", "op:div,sqrt,exp", "unroll:1", "groups:2", "iterations:2"],
    ["barrier", "lsize_0:96", "groups:4", "barriers:8"],
    ["box_filter", "width:3", "n:128"],
    ["conversion", "other:f64", "groups:4", "iterations:4"],
    ["dg_differentiation", "keep:all,chip", "nelements:32", "nunit_nodes:32"],
    ["empty", "groups:4,16"],
    ["finite_difference", "tile:14", "n:112"],
    ["gather", "n:4K"],
    ["global_access", "inputs:2", "groups_0:16", "dtype:f32,s64"],
    ["global_access", "inputs:1", "lsize_0:16", "lsize_1:16", "ls_0:1", "ls_1:64", "gs_0:16", "gs_1:1024",
     "groups_0:4", "groups_1:4"],
    ["global_load", "groups_0:16", "steps:4", "dtype:f32,f64"],
    ["global_load", "ls_0:0", "groups_0:16", "steps:4"],
    ["global_store", "ls_0:32", "groups_0:16"],
    ["intensity", "dtype:f32", "degree:1,16", "n:4K"],
    ["matmul_coarse", "keep:all", "tile:16", "coarse:2,4", "n:64"],
    ["matmul_sq", "dtype:f32", "n:64"],
    ["matmul_sq", "dtype:f32", "keep:chipa,chipb", "prefetch:true", "n:64"],
    ["matmul_sq", "dtype:f64", "keep:all", "lsize_0:8", "lsize_1:8", "n:64"],
    ["matvec", "dtype:f32", "lsize_0:128", "n:512"],
    ["nbody", "keep:all", "lsize_0:64", "n:512"],
    ["overlap", "n:4K", "moves:0,4"],
    ["row_sum", "dtype:f32", "lsize_0:64", "n:512", "m:16"],
    ["shared_copy", "lsize_0:64", "groups:4", "moves:16"],
    ["shared_load", "stride:1,4", "groups:4", "loads:16"],
    ["star_stencil", "dtype:f32", "reach:2", "n:64"],
    ["stream", "dtype:f32", "n:4K"],
    ["transpose", "dtype:f32", "n:64"],
]

# What every kernel is asked for beside what its domains name.
TOTALS = ["f_op_float32_madd", "f_op_float32_add", "f_op_float32_mul", "f_op_float64_madd", "f_op_float64_add",
          "f_op_float64_mul", "f_flops", "f_mem_access_global_load", "f_mem_access_global_store",
          "f_mem_access_local_load", "f_mem_access_local_store", "f_sync_barrier_local"]

# Of these generators ratios of accesses to footprints are compared, too.
RATIOS = {"matmul_sq": ["f_mem_access_array:a_load_afr:4", "f_mem_access_array:b_load_afr:>4",
                        "f_mem_access_global_store_afr:1"],
          "stream": ["f_mem_access_global_load_afr:1"],
          "transpose": ["f_mem_access_global_afr:1"]}

# generator, values of its arguments, features (a regular expression), which layer has more, and why; at the
# end, where one compiler alone does so, its name.
EXPECTED = [
    ("arithmetic_special", {"op": "exp"}, "f_op_float32_exp", "domain", "exp is expanded into other operations"),
    ("arithmetic_special", {"op": "exp"}, "f_op_float32_(madd|add|mul)|f_flops", "code", "those other operations"),
    ("barrier", {}, "f_mem_access_global_.*load.*", "domain",
     "both rows of shared memory begin with one element, which the compiler loads once"),
    ("shared_copy", {}, "f_mem_access_global_.*load.*", "domain",
     "all eight rows of shared memory begin with one element, which the compiler loads once"),
    ("shared_copy", {}, "f_mem_access_(local|shared).*_load.*", "domain",
     "the compiler loads the first place once at the end of the loop and behind it", "nvcc"),
    ("dg_differentiation", {"keep": "chip"}, "f_mem_access_global_.*load.*", "domain", "a weight is loaded once"),
    ("matmul_sq", {"keep": "chipa"}, "f_mem_access_global_.*load.*", "domain", "so is that of the product"),
    ("matmul_sq", {"keep": "chipb"}, "f_mem_access_global_.*load.*", "domain", "so is that of the product"),
    ("dg_differentiation", {"prefetch": "none"}, "f_mem_access_global_.*load.*", "domain",
     "the compiler loads an element of u once for all matrices", "nvcc"),
    ("dg_differentiation", {"prefetch": "u"}, "f_mem_access_(local|shared).*_load.*", "domain", "as with none"),
    ("dg_differentiation", {"prefetch": "matrix"}, "f_mem_access_global_.*load.*", "domain", "as with none", "nvcc"),
    ("dg_differentiation", {"prefetch": "transposed"}, "f_mem_access_global_.*load.*", "domain", "as with none", "nvcc"),
    ("finite_difference", {"prefetch": "true", "keep": "all"}, "f_op_float32_.*|f_mem_access_(local|shared).*_load.*",
     "domain", "no thread of a block's last warp has a point: domains count all warps of a block that takes part"),
    ("finite_difference", {"prefetch": "true", "keep": "traffic"}, "f_mem_access_global_float32_store_.*", "domain",
     "the compiler stores zero as an integer"),
    ("matmul_coarse", {}, "f_mem_access_(local|shared).*_load.*", "domain",
     "the compiler loads an element of b once for all rows of a thread"),
    ("nbody", {}, "f_mem_access_global_.*load.*", "domain", "coordinates are loaded once for all their uses"),
    ("nbody", {}, "f_op_float32_add|f_flops", "domain", "a difference of coordinates is computed once for both uses"),
    ("overlap", {"moves": "0"}, "f_mem_access_(local|shared).*_load.*", "domain",
     "without moves, what a thread loads is what it has stored", "clang"),
    ("star_stencil", {}, "f_op_float32_div", "domain", "a division by a power of two is a multiplication"),
    ("star_stencil", {}, "f_op_float32_mul", "code", "that multiplication"),
]


def run(*arguments):
    done = subprocess.run([FOREWARP, *arguments], capture_output=True, text=True, timeout=100, env=ENVIRONMENT)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}: {done.stdout}{done.stderr}")
    return done.stdout


def table(path, names):
    text = run("features", "--launches", path, *[word for name in names for word in ("-f", name)])
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {row["kernel"]: row for row in csv.DictReader(io.StringIO("\n".join(lines)))}


def names_of(folder, launches):
    """The features that the domains of these kernels have."""
    names = TOTALS + RATIOS.get(launches[0]["generator"], [])
    for launch in {launch["kernel"]: launch for launch in launches}.values():
        bindings = [word for name, value in launch["arguments"].items() for word in ("-s", f"{name}={value}")]
        answer = json.loads(run("features", f"{folder}/{launch['knl']}", *bindings, "--json"))
        names = names + [row["name"] for row in answer["features"]
                         if row["name"].startswith(("f_op_float", "f_mem_access_")) and "tag:" not in row["name"]]
    return list(dict.fromkeys(names))


def explained(launch, name, of_domains, of_code):
    """The row of EXPECTED that explains a difference; None: there is none."""
    for row in EXPECTED:
        generator, values, feature, more = row[:4]
        stated = {**launch["values"], **launch["arguments"]}
        if (generator == launch["generator"] and re.fullmatch(feature, name)
                and (more == "domain") == (of_domains > of_code)
                and all(str(stated[key]).lower() == value for key, value in values.items())):
            return row
    return None


def compare(index):
    folder = f"{FOLDER.name}/{index}"
    run("generate", *VARIANTS[index], "-o", folder)
    launches = [launch for launch in json.load(open(folder + "/launches.json"))
                if launch["generator"] == VARIANTS[index][0]] # others may have its name for a tag
    code = [{key: value for key, value in launch.items() if key != "knl"} | {"file": launch["kernel"] + ".cu"}
            for launch in launches]
    json.dump(launches, open(folder + "/domains.json", "w"))
    json.dump(code, open(folder + "/code.json", "w"))
    names = names_of(folder, launches)
    of_domains, of_code = table(folder + "/domains.json", names), table(folder + "/code.json", names)
    differences = [(launch, name, float(of_domains[launch["name"]][name]), float(of_code[launch["name"]][name]))
                   for launch in launches for name in names
                   if float(of_domains[launch["name"]][name]) != float(of_code[launch["name"]][name])]
    return launches, len(launches)*len(names), differences


def compiler():
    """Which compiles CUDA C++ here."""
    with open(FOLDER.name + "/empty.cu", "w") as file:
        file.write("__global__ void empty() {}\n")
    answer = json.loads(run("count", FOLDER.name + "/empty.cu", "-g", "1", "-b", "32", "--json", "--numbers"))
    return answer["kernel"]["compiler"].split()[0]


def main():
    if not shutil.which("clang") and not shutil.which("nvcc"):
        print("SKIPPED: neither clang nor nvcc is here: NO FEATURES OF CODE WERE COMPARED")
        sys.exit(77)
    made_by = compiler()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(compare, range(len(VARIANTS))))
    used, faults = set(), []
    for _, _, differences in results:
        for launch, name, of_domains, of_code in differences:
            row = explained(launch, name, of_domains, of_code)
            used.add(EXPECTED.index(row) if row else None)
            if not row:
                faults.append(f"{launch['name']}: {name}: {of_domains:g} of the domains, {of_code:g} of the code\n")
    faults += [f"no difference is explained by: {', '.join(map(str, row))}\n" for n, row in enumerate(EXPECTED)
               if n not in used and row[5:] in ((), (made_by,))]
    generators = {launch["generator"] for launches, _, _ in results for launch in launches}
    faults += [f"no variant of {variant[0]}\n" for variant in VARIANTS if variant[0] not in generators]
    if faults:
        sys.exit("".join(faults[:40]) + f"{len(faults)} faults")
    print(f"{made_by}: {sum(len(launches) for launches, _, _ in results)} launches of {len(generators)} generators: "
          f"{sum(count for _, count, _ in results)} features agree but {sum(len(rows) for _, _, rows in results)}, "
          "which are explained")


main()
