"""Kernels of samples and signals in Python with warp functions, matrices in shared memory and complex numbers (numba-cuda).

usage: numba_samples.py OUT.ptx
"""
import os
import re
import sys

from numba import complex64, cuda, float32, int32

CLUSTERS, FEATURES = 32, 8


def write(kernels, path):
    """PTX of all kernels in one file; entries get the functions' names, which Numba mangles."""
    text = ''
    for function, types in kernels:
        ptx, _ = cuda.compile(function, types, cc=(9, 0), device=False, abi='numba')
        entry = re.search(r'\.entry (\w+)', ptx).group(1)
        ptx = ptx.replace(entry, function.__name__).replace('$L__BB', f'$L__{function.__name__}_BB').replace('$str', f'${function.__name__}_str')
        ptx = re.sub(r'_ZN08NumbaEnv\w+', f'NumbaEnv_{function.__name__}', ptx)
        ptx = ptx.replace('_cudapy_smem', f'smem_{function.__name__}')
        text += ptx if not text else ptx[ptx.index('.address_size 64') + len('.address_size 64'):]
    open(path, 'w').write(text.rstrip('\n\0') + '\n')


def centre_of_rows(x, centre, spread):
    """Mean and deviation of each row of a matrix, a warp a row, sums by shuffles."""
    row = cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
    lane = cuda.threadIdx.x
    if row >= x.shape[0]:
        return
    total = float32(0.0)
    squares = float32(0.0)
    for i in range(lane, x.shape[1], 32):
        v = x[row, i]
        total += v
        squares += v * v
    for distance in (16, 8, 4, 2, 1):
        total += cuda.shfl_down_sync(0xffffffff, total, distance)
        squares += cuda.shfl_down_sync(0xffffffff, squares, distance)
    if lane == 0:
        mean = total / x.shape[1]
        centre[row] = mean
        spread[row] = (squares / x.shape[1] - mean * mean) ** float32(0.5)


def kmeans_step(points, centres, sums, sizes):
    """Points to the nearest of 32 centres, whose sums grow in shared memory, then in global memory."""
    held = cuda.shared.array((CLUSTERS, FEATURES), float32)
    grown = cuda.shared.array((CLUSTERS, FEATURES), float32)
    count = cuda.shared.array(CLUSTERS, int32)
    t = cuda.threadIdx.x
    c, f = t // FEATURES, t % FEATURES
    held[c, f] = centres[c, f]
    grown[c, f] = 0.0
    if t < CLUSTERS:
        count[t] = 0
    cuda.syncthreads()
    for p in range(cuda.grid(1), points.shape[0], cuda.gridsize(1)):
        best = 0
        least = float32(1e30)
        for k in range(CLUSTERS):
            distance = float32(0.0)
            for j in range(FEATURES):
                d = points[p, j] - held[k, j]
                distance += d * d
            if distance < least:
                least = distance
                best = k
        for j in range(FEATURES):
            cuda.atomic.add(grown, (best, j), points[p, j])
        cuda.atomic.add(count, best, 1)
    cuda.syncthreads()
    cuda.atomic.add(sums, (c, f), grown[c, f])
    if t < CLUSTERS:
        cuda.atomic.add(sizes, t, count[t])


def complex_fir(signal, taps, out):
    """A complex filter of a signal of complex samples, a thread an output."""
    i = cuda.grid(1)
    if i >= out.size:
        return
    total = complex64(0.0)
    for k in range(taps.size):
        total += signal[i + k] * taps[k]
    out[i] = total


if __name__ == '__main__':
    os.environ.setdefault('CUDA_HOME', '/usr/local/cuda')
    write([(centre_of_rows, (float32[:, ::1], float32[::1], float32[::1])), (kmeans_step, (float32[:, ::1], float32[:, ::1], float32[:, ::1], int32[::1])), (complex_fir, (complex64[::1], complex64[::1], complex64[::1]))], sys.argv[1])
