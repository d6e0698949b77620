"""PyTorch Inductor: the Triton kernels of its generated code (TORCH_LOGS=output_code), without PyTorch.

    for kernel in forewarp.inductor.read("output_code.py"):
        print(kernel.name, kernel.predict({"xnumel": 1 << 20}, device="h200").seconds)

A kernel is compiled as Triton's (forewarp.triton), so that the code in the file is executed as Python: read no file that
you would not run.  Pointwise kernels and reductions over a grid of XBLOCK, YBLOCK and ZBLOCK are known; the blocks are those
of `config`, or a plain choice.  PyTorch's helpers of Triton (triton_helpers) are those of _inductor_helpers.py."""
from __future__ import annotations

import ast
import os
import re
import sys
import tempfile
import types
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from . import Context, Prediction
from . import triton as adapter

DEFAULTS = {"XBLOCK": 1024, "YBLOCK": 16, "ZBLOCK": 1, "R0_BLOCK": 1024, "R1_BLOCK": 1, "RBLOCK": 1024}
TENSOR = re.compile(r"^\*")


@dataclass
class Kernel:
    """One kernel of the generated code."""

    name: str
    source: str = field(repr=False)
    heuristic: str
    """"pointwise", "reduction", "persistent_reduction", ..."""
    signature: Dict[str, str]
    size_hints: Dict[str, int]
    _function: Any = field(default=None, repr=False)

    def function(self) -> Any:
        """The kernel as Triton's own, made by executing the source."""
        if self._function is None:
            self._function = _execute(self.name, self.source)
        return self._function

    def predict(self, sizes: Mapping[str, int] = {}, device: Any = "h200", config: Optional[Mapping[str, int]] = None,
                models: Optional[str] = None, context: Optional[Context] = None) -> Prediction:
        """sizes: of xnumel and the like; config: XBLOCK and the like, num_warps, num_stages."""
        chosen = dict(config or {})
        options = {name: chosen.pop(name) for name in adapter.OPTIONS if name in chosen}
        options.setdefault("num_warps", 4)
        function = self.function()
        arguments: Dict[str, Any] = {}
        for name, kind in self.signature.items():
            if TENSOR.match(kind):
                arguments[name] = adapter.Tensor(kind[1:])
            elif kind != "constexpr":
                arguments[name] = sizes[name] if name in sizes else self._hint(name)
        constants = [one.name for one in function.params if one.is_constexpr]
        plain = {**DEFAULTS, "XBLOCK": 1} if "reduction" in self.heuristic else DEFAULTS
        arguments.update({name: chosen.get(name, sizes.get(name, plain.get(name, 1))) for name in constants})
        grid = [-(-arguments[f"{axis}numel"] // arguments.get(f"{axis.upper()}BLOCK", 1))
                for axis in "xyz" if f"{axis}numel" in arguments]
        return adapter.predict(function, grid, device, options, models, context, **arguments)

    def _hint(self, name: str) -> int:
        axis = name.removesuffix("numel") if hasattr(name, "removesuffix") else name[:-5]
        if axis in self.size_hints:
            return self.size_hints[axis]
        raise TypeError(f"{self.name}: the size {name} is not stated")


def _literal(node: ast.AST, fallback: Any) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return fallback


def _members(call: ast.Call, name: str) -> Dict[str, Any]:
    """The entries of a dict that a decorator is called with, those alone that are literals."""
    for keyword in call.keywords:
        if keyword.arg == name and isinstance(keyword.value, ast.Dict):
            pairs = zip(keyword.value.keys, keyword.value.values)
            return {str(_literal(key, None)): _literal(value, None) for key, value in pairs if key is not None}
    return {}


def _kernel(name: str, source: str) -> Optional[Kernel]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef):
            continue
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).split(".")[0] in ("triton_heuristics", "heuristics"):
                signature = _members(decorator, "triton_meta").get("signature") or {}
                if any(isinstance(key, int) for key in signature):  # of older releases: by position
                    names = [one.arg for one in node.args.args]
                    signature = {names[key]: kind for key, kind in signature.items()}
                return Kernel(name, source, ast.unparse(decorator.func).split(".")[-1], signature, _members(decorator, "size_hints"))
    return None


def parse(code: str) -> List[Kernel]:
    """The kernels of generated code, in its order."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if (isinstance(node, ast.Call) and ast.unparse(node.func).endswith("async_compile.triton") and len(node.args) >= 2
                and all(isinstance(one, ast.Constant) for one in node.args[:2])):
            kernel = _kernel(node.args[0].value, node.args[1].value)  # type: ignore[attr-defined]
            if kernel is not None:
                found.append(kernel)
    if not found:
        kernel = _kernel("triton_", code)
        found = [kernel] if kernel is not None else []
    return found


def read(path: Union[str, "os.PathLike[str]"]) -> List[Kernel]:
    """The same from a file."""
    with open(path, encoding="utf-8") as file:
        return parse(file.read())


def _execute(name: str, source: str) -> Any:
    """The jitted function.  Imports and decorators of PyTorch's are left out where PyTorch is missing."""
    tree = ast.parse(source)
    body: List[ast.stmt] = []
    function = name
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            jits = [one for one in node.decorator_list if ast.unparse(one) in ("triton.jit", "triton.jit()")]
            if jits:
                node.decorator_list, function = [jits[0]], node.name
                body.append(node)
        elif isinstance(node, (ast.Import, ast.ImportFrom)) and "torch" not in ast.unparse(node):
            body.append(node)
    head = ("from triton.language.extra import libdevice\nfrom triton.language import math as tl_math\n"
            "from forewarp import _inductor_helpers as triton_helpers\n")
    text = head + "\n".join(ast.unparse(node) for node in body) + "\n"
    folder = tempfile.mkdtemp(prefix="forewarp-")
    path = os.path.join(folder, f"{function}.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    module = types.ModuleType(f"forewarp_inductor_{function}")
    module.__file__ = path
    sys.modules[module.__name__] = module
    try:
        exec(compile_source(text, path), module.__dict__)
        return _kept(module, function)
    finally:
        import shutil
        shutil.rmtree(folder, ignore_errors=True)


def compile_source(text: str, path: str) -> types.CodeType:
    """The file as Python code; its lines are kept for Triton, which reads the function's source."""
    import linecache
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    return compile(text, path, "exec")


def _kept(module: types.ModuleType, function: str) -> Any:
    return getattr(module, function)


__all__: Tuple[str, ...] = ("Kernel", "parse", "read")
