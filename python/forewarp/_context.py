"""Contexts: where data lies; programs, devices, rankings and fits by them."""
from __future__ import annotations

import contextlib
import json
import os
import threading
import warnings
import weakref
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from ._answers import Answer, Counts, Ranking
from ._errors import BY_STATUS, Diagnostic, Error, ForewarpWarning
from ._library import DATA, Structure, chars, ffi, lib, take_text, text

if TYPE_CHECKING:
    from ._kernels import Program

PathLike = Union[str, "os.PathLike[str]"]
SEVERITIES = "note", "warning", "error"
LANGUAGES = {None: 0, "ptx": 1, "cuda": 2, "cu": 2, "opencl": 3, "cl": 3, "knl": 4, "json": 5}
PTXAS = {"auto": 0, "always": 1, "never": 2}


class _Messages(threading.local):
    """Messages of this thread's call; those of the library's own threads come to `strays`."""

    def __init__(self, strays: List[Diagnostic]) -> None:
        self.strays = strays
        self.heard: Optional[List[Diagnostic]] = None


class Feature:
    """A feature of one's own for cost models: a function of the counts of a launch."""

    def __init__(self, function: Callable[[Counts], float], name: str, granularity: str = "launch", unit: str = "") -> None:
        self.function, self.name, self.granularity, self.unit = function, name, granularity, unit


def feature(name: str, granularity: str = "launch", unit: str = "") -> Callable[[Callable[[Counts], float]], Feature]:
    """Makes a function a feature, for `Context(features=[...])`: its name begins with "f_"."""
    return lambda function: Feature(function, name, granularity, unit)


