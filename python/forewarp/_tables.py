"""Many launches in one call: columns in, columns out.  With NumPy, columns are its arrays; without, array.array."""
from __future__ import annotations

import array
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from ._answers import html_table
from ._errors import BY_STATUS, Diagnostic, Error
from ._library import Structure, ffi, lib, triple

if TYPE_CHECKING:
    from ._context import Device
    from ._kernels import Kernel, Launch

NUMBERS = "seconds", "overhead_seconds", "low", "high", "watts", "joules", "occupancy", "waves"
LIMITER_BYTES = 32


def _numpy() -> Any:
    try:
        import numpy
        return numpy
    except ImportError:
        return None


class Table(Mapping[str, Any]):
    """Columns by name, a row a launch; `failures` has a diagnostic for each of the first rows without an answer."""

    def __init__(self, title: str, columns: Dict[str, Any], failures: Dict[int, List[Diagnostic]]) -> None:
        self.title, self.columns, self.failures = title, columns, failures

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def rows(self, most: Optional[int] = None) -> List[Dict[str, Any]]:
        lists = {name: [one.decode() if isinstance(one, bytes) else one for one in list(column[:most])]
                 for name, column in self.columns.items()}
        return [dict(zip(lists, values)) for values in zip(*lists.values())]

    def to_pandas(self) -> Any:
        """The columns as a pandas.DataFrame."""
        import pandas
        return pandas.DataFrame({name: [one.decode() for one in column] if name == "limiter" else column
                                 for name, column in self.columns.items()})

    def _repr_html_(self) -> str:
        return html_table(self.title, self.rows(61))

    def __repr__(self) -> str:
        return f"<Table {self.title}: {', '.join(self.columns)}>"


def _is_many(value: Any, depth: int) -> bool:
    """Whether a value is one a row: an array, or a list of such as are for one row (`depth` deep)."""
    if hasattr(value, "shape"):
        return len(value.shape) > 0 and (depth == 0 or len(value.shape) > 1 or value.shape[0] > 3)
    if isinstance(value, (str, bytes)) or not hasattr(value, "__len__"):
        return False
    return depth == 0 or (len(value) > 0 and (hasattr(value[0], "__len__") or len(value) > 3))


def _whole(values: Any, code: str, bits: int, name: str) -> Any:
    """Whole numbers as a contiguous column; refused when one does not fit."""
    np = _numpy()
    if np is None:
        return array.array(code, [int(one) for one in values])
    given = np.asarray(values)
    if given.dtype.kind not in "iub":
        raise ValueError(f"{name}: whole numbers, not {given.dtype}")
    kind = np.dtype(f"{'u' if code.isupper() else 'i'}{bits // 8}")
    if given.size and (int(given.min()) < np.iinfo(kind).min or int(given.max()) > np.iinfo(kind).max):
        raise OverflowError(f"{name}: a number that does not fit {kind}")
    return np.ascontiguousarray(given, dtype=kind)


def _sizes(values: Any, name: str) -> Any:
    """n, n x 1, n x 2 or n x 3 numbers as n x 3 in one column."""
    np = _numpy()
    if np is None:
        return array.array("I", [number for one in values for number in triple(one, 1)])
    given = _whole(values, "I", 32, name)
    given = given.reshape(len(given), -1)
    if not 1 <= given.shape[1] <= 3:
        raise ValueError(f"{name}: one to three numbers a launch, not {given.shape[1]}")
    whole = np.ones((len(given), 3), dtype=np.uint32)
    whole[:, :given.shape[1]] = given
    return whole.reshape(-1)


def _reals(values: Any) -> Any:
    np = _numpy()
    return array.array("d", [float(one) for one in values]) if np is None else np.ascontiguousarray(values, dtype=np.float64)


def _empty(code: str, count: int) -> Any:
    np = _numpy()
    return array.array(code, bytes(count * array.array(code).itemsize)) if np is None else np.zeros(count, dtype=code)


