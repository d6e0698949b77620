/* Sparse matrices by their entries. */

/* y += A x, entries sorted by one key: the row above, the column's place below.  A warp adds up the runs of its 32 entries and
   leaves each run's sum once. */
extern "C" __global__ void coo_runs(int nnz, const unsigned long long *__restrict__ keys, const float *__restrict__ val, const float *__restrict__ x, float *y, int shift)
{
    const int lane = threadIdx.x & 31;
    for (int base = (blockIdx.x * blockDim.x + threadIdx.x) & ~31; base < nnz; base += gridDim.x * blockDim.x) {
        const int i = base + lane;
        const unsigned long long key = i < nnz ? keys[i] : ~0ull;
        const int r = (int)(key >> 32);
        float sum = i < nnz ? val[i] * __ldg(x + ((unsigned)key >> shift)) : 0.0f;
#pragma unroll
        for (int d = 1; d < 32; d <<= 1) {
            const float left = __shfl_up_sync(0xffffffff, sum, d);
            const int other = __shfl_up_sync(0xffffffff, r, d);
            if (lane >= d && other == r)
                sum += left;
        }
        const int next = __shfl_down_sync(0xffffffff, r, 1);
        if (r >= 0 && (lane == 31 || next != r))
            atomicAdd(y + r, sum);
    }
}

/* Products of rows of U and of V where a pattern asks for them; 64 long; a warp takes the entries of a row one by one. */
extern "C" __global__ void sddmm_rows(const int *rowptr, const int *colidx, const double *u, const double *v, double *out, int rows)
{
    const int r = blockIdx.x * blockDim.y + threadIdx.y;
    if (r >= rows)
        return;
    const double u0 = u[(long)r * 64 + threadIdx.x], u1 = u[(long)r * 64 + 32 + threadIdx.x];
    for (int e = rowptr[r]; e < rowptr[r + 1]; ++e) {
        const double *other = v + (long)colidx[e] * 64;
        double dot = u0 * other[threadIdx.x] + u1 * other[threadIdx.x + 32];
        for (int w = 16; w > 0; w /= 2)
            dot += __shfl_down_sync(0xffffffffu, dot, w);
        if (threadIdx.x == 0)
            out[e] = dot;
    }
}
