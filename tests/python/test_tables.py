"""Many launches in one call, with NumPy and pandas."""
import sys

import testing
from testing import SOURCE, raises

import forewarp
import numpy
import pandas


def kernel():
    return forewarp.read(SOURCE + "/tests/golden/kernels/saxpy.ptx").kernel()


def test_same_as_one_by_one():
    one, grids = kernel(), 64 + numpy.arange(50) % 17
    lengths = 256 * grids - numpy.arange(50) % 13
    table = one.predict_many("h200", grid=grids, block=256, arguments={3: lengths, 2: 1.5}, quantities=["dram_read_bytes"])
    for index in (0, 7, 49):
        alone = one.launch(int(grids[index]), 256, arguments={3: int(lengths[index])}).predict("h200")
        assert abs(table["seconds"][index] / alone.seconds - 1) < 1e-11 and table["limiter"][index].decode() == alone.limiter
        assert abs(table["dram_read_bytes"][index] - alone["dram_read_bytes"]) <= 1e-11 * alone["dram_read_bytes"]
    assert table["seconds"].dtype == numpy.float64 and (table["status"] == 0).all()
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 50 and frame["limiter"][0] == table["limiter"][0].decode()
    assert len(one.launch(64, 256, arguments={3: 5}).predict("h200").to_pandas())


def test_threads_give_the_same():
    grids = 64 + numpy.arange(300)
    tables = [kernel().predict_many("h200", grid=grids, block=256, arguments={3: 256 * grids}, threads=threads)
              for threads in (1, 3)]
    assert (tables[0]["seconds"] == tables[1]["seconds"]).all()


def test_rows_fail_alone():
    blocks = numpy.array([[256, 1, 1], [2048, 1, 1], [128, 2, 1], [128, 1, 1]])
    problem = raises(forewarp.UsageError, kernel().predict_many, "h200", grid=64, block=blocks, arguments={3: 100})
    assert "launch 1" in str(problem)
    table = kernel().predict_many("h200", grid=64, block=blocks, arguments={3: 100}, errors="nan")
    assert numpy.isnan(table["seconds"]).tolist() == [False, True, False, False]
    assert list(table.failures) == [1] and table.failures[1][0].code == "API013"


def test_arguments_at_fault():
    raises(ValueError, kernel().predict_many, "h200", grid=numpy.arange(64, 74), block=256, arguments={3: numpy.arange(9)})
    raises(ValueError, kernel().predict_many, "h200", grid=64, block=256, arguments={"m": numpy.arange(9)})
    raises(ValueError, kernel().predict_many, "h200", grid=numpy.linspace(64, 65, 10), block=256, arguments={3: 1})
    raises(OverflowError, kernel().predict_many, "h200", grid=numpy.array([1, 2, 3, 1 << 40]), block=256, arguments={3: 1})
    raises(ValueError, kernel().predict_many, "h200", grid=64, block=256, arguments={3: 1}, errors="ignore")


def test_features():
    grids = numpy.array([64, 128, 256, 512])
    table = kernel().features_many(["f_thread_groups", "f_op_float32_madd"], grid=grids, block=256, arguments={3: grids * 256})
    assert table["f_thread_groups"].tolist() == grids.tolist()
    assert (table["f_op_float32_madd"] > 0).all()


testing.main(sys.modules[__name__])
