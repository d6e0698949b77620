"""What each example kernel computes, written again with NumPy, for scripts/check-kernel-results.

A reference takes the launch's arguments `a` (scalars by name), its buffers `b` (arrays by name, as
filled) and the launch itself, and returns its outputs by name. Sums are in double precision.
"""
import math
import zlib

import numpy as np

references = {}


def reference(name):
    def keep(function):
        references[name] = function
        return function
    return keep


def f8(array):
    return array.astype(np.float64)


def blocks_of(values, size, count, fill=0):
    padded = np.full(size * count, fill, dtype=values.dtype)
    padded[:len(values)] = values[:size * count]
    return padded.reshape(count, size)


# copies and layouts

def copied(a, b, l):
    return {"target": b["source"]}


references["copy"] = copied


@reference("copy_vector4")
def _(a, b, l):
    target = b["target"].copy()
    count = a["n"] // 4 * 4
    target[:count] = b["source"][:count]
    return {"target": target}


@reference("copy_strided")
def _(a, b, l):
    target = b["target"].copy()
    target[::a["stride"]] = b["source"][::a["stride"]]
    return {"target": target}


@reference("copy_offset")
def _(a, b, l):
    target = b["target"].copy()
    count = a["n"] - a["offset"]
    target[:count] = b["source"][a["offset"]:]
    return {"target": target}


def transposed(a, b, l):
    return {"target": b["source"].reshape(a["height"], a["width"]).T.ravel()}


for name in ("transpose", "transpose_unpadded", "transpose_naive"):
    references[name] = transposed


@reference("permute3d")
def _(a, b, l):
    return {"target": b["source"].reshape(a["nz"], a["ny"], a["nx"]).transpose(2, 0, 1).ravel()}


@reference("dynamic_shared")
def _(a, b, l):
    return {"values": b["values"].reshape(-1, l["block"][0])[:, ::-1].ravel()}


@reference("tile_order")
def _(a, b, l):
    side = 1 << a["side_log2"]
    return {"target": b["source"].reshape(side // 32, 32, side // 32, 32).swapaxes(1, 2).ravel()}


@reference("morton_order")
def _(a, b, l):
    bits = a["side_log2"]
    y, x = np.divmod(np.arange(1 << 2 * bits), 1 << bits)
    place = sum((x >> k & 1) << 2 * k | (y >> k & 1) << 2 * k + 1 for k in range(bits))
    target = np.empty_like(b["source"])
    target[place] = b["source"]
    return {"target": target}


@reference("count_bits")
def _(a, b, l):
    return {"target": np.array([bin(v).count("1") for v in b["source"].tolist()], np.uint32)}


# element by element

@reference("saxpy")
def _(a, b, l):
    return {"y": a["a"] * f8(b["x"]) + b["y"]}


def axpy(a, b, l):
    return {"y": 1.5 * f8(b["x"]) + f8(b["y"])}


references["half_axpy"] = references["bfloat_axpy"] = axpy


@reference("triad")
def _(a, b, l):
    return {"a": b["b"] + a["s"] * b["c"]}


@reference("triad_divide")
def _(a, b, l):
    return {"a": b["b"] / b["c"]}


@reference("horner")
def _(a, b, l):
    return {"y": np.polyval(b["coefficients"], b["x"])}


def special(a, b, l):
    v = f8(b["values"])
    for _ in range(a["trips"]):
        v = np.log(1 + np.exp(-np.sin(v))) / np.sqrt(1 + v * v)
    return {"values": v}


references["special_functions"] = references["special_functions_fast"] = special


@reference("black_scholes")
def _(a, b, l):
    def cdf(x):
        return np.array([0.5 * math.erfc(-v / math.sqrt(2)) for v in x])
    spot, strike, years = f8(b["spot"]), f8(b["strike"]), f8(b["years"])
    spread = a["volatility"] * np.sqrt(years)
    d1 = (np.log(spot / strike) + (a["rate"] + a["volatility"] ** 2 / 2) * years) / spread
    discounted = strike * np.exp(-a["rate"] * years)
    return {"call": spot * cdf(d1) - discounted * cdf(d1 - spread),
            "put": discounted * cdf(spread - d1) - spot * cdf(-d1)}


@reference("relu")
def _(a, b, l):
    return {"values": np.maximum(b["values"], 0)}


@reference("gelu")
def _(a, b, l):
    x = f8(b["values"])
    return {"values": 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))}


