"""What PyTorch's triton_helpers give to the kernels that Inductor generates, by the same names: functions of Triton, written
for forewarp.inductor, which puts them in the module's place where it executes a kernel's source.  They do the same operations
on the same elements; names that are not here end in an AttributeError that names them."""
# mypy: ignore-errors
import triton
import triton.language as tl


@triton.jit
def promote_to_tensor(x):
    """A scalar as a block of one element."""
    return x + tl.zeros((1,), tl.int1)


@triton.jit
def maximum(a, b):
    """The larger one, and NaN where one is NaN."""
    mask = (a > b) | (a != a)
    return tl.where(mask, a, b)


@triton.jit
def minimum(a, b):
    mask = (a < b) | (a != a)
    return tl.where(mask, a, b)


@triton.jit
def max2(a, dim):
    return tl.reduce(a, dim, maximum)


@triton.jit
def min2(a, dim):
    return tl.reduce(a, dim, minimum)


@triton.jit
def _either(a, b):
    return a | b


@triton.jit
def any(a, dim):
    return tl.reduce(a, dim, _either)


@triton.jit
def _product(a, b):
    return a * b


@triton.jit
def prod(a, dim):
    return tl.reduce(a, dim, _product)


@triton.jit
def div_floor_integer(a, b):
    """Towards minus infinity, as Python divides."""
    quotient = a // b
    remainder = a % b
    fixed = tl.where(remainder != 0, quotient - 1, quotient)
    return tl.where((a < 0) != (b < 0), fixed, quotient)


@triton.jit
def remainder_integer(a, b):
    remainder = a % b
    return tl.where((remainder != 0) & ((a < 0) != (b < 0)), remainder + b, remainder)


@triton.jit
def welford_reduce(value, mean, m2, weight, first_iteration):
    """One more value of mean and sum of squares by Welford."""
    if first_iteration:
        new_weight = tl.full(weight.shape, 1, weight.dtype)
        new_mean = value
        new_m2 = tl.zeros_like(m2)
    else:
        delta = value - mean
        new_weight = weight + 1
        new_mean = mean + delta / new_weight
        new_m2 = m2 + delta * (value - new_mean)
    return new_mean, new_m2, new_weight


@triton.jit
def welford_combine(mean_1, m2_1, weight_1, mean_2, m2_2, weight_2):
    delta = mean_2 - mean_1
    weight = weight_1 + weight_2
    share = tl.where(weight == 0.0, 0.0, weight_2 / weight)
    return mean_1 + delta * share, m2_1 + m2_2 + delta * delta * weight_1 * share, weight


@triton.jit
def welford(mean, m2, weight, dim):
    return tl.reduce((mean, m2, weight), dim, welford_combine)
