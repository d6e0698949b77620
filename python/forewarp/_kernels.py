"""Programs, their kernels, and launches of these."""
from __future__ import annotations

import threading
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Type, TypeVar, Union

from ._answers import Answer, Counts, Features, Prediction, Traffic
from ._context import Context, Handle
from ._library import Structure, chars, ffi, lib, text, triple
from ._tables import Table, features_many, predict_many

Some = TypeVar("Some", bound=Answer)


class Program(Mapping[str, "Kernel"]):
    """One source that was read: `program["saxpy"]`, or `program.kernel()` for the only one."""

    def __init__(self, context: Context, pointer: Any, name: str) -> None:
        self.context, self.pointer, self.name = context, pointer, name
        self.handle = Handle(pointer, lib.fw_program_free, context.handle)
        self.lock = threading.Lock()
        self._kernels: Dict[Optional[str], Kernel] = {}

    def kernel(self, name: Optional[str] = None) -> "Kernel":
        """The kernel of this name, PTX's or the source's; None: the only one."""
        with self.lock:
            if name not in self._kernels:
                out = ffi.new("struct fw_kernel const **")
                self.context.call(lib.fw_program_kernel, out, self.pointer, chars(name) if name else ffi.NULL)
                self._kernels[name] = Kernel(self, out[0])
            return self._kernels[name]

    def __getitem__(self, name: str) -> "Kernel":
        if name not in list(self):
            raise KeyError(name)
        return self.kernel(name)

    def __iter__(self) -> Iterator[str]:
        for index in range(len(self)):
            yield text(lib.fw_program_kernel_name(self.pointer, index)) or ""

    def __len__(self) -> int:
        return int(lib.fw_program_kernel_count(self.pointer))

    def dump(self, what: str = "ptx", kernel: Optional[str] = None) -> str:
        """What a pass says: cfg, ssa, loops, uniformity, record, domains, ptx, or several between commas."""
        with self.lock:
            return self.context.text_of(lib.fw_program_dump, self.pointer, chars(kernel) if kernel else ffi.NULL, chars(what))

    def emit(self, target: str = "cuda", kernel: Optional[str] = None, **more: Any) -> str:
        """A kernel of the kernel language as code: "opencl", "cuda", "c", "knl"."""
        settings = Structure("fw_emit_settings", target=target, **more)
        with self.lock:
            return self.context.text_of(lib.fw_program_emit, self.pointer, chars(kernel) if kernel else ffi.NULL,
                                        settings.pointer)

    def __repr__(self) -> str:
        return f"<Program {self.name}: {', '.join(self)}>"