@reference("sigmoid")
def _(a, b, l):
    return {"values": 1 / (1 + np.exp(-f8(b["values"])))}


@reference("device_call")
def _(a, b, l):
    v, root = f8(b["source"]), 1.0
    for _ in range(a["steps"]):
        root = root - (root ** 3 - v) / (3 * root ** 2)
    return {"target": root}


@reference("hash")
def _(a, b, l):
    mask = 0xffffffff
    key, state = b["source"].astype(np.uint64), np.full(a["n"], 0x9747b28c, np.uint64)
    for _ in range(a["rounds"]):
        key = key * 0xcc9e2d51 & mask
        key = (key << np.uint64(15) | key >> np.uint64(17)) & mask
        state ^= key * 0x1b873593 & mask
        state = ((state << np.uint64(13) | state >> np.uint64(19)) * 5 + 0xe6546b64) & mask
        state = state & mask
    state ^= state >> np.uint64(16)
    state = state * 0x85ebca6b & mask
    state ^= state >> np.uint64(13)
    return {"target": state.astype(np.uint32)}


@reference("gray")
def _(a, b, l):
    c = b["colours"].reshape(-1, 3).astype(np.int32)
    return {"grays": ((77 * c[:, 0] + 150 * c[:, 1] + 29 * c[:, 2]) >> 8).astype(np.uint8)}


@reference("index64")
def _(a, b, l):
    v = b["values"].reshape(a["height"], a["pitch"]).copy()
    v[:, :a["width"]] *= np.float32(a["factor"])
    return {"values": v.ravel()}


@reference("grid_stride2d")
def _(a, b, l):
    return {"target": f8(b["target"]) + a["factor"] * f8(b["source"])}


@reference("advance_structs")
def _(a, b, l):
    p = f8(b["particles"]).reshape(-1, 7)
    p[:, :3] += a["time"] * p[:, 3:6]
    return {"particles": p.ravel()}


@reference("advance_arrays")
def _(a, b, l):
    p = f8(b["particles"]).reshape(7, -1)
    p[:3] += a["time"] * p[3:6]
    return {"particles": p.ravel()}


@reference("lu4x4")
def _(a, b, l):
    m = np.moveaxis(f8(b["matrices"]).reshape(4, 4, -1), 2, 0) + a["shift"] * np.eye(4)
    for k in range(3):
        m[:, k + 1:, k] /= m[:, k:k + 1, k]
        m[:, k + 1:, k + 1:] -= m[:, k + 1:, k:k + 1] * m[:, k:k + 1, k + 1:]
    return {"matrices": np.moveaxis(m, 0, 2).ravel()}


# studies

def affine(v, trips):
    for _ in range(trips):
        v = v * 0.99 + 0.5
    return v


@reference("divergence")
def _(a, b, l):
    v = f8(b["values"])
    other = v.copy()
    for _ in range(a["trips"]):
        other = np.sqrt(other + 1)
    thread = np.arange(a["n"]) % l["block"][0]
    return {"values": np.where(thread % a["modulo"] == 0, affine(v, a["trips"]), other)}


@reference("divergence_trips")
def _(a, b, l):
    trips = np.arange(a["n"]) % l["block"][0] % a["modulo"]
    return {"values": np.array([affine(v, t) for v, t in zip(f8(b["values"]), trips)])}


@reference("switch_by_thread")
def _(a, b, l):
    v = f8(b["source"])
    square = v.copy()
    for _ in range(10):
        square = square * square + 0.1
    return {"target": np.choose(np.arange(a["n"]) % 6,
                                [v + 1, np.sqrt(v), square, 1 / (v + 1),
                                 np.maximum(v, 0.5) - np.roll(v, 1), -v])}


@reference("nested_branches")
def _(a, b, l):
    v, t = f8(b["source"]), f8(b["target"])
    if a["mode"] == 0:
        v = v + 2
        if a["level"] == 1:
            v = v - t
        for _ in range(a["level"] if a["level"] > 1 else 0):
            v = np.sqrt(v) + t
    elif a["mode"] == 1:
        v = v * 3
        for _ in range(a["level"] if a["level"] > 1 else 0):
            v = v * 0.5 + 1
    return {"target": v}


