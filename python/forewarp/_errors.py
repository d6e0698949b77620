"""Diagnostics, and the exceptions that carry them."""
from __future__ import annotations

from typing import List, NamedTuple, Optional, Sequence


class Diagnostic(NamedTuple):
    """What the library has to say about an input or a question."""

    severity: str
    """"note", "warning" or "error"."""
    code: str
    """Stable: "PTX012"."""
    text: str
    """One sentence."""
    file: Optional[str]
    """None: no place is known."""
    line: int
    """From 1; 0: the file as a whole, or no place."""
    column: int
    """From 1, in bytes."""
    rendered: str
    """As compilers show it: place, sentence, source line, caret, notes."""

    def __str__(self) -> str:
        return self.rendered.rstrip("\n")


class ForewarpWarning(UserWarning):
    """A diagnostic that ended nothing."""


class Error(Exception):
    """A question that has no answer; `diagnostics` say why, `code` is that of the first error."""

    diagnostics: List[Diagnostic]

    def __init__(self, diagnostics: Sequence[Diagnostic] = (), status: str = "") -> None:
        self.diagnostics = list(diagnostics)
        errors = [one for one in self.diagnostics if one.severity == "error"]
        self.code = errors[0].code if errors else ""
        super().__init__("\n".join(str(one) for one in self.diagnostics) or status or "it failed")

    def __reduce__(self):  # type: ignore[no-untyped-def]
        return type(self), (self.diagnostics,)


class InputError(Error):
    """The input is at fault."""


class UsageError(Error, ValueError):
    """The question is at fault: an argument that is missing or makes no sense."""


class MachineError(Error, OSError):
    """The machine is at fault: an unreadable file, no compiler."""

    def __init__(self, diagnostics: Sequence[Diagnostic] = (), status: str = "") -> None:
        Error.__init__(self, diagnostics, status)

    def __str__(self) -> str:
        return "\n".join(str(one) for one in self.diagnostics)


class MemoryLimitError(Error, MemoryError):
    """Out of memory, or past a stated limit of memory."""


class RangeError(Error, OverflowError):
    """A number left the range that can be represented."""


class BudgetError(Error, TimeoutError):
    """A stated amount of work, or of time, was not enough."""

    def __init__(self, diagnostics: Sequence[Diagnostic] = (), status: str = "") -> None:
        Error.__init__(self, diagnostics, status)

    def __str__(self) -> str:
        return "\n".join(str(one) for one in self.diagnostics)


BY_STATUS = {-1: InputError, -2: UsageError, -3: MachineError, -4: MemoryLimitError, -5: RangeError, -6: BudgetError}
