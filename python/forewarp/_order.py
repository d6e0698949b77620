"""In which order predicted configurations are worth timing.

The least of many predictions is the one that its model most likely has too low (the winner's curse).  Configurations that one
model cannot tell apart from its fastest, those within its mean error of about a tenth, are therefore ordered by two models:
by the geometric mean of their times.  Models of the memory system (traffic) and of warps (trace, which blend weighs most for
such kernels) err for different reasons, and the second had no part in the choice of the first's fastest."""
from __future__ import annotations

import math
from typing import Callable, List, Optional, Sequence, Tuple

SECOND = "traffic"
NEAR = 0.1


def nearest(times: Sequence[Optional[float]]) -> List[int]:
    """Indices of those within a tenth of the least time; none if that is one alone."""
    known = [one for one in times if one is not None]
    found = [index for index, one in enumerate(times) if one is not None and one <= min(known) * (1 + NEAR)]
    return found if len(found) > 1 else []


def second_opinions(times: Sequence[Optional[float]], ask: Callable[[int], Optional[float]]) -> List[Optional[float]]:
    """By index, the second model's time of those that are near the fastest, where all of these have one."""
    near = nearest(times)
    answers = {index: ask(index) for index in near}
    if any(one is None for one in answers.values()):
        answers = {}
    return [answers.get(index) for index in range(len(times))]


def key(seconds: float, second: Optional[float], index: int) -> Tuple[bool, float, float, int]:
    """Sorts configurations: those with a second opinion first, by both; the others by their time."""
    return (False, math.sqrt(seconds * second), seconds, index) if second is not None else (True, seconds, seconds, index)


def keep(ordered: Sequence[Tuple[bool, float, float, int]], top: int, tie: float) -> List[int]:
    """Indices of the first `top` sorted keys, and of those after these that cannot be told apart from the last."""
    if not ordered:
        return []
    group, last = ordered[min(top, len(ordered)) - 1][:2]
    return [one[-1] for place, one in enumerate(ordered) if place < top or (one[0] == group and one[1] <= last * (1 + tie))]