@reference("bank_conflict")
def _(a, b, l):
    tid = np.arange(l["block"][0])
    sums = sum((tid * a["stride"] + j) & 4095 for j in range(a["trips"]))
    return {"target": np.tile(f8(sums), l["grid"][0])}


# reductions and scans

@reference("reduce")
def _(a, b, l):
    return {"partials": blocks_of(f8(b["source"]), l["block"][0], l["grid"][0]).sum(1)}


@reference("reduce_shuffle")
def _(a, b, l):
    block, grid = l["block"][0], l["grid"][0]
    owner = np.arange(a["n"]) // block % grid
    return {"partials": np.bincount(owner, f8(b["source"]), grid)}


@reference("reduce_atomic")
def _(a, b, l):
    return {"sum": b["sum"] + b["source"].sum(dtype=np.int32)}


@reference("scan_block")
def _(a, b, l):
    sums = blocks_of(f8(b["source"]), l["block"][0], l["grid"][0]).cumsum(1)
    return {"target": sums.ravel()[:a["n"]], "totals": sums[:, -1]}


@reference("scan_shuffle")
def _(a, b, l):
    sums = blocks_of(f8(b["source"]), l["block"][0], l["grid"][0]).cumsum(1)
    return {"target": sums.ravel()[:a["n"]]}


def histogram(a, b, l):
    return {"counts": (b["counts"] + np.bincount(b["source"], minlength=256)).astype(np.uint32)}


references["histogram_global"] = references["histogram_shared"] = histogram


@reference("copy_async")
def _(a, b, l):
    return {"sums": f8(b["source"]).reshape(-1, a["rows"], 512).sum(1).ravel()}


@reference("atomic_cas")
def _(a, b, l):
    largest = b["largest"].view(np.float32).copy()
    np.maximum.at(largest, np.arange(a["n"]) % a["slots"], np.abs(b["values"]))
    return {"largest": largest.view(np.int32)}


@reference("compact")
def _(a, b, l):
    kept = b["source"][b["source"] > np.float32(a["threshold"])]
    target = b["target"].copy()
    target[:len(kept)] = np.sort(kept)
    return {"target": target, "count": b["count"] + np.uint32(len(kept))}


# matrix products

def product(a, b, l):
    return {"c": (f8(b["a"]).reshape(a["m"], a["k"]) @ f8(b["b"]).reshape(a["k"], a["n"])).ravel()}


for name in ("matmul_naive", "matmul_tiled", "matmul_register4", "matmul_register8", "matmul_wmma"):
    references[name] = product


@reference("matmul_mma")
def _(a, b, l):
    left, right = f8(b["a"]).reshape(a["m"], a["k"]), f8(b["b"]).reshape(a["n"], a["k"])
    return {"c": (left @ right.T).ravel()}


@reference("matmul_batched")
def _(a, b, l):
    n = a["n"]
    return {"c": (f8(b["a"]).reshape(-1, n, n) @ f8(b["b"]).reshape(-1, n, n)).ravel()}


@reference("matvec")
def _(a, b, l):
    return {"y": f8(b["a"]).reshape(a["m"], a["n"]) @ b["x"]}


@reference("matvec_transposed")
def _(a, b, l):
    return {"y": f8(b["a"]).reshape(a["m"], a["n"]).T @ b["x"]}


@reference("row_sums")
def _(a, b, l):
    return {"sums": f8(b["source"]).reshape(a["rows"], a["columns"]).sum(1)}


@reference("column_sums")
def _(a, b, l):
    return {"sums": f8(b["source"]).reshape(a["rows"], a["columns"]).sum(0)}


@reference("dot_int8")
def _(a, b, l):
    x, y = (b[k].astype(np.int32).reshape(a["words"], a["rows"], 4) for k in "ab")
    return {"products": (x * y).sum((0, 2)).astype(np.int32)}


def scores(a, b, l, causal):
    shape = (-1, a["tokens"], a["width"])
    s = a["scale"] * f8(b["queries"]).reshape(shape) @ f8(b["keys"]).reshape(shape).swapaxes(1, 2)
    if causal:
        s = np.where(np.tri(a["tokens"], dtype=bool), s, -1e30)
    return {"scores": s.ravel()}


references["attention_scores"] = lambda a, b, l: scores(a, b, l, False)
references["attention_scores_causal"] = lambda a, b, l: scores(a, b, l, True)


