"""Loopy: a kernel of loopy as a text of forewarp's kernel language (.knl), counted from its domains.

    program = forewarp.parse(forewarp.loopy.knl(kernel), "knl")
    program.kernel().launch(n=1024).count()

Tested with loopy 2025.2.  Statements, reductions, predicates, temporaries and the tags of parallel and unrolled loops are
taken; C instructions, calls of callables and data-dependent loops are refused by name."""
from __future__ import annotations

import re
from typing import Any, List


class Unsupported(Exception):
    """What the kernel language has no word for."""


def _mapper() -> Any:
    from loopy.symbolic import StringifyMapper
    from pymbolic.mapper.stringifier import PREC_NONE

    class Mapper(StringifyMapper):  # type: ignore[misc]
        """Expressions in the kernel language's words."""

        def map_if(self, expr: Any, enclosing_prec: Any, *args: Any) -> str:
            parts = (self.rec(one, PREC_NONE) for one in (expr.condition, expr.then, expr.else_))
            return f"if({', '.join(parts)})"

        def map_type_cast(self, expr: Any, enclosing_prec: Any, *args: Any) -> str:
            return f"cast({_type(expr.type)}, {self.rec(expr.child, PREC_NONE)})"

        def map_reduction(self, expr: Any, enclosing_prec: Any, *args: Any) -> str:
            name = str(expr.operation)
            if name not in ("sum", "product", "min", "max"):
                raise Unsupported(f"the reduction {name}")
            return f"reduce({name}, [{', '.join(expr.inames)}], {self.rec(expr.expr, PREC_NONE)})"

        def map_call(self, expr: Any, enclosing_prec: Any, *args: Any) -> str:
            function = getattr(expr.function, "function", expr.function)
            name = getattr(function, "name", str(function))
            return f"{name}({', '.join(self.rec(one, PREC_NONE) for one in expr.parameters)})"

    return Mapper()


def _type(dtype: Any) -> str:
    kind = getattr(dtype, "numpy_dtype", dtype)
    if kind is None or getattr(kind, "kind", "c") not in "iuf":
        raise Unsupported(f"the type {dtype}")
    return {"i": "s", "u": "u", "f": "f"}[kind.kind] + str(8 * kind.itemsize)


def _space(space: Any) -> str:
    name = str(getattr(space, "name", space)).lower()
    return " shared" if "local" in name else " private" if "private" in name else ""


def _tags(names: Any) -> List[str]:
    from loopy.kernel.data import ForceSequentialTag, GroupInameTag, LocalInameTag, UnrollTag, VectorizeTag
    lines = []
    for name, about in sorted(names.items()):
        for tag in about.tags:
            kinds = ((GroupInameTag, "block"), (LocalInameTag, "thread"))
            word = next((f"{word}.{tag.axis}" for kind, word in kinds if isinstance(tag, kind)), None)
            word = word or ("unroll" if isinstance(tag, (UnrollTag, VectorizeTag)) else None)
            word = word or ("sequential" if isinstance(tag, ForceSequentialTag) else None)
            if word is None:
                raise Unsupported(f"the tag {tag} of {name}")
            lines.append(f"tag {name} {word} unordered")
    return lines


def knl(kernel: Any) -> str:
    """The kernel as a text that `forewarp.parse(text, "knl")` takes; raises Unsupported."""
    import loopy
    if hasattr(kernel, "default_entrypoint"):
        kernel = loopy.infer_unknown_types(kernel, expect_completion=False).default_entrypoint
    write = _mapper()
    lines = [f"kernel {kernel.name}"]
    for domain in kernel.domains:
        lines.append(f"domain {domain}")
    condition = re.search(r"\{\s*:(.*)\}\s*$", str(kernel.assumptions))
    if condition and condition.group(1).strip():
        lines.append(f"assume {condition.group(1).strip()}")
    parameters = {name for domain in kernel.domains for name in domain.get_var_names(_parameter())}
    for argument in kernel.args:
        if argument.name in parameters:
            continue
        shape = getattr(argument, "shape", None)
        extents = f"[{', '.join(write(one) for one in shape)}]" if shape else ""
        column = ""
        if shape and len(shape) > 1:
            levels = [getattr(tag, "layout_nesting_level", None) for tag in argument.dim_tags]
            if levels == sorted(levels, key=str):
                column = " column"
            elif levels != sorted(levels, key=str, reverse=True):
                raise Unsupported(f"the strides of {argument.name}")
        lines.append(f"array {argument.name}: {_type(argument.dtype)}{extents}{column}")
    for name, temporary in sorted(kernel.temporary_variables.items()):
        extents = f"[{', '.join(write(one) for one in temporary.shape)}]" if temporary.shape else ""
        lines.append(f"temporary {name}: {_type(temporary.dtype)}{extents}{_space(temporary.address_space)}")
    for rule in kernel.substitutions.values():
        lines.append(f"{rule.name}({', '.join(rule.arguments)}) := {write(rule.expression)}")
    known = {one.id for one in kernel.instructions if hasattr(one, "assignee")}
    for one in kernel.instructions:
        if not hasattr(one, "assignee"):
            if "Barrier" in type(one).__name__ or "NoOp" in type(one).__name__:
                continue  # the kernel language says by itself where threads wait
            raise Unsupported(f"the instruction {one.id}, a {type(one).__name__}")
        options = [f"id={one.id}"]
        waits = sorted(known & set(one.depends_on))
        options += [f"dep={':'.join(waits)}"] if waits else []
        options.append(f"inames={':'.join(sorted(one.within_inames))}")
        for predicate in sorted(one.predicates, key=str):
            lines.append(f"if {write(predicate)}")
        lines.append(f"{write(one.assignee)} = {write(one.expression)} {{{', '.join(options)}}}")
        lines += ["end"] * len(one.predicates)
    return "\n".join(lines + _tags(kernel.inames)) + "\n"


def _parameter() -> Any:
    import islpy
    return islpy.dim_type.param
