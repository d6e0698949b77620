"""pystencils: assignments as address expressions, with sizes that may stay symbols, and generated code.

    kernel = forewarp.parse(forewarp.pystencils.addresses(assignments, block=(32, 4, 8), registers=32)).kernel()

Tested with pystencils 2.0."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence

from . import Context, Program, default_context

TIMES = {"adds": "add", "muls": "mul", "divs": "div", "sqrts": "sqrt"}


def addresses(assignments: Any, block: Sequence[int] = (32, 4, 8), registers: int = 0,
              sizes: Optional[Mapping[str, int]] = None, name: str = "kernel") -> Dict[str, Any]:
    """A kernel as `forewarp.parse` takes it (docs/traffic-json.md).

    Fields have numbers for sizes, or symbols, which become sizes of the kernel by their names: `sizes` has their values,
    which `launch(arguments={...})` and rankings change.  Layers of ghost cells are as wide as the furthest access."""
    import pystencils as ps
    lines = list(assignments.all_assignments if hasattr(assignments, "all_assignments") else assignments)
    collection = ps.AssignmentCollection(lines)
    loads = {access for line in lines for access in line.rhs.atoms(ps.Field.Access)}
    stores = {line.lhs for line in lines if isinstance(line.lhs, ps.Field.Access)}
    if not stores:
        raise ValueError("no assignment stores to a field")
    fields = {access.field for access in loads | stores}
    some = sorted(stores, key=str)[0].field
    width = max(abs(int(offset)) for access in loads | stores for offset in access.offsets)
    axes = [axis for axis in reversed(some.layout) if axis < some.spatial_dimensions]  # the one along memory first
    symbols = sorted({str(symbol) for field in fields for one in (*field.shape, *field.strides)
                      for symbol in getattr(one, "free_symbols", ())})
    missing = [symbol for symbol in symbols if symbol not in (sizes or {})]
    if missing:
        raise ValueError(f"sizes lacks {', '.join(missing)}")

    def place(access: Any) -> str:
        own = access.field
        terms = [f"({own.strides[axis]})*({letter} + {int(access.offsets[axis]) + width})" for axis, letter in zip(axes, "xyz")]
        terms += [f"({stride})*({index})" for stride, index in zip(own.strides[own.spatial_dimensions:], access.index)]
        return f"{own.name}[{' + '.join(terms)}]"

    made: Dict[str, Any] = {
        "forewarp_kernel": 1, "name": name, "domain": [f"{some.shape[axis]} - {2 * width}" for axis in axes],
        "block": list(block[:len(axes)]),
        "fields": {own.name: {"bytes": own.itemsize if hasattr(own, "itemsize") else own.dtype.itemsize,
                              **({} if symbols else {"shape": [int(max(s * n for s, n in zip(own.strides, own.shape)))]})}
                   for own in sorted(fields, key=str)},
        "loads": sorted(map(place, loads)), "stores": sorted(map(place, stores)),
        "operations": {f"f{8 * (some.itemsize if hasattr(some, 'itemsize') else some.dtype.itemsize)}": {
            TIMES[key]: count for key, count in collection.operation_count.items() if count and key in TIMES}}}
    if registers:
        made["registers"] = registers
    if symbols:
        made["sizes"] = {symbol: int((sizes or {})[symbol]) for symbol in symbols}
    return made


def code(assignments: Any, **config: Any) -> str:
    """The CUDA C++ that pystencils generates, as a text that a compiler takes by itself.  config: of CreateKernelConfig."""
    import pystencils as ps
    kernel = ps.create_kernel(assignments, ps.CreateKernelConfig(target=ps.Target.CUDA, **config))
    text = ps.get_code_str(kernel)
    headers = "#include <stdint.h>\n#define RESTRICT __restrict__\n#define FUNC_PREFIX extern \"C\" __global__\n"
    if "__global__" not in text and "FUNC_PREFIX" not in text:
        text = text.replace("void ", 'extern "C" __global__ void ', 1)
    elif 'extern "C"' not in text:
        text = text.replace("__global__", 'extern "C" __global__', 1)
    return headers + text


def compile(assignments: Any, device: Any = "h200", context: Optional[Context] = None, **config: Any) -> Program:
    """The generated code, compiled."""
    return (context or default_context()).parse(code(assignments, **config), "cuda", name="pystencils.cu", device=device)


__all__: List[str] = ["addresses", "code", "compile"]