@reference("softmax")
def _(a, b, l):
    s = f8(b["source"]).reshape(-1, a["columns"])
    e = np.exp(s - s.max(1, keepdims=True))
    return {"target": (e / e.sum(1, keepdims=True)).ravel()}


@reference("layer_norm")
def _(a, b, l):
    s = f8(b["source"]).reshape(-1, a["columns"])
    normal = (s - s.mean(1, keepdims=True)) / np.sqrt(s.var(1, keepdims=True) + a["epsilon"])
    return {"target": (normal * b["scale"] + b["shift"]).ravel()}


@reference("prefix_dot")
def _(a, b, l):
    return {"y": np.cumsum(f8(b["a"]) * b["b"])}


@reference("packed_triangular")
def _(a, b, l):
    full = np.zeros((a["n"], a["n"]))
    full[np.tril_indices(a["n"])] = b["l"]
    return {"y": full @ b["x"]}


# stencils and images

def inner(old, new, edge, step):
    """step takes a function from offsets (fastest axis first) to the shifted inner points."""
    target = f8(new)

    def shifted(*offsets):
        window = []
        for offset, extent in zip(offsets[::-1], old.shape):
            window.append(slice(edge + offset, extent - edge + offset))
        return f8(old)[tuple(window)]
    target[tuple(slice(edge, extent - edge) for extent in old.shape)] = step(shifted)
    return target.ravel()


def plane(a, b, old="u", new="next"):
    return b[old].reshape(a["ny"], a["nx"]), b[new].reshape(a["ny"], a["nx"])


def near(u):
    return u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)


def five(a, b, l):
    return {"next": inner(*plane(a, b), 1, lambda u: 0.5 * u(0, 0) + 0.125 * near(u))}


references["stencil2d"] = references["stencil2d_shared"] = five


@reference("stencil2d_nine")
def _(a, b, l):
    return {"next": inner(*plane(a, b), 1, lambda u: 0.25 * u(0, 0) + 0.125 * near(u) + 0.0625 * (
        u(-1, -1) + u(1, -1) + u(-1, 1) + u(1, 1)))}


@reference("wave2d")
def _(a, b, l):
    u, past = plane(a, b, "u", "past")
    old = f8(past)[1:-1, 1:-1]
    return {"past": inner(u, past, 1, lambda u: 2 * u(0, 0) - old + a["courant"] * (
        near(u) - 4 * u(0, 0)))}


def around(u, distance):
    d = distance
    return (u(-d, 0, 0) + u(d, 0, 0) + u(0, -d, 0) + u(0, d, 0) + u(0, 0, -d) + u(0, 0, d))


def box(a, b, name):
    return b[name].reshape(a["nz"], a["ny"], a["nx"])


def seven(a, b, l):
    return {"next": inner(box(a, b, "u"), box(a, b, "next"), 1,
                          lambda u: 0.4 * u(0, 0, 0) + 0.1 * around(u, 1))}


references["stencil3d"] = references["stencil3d_march"] = seven


def star(a, b, l):
    return {"next": inner(box(a, b, "u"), box(a, b, "next"), 4, lambda u: (
        a["c0"] * u(0, 0, 0) + sum(a[f"c{d}"] * around(u, d) for d in range(1, 5))))}


references["star25"] = references["star25_march"] = star


@reference("wave3d")
def _(a, b, l):
    past, velocity = f8(box(a, b, "past")), box(a, b, "velocity")
    core = (slice(2, -2),) * 3
    return {"past": inner(box(a, b, "u"), past, 2, lambda u: 2 * u(0, 0, 0) - past[core] +
                          velocity[core] * (4 / 3 * around(u, 1) - around(u, 2) / 12 -
                                            7.5 * u(0, 0, 0)))}


@reference("jacobi")
def _(a, b, l):
    shape = (a["n"], a["n"])
    right = b["right"].reshape(shape)[1:-1, 1:-1]
    return {"next": inner(b["u"].reshape(shape), b["next"].reshape(shape), 1,
                          lambda u: 0.25 * (near(u) - right))}


def relaxed(f, directions, weights, omega):
    density = f.sum(0)
    u = np.tensordot(np.array(directions).T, f, 1) / density
    along = 3 * np.tensordot(np.array(directions), u, 1)
    shape = (-1,) + (1,) * (f.ndim - 1)
    equilibrium = np.array(weights).reshape(shape) * density * (
        1 - 1.5 * (u * u).sum(0) + along + along * along / 2)
    return f - omega * (f - equilibrium)


