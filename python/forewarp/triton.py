"""Triton: compile without a GPU, predict, and prune configurations before they are timed.

    import forewarp.triton as ft
    prune = ft.early_config_prune(grid=lambda meta: (...), device="h200", top=8)
    @triton.autotune(configs=[...], key=[...], prune_configs_by={"early_config_prune": prune})

Compiling needs no GPU; what it makes is kept in Triton's own cache, where a later launch finds it.  Tested with Triton 3.9;
tensor descriptors and tuples as arguments are not supported (`read` takes what Triton's cache holds of such kernels)."""
from __future__ import annotations

import json
import math
import multiprocessing
import os
import tempfile
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _order
from . import Context, Error, ForewarpWarning, Launch, Prediction, Program, default_context

OPTIONS = "num_warps", "num_stages", "num_ctas", "maxnreg"
NO_ROOM = "MOD002"  # a block needs more registers or shared memory than a multiprocessor has
INTEGERS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "u32": 32, "i64": 64, "u64": 64}


@dataclass(frozen=True)
class Tensor:
    """Stands for a tensor: Triton's name of the type ("fp16", "bf16", "fp32", "i32", ...), its alignment in bytes, and
    its size in bytes (0: not known), beyond which no data choose addresses."""

    dtype: str
    alignment: int = 16
    bytes: int = 0


@dataclass
class Compiled:
    """A kernel of one configuration, as Triton made it."""

    ptx: str
    metadata: Dict[str, Any]
    positions: Dict[str, int]
    """Arguments that are parameters of the PTX, and their places."""
    cubin: bytes = field(default=b"", repr=False)
    """Machine code, which says how many registers a thread has and what is spilled."""
    program: Optional[Program] = field(default=None, repr=False)


class Failure(Exception):
    """A configuration that could not be compiled."""


TYPES = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64", "int8": "i8", "int16": "i16",
         "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "bool": "i1",
         "float8_e4m3fn": "fp8e4nv", "float8_e5m2": "fp8e5"}


def _specialize(value: Any) -> Tuple[str, bool, bool]:
    """Triton's type of an argument, whether it is a multiple of 16, and whether its value is compiled in (1, None)."""
    if value is None:
        return "constexpr", False, True
    if isinstance(value, Tensor):
        return "*" + value.dtype, value.alignment % 16 == 0, False
    if hasattr(value, "data_ptr"):  # a tensor of PyTorch
        name = str(value.dtype).split(".")[-1]
        return "*" + TYPES.get(name, name), value.data_ptr() % 16 == 0, False
    if isinstance(value, bool):
        return "u1", False, False
    if isinstance(value, int):
        if value == 1:
            return "constexpr", False, True
        kind = "i32" if -2**31 <= value < 2**31 else "u64" if value >= 2**63 else "i64"
        return kind, value % 16 == 0, False
    if isinstance(value, float):
        return "fp32", False, False
    raise TypeError(f"an argument of type {type(value).__name__} is not supported: number, tensor or forewarp.triton.Tensor")


def _bytes(value: Any) -> int:
    """From the first byte of a tensor to the last; 0: the size is not known, or the value is no tensor."""
    if isinstance(value, Tensor):
        return value.bytes
    if not all(hasattr(value, name) for name in ("data_ptr", "shape", "stride", "element_size")) or 0 in value.shape:
        return 0
    return (1 + sum((size - 1) * abs(step) for size, step in zip(value.shape, value.stride()))) * value.element_size()


def _jit(kernel: Any) -> Any:
    """The jitted function below an autotuner or heuristics."""
    while not hasattr(kernel, "arg_names") or not hasattr(kernel, "params"):
        kernel = kernel.fn
    return kernel


