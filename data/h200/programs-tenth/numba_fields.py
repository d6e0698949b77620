"""Kernels of fields and matrices in Python; writes their PTX as numba_pictures.py does.

usage: numba_fields.py OUT.ptx
"""
import math
import sys

from numba import cuda, float32, float64

from numba_pictures import write


def diffuse_3d(u, new, kappa):
    """Seven points with a coefficient for each cell, a thread a cell, axes as the array has them."""
    i, j, k = cuda.grid(3)
    if 0 < i < u.shape[2] - 1 and 0 < j < u.shape[1] - 1 and 0 < k < u.shape[0] - 1:
        c = u[k, j, i]
        new[k, j, i] = c + kappa[k, j, i] * (u[k, j, i - 1] + u[k, j, i + 1] + u[k, j - 1, i] + u[k, j + 1, i] + u[k - 1, j, i] + u[k + 1, j, i] - 6.0 * c)


def gaussian_kernel(a, b, out, gamma):
    """exp(-gamma |a - b|^2) of all pairs of rows, tiles of 16 x 16 in shared memory."""
    sa = cuda.shared.array((16, 16), float32)
    sb = cuda.shared.array((16, 16), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for begin in range(0, a.shape[1], 16):
        sa[ty, tx] = float32(0)
        sb[ty, tx] = float32(0)
        if y < a.shape[0] and begin + tx < a.shape[1]:
            sa[ty, tx] = a[y, begin + tx]
        row = cuda.blockIdx.x * 16 + ty
        if row < b.shape[0] and begin + tx < b.shape[1]:
            sb[ty, tx] = b[row, begin + tx]
        cuda.syncthreads()
        for d in range(16):
            e = sa[ty, d] - sb[tx, d]
            total += e * e
        cuda.syncthreads()
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = math.exp(-gamma * total)


if __name__ == '__main__':
    write([(diffuse_3d, (float64[:, :, ::1], float64[:, :, ::1], float64[:, :, ::1])), (gaussian_kernel, (float32[:, ::1], float32[:, ::1], float32[:, ::1], float32))], sys.argv[1])
