"""Kernels of series and samples in Python; writes their PTX as numba_pictures.py does.

usage: numba_series.py OUT.ptx
"""
import math
import sys

from numba import cuda, float32, float64, int32, int64

from numba_pictures import write


def rolling_moments(x, mean, deviation, window):
    """Means and deviations of windows that end at each element; threads stride over the series."""
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        if i >= window - 1:
            total = 0.0
            squares = 0.0
            for k in range(window):
                v = x[i - k]
                total += v
                squares += v * v
            m = total / window
            mean[i] = m
            deviation[i] = math.sqrt(max(squares / window - m * m, 0.0))


def garch_likelihood(returns, parameters, likelihood):
    """Series by rows of time, columns of assets: a thread an asset."""
    a = cuda.grid(1)
    if a >= returns.shape[1]:
        return
    omega, alpha, beta = parameters[0, a], parameters[1, a], parameters[2, a]
    variance = omega / (1.0 - alpha - beta)
    total = 0.0
    for t in range(returns.shape[0]):
        r = returns[t, a]
        total -= 0.5 * (math.log(variance) + r * r / variance)
        variance = omega + alpha * r * r + beta * variance
    likelihood[a] = total


def sum_of_squares(x, result):
    """Sums of blocks in shared memory, one atomic a block, as Numba's pages have it."""
    parts = cuda.shared.array(256, float64)
    t = cuda.threadIdx.x
    mine = 0.0
    for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
        mine += x[i] * x[i]
    parts[t] = mine
    cuda.syncthreads()
    s = 128
    while s > 0:
        if t < s:
            parts[t] += parts[t + s]
        cuda.syncthreads()
        s //= 2
    if t == 0:
        cuda.atomic.add(result, 0, parts[0])


if __name__ == '__main__':
    write([(rolling_moments, (float64[::1], float64[::1], float64[::1], int64)), (garch_likelihood, (float64[:, ::1], float64[:, ::1], float64[::1])), (sum_of_squares, (float64[::1], float64[::1]))], sys.argv[1])