@reference("lbm_d2q9")
def _(a, b, l):
    directions = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
    old = f8(b["old"]).reshape(9, a["ny"], a["nx"])
    f = np.array([np.roll(p, (y, x), (0, 1)) for p, (x, y) in zip(old, directions)])
    weights = [4 / 9] + [1 / 9] * 4 + [1 / 36] * 4
    return {"next": relaxed(f, directions, weights, a["omega"]).ravel()}


@reference("lbm_d3q19")
def _(a, b, l):
    x = [0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0]
    y = [0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1]
    z = [0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1]
    directions = list(zip(x, y, z))
    old = f8(b["old"]).reshape(19, a["nz"], a["ny"], a["nx"])
    f = np.array([np.roll(p, d[::-1], (0, 1, 2)) for p, d in zip(old, directions)])
    new = relaxed(f, directions, [1 / 3] + [1 / 18] * 6 + [1 / 36] * 12, a["omega"])
    target = f8(b["next"]).reshape(old.shape)
    target[:, 1:-1, 1:-1, 1:-1] = new[:, 1:-1, 1:-1, 1:-1]
    return {"next": target.ravel()}


@reference("conv1d")
def _(a, b, l):
    target = f8(b["target"])
    target[4:-4] = np.correlate(f8(b["source"]), f8(b["weights"]), "valid")
    return {"target": target}


def convolved(source, target, weights):
    radius = len(weights) // 2
    return inner(source, target, radius, lambda u: sum(
        weights[j][i] * u(i - radius, j - radius)
        for j in range(len(weights)) for i in range(len(weights))))


@reference("conv2d")
def _(a, b, l):
    side = 2 * a["radius"] + 1
    return {"target": convolved(*plane(a, b, "source", "target"), b["weights"].reshape(side, side))}


@reference("conv2d_constant")
def _(a, b, l):
    binomial = np.array([1, 4, 6, 4, 1]) / 16
    return {"target": convolved(*plane(a, b, "source", "target"), np.outer(binomial, binomial))}


def image(a, b, name="source"):
    return b[name].reshape(a["height"], a["width"])


@reference("box_filter")
def _(a, b, l):
    side = 2 * a["radius"] + 1
    padded = np.pad(f8(image(a, b)), a["radius"], mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (side, side))
    return {"target": windows.mean((2, 3)).ravel()}


@reference("median_filter")
def _(a, b, l):
    target = image(a, b, "target").copy()
    windows = np.lib.stride_tricks.sliding_window_view(image(a, b), (3, 3))
    target[1:-1, 1:-1] = np.median(windows, (2, 3))
    return {"target": target.ravel()}


@reference("upsample_nearest")
def _(a, b, l):
    return {"target": image(a, b).repeat(a["factor"], 0).repeat(a["factor"], 1).ravel()}


@reference("upsample_bilinear")
def _(a, b, l):
    s, f = f8(image(a, b)), a["factor"]
    y, x = np.arange(a["height"] * f), np.arange(a["width"] * f)
    wy, wx = (y % f / f)[:, None], (x % f / f)[None, :]
    top, left = y // f, x // f
    bottom, right = np.minimum(top + 1, a["height"] - 1), np.minimum(left + 1, a["width"] - 1)
    upper = (1 - wx) * s[top][:, left] + wx * s[top][:, right]
    lower = (1 - wx) * s[bottom][:, left] + wx * s[bottom][:, right]
    return {"target": ((1 - wy) * upper + wy * lower).ravel()}


@reference("max_pool")
def _(a, b, l):
    shape = (a["channels"], a["height"], 2, a["width"], 2)
    return {"target": b["source"].reshape(shape).max((2, 4)).ravel()}


@reference("life")
def _(a, b, l):
    c = image(a, b, "cells")
    n = sum(np.roll(c, (y, x), (0, 1)) for y in (-1, 0, 1) for x in (-1, 0, 1)) - c
    return {"next": ((n == 3) | (c == 1) & (n == 2)).astype(np.uint8).ravel()}


