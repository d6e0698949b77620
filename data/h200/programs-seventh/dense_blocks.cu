/* Products of matrices in three ways: by vectors of four with two buffers, in double precision by registers, and by tensor
   cores with copies that run ahead. */
#include <cuda_fp16.h>

#define OFFSET(row, col, ld) ((row) * (ld) + (col))
#define FLOAT4(p) (reinterpret_cast<float4 *>(&(p))[0])
#define CFLOAT4(p) (reinterpret_cast<const float4 *>(&(p))[0])

/* 128 x 128 a block, 8 x 8 a thread, 8 of depth. */
extern "C" __global__ void sgemm_two_buffers(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, const int M, const int N, const int K)
{
    const int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;
    const int bx = blockIdx.x, by = blockIdx.y, tid = threadIdx.y * blockDim.x + threadIdx.x;
    __shared__ float s_a[2][BK][BM];
    __shared__ float s_b[2][BK][BN];
    float r_load_a[4], r_load_b[4], r_comp_a[TM], r_comp_b[TN];
    float r_c[TM][TN] = {0.0};
    int load_a_smem_m = tid >> 1, load_a_smem_k = (tid & 1) << 2;
    int load_b_smem_k = tid >> 5, load_b_smem_n = (tid & 31) << 2;
    int load_a_gmem_m = by * BM + load_a_smem_m, load_b_gmem_n = bx * BN + load_b_smem_n;
    FLOAT4(r_load_a[0]) = CFLOAT4(A[OFFSET(load_a_gmem_m, load_a_smem_k, K)]);
    FLOAT4(r_load_b[0]) = CFLOAT4(B[OFFSET(load_b_smem_k, load_b_gmem_n, N)]);
#pragma unroll
    for (int i = 0; i < 4; i++)
        s_a[0][load_a_smem_k + i][load_a_smem_m] = r_load_a[i];
    FLOAT4(s_b[0][load_b_smem_k][load_b_smem_n]) = FLOAT4(r_load_b[0]);
    __syncthreads();
    for (int bk = 1; bk < (K + BK - 1) / BK; bk++) {
        int smem_sel = (bk - 1) & 1, smem_sel_next = bk & 1;
        FLOAT4(r_load_a[0]) = CFLOAT4(A[OFFSET(load_a_gmem_m, bk * BK + load_a_smem_k, K)]);
        FLOAT4(r_load_b[0]) = CFLOAT4(B[OFFSET(bk * BK + load_b_smem_k, load_b_gmem_n, N)]);
#pragma unroll
        for (int tk = 0; tk < BK; tk++) {
            FLOAT4(r_comp_a[0]) = FLOAT4(s_a[smem_sel][tk][threadIdx.y * TM / 2]);
            FLOAT4(r_comp_a[4]) = FLOAT4(s_a[smem_sel][tk][threadIdx.y * TM / 2 + BM / 2]);
            FLOAT4(r_comp_b[0]) = FLOAT4(s_b[smem_sel][tk][threadIdx.x * TN / 2]);
            FLOAT4(r_comp_b[4]) = FLOAT4(s_b[smem_sel][tk][threadIdx.x * TN / 2 + BN / 2]);
#pragma unroll
            for (int tm = 0; tm < TM; tm++)
#pragma unroll
                for (int tn = 0; tn < TN; tn++)
                    r_c[tm][tn] += r_comp_a[tm] * r_comp_b[tn];
        }
#pragma unroll
        for (int i = 0; i < 4; i++)
            s_a[smem_sel_next][load_a_smem_k + i][load_a_smem_m] = r_load_a[i];
        FLOAT4(s_b[smem_sel_next][load_b_smem_k][load_b_smem_n]) = FLOAT4(r_load_b[0]);
        __syncthreads();
    }
    const int sel = (K / BK - 1) & 1;
#pragma unroll
    for (int tk = 0; tk < BK; tk++) {
        FLOAT4(r_comp_a[0]) = FLOAT4(s_a[sel][tk][threadIdx.y * TM / 2]);
        FLOAT4(r_comp_a[4]) = FLOAT4(s_a[sel][tk][threadIdx.y * TM / 2 + BM / 2]);
        FLOAT4(r_comp_b[0]) = FLOAT4(s_b[sel][tk][threadIdx.x * TN / 2]);
        FLOAT4(r_comp_b[4]) = FLOAT4(s_b[sel][tk][threadIdx.x * TN / 2 + BN / 2]);
#pragma unroll
        for (int tm = 0; tm < TM; tm++)
#pragma unroll
            for (int tn = 0; tn < TN; tn++)
                r_c[tm][tn] += r_comp_a[tm] * r_comp_b[tn];
    }
#pragma unroll
    for (int half = 0; half < 2; half++)
#pragma unroll
        for (int i = 0; i < TM / 2; i++) {
            int row = by * BM + half * BM / 2 + threadIdx.y * TM / 2 + i, col = bx * BN + threadIdx.x * TN / 2;
            FLOAT4(C[OFFSET(row, col, N)]) = FLOAT4(r_c[half * 4 + i][0]);
            FLOAT4(C[OFFSET(row, col + BN / 2, N)]) = FLOAT4(r_c[half * 4 + i][4]);
        }
}

