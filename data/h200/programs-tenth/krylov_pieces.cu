/* Pieces of solvers: batches of small systems, projections of Arnoldi. */

/* Systems of five unknowns, a thread each, matrices row by row: elimination without pivots, in registers. */
extern "C" __global__ void __launch_bounds__(128) eliminate_five(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ x, int systems)
{
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems)
        return;
    double m[5][6];
#pragma unroll
    for (int i = 0; i < 5; i++) {
#pragma unroll
        for (int j = 0; j < 5; j++)
            m[i][j] = a[(long long)s * 25 + i * 5 + j];
        m[i][i] += 6.0;
        m[i][5] = b[(long long)s * 5 + i];
    }
#pragma unroll
    for (int k = 0; k < 5; k++) {
        const double pivot = 1.0 / m[k][k];
#pragma unroll
        for (int i = k + 1; i < 5; i++) {
            const double f = m[i][k] * pivot;
#pragma unroll
            for (int j = k + 1; j < 6; j++)
                m[i][j] -= f * m[k][j];
        }
        m[k][5] *= pivot;
#pragma unroll
        for (int j = k + 1; j < 5; j++)
            m[k][j] *= pivot;
    }
#pragma unroll
    for (int k = 4; k >= 0; k--) {
#pragma unroll
        for (int j = k + 1; j < 5; j++)
            m[k][5] -= m[k][j] * m[j][5];
        x[(long long)s * 5 + k] = m[k][5];
    }
}

/* A vector against VECTORS vectors of a basis at once: a block a part of the rows, warps sum, atomics between blocks. */
extern "C" __global__ void __launch_bounds__(256) project_on_basis(const double *__restrict__ basis, const double *__restrict__ w, double *__restrict__ h, int n, int vectors)
{
    __shared__ double parts[8];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int v = 0; v < vectors; v++) {
        double sum = 0;
        for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
            sum += basis[(long long)v * n + i] * w[i];
        for (int d = 16; d; d /= 2)
            sum += __shfl_xor_sync(0xffffffff, sum, d);
        if (lane == 0)
            parts[warp] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            double all = 0;
            for (int p = 0; p < 8; p++)
                all += parts[p];
            atomicAdd(h + v, all);
        }
        __syncthreads();
    }
}
