"""CuPy: sources of RawKernel and RawModule, with name expressions, without CuPy and without a GPU.

    module = forewarp.cupy.RawModule(code=source, name_expressions=["axpy<float, 4>"])
    module.get_function("axpy<float, 4>").launch(grid=64, block=256, arguments={2: 1 << 20}).predict("h200")"""
from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Sequence

from . import Context, Kernel, default_context


def definitions(options: Sequence[str]) -> Dict[str, Any]:
    """-D, -I and --std of CuPy's options, as `read` takes them; others concern the machine code and are left out."""
    found: Dict[str, Any] = {"defines": [], "includes": []}
    words = iter(options)
    for word in words:
        for flag, name in (("-D", "defines"), ("-I", "includes"), ("--define-macro=", "defines"),
                           ("--include-path=", "includes")):
            if word == flag:
                found[name].append(next(words))
            elif word.startswith(flag):
                found[name].append(word[len(flag):])
        if re.match(r"-?-std=", word):
            found["standard"] = word.split("=", 1)[1]
    return found


class RawModule:
    """Takes what cupy.RawModule takes."""

    def __init__(self, code: str, options: Sequence[str] = (), name_expressions: Optional[Sequence[str]] = None,
                 device: Any = "h200", context: Optional[Context] = None) -> None:
        self.code, self.options, self.name_expressions = code, tuple(options), list(name_expressions or [])
        self.device, self.context = device, context or default_context()
        self._kernels: Dict[str, Kernel] = {}

    def get_function(self, name: str) -> Kernel:
        """The kernel of this name, or name expression: a template is instantiated for it."""
        if name not in self._kernels:
            text, template = self.code, "<" in name
            if template:
                # What CUDA's runtime compiler does of a name expression: a use of the kernel's address.
                text += f"\nextern void const *const forewarp_instance;\nvoid const *const forewarp_instance = (void const *)&{name};\n"
            program = self.context.parse(text, "cuda", name="module.cu", device=self.device, **definitions(self.options))
            base = name.split("<")[0].split("::")[-1].strip()
            own = [one for one in program if one == name or re.search(rf"(?<!\d){len(base)}{base}{'I' if template else ''}", one)]
            if len(own) != 1:
                raise KeyError(f"{name} names {len(own)} kernels of the module: it has {', '.join(program)}")
            self._kernels[name] = program.kernel(own[0])
        return self._kernels[name]


def RawKernel(code: str, name: str, options: Sequence[str] = (), **more: Any) -> Kernel:
    """Takes what cupy.RawKernel takes."""
    return RawModule(code, options, **more).get_function(name)
