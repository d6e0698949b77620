#!/usr/bin/env python3
"""Runs the example kernels' launches on a CUDA device and records durations, or runs each once for a profiler.

usage: record_kernels.py time|once|warm SIZES OUTPUT [LIST [I/N]]
  SIZES: small,medium,large.  OUTPUT: JSON lines, one a launch; in "once" the order of launches for ncu;
  "warm": the fourth of four launches alone is profiled (ncu --profile-from-start off).
  LIST: kernels/launches.json, or another of its kind, with sources and PTX beside it; I/N: only every N-th launch, from the I-th.
Needs CuPy, and nvcc or the committed PTX in tests/golden/kernels.  Development tool: what it records
is committed as text under data/ together with the commands (data/h200/README.md).
"""
import json, os, statistics, sys, time
import cupy as cp
import numpy as np

TYPES = {"f32": np.float32, "f64": np.float64, "s32": np.int32, "u32": np.uint32, "s64": np.int64,
         "u64": np.uint64, "u8": np.uint8, "s8": np.int8, "f16": np.float16, "bf16": np.uint16,
         "s16": np.int16, "u16": np.uint16}
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

HASH = cp.RawKernel(r'''
extern "C" __global__ void fill(void *out, int kind, long long count, unsigned long long position,
                                double low, double high, int bytes) {
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < count;
         i += (long long)gridDim.x * blockDim.x) {
        unsigned long long x = position * (1ull << 40) + (unsigned long long)i + 1;
        x ^= x >> 33; x *= 0xff51afd7ed558ccdull; x ^= x >> 33; x *= 0xc4ceb9fe1a85ec53ull; x ^= x >> 33;
        double real = low + (high - low) * (double)(x >> 40) / 16777216.0;
        long long whole = (long long)low + (long long)(((x >> 32) * (unsigned long long)(high - low)) >> 32);
        if (kind == 0) ((float *)out)[i] = (float)real;
        else if (kind == 1) ((double *)out)[i] = real;
        else if (kind == 2) ((int *)out)[i] = (int)whole;
        else if (kind == 3) ((unsigned char *)out)[i] = (unsigned char)whole;
        else if (kind == 4) ((unsigned short *)out)[i] = (unsigned short)(__float_as_uint((float)real) >> 16);
    }
}''', "fill")


def full_range(type_name):
    return {"u8": 256, "s8": 128, "s32": 2**31, "u32": 2**31}.get(type_name, 1)


def make_buffer(spec, position):
    count, kind, dtype = spec["count"], spec["fill"], TYPES[spec["type"]]
    if kind == "zero":
        return cp.zeros(count, dtype)
    if kind == "random":
        floating = spec["type"] in ("f32", "f64", "f16", "bf16")
        low = spec.get("low", 0)
        high = spec.get("high", 1 if floating else full_range(spec["type"]))
        if spec["type"] == "f16":
            return make_buffer({**spec, "type": "f32"}, position).astype(cp.float16)
        out = cp.empty(count, dtype)
        code = {"f32": 0, "f64": 1, "s32": 2, "u32": 2, "u8": 3, "s8": 3, "bf16": 4}[spec["type"]]
        HASH((2048,), (256,), (out, np.int32(code), np.int64(count), np.uint64(position),
                               np.float64(low), np.float64(high), np.int32(0)))
        return out
    index = cp.arange(count, dtype=cp.int64)
    if kind == "ramp":
        jitter = spec.get("jitter", 1) or 1
        return (spec.get("low", 0) + index * spec.get("step", 1) + (index * 7919) % jitter).astype(dtype)
    order = np.random.default_rng(1).permutation(count)
    if kind == "permutation":
        return cp.asarray(order.astype(dtype))
    assert kind == "cycle"
    chain = np.empty(count, dtype)
    chain[order] = np.roll(order, -1)
    return cp.asarray(chain)


