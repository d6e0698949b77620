#!/usr/bin/env python3
"""Makes loopy-kernels.json: kernels in the form of kernel-counts.json with the counts that Loopy makes of them.

usage: loopy_counts.py OUTPUT, where Loopy is installed (2025.2 made the committed file).  Loopy needs barvinok for symbolic
counts; here the parameters are fixed first, and sets without parameters are counted by isl."""
import json
import sys
import warnings

import islpy as isl
import loopy as lp
import numpy as np

warnings.simplefilter("ignore")


def card(self):
    space = self.space.params()
    value = self.project_out(isl.dim_type.param, 0, self.dim(isl.dim_type.param)) if self.dim(isl.dim_type.param) else self
    return isl.PwQPolynomial.from_qpolynomial(isl.QPolynomial.val_on_domain(space, value.count_val()))


isl.Set.card = card
isl.BasicSet.card = lambda self: isl.Set.from_basic_set(self).card()

NMB = "{[i,k,j]: 0<=i<n and 0<=k<m and 0<=j<ell}"
P3 = {"n": 512, "m": 256, "ell": 128}
IJ = "{[i,j]: 0<=i<n and 0<=j<m}"
P2 = {"n": 64, "m": 96}
T16 = [{"op": "split_iname", "iname": "i", "factor": 16, "outer_tag": "g.0", "inner_tag": "l.0"}]
T2D = [{"op": "split_iname", "iname": "i", "factor": 16, "outer_tag": "g.1", "inner_tag": "l.1"},
       {"op": "split_iname", "iname": "j", "factor": 16, "outer_tag": "g.0", "inner_tag": "l.0"}]


def split(iname, factor, outer=None, inner=None):
    row = {"op": "split_iname", "iname": iname, "factor": factor}
    if outer:
        row["outer_tag"] = outer
    if inner:
        row["inner_tag"] = inner
    return row


def tags(**given):
    return {"op": "tag_inames", "tags": {k: v.replace("_", ".") for k, v in given.items()}}


def case(id, feature, domain, instructions, dtypes, params, transforms=(), assumptions=None, subscripts=False,
         redundant=True, warp=32, temporaries=(), want=("ops", "mem")):
    return dict(id=id, feature=feature, domain=domain, instructions=instructions, dtypes=dtypes, params=params,
                transforms=list(transforms), assumptions=assumptions, subscripts=subscripts, redundant=redundant,
                warp=warp, temporaries=list(temporaries), want=want)


