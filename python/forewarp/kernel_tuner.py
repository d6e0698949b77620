"""Kernel Tuner: predict a search space without a GPU, prune it, order it, and hand results on in its formats.

    space = forewarp.kernel_tuner.predict("add", "add.cu", 1 << 20, [c, a, b, n], {"block_size_x": [64, 128, 256]})
    tune_kernel(..., restrictions=[space.restriction(top=8)])        # only the best eight are timed
    tune_kernel(..., strategy=space.strategy(), strategy_options={"max_fevals": 8})
    space.write_cache("space.json"); space.write_t4("results.json")

Tested with Kernel Tuner 1.5.  Times are in milliseconds, as there; a configuration that cannot run has an `__error__`."""
from __future__ import annotations

import itertools
import json
import os
import tempfile
import warnings
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from . import _order
from . import Context, Error, ForewarpWarning, Launch, default_context

BLOCK_NAMES = ["block_size_x", "block_size_y", "block_size_z"]
TIMINGS = "compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time"


class Space:
    """Predicted configurations, in the order of the search space; those that failed have "__error__"."""

    def __init__(self, kernel_name: str, problem_size: Any, tune_params: Mapping[str, Sequence[Any]], device: str,
                 rows: List[Dict[str, Any]], second: Sequence[Optional[float]] = ()) -> None:
        self.kernel_name, self.problem_size, self.device, self.rows = kernel_name, problem_size, device, rows
        self.second = list(second) or [None] * len(rows)
        """By row: milliseconds by a second model, of those that are near the fastest."""
        self.tune_params = {name: list(values) for name, values in tune_params.items()}

    def key(self, params: Mapping[str, Any]) -> str:
        return ",".join(str(params[name]) for name in self.tune_params)

    def ranked(self) -> List[Dict[str, Any]]:
        """Configurations with a prediction, the fastest first; those near the fastest are ordered by two models, as
        those of `forewarp.triton` are.  Equal times keep the order of the space."""
        return [self.rows[one[-1]] for one in self._keys()]

    def _keys(self) -> List[Any]:
        return sorted(_order.key(row["time"], self.second[index], index)
                      for index, row in enumerate(self.rows) if "__error__" not in row)

    def prune(self, top: int = 8, tie: float = 0.01) -> List[Dict[str, Any]]:
        """The first `top`, and all that cannot be told apart from the last of these (at most `tie` longer)."""
        return [self.rows[index] for index in _order.keep(self._keys(), top, tie)]

    def restriction(self, top: int = 8, tie: float = 0.01) -> str:
        """For tune_kernel(restrictions=[...]): a condition that is true of what `prune` keeps.

        Where nothing is known, of everything, with a warning.  It is a text, for Kernel Tuner reads the source of
        functions."""
        kept = self.prune(top, tie)
        if not kept:
            warnings.warn("no configuration is predicted, so that none is pruned", ForewarpWarning, stacklevel=2)
            name = next(iter(self.tune_params))
            return f"{name} == {name}"
        return " or ".join("(" + " and ".join(f"{name} == {row[name]!r}" for name in self.tune_params) + ")" for row in kept)

    def strategy(self) -> "Strategy":
        """For tune_kernel(strategy=...): the configurations in predicted order; those without a prediction last."""
        return Strategy(self)

    def _results(self) -> List[Dict[str, Any]]:
        return [{**row, **{name: 0.0 for name in TIMINGS}, "times": [row["time"]] if "__error__" not in row else [],
                 "time": row.get("time", "InvalidConfig")} for row in self.rows]

    def write_cache(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """A cache file, from which tune_kernel(simulation_mode=True, cache=...) answers."""
        sizes = self.problem_size if isinstance(self.problem_size, (list, tuple)) else [self.problem_size]
        content = {"device_name": self.device, "kernel_name": self.kernel_name, "problem_size": list(sizes),
                   "tune_params_keys": list(self.tune_params), "tune_params": self.tune_params, "objective": "time",
                   "cache": {self.key(row): row for row in self._results()}}
        if not isinstance(self.problem_size, (list, tuple)):
            content["problem_size"] = self.problem_size
        _write(path, content)

    def write_t4(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Results in the T4 format."""
        from kernel_tuner.file_utils import get_t4_results
        errors = [{key: value for key, value in row.items() if key != "__error__"} for row in self._results()]
        found = get_t4_results(errors, self.tune_params)
        for row, out in zip(self.rows, found["results"]):
            out["invalidity"] = "constraints" if "__error__" in row else "correct"
            out["measurements"] = [one for one in out["measurements"] if not isinstance(one["value"], str)]
            out["correctness"] = 0 if "__error__" in row else 1
        _write(path, found)


def _write(path: Union[str, "os.PathLike[str]"], content: Any) -> None:
    """By rename: never half-written."""
    path = os.fspath(path)
    with tempfile.NamedTemporaryFile("w", dir=os.path.dirname(path) or ".", delete=False, suffix=".json") as file:
        json.dump(content, file, indent=1)
    os.replace(file.name, path)


class Strategy:
    """A strategy of Kernel Tuner: asks for configurations in predicted order."""

    def __init__(self, space: Space) -> None:
        self.space = space

    def tune(self, searchspace: Any, runner: Any, tuning_options: Any) -> List[Any]:
        """Called by tune_kernel.  strategy_options: max_fevals, how many configurations (all)."""
        names = list(tuning_options.tune_params)
        place = {self.space.key(row): index for index, row in enumerate(self.space.ranked())}
        elements = [tuple(one) for one in searchspace.sorted_list()]
        elements.sort(key=lambda one: place.get(self.space.key(dict(zip(names, one))), len(place)))
        most = (tuning_options.strategy_options or {}).get("max_fevals")
        return list(runner.run(elements[:most] if most else elements, tuning_options))


def configurations(tune_params: Mapping[str, Sequence[Any]], restrictions: Any = None) -> List[Dict[str, Any]]:
    """All combinations that restrictions (Kernel Tuner's texts or a function) allow."""
    from kernel_tuner.util import check_restrictions
    every = [dict(zip(tune_params, values)) for values in itertools.product(*tune_params.values())]
    return every if restrictions is None else [one for one in every if check_restrictions(restrictions, one, False)]


def predict(kernel_name: str, kernel_source: Any, problem_size: Any, arguments: Sequence[Any],
            tune_params: Mapping[str, Sequence[Any]], grid_div_x: Any = None, grid_div_y: Any = None, grid_div_z: Any = None,
            restrictions: Any = None, lang: Optional[str] = None, smem_args: Optional[Mapping[str, Any]] = None,
            defines: Optional[Mapping[str, Any]] = None, block_size_names: Optional[Sequence[str]] = None,
            device: Any = "h200", models: Optional[str] = None, workers: int = 0,
            context: Optional[Context] = None) -> Space:
    """Predicts a search space; the arguments are those of tune_kernel.

    arguments: numbers and NumPy scalars are bound, arrays are pointers.  Configurations are compiled side by side and
    kept in the context's cache."""
    from kernel_tuner.util import get_grid_dimensions, get_problem_size, get_thread_block_dimensions
    context = context or default_context()
    found = context.device(device)
    names = list(block_size_names or []) + BLOCK_NAMES[len(block_size_names or []):]
    language = {"cuda": "cuda", "cupy": "cuda", "nvcuda": "cuda", "opencl": "opencl"}.get((lang or "").lower())
    rows: List[Dict[str, Any]] = configurations(tune_params, restrictions)
    with tempfile.TemporaryDirectory() as folder:
        paths, options = [], []
        for index, row in enumerate(rows):
            source = kernel_source(row) if callable(kernel_source) else kernel_source
            path = os.fspath(source)
            if "\n" in path or "{" in path or not os.path.exists(path):
                opencl = language == "opencl" or (language is None and "__kernel" in path)
                source_path = os.path.join(folder, f"{index if callable(kernel_source) else 'kernel'}.{'cl' if opencl else 'cu'}")
                if not os.path.exists(source_path):
                    with open(source_path, "w", encoding="utf-8") as file:
                        file.write(path)
                path = source_path
            macros = {"kernel_tuner": 1, **{name: value for name, value in row.items()},
                      **{name: value(row) if callable(value) else value for name, value in (defines or {}).items()}}
            paths.append(path)
            options.append({"language": language, "device": found,
                            "defines": {name: int(value) if isinstance(value, bool) else value for name, value in macros.items()}})
        programs = context.read_many(paths, options, workers)
    bound: Dict[int, Launch] = {}

    def milliseconds(index: int, model: Optional[str]) -> float:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ForewarpWarning)
            return 1e3 * bound[index].predict(found, models=model).seconds

    for index, (row, program) in enumerate(zip(rows, programs)):
        try:
            if isinstance(program, Error):
                raise program
            size = get_problem_size(problem_size, row)
            bound[index] = program.kernel(kernel_name).launch(
                grid=get_grid_dimensions(size, row, (grid_div_x, grid_div_y, grid_div_z), names),
                block=get_thread_block_dimensions(row, names), shared=_shared(smem_args, row),
                arguments={place: value.item() if hasattr(value, "item") else value for place, value in enumerate(arguments)
                           if not getattr(value, "shape", ()) and isinstance(getattr(value, "item", lambda: value)(), (int, float))})
            row["time"] = milliseconds(index, models)
        except Error as problem:
            row["__error__"] = "InvalidConfig"
            row["failure"] = str(problem)
    def second(index: int) -> Optional[float]:
        try:
            return milliseconds(index, _order.SECOND)
        except Error:
            return None

    opinions = [] if models else _order.second_opinions([row.get("time") for row in rows], second)
    return Space(kernel_name, problem_size, tune_params, found.name, rows, opinions)


def _shared(smem_args: Optional[Mapping[str, Any]], row: Mapping[str, Any]) -> Optional[int]:
    if not smem_args:
        return None
    size = smem_args["size"]
    return int(size(row) if callable(size) else size)