def signature(path, kernel):
    import re
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", open(path).read(), flags=re.S)
    found = re.search(r"\b" + kernel + r"\s*\(([^)]*)\)", text)
    return [(re.split(r"[\s*&]+", p.strip())[-1], "*" in p, p.strip()) for p in found.group(1).split(",")]


def scalar(value, declared):
    words = declared.replace("const", " ").split()
    kind = words[0] if words[0] != "unsigned" else "unsigned " + (words[1] if len(words) > 2 else "int")
    table = {"int": np.int32, "float": np.float32, "double": np.float64, "long": np.int64,
             "unsigned int": np.uint32, "unsigned long": np.uint64, "size_t": np.uint64,
             "unsigned": np.uint32, "__half": np.float16, "half": np.float16, "char": np.int8,
             "unsigned char": np.uint8, "short": np.int16}
    return table[kind](value)


def main():
    mode, sizes, output = sys.argv[1], sys.argv[2].split(","), sys.argv[3]
    done = sum(1 for _ in open(output)) if os.path.exists(output) else 0
    launches = json.load(open(sys.argv[4] if len(sys.argv) > 4 else os.path.join(ROOT, "kernels/launches.json")))
    part, parts = map(int, sys.argv[5].split("/")) if len(sys.argv) > 5 else (0, 1)
    stream = cp.cuda.Stream()
    with open(output, "a") as out, stream:
        for launch in [one for one in launches if one["size"] in sizes][part::parts][done:]:
            own = os.path.dirname(os.path.abspath(sys.argv[4])) if len(sys.argv) > 4 else ""
            source = os.path.join(ROOT, "kernels", launch["file"])
            ptx = os.path.join(ROOT, "tests/golden/kernels", launch["file"].replace(".cu", ".ptx"))
            if os.path.exists(os.path.join(own, launch["file"].replace(".cu", ".ptx"))):  # both beside the list
                source = os.path.join(own, launch["file"])
                ptx = source.replace(".cu", ".ptx")
            name = [launch["file"][:-3], launch["kernel"], launch["size"], launch.get("shape", "")]
            record = {"name": " ".join(name).strip(), "file": launch["file"], "kernel": launch["kernel"],
                      "size": launch["size"]}
            try:
                function = cp.RawModule(path=ptx).get_function(launch["kernel"])
                record["registers"] = function.num_regs
                arguments = []
                for position, (name, pointer, declared) in enumerate(signature(source, launch["kernel"])):
                    if pointer:
                        arguments.append(make_buffer(launch["buffers"][name], position))
                    else:
                        arguments.append(scalar(launch["arguments"][name], declared))
                if launch["shared"]:
                    function.max_dynamic_shared_size_bytes = launch["shared"]
                def go():
                    function(tuple(launch["grid"]), tuple(launch["block"]), tuple(arguments),
                             shared_mem=launch["shared"])
                stream.synchronize()
                if mode == "once":
                    go()
                    stream.synchronize()
                elif mode == "warm":
                    for _ in range(3):
                        go()
                    stream.synchronize()
                    cp.cuda.profiler.start()
                    go()
                    stream.synchronize()
                    cp.cuda.profiler.stop()
                else:
                    trials = []
                    for _ in range(3):
                        go()
                    for _ in range(15):
                        a, b = cp.cuda.Event(), cp.cuda.Event()
                        a.record(stream); go(); b.record(stream); b.synchronize()
                        trials.append(cp.cuda.get_elapsed_time(a, b) / 1e3)
                    record["event_seconds"] = statistics.median(trials)
                    record["event_seconds_min"] = min(trials)
                    record["event_seconds_max"] = max(trials)
            except Exception as error:  # a configuration that fails costs itself alone
                record["error"] = str(error)[:200]
            out.write(json.dumps(record) + "\n")
            out.flush()
            if "ILLEGAL" in record.get("error", "").upper():  # the context is lost: go on in a new process
                os.execv(sys.executable, [sys.executable] + sys.argv)
            arguments = None
            cp.get_default_memory_pool().free_all_blocks()


main()
