#!/usr/bin/env python3
"""Writes kernels/launches.json: every example kernel's launches at three sizes, one a line; and
kernels/shapes.json: the small and medium ones again with other block shapes, where the kernel allows.

usage: scripts/launches.py        (what the fields mean: kernels/README.md)

A row gives a kernel, its three sizes, and a function from a size to grid, block, arguments and
buffers. Sizes do not divide the block where the kernel guards that.
"""
import json
import os

launches = []


def cover(count, block):
    """Blocks of `block` that cover `count`."""
    return -(-count // block)


def three(extents):
    extents = list(extents) if isinstance(extents, (list, tuple)) else [extents]
    return extents + [1] * (3 - len(extents))


def buffer(type, count, fill="random", low=None, high=None, **more):
    entry = {"type": type, "count": count, "fill": fill}
    if low is not None:
        entry["low"] = low
    if high is not None:
        entry["high"] = high
    return {**entry, **more}


def f32(count, fill="random", low=None, high=None, **more):
    return buffer("f32", count, fill, low, high, **more)


def f64(count, fill="random", low=None, high=None, **more):
    return buffer("f64", count, fill, low, high, **more)


def s32(count, fill, low=None, high=None, **more):
    return buffer("s32", count, fill, low, high, **more)


def u32(count, fill, low=None, high=None, **more):
    return buffer("u32", count, fill, low, high, **more)


def kernel(file, name, outputs, sizes, make, why=None):
    """Adds the launches of one kernel. sizes: (small, medium, large), each a dict for make."""
    for size, values in zip(("small", "medium", "large"), sizes):
        made = make(**values)
        launch = {
            "file": file,
            "kernel": name,
            "size": size,
            "grid": three(made["grid"]),
            "block": three(made["block"]),
            "shared": made.get("shared", 0),
            "arguments": made["arguments"],
            "buffers": made["buffers"],
            "outputs": outputs,
            "data_dependent": why is not None,
        }
        if why is not None:
            launch["why"] = why
        launches.append(launch)


M = 1 << 20

# copies
copy_sizes = [dict(n=1000), dict(n=32 * M + 5), dict(n=768 * M + 5)]
kernel("copy.cu", "copy", ["target"], copy_sizes,
       lambda n: dict(grid=cover(n, 256), block=256, arguments=dict(n=n),
                      buffers=dict(source=f32(n), target=f32(n, "zero"))))
kernel("copy.cu", "copy_vector4", ["target"], [dict(n=1003), dict(n=32 * M + 4), dict(n=768 * M)],
       lambda n: dict(grid=cover(n // 4, 256), block=256, arguments=dict(n=n),
                      buffers=dict(source=f32(n), target=f32(n, "zero"))))
kernel("copy.cu", "copy_strided", ["target"],
       [dict(n=3000, stride=3), dict(n=64 * M, stride=4), dict(n=512 * M, stride=8)],
       lambda n, stride: dict(grid=cover(cover(n, stride), 256), block=256,
                              arguments=dict(n=n, stride=stride),
                              buffers=dict(source=f32(n), target=f32(n, "zero"))))
kernel("copy.cu", "copy_offset", ["target"],
       [dict(n=1000, offset=1), dict(n=32 * M, offset=5), dict(n=768 * M, offset=17)],
       lambda n, offset: dict(grid=cover(n - offset, 256), block=256,
                              arguments=dict(n=n, offset=offset),
                              buffers=dict(source=f32(n), target=f32(n, "zero"))))

# saxpy
kernel("saxpy.cu", "saxpy", ["y"],
       [dict(n=5000, blocks=4), dict(n=32 * M + 1, blocks=1056), dict(n=512 * M, blocks=1056)],
       lambda n, blocks: dict(grid=blocks, block=256, arguments=dict(a=1.5, n=n),
                              buffers=dict(x=f32(n), y=f32(n))))

# transposes
transpose_sizes = [dict(width=100, height=70), dict(width=5000, height=4990),
                   dict(width=22000, height=21990)]


def transposed(width, height, tile=(32, 32), block=(32, 8)):
    return dict(grid=[cover(width, tile[0]), cover(height, tile[1])], block=block,
                arguments=dict(width=width, height=height),
                buffers=dict(source=f32(width * height), target=f32(width * height, "zero")))


kernel("transpose.cu", "transpose", ["target"], transpose_sizes, transposed)
kernel("transpose.cu", "transpose_unpadded", ["target"], transpose_sizes, transposed)
kernel("transpose.cu", "transpose_naive", ["target"], transpose_sizes,
       lambda width, height: transposed(width, height, (32, 8), (32, 8)))


# matrix products
def product(m, n, k, tile=(16, 16), block=(16, 16)):
    return dict(grid=[cover(n, tile[0]), cover(m, tile[1])], block=block,
                arguments=dict(m=m, n=n, k=k),
                buffers=dict(a=f32(m * k), b=f32(k * n), c=f32(m * n, "zero")))


kernel("matmul_naive.cu", "matmul_naive", ["c"],
       [dict(m=45, n=50, k=33), dict(m=1000, n=1000, k=500), dict(m=2050, n=2050, k=2050)],
       lambda m, n, k: product(m, n, k, (32, 8), (32, 8)))
kernel("matmul_tiled.cu", "matmul_tiled", ["c"],
       [dict(m=45, n=50, k=33), dict(m=1000, n=1000, k=500), dict(m=2050, n=2050, k=2050)], product)


# stencils in two dimensions
def plane(nx, ny, old="u", new="next", block=(32, 8)):
    return dict(grid=[cover(nx, block[0]), cover(ny, block[1])], block=block,
                arguments=dict(nx=nx, ny=ny),
                buffers={old: f32(nx * ny), new: f32(nx * ny, "zero")})


plane_sizes = [dict(nx=100, ny=75), dict(nx=6000, ny=5001), dict(nx=24001, ny=24000)]
for name in ("stencil2d", "stencil2d_nine", "stencil2d_shared"):
    kernel("stencil2d.cu", name, ["next"], plane_sizes, plane)

# reductions
kernel("reduce.cu", "reduce", ["partials"],
       [dict(n=1000, block=128), dict(n=64 * M + 3, block=256), dict(n=1024 * M - 3, block=256)],
       lambda n, block: dict(grid=cover(n, block), block=block, arguments=dict(n=n),
                             buffers=dict(source=f32(n), partials=f32(cover(n, block), "zero"))))

# n-body
kernel("nbody.cu", "nbody", ["accelerations"], [dict(n=300), dict(n=10000), dict(n=100000)],
       lambda n: dict(grid=cover(n, 256), block=256, arguments=dict(softening=0.01, n=n),
                      buffers=dict(bodies=f32(4 * n), accelerations=f32(4 * n, "zero"))))

# convolution in one dimension
kernel("conv1d.cu", "conv1d", ["target"], [dict(n=1000), dict(n=32 * M + 5), dict(n=512 * M + 5)],
       lambda n: dict(grid=cover(n, 256), block=256, arguments=dict(n=n),
                      buffers=dict(source=f32(n), weights=f32(9), target=f32(n, "zero"))))

# scans
kernel("scan_block.cu", "scan_block", ["target", "totals"],
       [dict(n=1000, block=128), dict(n=32 * M + 5, block=256), dict(n=512 * M + 5, block=512)],
       lambda n, block: dict(grid=cover(n, block), block=block, arguments=dict(n=n),
                             buffers=dict(source=f32(n), target=f32(n, "zero"),
                                          totals=f32(cover(n, block), "zero"))))

# matrix products, continued
kernel("matmul_register.cu", "matmul_register4", ["c"],
       [dict(m=75, n=70, k=33), dict(m=1500, n=1400, k=1000), dict(m=4090, n=4100, k=2050)],
       lambda m, n, k: product(m, n, k, (64, 64)))
kernel("matmul_register.cu", "matmul_register8", ["c"],
       [dict(m=140, n=130, k=33), dict(m=1500, n=1400, k=1000), dict(m=4090, n=4100, k=2050)],
       lambda m, n, k: product(m, n, k, (128, 128)))
kernel("matmul_batched.cu", "matmul_batched", ["c"],
       [dict(n=20, batch=5), dict(n=50, batch=4000), dict(n=60, batch=30000)],
       lambda n, batch: dict(grid=[cover(n, 16), cover(n, 16), batch], block=[16, 16],
                             arguments=dict(n=n),
                             buffers=dict(a=f32(n * n * batch), b=f32(n * n * batch),
                                          c=f32(n * n * batch, "zero"))))


def tensor_product(m, n, k, columns):
    return dict(grid=[n // columns, cover(m, 64)], block=[32, 4], arguments=dict(m=m, n=n, k=k),
                buffers=dict(a=buffer("f16", m * k), b=buffer("f16", n * k),
                             c=f32(m * n, "zero")))


tensor_sizes = [dict(m=80, n=64, k=48), dict(m=2048, n=2048, k=1024),
                dict(m=4096, n=4096, k=4096)]
kernel("matmul_wmma.cu", "matmul_wmma", ["c"], tensor_sizes,
       lambda m, n, k: tensor_product(m, n, k, 16))
kernel("matmul_mma.cu", "matmul_mma", ["c"], tensor_sizes,
       lambda m, n, k: tensor_product(m, n, k, 8))


def matrix_vector(m, n, threads, inner):
    return dict(grid=cover(threads, 128), block=128, arguments=dict(m=m, n=n),
                buffers=dict(a=f32(m * n), x=f32(inner), y=f32(threads, "zero")))


kernel("matvec.cu", "matvec", ["y"],
       [dict(m=300, n=75), dict(m=50000, n=500), dict(m=500000, n=1000)],
       lambda m, n: matrix_vector(m, n, m, n))
kernel("matvec.cu", "matvec_transposed", ["y"],
       [dict(m=75, n=300), dict(m=500, n=100001), dict(m=3000, n=500001)],
       lambda m, n: matrix_vector(m, n, n, m))

# stencils in three dimensions, waves


def box(nx, ny, nz, buffers, block=(32, 4, 2), march=False, **arguments):
    grid = [cover(nx, block[0]), cover(ny, block[1]), 1 if march else cover(nz, block[2])]
    return dict(grid=grid, block=block, arguments=dict(**arguments, nx=nx, ny=ny, nz=nz),
                buffers=buffers)


box_sizes = [dict(nx=50, ny=21, nz=13), dict(nx=402, ny=300, nz=250), dict(nx=1026, ny=900, nz=800)]
kernel("stencil3d.cu", "stencil3d", ["next"], box_sizes,
       lambda nx, ny, nz: box(nx, ny, nz, dict(u=f32(nx * ny * nz),
                                               next=f32(nx * ny * nz, "zero"))))
kernel("stencil3d.cu", "stencil3d_march", ["next"], box_sizes,
       lambda nx, ny, nz: box(nx, ny, nz, dict(u=f32(nx * ny * nz), next=f32(nx * ny * nz, "zero")),
                              (32, 8, 1), True))
star_sizes = [dict(nx=50, ny=21, nz=13), dict(nx=306, ny=300, nz=200), dict(nx=802, ny=700, nz=700)]
star_weights = dict(c0=0.5, c1=0.05, c2=0.02, c3=0.01, c4=0.005)
kernel("star25.cu", "star25", ["next"], star_sizes,
       lambda nx, ny, nz: box(nx, ny, nz, dict(u=f64(nx * ny * nz), next=f64(nx * ny * nz, "zero")),
                              **star_weights))
kernel("star25.cu", "star25_march", ["next"], star_sizes,
       lambda nx, ny, nz: box(nx, ny, nz, dict(u=f64(nx * ny * nz), next=f64(nx * ny * nz, "zero")),
                              (32, 8, 1), True, **star_weights))
kernel("wave2d.cu", "wave2d", ["past"], plane_sizes,
       lambda nx, ny: dict(grid=[cover(nx, 32), cover(ny, 8)], block=[32, 8],
                           arguments=dict(courant=0.25, nx=nx, ny=ny),
                           buffers=dict(u=f32(nx * ny), past=f32(nx * ny))))
kernel("wave3d.cu", "wave3d", ["past"], box_sizes[:2] + [dict(nx=1000, ny=800, nz=800)],
       lambda nx, ny, nz: box(nx, ny, nz, dict(u=f32(nx * ny * nz), past=f32(nx * ny * nz),
                                               velocity=f32(nx * ny * nz, high=0.2)), (64, 2, 2)))

# lattice Boltzmann
kernel("lbm_d2q9.cu", "lbm_d2q9", ["next"],
       [dict(nx=100, ny=75), dict(nx=2001, ny=2000), dict(nx=9000, ny=9001)],
       lambda nx, ny: dict(grid=[cover(nx, 64), cover(ny, 4)], block=[64, 4],
                           arguments=dict(omega=1.2, nx=nx, ny=ny),
                           buffers=dict(old=f32(9 * nx * ny, low=0.5, high=1.0),
                                        next=f32(9 * nx * ny, "zero"))))
kernel("lbm_d3q19.cu", "lbm_d3q19", ["next"],
       [dict(nx=30, ny=21, nz=13), dict(nx=130, ny=120, nz=110), dict(nx=402, ny=350, nz=300)],
       lambda nx, ny, nz: box(nx, ny, nz, dict(old=f32(19 * nx * ny * nz, low=0.5, high=1.0),
                                               next=f32(19 * nx * ny * nz, "zero")),
                              (64, 2, 1), omega=1.2))

# rows of a matrix, attention, convolution in two dimensions
kernel("softmax.cu", "softmax", ["target"],
       [dict(rows=7, columns=300), dict(rows=20000, columns=1000), dict(rows=150000, columns=5000)],
       lambda rows, columns: dict(grid=rows, block=256, arguments=dict(columns=columns),
                                  buffers=dict(source=f32(rows * columns, low=-4.0, high=4.0),
                                               target=f32(rows * columns, "zero"))))
kernel("layer_norm.cu", "layer_norm", ["target"],
       [dict(rows=7, columns=300), dict(rows=20000, columns=1000), dict(rows=200000, columns=4000)],
       lambda rows, columns: dict(grid=rows, block=128,
                                  arguments=dict(epsilon=1e-5, columns=columns),
                                  buffers=dict(source=f32(rows * columns), scale=f32(columns),
                                               shift=f32(columns),
                                               target=f32(rows * columns, "zero"))))
for name in ("attention_scores", "attention_scores_causal"):
    kernel("attention_scores.cu", name, ["scores"],
           [dict(heads=2, tokens=50, width=40), dict(heads=8, tokens=1000, width=64),
            dict(heads=32, tokens=2500, width=96)],
           lambda heads, tokens, width:
           dict(grid=[cover(tokens, 16), cover(tokens, 16), heads], block=[16, 16],
                arguments=dict(scale=0.125, tokens=tokens, width=width),
                buffers=dict(queries=f32(heads * tokens * width), keys=f32(heads * tokens * width),
                             scores=f32(heads * tokens * tokens, "zero"))))
kernel("conv2d.cu", "conv2d", ["target"],
       [dict(nx=100, ny=75, radius=3), dict(nx=3001, ny=2000, radius=3),
        dict(nx=12001, ny=12000, radius=4)],
       lambda nx, ny, radius:
       dict(grid=[cover(nx, 32), cover(ny, 8)], block=[32, 8],
            arguments=dict(nx=nx, ny=ny, radius=radius),
            buffers=dict(source=f32(nx * ny), weights=f32((2 * radius + 1) ** 2),
                         target=f32(nx * ny, "zero"))))
kernel("conv2d.cu", "conv2d_constant", ["target"], plane_sizes,
       lambda nx, ny: plane(nx, ny, "source", "target"))

# sparse matrices: rows of about `mean` elements
sparse_sizes = [dict(rows=500, mean=9), dict(rows=1000001, mean=20), dict(rows=10000001, mean=40)]


def sparse(rows, mean, lanes):
    stored = rows * mean + mean
    return dict(grid=cover(rows * lanes, 256), block=256, arguments=dict(rows=rows),
                buffers=dict(starts=s32(rows + 1, "ramp", 0, step=mean, jitter=mean),
                             columns=s32(stored, "random", 0, rows), values=f32(stored),
                             x=f32(rows), y=f32(rows, "zero")))


kernel("spmv_csr.cu", "spmv_csr", ["y"], sparse_sizes,
       lambda rows, mean: sparse(rows, mean, 1),
       "trip count on starts; addresses of x on columns")
kernel("spmv_csr_vector.cu", "spmv_csr_vector", ["y"], sparse_sizes,
       lambda rows, mean: sparse(rows, mean, 32),
       "trip count on starts; addresses of x on columns")
kernel("spmv_ell.cu", "spmv_ell", ["y"],
       [dict(rows=500, width=9), dict(rows=1000001, width=20), dict(rows=10000001, width=40)],
       lambda rows, width: dict(grid=cover(rows, 256), block=256,
                                arguments=dict(rows=rows, width=width),
                                buffers=dict(columns=s32(rows * width, "random", 0, rows),
                                             values=f32(rows * width), x=f32(rows),
                                             y=f32(rows, "zero"))),
       "addresses of x on columns")

# histograms, reductions, scans
kernel("histogram.cu", "histogram_global", ["counts"],
       [dict(n=5000, blocks=3), dict(n=M + 1, blocks=528), dict(n=16 * M, blocks=528)],
       lambda n, blocks: dict(grid=blocks, block=256, arguments=dict(n=n),
                              buffers=dict(source=buffer("u8", n, "random", 0, 256),
                                           counts=u32(256, "zero"))),
       "addresses of the atomic additions on source")
kernel("histogram.cu", "histogram_shared", ["counts"],
       [dict(n=5000, blocks=3), dict(n=128 * M + 1, blocks=1056), dict(n=2000 * M, blocks=1056)],
       lambda n, blocks: dict(grid=blocks, block=256, arguments=dict(n=n),
                              buffers=dict(source=buffer("u8", n, "random", 0, 256),
                                           counts=u32(256, "zero"))),
       "addresses of the atomic additions on source")
kernel("reduce_shuffle.cu", "reduce_shuffle", ["partials"],
       [dict(n=5000, blocks=3), dict(n=64 * M + 1, blocks=1056), dict(n=1024 * M, blocks=1056)],
       lambda n, blocks: dict(grid=blocks, block=256, arguments=dict(n=n),
                              buffers=dict(source=f32(n), partials=f32(blocks, "zero"))))
kernel("reduce_atomic.cu", "reduce_atomic", ["sum"],
       [dict(n=5000, blocks=3), dict(n=64 * M + 1, blocks=1056), dict(n=1024 * M, blocks=1056)],
       lambda n, blocks: dict(grid=blocks, block=256, arguments=dict(n=n),
                              buffers=dict(source=s32(n, "random", -100, 100),
                                           sum=s32(1, "zero"))))
kernel("scan_shuffle.cu", "scan_shuffle", ["target"],
       [dict(n=1000, block=128), dict(n=32 * M + 5, block=256), dict(n=640 * M + 5, block=512)],
       lambda n, block: dict(grid=cover(n, block), block=block, arguments=dict(n=n),
                             buffers=dict(source=f32(n), target=f32(n, "zero"))))

# Fourier transform, sorting
kernel("fft_stage.cu", "fft_stage", ["real", "imaginary"],
       [dict(n=2048, span=16), dict(n=16 * M, span=1 << 10), dict(n=512 * M, span=1 << 20)],
       lambda n, span: dict(grid=cover(n // 2, 256), block=256, arguments=dict(n=n, span=span),
                            buffers=dict(real=f32(n), imaginary=f32(n))),
       "branch: the slow reduction of large angles in cosf and sinf, on the angle (computed from "
       "the thread number, never taken)")
kernel("bitonic_step.cu", "bitonic_step", ["values"],
       [dict(n=4096, distance=8, length=64), dict(n=32 * M, distance=1024, length=2048),
        dict(n=1024 * M, distance=1 << 20, length=1 << 22)],
       lambda n, distance, length:
       dict(grid=cover(n, 256), block=256,
            arguments=dict(n=n, distance=distance, length=length),
            buffers=dict(values=u32(n, "random", 0, 1 << 30))),
       "branch around the exchange on values")
kernel("odd_even_sort.cu", "odd_even_sort", ["values"],
       [dict(n=1200), dict(n=M + 100), dict(n=16 * M + 100)],
       lambda n: dict(grid=cover(n, 512), block=256, arguments=dict(n=n),
                      buffers=dict(values=u32(n, "random", 0, 1 << 30))),
       "branch around the exchange on values")

# clustering, dynamic programs
kernel("kmeans_assign.cu", "kmeans_assign", ["nearest"],
       [dict(n=1000, k=5, dimensions=3), dict(n=1000001, k=16, dimensions=16),
        dict(n=10000001, k=32, dimensions=32)],
       lambda n, k, dimensions:
       dict(grid=cover(n, 256), block=256, arguments=dict(n=n, k=k, dimensions=dimensions),
            buffers=dict(points=f32(n * dimensions), centres=f32(k * dimensions),
                         nearest=s32(n, "zero"))))
kernel("edit_distance.cu", "edit_distance", ["distances"],
       [dict(pairs=5, length=40), dict(pairs=20000, length=63), dict(pairs=100000, length=127)],
       lambda pairs, length:
       dict(grid=pairs, block=cover(length + 1, 32) * 32, arguments=dict(length=length),
            buffers=dict(first=buffer("u8", pairs * length, "random", 97, 101),
                         second=buffer("u8", pairs * length, "random", 97, 101),
                         distances=s32(pairs, "zero"))),
       why="an increment predicated on first and second")
kernel("needleman_wunsch.cu", "needleman_wunsch", ["scores"],
       [dict(n=20, pairs=50, diagonal=25), dict(n=50, pairs=100000, diagonal=51),
        dict(n=50, pairs=750001, diagonal=51)],
       lambda n, pairs, diagonal:
       dict(grid=[cover(n, 16), cover(pairs, 32)], block=[16, 32],
            arguments=dict(n=n, pairs=pairs, diagonal=diagonal),
            buffers=dict(first=buffer("u8", pairs * n, "random", 97, 101),
                         second=buffer("u8", pairs * n, "random", 97, 101),
                         scores=s32(pairs * (n + 1) * (n + 1), "random", -40, 20))))

# random numbers, hashing, fractals
kernel("monte_carlo_pi.cu", "monte_carlo_pi", ["counts"],
       [dict(n=1000, samples=50), dict(n=M + 1, samples=100), dict(n=4 * M + 1, samples=1000)],
       lambda n, samples: dict(grid=cover(n, 256), block=256,
                               arguments=dict(n=n, samples=samples, seed=12345),
                               buffers=dict(counts=u32(n, "zero"))))
kernel("hash.cu", "hash", ["target"],
       [dict(n=1000, rounds=4), dict(n=16 * M + 1, rounds=8), dict(n=256 * M + 1, rounds=16)],
       lambda n, rounds: dict(grid=cover(n, 256), block=256, arguments=dict(n=n, rounds=rounds),
                              buffers=dict(source=u32(n, "random", 0, 1 << 32),
                                           target=u32(n, "zero"))))
kernel("mandelbrot.cu", "mandelbrot", ["times"],
       [dict(width=100, height=75, limit=50), dict(width=2000, height=1501, limit=250),
        dict(width=8000, height=6001, limit=500)],
       lambda width, height, limit:
       dict(grid=[cover(width, 32), cover(height, 8)], block=[32, 8],
            arguments=dict(width=width, height=height, left=-2.0, top=-1.125, step=3.0 / width,
                           limit=limit),
            buffers=dict(times=s32(width * height, "zero"))),
       "trip count on values computed in the loop (none loaded)")
kernel("collatz.cu", "collatz", ["steps"], [dict(n=1000), dict(n=2 * M + 1), dict(n=32 * M + 1)],
       lambda n: dict(grid=cover(n, 256), block=256, arguments=dict(n=n),
                      buffers=dict(steps=s32(n, "zero"))),
       "trip count on values computed in the loop (none loaded)")

# indirect addresses
kernel("pointer_chase.cu", "pointer_chase", ["last"],
       [dict(elements=5000, chains=100, spread=7, steps=20),
        dict(elements=4 * M, chains=1024, spread=101, steps=400),
        dict(elements=64 * M, chains=2048, spread=1001, steps=4000)],
       lambda elements, chains, spread, steps:
       dict(grid=cover(chains, 64), block=64,
            arguments=dict(chains=chains, spread=spread, steps=steps),
            buffers=dict(next=s32(elements, "cycle"), last=s32(chains, "zero"))),
       "addresses of next on next")
indirect_sizes = [dict(n=1000), dict(n=8 * M + 5), dict(n=96 * M + 5)]
for name, what in (("gather", "source"), ("scatter", "target")):
    kernel("gather.cu", name, ["target"], indirect_sizes,
           lambda n: dict(grid=cover(n, 256), block=256, arguments=dict(n=n),
                          buffers=dict(source=f32(n), index=s32(n, "permutation"),
                                       target=f32(n, "zero"))),
           "addresses of " + what + " on index")
kernel("gather.cu", "gather_rows", ["target"],
       [dict(n=50, width=75, rows=500), dict(n=100001, width=300, rows=100000),
        dict(n=250001, width=4000, rows=100000)],
       lambda n, width, rows: dict(grid=[cover(width, 64), cover(n, 4)], block=[64, 4],
                                   arguments=dict(n=n, width=width),
                                   buffers=dict(source=f32(rows * width),
                                                index=s32(n, "random", 0, rows),
                                                target=f32(n * width, "zero"))),
       "addresses of source on index")
kernel("binary_search.cu", "binary_search", ["found"],
       [dict(n=1000, length=3000), dict(n=4 * M + 1, length=M), dict(n=32 * M + 1, length=16 * M)],
       lambda n, length: dict(grid=cover(n, 256), block=256, arguments=dict(n=n, length=length),
                              buffers=dict(sorted=s32(length, "ramp", 0, step=3, jitter=3),
                                           wanted=s32(n, "random", 0, 3 * length),
                                           found=s32(n, "zero"))),
       "addresses and, by one trip, trip count on sorted and wanted")
kernel("breadth_first.cu", "breadth_first", ["after"],
       [dict(n=500, mean=9), dict(n=2000001, mean=20), dict(n=40000001, mean=40)],
       lambda n, mean: dict(grid=cover(n, 256), block=256, arguments=dict(n=n, level=3),
                            buffers=dict(starts=s32(n + 1, "ramp", 0, step=mean, jitter=mean),
                                         neighbours=s32(n * mean + mean, "random", 0, n),
                                         before=s32(n, "random", -1, 3),
                                         after=s32(n, "zero"))),
       "branches on before; trip count on starts, neighbours and before; addresses on neighbours")
kernel("checksum.cu", "checksum", ["sums"],
       [dict(n=300, length=40), dict(n=400001, length=400), dict(n=2000001, length=1000)],
       lambda n, length: dict(grid=cover(n, 128), block=128, arguments=dict(n=n, length=length),
                              buffers=dict(messages=buffer("u8", n * length, "random", 0, 256),
                                           sums=u32(n, "zero"))),
       "addresses of the table in shared memory on messages")
kernel("local_array.cu", "local_array", ["commonest"],
       [dict(rows=300, length=40), dict(rows=100001, length=200), dict(rows=1000001, length=500)],
       lambda rows, length:
       dict(grid=cover(rows, 128), block=128, arguments=dict(rows=rows, length=length),
            buffers=dict(values=buffer("u8", rows * length, "random", 0, 16),
                         commonest=s32(rows, "zero"))),
       "addresses of the local array on values")

# studies of shared memory and divergence
kernel("bank_conflict.cu", "bank_conflict", ["target"],
       [dict(blocks=3, stride=3, trips=20), dict(blocks=2000, stride=8, trips=100),
        dict(blocks=8000, stride=32, trips=200)],
       lambda blocks, stride, trips: dict(grid=blocks, block=256,
                                          arguments=dict(stride=stride, trips=trips),
                                          buffers=dict(target=f32(256 * blocks, "zero"))))
kernel("divergence.cu", "divergence", ["values"],
       [dict(n=1000, modulo=3, trips=10), dict(n=4 * M + 1, modulo=2, trips=50),
        dict(n=64 * M + 1, modulo=5, trips=100)],
       lambda n, modulo, trips: dict(grid=cover(n, 256), block=256,
                                     arguments=dict(n=n, modulo=modulo, trips=trips),
                                     buffers=dict(values=f32(n))))
kernel("divergence.cu", "divergence_trips", ["values"],
       [dict(n=1000, modulo=7), dict(n=16 * M + 1, modulo=100), dict(n=256 * M + 1, modulo=200)],
       lambda n, modulo: dict(grid=cover(n, 256), block=256, arguments=dict(n=n, modulo=modulo),
                              buffers=dict(values=f32(n))))
kernel("switch_by_thread.cu", "switch_by_thread", ["target"], copy_sizes,
       lambda n: dict(grid=cover(n, 256), block=256, arguments=dict(n=n),
                      buffers=dict(source=f32(n), target=f32(n, "zero"))))
kernel("nested_branches.cu", "nested_branches", ["target"],
       [dict(n=1000, mode=0, level=3), dict(n=32 * M + 5, mode=1, level=4),
        dict(n=512 * M + 5, mode=0, level=5)],
       lambda n, mode, level: dict(grid=cover(n, 256), block=256,
                                   arguments=dict(n=n, mode=mode, level=level),
                                   buffers=dict(source=f32(n), target=f32(n))))

# arithmetic
kernel("horner.cu", "horner", ["y"],
       [dict(n=1000, degree=10), dict(n=4 * M + 1, degree=100), dict(n=32 * M + 1, degree=300)],
       lambda n, degree: dict(grid=cover(n, 256), block=256, arguments=dict(n=n, degree=degree),
                              buffers=dict(x=f64(n), coefficients=f64(degree + 1),
                                           y=f64(n, "zero"))))
triad_sizes = [dict(n=1000), dict(n=16 * M + 5), dict(n=300 * M + 5)]
kernel("triad.cu", "triad", ["a"], triad_sizes,
       lambda n: dict(grid=cover(n, 256), block=256, arguments=dict(s=3.0, n=n),
                      buffers=dict(b=f64(n), c=f64(n), a=f64(n, "zero"))))
kernel("triad.cu", "triad_divide", ["a"], triad_sizes,
       lambda n: dict(grid=cover(n, 256), block=256, arguments=dict(n=n),
                      buffers=dict(b=f64(n), c=f64(n, low=0.5, high=2.0), a=f64(n, "zero"))))
kernel("special_functions.cu", "special_functions", ["values"],
       [dict(n=1000, trips=5), dict(n=4 * M + 1, trips=10), dict(n=64 * M + 1, trips=20)],
       lambda n, trips: dict(grid=cover(n, 256), block=256, arguments=dict(n=n, trips=trips),
                             buffers=dict(values=f32(n))),
       "branch: the slow reduction of large angles in sinf, and logf of an infinite or undefined "
       "number, on values (never taken)")
kernel("special_functions_fast.cu", "special_functions_fast", ["values"],
       [dict(n=1000, trips=5), dict(n=8 * M + 1, trips=20), dict(n=128 * M + 1, trips=40)],
       lambda n, trips: dict(grid=cover(n, 256), block=256, arguments=dict(n=n, trips=trips),
                             buffers=dict(values=f32(n))))
kernel("black_scholes.cu", "black_scholes", ["call", "put"],
       [dict(n=1000), dict(n=8 * M + 5), dict(n=256 * M + 5)],
       lambda n: dict(grid=cover(n, 256), block=256,
                      arguments=dict(rate=0.02, volatility=0.3, n=n),
                      buffers=dict(spot=f32(n, low=5.0, high=30.0),
                                   strike=f32(n, low=1.0, high=100.0),
                                   years=f32(n, low=0.25, high=10.0), call=f32(n, "zero"),
                                   put=f32(n, "zero"))),
       "branch: logf of an infinite or undefined number, on spot and strike (never taken)")
half_sizes = [dict(pairs=1000), dict(pairs=32 * M + 5), dict(pairs=768 * M + 5)]
for name, type in (("half_axpy", "f16"), ("bfloat_axpy", "bf16")):
    kernel("half_axpy.cu", name, ["y"], half_sizes,
           lambda pairs: dict(grid=cover(pairs, 256), block=256,
                              arguments=dict(a=1.5, pairs=pairs),
                              buffers=dict(x=buffer(type, 2 * pairs), y=buffer(type, 2 * pairs))))
kernel("dot_int8.cu", "dot_int8", ["products"],
       [dict(rows=300, words=25), dict(rows=500001, words=100), dict(rows=4000001, words=200)],
       lambda rows, words:
       dict(grid=cover(rows, 256), block=256, arguments=dict(rows=rows, words=words),
            buffers=dict(a=buffer("s8", 4 * rows * words, "random", -128, 128),
                         b=buffer("s8", 4 * rows * words, "random", -128, 128),
                         products=s32(rows, "zero"))))
kernel("lu4x4.cu", "lu4x4", ["matrices"], [dict(n=300), dict(n=2 * M + 1), dict(n=64 * M + 1)],
       lambda n: dict(grid=cover(n, 256), block=256, arguments=dict(shift=4.0, n=n),
                      buffers=dict(matrices=f32(16 * n))))
for name in ("relu", "gelu", "sigmoid"):
    kernel("activations.cu", name, ["values"],
           [dict(n=1000), dict(n=32 * M + 5), dict(n=1024 * M + 5)],
           lambda n: dict(grid=cover(n, 256), block=256, arguments=dict(n=n),
                          buffers=dict(values=f32(n, low=-3.0, high=3.0))))
kernel("device_call.cu", "device_call", ["target"],
       [dict(n=1000, steps=4), dict(n=4 * M + 1, steps=20), dict(n=64 * M + 1, steps=30)],
       lambda n, steps: dict(grid=cover(n, 256), block=256, arguments=dict(n=n, steps=steps),
                             buffers=dict(source=f32(n, low=0.5, high=8.0),
                                          target=f32(n, "zero"))))

# loops of other shapes
kernel("triangular.cu", "prefix_dot", ["y"], [dict(n=700), dict(n=20000), dict(n=150000)],
       lambda n: dict(grid=cover(n, 128), block=128, arguments=dict(n=n),
                      buffers=dict(a=f32(n), b=f32(n), y=f32(n, "zero"))))
kernel("triangular.cu", "packed_triangular", ["y"], [dict(n=700), dict(n=5000), dict(n=40000)],
       lambda n: dict(grid=cover(n, 128), block=128, arguments=dict(n=n),
                      buffers=dict(l=f32(n * (n + 1) // 2), x=f32(n), y=f32(n, "zero"))))
kernel("jacobi.cu", "jacobi", ["next"], [dict(n=100), dict(n=5001), dict(n=24001)],
       lambda n: dict(grid=[cover(n, 32), cover(n, 8)], block=[32, 8], arguments=dict(n=n),
                      buffers=dict(u=f32(n * n), right=f32(n * n, high=0.1),
                                   next=f32(n * n, "zero"))))
kernel("life.cu", "life", ["next"],
       [dict(width=100, height=75), dict(width=5000, height=4001),
        dict(width=20000, height=20001)],
       lambda width, height:
       dict(grid=[cover(width, 32), cover(height, 8)], block=[32, 8],
            arguments=dict(width=width, height=height),
            buffers=dict(cells=buffer("u8", width * height, "random", 0, 2),
                         next=buffer("u8", width * height, "zero"))))
kernel("gray.cu", "gray", ["grays"], [dict(n=1000), dict(n=48 * M + 5), dict(n=680 * M)],
       lambda n: dict(grid=cover(n, 256), block=256, arguments=dict(n=n),
                      buffers=dict(colours=buffer("u8", 3 * n, "random", 0, 256),
                                   grays=buffer("u8", n, "zero"))))
kernel("index64.cu", "index64", ["values"],
       [dict(width=100, height=75, pitch=128, grid=[2, 4]),
        dict(width=5000, height=5001, pitch=5120, grid=[40, 100]),
        dict(width=30000, height=60001, pitch=30016, grid=[100, 200])],
       lambda width, height, pitch, grid:
       dict(grid=grid, block=[32, 8],
            arguments=dict(width=width, height=height, pitch=pitch, factor=0.5),
            buffers=dict(values=f32(pitch * height))))
column_sizes = [dict(n=300, rows=20), dict(n=300001, rows=100), dict(n=2000001, rows=400)]
kernel("countdown.cu", "suffix_sums", ["sums"], column_sizes,
       lambda n, rows: dict(grid=cover(n, 256), block=256, arguments=dict(n=n, rows=rows),
                            buffers=dict(values=f32(n * rows), sums=f32(n * rows, "zero"))))
kernel("countdown.cu", "countdown_while", ["sums"],
       [dict(n=300, rows=20), dict(n=300001, rows=200), dict(n=2000001, rows=900)],
       lambda n, rows: dict(grid=cover(n, 256), block=256, arguments=dict(n=n, rows=rows),
                            buffers=dict(values=f32(n * rows), sums=f32(n, "zero"))))
kernel("step_loop.cu", "step_loop", ["sums"],
       [dict(rows=300, length=50, start=2, step=3), dict(rows=300001, length=500, start=1, step=4),
        dict(rows=2000001, length=900, start=0, step=1)],
       lambda rows, length, start, step:
       dict(grid=cover(rows, 256), block=256,
            arguments=dict(rows=rows, length=length, start=start, step=step),
            buffers=dict(values=f32(rows * length), sums=f32(rows, "zero"))))
kernel("grid_stride2d.cu", "grid_stride2d", ["target"],
       [dict(width=100, height=75, grid=[2, 3]), dict(width=5000, height=5001, grid=[33, 64]),
        dict(width=30000, height=30001, grid=[33, 64])],
       lambda width, height, grid:
       dict(grid=grid, block=[32, 8], arguments=dict(factor=0.25, width=width, height=height),
            buffers=dict(source=f32(width * height), target=f32(width * height))))
kernel("find_first.cu", "find_first", ["first"],
       [dict(n=300, rows=50), dict(n=500001, rows=200), dict(n=4000001, rows=400)],
       lambda n, rows: dict(grid=cover(n, 256), block=256,
                            arguments=dict(threshold=0.99, n=n, rows=rows),
                            buffers=dict(values=f32(n * rows), first=s32(n, "zero"))),
       "trip count on values")
kernel("thomas.cu", "thomas", ["values", "factors"],
       [dict(systems=300, rows=20), dict(systems=200001, rows=100),
        dict(systems=2000001, rows=400)],
       lambda systems, rows:
       dict(grid=cover(systems, 256), block=256,
            arguments=dict(diagonal=4.0, systems=systems, rows=rows),
            buffers=dict(values=f32(systems * rows), factors=f32(systems * rows, "zero"))))
kernel("cutoff_forces.cu", "cutoff_forces", ["forces"],
       [dict(n=1000, neighbours=10), dict(n=M + 1, neighbours=30),
        dict(n=8 * M + 1, neighbours=60)],
       lambda n, neighbours:
       dict(grid=cover(n, 256), block=256,
            arguments=dict(cutoff=2.5, n=n, neighbours=neighbours),
            buffers=dict(positions=f32(n, high=10.0), forces=f32(n, "zero"))),
       "branch around a pair's force on positions")

# images and layouts
kernel("upsample.cu", "upsample_nearest", ["target"],
       [dict(width=45, height=35, factor=3), dict(width=2000, height=1999, factor=3),
        dict(width=11000, height=11001, factor=3)],
       lambda width, height, factor:
       dict(grid=[cover(width * factor, 32), cover(height * factor, 8)], block=[32, 8],
            arguments=dict(width=width, height=height, factor=factor),
            buffers=dict(source=f32(width * height),
                         target=f32(width * height * factor * factor, "zero"))))
kernel("upsample.cu", "upsample_bilinear", ["target"],
       [dict(width=45, height=35, factor=3), dict(width=2000, height=1999, factor=3),
        dict(width=11000, height=11001, factor=3)],
       lambda width, height, factor:
       dict(grid=[cover(width * factor, 32), cover(height * factor, 8)], block=[32, 8],
            arguments=dict(width=width, height=height, factor=factor),
            buffers=dict(source=f32(width * height),
                         target=f32(width * height * factor * factor, "zero"))))
kernel("box_filter.cu", "box_filter", ["target"],
       [dict(width=100, height=75, radius=2), dict(width=3000, height=3001, radius=3),
        dict(width=10000, height=10001, radius=4)],
       lambda width, height, radius:
       dict(grid=[cover(width, 32), cover(height, 8)], block=[32, 8],
            arguments=dict(width=width, height=height, radius=radius),
            buffers=dict(source=f32(width * height), target=f32(width * height, "zero"))))
kernel("median_filter.cu", "median_filter", ["target"],
       [dict(width=100, height=75), dict(width=4000, height=4001),
        dict(width=24000, height=24001)],
       lambda width, height:
       dict(grid=[cover(width, 32), cover(height, 8)], block=[32, 8],
            arguments=dict(width=width, height=height),
            buffers=dict(source=f32(width * height), target=f32(width * height, "zero"))))
kernel("row_column_sums.cu", "row_sums", ["sums"],
       [dict(rows=300, columns=75), dict(rows=50000, columns=500),
        dict(rows=500000, columns=1000)],
       lambda rows, columns: dict(grid=cover(rows, 128), block=128,
                                  arguments=dict(rows=rows, columns=columns),
                                  buffers=dict(source=f32(rows * columns),
                                               sums=f32(rows, "zero"))))
kernel("row_column_sums.cu", "column_sums", ["sums"],
       [dict(rows=75, columns=300), dict(rows=500, columns=100001),
        dict(rows=3000, columns=500001)],
       lambda rows, columns: dict(grid=cover(columns, 128), block=128,
                                  arguments=dict(rows=rows, columns=columns),
                                  buffers=dict(source=f32(rows * columns),
                                               sums=f32(columns, "zero"))))
for name in ("tile_order", "morton_order"):
    kernel("bits.cu", name, ["target"],
           [dict(side_log2=6), dict(side_log2=13), dict(side_log2=14)],
           lambda side_log2:
           dict(grid=cover(1 << 2 * side_log2, 256), block=256,
                arguments=dict(side_log2=side_log2),
                buffers=dict(source=f32(1 << 2 * side_log2),
                             target=f32(1 << 2 * side_log2, "zero"))))
kernel("bits.cu", "count_bits", ["target"], copy_sizes,
       lambda n: dict(grid=cover(n, 256), block=256, arguments=dict(n=n),
                      buffers=dict(source=u32(n, "random", 0, 1 << 32), target=u32(n, "zero"))))
kernel("dynamic_shared.cu", "dynamic_shared", ["values"],
       [dict(n=1280, block=128), dict(n=32 * M, block=256), dict(n=1024 * M, block=256)],
       lambda n, block: dict(grid=n // block, block=block, shared=4 * block,
                             arguments=dict(n=n), buffers=dict(values=f32(n))))
for name in ("advance_structs", "advance_arrays"):
    kernel("array_of_structs.cu", name, ["particles"],
           [dict(n=1000), dict(n=8 * M + 5), dict(n=256 * M + 5)],
           lambda n: dict(grid=cover(n, 256), block=256, arguments=dict(time=0.01, n=n),
                          buffers=dict(particles=f32(7 * n))))
kernel("copy_async.cu", "copy_async", ["sums"],
       [dict(blocks=3, rows=9), dict(blocks=1056, rows=200), dict(blocks=8448, rows=400)],
       lambda blocks, rows: dict(grid=blocks, block=128, arguments=dict(rows=rows),
                                 buffers=dict(source=f32(512 * blocks * rows),
                                              sums=f32(512 * blocks, "zero"))))
kernel("permute3d.cu", "permute3d", ["target"],
       [dict(nx=50, ny=21, nz=13), dict(nx=200, ny=300, nz=250), dict(nx=802, ny=700, nz=600)],
       lambda nx, ny, nz: box(nx, ny, nz, dict(source=f32(nx * ny * nz),
                                               target=f32(nx * ny * nz, "zero"))))
kernel("max_pool.cu", "max_pool", ["target"],
       [dict(channels=3, width=25, height=13), dict(channels=64, width=500, height=301),
        dict(channels=256, width=1000, height=1001)],
       lambda channels, width, height:
       dict(grid=cover(channels * width * height, 256), block=256,
            arguments=dict(channels=channels, width=width, height=height),
            buffers=dict(source=f32(4 * channels * width * height),
                         target=f32(channels * width * height, "zero"))))
kernel("floyd_warshall.cu", "floyd_warshall", ["lengths"],
       [dict(n=100, via=37), dict(n=6001, via=100), dict(n=32001, via=1000)],
       lambda n, via: dict(grid=[cover(n, 32), cover(n, 8)], block=[32, 8],
                           arguments=dict(n=n, via=via), buffers=dict(lengths=f32(n * n))))

# atomics and warps
kernel("atomic_cas.cu", "atomic_cas", ["largest"],
       [dict(n=1000, slots=50), dict(n=32 * M + 1, slots=1 << 16),
        dict(n=512 * M + 1, slots=1 << 20)],
       lambda n, slots: dict(grid=cover(n, 256), block=256, arguments=dict(n=n, slots=slots),
                             buffers=dict(values=f32(n), largest=s32(slots, "zero"))),
       "trip count on values, on largest and on the order of threads")
kernel("compact.cu", "compact", ["target", "count"],
       [dict(n=1000), dict(n=8 * M + 5), dict(n=192 * M + 5)],
       lambda n: dict(grid=cover(n, 256), block=256, arguments=dict(threshold=0.7, n=n),
                      buffers=dict(source=f32(n), target=f32(n, "zero"),
                                   count=u32(1, "zero"))),
       "branches and addresses of target on source and on the order of warps")

# Other block shapes. A kernel allows them when its indices come from blockDim, what lies beyond its
# data is guarded (the grid below may cover a little more), and it shares nothing between the threads of
# a block; these do not:
fixed = """attention_scores attention_scores_causal bank_conflict checksum copy_async dynamic_shared
edit_distance histogram_shared layer_norm matmul_mma matmul_register4 matmul_register8 matmul_tiled
matmul_wmma nbody odd_even_sort reduce reduce_shuffle scan_block scan_shuffle softmax stencil2d_shared
transpose transpose_unpadded""".split()
lines = [[64, 1, 1], [128, 1, 1], [256, 1, 1], [512, 1, 1]]
planes = [[16, 16, 1], [64, 4, 1], [256, 1, 1], [32, 16, 1]]
boxes = [[64, 4, 1], [8, 8, 8], [16, 8, 2], [32, 4, 1]]


def shapes_of(launch):
    """The same launch in other blocks that together cover at least the threads of the first."""
    block, grid = launch["block"], launch["grid"]
    rank = 3 if block[2] > 1 else 2 if block[1] > 1 else 1
    for shape in (lines, planes, boxes)[rank - 1]:
        if shape == block or launch["kernel"] in fixed:
            continue
        again = dict(launch)
        again["grid"] = [cover(g * b, s) for g, b, s in zip(grid, block, shape)]
        again["block"] = shape
        again["shape"] = "x".join(map(str, shape))
        if max(again["grid"][1:]) <= 65535: # what a device takes
            yield again


shaped = [again for launch in launches if launch["size"] != "large" for again in shapes_of(launch)]

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
for name, rows in (("launches.json", launches), ("shapes.json", shaped)):
    with open(os.path.join(root, "kernels", name), "w") as out:
        out.write("[\n" + ",\n".join(json.dumps(launch) for launch in rows) + "\n]\n")
