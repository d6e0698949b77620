/*
 * Kernels whose memory traffic was recorded on an H200: what traffic predictions are judged by, and
 * (calibrate_*) what figures of the caches are got from. record.py launches them.
 *
 * star_CY_CZ     range-four star in f64, CY points along y and CZ along z a thread; the pointers are
 *                such that the first inner point of every row begins a cache line
 * lbm            D3Q19 step in f64, pull, one thread a cell
 * box27          27-point box in f64
 * five           5-point star on a plane in f64
 * calibrate_again    block b reads piece b mod `pieces` of `count` elements, pieces one after another
 * calibrate_inner    each block reads its own `count` elements `times` times
 * calibrate_part     stores every `stride`th element
 * calibrate_behind   block b stores piece b and reads what block b - back stored
 * box27_1_2      box27 with two points along z a thread
 * cross_CY_CZ    range-two star in f64, CY points along y and CZ along z a thread
 * cross_wide     cross_1_1 over planes of many sizes: what L2 keeps of data that are touched again and again
 * stream_K       each thread reads K elements, a block's side by side, anywhere in `mask` + 1 elements
 * apart_load, apart_store    each thread loads or stores 4 bytes, `stride` elements from its neighbour, in `mask` + 1
 *                elements that fit into L2
 * share_part_W   block b stores W elements of each group of 4 (share_part_4: of 8), block b + apart the next W: sectors
 *                (lines) that several blocks fill; `spread` groups apart; reads `loads` elements of its own for each
 * share_narrow_K K arrays copied, one after the other of each element, in blocks as narrow as stated; share_only_K: written alone
 * share_load     block b reads `count` elements of piece b / `group`, or piece b mod `period`; share_far: past L1
 *                (ld.global.cg); share_step: the block waits for all its threads after each element
 * share_fields_K stores the first K elements of structures of `size` elements, one after the other; share_move_K: reads them before
 * planes_K       each thread reads K elements, one of each of K planes `plane` elements apart
 */
#define RANGE 4

template <int CY, int CZ>
__device__ __forceinline__ void star(const double *__restrict__ u, double *__restrict__ next,
                                     double c0, double c1, double c2, double c3, double c4, int nx,
                                     int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y0 = (blockIdx.y * blockDim.y + threadIdx.y) * CY;
    int z0 = (blockIdx.z * blockDim.z + threadIdx.z) * CZ;
    int p = nx * ny;

    if (x >= nx - 2 * RANGE || y0 >= ny - 2 * RANGE || z0 >= nz - 2 * RANGE)
        return;
#pragma unroll
    for (int cz = 0; cz < CZ; cz++)
#pragma unroll
        for (int cy = 0; cy < CY; cy++) {
            int y = y0 + cy, z = z0 + cz;
            int i = (z + RANGE) * p + (y + RANGE) * nx + x + RANGE;
            next[i] =
                c0 * u[i] +
                c1 * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] + u[i - p] + u[i + p]) +
                c2 * (u[i - 2] + u[i + 2] + u[i - 2 * nx] + u[i + 2 * nx] + u[i - 2 * p] +
                      u[i + 2 * p]) +
                c3 * (u[i - 3] + u[i + 3] + u[i - 3 * nx] + u[i + 3 * nx] + u[i - 3 * p] +
                      u[i + 3 * p]) +
                c4 * (u[i - 4] + u[i + 4] + u[i - 4 * nx] + u[i + 4 * nx] + u[i - 4 * p] +
                      u[i + 4 * p]);
        }
}

#define STAR(CY, CZ)                                                                               \
    extern "C" __global__ void star_##CY##_##CZ(const double *__restrict__ u,                      \
                                                double *__restrict__ next, double c0, double c1,   \
                                                double c2, double c3, double c4, int nx, int ny,   \
                                                int nz)                                            \
    {                                                                                              \
        star<CY, CZ>(u, next, c0, c1, c2, c3, c4, nx, ny, nz);                                     \
    }
