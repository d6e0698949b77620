// Kernels whose emulated results tests/unit/test_emulate_kernels.c compares with plain C.
// kernels.ptx: nvcc -arch=sm_80 -ptx -lineinfo kernels.cu
#include <cuda_fp16.h>
#include <cstdio>

// Sum of a block by shuffles and shared memory; the last warp is partial when n is no multiple.
extern "C" __global__ void reduce(float *sums, const float *x, int n)
{
    __shared__ float partial[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f;
    for (int o = 16; o; o >>= 1)
        v += __shfl_down_sync(0xffffffffu, v, o);
    if (threadIdx.x % 32 == 0)
        partial[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0.0f;
        for (int o = 16; o; o >>= 1)
            v += __shfl_down_sync(0xffffffffu, v, o);
        if (threadIdx.x == 0)
            sums[blockIdx.x] = v;
    }
}

// Threads leave before a barrier.
extern "C" __global__ void early_exit(int *out, int limit)
{
    __shared__ int box[128];
    int t = threadIdx.x;
    if (t >= limit)
        return;
    box[t] = t * t;
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = box[limit - 1 - t] + (int)blockIdx.x;
}

extern "C" __global__ void histogram(unsigned *bins, const unsigned *data, int n)
{
    __shared__ unsigned local[64];
    if (threadIdx.x < 64)
        local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[data[i] & 63], 1u);
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

// Dynamic shared memory, all of it in one array.
extern "C" __global__ void bitonic(int *data)
{
    extern __shared__ int keys[];
    int t = threadIdx.x, n = blockDim.x;
    keys[t] = data[blockIdx.x * n + t];
    __syncthreads();
    for (int k = 2; k <= n; k *= 2)
        for (int j = k / 2; j; j /= 2) {
            int other = t ^ j;
            if (other > t && (keys[t] > keys[other]) == ((t & k) == 0)) {
                int swap = keys[t];
                keys[t] = keys[other];
                keys[other] = swap;
            }
            __syncthreads();
        }
    data[blockIdx.x * n + t] = keys[t];
}

extern "C" __global__ void collatz(int *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    long long x = i + 1;
    int s = 0;
    while (x != 1) {
        if (x & 1)
            x = 3 * x + 1;
        else
            x /= 2;
        s++;
    }
    steps[i] = s;
}

// Compressed sparse rows: data-dependent trip counts and gathers.
extern "C" __global__ void spmv(double *y, const int *start, const int *column, const double *value,
                                const double *x, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        double sum = 0;
        for (int k = start[r]; k < start[r + 1]; k++)
            sum += value[k] * x[column[k]];
        y[r] = sum;
    }
}

__device__ __noinline__ int opaque(int x, int y)
{
    if (x > y)
        return x * 3 - y;
    return y - x;
}

__constant__ int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__device__ int counter = 100;

// A jump table, a called function, constants, a global variable, local memory.
extern "C" __global__ void mixed(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, local[16], r;
    for (int k = 0; k < 16; k++)
        local[k] = i * k;
    switch (i % 7) {
    case 0: r = opaque(i, 50); break;
    case 1: r = local[i & 15]; break;
    case 2: r = table[i & 7] * 1000; break;
    case 3: r = i / (1 + i % 5); break;
    case 4: r = __popc(i) - __clz(i); break;
    case 5: r = (int)sqrtf((float)i); break;
    default: r = -i % 13; break;
    }
    if (r == -12345)
        printf("never %d\n", r);
    if (i < n)
        out[i] = r + atomicAdd(&counter, 0);
}

struct pair { float scale; int *data; long long offset; };

// A structure by value, with a pointer in it.
extern "C" __global__ void by_value(float *out, struct pair p)
{
    int i = threadIdx.x;
    out[i] = p.scale * (float)(p.data[i] + p.offset);
}

extern "C" __global__ void halves(__half2 *out, const __half2 *a, const __half2 *b, __half *s)
{
    int i = threadIdx.x;
    __half2 x = __hfma2(a[i], b[i], a[i]);
    out[i] = __hadd2(__hmul2(x, b[i]), __hneg2(a[i]));
    s[i] = __float2half_rn(__half2float(__low2half(x)) * 3.0f);
}

extern "C" __global__ void divisions(int *q, unsigned *u, long long *l, double *d, float *f)
{
    int i = threadIdx.x, a = (i - 16) * 7919 + 13, b = i % 9 - 4;
    b = b ? b : 3;
    q[i] = a / b * 1000 + a % b;
    u[i] = (unsigned)a / (unsigned)(i + 3) + (unsigned)a % 77u;
    l[i] = ((long long)a << 20) / b;
    d[i] = (double)a / b + sqrt((double)(i + 1)) + 1.0 / (i + 2);
    f[i] = (float)a / (float)b + __frsqrt_rn((float)(i + 1)) + expf(-(float)i / 8);
}

// A spin lock among the threads of a warp, as only independent scheduling lets end.
extern "C" __global__ void locked(int *lock, int *sum)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            int v = *(volatile int *)sum;
            *(volatile int *)sum = v + (int)threadIdx.x;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// Two-dimensional tiles with padding, and vector loads.
extern "C" __global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < height && y + j < width)
            out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void vectors(float4 *out, const float4 *in, const short4 *s, const uchar4 *c)
{
    int i = threadIdx.x;
    float4 v = in[i];
    short4 w = s[i];
    uchar4 u = c[i];
    out[i] = make_float4(v.w + w.x, v.z * w.y, v.y - u.z, v.x + (float)w.w * u.w);
}

// Votes and matches under divergence.
extern "C" __global__ void votes(unsigned *out)
{
    unsigned lane = threadIdx.x % 32, r = 0;
    if (lane % 3 == 0) {
        unsigned active = __activemask();
        r = __ballot_sync(0x49249249u, lane & 1);
        r ^= active;
    } else if (lane < 20) {
        r = __match_any_sync(__activemask(), lane / 4);
    } else {
        r = __reduce_add_sync(__activemask(), lane);
    }
    __syncwarp();
    r += __shfl_xor_sync(0xffffffffu, r, 1);
    r += __syncthreads_count(lane == 5);
    out[threadIdx.x] = r + (__all_sync(0xffffffffu, lane < 32) ? 1u << 30 : 0u);
}

// Cooperative copies into shared memory (cp.async).
extern "C" __global__ void copies(int4 *out, const int4 *in)
{
    __shared__ int4 box[64];
    int t = threadIdx.x;
    unsigned to = (unsigned)__cvta_generic_to_shared(&box[t]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to), "l"(in + t));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;");
    __syncthreads();
    out[t] = box[63 - t];
}