@reference("mandelbrot")
def _(a, b, l):
    f = np.float32
    cr = f(a["left"]) + f(a["step"]) * np.arange(a["width"], dtype=f)[None, :]
    ci = f(a["top"]) + f(a["step"]) * np.arange(a["height"], dtype=f)[:, None]
    zr, zi = np.zeros((a["height"], a["width"]), f), np.zeros((a["height"], a["width"]), f)
    times = np.zeros(zr.shape, np.int32)
    for _ in range(a["limit"]):
        inside = zr * zr + zi * zi < 4
        times += inside
        zr, zi = (np.where(inside, zr * zr - zi * zi + cr, zr),
                  np.where(inside, 2 * zr * zi + ci, zi))
    return {"times": times.ravel()}


# loops of other shapes

@reference("suffix_sums")
def _(a, b, l):
    v = f8(b["values"]).reshape(a["rows"], a["n"])
    return {"sums": v[::-1].cumsum(0)[::-1].ravel()}


@reference("countdown_while")
def _(a, b, l):
    sums = 0
    for row in f8(b["values"]).reshape(a["rows"], a["n"])[::-1]:
        sums = 0.5 * sums + row
    return {"sums": sums}


@reference("step_loop")
def _(a, b, l):
    v = f8(b["values"]).reshape(a["length"], a["rows"])
    return {"sums": v[a["start"]::a["step"]].sum(0)}


@reference("find_first")
def _(a, b, l):
    above = b["values"].reshape(a["rows"], a["n"]) > np.float32(a["threshold"])
    return {"first": np.where(above.any(0), above.argmax(0), a["rows"]).astype(np.int32)}


@reference("thomas")
def _(a, b, l):
    rows = a["rows"]
    matrix = a["diagonal"] * np.eye(rows) - np.eye(rows, k=1) - np.eye(rows, k=-1)
    factors, factor = [], 0.0
    for _ in range(rows):
        factor = -1 / (a["diagonal"] + factor)
        factors.append(factor)
    values = np.linalg.solve(matrix, f8(b["values"]).reshape(rows, a["systems"]))
    return {"values": values.ravel(), "factors": np.repeat(factors, a["systems"])}


@reference("collatz")
def _(a, b, l):
    def steps(value):
        count = 0
        while value > 1:
            value = 3 * value + 1 if value & 1 else value >> 1
            count += 1
        return count
    return {"steps": np.array([steps(i + 1) for i in range(a["n"])], np.int32)}


@reference("monte_carlo_pi")
def _(a, b, l):
    i = np.arange(a["n"], dtype=np.uint32)
    state = (np.uint32(a["seed"]) ^ i) * np.uint32(2654435769) | np.uint32(1)
    inside = np.zeros(a["n"], np.uint32)
    for _ in range(a["samples"]):
        state = state ^ state << np.uint32(13)
        state = state ^ state >> np.uint32(17)
        state = state ^ state << np.uint32(5)
        x, y = (state & np.uint32(0xffff)) / 65536.0, (state >> np.uint32(16)) / 65536.0
        inside += (x * x + y * y < 1).astype(np.uint32)
    return {"counts": inside}


@reference("nbody")
def _(a, b, l):
    bodies = f8(b["bodies"]).reshape(-1, 4)
    d = bodies[None, :, :3] - bodies[:, None, :3]
    pull = bodies[None, :, 3] / ((d * d).sum(2) + a["softening"]) ** 1.5
    result = np.zeros_like(bodies)
    result[:, :3] = (pull[:, :, None] * d).sum(1)
    return {"accelerations": result.ravel()}


@reference("cutoff_forces")
def _(a, b, l):
    p, forces = f8(b["positions"]), np.zeros(a["n"])
    for i in range(a["n"]):
        j = np.arange(max(0, i - a["neighbours"]), min(a["n"], i + a["neighbours"] + 1))
        j = j[j != i]
        d = p[i] - p[j]
        d = d[d * d < a["cutoff"] ** 2]
        inverse = 1 / (d * d + 0.01)
        forces[i] = (d * inverse ** 4 * (2 * inverse ** 3 - 1) * np.exp(-d * d)).sum()
    return {"forces": forces}


@reference("kmeans_assign")
def _(a, b, l):
    p = f8(b["points"]).reshape(a["dimensions"], -1)
    c = f8(b["centres"]).reshape(a["k"], -1)
    return {"nearest": ((c[:, :, None] - p[None]) ** 2).sum(1).argmin(0).astype(np.int32)}


