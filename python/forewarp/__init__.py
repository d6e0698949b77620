"""forewarp: how long a GPU kernel takes, and what limits it, before it runs.

    import forewarp
    kernel = forewarp.read("saxpy.ptx").kernel()
    print(kernel.launch(grid=4096, block=256, arguments={3: 1 << 20}).predict("h200"))

docs/python.md has all of it.  Adapters are modules of their own: forewarp.triton, forewarp.kernel_tuner,
forewarp.pystencils, forewarp.loopy, forewarp.numba, forewarp.cupy, forewarp.inductor."""
from __future__ import annotations

from typing import Any, Dict, List

from ._answers import Answer, Counts, Features, Prediction, Ranking, Traffic
from ._context import Context, Device, Feature, default_context, feature
from ._errors import (BudgetError, Diagnostic, Error, ForewarpWarning, InputError, MachineError, MemoryLimitError, RangeError,
                      UsageError)
from ._kernels import Kernel, Launch, Program
from ._library import lib as _lib, text as _text
from ._tables import Table

__version__ = _text(_lib.fw_version()) or ""
__all__ = ["Answer", "BudgetError", "Context", "Counts", "Device", "Diagnostic", "Error", "Feature", "Features",
           "ForewarpWarning", "InputError", "Kernel", "Launch", "MachineError", "MemoryLimitError", "Prediction", "Program",
           "RangeError", "Ranking", "Table", "Traffic", "UsageError", "calibrate", "default_context", "device", "devices",
           "evaluate", "feature", "parse", "rank", "read", "read_many", "train"]


def read(path: Any, **options: Any) -> Program:
    """A program from a file; see Context.read."""
    return default_context().read(path, **options)


def parse(source: Any, language: Any = None, **options: Any) -> Program:
    """A program from text, or from a dict of address expressions; see Context.parse."""
    return default_context().parse(source, language, **options)


def read_many(paths: Any, **options: Any) -> List[Any]:
    """Many programs, read side by side; see Context.read_many."""
    return default_context().read_many(paths, **options)


def device(name: Any) -> Device:
    """A device by its name; see Context.device."""
    return default_context().device(name)


def devices() -> List[Dict[str, Any]]:
    """The profiles that there are."""
    return default_context().devices()


def rank(path: Any, device: Any, **options: Any) -> Ranking:
    """One kernel over all combinations of what varies; see Context.rank."""
    return default_context().rank(path, device, **options)


def calibrate(model: Any, table: Any = None, **options: Any) -> Answer:
    """Fits a cost model to a table; see Context.calibrate."""
    return default_context().calibrate(model, table, **options)


def evaluate(calibration: Any, table: Any, **options: Any) -> Answer:
    """What a calibration says of the rows of a table; see Context.evaluate."""
    return default_context().evaluate(calibration, table, **options)


def train(launches: Any, measured: Any, device: Any, **options: Any) -> bytes:
    """Trains the model forest of a device; see Context.train."""
    return default_context().train(launches, measured, device, **options)
