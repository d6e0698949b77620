/* Products of matrices with tiles of other shapes. */
#include <mma.h>

/* 96 x 64 a block, 6 x 4 a thread, 16 of depth; any size. */
template <int BM, int BN, int BK, int TM, int TN>
__device__ __forceinline__ void gemm_tile(int M, int N, int K, const float *A, const float *B, float *C)
{
    constexpr int TX = BN / TN, TY = BM / TM, THREADS = TX * TY;
    __shared__ float As[BK][BM + 1];
    __shared__ __align__(16) float Bs[BK][BN];
    const int tid = threadIdx.x, tx = tid % TX, ty = tid / TX;
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    float acc[TM][TN];
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++)
            acc[i][j] = 0.f;
    for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
        for (int e = tid; e < BM * BK; e += THREADS) {
            const int r = e / BK, k = e % BK;
            As[k][r] = row0 + r < M && k0 + k < K ? A[(size_t)(row0 + r) * K + k0 + k] : 0.f;
        }
#pragma unroll
        for (int e = tid; e < BK * BN; e += THREADS) {
            const int k = e / BN, c = e % BN;
            Bs[k][c] = k0 + k < K && col0 + c < N ? B[(size_t)(k0 + k) * N + col0 + c] : 0.f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; k++) {
            float a[TM];
            const float4 b = *reinterpret_cast<const float4 *>(&Bs[k][tx * TN]);
#pragma unroll
            for (int i = 0; i < TM; i++)
                a[i] = As[k][ty + i * TY];
#pragma unroll
            for (int i = 0; i < TM; i++) {
                acc[i][0] += a[i] * b.x;
                acc[i][1] += a[i] * b.y;
                acc[i][2] += a[i] * b.z;
                acc[i][3] += a[i] * b.w;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++)
            if (row0 + ty + i * TY < M && col0 + tx * TN + j < N)
                C[(size_t)(row0 + ty + i * TY) * N + col0 + tx * TN + j] = acc[i][j];
}

extern "C" __global__ void __launch_bounds__(256) sgemm_96x64(int M, int N, int K, const float *A, const float *B, float *C)
{
    gemm_tile<96, 64, 16, 6, 4>(M, N, K, A, B, C);
}

using namespace nvcuda;

/* 64 x 64 a block of four warps, TF32. */
extern "C" __global__ void gemm_tf32_wmma(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ __align__(32) float as[64][36];
    __shared__ __align__(32) float bs[32][68];
    const int t = threadIdx.y * 32 + threadIdx.x, wm = threadIdx.y / 2 * 32, wn = threadIdx.y % 2 * 32;
    const float *ablock = a + (size_t)blockIdx.y * 64 * k, *bblock = b + blockIdx.x * 64;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> acc[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(acc[i][j], 0.0f);
    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int e = t; e < 64 * 8; e += 128)
            *(float4 *)&as[e / 8][e % 8 * 4] = *(const float4 *)(ablock + (size_t)(e / 8) * k + k0 + e % 8 * 4);
        for (int e = t; e < 32 * 16; e += 128)
            *(float4 *)&bs[e / 16][e % 16 * 4] = *(const float4 *)(bblock + (size_t)(k0 + e / 16) * n + e % 16 * 4);
        __syncthreads();
        for (int kk = 0; kk < 32; kk += 8) {
            wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fb[2];
            for (int i = 0; i < 2; i++) {
                wmma::load_matrix_sync(fa[i], &as[wm + 16 * i][kk], 36);
                wmma::load_matrix_sync(fb[i], &bs[kk][wn + 16 * i], 68);
                for (int e = 0; e < fa[i].num_elements; e++)
                    fa[i].x[e] = wmma::__float_to_tf32(fa[i].x[e]);
                for (int e = 0; e < fb[i].num_elements; e++)
                    fb[i].x[e] = wmma::__float_to_tf32(fb[i].x[e]);
            }
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
                    wmma::mma_sync(acc[i][j], fa[i], fb[j], acc[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::store_matrix_sync(c + (size_t)(blockIdx.y * 64 + wm + 16 * i) * n + blockIdx.x * 64 + wn + 16 * j, acc[i][j], n, wmma::mem_row_major);
}

/* 64 x 128 a block of eight warps, bytes straight from global memory. */
extern "C" __global__ void gemm_s8_wmma(const signed char *a, const signed char *b, int *c, int m, int n, int k)
{
    const int row = blockIdx.y * 64 + threadIdx.y / 4 * 32, col = blockIdx.x * 128 + threadIdx.y % 4 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> acc[2][2];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb[2];
#pragma unroll
    for (int i = 0; i < 4; i++)
        wmma::fill_fragment(acc[i / 2][i % 2], 0);
    for (int kk = 0; kk < k; kk += 16) {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            wmma::load_matrix_sync(fa[i], a + (size_t)(row + 16 * i) * k + kk, k);
            wmma::load_matrix_sync(fb[i], b + (size_t)(col + 16 * i) * k + kk, k);
        }
#pragma unroll
        for (int i = 0; i < 4; i++)
            wmma::mma_sync(acc[i / 2][i % 2], fa[i / 2], fb[i % 2], acc[i / 2][i % 2]);
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        wmma::store_matrix_sync(c + (size_t)(row + 16 * (i / 2)) * n + col + 16 * (i % 2), acc[i / 2][i % 2], n, wmma::mem_row_major);
}
