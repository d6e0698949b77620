"""The shared library beside this file, and structures for it."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Sequence

from ._abi import ffi

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "data")
lib = ffi.dlopen(os.path.join(HERE, "lib", "libforewarp.so"))


def text(pointer: Any) -> Optional[str]:
    """A C text; None for NULL."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def take_text(pointer: Any) -> str:
    """A C text that the caller owns."""
    try:
        return text(pointer[0]) or ""
    finally:
        lib.fw_text_free(pointer[0])


def chars(value: Any) -> Any:
    """A path or text as C takes it."""
    encoded = os.fsencode(value)
    if b"\0" in encoded:
        raise ValueError("a text with a zero byte")
    return ffi.new("char[]", encoded)


class Structure:
    """A structure of settings, by its members' names; it keeps alive what it points to."""

    def __init__(self, name: str, **members: Any) -> None:
        self.pointer = ffi.new(f"struct {name} *")
        self.keep: List[Any] = []
        self.fields: Dict[str, Any] = dict(ffi.typeof(f"struct {name}").fields)
        self.name = name
        if "size" in self.fields:
            self.pointer.size = ffi.sizeof(f"struct {name}")
        for member, value in members.items():
            if value is not None:
                self.set(member, value)

    def set(self, member: str, value: Any) -> None:
        field = self.fields.get(member)
        if field is None:
            raise TypeError(f"{self.name} has no member {member}")
        kind = field.type
        if isinstance(value, ffi.CData):
            self.keep.append(value)
            setattr(self.pointer, member, value)
        elif kind.kind == "pointer" and kind.item.kind == "pointer":
            self.set_texts(member, value)
        elif kind.kind == "pointer":
            self.keep.append(chars(value))
            setattr(self.pointer, member, self.keep[-1])
        elif kind.kind == "array":
            for axis, number in enumerate(triple(value, 1)):
                getattr(self.pointer, member)[axis] = number
        else:
            setattr(self.pointer, member, value)

    def set_texts(self, member: str, values: Sequence[Any]) -> None:
        if isinstance(values, (str, bytes, os.PathLike)):
            values = [values]
        texts = [chars(value) for value in values]
        self.keep += [texts, ffi.new("char *[]", texts)]
        setattr(self.pointer, member, ffi.cast("char const *const *", self.keep[-1]))
        counts = [f"{member}_count", f"{member[:-1]}_count", f"{member[:-2]}_count", f"{member[:-3]}y_count"]
        for count in counts + ["count"] * (member == "names"):
            if count in self.fields:
                setattr(self.pointer, count, len(texts))
                return
        raise TypeError(f"{self.name} has no count of {member}")


def triple(value: Any, rest: int) -> List[int]:
    """One to three whole numbers as three."""
    numbers = [value] if not hasattr(value, "__iter__") else list(value)
    if not 1 <= len(numbers) <= 3:
        raise ValueError(f"one to three numbers, not {len(numbers)}")
    return [int(number) for number in numbers] + [rest] * (3 - len(numbers))
