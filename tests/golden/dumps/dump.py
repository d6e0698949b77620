#!/usr/bin/env python3
"""Made the PTX beside it, as each package hands it out, without a GPU.  usage: dump.py numba|warp|cupy|pallas|triton FOLDER

numba   numba 0.68.1, numba-cuda 0.30.4: cuda.compile_ptx, what inspect_asm shows of a kernel
warp    warp-lang 1.19.0: wp.compile_aot_module(use_ptx=True), the same file as in Warp's cache, zero byte at its end included
cupy    cupy-cuda12x 14.2.0, nvidia-cuda-nvrtc-cu12, cuda-pathfinder: the runtime compiler as CuPy calls it (CUPY_COMPILE_WITH_PTX=1
        on a machine with a GPU), of a kernel with CuPy's own structures of arrays
pallas  jax 0.10.2, jaxlib 0.10.2: the Triton code that Pallas lowers to, as FOLDER/pallas-add.ttir
triton  triton 3.9.0: that code's PTX, by the same passes of Triton as XLA runs (XLA itself compiles for a GPU that is there)

Julia's samples are missing: its packages could not be had here."""
import os
import sys

folder = os.path.abspath(sys.argv[2])


def write(name, code):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(code if isinstance(code, bytes) else code.encode())


def axpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] += a * x[i]


def move(bodies, velocities, step):
    i = cuda.grid(1)
    if i < bodies.shape[0]:
        bodies[i].x += step * velocities[i, 0]
        bodies[i].y += step * velocities[i, 1]
        bodies[i].z += step * velocities[i, 2]


if sys.argv[1] == "numba":
    import numpy
    from numba import cuda, from_dtype, types
    vector = types.Array(types.float32, 1, "C")
    body = numpy.dtype([(name, numpy.float32) for name in ("x", "y", "z", "mass")], align=True)
    write("numba-axpy.ptx", cuda.compile_ptx(axpy, (types.float32, vector, vector), cc=(9, 0))[0])
    records, table = types.Array(from_dtype(body), 1, "C"), types.Array(types.float32, 2, "C")
    write("numba-move.ptx", cuda.compile_ptx(move, (records, table, types.float32), cc=(9, 0))[0])

if sys.argv[1] == "warp":
    import glob
    import tempfile
    import warp as wp

    @wp.kernel(enable_backward=False)
    def saxpy(x: wp.array(dtype=wp.float32), y: wp.array(dtype=wp.float32), a: wp.float32):
        i = wp.tid()
        y[i] = a * x[i] + y[i]

    with tempfile.TemporaryDirectory() as cache:
        wp.config.kernel_cache_dir = cache
        wp.init()
        wp.compile_aot_module(wp.get_module("__main__"), device=None, arch=90, module_dir=cache, use_ptx=True)
        (path,) = glob.glob(cache + "/*.ptx")
        write("warp-saxpy.ptx", open(path, "rb").read())

if sys.argv[1] == "cupy":
    import cupy
    import nvidia.cuda_runtime
    from cupy.cuda import compiler
    headers = cupy.__path__[0] + "/_core/include"
    source = """#include <cupy/carray.cuh>
extern "C" __global__ void scaled_sum(const CArray<float, 2, 1, 1> x, CArray<float, 2, 1, 1> y, float a, CIndexer<2, true> ind)
{
    CUPY_FOR(i, ind.size()) {
        ind.set(i);
        y[ind.get()] += a * x[ind.get()];
    }
}
"""
    parts = [headers, *(f"{headers}/cupy/_cccl/{name}" for name in ("libcudacxx", "cub", "thrust"))]
    parts.append(nvidia.cuda_runtime.__path__[0] + "/include")
    made = compiler._NVRTCProgram(source, "scaled_sum.cu").compile((*("-I" + part for part in parts), "--std=c++17", "-arch=compute_90"))
    write("cupy-scaled-sum.ptx", made[0] if isinstance(made, tuple) else made)

if sys.argv[1] == "pallas":
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import triton as pallas_triton
    from jaxlib.mlir import ir
    from jaxlib.triton import dialect

    def add_kernel(x_ref, y_ref, o_ref):
        o_ref[...] = x_ref[...] * 2.0 + y_ref[...]

    def add(x, y):
        block = pl.BlockSpec((1024,), lambda i: (i,))
        return pl.pallas_call(add_kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), grid=(x.shape[0] // 1024,),
                              in_specs=[block] * 2, out_specs=block, compiler_params=pallas_triton.CompilerParams(num_warps=4))(x, y)

    def texts(operation):
        for region in operation.regions:
            for block in region:
                for one in block:
                    if "custom_call" in one.operation.name:
                        yield one.attributes["mhlo.backend_config"]["ir"].value_bytes
                    yield from texts(one.operation)

    shape = jax.ShapeDtypeStruct((1 << 20,), jnp.float32)
    lowered = jax.jit(add).trace(shape, shape).lower(lowering_platforms=("cuda",)).compiler_ir("stablehlo")
    with ir.Context() as context:
        dialect.register_dialect(context)
        context.allow_unregistered_dialects = True
        write("pallas-add.ttir", str(ir.Module.parse(next(texts(lowered.operation)))))

if sys.argv[1] == "triton":
    import triton
    from triton.backends.compiler import GPUTarget
    os.chdir(folder)
    made = triton.compile("pallas-add.ttir", target=GPUTarget("cuda", 90, 32), options={"num_warps": 4})
    write("pallas-add.ptx", made.asm["ptx"])