def _source(kernel: Any, arguments: Mapping[str, Any]) -> Tuple[Any, Dict[str, int]]:
    from triton.compiler import ASTSource
    signature: Dict[str, str] = {}
    constants: Dict[Any, Any] = {}
    attributes: Dict[Any, Any] = {}
    positions: Dict[str, int] = {}
    for index, parameter in enumerate(kernel.params):
        name = parameter.name
        if name not in arguments:
            if not parameter.has_default:
                raise TypeError(f"the argument {name} of {kernel.__name__} is missing")
            value = parameter.default
        else:
            value = arguments[name]
        if parameter.is_constexpr:
            signature[name], constants[(index,)] = "constexpr", value
            continue
        kind, divides, is_constant = _specialize(value)
        if is_constant and parameter.do_not_specialize:
            kind, is_constant = "i32", False
        if is_constant:
            signature[name], constants[(index,)] = "constexpr", value
            continue
        signature[name] = kind
        positions[name] = len(positions)
        if divides and not parameter.do_not_specialize and not parameter.do_not_specialize_on_alignment:
            attributes[(index,)] = [["tt.divisibility", 16]]
    return ASTSource(fn=kernel, signature=signature, constexprs=constants, attrs=attributes), positions


def compile(kernel: Any, arguments: Mapping[str, Any], options: Optional[Mapping[str, Any]] = None,
            capability: int = 90) -> Compiled:
    """Compiles one configuration for a compute capability (10 * major + minor), without a GPU, through Triton's cache.

    arguments: of the kernel, constants included, by name; options: num_warps, num_stages and the like."""
    import triton
    from triton.backends.compiler import GPUTarget
    jitted = _jit(kernel)
    source, positions = _source(jitted, arguments)
    chosen = {name: value for name, value in (options or {}).items() if value is not None}
    try:
        made = triton.compile(source, target=GPUTarget("cuda", capability, 32), options=chosen)
    except Exception as problem:  # whatever Triton, LLVM or ptxas say
        raise Failure(f"{jitted.__name__}: {problem}") from problem
    metadata = {key: value for key, value in made.metadata._asdict().items()
                if isinstance(value, (int, float, str, bool, list, tuple, type(None)))}
    return Compiled(made.asm["ptx"], metadata, positions, made.asm.get("cubin") or b"")


def read(path: Union[str, "os.PathLike[str]"], context: Optional[Context] = None) -> Program:
    """What Triton's cache holds of a kernel: a folder of it, or the .ptx in it, with the .json and .cubin of the same name."""
    path = os.fspath(path)
    if os.path.isdir(path):
        found = sorted(name for name in os.listdir(path) if name.endswith(".ptx"))
        if len(found) != 1:
            raise FileNotFoundError(f"{path} has {len(found)} files with PTX, not one")
        path = os.path.join(path, found[0])
    return (context or default_context()).read(path)


def launch(compiled: Compiled, grid: Sequence[int], arguments: Mapping[str, Any], context: Optional[Context] = None,
           ptxas: str = "auto") -> Launch:
    """A launch of a compiled kernel: sizes from Triton's description, registers from its machine code, arguments by name."""
    if compiled.program is None:
        with tempfile.TemporaryDirectory() as folder:
            base = os.path.join(folder, "kernel")
            with open(base + ".ptx", "w", encoding="utf-8") as file:
                file.write(compiled.ptx)
            with open(base + ".json", "w", encoding="utf-8") as file:
                json.dump(compiled.metadata, file)
            if compiled.cubin:
                with open(base + ".cubin", "wb") as code:
                    code.write(compiled.cubin)
            compiled.program = (context or default_context()).read(base + ".ptx", ptxas=ptxas)
    values: Dict[Any, Any] = {position: arguments[name] for name, position in compiled.positions.items()
                              if isinstance(arguments.get(name), (int, float))}
    for name, position in compiled.positions.items():
        if _bytes(arguments.get(name)):
            values[f"{position}.bytes"] = _bytes(arguments[name])
    return compiled.program.kernel(compiled.metadata.get("name")).launch(
        grid=list(grid), block=32 * int(compiled.metadata["num_warps"]), shared=int(compiled.metadata["shared"]),
        arguments=values)


def _grid(grid: Any, meta: Mapping[str, Any]) -> Tuple[int, ...]:
    found = grid(dict(meta)) if callable(grid) else grid
    return tuple(int(one) for one in ([found] if isinstance(found, int) else found))