def default_cache() -> Optional[str]:
    """The folder of compiled kernels that the program forewarp uses, too."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(base):
        return os.path.join(base, "forewarp")
    home = os.environ.get("HOME", "")
    return os.path.join(home, ".cache", "forewarp") if os.path.isabs(home) else None


def _free_one(free: Callable[[Any], None], pointer: Any, parents: Tuple[Any, ...]) -> None:
    free(pointer)


class Handle:
    """Owns what the library made; the parents outlive it."""

    def __init__(self, pointer: Any, free: Callable[[Any], None], *parents: Any) -> None:
        self.pointer = pointer
        self._free = weakref.finalize(self, _free_one, free, pointer, parents)


class Context:
    """Where profiles, models and compiled kernels lie, and the limits of questions.  May be used from any thread.

    data: a folder with profiles/ and models/ ($FOREWARP_DATA, else what comes with the package); cache: a folder for
    compiled kernels, None for none ("": the user's); memory: bytes that one program or launch may take (0: 4 GiB);
    question_seconds: of processor time that one question may take (0: 10, negative: no limit); features: of one's own."""

    def __init__(self, data: Optional[PathLike] = None, cache: Optional[PathLike] = "", memory: int = 0,
                 question_seconds: float = 0, run_seconds: float = 0, features: Sequence[Feature] = ()) -> None:
        folder = os.fspath(data) if data is not None else os.environ.get("FOREWARP_DATA") or DATA
        own = os.path.join(folder, "compile")
        headers = own if os.path.isdir(own) else os.path.join(folder, "data", "compile")
        if not os.path.isdir(headers):
            headers = os.path.join(DATA, "compile")
        kept = default_cache() if cache == "" else cache
        strays: List[Diagnostic] = []
        messages = _Messages(strays)
        self._messages, self._strays, self._many = messages, strays, threading.Lock()

        def hear(user: Any, message: Any) -> None:
            heard = messages.heard if messages.heard is not None else strays
            if len(heard) < 1000:
                heard.append(Diagnostic(SEVERITIES[message.severity], text(message.code) or "", text(message.text) or "",
                                        text(message.file), message.line, message.column, text(message.rendered) or ""))

        callback = ffi.callback("void(void *, struct fw_message const *)", hear)
        options = Structure("fw_context_options", data=folder, headers=headers, cache=kept, memory=memory,
                            question_seconds=question_seconds, run_seconds=run_seconds, message=callback)
        callbacks = [self._own_feature(one) for one in features]
        if features:
            rows = ffi.new("struct fw_own_feature[]", len(features))
            for row, one, function in zip(rows, features, callbacks):
                options.keep += [chars(one.name), chars(one.granularity), chars(one.unit or "1")]
                row.name, row.granularity, row.unit = options.keep[-3:]
                row.value = function
            options.set("features", rows)
            options.pointer.feature_count = len(features)
        out = ffi.new("struct fw_context **")
        self.check(lib.fw_context_new(out, options.pointer))
        self.handle = Handle(out[0], lib.fw_context_free, callback, callbacks)
        self.pointer = out[0]

    @staticmethod
    def _own_feature(one: Feature) -> Any:
        def value(user: Any, counted: Any) -> float:
            out = ffi.new("char **")
            options = Structure("fw_render_options", format=1)
            if lib.fw_answer_render(out, counted, options.pointer):
                return float("nan")
            return float(one.function(Counts(take_text(out))))
        return ffi.callback("double(void *, struct fw_answer const *)", value, error=float("nan"))

    @contextlib.contextmanager
    def _listening(self, many: bool) -> Iterator[List[Diagnostic]]:
        before, self._messages.heard = self._messages.heard, []
        if many:
            self._many.acquire()
            del self._strays[:]
        try:
            yield self._messages.heard
            if many:
                self._messages.heard.extend(self._strays)
        finally:
            if many:
                self._many.release()
            self._messages.heard = before

    def check(self, status: int, heard: Sequence[Diagnostic] = ()) -> None:
        """Raises what a status stands for; warns of warnings."""
        if status:
            raise BY_STATUS.get(status, Error)(heard, f"status {status}")
        for one in heard:
            if one.severity == "warning":
                warnings.warn(str(one), ForewarpWarning, stacklevel=4)

    def call(self, function: Callable[..., int], *arguments: Any, many: bool = False) -> None:
        """Calls a function of the library; raises with its diagnostics.  many: it works on threads of its own."""
        with self._listening(many) as heard:
            status = function(*arguments)
        self.check(status, heard)

    def text_of(self, function: Callable[..., int], *arguments: Any, many: bool = False) -> str:
        """The text that a function gives through its first parameter."""
        out = ffi.new("char **")
        self.call(function, out, *arguments, many=many)
        return take_text(out)

    # ---- programs ----

    def _options(self, language: Optional[str], device: Any, defines: Any, includes: Sequence[PathLike], ptxas: str,
                 more: Mapping[str, Any]) -> Structure:
        if language not in LANGUAGES:
            raise ValueError(f"language is one of {', '.join(str(one) for one in LANGUAGES)}, not {language}")
        if ptxas not in PTXAS:
            raise ValueError(f"ptxas is one of {', '.join(PTXAS)}, not {ptxas}")
        if isinstance(defines, Mapping):
            defines = [f"{name}={value}" for name, value in defines.items()]
        capability = self.device(device).capability if device is not None else 0
        options = Structure("fw_program_options", language=LANGUAGES[language], ptxas=PTXAS[ptxas], capability=capability,
                            defines=list(defines), includes=list(includes))
        if capability:
            options.set("target", capability)
        for name, value in more.items():
            options.set(name, value)
        return options

    def read(self, path: PathLike, language: Optional[str] = None, device: Any = None,
             defines: Union[Mapping[str, Any], Sequence[str]] = (), includes: Sequence[PathLike] = (),
             ptxas: str = "auto", **more: Any) -> "Program":
        """A program from a file: PTX, CUDA C++, OpenCL C, the kernel language, address expressions.

        language: None by the suffix, else "ptx", "cuda", "opencl", "knl", "json"; device: that code is made for;
        more: standard, target, compiler, compile_seconds, coarsening, as in forewarp.h."""
        from ._kernels import Program
        options = self._options(language, device, defines, includes, ptxas, more)
        out = ffi.new("struct fw_program **")
        self.call(lib.fw_program_read, out, self.pointer, chars(path), options.pointer)
        return Program(self, out[0], os.fspath(path))

    def parse(self, source: Union[str, bytes, Mapping[str, Any]], language: Optional[str] = None, name: Optional[str] = None,
              device: Any = None, defines: Union[Mapping[str, Any], Sequence[str]] = (),
              includes: Sequence[PathLike] = (), ptxas: str = "auto", **more: Any) -> "Program":
        """A program from text; a dict is a kernel as address expressions.  name: what diagnostics call it."""
        from ._kernels import Program
        if isinstance(source, Mapping):
            source, language = json.dumps(source), "json"
        content = source.encode() if isinstance(source, str) else bytes(source)
        options = self._options(language, device, defines, includes, ptxas, more)
        out = ffi.new("struct fw_program **")
        self.call(lib.fw_program_parse, out, self.pointer, chars(name or f"text.{language or 'ptx'}"), content, len(content),
                  options.pointer)
        return Program(self, out[0], name or "text")

    def read_many(self, paths: Sequence[PathLike], options: Sequence[Mapping[str, Any]] = (),
                  workers: int = 0) -> List[Union["Program", Error]]:
        """Many programs, read on `workers` threads (0: one a processor); one that fails is its Error.

        options: keywords of `read`, one dict a path; none: for all as they are without."""
        from ._kernels import Program
        items = ffi.new("struct fw_program_item[]", len(paths))
        keep: List[Any] = []
        defaults: Dict[str, Any] = {"language": None, "device": None, "defines": (), "includes": (), "ptxas": "auto"}
        for index, path in enumerate(paths):
            more = {**defaults, **(options[index] if options else {})}
            language, device, defines, includes, ptxas = (more.pop(name) for name in defaults)
            made = self._options(language, device, defines, includes, ptxas, more)
            keep += [made, chars(path)]
            items[index].path, items[index].options = keep[-1], made.pointer
        with self._listening(True) as heard:
            lib.fw_program_read_many(items, len(paths), self.pointer, workers)
        programs: List[Union["Program", Error]] = []
        for item, path in zip(items, paths):
            if item.status:
                own = [one for one in heard if one.file == os.fspath(path)] or heard
                programs.append(BY_STATUS.get(item.status, Error)(own, f"status {item.status}"))
            else:
                programs.append(Program(self, item.program, os.fspath(path)))
        return programs

    # ---- devices ----

    def device(self, device: Union[str, PathLike, "Device"]) -> "Device":
        """A device by its name, what is otherwise behind it ("h200:multiprocessors=66"), or the path of a profile."""
        if isinstance(device, Device):
            return device
        out = ffi.new("struct fw_device **")
        self.call(lib.fw_context_device, out, self.pointer, chars(device))
        return Device(self, out[0])

    def blank_device(self, name: str) -> "Device":
        """A device of which nothing is known but a name: for calibrated models."""
        out = ffi.new("struct fw_device **")
        self.call(lib.fw_context_device_blank, out, self.pointer, chars(name))
        return Device(self, out[0])

    def devices(self) -> List[Dict[str, Any]]:
        """The profiles that there are."""
        found = json.loads(self.text_of(lib.fw_context_device_list, self.pointer, True))
        return list(found["devices"] if isinstance(found, dict) else found)

    # ---- rankings, fits ----

    def rank(self, path: PathLike, device: Any, vary: Union[Mapping[str, Any], Sequence[str]] = (), kernel: Optional[str] = None,
             arguments: Optional[Mapping[str, Any]] = None, models: Optional[str] = None, cold: bool = False, workers: int = 0,
             program: Optional[Mapping[str, Any]] = None, **more: Any) -> Ranking:
        """One kernel over all combinations of what varies: {"block": ["256x1x1", "32x8x1"], "-DTILE": [16, 32]}.

        arguments: values for all; program: keywords of `read`; more: domain, grid, block, shared, most, registers and
        what else struct fw_rank_settings has, as in forewarp.h."""
        if isinstance(vary, Mapping):
            vary = [f"{name}={','.join(str(one) for one in values)}" for name, values in vary.items()]
        predict = Structure("fw_predict_settings", models=models, cold=cold)
        settings = Structure("fw_rank_settings", path=path, kernel=kernel, vary=list(vary), workers=workers,
                             bindings=[f"{name}={value}" for name, value in (arguments or {}).items()],
                             predict=predict.pointer)
        found = self.device(device)
        settings.set("device", found.pointer)
        keywords = {"language": None, "device": found, "defines": (), "includes": (), "ptxas": "auto", **(program or {})}
        language, known, defines, includes, ptxas = (
            keywords.pop(name) for name in ("language", "device", "defines", "includes", "ptxas"))
        options = self._options(language, known, defines, includes, ptxas, keywords)
        settings.set("options", options.pointer)
        for name, value in more.items():
            settings.set(name, value)
        out = ffi.new("struct fw_ranking **")
        self.call(lib.fw_context_rank, out, self.pointer, settings.pointer, many=True)
        try:
            answers = [self.text_of(lib.fw_ranking_render, out[0], 0,
                                    Structure("fw_render_options", format=form).pointer) for form in (1, 0)]
        finally:
            lib.fw_ranking_free(out[0])
        return Ranking(*answers)

    def calibrate(self, model: PathLike, table: Optional[PathLike] = None, output: Optional[PathLike] = None,
                  **more: Any) -> Answer:
        """Fits a cost model's parameters to a table; the calibration is written to `output` and is `answer.calibration`.

        more: launches, measured, store, campaign, held_out, overlap, device, starts, non_negative."""
        settings = Structure("fw_calibrate_settings", model=model, table=table, json=True, **more)
        out, made = ffi.new("char **"), ffi.new("char **")
        self.call(lib.fw_context_calibrate, out, made, self.pointer, settings.pointer)
        answer = Answer(take_text(out))
        answer.kind = "Calibration"
        answer.calibration = take_text(made)  # type: ignore[attr-defined]
        if output is not None:
            with open(output, "w", encoding="utf-8") as file:
                file.write(answer.calibration)  # type: ignore[attr-defined]
        return answer

    def evaluate(self, calibration: PathLike, table: PathLike, **more: Any) -> Answer:
        """What a calibration says of the rows of a table."""
        settings = Structure("fw_calibrate_settings", model=calibration, table=table, json=True, **more)
        return Answer(self.text_of(lib.fw_context_evaluate_calibration, self.pointer, settings.pointer))

    def train(self, launches: Sequence[PathLike], measured: Sequence[PathLike], device: Any, trees: int = 0, c: bool = False,
              judged: Sequence[PathLike] = ()) -> bytes:
        """Trains the model forest of a device: the bytes of its file, or C without dependencies."""
        found = self.device(device)
        settings = Structure("fw_train_settings", launches=list(launches), device=found.pointer,
                             trees=trees, c=c)
        for name, paths in (("measured", measured), ("judged", judged)):
            texts = [chars(path) for path in paths]
            settings.keep += [texts, ffi.new("char *[]", texts)]
            setattr(settings.pointer, name, ffi.cast("char const *const *", settings.keep[-1]))
            setattr(settings.pointer, f"{name}_count", len(texts))
        out, length = ffi.new("char **"), ffi.new("size_t *")
        self.call(lib.fw_context_train, out, length, self.pointer, settings.pointer)
        try:
            return bytes(ffi.buffer(out[0], length[0]))
        finally:
            lib.fw_text_free(out[0])

    def feature_list(self) -> Dict[str, Any]:
        """The kinds of features that there are."""
        return dict(json.loads(self.text_of(lib.fw_context_feature_list, self.pointer, True)))


class Device:
    """A profile of a GPU."""

    def __init__(self, context: Context, pointer: Any) -> None:
        self.context, self.pointer = context, pointer
        self.handle = Handle(pointer, lib.fw_context_device_free, context.handle)

    @property
    def name(self) -> str:
        return text(lib.fw_context_device_name(self.pointer)) or ""

    @property
    def capability(self) -> int:
        """10 * major + minor; 0: the profile does not say."""
        return int(lib.fw_context_device_capability(self.pointer))

    def properties(self) -> Dict[str, Any]:
        """The profile, with every property's unit and source."""
        shown = self.context.text_of(lib.fw_context_device_show, self.context.pointer, self.pointer, True)
        return dict(json.loads(shown))

    def __str__(self) -> str:
        return self.context.text_of(lib.fw_context_device_show, self.context.pointer, self.pointer, False)

    def __repr__(self) -> str:
        return f"<Device {self.name}>"


_default: List[Context] = []
_lock = threading.Lock()


def default_context() -> Context:
    """The context of the functions of the module, made when it is first needed."""
    with _lock:
        if not _default:
            _default.append(Context())
        return _default[0]