class Kernel:
    """One function of a program: read once, bound to any number of launches, from any number of threads."""

    def __init__(self, program: Program, pointer: Any) -> None:
        self.program, self.context, self.pointer = program, program.context, pointer
        self._idle: List[Launch] = []
        self._info: Optional[Dict[str, Any]] = None

    def launch(self, grid: Any = None, block: Any = None, shared: Optional[int] = None, registers: int = 0,
               arguments: Optional[Mapping[Any, Any]] = None, **named: Any) -> "Launch":
        """A launch: blocks, threads of a block, dynamic shared bytes; arguments by name or position.

        `kernel.launch(grid=64, block=256, n=1 << 20)`; names that are no identifiers, and positions, in `arguments`:
        {3: 4096, "p.align": 16, "taken@f.cu:12": 0.3}.  Pointers need no value."""
        launch = Launch(self)
        launch.set(grid, block, shared, registers, {**(arguments or {}), **named})
        return launch

    def info(self) -> Dict[str, Any]:
        """Registers, shared memory, arguments and the like: of the compiler, or estimated."""
        if self._info is None:
            launch = Launch(self)  # whose row it is, while it lives
            row = lib.fw_worker_kernel(launch.pointer)
            self._info = {
                "name": text(row.name), "entry": text(row.entry), "file": text(row.file), "language": text(row.language),
                "layer": text(row.layer), "compiler": text(row.compiler), "target": text(row.target),
                "registers": row.registers, "registers_source": text(row.registers_source),
                "static_shared": row.static_shared, "dynamic_shared": bool(row.dynamic_shared),
                "local_bytes": row.local_bytes, "required_block": list(row.required_block),
                "arguments": [{"name": text(one.name), "type": text(one.type), "position": one.position,
                               "bytes": one.bytes, "is_pointer": bool(one.is_pointer)}
                              for one in row.arguments[0:row.argument_count]]}
        return dict(self._info)

    @property
    def name(self) -> str:
        return str(self.info()["name"])

    @property
    def arguments(self) -> List[Dict[str, Any]]:
        return list(self.info()["arguments"])

    def predict_many(self, device: Any, grid: Any = None, block: Any = None, shared: Any = None,
                     arguments: Optional[Mapping[Any, Any]] = None, quantities: Sequence[str] = (),
                     models: Optional[str] = None, cold: bool = False, threads: int = 1, errors: str = "raise",
                     **named: Any) -> Table:
        """Thousands of launches in one call, without the GIL: what is an array varies, the rest is for all.

        grid, block: numbers, or arrays of n, n x 2 or n x 3; arguments: values or arrays of n.  Gives columns: seconds,
        overhead_seconds, low, high, watts, joules, occupancy, waves, limiter, status, and the quantities by their keys
        ("dram_read_bytes").  errors: "raise", or "nan" for rows that fail; threads: that share the rows."""
        return predict_many(self, self.context.device(device), grid, block, shared, {**(arguments or {}), **named},
                            list(quantities), models, cold, threads, errors)

    def features_many(self, names: Sequence[str], device: Any = None, grid: Any = None, block: Any = None, shared: Any = None,
                      arguments: Optional[Mapping[Any, Any]] = None, cold: bool = False,
                      errors: str = "raise", **named: Any) -> Table:
        """Features at each of many launches, as `predict_many` takes them: a column each."""
        found = self.context.device(device) if device is not None else None
        return features_many(self, list(names), found, grid, block, shared, {**(arguments or {}), **named}, cold, errors)

    def __repr__(self) -> str:
        return f"<Kernel {self.name} of {self.program.name}>"


def bindings(arguments: Mapping[Any, Any]) -> Iterator[str]:
    """Arguments as fw_worker_bind takes them."""
    for name, value in arguments.items():
        if isinstance(value, str):
            yield f"{name}={value}"
        elif isinstance(value, bool):
            yield f"{name}={int(value)}"
        elif hasattr(value, "__index__"):
            yield f"{name}={value.__index__()}"
        else:
            yield f"{name}={float(value)!r}"


