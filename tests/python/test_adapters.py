"""The adapters, each against the release of its package that packages.txt names; no GPU."""
import json
import math
import os
import sys
import warnings

import testing
from testing import SOURCE, raises

import forewarp

warnings.simplefilter("ignore")
sys.path.insert(0, SOURCE + "/tests/python")


def said(*names):
    print("        with", ", ".join(f"{name} {version}" for name, version in testing.need(*names).items()))


def test_triton():
    said("triton")
    import triton
    import forewarp.triton as adapter
    import triton_example as example
    tensor = adapter.Tensor("fp32")
    arguments = {"x": tensor, "y": tensor, "out": tensor, "n": 1 << 20}
    grid = lambda meta: ((1 << 20) // meta["BLOCK"],)
    configs = [triton.Config({"BLOCK": block}, num_warps=warps) for block in (64, 1024) for warps in (1, 4)]
    configs.append(triton.Config({"BLOCK": 1000}))  # no power of two: Triton refuses it
    filters = list(warnings.filters)
    first = adapter.predict_all(example.add, configs, grid, arguments, workers=4)
    assert list(warnings.filters) == filters  # threads leave them as they were
    second = adapter.predict_all(example.add, configs, grid, arguments, workers=1)
    assert [one.seconds for one in first] == [one.seconds for one in second]
    assert [one.compiled for one in first] == [True] * 4 + [False] and "power of 2" in first[4].failure
    assert all(one.seconds > 0 for one in first[:4])
    chosen = adapter.choose(first, top=2)
    fastest = min(one.seconds for one in first[:4])
    assert first[chosen[0]].seconds <= 1.1 * fastest and 4 not in chosen
    assert all((one.second is None) or one.seconds <= 1.1 * fastest for one in first[:4])
    assert all(one.second is None for one in adapter.predict_all(example.add, configs, grid, arguments, models="traffic"))

    # Rows that data choose lie within their table, where its size is known.
    rows = {"ids": adapter.Tensor("i32"), "out": tensor, "hidden": 512, "COUNT": 16, "BLOCK": 512}
    times = [adapter.predict(example.sum_rows, 32768, table=adapter.Tensor("fp32", bytes=size), **rows).seconds
             for size in (0, 1 << 24, 1 << 32)]
    assert times[1] < 0.8 * times[0] and times[2] == times[0]

    # What has no room on the device is not worth timing, though it compiles.
    big = adapter.compile(example.add, {**arguments, "BLOCK": 64}, {"num_warps": 1})
    big.metadata["shared"] = 300_000
    whole, adapter.compile_all = adapter.compile_all, lambda *more: [big]
    try:
        (outcome,) = adapter.predict_all(example.add, configs[:1], grid, arguments)
    finally:
        adapter.compile_all = whole
    assert outcome.seconds is None and not outcome.compiled and "shared memory" in outcome.failure

    # As the autotuner calls them.
    prune = adapter.early_config_prune(grid, kernel=example.add, top=2)
    kept = prune(configs, {name: value for name, value in arguments.items()})
    assert [configs.index(one) for one in kept] == chosen
    model = adapter.perf_model(grid, kernel=example.add)
    for config, one in zip(configs, first):
        expected = math.inf if one.seconds is None else one.seconds
        assert model(**arguments, **config.all_kwargs()) == expected
    broken = adapter.early_config_prune(grid, device="no_such_device", kernel=example.add)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        assert broken(configs, arguments) == configs
    assert any(one.category is forewarp.ForewarpWarning for one in heard)

    # An autotuner of Triton's own takes it.
    tuned = triton.runtime.autotuner.Autotuner(example.add, example.add.arg_names, configs, [], None, None,
                                               prune_configs_by={"early_config_prune": prune}, do_bench=lambda *more: 0)
    tuned.nargs = arguments
    assert [configs.index(one) for one in tuned.prune_configs({})] == chosen

    # What Triton's cache holds.
    folder = os.environ["TRITON_CACHE_DIR"]
    entries = [os.path.join(folder, one) for one in os.listdir(folder)
               if os.path.exists(os.path.join(folder, one, "add.ptx"))]
    assert len(entries) >= 4
    kernel = adapter.read(entries[0]).kernel()
    assert kernel.info()["registers_source"] == "machine code"
    assert kernel.launch(grid=1024, arguments={3: 1 << 20}).predict("h200").seconds > 0


def test_triton_choice():
    from forewarp.triton import Outcome, choose
    times = [3.0, 1.0, 1.005, None, 1.0, 2.0]
    outcomes = [Outcome(index, seconds, None, True) for index, seconds in enumerate(times)]
    assert choose(outcomes, top=1) == [1, 4, 2, 3]  # ties together, then what is not predicted
    assert choose(outcomes, top=1, tie=0, fallback="drop") == [1, 4]
    assert choose(outcomes, top=99, fallback="drop") == [1, 4, 2, 5, 0]
    assert choose([Outcome(0, None), Outcome(1, None, None, True)]) == [1]
    # Of those near the fastest, the one that two models find fast goes first; what is not near stays behind.
    pairs = [(1.0, 9.0), (1.05, 2.0), (1.08, 2.0), (1.2, None)]
    near = [Outcome(index, seconds, None, True, second) for index, (seconds, second) in enumerate(pairs)]
    assert choose(near, top=1, tie=0) == [1] and choose(near, top=4) == [1, 2, 0, 3]
    assert choose(near, top=1, tie=0.02) == [1, 2] and choose(near, top=4, tie=0.5) == [1, 2, 0, 3]
    assert choose([Outcome(0, None), Outcome(1, None)]) == [0, 1]


def test_order():
    from forewarp._order import second_opinions
    times = [1.0, None, 1.09, 1.2]
    assert second_opinions(times, lambda index: 10.0 + index) == [10.0, None, 12.0, None]
    assert second_opinions(times, lambda index: 10.0 if index else None) == [None] * 4  # not of all: of none
    assert second_opinions([1.0, 2.0], lambda index: 1.0) == [None, None]  # one alone is the fastest
    assert second_opinions([None], lambda index: 1.0) == [None]


def test_kernel_tuner():
    said("kernel_tuner", "jsonschema")
    import jsonschema
    import kernel_tuner
    import numpy
    from kernel_tuner.file_utils import output_file_schema
    import forewarp.kernel_tuner as adapter
    source = """
extern "C" __global__ void add(float *c, const float *a, const float *b, int n)
{
    int i = blockIdx.x * block_size_x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
"""
    size, values = 1 << 20, numpy.zeros(1 << 20, numpy.float32)
    arguments, params = [values, values, values, numpy.int32(size)], {"block_size_x": [32, 64, 128, 256, 1024, 2048]}
    try:
        space = adapter.predict("add", source, size, arguments, params, lang="cuda")
        if "no compiler" in str(space.rows[0].get("failure")):
            raise testing.Skip("no compiler")
    except forewarp.MachineError as problem:
        raise testing.Skip(str(problem))
    assert ["__error__" in row for row in space.rows] == [False] * 5 + [True] and "2048" in space.rows[5]["failure"]
    ranked = [row["block_size_x"] for row in space.ranked()]
    assert [row["block_size_x"] for row in space.prune(top=2, tie=0)] == ranked[:2]
    keep = space.restriction(top=2, tie=0)
    space.write_cache("space.json")
    space.write_t4("results.json")
    jsonschema.validate(json.load(open("results.json")), output_file_schema("results")[1])
    common = dict(lang="cuda", simulation_mode=True, cache="space.json", quiet=True)
    results, _ = kernel_tuner.tune_kernel("add", source, size, arguments, params, **common)
    assert [row["time"] for row in results[:5]] == [row["time"] for row in space.rows[:5]]
    results, _ = kernel_tuner.tune_kernel("add", source, size, arguments, params, strategy=space.strategy(),
                                          strategy_options={"max_fevals": 2}, **common)
    assert [row["block_size_x"] for row in results] == ranked[:2]
    results, _ = kernel_tuner.tune_kernel("add", source, size, arguments, params, restrictions=[keep, "block_size_x > 1"], **common)
    assert sorted(row["block_size_x"] for row in results) == sorted(ranked[:2])
    assert len(adapter.configurations({"a": [1, 2, 3], "b": [1, 2]}, ["a*b<=3"])) == 4


def test_pystencils():
    said("pystencils")
    import pystencils
    import forewarp.pystencils as adapter

    def five(names):
        src, dst = pystencils.fields(names, layout="fzyx")
        return [pystencils.Assignment(dst[0, 0], (src[1, 0] + src[-1, 0] + src[0, 1] + src[0, -1]) / 4)]
    fixed = five("src, dst: double[8192,8192]")
    stated = forewarp.parse(adapter.addresses(fixed, (64, 4), 24)).kernel().launch().traffic("h200")
    problem = raises(ValueError, adapter.addresses, five("src, dst: double[2D]"), (64, 4), 24)
    sizes = {name: 8192 if "size" in name or name.endswith("_1") else 1 for name in str(problem).split("lacks ")[1].split(", ")}
    kernel = forewarp.parse(adapter.addresses(five("src, dst: double[2D]"), (64, 4), 24, sizes)).kernel()
    symbolic = kernel.launch().traffic("h200")
    for key in ("global_load_sectors", "l2_to_l1_bytes", "dram_read_bytes"):
        assert abs(symbolic[key] - stated[key]) <= 1e-6 * stated[key], key
    smaller = {name: 4096 if value == 8192 else 1 for name, value in sizes.items()}
    assert kernel.launch(arguments=smaller).traffic("h200")["dram_read_bytes"] < 0.3 * stated["dram_read_bytes"]
    try:
        generated = adapter.compile(fixed).kernel().launch((128, 2048), (64, 4)).traffic("h200")
    except forewarp.MachineError as problem:
        raise testing.Skip(f"the generated code was not compiled: {problem}")
    assert abs(generated["dram_read_bytes"] - stated["dram_read_bytes"]) < 0.02 * stated["dram_read_bytes"]


def test_loopy():
    said("loopy")
    import loopy
    import numpy
    import forewarp.loopy as adapter

    def matmul():
        kernel = loopy.make_kernel("{[i,j,k]: 0<=i<n and 0<=j<m and 0<=k<l}", "c[i,j] = sum(k, a[i,k]*b[k,j])",
                                   assumptions="n>=16 and m>=16 and l>=16 and n mod 16=0 and m mod 16=0", name="matmul",
                                   lang_version=(2018, 2))
        kernel = loopy.add_and_infer_dtypes(kernel, {"a": numpy.float32, "b": numpy.float32})
        kernel = loopy.split_iname(kernel, "i", 16, inner_tag="l.1", outer_tag="g.1")
        return loopy.split_iname(kernel, "j", 16, inner_tag="l.0", outer_tag="g.0")
    counts = forewarp.parse(adapter.knl(matmul()), "knl").kernel().launch(n=512, m=256, l=128).count()
    assert counts.operation("mul") == counts.operation("add") == 512 * 256 * 128 // 32
    assert {row["array"] for row in counts.memory} == {"a", "b", "c"}

    steps = loopy.make_kernel("{[i]: 0<=i<n}", """
        <> t = 2*x[i] {id=first}
        y[i] = if(t > 1, t, x[i]) {id=second, dep=first}
        """, assumptions="n>=1", name="steps", lang_version=(2018, 2))
    steps = loopy.tag_inames(loopy.split_iname(loopy.add_dtypes(steps, {"x": numpy.float64}), "i", 128), "i_outer:g.0, i_inner:l.0")
    text = adapter.knl(steps)
    assert "temporary t: f64" in text and "array y: f64[n]" in text and "dep=first" in text
    stores = [row for row in forewarp.parse(text, "knl").kernel().launch(n=1000).count().memory if row["direction"] == "store"]
    assert [int(row["count"]) for row in stores] == [1000]

    refused = loopy.make_kernel("{[i]: 0<=i<n}", "y[i] = x[i]", assumptions="n>=1", lang_version=(2018, 2))
    refused = loopy.add_dtypes(refused, {"x": numpy.complex64})
    assert "type" in str(raises(adapter.Unsupported, adapter.knl, refused))


def test_numba():
    said("numba", "numba-cuda")
    import numpy
    from numba import cuda
    import forewarp.numba as adapter

    @cuda.jit
    def axpy(a, x, y):
        i = cuda.grid(1)
        if i < x.size:
            y[i] += a * x[i]
    launch = adapter.launch(axpy, 4096, 256, {"a": 2.0, "x": adapter.Array((1 << 20,)), "y": numpy.zeros(1 << 20, numpy.float32)})
    answer = launch.predict("h200")
    assert answer.seconds > 0 and not answer.unknowns
    assert launch.traffic("h200")["global_load_sectors"] == 2 * (1 << 20) * 4 / 32
    loads = {launch.places["x.shape[0]"]: 1 << 19, launch.places["x.nitems"]: 1 << 19}
    assert launch.set(arguments=loads).traffic("h200")["global_load_sectors"] == (1 << 20) * 4 / 32
    by_name = launch.set(arguments={"x.shape[0]": 1 << 18, "x.nitems": 1 << 18})
    assert by_name.traffic("h200")["global_load_sectors"] == (1 << 19) * 4 / 32

    def transpose(x, y):
        i, j = cuda.grid(2)
        if i < x.shape[0] and j < x.shape[1]:
            y[j, i] = x[i, j]
    kinds, values, places = adapter.parameters({"x": adapter.Array((30, 20)), "y": numpy.zeros((20, 30), order="F")})
    assert [values[places[f"x.{one}"]] for one in ("shape[0]", "shape[1]", "strides[0]", "strides[1]")] == [30, 20, 80, 4]
    assert values[places["y.strides[1]"]] == 160 and [kind.layout for kind in kinds] == ["C", "F"]
    made = adapter.launch(transpose, (1, 1), (32, 32), {"x": adapter.Array((30, 20)), "y": adapter.Array((20, 30))})
    assert made.count().memory and raises(TypeError, adapter.launch, transpose, 1, 32, {"x": 1})


def test_cupy():
    import forewarp.cupy as adapter
    source = """
template <typename T, int N> __global__ void axpy(const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < N; k++)
        if (i * N + k < n)
            y[i * N + k] += SCALE * x[i * N + k];
}
extern "C" __global__ void twice(float *x) { x[threadIdx.x] *= 2; }
"""
    module = adapter.RawModule(code=source, options=("-DSCALE=3", "--std=c++17"), name_expressions=["axpy<float, 4>"])
    try:
        kernel = module.get_function("axpy<float, 4>")
    except forewarp.MachineError as problem:
        raise testing.Skip(f"no compiler: {problem}")
    counts = kernel.launch(64, 256, arguments={2: 65536}).count()
    assert sum(int(row["count"]) for row in counts.memory if row["direction"] == "store") == 65536
    assert module.get_function("twice").name == "twice"
    raises(KeyError, module.get_function, "missing")


def test_inductor():
    said("triton")
    import forewarp.inductor as adapter
    add, total, softmax, norm = adapter.read(SOURCE + "/tests/python/inductor_output.py")
    assert (add.name, add.heuristic, total.heuristic) == ("triton_poi_fused_add_relu_0", "pointwise", "reduction")
    assert add.size_hints == {"x": 1 << 20} and "DeviceProperties" not in str(add.signature)
    answer = add.predict(config={"XBLOCK": 1024, "num_warps": 4})
    assert answer["launch"]["grid"] == [1024, 1, 1] and answer["launch"]["block"] == [128, 1, 1]
    assert add.predict({"xnumel": 1 << 24}).seconds > answer.seconds
    assert total.predict(config={"XBLOCK": 1, "R0_BLOCK": 2048}).seconds > 0
    # PyTorch's helpers of Triton, of which none is installed here.
    assert softmax.heuristic == "persistent_reduction" and softmax.predict(device="h200")["launch"]["grid"] == [4096, 1, 1]
    moved = norm.predict(config={"XBLOCK": 1, "R0_BLOCK": 2048, "num_warps": 8})
    assert moved["launch"]["grid"] == [4096, 1, 1] and moved.seconds > 4096 * 4096 * 4 / 5e12
    assert total.predict()["launch"]["grid"] == [4096, 1, 1]  # a block of a reduction has one row, unless stated


testing.main(sys.modules[__name__])
