/* Lanes that ask for neighbouring bytes of constant memory, and a sum of a warp by the predicates of shuffles; for
 * cli/narrow.py. */

__constant__ unsigned char bytes[256];
__constant__ float words[256];

extern "C" __global__ void byte_places(int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = bytes[threadIdx.x];
}

extern "C" __global__ void word_places(float *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = words[threadIdx.x];
}

template <int LANES> __device__ int scanned(int x)
{
    for (int d = 1; d < LANES; d *= 2)
        asm volatile("{ .reg .s32 r; .reg .pred p; shfl.sync.up.b32 r|p, %0, %1, %2, -1; @p add.s32 %0, %0, r; }" : "+r"(x) : "r"(d), "r"((32 - LANES) << 8));
    return x;
}

/* Sums of all lanes before, and of eight neighbours. */
extern "C" __global__ void sums_of_lanes(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = scanned<32>(in[i]) + scanned<8>(in[i]);
}

/* Each lane adds what the next ones have, as far as there are any. */
extern "C" __global__ void next_lanes(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
    for (int d = 16; d > 0; d /= 2)
        asm volatile("{ .reg .s32 r; .reg .pred p; shfl.sync.down.b32 r|p, %0, %1, 31, -1; @p add.s32 %0, %0, r; }" : "+r"(x) : "r"(d));
    out[i] = x;
}