def predict(kernel: Any, grid: Any, device: Any = "h200", options: Optional[Mapping[str, Any]] = None,
            models: Optional[str] = None, context: Optional[Context] = None, **arguments: Any) -> Prediction:
    """Compiles one configuration and predicts it.  grid: as of a launch; arguments: by name, Tensor for tensors."""
    found = (context or default_context()).device(device)
    compiled = compile(kernel, arguments, options, found.capability or 90)
    bound = launch(compiled, _grid(grid, {**arguments, **(options or {})}), arguments, context)
    return bound.predict(found, models=models)


@dataclass
class Outcome:
    """What came of one configuration."""

    index: int
    seconds: Optional[float]
    """Predicted; None: there is no prediction."""
    failure: Optional[str] = None
    compiled: bool = False
    """Whether Triton made code of it, of which a block fits on the device; else it cannot be launched at all."""
    second: Optional[float] = None
    """Seconds by a second model, of those that are near the fastest: they are ordered by both."""


def _warm(kernel: Any, work: Sequence[Tuple[Dict[str, Any], Dict[str, Any]]], capability: int) -> None:
    for arguments, options in work:
        try:
            compile(kernel, arguments, options, capability)
        except Exception:  # the parent meets it again, and tells it
            pass


def compile_all(kernel: Any, work: Sequence[Tuple[Dict[str, Any], Dict[str, Any]]], capability: int = 90,
                workers: int = 0) -> List[Union[Compiled, Failure]]:
    """Many configurations (arguments and options), compiled by processes side by side (0: one a processor).

    The processes leave what they make in Triton's cache, from which it is then taken: a second call compiles nothing."""
    workers = min(workers or os.cpu_count() or 1, len(work))
    stand_ins = [({name: Tensor(_specialize(value)[0][1:], 16 if _specialize(value)[1] else 1)
                   if hasattr(value, "data_ptr") else value for name, value in arguments.items()}, options)
                 for arguments, options in work]
    if workers > 1 and "fork" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("fork")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # forking a process that has threads
            children = [context.Process(target=_warm, args=(kernel, stand_ins[first::workers], capability), daemon=True)
                        for first in range(workers)]
            for child in children:
                child.start()
        for child in children:
            child.join()
    results: List[Union[Compiled, Failure]] = []
    for arguments, options in stand_ins:
        try:
            results.append(compile(kernel, arguments, options, capability))
        except (Failure, TypeError) as problem:
            results.append(problem if isinstance(problem, Failure) else Failure(str(problem)))
    return results


def predict_all(kernel: Any, configs: Sequence[Any], grid: Any, arguments: Mapping[str, Any], device: Any = "h200",
                workers: int = 0, models: Optional[str] = None, context: Optional[Context] = None) -> List[Outcome]:
    """A prediction for each triton.Config, compiled side by side."""
    found = (context or default_context()).device(device)
    work = []
    for config in configs:
        options = {name: getattr(config, name, None) for name in OPTIONS}
        work.append(({**arguments, **config.kwargs}, {name: one for name, one in options.items() if one is not None}))
    bound: Dict[int, Launch] = {}

    def outcome(index: int, made: Union[Compiled, Failure]) -> Outcome:
        values, options = work[index]
        if isinstance(made, Failure):
            return Outcome(index, None, str(made))
        try:
            bound[index] = launch(made, _grid(grid, {**values, **options}), values, context)
            return Outcome(index, bound[index].predict(found, models=models).seconds, None, True)
        except Error as problem:
            return Outcome(index, None, str(problem), problem.code != NO_ROOM)

    compiled = compile_all(kernel, work, found.capability or 90, workers)
    with warnings.catch_warnings():  # once, around the threads: Python has one list of filters for all of them
        warnings.simplefilter("ignore", ForewarpWarning)
        with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:  # predicting does not hold the GIL
            outcomes = list(pool.map(outcome, range(len(work)), compiled))
        if models is None:
            _ask_second(outcomes, bound, found)
    return outcomes


def _ask_second(outcomes: List[Outcome], bound: Mapping[int, Launch], device: Any) -> None:
    def ask(index: int) -> Optional[float]:
        try:
            return bound[index].predict(device, models=_order.SECOND).seconds
        except Error:
            return None

    for one, second in zip(outcomes, _order.second_opinions([one.seconds for one in outcomes], ask)):
        one.second = second


