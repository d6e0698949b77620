// Rounds of an outer product of f32, as tiled products have it: T + T factors from shared memory in
// loads of W words, T * T products.  One round's loads come right before their products (AHEAD 0)
// or before those of the round before (AHEAD 1).  Cycles of each warp from begin to end to
// `cycles`.  (nvcc -DT= -DW= -DAHEAD=)
#ifndef TILE
#define TILE  8
#define WIDE  4
#define AHEAD 0
#endif
#define ROWS 16

template <int words> static __device__ __forceinline__ void load(float *to, unsigned from);
template <> __device__ __forceinline__ void load<1>(float *to, unsigned from)
{
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(to[0]) : "r"(from));
}
template <> __device__ __forceinline__ void load<2>(float *to, unsigned from)
{
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(to[0]), "=f"(to[1]) : "r"(from));
}
template <> __device__ __forceinline__ void load<4>(float *to, unsigned from)
{
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
                 : "r"(from));
}

static __device__ __forceinline__ void factors(float *x, float *y, unsigned a, unsigned b)
{
#pragma unroll
    for (int i = 0; i < TILE; i += WIDE) {
        load<WIDE>(x + i, a + i * 64);
        load<WIDE>(y + i, b + i * 64);
    }
}

extern "C" __global__ void __launch_bounds__(512) outer(float *to, long long *cycles, int turns)
{
    extern __shared__ float held[];
    for (int i = threadIdx.x; i < ROWS * 256 * 2; i += blockDim.x)
        held[i] = 0;
    __syncthreads();
    unsigned place = (unsigned)__cvta_generic_to_shared(held);
    unsigned a = place + threadIdx.x % 16 * WIDE * 4,
             b = place + ROWS * 1024 + threadIdx.x / 16 % 2 * WIDE * 4;
    float sums[TILE][TILE] = {}, x[2][TILE], y[2][TILE];
    for (int i = 0; i < TILE; i++)
        x[0][i] = y[0][i] = to[i];
    long long from = clock64();
#pragma unroll 1
    for (int t = 0; t < turns; t++) {
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            factors(x[AHEAD && i % 2 == 0], y[AHEAD && i % 2 == 0], a + i * 1024, b + i * 1024);
            const float *p = x[AHEAD && i % 2], *q = y[AHEAD && i % 2];
#pragma unroll
            for (int r = 0; r < TILE; r++)
#pragma unroll
                for (int c = 0; c < TILE; c++)
                    sums[r][c] += p[r] * q[c];
        }
    }
    long long end = clock64();
    if (blockIdx.x == 0 && threadIdx.x % 32 == 0)
        cycles[threadIdx.x / 32] = end - from;
    float sum = 0;
    for (int r = 0; r < TILE; r++)
        for (int c = 0; c < TILE; c++)
            sum += sums[r][c];
    to[threadIdx.x + 64] = sum;
}