F = "float32"
D = "float64"
CASES = [
    case("strided_three", "stride 3 along the threads", "{[i]: 0<=i<n}", ["y[3*i+1] = 2*x[3*i] + x[3*i+2]"],
         {"x": F}, {"n": 1024}, T16),
    case("reversed", "negative stride", "{[i]: 0<=i<n}", ["y[i] = x[n-1-i]*x[i]"], {"x": D}, {"n": 256}, T16),
    case("transpose", "strides swapped", IJ, ["y[j,i] = x[i,j]"], {"x": F}, P2, T2D, "n mod 16 = 0 and m mod 16 = 0"),
    case("transpose_uneven", "sizes that do not divide", IJ, ["y[j,i] = x[i,j] + 1"], {"x": F}, {"n": 37, "m": 50}, T2D),
    case("triangle_seq", "triangular domain, one thread", "{[i,j]: 0<=i<n and 0<=j<=i}", ["y[i,j] = x[i]*x[j]"],
         {"x": D}, {"n": 100}),
    case("triangle_threads", "triangular domain on threads", "{[i,j]: 0<=i<n and 0<=j<=i}", ["y[i,j] = x[i]*x[j] - x[j]"],
         {"x": F}, {"n": 64}, [split("i", 16, "g.0", "l.0")]),
    case("two_domains", "an inner domain in the outer's loop", ["{[i]: 0<=i<n}", "[i] -> {[j]: 0<=j<i+1}"],
         ["y[i] = sum(j, x[i,j]*z[j])"], {"x": F, "z": F}, {"n": 80}, T16),
    case("sum_two_loops", "a sum over two loops", NMB, ["y[i] = sum((k,j), a[i,k]*b[k,j])"], {"a": F, "b": F}, {"n": 64, "m": 32, "ell": 16}, T16),
    case("sum_nested", "sums in sums", NMB, ["y[i] = sum(k, a[i,k]*sum(j, b[k,j]))"], {"a": D, "b": D}, {"n": 64, "m": 32, "ell": 16}),
    case("sum_of_sums", "two sums in one expression", "{[i,k,j]: 0<=i<n and 0<=k<m and 0<=j<ell}", ["y[i] = sum(k, a[i,k]) + 2*sum(j, b[i,j])"],
         {"a": F, "b": D}, {"n": 64, "m": 32, "ell": 16}),
    case("product_reduction", "a product", "{[i,k]: 0<=i<n and 0<=k<m}", ["y[i] = product(k, a[i,k] + 1)"], {"a": F}, P2, T16),
    case("max_reduction", "a maximum", "{[i,k]: 0<=i<n and 0<=k<m}", ["y[i] = reduce(max, [k], a[i,k]*a[i,k])"], {"a": D}, P2, T16),
    case("modulo_subscript", "a subscript modulo a number", "{[i]: 0<=i<n}", ["y[i] = x[i % 8]*2 + x[i]"], {"x": F}, {"n": 128}, subscripts=True),
    case("floor_subscript", "a subscript divided", "{[i]: 0<=i<n}", ["y[i] = x[i // 4] + 1"], {"x": F}, {"n": 128}, subscripts=True),
    case("integer_arithmetic", "integers of two widths", "{[i]: 0<=i<n}", ["y[i] = p[i]*3 + q[i]*p[i] - q[i]"],
         {"p": "int32", "q": "int64"}, {"n": 128}),
    case("int_division", "// and % of integers", "{[i]: 0<=i<n}", ["y[i] = (p[i] // 3) + (p[i] % 7)*2"], {"p": "int32"}, {"n": 128}),
    case("int_true_division", "/ of integers", "{[i]: 0<=i<n}", ["y[i] = p[i]/q[i]"], {"p": "int32", "q": "int32"}, {"n": 128}),
    case("bits", "bits of several types", "{[i]: 0<=i<n}", ["y[i] = (p[i] & 255) | (q[i] << 3) ^ (p[i] >> 1)"], {"p": "int32", "q": "int32"}, {"n": 128}),
    case("int64_bits", "bits of 64", "{[i]: 0<=i<n}", ["y[i] = (p[i] | q[i]) & (~p[i])"], {"p": "int64", "q": "int64"}, {"n": 128}),
    case("mixed_widths", "f32 with f64 and s32", "{[i]: 0<=i<n}", ["y[i] = a[i]*b[i] + a[i]*p[i] + b[i]*p[i]"],
         {"a": F, "b": D, "p": "int32"}, {"n": 128}),
    case("int16_mix", "s16, s8 and f32", "{[i]: 0<=i<n}", ["y[i] = h[i]*h[i] + g[i]*h[i]", "z[i] = a[i]*h[i] + a[i]*g[i]"],
         {"a": F, "h": "int16", "g": "int8"}, {"n": 128}),
    case("uint_mix", "unsigned with signed", "{[i]: 0<=i<n}", ["y[i] = u[i]*u[i] + u[i]*p[i]", "z[i] = v[i]*v[i] + v[i]*u[i]"],
         {"u": "uint32", "v": "uint64", "p": "int32"}, {"n": 128}),
    case("half", "f16", "{[i]: 0<=i<n}", ["y[i] = h[i]*h[i] + h[i]", "z[i] = h[i]*a[i]"], {"h": "float16", "a": F}, {"n": 128}),
    case("promotions", "NumPy's promotion", "{[i]: 0<=i<n}",
         ["y[i] = h[i]*s[i] + a[i]*q[i]", "z[i] = b[i]*c[i] - c[i]*w[i]", "v[i] = a[i]*u[i]", "t[i] = w[i]*s[i] + h[i]*c[i]", "r[i] = u[i] << q[i]"],
         {"h": "float16", "s": "int16", "a": F, "q": "int64", "b": "uint8", "c": "int8", "w": "uint16", "u": "uint32"}, {"n": 128}),
    case("constants", "numbers without a type", "{[i]: 0<=i<n}", ["y[i] = 2*a[i] + 1.5*a[i] + 3", "z[i] = 0.5*b[i] - 7"], {"a": F, "b": D}, {"n": 128}),
    case("powers", "powers", "{[i]: 0<=i<n}", ["y[i] = a[i]**2 + b[i]**3"], {"a": F, "b": D}, {"n": 128}),
    case("functions", "functions of two types", "{[i]: 0<=i<n}", ["y[i] = exp(a[i]) + sqrt(a[i])*sin(b[i])", "z[i] = rsqrt(a[i])"], {"a": F, "b": D}, {"n": 128}),
    case("choice", "a choice of values", "{[i]: 0<=i<n}", ["y[i] = if(i < 10, a[i]*2, a[i] + 1)"], {"a": F}, {"n": 128}),
    case("choice_data", "a choice by data", "{[i]: 0<=i<n}", ["y[i] = if(a[i] < 10, a[i]*2, b[i] + 1)"], {"a": F, "b": F}, {"n": 128}),
    case("min_max", "min and max as functions", "{[i]: 0<=i<n}", ["y[i] = fmin(a[i], b[i]) + fmax(a[i], 2.0)"], {"a": F, "b": F}, {"n": 128}),
    case("conditions", "comparisons and logic", "{[i]: 0<=i<n}", ["y[i] = if(a[i] < b[i] and not (a[i] > 3) or b[i] == 1, a[i], b[i])"], {"a": F, "b": F}, {"n": 128}),
    case("negation", "negation and subtraction", "{[i]: 0<=i<n}", ["y[i] = -a[i] - b[i] - (-b[i])*a[i]"], {"a": F, "b": F}, {"n": 128}),
    case("offset_domain", "a domain that begins at 5", "{[i]: 5<=i<n}", ["y[i-5] = a[i]*a[i-5]"], {"a": F}, {"n": 133}, T16),
    case("steps_of_three", "a domain with holes", "{[i]: 0<=i<n and i mod 3 = 0}", ["y[i] = a[i] + 1"], {"a": F}, {"n": 100}),
    case("diagonal_band", "a band", "{[i,j]: 0<=i,j<n and -2<=i-j<=2}", ["y[i,j] = a[i,j]*2 + b[j]"], {"a": D, "b": D}, {"n": 50}),
    case("several_statements", "statements with dependencies", "{[i]: 0<=i<n}",
         ["<> t = a[i]*2 {id=first}", "<> s = t + b[i] {id=second, dep=first}", "y[i] = s*t {dep=second}"], {"a": F, "b": F}, {"n": 128}, T16),
    case("typed_temporary", "a temporary of a stated type", "{[i]: 0<=i<n}", ["<float64> t = a[i]*2 {id=first}", "y[i] = t*t {dep=first}"],
         {"a": F}, {"n": 128}),
    case("two_loops", "statements in different loops", "{[i,j]: 0<=i<n and 0<=j<m}", ["y[i] = a[i]*2", "z[j] = b[j] + c[j]"], {"a": F, "b": F, "c": F}, P2),
    case("redundant", "work that does not depend on the threads", "{[i,j]: 0<=i<n and 0<=j<m}",
         ["y[i] = a[i]*2"], {"a": F}, {"n": 64, "m": 96}, [tags(i="g_0")]),
    case("uniform_load", "the same element for all threads", IJ, ["y[i,j] = a[i]*b[j]"], {"a": F, "b": F}, P2, T2D),
    case("block_of_65", "warps that are not full", "{[i]: 0<=i<n}", ["y[i] = a[i] + a[0]"], {"a": F}, {"n": 650}, [split("i", 65, "g.0", "l.0")]),
    case("block_of_8", "a block smaller than a warp", "{[i]: 0<=i<n}", ["y[i] = a[i]*a[i]"], {"a": F}, {"n": 640}, [split("i", 8, "g.0", "l.0")]),
    case("warp_of_64", "another warp size", "{[i]: 0<=i<n}", ["y[i] = a[i]*a[i] + a[0]"], {"a": F}, {"n": 640}, [split("i", 128, "g.0", "l.0")], warp=64),
    case("three_axes", "three axes of threads", "{[i,j,k]: 0<=i<n and 0<=j<m and 0<=k<ell}", ["y[i,j,k] = a[k,j,i]*2"], {"a": F},
         {"n": 32, "m": 16, "ell": 24}, [split("i", 4, "g.2", "l.2"), split("j", 4, "g.1", "l.1"), split("k", 8, "g.0", "l.0")]),
    case("stencil", "a stencil of five points", "{[i,j]: 0<=i,j<n}", ["y[i,j] = a[i,j+1] + a[i+1,j] + -4*a[i+1,j+1] + a[i+1,j+2] + a[i+2,j+1]"],
         {"a": F}, {"n": 64}, T2D),
    case("matmul_prefetch", "shared memory", "{[i,j,k]: 0<=i,j,k<n}", ["c[i,j] = sum(k, a[i,k]*b[k,j])"], {"a": F, "b": F}, {"n": 64},
         T2D + [split("k", 16), {"op": "add_prefetch", "var": "a", "sweep_inames": ["i_inner", "k_inner"]},
                {"op": "add_prefetch", "var": "b", "sweep_inames": ["k_inner", "j_inner"]}], "n mod 16 = 0 and n >= 16"),
    case("stencil_prefetch", "a prefetched stencil", "{[i,j]: 0<=i,j<n}", ["y[i,j] = a[i,j] + a[i+1,j] + a[i,j+1]"], {"a": F}, {"n": 64},
         T2D, "n mod 16 = 0"),
    case("matvec", "a matrix times a vector", "{[i,k]: 0<=i<n and 0<=k<m}", ["y[i] = sum(k, a[i,k]*x[k])"], {"a": D, "x": D}, {"n": 512, "m": 100},
         [split("i", 32, "g.0", "l.0")]),
    case("outer_product", "an outer product", IJ, ["y[i,j] = y[i,j] + a[i]*b[j]"], {"a": F, "b": F, "y": F}, P2, T2D),
    case("indirect", "a subscript that is loaded", "{[i]: 0<=i<n}", ["y[i] = a[p[i]]*2"], {"a": F, "p": "int32"}, {"n": 128}, subscripts=True),
    case("scaled_subscript", "arithmetic in subscripts", IJ, ["y[2*i+1, 3*j] = a[i+j, 2*(i+1)]"], {"a": F}, P2, subscripts=True),
    case("triple_product", "three factors, three types", "{[i]: 0<=i<n}", ["y[i] = a[i]*b[i]*p[i]"], {"a": F, "b": D, "p": "int64"}, {"n": 100}),
    case("unroll", "an unrolled loop", IJ, ["y[i,j] = a[i,j]*2"], {"a": F}, {"n": 64, "m": 4}, [split("i", 16, "g.0", "l.0"), tags(j="unr")]),
    case("scan_shape", "a loop in a loop's bound", "{[i,j]: 0<=i<n and i<=j<n}", ["y[i] = sum(j, a[j])"], {"a": F}, {"n": 64}),
    case("strided_domain_threads", "steps on the threads", "{[i,j]: 0<=i<n and 0<=j<16}", ["y[2*i, j] = a[2*i, j] + a[2*i+1, j]"], {"a": F}, {"n": 64},
         [split("i", 8, "g.0", "l.1"), tags(j="l_0")]),
    case("if_affine", "an if block", "{[i]: 0<=i<n}", ["if i < 10", "y[i] = a[i]*2", "end", "z[i] = a[i] + 1"], {"a": F}, {"n": 128}),
    case("tile_reversed", "a barrier", "{[g,i]: 0<=g<n and 0<=i<32}", ["tile[i] = a[g,i] {id=w}", "y[g,i] = tile[31-i] {dep=w}"],
         {"a": F}, {"n": 20}, [tags(g="g_0", i="l_0")], temporaries=[("tile", (32,))], want=("ops", "mem", "sync")),
    case("tile_own", "no barrier: each thread its own element", "{[g,i]: 0<=g<n and 0<=i<32}",
         ["tile[i] = a[g,i] {id=w}", "y[g,i] = tile[i]*2 {dep=w}"], {"a": F}, {"n": 20}, [tags(g="g_0", i="l_0")],
         temporaries=[("tile", (32,))], want=("ops", "mem")),
    case("tile_in_loop", "barriers in a loop", "{[g,k,i]: 0<=g<n and 0<=k<m and 0<=i<32}",
         ["tile[i] = a[g,k,i] {id=w}", "y[g,k,i] = tile[31-i]*2 {dep=w}"], {"a": D}, {"n": 20, "m": 7},
         [tags(g="g_0", i="l_0")], temporaries=[("tile", (32,))], want=("ops", "mem", "sync")),
    case("two_tiles", "two shared arrays, one after the other", "{[g,i]: 0<=g<n and 0<=i<16}",
         ["tile[i] = a[g,i] {id=w}", "next[i] = tile[15-i] + 1 {id=x, dep=w}", "y[g,i] = next[15-i] {dep=x}"], {"a": F},
         {"n": 20}, [tags(g="g_0", i="l_0")], temporaries=[("tile", (16,)), ("next", (16,))], want=("ops", "mem", "sync")),
    case("footprint_overlap", "loads that overlap", "{[i]: 0<=i<n}", ["y[i] = a[i] + a[i+1] + a[i+5]"], {"a": F}, {"n": 100}, want=("ops", "footprints")),
    case("footprint_strided", "holes", "{[i,j]: 0<=i<n and 0<=j<m}", ["y[3*i,j] = a[2*i,j] + a[2*i,0]"], {"a": F}, P2, want=("ops", "footprints")),
    case("footprint_triangle", "a triangle's", "{[i,j]: 0<=i<n and 0<=j<=i}", ["y[i,j] = a[i+j] + b[i-j]"], {"a": F, "b": F}, {"n": 40}, want=("ops", "footprints")),
    case("footprint_modulo", "a subscript modulo", "{[i]: 0<=i<n}", ["y[i] = a[i % 8] + a[2*(i//4)]"], {"a": F}, {"n": 100}, want=("ops", "footprints")),
    case("footprint_matmul", "a product's", "{[i,j,k]: 0<=i,j,k<n}", ["c[i,j] = sum(k, a[i,k]*b[k,j])"], {"a": F, "b": F}, {"n": 48}, T2D, want=("ops", "footprints")),
    case("scalar_argument", "a scalar argument", "{[i]: 0<=i<n}", ["y[i] = alpha*a[i] + beta"], {"a": F, "alpha": F, "beta": D}, {"n": 128}),
]


