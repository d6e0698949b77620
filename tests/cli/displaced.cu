// Places that data move from a thread's own (displaced.py).
//   nvcc -O3 -std=c++17 -arch=sm_90 -ptx displaced.cu -o displaced.ptx

__device__ float between(const float *field, int nx, float x, float y)
{
    const int i = (int)floorf(x), j = (int)floorf(y);
    const float a = x - i, b = y - j;
    return (1 - b) * ((1 - a) * field[j * nx + i] + a * field[j * nx + i + 1]) + b * ((1 - a) * field[(j + 1) * nx + i] + a * field[(j + 1) * nx + i + 1]);
}

// Where a cell's content came from, within limits in floating point, in units of the width.
extern "C" __global__ void traced(const float2 *__restrict__ speed, const float *__restrict__ from, float *to, int nx, int ny, float dt)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= nx || j >= ny)
        return;
    const float2 v = speed[j * nx + i];
    const float x = (i + 0.5f) / nx - dt * v.x, y = (j + 0.5f) / nx - dt * v.y;
    to[j * nx + i] = between(from, nx, fminf(fmaxf(x * nx - 0.5f, 0.f), nx - 2.f), fminf(fmaxf(y * nx - 0.5f, 0.f), ny - 2.f));
}

// The same cell by cell, on a ring, in double precision.
extern "C" __global__ void around(const double2 *__restrict__ speed, const float *__restrict__ from, float *to, int nx, int ny, double dt)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= nx || j >= ny)
        return;
    const double2 v = speed[j * nx + i];
    int x = __double2int_rn(i - dt * v.x), y = __double2int_rn(j - dt * v.y);
    x = x < 0 ? x + nx : x;
    x = x >= nx ? x - nx : x;
    y = (y % ny + ny) % ny;
    to[j * nx + i] = from[y * nx + x];
}

// Blocks of a picture before, by whole vectors.
extern "C" __global__ void compensated(const int2 *__restrict__ motion, const float *__restrict__ before, float *now, int nx, int ny)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= nx || j >= ny)
        return;
    const int2 by = motion[j * nx + i];
    now[j * nx + i] = before[(j + by.y) * nx + i + by.x];
}

// Constants say how far: 64 elements to the right.
extern "C" __global__ void shifted(const float *__restrict__ share, const float *__restrict__ from, float *to, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[(int)(i + 64.f * share[i])];
}

// No place near: own coordinates by a loaded scale.
extern "C" __global__ void scaled(const float *__restrict__ scale, const float *__restrict__ from, float *to, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[(int)(i * scale[i])];
}