@reference("fft_stage")
def _(a, b, l):
    z = (f8(b["real"]) + 1j * b["imaginary"]).reshape(-1, 2, a["span"])
    turned = z[:, 1] * np.exp(-1j * np.pi * np.arange(a["span"]) / a["span"])
    result = np.stack([z[:, 0] + turned, z[:, 0] - turned], 1).ravel()
    return {"real": result.real, "imaginary": result.imag}


# sorting, dynamic programs, ways

@reference("bitonic_step")
def _(a, b, l):
    v = b["values"].copy()
    for i in range(a["n"]):
        p = i ^ a["distance"]
        if p > i and (v[i] > v[p]) == (i & a["length"] == 0):
            v[i], v[p] = v[p], v[i]
    return {"values": v}


@reference("odd_even_sort")
def _(a, b, l):
    v = b["values"]
    return {"values": np.concatenate([np.sort(v[i:i + 512]) for i in range(0, len(v), 512)])}


@reference("edit_distance")
def _(a, b, l):
    def distance(x, y):
        row = list(range(len(y) + 1))
        for i, cx in enumerate(x, 1):
            corner, row[0] = row[0], i
            for j, cy in enumerate(y, 1):
                corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + int(cx != cy))
        return row[-1]
    words = (b["first"].reshape(-1, a["length"]), b["second"].reshape(-1, a["length"]))
    return {"distances": np.array([distance(x, y) for x, y in zip(*words)], np.int32)}


@reference("needleman_wunsch")
def _(a, b, l):
    n = a["n"]
    s = b["scores"].reshape(a["pairs"], n + 1, n + 1).copy()
    x, y = b["first"].reshape(-1, n), b["second"].reshape(-1, n)
    for row in range(max(1, a["diagonal"] - n), min(n, a["diagonal"] - 1) + 1):
        column = a["diagonal"] - row
        match = np.where(x[:, row - 1] == y[:, column - 1], 1, -1)
        s[:, row, column] = np.maximum(s[:, row - 1, column - 1] + match, np.maximum(
            s[:, row - 1, column], s[:, row, column - 1]) - 2)
    return {"scores": s.ravel()}


@reference("floyd_warshall")
def _(a, b, l):
    v = b["lengths"].reshape(a["n"], a["n"])
    new = np.minimum(v, v[:, a["via"], None] + v[None, a["via"]])
    new[a["via"]], new[:, a["via"]] = v[a["via"]], v[:, a["via"]]
    return {"lengths": new.ravel()}


# indirect addresses

@reference("gather")
def _(a, b, l):
    return {"target": b["source"][b["index"]]}


@reference("scatter")
def _(a, b, l):
    target = b["target"].copy()
    target[b["index"]] = b["source"]
    return {"target": target}


@reference("gather_rows")
def _(a, b, l):
    return {"target": b["source"].reshape(-1, a["width"])[b["index"]].ravel()}


def csr(a, b, l):
    starts, products = b["starts"], f8(b["values"]) * b["x"][b["columns"]]
    return {"y": np.array([products[starts[i]:starts[i + 1]].sum() for i in range(a["rows"])])}


references["spmv_csr"] = references["spmv_csr_vector"] = csr


@reference("spmv_ell")
def _(a, b, l):
    return {"y": (f8(b["values"]) * b["x"][b["columns"]]).reshape(a["width"], -1).sum(0)}


@reference("pointer_chase")
def _(a, b, l):
    at = np.arange(a["chains"]) * a["spread"]
    for _ in range(a["steps"]):
        at = b["next"][at]
    return {"last": at}


@reference("binary_search")
def _(a, b, l):
    return {"found": np.searchsorted(b["sorted"], b["wanted"]).astype(np.int32)}


@reference("breadth_first")
def _(a, b, l):
    after = b["before"].copy()
    for i in np.nonzero(after < 0)[0]:
        neighbours = b["neighbours"][b["starts"][i]:b["starts"][i + 1]]
        if (b["before"][neighbours] == a["level"] - 1).any():
            after[i] = a["level"]
    return {"after": after}


@reference("checksum")
def _(a, b, l):
    messages = b["messages"].reshape(a["length"], -1).T
    return {"sums": np.array([zlib.crc32(m.tobytes()) for m in messages], np.uint32)}


@reference("local_array")
def _(a, b, l):
    rows = b["values"].reshape(a["length"], -1).T
    return {"commonest": np.array([np.bincount(r, minlength=16).argmax() for r in rows], np.int32)}