STAR(1, 1)
STAR(2, 1)
STAR(1, 2)

extern "C" __global__ void lbm(const double *__restrict__ old, double *__restrict__ next,
                               double omega, int nx, int ny, int nz)
{
    const int cx[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
    const int cy[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
    const int cz[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;

    if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1 || z < 1 || z >= nz - 1)
        return;
    int cells = nx * ny * nz;
    int i = (z * ny + y) * nx + x;
    double f[19];
    double density = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
    for (int q = 0; q < 19; q++) {
        f[q] = old[q * cells + i - (cz[q] * ny + cy[q]) * nx - cx[q]];
        density += f[q];
        ux += cx[q] * f[q];
        uy += cy[q] * f[q];
        uz += cz[q] * f[q];
    }
    ux /= density;
    uy /= density;
    uz /= density;
    double rest = 1.0 - 1.5 * (ux * ux + uy * uy + uz * uz);
#pragma unroll
    for (int q = 0; q < 19; q++) {
        double weight = q == 0 ? 1.0 / 3.0 : q < 7 ? 1.0 / 18.0 : 1.0 / 36.0;
        double along = 3.0 * (cx[q] * ux + cy[q] * uy + cz[q] * uz);
        double equilibrium = weight * density * (rest + along + 0.5 * along * along);
        next[q * cells + i] = f[q] - omega * (f[q] - equilibrium);
    }
}

extern "C" __global__ void box27(const double *__restrict__ u, double *__restrict__ next, int nx,
                                 int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int z = blockIdx.z * blockDim.z + threadIdx.z + 1;
    int p = nx * ny;

    if (x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
        return;
    int i = z * p + y * nx + x;
    double sum = 0;
#pragma unroll
    for (int c = -1; c <= 1; c++)
#pragma unroll
        for (int b = -1; b <= 1; b++)
#pragma unroll
            for (int a = -1; a <= 1; a++)
                sum += u[i + c * p + b * nx + a];
    next[i] = sum;
}

extern "C" __global__ void five(const double *__restrict__ u, double *__restrict__ next, int nx,
                                int ny)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;

    if (x >= nx - 1 || y >= ny - 1)
        return;
    int i = y * nx + x;
    next[i] = 0.25 * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx]);
}

extern "C" __global__ void calibrate_again(const double *__restrict__ a, double *__restrict__ out,
                                           int count, int pieces)
{
    const double *piece = a + (long long)(blockIdx.x % pieces) * count;
    double sum = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        sum += piece[i];
    if (sum == -1.0)
        out[blockIdx.x] = sum;
}

extern "C" __global__ void calibrate_inner(const double *__restrict__ a, double *__restrict__ out,
                                           int count, int times)
{
    const double *piece = a + (long long)blockIdx.x * count;
    double sum = 0;
    for (int t = 0; t < times; t++) {
        for (int i = threadIdx.x; i < count; i += blockDim.x)
            sum += piece[i] * (t + 1);
        __syncthreads();
    }
    if (sum == -1.0)
        out[blockIdx.x] = sum;
}

extern "C" __global__ void calibrate_part(double *__restrict__ out, int count, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        out[(long long)i * stride] = i;
}

extern "C" __global__ void calibrate_behind(const double *a, double *out, int count, int back,
                                            int blocks)
{
    int other = (blockIdx.x + blocks - back) % blocks;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        out[(long long)blockIdx.x * count + i] = a[(long long)other * count + i] + 1.0;
}

