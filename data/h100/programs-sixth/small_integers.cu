/* Numbers of few bits. */
#include <cuda_fp16.h>

/* Products of bytes by dp4a: 64 x 64 a block, 4 x 4 a thread, tiles of 32 bytes of depth; b by columns. */
template <int BM, int BN, int BK> struct Tiles {
    int a[BK][BM + 1], b[BK][BN + 1];
};

extern "C" __global__ void __launch_bounds__(256) gemm_dp4a(const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int m, int n, int words)
{
    constexpr int BK = 8;
    __shared__ Tiles<64, 64, BK> t;
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16, row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
    int sum[4][4] = {};
    for (int k0 = 0; k0 < words; k0 += BK) {
#pragma unroll
        for (int i = threadIdx.x; i < 64 * BK; i += 256) {
            const int k = i % BK, r = i / BK;
            t.a[k][r] = a[(size_t)(row0 + r) * words + k0 + k];
            t.b[k][r] = b[(size_t)(col0 + r) * words + k0 + k];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; k++) {
            int left[4], right[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                left[i] = t.a[k][ty * 4 + i];
                right[i] = t.b[k][tx + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] = __dp4a(left[i], right[j], sum[i][j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            c[(size_t)(row0 + ty * 4 + i) * n + col0 + tx + 16 * j] = sum[i][j];
}

/* Weights of four bits, 256 a record of 144 bytes, with scales of six bits for each 32 of them. */
struct Record {
    __half2 scale_and_least;
    unsigned char scales[12];
    unsigned char quants[128];
};

__device__ __forceinline__ void scale_of(int j, const unsigned char *s, int &scale, int &least)
{
    if (j < 4) {
        scale = s[j] & 63;
        least = s[j + 4] & 63;
    } else {
        scale = (s[j + 4] & 15) | (s[j - 4] >> 6) << 4;
        least = s[j + 4] >> 4 | (s[j] >> 6) << 4;
    }
}

extern "C" __global__ void expand_four_bits(const Record *__restrict__ in, __half *__restrict__ out)
{
    const Record &r = in[blockIdx.x];
    const int t = threadIdx.x, group = t / 8, place = t % 8;
    const float scale = __low2float(r.scale_and_least), least = __high2float(r.scale_and_least);
    int s, m;
    scale_of(2 * group, r.scales, s, m);
    const float d1 = scale * s, m1 = least * m;
    scale_of(2 * group + 1, r.scales, s, m);
    const float d2 = scale * s, m2 = least * m;
    const unsigned char *q = r.quants + 32 * group + 4 * place;
    __half *y = out + (size_t)blockIdx.x * 256 + 64 * group + 4 * place;
#pragma unroll
    for (int l = 0; l < 4; l++) {
        y[l] = __float2half(d1 * (q[l] & 15) - m1);
        y[l + 32] = __float2half(d2 * (q[l] >> 4) - m2);
    }
}
