"""Numba: kernels of @cuda.jit compiled without a GPU, their arrays from shapes and types, arguments by name.

    launch = forewarp.numba.launch(axpy, grid=4096, block=256, arguments={"a": 2.0, "x": x, "y": y})
    launch.predict("h200")

Tested with numba 0.68 and numba-cuda 0.30.  An array is one of NumPy, or forewarp.numba.Array(shape, dtype)."""
from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Tuple

from . import Context, Launch, default_context


@dataclass(frozen=True)
class Array:
    """Stands for an array on the device, C-contiguous."""

    shape: Tuple[int, ...]
    dtype: str = "float32"


def _parts(name: str, value: Any) -> Tuple[Any, Dict[str, int], int]:
    """Numba's type of an argument, the values of its parts, and how many parameters of the PTX it becomes.

    An array is meminfo, parent, number of elements, bytes of one, data, the shape and the strides in bytes."""
    import numpy
    from numba import from_dtype, types
    if isinstance(value, Array) or bool(getattr(value, "shape", ())):
        shape = tuple(int(one) for one in value.shape)
        kind = numpy.dtype(value.dtype)
        contiguous = [kind.itemsize] * len(shape)
        for axis in range(len(shape) - 2, -1, -1):
            contiguous[axis] = contiguous[axis + 1] * shape[axis + 1]
        strides = tuple(getattr(value, "strides", None) or contiguous)
        layout = "C" if list(strides) == contiguous else "F" if list(strides) == _column(shape, kind.itemsize) else "A"
        count = 1
        for one in shape:
            count *= one
        values = {f"{name}.nitems": count, f"{name}.itemsize": kind.itemsize,
                  **{f"{name}.shape[{axis}]": one for axis, one in enumerate(shape)},
                  **{f"{name}.strides[{axis}]": one for axis, one in enumerate(strides)}}
        return types.Array(from_dtype(kind), len(shape), layout), values, 5 + 2 * len(shape)
    if isinstance(value, bool):
        return types.boolean, {name: int(value)}, 1
    if isinstance(value, int):
        return types.int64, {name: value}, 1
    if isinstance(value, float):
        return types.float64, {name: value}, 1  # type: ignore[dict-item]
    if hasattr(value, "dtype"):
        return from_dtype(value.dtype), {name: value.item()}, 1
    raise TypeError(f"{name}: an argument of type {type(value).__name__} is not supported")


def _column(shape: Tuple[int, ...], size: int) -> List[int]:
    strides, step = [], size
    for one in shape:
        strides.append(step)
        step *= one
    return strides


def parameters(arguments: Mapping[str, Any]) -> Tuple[Tuple[Any, ...], Dict[int, Any], Dict[str, int]]:
    """Numba's signature, the values by position in the PTX, and the positions by name ("x.shape[0]")."""
    kinds, values, places, position = [], {}, {}, 0
    for name, value in arguments.items():
        kind, parts, width = _parts(name, value)
        kinds.append(kind)
        if width == 1:
            values[position], places[name] = parts[name], position
        else:
            dims = (width - 5) // 2
            names = ["meminfo", "parent", "nitems", "itemsize", "data", *[f"shape[{a}]" for a in range(dims)],
                     *[f"strides[{a}]" for a in range(dims)]]
            for offset, part in enumerate(names):
                places[f"{name}.{part}"] = position + offset
                if f"{name}.{part}" in parts:
                    values[position + offset] = parts[f"{name}.{part}"]
        position += width
    return tuple(kinds), values, places


def launch(kernel: Any, grid: Any, block: Any, arguments: Mapping[str, Any], shared: int = 0, device: Any = "h200",
           types: Optional[Mapping[str, Any]] = None, context: Optional[Context] = None, **options: Any) -> Launch:
    """Compiles a kernel for the arguments' types, and binds it.

    kernel: of @cuda.jit, or the function; arguments: by name; types: Numba's for some, instead of int64 and float64 for
    Python's numbers; options: of numba.cuda.compile_ptx (fastmath, opt, lineinfo).  Parts of arguments have names,
    `launch.set(arguments={"x.shape[0]": 5})`; `launch.places` has their positions in the PTX."""
    from numba import cuda
    context = context or default_context()
    function = getattr(kernel, "py_func", kernel)
    names = list(inspect.signature(function).parameters)
    if sorted(names) != sorted(arguments):
        raise TypeError(f"{function.__name__} takes {', '.join(names)}, not {', '.join(arguments)}")
    kinds, values, places = parameters({name: arguments[name] for name in names})
    kinds = tuple((types or {}).get(name, kind) for name, kind in zip(names, kinds))
    capability = context.device(device).capability or 90
    code, _ = cuda.compile_ptx(function, kinds, cc=(capability // 10, capability % 10), **options)
    program = context.parse(code, "ptx", name=f"{function.__name__}.ptx")
    own = [one for one in program if function.__name__ in one]
    made = program.kernel(own[0] if own else None).launch(grid=grid, block=block, shared=shared, arguments=values)
    made.places = places
    return made