extern "C" __global__ void box27_1_2(const double *__restrict__ u, double *__restrict__ next, int nx,
                                     int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int z = (blockIdx.z * blockDim.z + threadIdx.z) * 2 + 1;
    int p = nx * ny;

    if (x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
        return;
#pragma unroll
    for (int cz = 0; cz < 2; cz++) {
        int i = (z + cz) * p + y * nx + x;
        double sum = 0;
#pragma unroll
        for (int c = -1; c <= 1; c++)
#pragma unroll
            for (int b = -1; b <= 1; b++)
#pragma unroll
                for (int a = -1; a <= 1; a++)
                    sum += u[i + c * p + b * nx + a];
        next[i] = sum;
    }
}

template <int CY, int CZ>
__device__ __forceinline__ void cross(const double *__restrict__ u, double *__restrict__ next,
                                      int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 2;
    int y0 = (blockIdx.y * blockDim.y + threadIdx.y) * CY + 2;
    int z0 = (blockIdx.z * blockDim.z + threadIdx.z) * CZ + 2;
    int p = nx * ny;

    if (x >= nx - 2 || y0 >= ny - 2 || z0 >= nz - 2)
        return;
#pragma unroll
    for (int cz = 0; cz < CZ; cz++)
#pragma unroll
        for (int cy = 0; cy < CY; cy++) {
            int i = (z0 + cz) * p + (y0 + cy) * nx + x;
            next[i] = 0.5 * u[i] +
                      0.1 * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] + u[i - p] + u[i + p]) +
                      0.05 * (u[i - 2] + u[i + 2] + u[i - 2 * nx] + u[i + 2 * nx] + u[i - 2 * p] +
                              u[i + 2 * p]);
        }
}

#define CROSS(CY, CZ)                                                                              \
    extern "C" __global__ void cross_##CY##_##CZ(const double *__restrict__ u,                     \
                                                 double *__restrict__ next, int nx, int ny,        \
                                                 int nz)                                           \
    {                                                                                              \
        cross<CY, CZ>(u, next, nx, ny, nz);                                                        \
    }
CROSS(1, 1)
CROSS(2, 2)

extern "C" __global__ void cross_wide(const double *__restrict__ u, double *__restrict__ next, int nx,
                                      int ny, int nz)
{
    cross<1, 1>(u, next, nx, ny, nz);
}

#define STREAM(K)                                                                                  \
    extern "C" __global__ void stream_##K(const double *__restrict__ a, double *__restrict__ out,  \
                                          int mask)                                                \
    {                                                                                              \
        int i = blockIdx.x * (blockDim.x * K) + threadIdx.x;                                       \
        double sum = 0;                                                                            \
        _Pragma("unroll") for (int k = 0; k < K; k++) sum += a[(i + k * blockDim.x) & mask];       \
        if (sum == -1.0)                                                                           \
            out[i] = sum;                                                                          \
    }
STREAM(1)
STREAM(2)
STREAM(4)
STREAM(8)

#define PLANES(K)                                                                                  \
    extern "C" __global__ void planes_##K(const double *__restrict__ a, double *__restrict__ out,  \
                                          int plane)                                               \
    {                                                                                              \
        int blocks = plane / blockDim.x, group = blockIdx.x / blocks;                              \
        int i = group * K * plane + (blockIdx.x - group * blocks) * blockDim.x + threadIdx.x;      \
        double sum = 0;                                                                            \
        _Pragma("unroll") for (int k = 0; k < K; k++) sum += a[i + k * plane];                     \
        if (sum == -1.0)                                                                           \
            out[i] = sum;                                                                          \
    }
PLANES(8)
PLANES(24)

extern "C" __global__ void apart_load(const float *__restrict__ a, float *__restrict__ out, int stride,
                                      int mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = a[(i * stride) & mask];

    if (value == -1.0f)
        out[i] = value;
}

extern "C" __global__ void apart_store(const float *__restrict__ a, float *__restrict__ out, int stride,
                                       int mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    out[(i * stride) & mask] = (float)i;
}

