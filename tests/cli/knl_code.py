#!/usr/bin/env python3
"""What is counted straight from a kernel's domains, and what its generated, compiled and emulated code executes, are
the same: global loads and stores, barriers, floating-point operations up to fusing; and so for what the work remover
leaves of it.  usage: knl_code.py FOREWARP SOURCE

Exits with 77 (skipped) where nothing compiles CUDA C++."""
import json
import os
import subprocess
import sys
import tempfile

forewarp, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
REMOVED = [[], ["--remove", "a"], ["--remove", "b,c"], ["--remove", "u"], ["--remove", "res"], ["--remove", "diff_mat,res"]]
DG = ["nmatrices=3", "nelements=32", "nunit_nodes=48"]
CASES = {
    "matmul": ["n=64"], "matmul_prefetch": ["n=64"], "matmul_coarse": ["n=64"], "stencil_16": ["n=56"], "stencil_18": ["n=64"], "dg": DG,
    "dg_prefetch_matrix": DG, "dg_prefetch_matrix_transposed": DG, "dg_prefetch_u": DG[1:],
}


def ask(command, kernel, values):
    arguments = [forewarp, command, kernel, "--json"]
    for value in values:
        arguments += ["-s", value]
    run = subprocess.run(arguments, capture_output=True, text=True, env={**os.environ, "FOREWARP_DATA": source})
    if run.returncode:
        if command == "emulate" and "compiler" in run.stderr:
            print("SKIPPED: nothing compiles CUDA C++ here:", run.stderr.strip())
            sys.exit(77)
        sys.exit(f"{kernel}: {command} failed: {run.stderr}")
    return json.loads(run.stdout)


def totals(answer):
    """By threads: a row that is counted by warps has 32 in each (no block here has half a warp)."""
    rows = {"barriers": int(answer["barriers"]["count"]), "flops": int(answer["flops"])}
    for row in answer["memory"]:
        if row["space"] == "global":
            times = 32 if row["granularity"] == "warp" else 1
            rows[row["direction"]] = rows.get(row["direction"], 0) + times * int(row["count"])
    return rows


def compare(name, kernel, values):
    """Whether both agree; what was counted."""
    counted, executed = (totals(ask(command, kernel, values)) for command in ("count", "emulate"))
    print(name, *values, "equal" if counted == executed else f"DIFFER: counted {counted}, executed {executed}")
    return counted == executed, counted


failed = 0
folder = tempfile.TemporaryDirectory()
for kernel, values in CASES.items():
    path = f"{source}/kernels/knl/{kernel}.knl"
    agree, whole = compare(kernel, path, values)
    failed += not agree
    # What the work remover leaves: no compiler drops it, and it is what it was.
    for removed in REMOVED:
        rest = subprocess.run([forewarp, "strip", path, *removed], capture_output=True, text=True)
        if "there is no array" in rest.stderr:
            continue
        stripped = f"{folder.name}/{kernel}.knl"
        with open(stripped, "w") as out:
            out.write(rest.stdout)
        agree, left = compare(f"{kernel} stripped {' '.join(removed)}:", stripped, values)
        # Stores of the value itself may come in addition.
        changed = not removed and (left["load"] != whole["load"] or left["store"] < whole["store"])
        if changed:
            print(f"  DIFFER: {whole} became {left}")
        failed += not agree or changed
sys.exit(1 if failed else 0)
