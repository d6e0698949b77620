/* Products of odd shapes, as a library in OpenCL C has them. */
#define TS 32
#define WPT 4
#define RTS (TS / WPT)

/* The tiles on and below the diagonal of C = alpha A A' + beta C; A has n rows of k. */
__attribute__((reqd_work_group_size(TS, RTS, 1)))
__kernel void syrk_tile_lower(const int n, const int k, const float alpha, const float beta, __global const float *restrict A, __global float *restrict C)
{
    __local float Asub[TS][TS + 1];
    __local float Bsub[TS][TS + 1];
    const int col = get_local_id(0), row = get_local_id(1);
    const int bi = get_group_id(1), bj = get_group_id(0);
    float acc[WPT];
    if (bj > bi)
        return;
    for (int w = 0; w < WPT; w++)
        acc[w] = 0.0f;
    for (int t = 0; t < k; t += TS) {
        for (int w = 0; w < WPT; w++) {
            const int r = row + w * RTS;
            const int ai = bi * TS + r, aj = bj * TS + r;
            Asub[r][col] = ai < n && t + col < k ? A[ai * k + t + col] : 0.0f;
            Bsub[r][col] = aj < n && t + col < k ? A[aj * k + t + col] : 0.0f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int p = 0; p < TS; p++) {
            const float b = Bsub[col][p];
            for (int w = 0; w < WPT; w++)
                acc[w] = mad(Asub[row + w * RTS][p], b, acc[w]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int w = 0; w < WPT; w++) {
        const int i = bi * TS + row + w * RTS, j = bj * TS + col;
        if (i < n && j <= i)
            C[i * n + j] = alpha * acc[w] + beta * C[i * n + j];
    }
}

/* y = A' x of many matrices of m rows of n, whose rows begin every lda elements: a column a work-item. */
__kernel void gemv_transposed_batched(const int m, const int n, const int lda, __global const float *restrict A, __global const float *restrict x, __global float *restrict y)
{
    __local float piece[128];
    const int j = get_global_id(0), lid = get_local_id(0), batch = get_global_id(1);
    __global const float *a = A + (size_t)batch * m * lda;
    float s0 = 0.0f, s1 = 0.0f;
    for (int base = 0; base < m; base += 128) {
        const int have = min(128, m - base);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < have)
            piece[lid] = x[batch * m + base + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (j < n) {
            int i = 0;
            for (; i + 1 < have; i += 2) {
                s0 += a[(base + i) * lda + j] * piece[i];
                s1 += a[(base + i + 1) * lda + j] * piece[i + 1];
            }
            if (i < have)
                s0 += a[(base + i) * lda + j] * piece[i];
        }
    }
    if (j < n)
        y[batch * n + j] = s0 + s1;
}
