"""Kernels of pictures in Python; writes their PTX by Numba (pip install numba-cuda==0.30.4, without a device).

usage: numba_pictures.py OUT.ptx
"""
import os
import re
import sys

from numba import cuda, float32, int32, uint8

TILE = 16
SIDE = 18  # of a tile with its border


def local_contrast(picture, out, radius, strength):
    x, y = cuda.grid(2)
    height, width = picture.shape
    if x < radius or y < radius or x >= width - radius or y >= height - radius:
        return
    total = float32(0)
    squares = float32(0)
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            v = picture[y + dy, x + dx]
            total += v
            squares += v * v
    count = float32((2 * radius + 1) * (2 * radius + 1))
    mean = total / count
    spread = max(squares / count - mean * mean, float32(1e-6))
    out[y, x] = mean + (picture[y, x] - mean) * (strength / spread ** float32(0.5))


def dilate_bytes(picture, out):
    """A tile and its border in shared memory, the largest of nine."""
    tile = cuda.shared.array((SIDE, SIDE), uint8)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    height, width = picture.shape
    for j in range(ty, SIDE, TILE):
        for i in range(tx, SIDE, TILE):
            px = min(max(cuda.blockIdx.x * TILE + i - 1, 0), width - 1)
            py = min(max(cuda.blockIdx.y * TILE + j - 1, 0), height - 1)
            tile[j, i] = picture[py, px]
    cuda.syncthreads()
    if x < width and y < height:
        most = tile[ty, tx]
        for j in range(3):
            for i in range(3):
                most = max(most, tile[ty + j, tx + i])
        out[y, x] = most


def luminance_counts(picture, counts):
    """Bytes to 256 counters in shared memory, then to global memory."""
    local = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    local[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), picture.size, cuda.gridsize(1)):
        cuda.atomic.add(local, picture[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(counts, t, local[t])


KERNELS = [(local_contrast, (float32[:, ::1], float32[:, ::1], int32, float32)), (dilate_bytes, (uint8[:, ::1], uint8[:, ::1])), (luminance_counts, (uint8[::1], int32[::1]))]


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


if __name__ == '__main__':
    os.environ.setdefault('CUDA_HOME', '/usr/local/cuda')
    write(KERNELS, sys.argv[1])