template <int W, int PARTS>
__device__ __forceinline__ void part(const double *a, double *out, int apart, int spread, int loads)
{
    int piece = blockIdx.x / (apart * PARTS) * apart + blockIdx.x % apart;
    int mine = blockIdx.x / apart % PARTS;
    int i = (threadIdx.x / W * PARTS * spread + mine) * W + threadIdx.x % W;
    double sum = 1;
    for (int k = 0; k < loads; k++)
        sum += a[((blockIdx.x * loads + k) * blockDim.x + threadIdx.x) & 0xfffffff];
    out[piece * (blockDim.x * PARTS * spread) + i] = sum;
}

#define PART(W, PARTS)                                                                             \
    extern "C" __global__ void share_part_##W(const double *a, double *out, int apart, int spread, \
                                              int loads)                                           \
    {                                                                                              \
        part<W, PARTS>(a, out, apart, spread, loads);                                              \
    }
PART(1, 4)
PART(2, 2)
PART(4, 2)

template <int K, bool LOADS>
__device__ __forceinline__ void narrow(const double *__restrict__ a, double *__restrict__ out, int nx,
                                       int ny)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    double values[K];
    if (x >= nx || y >= ny)
        return;
#pragma unroll
    for (int k = 0; k < K; k++)
        values[k] = LOADS ? a[(k * ny + y) * nx + x] : x + k;
#pragma unroll
    for (int k = 0; k < K; k++)
        out[(k * ny + y) * nx + x] = values[k] + values[(k + 1) % K];
}

#define NARROW(NAME, K, LOADS)                                                                     \
    extern "C" __global__ void share_##NAME##_##K(const double *__restrict__ a,                    \
                                                  double *__restrict__ out, int nx, int ny)        \
    {                                                                                              \
        narrow<K, LOADS>(a, out, nx, ny);                                                          \
    }
NARROW(narrow, 1, true)
NARROW(narrow, 4, true)
NARROW(narrow, 12, true)
NARROW(only, 1, false)
NARROW(only, 12, false)

__device__ __forceinline__ const double *shared_piece(const double *a, int count, int group, int period)
{
    return a + (long long)(period ? blockIdx.x % period : blockIdx.x / group) * count;
}

extern "C" __global__ void share_load(const double *__restrict__ a, double *__restrict__ out, int count,
                                      int group, int period)
{
    const double *piece = shared_piece(a, count, group, period);
    double sum = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        sum += piece[i];
    if (sum == -1.0)
        out[blockIdx.x] = sum;
}

extern "C" __global__ void share_far(const double *__restrict__ a, double *__restrict__ out, int count,
                                     int group, int period)
{
    const double *piece = shared_piece(a, count, group, period);
    double sum = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        sum += __ldcg(&piece[i]);
    if (sum == -1.0)
        out[blockIdx.x] = sum;
}

extern "C" __global__ void share_step(const double *__restrict__ a, double *__restrict__ out, int count,
                                      int group, int period)
{
    const double *piece = shared_piece(a, count, group, period);
    __shared__ double tile[256];
    double sum = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        tile[threadIdx.x] = piece[i];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += tile[(threadIdx.x + k * 16) & 255];
        __syncthreads();
    }
    if (sum == -1.0)
        out[blockIdx.x] = sum;
}

template <int K, bool LOADS>
__device__ __forceinline__ void fields(const float *a, float *out, int size)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * size;
    float values[K];
#pragma unroll
    for (int k = 0; k < K; k++)
        values[k] = LOADS ? out[i + k] * 1.5f : (float)(i + k);
#pragma unroll
    for (int k = 0; k < K; k++)
        out[i + k] = values[k];
}

#define FIELDS(K)                                                                                  \
    extern "C" __global__ void share_fields_##K(const float *a, float *out, int size)              \
    {                                                                                              \
        fields<K, false>(a, out, size);                                                            \
    }                                                                                              \
    extern "C" __global__ void share_move_##K(const float *a, float *out, int size)                \
    {                                                                                              \
        fields<K, true>(a, out, size);                                                             \
    }
FIELDS(2)
FIELDS(3)
FIELDS(4)
FIELDS(8)
