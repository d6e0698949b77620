#!/usr/bin/env python3
"""Compiles and times tuning spaces of Triton kernels: a matrix product and attention, by tile shape, warps and stages.

usage: record_triton_spaces.py OUTPUT_FOLDER     (needs triton and torch; written for Triton 3.6, sm_90)

OUTPUT_FOLDER/spaces.jsonl: a line a configuration with its launch, registers, shared memory, the relative error of the
result, and the median seconds of launches one behind the other in short bursts with pauses, so that the device stays
cool.  OUTPUT_FOLDER/ptx.tar.gz: NAME.ptx and NAME.json of each, as Triton's cache holds them, without machine paths."""
import itertools
import json
import multiprocessing
import os
import statistics
import sys
import tarfile
import time

CACHE = os.environ.setdefault('TRITON_CACHE_DIR', '/tmp/triton-spaces')


def spaces():
    for bm, bn, bk, warps, stages in itertools.product((64, 128, 256), (64, 128, 256), (32, 64), (4, 8), (2, 3, 4)):
        if (bm + bn) * bk * 2 * stages > 227 * 1024 or bm * bn > 256 * 128 or bm * bn / (warps * 32) > 256:
            continue
        for dtype, size in (('float16', 4096), ('bfloat16', 4096), ('float16', 2048)):
            if dtype == 'bfloat16' and (stages == 2 or bk == 32):
                continue
            if size == 2048 and stages != 3:
                continue
            yield {'kernel': 'matmul_f16', 'dtype': dtype, 'size': size, 'BM': bm, 'BN': bn, 'BK': bk, 'num_warps': warps,
                   'num_stages': stages}
    for bm, bn, depth, warps, stages in itertools.product((64, 128), (32, 64, 128), (64, 128), (4, 8), (2, 3, 4)):
        for length in (2048, 4096):
            if length == 2048 and stages != 3:
                continue
            yield {'kernel': 'attention', 'dtype': 'float16', 'size': length, 'BM': bm, 'BN': bn, 'D': depth,
                   'num_warps': warps, 'num_stages': stages}


def name_of(one):
    return '_'.join(str(v) for v in one.values())


def launch(one, tensors):
    """The compiled kernel of a launch, and a function that launches it again."""
    import triton_kernels as kernels
    options = {key: one[key] for key in ('BM', 'BN', 'BK', 'D', 'num_warps', 'num_stages') if key in one}
    kernel = getattr(kernels, one['kernel'])
    if one['kernel'] == 'matmul_f16':
        n = one['size']
        grid = (n // one['BM'], n // one['BN'])
        arguments = (*tensors, n, n, n, n, n, n)
    else:
        grid = (one['size'] // one['BM'], HEADS)
        arguments = (*tensors, one['size'], 0.18)
    return grid, arguments, kernel, options


HEADS = 32


def make(one):
    import torch
    dtype = getattr(torch, one['dtype'])
    torch.manual_seed(3)
    shape = (one['size'], one['size']) if one['kernel'] == 'matmul_f16' else (HEADS, one['size'], one['D'])
    count = 3 if one['kernel'] == 'matmul_f16' else 4
    return [torch.randn(shape, device='cuda', dtype=dtype) * 0.3 for _ in range(count)]


def compile_one(one):
    try:
        import torch
        dtype = getattr(torch, one['dtype'])
        tensors = [torch.empty(16, device='cuda', dtype=dtype) for _ in range(3 if one['kernel'] == 'matmul_f16' else 4)]
        grid, arguments, kernel, options = launch(one, tensors)
        kernel.warmup(*arguments, grid=grid, **options)
        return None
    except Exception as problem:  # a configuration that fails costs itself alone
        return repr(problem)[:200]


def wanted(one, tensors):
    import torch
    if one['kernel'] == 'matmul_f16':
        return tensors[0].float() @ tensors[1].float()
    q, k, v = (t.float() for t in tensors[:3])
    return torch.softmax(q[:2] @ k[:2].transpose(1, 2) * (0.18 * 0.6931471805599453), dim=-1) @ v[:2]


def main():
    folder = sys.argv[1]
    deadline = time.time() + float(sys.argv[2]) if len(sys.argv) > 2 else 1e18
    configurations = list(spaces())
    with multiprocessing.get_context('spawn').Pool(14) as pool:
        problems = pool.map(compile_one, configurations, chunksize=4)
    print(len(configurations), 'configurations,', sum(p is not None for p in problems), 'not compiled', flush=True)
    import torch
    import triton_kernels as kernels
    kept, reference, key = None, None, None
    with open(f'{folder}/spaces.jsonl', 'w') as out, tarfile.open(f'{folder}/ptx.tar.gz', 'w:gz') as tar:
        for one, problem in zip(configurations, problems):
            row = {'name': name_of(one), **one}
            if time.time() > deadline:
                print('no time for the rest')
                break
            try:
                if problem:
                    raise RuntimeError(problem)
                new = (one['kernel'], one['dtype'], one['size'], one.get('D'))
                if new != key:
                    kept, key = make(one), new
                    reference = wanted(one, kept)
                grid, arguments, kernel, options = launch(one, kept)
                compiled = kernel[grid](*arguments, **options)
                torch.cuda.synchronize()
                got = kept[-1].float()
                got = got if one['kernel'] == 'matmul_f16' else got[:2]
                row['error'] = float(((got - reference).norm() / reference.norm()).item())
                start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                times = []
                for burst in range(7):
                    time.sleep(0.012)
                    for _ in range(2):
                        kernel[grid](*arguments, **options)
                    start.record()
                    for _ in range(5):
                        kernel[grid](*arguments, **options)
                    end.record()
                    end.synchronize()
                    times.append(start.elapsed_time(end) / 5e3)
                row.update(seconds=statistics.median(times), low=min(times), high=max(times), grid=list(grid),
                           registers=compiled.n_regs, spills=compiled.n_spills, shared=compiled.metadata.shared)
                for suffix, text in (('ptx', kernels.clean_ptx(compiled.asm['ptx'])),
                                     ('json', json.dumps(kernels.clean_json({k: v for k, v in compiled.metadata._asdict().items()
                                                                             if isinstance(v, (int, float, str, bool, list, tuple))})))):
                    path = f'/tmp/{row["name"]}.{suffix}'
                    with open(path, 'w') as file:
                        file.write(text)
                    if suffix == 'json' or one['size'] in (2048, 4096):
                        tar.add(path, os.path.basename(path))
            except Exception as trouble:
                row['failed'] = repr(trouble)[:200]
            out.write(json.dumps(row) + '\n')
            out.flush()


if __name__ == '__main__':
    main()