class Launch:
    """A kernel bound to sizes and values.  Questions of one launch wait for each other."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel, self.context = kernel, kernel.context
        out = ffi.new("struct fw_worker **")
        with kernel.program.lock:
            self.context.call(lib.fw_worker_new, out, kernel.program.pointer, kernel.pointer)
        self.pointer = out[0]
        self.handle = Handle(out[0], lib.fw_worker_free, kernel.program.handle)
        self.lock = threading.Lock()
        self.places: Dict[str, int] = {}
        """Positions of arguments that an adapter knows by names, and the PTX does not."""

    def set(self, grid: Any = None, block: Any = None, shared: Optional[int] = None, registers: int = 0,
            arguments: Mapping[Any, Any] = {}) -> "Launch":
        """What is stated, instead of what was."""
        with self.lock:
            if block is not None:
                lib.fw_worker_set_block(self.pointer, *triple(block, 1))
            if grid is not None:
                lib.fw_worker_set_grid(self.pointer, *triple(grid, 1))
            if shared is not None:
                lib.fw_worker_set_shared(self.pointer, shared)
            if registers:
                lib.fw_worker_set_registers(self.pointer, registers)
            named = {self.places.get(str(name), name): value for name, value in arguments.items()}
            for one in bindings(named):
                self.context.call(lib.fw_worker_bind, self.pointer, chars(one))
        return self

    def _ask(self, kind: Type[Some], function: Any, *given: Any, first: bool = False) -> Some:
        out, made = ffi.new("struct fw_answer const **"), ffi.new("char **")
        arguments = [one if isinstance(one, ffi.CData) else one.pointer for one in given]  # `given` keeps them alive
        with self.lock:
            self.context.call(function, out, self.pointer, *arguments)
            texts = []
            for form in (1, 0):
                options = Structure("fw_render_options", format=form, quantities_first=first)
                self.context.call(lib.fw_answer_render, made, out[0], options.pointer)
                found = ffi.string(made[0]).decode("utf-8", "replace")
                lib.fw_text_free(made[0])
                texts.append(found)
        return kind(*texts)

    def count(self, symbolic: bool = False, assumptions: Optional[str] = None, **more: Any) -> Counts:
        """Operations, accesses and barriers; symbolic: as functions of what is not bound, too."""
        settings = Structure("fw_count_settings", symbolic=symbolic, assumptions=assumptions, **more)
        return self._ask(Counts, lib.fw_worker_count, settings)

    def _predict(self, models: Optional[str], cold: bool, clock: float, calibration: Any, emulate: Any) -> Structure:
        settings = Structure("fw_predict_settings", models=models, cold=cold, clock=clock, calibration=calibration)
        if emulate is not None and emulate is not False:
            options = {} if emulate is True else dict(emulate)
            inner = Structure("fw_emulate_settings", **options)
            settings.keep.append(inner)
            settings.set("emulate", inner.pointer)
        return settings

    def predict(self, device: Any, models: Optional[str] = None, cold: bool = False, clock: float = 0,
                calibration: Any = None, emulate: Union[bool, Mapping[str, Any], None] = None) -> Prediction:
        """Seconds, watts and joules on a device.

        models: names between commas, None for the best that can answer; clock: hertz; calibration: path, of the model
        cost; emulate: True, or {"arguments": ["p=f32[1M]:random"], "blocks": 64}, to run a few blocks first."""
        settings = self._predict(models, cold, clock, calibration, emulate)
        return self._ask(Prediction, lib.fw_worker_predict, self.context.device(device), settings)

    def traffic(self, device: Any, cold: bool = False, emulate: Union[bool, Mapping[str, Any], None] = None) -> Traffic:
        """What crosses each level of the memory hierarchy."""
        settings = self._predict("traffic", cold, 0, None, emulate)
        return self._ask(Traffic, lib.fw_worker_predict, self.context.device(device), settings, first=True)

    def emulate(self, arguments: Sequence[str] = (), every: int = 0, blocks: int = 0, limit: int = 0, seed: int = 0) -> Counts:
        """Runs the launch on this CPU and counts what executed; arguments: "p=f32[1M]:random", see forewarp(1)."""
        settings = Structure("fw_emulate_settings", arguments=list(arguments), every=every, blocks=blocks, limit=limit,
                             seed=seed)
        return self._ask(Counts, lib.fw_worker_emulate, settings)

    def features(self, names: Sequence[str] = (), device: Any = None, cold: bool = False) -> Features:
        """Features by name; none: all that the kernel has."""
        settings = Structure("fw_feature_settings", names=list(names), cold=cold)
        found = self.context.device(device) if device is not None else ffi.NULL
        return self._ask(Features, lib.fw_worker_features, found, settings)

    def trace(self, device: Any = None, columns: int = 0) -> Answer:
        """What a warp executes, in order."""
        settings = Structure("fw_trace_settings", columns=columns)
        found = self.context.device(device) if device is not None else ffi.NULL
        return self._ask(Answer, lib.fw_worker_trace, found, settings)