def build(c):
    lines = "\n".join(c["instructions"]) + "\n"
    assumptions = c["assumptions"]
    kwargs = {"assumptions": assumptions} if assumptions else {}
    data = [lp.TemporaryVariable(name, shape=shape) for name, shape in c["temporaries"]] + ["..."]
    knl = lp.make_kernel(c["domain"], lines, data, target=lp.OpenCLTarget(), lang_version=(2018, 2), **kwargs)
    declared = {n: np.dtype(t).type for names, t in c["dtypes"].items() for n in names.split(",")}
    knl = lp.add_and_infer_dtypes(knl, declared)
    for t in c["transforms"]:
        if t["op"] == "split_iname":
            knl = lp.split_iname(knl, t["iname"], t["factor"], outer_tag=t.get("outer_tag"), inner_tag=t.get("inner_tag"))
        elif t["op"] == "tag_inames":
            knl = lp.tag_inames(knl, t["tags"])
        else:
            knl = lp.add_prefetch(knl, t["var"], t["sweep_inames"], default_tag="l.auto", fetch_outer_inames=None)
    knl = lp.fix_parameters(knl, **c["params"])
    return knl


def number(value):
    value = value.eval_with_dict({})
    return int(value)


def strides(given):
    return {str(axis): str(stride) for axis, stride in sorted(given.items())}


