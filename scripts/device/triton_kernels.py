#!/usr/bin/env python3
"""Compiles, checks and runs Triton kernels on a GPU and keeps what Triton's cache holds of each:
NAME.ptx and NAME.json, without machine paths.  They are the inputs of the tests in tests/golden/triton.

usage: triton_kernels.py OUTPUT_FOLDER      (needs triton and torch; written for Triton 3.6, sm_90)
"""
import glob
import json
import os
import re
import sys
import tempfile

cache = os.environ.get("TRITON_CACHE_DIR") or tempfile.mkdtemp()
os.environ["TRITON_CACHE_DIR"] = cache

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def softmax_rows(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + row * stride + at, mask=inside, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * stride + at, powers / tl.sum(powers, axis=0), mask=inside)


@triton.jit
def layer_norm_rows(x, weight, bias, out, stride, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x += row * stride
    out += row * stride
    total = tl.zeros([BLOCK], dtype=tl.float32)
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for begin in range(0, columns, BLOCK):
        at = begin + tl.arange(0, BLOCK)
        values = tl.load(x + at, mask=at < columns, other=0.0).to(tl.float32)
        total += values
        squares += values * values
    mean = tl.sum(total, axis=0) / columns
    scale = tl.rsqrt(tl.sum(squares, axis=0) / columns - mean * mean + eps)
    for begin in range(0, columns, BLOCK):
        at = begin + tl.arange(0, BLOCK)
        inside = at < columns
        values = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
        w = tl.load(weight + at, mask=inside)
        b = tl.load(bias + at, mask=inside)
        tl.store(out + at, (values - mean) * scale * w + b, mask=inside)


@triton.jit
def matmul_f16(a, b, c, M, N, K, lda, ldb, ldc, BM: tl.constexpr, BN: tl.constexpr,
               BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        left = tl.load(a + rows[:, None] * lda + (k + inner)[None, :],
                       mask=(rows[:, None] < M) & ((k + inner)[None, :] < K), other=0.0)
        right = tl.load(b + (k + inner)[:, None] * ldb + columns[None, :],
                        mask=((k + inner)[:, None] < K) & (columns[None, :] < N), other=0.0)
        sums = tl.dot(left, right, sums)
    tl.store(c + rows[:, None] * ldc + columns[None, :], sums.to(tl.float16),
             mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def matmul_batched_tf32(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    batch = tl.program_id(2).to(tl.int64)
    a += batch * M * K
    b += batch * K * N
    c += batch * M * N
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        left = tl.load(a + rows[:, None] * K + (k * BK + inner)[None, :])
        right = tl.load(b + (k * BK + inner)[:, None] * N + columns[None, :])
        sums += tl.dot(left, right)
    tl.store(c + rows[:, None] * N + columns[None, :], sums)


@triton.jit
def attention(q, k, v, out, length, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(1) * length * D
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    depth = tl.arange(0, D)
    query = tl.load(q + head + rows[:, None] * D + depth[None, :])
    most = tl.full([BM], -float("inf"), dtype=tl.float32)
    total = tl.zeros([BM], dtype=tl.float32)
    sums = tl.zeros([BM, D], dtype=tl.float32)
    for begin in range(0, length, BN):
        at = begin + tl.arange(0, BN)
        key = tl.load(k + head + at[None, :] * D + depth[:, None])
        scores = tl.dot(query, key) * scale
        top = tl.maximum(most, tl.max(scores, axis=1))
        powers = tl.exp2(scores - top[:, None])
        shrink = tl.exp2(most - top)
        total = total * shrink + tl.sum(powers, axis=1)
        value = tl.load(v + head + at[:, None] * D + depth[None, :])
        sums = tl.dot(powers.to(tl.float16), value, sums * shrink[:, None])
        most = top
    tl.store(out + head + rows[:, None] * D + depth[None, :], (sums / total[:, None]).to(tl.float16))


@triton.jit
def reduce_sum(x, out, n, BLOCK: tl.constexpr):
    sums = tl.zeros([BLOCK], dtype=tl.float32)
    for begin in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        at = begin + tl.arange(0, BLOCK)
        sums += tl.load(x + at, mask=at < n, other=0.0)
    tl.atomic_add(out, tl.sum(sums, axis=0))


@triton.jit
def gelu_dropout(x, out, n, p, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    values = tl.load(x + at, mask=inside)
    result = 0.5 * values * (1 + tl.erf(values * 0.7071067811865476))
    keep = tl.rand(seed, at) > p
    tl.store(out + at, tl.where(keep, result / (1 - p), 0.0), mask=inside)


@triton.jit
def matmul_descriptor(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        sums = tl.dot(a.load([row, k]), b.load([k, column]), sums)
    c.store([row, column], sums.to(tl.float16))


def near(got, wanted, tolerance):
    error = (got.double() - wanted.double()).norm() / wanted.double().norm()
    assert error <= tolerance, float(error)


def random(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda").to(dtype)


def run_vector_add():
    x, y = random(100000), random(100000)
    out = torch.empty_like(x)
    vector_add[(triton.cdiv(100000, 1024),)](x, y, out, 100000, BLOCK=1024)
    near(out, x + y, 1e-7)


def run_softmax_rows():
    x = random(200, 1000)
    out = torch.empty_like(x)
    softmax_rows[(200,)](x, out, 1000, 1000, BLOCK=1024)
    near(out, torch.softmax(x, 1), 1e-5)


def run_layer_norm_rows():
    x, w, b = random(100, 1500, dtype=torch.float16), random(1500), random(1500)
    out = torch.empty_like(x)
    layer_norm_rows[(100,)](x, w, b, out, 1500, 1500, 1e-5, BLOCK=512)
    near(out, torch.nn.functional.layer_norm(x.float(), (1500,), w, b), 1e-2)


def run_matmul_f16():
    a, b = random(512, 384, dtype=torch.float16), random(384, 256, dtype=torch.float16)
    c = torch.empty(512, 256, device="cuda", dtype=torch.float16)
    matmul_f16[(4, 4)](a, b, c, 512, 256, 384, 384, 256, 256, BM=128, BN=64, BK=32, num_warps=4,
                       num_stages=3)
    near(c, a.float() @ b.float(), 1e-2)


def run_matmul_batched_tf32():
    a, b = random(6, 64, 96), random(6, 96, 128)
    c = torch.empty(6, 64, 128, device="cuda")
    matmul_batched_tf32[(2, 4, 6)](a, b, c, 64, 128, 96, BM=32, BN=32, BK=32, num_warps=4)
    near(c, a @ b, 1e-2)


def run_attention():
    q, k, v = (random(8, 256, 64, dtype=torch.float16) for _ in range(3))
    out = torch.empty_like(q)
    attention[(4, 8)](q, k, v, out, 256, 1.4426950408889634 / 8, BM=64, BN=64, D=64, num_warps=4)
    near(out, torch.nn.functional.scaled_dot_product_attention(q.float(), k.float(), v.float()), 1e-2)


def run_reduce_sum():
    x, out = torch.rand(100000, device="cuda"), torch.zeros(1, device="cuda")
    reduce_sum[(16,)](x, out, 100000, BLOCK=1024)
    near(out, x.sum(), 1e-4)


def run_gelu_dropout():
    x = random(100000)
    out = torch.empty_like(x)
    gelu_dropout[(triton.cdiv(100000, 512),)](x, out, 100000, 0.25, 1234, BLOCK=512)
    kept = out != 0
    assert 0.7 < float(kept.float().mean()) < 0.8
    near(out[kept], (torch.nn.functional.gelu(x) / 0.75)[kept], 1e-4)


def run_matmul_descriptor():
    a, b = random(512, 384, dtype=torch.float16), random(384, 256, dtype=torch.float16)
    c = torch.empty(512, 256, device="cuda", dtype=torch.float16)
    matmul_descriptor[(4, 2)](TensorDescriptor.from_tensor(a, [128, 64]),
                              TensorDescriptor.from_tensor(b, [64, 128]),
                              TensorDescriptor.from_tensor(c, [128, 128]), 384, BM=128, BN=128,
                              BK=64, num_warps=4, num_stages=3)
    near(c, a.float() @ b.float(), 1e-2)


def clean_ptx(text):
    """The text without debug sections (they spell paths) and with bare file names."""
    text = re.sub(r'(?m)^(\t?\.file\s+\d+\s+")[^"]*/([^"/]+")', r"\1\2", text)
    return re.sub(r"(?ms)^\t?\.section\s+\.debug_\w+\s*\{.*?^\t?\}\n?", "", text)


def clean_json(value):
    if isinstance(value, dict):
        return {name: clean_json(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [clean_json(inner) for inner in value]
    return os.path.basename(value) if isinstance(value, str) and value.startswith("/") else value


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    torch.manual_seed(7)
    failed = 0
    for name, run in list(globals().items()):
        if not name.startswith("run_"):
            continue
        name = name[4:]
        try:
            run()
            torch.cuda.synchronize()
            print(name, "right")
        except Exception as problem:
            print(name, "FAILED", repr(problem)[:600])
            failed = 1
        for path in glob.glob(f"{cache}/*/{name}.ptx"):
            with open(path) as file, open(f"{folder}/{name}.ptx", "w") as out:
                out.write(clean_ptx(file.read()))
            with open(path[:-4] + ".json") as file, open(f"{folder}/{name}.json", "w") as out:
                json.dump(clean_json(json.load(file)), out, indent=1, sort_keys=True)
                out.write("\n")
    print("triton", triton.__version__, "on", torch.cuda.get_device_name())
    return failed


if __name__ == "__main__":
    sys.exit(main())
