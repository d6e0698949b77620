#!/usr/bin/env python3
"""Times the launches of a set of Triton kernels in bursts that wait behind another kernel, with the clock meanwhile.

usage: record_triton_further.py times FOLDER LIBRARY [SET [LIMIT]] > times.jsonl
       record_triton_further.py once FOLDER LIBRARY [SET [LIMIT]] > order.jsonl        (under ncu --profile-from-start off)
       record_triton_further.py power FOLDER LIBRARY [SET [LIMIT]] > power.jsonl

SET is triton-further or triton-third (triton_sets.py); FOLDER has launches.jsonl and kernels/, as write-triton-further
leaves them; LIBRARY is triton_watch.cu, compiled; after LIMIT seconds no further launch is begun.  Needs triton 3.6, torch
and a GPU of compute capability 9.0, and a ptxas 13.0 in TRITON_PTXAS_PATH.  `seconds`: one of a burst of launches, the
median of seven; `host`: seconds that launching took, less than `waited` of the kernel before; `clock`: of one
multiprocessor (clock64 over the global timer) in three bursts of their own, of which `watched` is the time of a launch;
`same`: whether Triton made the PTX in FOLDER (if not, it lies in different/); `error`: the relative error of the result, of
kernels with a check, of the first size.

power: `watts` of a graph of launches, replayed without a pause: for 0.4 s, and then in a window from step to step of NVML's
counter of energy of 0.6 s or more; `seconds` of a launch, and the clock meanwhile (power_watch.cuh).  Launches of PTX with
bulk copies, products of warp groups or mbarriers come first."""
import ctypes
import json
import os
import re
import statistics
import sys
import time

import torch
import triton

import triton_third_checks
from triton_sets import clean_ptx, launch, set_of

F = torch.nn.functional
SAMPLES = 8192


