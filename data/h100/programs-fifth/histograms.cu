// Histograms: of bytes with a copy a warp, of digits with lanes that agree found first.

// 16 bytes at a time; bins of a block are added up at its end.
extern "C" __global__ void byte_histogram(const uint4 *__restrict__ data, unsigned *__restrict__ bins, int n16)
{
    __shared__ unsigned sub[8][256];
    for (int i = threadIdx.x; i < 8 * 256; i += blockDim.x)
        (&sub[0][0])[i] = 0;
    __syncthreads();
    unsigned *mine = sub[threadIdx.x / 32];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n16; i += gridDim.x * blockDim.x) {
        const uint4 v = data[i];
        const unsigned w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            atomicAdd(mine + (w[k] & 255), 1);
            atomicAdd(mine + (w[k] >> 8 & 255), 1);
            atomicAdd(mine + (w[k] >> 16 & 255), 1);
            atomicAdd(mine + (w[k] >> 24), 1);
        }
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) {
        unsigned sum = 0;
        for (int w = 0; w < 8; w++)
            sum += sub[w][b];
        if (sum)
            atomicAdd(bins + b, sum);
    }
}

template <int BITS, int ITEMS> __device__ void upsweep(const unsigned *keys, unsigned *counts, int n, int shift)
{
    constexpr int RADIX = 1 << BITS;
    __shared__ unsigned bins[RADIX];
    for (int b = threadIdx.x; b < RADIX; b += blockDim.x)
        bins[b] = 0;
    __syncthreads();
    const int base = blockIdx.x * blockDim.x * ITEMS + threadIdx.x;
    const unsigned lane = threadIdx.x & 31;
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int i = base + k * blockDim.x;
        const bool in = i < n;
        const unsigned digit = in ? keys[i] >> shift & (RADIX - 1) : RADIX;
        const unsigned peers = __match_any_sync(0xffffffffu, digit);
        if (in && __ffs(peers) - 1 == (int)lane)
            atomicAdd(&bins[digit], __popc(peers));
    }
    __syncthreads();
    for (int b = threadIdx.x; b < RADIX; b += blockDim.x)
        counts[b * gridDim.x + blockIdx.x] = bins[b];
}

extern "C" __global__ void digit_upsweep(const unsigned *__restrict__ keys, unsigned *__restrict__ counts, int n, int shift)
{
    upsweep<6, 12>(keys, counts, n, shift);
}
