#!/usr/bin/env python3
"""Writes kernels/launches.json: every example kernel's launches at three sizes, one a line.

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
                   dict(width=24000, height=23990)]


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
kernel("nbody.cu", "nbody", ["accelerations"], [dict(n=300), dict(n=34000), dict(n=140000)],
       lambda n: dict(grid=cover(n, 256), block=256, arguments=dict(softening=0.01, n=n),
                      buffers=dict(bodies=f32(4 * n), accelerations=f32(4 * n, "zero"))))

# convolution in one dimension
kernel("conv1d.cu", "conv1d", ["target"], [dict(n=1000), dict(n=32 * M + 5), dict(n=512 * M + 5)],
       lambda n: dict(grid=cover(n, 256), block=256, arguments=dict(n=n),
                      buffers=dict(source=f32(n), weights=f32(9), target=f32(n, "zero"))))

# scans
kernel("scan_block.cu", "scan_block", ["target", "totals"],
       [dict(n=1000, block=128), dict(n=16 * M + 5, block=256), dict(n=256 * M + 5, block=512)],
       lambda n, block: dict(grid=cover(n, block), block=block, arguments=dict(n=n),
                             buffers=dict(source=f32(n), target=f32(n, "zero"),
                                          totals=f32(cover(n, block), "zero"))))

# more kernels above this line

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
with open(os.path.join(root, "kernels", "launches.json"), "w") as out:
    out.write("[\n" + ",\n".join(json.dumps(launch) for launch in launches) + "\n]\n")
