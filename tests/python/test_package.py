"""The package with cffi alone: the header's declarations, programs, launches, answers, errors."""
import array
import os
import pickle
import re
import subprocess
import sys
import tempfile
import threading
import warnings

import testing
from testing import SOURCE, raises

import forewarp

SAXPY = SOURCE + "/tests/golden/kernels/saxpy.ptx"


def saxpy():
    return forewarp.read(SAXPY).kernel()


def launch():
    return saxpy().launch(grid=4096, block=256, arguments={3: 1 << 20})


def test_installed():
    """What is imported is the wheel's, not the source tree's."""
    assert not os.path.abspath(forewarp.__file__).startswith(os.path.join(SOURCE, "python") + os.sep), forewarp.__file__
    assert forewarp.__version__ == re.search(r"version: '(.*)'", open(SOURCE + "/meson.build").read()).group(1)


def test_import_is_light():
    """Neither a parser of C nor anything that is not required."""
    run = subprocess.run([sys.executable, "-c", "import forewarp, sys; print(*sys.modules)"], capture_output=True, text=True,
                         check=True)
    heavy = {"pycparser", "numpy", "pandas", "triton", "numba", "asyncio", "unittest"} & set(run.stdout.split())
    assert not heavy, heavy


def test_declarations_are_current():
    """All that the header declares is there, and every structure has the members in the header's order."""
    from forewarp._library import ffi, lib
    header = re.sub(r"/\*.*?\*/", "", open(SOURCE + "/include/forewarp.h").read(), flags=re.S)
    functions = set(re.findall(r"\b(fw_\w+)\(", header))
    assert len(functions) > 60
    for name in functions:
        assert getattr(lib, name), name
    structures = re.findall(r"^struct (fw_\w+) \{(.*?)^\};", header, flags=re.S | re.M)
    assert len(structures) > 40
    for name, body in structures:
        declared = re.findall(r"(\w+)(?:\[\w+\])?(?=\s*[,;])|\(\*(\w+)\)", re.sub(r"\([^*][^()]*\)", "", body))
        names = [one or other for one, other in declared]
        assert names == [member for member, _ in ffi.typeof(f"struct {name}").fields], name


def test_predict():
    answer = launch().predict("h200")
    best = answer["predictions"][0]
    assert answer.seconds == best["seconds"] > 0 and answer.limiter == best["limiter"]
    assert answer.device == "h200" and answer.kernel == "saxpy" and answer.model == best["model"]
    assert "Prediction on NVIDIA H200" in str(answer) and "saxpy on h200" in repr(answer)
    assert answer.rows()[0]["name"] == answer.terms[0]["name"]


def test_same_as_the_program():
    """The numbers are those of the command line's JSON schema: versions and keys."""
    answer = launch().predict("h200", models="roofline,traffic")
    assert [one["model"] for one in answer["predictions"]] and {one["model"] for one in answer["predictions"]} == {
        "roofline", "traffic"}


def test_temporary_objects():
    """A device, program or kernel that only the call holds lives as long as the call."""
    seconds = {launch().predict(forewarp.device("h200")).seconds for _ in range(20)}
    assert len(seconds) == 1


def test_count_and_emulate():
    counts = launch().count(symbolic=True)
    assert counts.operation("fma", "f32") == 1 << 20
    assert any(row["symbolic"] for row in counts.operations)
    small = saxpy().launch(grid=2, block=256, arguments={2: 2.0, 3: 500})
    assert small.emulate().operation("fma") == small.count().operation("fma") == 500


def test_traffic_features_trace():
    traffic = launch().traffic("h200")
    assert traffic["global_load_sectors"] == 2 * (1 << 20) * 4 / 32
    assert any(row["name"] == "l2_to_l1_bytes" and row["compulsory"] > 0 for row in traffic.rows())
    features = launch().features(["f_thread_groups"])
    assert features["f_thread_groups"] == 4096
    assert launch().trace().data


def test_names_and_texts():
    source = "extern \"C\" __global__ void scale(float *x, float a, int n)\n{ int i = blockIdx.x * blockDim.x + threadIdx.x;\n" \
             "  if (i < n) x[i] *= a; }\n"
    try:
        kernel = forewarp.parse(source, "cuda", name="scale.cu")["scale"]
    except forewarp.MachineError as problem:
        raise testing.Skip(f"no compiler: {problem}")
    assert [one["name"] for one in kernel.arguments] == ["x", "a", "n"]
    assert kernel.launch(64, 256, n="16K", a=2).count().operation("mul", "f32") == 16384
    raises(KeyError, lambda: forewarp.parse(source, "cuda")["missing"])


def test_address_expressions_and_loops():
    kernel = forewarp.parse({"forewarp_kernel": 1, "domain": ["n"], "sizes": {"n": 4096}, "block": [256],
                             "fields": {"x": {"type": "f32", "shape": ["n"]}}, "loads": ["x[x]"], "stores": ["x[x]"]}).kernel()
    assert kernel.launch(n=1 << 16).traffic("h200")["global_load_sectors"] == (1 << 16) * 4 / 32
    program = forewarp.read(SOURCE + "/tests/golden/knl/matmul.knl")
    assert program.kernel().launch(n=512, m=256, ell=128).count().operations
    assert "__global__" in program.emit("cuda")


