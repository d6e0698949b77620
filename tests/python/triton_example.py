"""A kernel of Triton for the tests: a module of its own, for Triton reads its source."""
import triton
import triton.language as tl


@triton.jit
def sum_rows(ids, table, out, hidden, COUNT: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], tl.float32)
    for i in range(COUNT):
        total += tl.load(table + tl.load(ids + tl.program_id(0) * COUNT + i) * hidden + at)
    tl.store(out + tl.program_id(0) * BLOCK + at, total)


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)
