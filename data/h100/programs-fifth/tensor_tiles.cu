// Products by tensor cores through the library of fragments: a matrix product with copies ahead, a convolution by taps.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline_primitives.h>
#include <mma.h>
using namespace nvcuda;

constexpr int BM = 64, BN = 64, BK = 32, PAD = 8;

// c = a b, 128 threads, a warp 32 x 32; sizes are multiples of the tile.
extern "C" __global__ void __launch_bounds__(128) gemm_fragments(const __nv_bfloat16 *__restrict__ a, const __nv_bfloat16 *__restrict__ b, float *__restrict__ c, int m, int n, int k)
{
    __shared__ __align__(16) __nv_bfloat16 sa[2][BM][BK + PAD], sb[2][BK][BN + PAD];
    const int tid = threadIdx.x, warp = tid / 32, row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(acc[i][j], 0.0f);
    auto fetch = [&](int stage, int k0) {
        for (int i = tid; i < BM * BK / 8; i += 128) {
            const int r = i / (BK / 8), q = i % (BK / 8) * 8;
            __pipeline_memcpy_async(&sa[stage][r][q], a + (size_t)(row0 + r) * k + k0 + q, 16);
        }
        for (int i = tid; i < BK * BN / 8; i += 128) {
            const int r = i / (BN / 8), q = i % (BN / 8) * 8;
            __pipeline_memcpy_async(&sb[stage][r][q], b + (size_t)(k0 + r) * n + col0 + q, 16);
        }
        __pipeline_commit();
    };
    fetch(0, 0);
    for (int k0 = 0, stage = 0; k0 < k; k0 += BK, stage ^= 1) {
        if (k0 + BK < k) {
            fetch(stage ^ 1, k0 + BK);
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < BK; kk += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> fa[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> fb[2];
            for (int i = 0; i < 2; i++) {
                wmma::load_matrix_sync(fa[i], &sa[stage][warp / 2 * 32 + i * 16][kk], BK + PAD);
                wmma::load_matrix_sync(fb[i], &sb[stage][kk][warp % 2 * 32 + i * 16], BN + PAD);
            }
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
                    wmma::mma_sync(acc[i][j], fa[i], fb[j], acc[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::store_matrix_sync(c + (size_t)(row0 + warp / 2 * 32 + i * 16) * n + col0 + warp % 2 * 32 + j * 16, acc[i][j], n, wmma::mem_row_major);
}

// 3 x 3 convolution, channels last: 64 pixels of the images and 64 filters a block; borders are zeros.
extern "C" __global__ void __launch_bounds__(128) conv3_fragments(const half *__restrict__ in, const half *__restrict__ filters, half *__restrict__ out, int images, int height,
    int width, int channels, int outputs)
{
    __shared__ __align__(16) half sp[64][32 + 8], sf[32][64 + 8];
    __shared__ __align__(16) float so[4][16][64];
    const int tid = threadIdx.x, warp = tid / 32, pixels = images * height * width, p0 = blockIdx.x * 64, f0 = blockIdx.y * 64;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        wmma::fill_fragment(acc[j], 0.0f);
    for (int tap = 0; tap < 9; tap++) {
        const int dy = tap / 3 - 1, dx = tap % 3 - 1;
        for (int c0 = 0; c0 < channels; c0 += 32) {
            for (int i = tid; i < 64 * 4; i += 128) {
                const int p = p0 + i / 4, x = p % width + dx, y = p / width % height + dy, q = i % 4 * 8;
                uint4 v = make_uint4(0, 0, 0, 0);
                if (p < pixels && x >= 0 && x < width && y >= 0 && y < height)
                    v = *reinterpret_cast<const uint4 *>(in + (size_t)(p + dy * width + dx) * channels + c0 + q);
                *reinterpret_cast<uint4 *>(&sp[i / 4][q]) = v;
            }
            for (int i = tid; i < 32 * 8; i += 128)
                *reinterpret_cast<uint4 *>(&sf[i / 8][i % 8 * 8]) = *reinterpret_cast<const uint4 *>(filters + (size_t)(tap * channels + c0 + i / 8) * outputs + f0 + i % 8 * 8);
            __syncthreads();
#pragma unroll
            for (int kk = 0; kk < 32; kk += 16) {
                wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
                wmma::load_matrix_sync(a, &sp[warp * 16][kk], 40);
#pragma unroll
                for (int j = 0; j < 4; j++) {
                    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
                    wmma::load_matrix_sync(b, &sf[kk][j * 16], 72);
                    wmma::mma_sync(acc[j], a, b, acc[j]);
                }
            }
            __syncthreads();
        }
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
        wmma::store_matrix_sync(&so[warp][0][j * 16], acc[j], 64, wmma::mem_row_major);
    __syncwarp();
    for (int i = tid % 32; i < 16 * 32; i += 32) {
        const int p = p0 + warp * 16 + i / 32, f = i % 32 * 2;
        if (p < pixels)
            *reinterpret_cast<half2 *>(out + (size_t)p * outputs + f0 + f) =
                __floats2half2_rn(fmaxf(so[warp][i / 32][f], 0.f), fmaxf(so[warp][i / 32][f + 1], 0.f));
    }
}