def expected(c):
    knl = build(c)
    redundant = c["redundant"]
    found = {}
    ops = lp.get_op_map(knl, subgroup_size=c["warp"], count_redundant_work=redundant, count_within_subscripts=c["subscripts"])
    rows = []
    for key, value in ops.items():
        name = key.name
        rows.append({"dtype": str(key.dtype.numpy_dtype), "name": name, "granularity": key.count_granularity.split(".")[-1].lower(), "value": number(value)})
    found["ops"] = sorted(rows, key=lambda r: (r["dtype"], r["name"]))
    mem = lp.get_mem_access_map(knl, subgroup_size=c["warp"], count_redundant_work=redundant)
    rows = []
    for key, value in mem.items():
        rows.append({"space": key.mtype, "dtype": str(key.dtype.numpy_dtype), "direction": key.direction, "variable": key.variable,
                     "lid_strides": strides(key.lid_strides), "gid_strides": strides(key.gid_strides),
                     "granularity": key.count_granularity.split(".")[-1].lower(), "value": number(value)})
    found["mem"] = sorted(rows, key=lambda r: (r["variable"], r["direction"], str(r["lid_strides"])))
    if "mem" not in c["want"]:
        del found["mem"]
    if "sync" in c["want"]:
        found["sync"] = [{"kind": key.kind, "value": number(value)} for key, value in lp.get_synchronization_map(knl, subgroup_size=c["warp"]).items()]
    if "footprints" in c["want"]:
        found["footprints"] = [{"variable": name, "direction": direction, "value": touched.count_val().to_python()}
                               for (name, direction), touched in sorted(lp.gather_access_footprints(knl).items())]
    return found


def main():
    made = []
    for c in CASES:
        try:
            found = expected(c)
        except Exception as why:
            print(c["id"], "FAILED", type(why).__name__, str(why)[:300])
            continue
        row = {"id": c["id"], "feature": c["feature"], "kernel": {"domain": c["domain"], "instructions": c["instructions"]},
               "dtypes": c["dtypes"], "transforms": c["transforms"], "params": c["params"],
               "call": {"subgroup_size": c["warp"], "count_redundant_work": c["redundant"], "count_within_subscripts": c["subscripts"]},
               "expected": found}
        if c["temporaries"]:
            row["kernel"]["temporaries"] = [{"name": name, "shape": list(shape)} for name, shape in c["temporaries"]]
        if c["assumptions"]:
            row["kernel"]["assumptions"] = c["assumptions"]
        made.append(row)
    top = {"source": f"written for forewarp; counts by Loopy {lp.version.VERSION_TEXT}, parameters fixed, through loopy_counts.py", "cases": made}
    with open(sys.argv[1], "w") as out:
        json.dump(top, out, indent=1)
        out.write("\n")
    print(len(made), "of", len(CASES))


main()