def test_errors():
    problem = raises(forewarp.UsageError, saxpy().launch(grid=1, block=4096, arguments={3: 1}).predict, "h200")
    assert problem.code == "API013" and "4096" in str(problem) and isinstance(problem, ValueError)
    copy = pickle.loads(pickle.dumps(problem))
    assert type(copy) is type(problem) and copy.diagnostics == problem.diagnostics
    problem = raises(forewarp.InputError, forewarp.parse, ".version 8.0\n.target sm_90\n.entry k( {\n", "ptx", name="bad.ptx")
    assert problem.diagnostics[0].file == "bad.ptx" and problem.diagnostics[0].line > 0 and "^" in str(problem)
    assert isinstance(raises(forewarp.MachineError, forewarp.read, "missing.ptx"), OSError)
    raises(forewarp.UsageError, forewarp.device, "no_such_device")
    raises(TypeError, forewarp.read, SAXPY, no_such_option=1)
    raises(ValueError, forewarp.read, SAXPY, language="fortran")
    raises(ValueError, saxpy().launch, grid=(1, 2, 3, 4))
    raises(forewarp.BudgetError, _hurried)


def _hurried():
    kernel = forewarp.Context(question_seconds=1e-9).read(SAXPY).kernel()
    kernel.launch(grid=4096, block=256, arguments={3: 1 << 20}).predict("h200")


def test_warnings():
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        context = forewarp.Context()
        context.check(0, [forewarp.Diagnostic("warning", "X001", "text", None, 0, 0, "a warning\n")])
    assert [one.category for one in heard] == [forewarp.ForewarpWarning]


def test_rank():
    ranking = forewarp.rank(SOURCE + "/docs/examples/star25.json", "h200", vary={"threads": [256, 512]}, models="roofline")
    seconds = [row["seconds"] for row in ranking.configurations if row.get("seconds")]
    assert len(seconds) > 10 and seconds == sorted(seconds) and ranking.best["seconds"] == seconds[0]
    assert "<table>" in ranking._repr_html_()
    raises(forewarp.UsageError, forewarp.rank, SAXPY, "h200", vary=["block=0x1"])


def test_read_many():
    found = forewarp.read_many([SAXPY, "missing.ptx", SAXPY])
    assert isinstance(found[1], forewarp.MachineError) and "missing.ptx" in str(found[1])
    assert [list(one) for one in (found[0], found[2])] == [["saxpy"], ["saxpy"]]


def test_calibrate_and_own_features():
    @forewarp.feature("f_flops_of_mine")
    def flops(counts):
        return counts["flops"]["count"] if isinstance(counts["flops"], dict) else counts["flops"]
    context = forewarp.Context(features=[flops])
    kernel = context.read(SAXPY).kernel()
    value = kernel.launch(grid=4096, block=256, arguments={3: 1 << 20}).features(["f_flops_of_mine"])["f_flops_of_mine"]
    assert value == 2 * (1 << 20)
    with tempfile.TemporaryDirectory() as folder:
        answer = forewarp.calibrate(SOURCE + "/docs/examples/matmul.cost", SOURCE + "/docs/examples/matmul-costs.csv",
                                    output=folder + "/made.json")
        assert answer.data and os.path.getsize(folder + "/made.json") > 100
        assert forewarp.evaluate(folder + "/made.json", SOURCE + "/docs/examples/matmul-costs.csv").data


def test_html_is_escaped():
    source = open(SAXPY).read().replace("saxpy", "sa_xpy")
    answer = forewarp.parse(source, "ptx", name="<b>.ptx").kernel().launch(64, 256, arguments={3: 1}).predict("h200")
    answer.data["predictions"][0]["terms"][0]["name"] = "<script>"
    assert "<script>" not in answer._repr_html_() and "&lt;script&gt;" in answer._repr_html_()


def test_tables_without_numpy():
    table = saxpy().predict_many("h200", grid=[64, 65, 66, 67], block=256, arguments={3: [1000, 2000, 3000, 4000], 2: 1.0})
    assert len(table["seconds"]) == 4 and min(table["seconds"]) > 0
    assert [row["limiter"] for row in table.rows()] and "<table>" in table._repr_html_()
    assert isinstance(table["seconds"], array.array) or "numpy" in sys.modules


def test_other_threads_run():
    """The call of many launches does not hold the interpreter."""
    kernel, count = saxpy(), 4000
    kernel.predict_many("h200", grid=[64, 65, 66, 67], block=256, arguments={3: 1000})
    running, turns = threading.Event(), 0

    def work():
        running.set()
        kernel.predict_many("h200", grid=list(range(64, 64 + count)), block=256, arguments={3: 16384})
    thread = threading.Thread(target=work)
    thread.start()
    running.wait()
    while thread.is_alive():
        turns += 1
        thread.join(0.001)
    assert turns > 10, turns


def test_threads():
    """One context from many threads: each hears its own diagnostics."""
    codes, kernel = [], saxpy()

    def ask(size):
        for _ in range(20):
            try:
                kernel.launch(grid=1, block=size, arguments={3: 1}).predict("h200")
                codes.append((size, None))
            except forewarp.Error as problem:
                codes.append((size, len(problem.diagnostics)))
    threads = [threading.Thread(target=ask, args=(size,)) for size in (64, 4096, 128, 2048)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(codes) == {(64, None), (128, None), (4096, 1), (2048, 1)}, set(codes)


testing.main(sys.modules[__name__])