class Maker:
    def __call__(self, shape, dtype='float16', how='normal', limit=0):
        kind = getattr(torch, dtype)
        if how == 'zero':
            return torch.zeros(shape, device='cuda', dtype=kind)
        if how == 'ones':
            return torch.ones(shape, device='cuda', dtype=kind)
        if how == 'index':
            return torch.randint(0, limit, shape, device='cuda', dtype=kind)
        if how in ('cosine', 'sine'):
            angle = torch.rand(shape, device='cuda') * 6.283
            return angle.cos() if how == 'cosine' else angle.sin()
        if how == 'permuted':
            count = torch.Size(shape).numel()
            return torch.randperm(count, device='cuda').reshape(shape).to(kind)
        if how == 'share':
            return torch.softmax(torch.randn(shape, device='cuda'), -1).to(kind)
        if how == 'negative':
            return -torch.rand(shape, device='cuda').to(kind) - 0.1
        if dtype == 'uint8':
            return torch.randint(0, 256, shape, device='cuda', dtype=kind)
        if dtype == 'int8':
            return torch.randint(-127, 128, shape, device='cuda', dtype=kind)
        if dtype == 'int32':
            return torch.randint(-2**31, 2**31 - 1, shape, device='cuda', dtype=kind)
        scale = 0.01 if how == 'small' else 0.3
        return (torch.randn(shape, device='cuda', dtype=torch.float16 if kind.itemsize < 4 else torch.float32) * scale).to(kind)

    def values(self, dtype, values):
        return torch.tensor(values, dtype=getattr(torch, dtype), device='cuda')

    def routing(self, tokens, experts, top, block, padded):
        """Tokens sorted by the experts that each chose, padded to blocks, as a layer of experts has them."""
        chosen = torch.stack([torch.randperm(experts)[:top] for _ in range(tokens)]).flatten()
        ids, blocks = [], []
        for expert in range(experts):
            mine = (chosen == expert).nonzero().flatten().tolist()
            mine += [tokens * top] * (-len(mine) % block)
            ids += mine
            blocks += [expert] * (len(mine) // block)
        count = len(ids)
        ids += [tokens * top] * (padded - count)
        blocks += [0] * (padded // block - len(blocks))
        return self.values('int32', ids), self.values('int32', blocks), self.values('int32', [count])


def attention(q, k, v, mask, scale):
    return torch.softmax((q.float() @ k.float().transpose(-1, -2)) * scale + mask, -1) @ v.float()


def alibi(a):
    n = a[0].shape[1]
    i = torch.arange(n, device='cuda')
    far = i[:, None] - i[None, :]
    mask = torch.where(far >= 0, -a[4][:1, None] * far * 0.6931471805599453, float('-inf'))
    return a[3][0], attention(a[0][0], a[1][0], a[2][0], mask, a[5])


def decoded(a):
    total = torch.logsumexp(a[5][0], -1)
    got = (a[4][0] * torch.exp(a[5][0] - total[:, None])[..., None]).sum(1)
    k, v = a[1][0].transpose(0, 1).repeat_interleave(4, 0), a[2][0].transpose(0, 1).repeat_interleave(4, 0)
    return got, attention(a[0][0][:, None], k, v, 0, a[3])[:, 0]


def recurrence(a):
    state, out = torch.zeros_like(a[0][0, 0]), []
    for t in range(64):
        state = a[0][0, t] * state + a[1][0, t]
        out.append(state)
    return a[2][0, :64], torch.stack(out)


# What the first launch gave, and what it should have given; those of the third set are in triton_third_checks.py.
CHECKS = {
    **triton_third_checks.CHECKS,
    'permuted_sum': lambda a: (a[2], a[0].permute(2, 1, 0).float() + a[1].float()),
    'row_log_sums': lambda a: (a[1], torch.logsumexp(a[0], 1)),
    'column_largest': lambda a: (a[1], a[0].abs().amax(0)),
    'weighted_bag': lambda a: (a[3], (a[1][..., None] * a[2][a[0]].float()).sum(1)),
    'sorted_medians': lambda a: (a[1], a[0].sort(1).values[:, 128]),
    'add_made_descriptors': lambda a: (a[2], a[0].float() + a[1].float()),
    'locked_columns': lambda a: ((a[1].sum(0)), 0 * a[1].sum(0) + a[1].sum(0)),
    'softmax_persistent': lambda a: (a[0], torch.softmax(a[1], 1)),
    'softmax_online': lambda a: (a[0], torch.softmax(a[1].float(), 1)),
    'layer_norm_forward': lambda a: (a[1], F.layer_norm(a[0].float(), a[0].shape[1:], a[2].float(), a[3].float())),
    'layer_norm_backward_dwdb': lambda a: (a[2], a[0].float().sum(0)),
    'geglu_dropout': lambda a: (a[2][a[2] != 0], (F.gelu(a[0].float(), approximate='tanh') * a[1].float() / 0.9)[a[2] != 0]),
    'matmul_leaky_grouped': lambda a: (a[2], F.leaky_relu(a[0].float() @ a[1].float(), 0.01)),
    'matmul_split_k': lambda a: (a[2], a[0].float() @ a[1].float()),
    'matmul_persistent_tensors': lambda a: (a[2].base, a[0].base.float() @ a[1].base.float().T),
    'matmul_made_descriptors': lambda a: (a[2], a[0].float() @ a[1].float().T),
    'matmul_int8_scaled': lambda a: (a[2], (a[0].float() @ a[1].float().T) * a[3][:, None] * a[4][None, :]),
    'matmul_fp8_blocks': lambda a: (a[2], (a[0].float() * a[3].repeat_interleave(128, 1)) @ (a[1].float() * a[4].repeat_interleave(128, 0).repeat_interleave(128, 1)).T),
    'matmul_batched_bias': lambda a: (a[3], torch.relu(a[0].float() @ a[1].float() + a[2].float())),
    'conv2d_implicit': lambda a: (a[2], F.conv2d(a[0].float().permute(0, 3, 1, 2), a[1].float().permute(0, 3, 1, 2), padding=1).permute(0, 2, 3, 1)),
    'attention_causal_alibi': alibi,
    'attention_backward_preprocess': lambda a: (a[2], (a[0].float() * a[1].float()).sum(-1)),
    'decode_split': decoded,
    'linear_recurrence': recurrence,
    'cumulative_sum': lambda a: (a[1], a[0].cumsum(1)),
    'sort_rows': lambda a: (a[1], torch.topk(a[0], 64, 1).values),
    'histogram_bins': lambda a: (a[1], torch.bincount(a[0], minlength=256)),
    'embedding_gather': lambda a: (a[3][:1024], (a[1][a[0][:1024]] + a[2]).float()),
    'transpose_tiles': lambda a: (a[1], a[0].T),
    'column_moments': lambda a: (a[2], a[0].var(0, unbiased=False)),
    'causal_conv1d': lambda a: (a[3], F.silu(F.conv1d(a[0].float().transpose(1, 2), a[1][:, None], a[2], padding=3, groups=a[0].shape[2])[..., :-3]).transpose(1, 2)),
}


def timed(kernels, row, library, folder, out_of):
    name, size = row['name'], tuple(row['sizes'])
    torch.manual_seed(7)
    kernel, grid, arguments, options, kept = launch(kernels, name, size, Maker())
    stream, other = torch.cuda.current_stream().cuda_stream, out_of['other'].cuda_stream
    run = lambda: kernel[grid](*arguments, **options)
    compiled = run()
    torch.cuda.synchronize()
    result = {'name': name, 'sizes': size}
    text = clean_ptx(compiled.asm['ptx'])
    with open(f'{folder}/kernels/{row["file"]}') as file:
        result['same'] = file.read() == text
    if not result['same']:
        os.makedirs('different', exist_ok=True)
        with open(f'different/{row["file"]}', 'w') as file:
            file.write(text)
    result.update(registers=compiled.n_regs, spills=compiled.n_spills, shared=compiled.metadata.shared)
    if name in CHECKS and row['first']:
        try:
            got, wanted = CHECKS[name](arguments)
            result['error'] = float(f'{float((got.double() - wanted.double()).norm() / wanted.double().norm()):.3g}')
            del got, wanted
        except Exception as problem:
            result['error'] = repr(problem)[:200]
    for _ in range(2):
        run()
    torch.cuda.synchronize()
    begin = time.perf_counter()
    run()
    torch.cuda.synchronize()
    count = 5 if time.perf_counter() - begin > 3e-4 else 20
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    times, host, waited = [], [], 4_000_000
    for _ in range(7):
        time.sleep(0.012)
        begin = time.perf_counter()
        library.wait_for(ctypes.c_longlong(waited), ctypes.c_void_p(stream))
        run()
        run()
        start.record()
        for _ in range(count):
            run()
        end.record()
        host.append(time.perf_counter() - begin)
        end.synchronize()
        times.append(start.elapsed_time(end) * 1e-3 / count)
    one = statistics.median(times)
    clocks, busy = [], []
    marks, watched = out_of['marks'], out_of['watched']
    for _ in range(3):
        time.sleep(0.012)
        library.wait_for(ctypes.c_longlong(waited), ctypes.c_void_p(stream))
        library.watch(ctypes.c_void_p(watched.data_ptr()), SAMPLES, ctypes.c_longlong(waited + int(1e9 * one * (count + 4))),
                      ctypes.c_void_p(other))
        run()
        run()
        library.mark(ctypes.c_void_p(marks.data_ptr()), ctypes.c_void_p(stream))
        for _ in range(count):
            run()
        library.mark(ctypes.c_void_p(marks.data_ptr() + 8), ctypes.c_void_p(stream))
        torch.cuda.synchronize()
        when, got = marks.tolist(), watched.tolist()
        inside = [(got[2 + 2 * i], got[3 + 2 * i]) for i in range(got[0]) if when[0] <= got[2 + 2 * i] <= when[1]]
        if len(inside) > 1:
            clocks.append((inside[-1][1] - inside[0][1]) / (inside[-1][0] - inside[0][0]) * 1e9)
        busy.append((when[1] - when[0]) * 1e-9 / count)
    result.update(seconds=one, low=min(times), high=max(times), clock=statistics.median(clocks) if clocks else 0.0,
                  watched=statistics.median(busy), host=max(host), waited=waited * 1e-9, burst=count, clocks=len(clocks))
    return result


def once(kernels, row):
    torch.manual_seed(7)
    kernel, grid, arguments, options, kept = launch(kernels, row['name'], tuple(row['sizes']), Maker())
    for _ in range(2):
        kernel[grid](*arguments, **options)
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStart()
    kernel[grid](*arguments, **options)
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStop()
    return {'name': row['name'], 'sizes': row['sizes'], 'grid': row['grid'], 'block': row['block']}


FIGURES = ('watts', 'window', 'joules', 'seconds', 'clock', 'lowest', 'degrees', 'throttle')


def powered(kernels, row, library):
    torch.manual_seed(7)
    kernel, grid, arguments, options, kept = launch(kernels, row['name'], tuple(row['sizes']), Maker())
    for _ in range(2):
        compiled = kernel[grid](*arguments, **options)
    torch.cuda.synchronize()
    begin = time.perf_counter()
    kernel[grid](*arguments, **options)
    torch.cuda.synchronize()
    count = max(1, min(400, int(0.01 / (time.perf_counter() - begin))))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(count):
            kernel[grid](*arguments, **options)
    result = {'name': row['name'], 'sizes': row['sizes'], 'registers': compiled.n_regs, 'batch': count}
    ends = [torch.cuda.Event() for _ in range(3)]
    watch, number = library.power_start(ctypes.c_double(0.4), ctypes.c_double(0.6)), 0
    while not library.power_is_over(watch):
        if number >= len(ends):
            ends[number % len(ends)].synchronize()
            library.power_count(watch, ctypes.c_double(count))
        graph.replay()
        ends[number % len(ends)].record()
        number += 1
    torch.cuda.synchronize()
    figures = (ctypes.c_double * len(FIGURES))()
    if library.power_end(watch, figures):
        result.update((name, float(f'{value:.5g}')) for name, value in zip(FIGURES, figures))
    return result


def is_asynchronous(folder, row):
    with open(f'{folder}/kernels/{row["file"]}') as file:
        return bool(re.search(r'cp\.async\.bulk|wgmma\.|mbarrier\.|st\.async|shared::cluster|mapa\.', file.read()))


def main():
    what, folder, library = sys.argv[1], sys.argv[2], ctypes.CDLL(sys.argv[3])
    library.power_start.restype = ctypes.c_void_p
    for entry in (library.power_is_over, library.power_count, library.power_end):
        entry.argtypes = [ctypes.c_void_p]
    kernels = set_of(sys.argv[4] if len(sys.argv) > 4 else 'triton-further')
    limit = time.perf_counter() + float(sys.argv[5] if len(sys.argv) > 5 else 'inf')
    triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device='cuda'))
    out_of = {'other': torch.cuda.Stream(), 'marks': torch.zeros(8, dtype=torch.int64, device='cuda'),
              'watched': torch.zeros(2 * SAMPLES + 4, dtype=torch.int64, device='cuda')}
    seen = set()
    with torch.cuda.stream(torch.cuda.Stream()), open(f'{folder}/launches.jsonl') as file:
        rows = [json.loads(line) for line in file]
        if what == 'power':
            rows.sort(key=lambda row: not is_asynchronous(folder, row))
        for row in rows:
            if time.perf_counter() > limit:
                break
            row['first'] = row['name'] not in seen
            seen.add(row['name'])
            try:
                result = (timed(kernels, row, library, folder, out_of) if what == 'times' else
                          powered(kernels, row, library) if what == 'power' else once(kernels, row))
            except Exception as problem:
                result = {'name': row['name'], 'sizes': row['sizes'], 'failed': repr(problem)[-400:]}
            print(json.dumps(result), flush=True)
            torch.cuda.empty_cache()


main()
