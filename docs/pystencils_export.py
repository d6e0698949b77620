"""pystencils' assignments as address expressions for forewarp -x json (docs/traffic-json.md).  Fields have numbers for sizes."""
import pystencils as ps


def forewarp_kernel(assignments, block=(32, 4, 8), registers=0):
    collection = ps.AssignmentCollection(list(assignments))
    loads = {access for line in collection for access in line.rhs.atoms(ps.Field.Access)}
    stores = {line.lhs for line in collection if isinstance(line.lhs, ps.Field.Access)}
    fields = {access.field for access in loads | stores}
    some, width = next(iter(stores)).field, max(abs(int(o)) for access in loads | stores for o in access.offsets)
    axes = [d for d in reversed(some.layout) if d < some.spatial_dimensions]  # the one along memory first

    def place(access):
        terms = [f"{access.field.strides[d]}*({c} + {access.offsets[d] + width})" for c, d in zip("xyz", axes)]
        terms += [str(s * i) for s, i in zip(access.field.strides[len(axes):], access.index)]
        return f"{access.field.name}[{' + '.join(terms)}]"
    times = {"adds": "add", "muls": "mul", "divs": "div", "sqrts": "sqrt"}
    return {"forewarp_kernel": 1, "domain": [int(some.shape[d]) - 2 * width for d in axes], "block": block[:len(axes)],
            "fields": {f.name: {"bytes": f.itemsize, "shape": [int(max(s * n for s, n in zip(f.strides, f.shape)))]}
                       for f in sorted(fields, key=str)}, "loads": sorted(map(place, loads)), "stores": sorted(map(place, stores)),
            "operations": {f"f{8 * some.itemsize}": {times[k]: n for k, n in collection.operation_count.items() if n and k in times}},
            "registers": registers}