def choose(outcomes: Sequence[Outcome], top: int = 8, tie: float = 0.01, fallback: str = "keep") -> List[int]:
    """The indices that are worth timing, the fastest first.

    The first `top` by predicted time, and all that cannot be told apart from the last of these: whose time is at most
    `tie` longer.  Those near the fastest are ordered by two models.  Equal times keep their order.  What was compiled and
    has no prediction is kept behind these (fallback="keep") or left out ("drop"); what cannot be compiled, or has no room
    on the device, is left out.
    Without any prediction: all that was compiled, or all."""
    if fallback not in ("keep", "drop"):
        raise ValueError(f"fallback is keep or drop, not {fallback}")
    known = sorted(_order.key(one.seconds, one.second, one.index) for one in outcomes if one.seconds is not None)
    silent = [one.index for one in outcomes if one.seconds is None and one.compiled]
    if not known:
        return silent or [one.index for one in outcomes]
    chosen = _order.keep(known, top, tie)
    return chosen + (silent if fallback == "keep" else [])


def early_config_prune(grid: Any, device: Any = "h200", kernel: Any = None, top: int = 8, tie: float = 0.01,
                       fallback: str = "keep", workers: int = 0, models: Optional[str] = None,
                       context: Optional[Context] = None) -> Callable[..., List[Any]]:
    """For prune_configs_by={"early_config_prune": ...}: keeps what `choose` chooses, and gives it in that order.

    kernel: the jitted function; without it, `prune.kernel` must be set before the first launch, for the decorator makes
    it later.  Whatever goes wrong as a whole is a ForewarpWarning, and all configurations stay: tuning is as without."""
    def prune(configs: List[Any], named_args: Mapping[str, Any], **more: Any) -> List[Any]:
        try:
            jitted = _jit(prune.kernel)  # type: ignore[attr-defined]
            known = {parameter.name for parameter in jitted.params}
            arguments = {name: value for name, value in {**named_args, **more}.items() if name in known}
            outcomes = predict_all(jitted, configs, grid, arguments, device, workers, models, context)
        except Exception as problem:
            warnings.warn(f"no configuration is pruned: {problem}", ForewarpWarning, stacklevel=2)
            prune.outcomes = []  # type: ignore[attr-defined]
            return list(configs)
        prune.outcomes = outcomes  # type: ignore[attr-defined]
        chosen = choose(outcomes, top, tie, fallback)
        if all(one.seconds is None for one in outcomes):
            why = next((one.failure for one in outcomes if one.failure), "")
            warnings.warn(f"no configuration is predicted, so that none is pruned: {why}", ForewarpWarning, stacklevel=2)
        return [configs[index] for index in chosen]

    prune.kernel = kernel  # type: ignore[attr-defined]
    prune.outcomes = []  # type: ignore[attr-defined]
    return prune


def perf_model(grid: Any, device: Any = "h200", kernel: Any = None, models: Optional[str] = None,
               context: Optional[Context] = None) -> Callable[..., float]:
    """For prune_configs_by={"perf_model": ..., "top_k": 8}: predicted seconds, the same for the same configuration.

    Triton asks one configuration at a time, so that they are compiled one after the other: `early_config_prune` is
    quicker, and keeps ties together.  What cannot be compiled or predicted takes infinitely long, with a warning."""
    memory: Dict[Any, float] = {}

    def model(**everything: Any) -> float:
        jitted = _jit(model.kernel)  # type: ignore[attr-defined]
        known = {parameter.name for parameter in jitted.params}
        arguments = {name: value for name, value in everything.items() if name in known}
        options = {name: value for name, value in everything.items() if name in OPTIONS and value is not None}
        key = tuple(sorted((name, str((_specialize(value), _bytes(value))) if hasattr(value, "data_ptr") else repr(value))
                           for name, value in {**arguments, **options}.items()))
        if key not in memory:
            try:
                memory[key] = predict(jitted, grid, device, options, models, context, **arguments).seconds
            except (Failure, Error, TypeError) as problem:
                warnings.warn(f"a configuration without a prediction: {problem}", ForewarpWarning, stacklevel=2)
                memory[key] = math.inf
        return memory[key]

    model.kernel = kernel  # type: ignore[attr-defined]
    return model