class _Batch:
    """A table of launches as the library takes it."""

    def __init__(self, kernel: "Kernel", grid: Any, block: Any, shared: Any, arguments: Mapping[Any, Any]) -> None:
        self.arrays: Dict[str, Tuple[Any, str, int]] = {}  # member to array, C type, elements a row
        self.arguments: List[Tuple[int, Any, bool]] = []
        self.fixed: Dict[str, Any] = {"arguments": {}}
        for name, value in (("grid", grid), ("block", block)):
            if value is not None and _is_many(value, 1):
                self.arrays[name + "s"] = _sizes(value, name), "uint32_t[]", 3
            else:
                self.fixed[name] = value
        if shared is not None and _is_many(shared, 0):
            self.arrays["shared"] = _whole(shared, "L", 64, "shared"), "uint64_t[]", 1
        else:
            self.fixed["shared"] = shared
        known = {str(one["name"]): one for one in kernel.arguments}
        for name, value in arguments.items():
            if not _is_many(value, 0):
                self.fixed["arguments"][name] = value
                continue
            row = known.get(str(name)) or known.get(f"{kernel.info()['entry']}_{name}")
            if row is None and str(name).isdigit() and int(name) < len(kernel.arguments):
                row = kernel.arguments[int(name)]
            if row is None:
                raise ValueError(f"{name} is no argument of {kernel.name}: these are {', '.join(known)}")
            is_real = row["type"].startswith("f")
            self.arguments.append((row["position"], _reals(value) if is_real else _whole(value, "l", 64, str(name)), is_real))
        lengths = {len(one) // width for one, _, width in self.arrays.values()} | {len(one) for _, one, _ in self.arguments}
        if len(lengths) > 1:
            raise ValueError(f"columns of different lengths: {', '.join(map(str, sorted(lengths)))}")
        self.count = lengths.pop() if lengths else 1

    def settings(self, begin: int, end: int) -> Structure:
        made = Structure("fw_batch_settings", count=end - begin)
        for name, (values, kind, width) in self.arrays.items():
            made.set(name, ffi.from_buffer(kind, values) + begin * width)
            made.keep.append(values)
        columns = ffi.new("struct fw_batch_column[]", max(1, len(self.arguments)))
        for column, (position, values, is_real) in zip(columns, self.arguments):
            column.argument = position
            pointer = ffi.from_buffer("double[]" if is_real else "int64_t[]", values)
            made.keep += [values, pointer]
            setattr(column, "numbers" if is_real else "integers", pointer + begin)
        made.set("columns", columns)
        made.pointer.column_count = len(self.arguments)
        return made

    def take(self, kernel: "Kernel") -> "Launch":
        """A launch bound to what is for all."""
        from ._kernels import Launch
        with kernel.program.lock:
            launch = kernel._idle.pop() if kernel._idle else None
        launch = launch or Launch(kernel)
        lib.fw_worker_clear(launch.pointer)
        launch.set(**self.fixed)
        return launch

    def row(self, kernel: "Kernel", index: int) -> Dict[str, Any]:
        """One launch of the table."""
        one: Dict[str, Any] = {name[:-1]: [int(number) for number in values[3 * index:3 * index + 3]]
               for name, (values, _, width) in self.arrays.items() if width == 3}
        if "shared" in self.arrays:
            one["shared"] = int(self.arrays["shared"][0][index])
        more = {position: (float if is_real else int)(values[index]) for position, values, is_real in self.arguments}
        return {**self.fixed, **one, "arguments": {**self.fixed["arguments"], **more}}


FAILURES_MOST = 20


def _failures(kernel: "Kernel", batch: _Batch, statuses: Any, errors: str, ask: Any) -> Dict[int, List[Diagnostic]]:
    """Asks the first rows that failed again, one by one, for their diagnostics."""
    found: Dict[int, List[Diagnostic]] = {}
    if errors not in ("raise", "nan"):
        raise ValueError(f"errors is raise or nan, not {errors}")
    for index, status in enumerate(statuses):
        if not status or len(found) >= FAILURES_MOST:
            continue
        try:
            ask(kernel.launch(**batch.row(kernel, index)))
            found[index] = []
        except Error as problem:
            if errors == "raise":
                problem.args = (f"launch {index}: {problem}",)
                raise
            found[index] = problem.diagnostics
        if errors == "raise":
            raise BY_STATUS.get(status, Error)((), f"launch {index}: status {status}")
    return found


def _shares(count: int, threads: int) -> List[Tuple[int, int]]:
    size = max(1, -(-count // max(1, threads)))
    return [(begin, min(count, begin + size)) for begin in range(0, count, size)]


def predict_many(kernel: "Kernel", device: "Device", grid: Any, block: Any, shared: Any,
                 arguments: Mapping[Any, Any], quantities: Sequence[str], models: Optional[str], cold: bool,
                 threads: int, errors: str) -> Table:
    batch = _Batch(kernel, grid, block, shared, arguments)
    columns = {name: _empty("d", batch.count) for name in NUMBERS}
    statuses, limiters = _empty("i", batch.count), bytearray(LIMITER_BYTES * batch.count)
    volumes = _empty("d", batch.count * len(quantities))

    def work(share: Tuple[int, int]) -> None:
        begin, end = share
        launch = batch.take(kernel)
        settings = batch.settings(begin, end)
        predict = Structure("fw_predict_settings", models=models, cold=cold, brief=True)
        settings.set("predict", predict.pointer)
        if quantities:
            settings.set("quantities", list(quantities))
        results = Structure("fw_batch_results", statuses=ffi.from_buffer("int32_t[]", statuses) + begin,
                            limiters=ffi.from_buffer("char[]", limiters) + begin * LIMITER_BYTES)
        for name, column in columns.items():
            results.set(name, ffi.from_buffer("double[]", column) + begin)
        if quantities:
            results.set("quantities", ffi.from_buffer("double[]", volumes) + begin * len(quantities))
        with launch.lock, kernel.context._listening(False):
            status = lib.fw_worker_predict_many(results.pointer, launch.pointer, device.pointer, settings.pointer)
        if status not in (-4, -6):
            with kernel.program.lock:
                kernel._idle.append(launch)

    shares = _shares(batch.count, threads)
    if len(shares) == 1:
        work(shares[0])
    else:
        from concurrent.futures import ThreadPoolExecutor  # here, for importing forewarp is quick
        with ThreadPoolExecutor(len(shares)) as pool:
            list(pool.map(work, shares))
    failures = _failures(kernel, batch, statuses, errors, lambda launch: launch.predict(device, models, cold))
    np = _numpy()
    named = np.frombuffer(limiters, dtype=f"S{LIMITER_BYTES}") if np is not None else [
        bytes(limiters[at:at + LIMITER_BYTES]).rstrip(b"\0") for at in range(0, len(limiters), LIMITER_BYTES)]
    columns["limiter"], columns["status"] = named, statuses
    for index, name in enumerate(quantities):
        columns[name] = volumes[index::len(quantities)]
    return Table(f"{batch.count} launches of {kernel.name} on {device.name}", columns, failures)


def features_many(kernel: "Kernel", names: Sequence[str], device: Optional["Device"], grid: Any, block: Any, shared: Any,
                  arguments: Mapping[Any, Any], cold: bool, errors: str) -> Table:
    batch = _Batch(kernel, grid, block, shared, arguments)
    values, statuses = _empty("d", max(1, batch.count * len(names))), _empty("i", batch.count)
    launch, settings = batch.take(kernel), batch.settings(0, batch.count)
    asked = Structure("fw_feature_settings", names=list(names), cold=cold)
    with launch.lock, kernel.context._listening(False):
        lib.fw_worker_features_many(ffi.from_buffer("double[]", values), ffi.from_buffer("int32_t[]", statuses),
                                    launch.pointer, device.pointer if device else ffi.NULL, settings.pointer, asked.pointer)
    failures = _failures(kernel, batch, statuses, errors, lambda one: one.features(names, device, cold))
    columns: Dict[str, Any] = {name: values[index::len(names)] for index, name in enumerate(names)}
    columns["status"] = statuses
    return Table(f"features of {batch.count} launches of {kernel.name}", columns, failures)