/* 64 x 64 a block of 16 x 16 threads, columns stored one after the other, any size. */
extern "C" __global__ void dgemm_guarded(int m, int n, int k, double alpha, const double *a, int lda, const double *b, int ldb, double beta, double *c, int ldc)
{
    __shared__ double as[16][65], bs[16][65];
    const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    const int row0 = blockIdx.x * 64, col0 = blockIdx.y * 64;
    double acc[4][4];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            acc[i][j] = 0.0;
    for (int p = 0; p < k; p += 16) {
        for (int e = t; e < 1024; e += 256) {
            const int r = e & 63, q = e >> 6;
            as[q][r] = row0 + r < m && p + q < k ? a[(size_t)(p + q) * lda + row0 + r] : 0.0;
        }
        for (int e = t; e < 1024; e += 256) {
            const int q = e & 15, s = e >> 4;
            bs[q][s] = col0 + s < n && p + q < k ? b[(size_t)(col0 + s) * ldb + p + q] : 0.0;
        }
        __syncthreads();
        for (int q = 0; q < 16; ++q)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += as[q][tx + 16 * i] * bs[q][ty + 16 * j];
        __syncthreads();
    }
    for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 4; ++i) {
            const int r = row0 + tx + 16 * i, s = col0 + ty + 16 * j;
            if (r < m && s < n) {
                double *to = c + (size_t)s * ldc + r;
                *to = beta == 0.0 ? alpha * acc[i][j] : alpha * acc[i][j] + beta * *to;
            }
        }
}

__device__ __forceinline__ void copy16(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from));
}

/* 128 x 128 a block of eight warps, 64 x 32 a warp, 32 of depth, three stages; b has a row a column. */
extern "C" __global__ void __launch_bounds__(256) hgemm_mma_stages(const half *__restrict__ a, const half *__restrict__ b, half *__restrict__ c, int m, int n, int k)
{
    constexpr int STAGES = 3, PITCH = 40;
    extern __shared__ __align__(16) half tiles[];
    half *as = tiles, *bs = tiles + STAGES * 128 * PITCH;
    const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32, wm = warp / 4 * 64, wn = warp % 4 * 32;
    const half *ga = a + (size_t)blockIdx.y * 128 * k, *gb = b + (size_t)blockIdx.x * 128 * k;
    auto fetch = [&](int stage, int k0) {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const int row = tid / 4 + 64 * i, col = tid % 4 * 8;
            copy16(as + (stage * 128 + row) * PITCH + col, ga + (size_t)row * k + k0 + col);
            copy16(bs + (stage * 128 + row) * PITCH + col, gb + (size_t)row * k + k0 + col);
        }
    };
    float acc[4][4][4] = {};
    const int steps = k / 32;
#pragma unroll
    for (int s = 0; s < STAGES - 1; s++) {
        fetch(s, s * 32);
        asm volatile("cp.async.commit_group;");
    }
    for (int step = 0; step < steps; step++) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
        __syncthreads();
        if (step + STAGES - 1 < steps)
            fetch((step + STAGES - 1) % STAGES, (step + STAGES - 1) * 32);
        asm volatile("cp.async.commit_group;");
        const half *ta = as + step % STAGES * 128 * PITCH, *tb = bs + step % STAGES * 128 * PITCH;
#pragma unroll
        for (int kk = 0; kk < 32; kk += 16) {
            unsigned fa[4][4], fb[4][2];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const unsigned at = (unsigned)__cvta_generic_to_shared(ta + (wm + 16 * i + lane % 16) * PITCH + kk + lane / 16 * 8);
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(fa[i][0]), "=r"(fa[i][1]), "=r"(fa[i][2]), "=r"(fa[i][3]) : "r"(at));
            }
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const unsigned at = (unsigned)__cvta_generic_to_shared(tb + (wn + 8 * j + lane % 8) * PITCH + kk + lane / 8 % 2 * 8);
                asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(fb[j][0]), "=r"(fb[j][1]) : "r"(at));
            }
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                                 : "+f"(acc[i][j][0]), "+f"(acc[i][j][1]), "+f"(acc[i][j][2]), "+f"(acc[i][j][3])
                                 : "r"(fa[i][0]), "r"(fa[i][1]), "r"(fa[i][2]), "r"(fa[i][3]), "r"(fb[j][0]), "r"(fb[j][1]));
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int row = blockIdx.y * 128 + wm + 16 * i + lane / 4, col = blockIdx.x * 128 + wn + 8 * j + lane % 4 * 2;
            *(half2 *)(c + (size_t)row * n + col) = __floats2half2_rn(acc[i][j][0], acc[i][j][1]);
            *(half2 *)(c + (size_t)(row + 8) * n + col) = __floats2half2_rn(acc[i][j][2], acc[i][j][3]);
        }
}
