#!/usr/bin/env python3
"""What is counted straight from a kernel's domains, and what its generated, compiled and emulated code executes, are
the same: global loads and stores, barriers, floating-point operations up to fusing.  usage: knl_code.py FOREWARP SOURCE

Exits with 77 (skipped) where nothing compiles CUDA C++."""
import json
import os
import subprocess
import sys

forewarp, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
DG = ["nmatrices=3", "nelements=32", "nunit_nodes=48"]
CASES = {
    "matmul": ["n=64"], "matmul_prefetch": ["n=64"], "stencil_16": ["n=56"], "stencil_18": ["n=64"], "dg": DG,
    "dg_prefetch_matrix": DG, "dg_prefetch_matrix_transposed": DG, "dg_prefetch_u": DG[1:],
}


def ask(command, kernel, values):
    arguments = [forewarp, command, f"{source}/kernels/knl/{kernel}.knl", "--json"]
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


failed = 0
for kernel, values in CASES.items():
    counted, executed = (totals(ask(command, kernel, values)) for command in ("count", "emulate"))
    failed += counted != executed
    print(kernel, *values, "equal" if counted == executed else f"DIFFER: counted {counted}, executed {executed}")
sys.exit(1 if failed else 0)
