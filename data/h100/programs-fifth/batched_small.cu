// Many small systems at once: factors of 16 x 16 in registers, tridiagonal ones a thread each.

// Half a warp has a matrix, a lane a row; no pivots (diagonals are raised first).
template <typename T, int N> __device__ __forceinline__ void factor_rows(T (&row)[N], int lane)
{
#pragma unroll
    for (int k = 0; k < N - 1; k++) {
        const T pivot = __shfl_sync(0xffffffff, row[k], k, N);
        T factor = 0;
        if (lane > k)
            row[k] = factor = row[k] / pivot;
#pragma unroll
        for (int j = k + 1; j < N; j++) {
            const T above = __shfl_sync(0xffffffff, row[j], k, N);
            if (lane > k)
                row[j] -= factor * above;
        }
    }
}

extern "C" __global__ void __launch_bounds__(128) lu_registers(const float *__restrict__ in, float *__restrict__ out, int count, float raise)
{
    constexpr int N = 16;
    const int lane = threadIdx.x % N, matrix = (blockIdx.x * blockDim.x + threadIdx.x) / N;
    const bool here = matrix < count;
    float row[N];
    const float4 *from = reinterpret_cast<const float4 *>(in) + (size_t)(here ? matrix : 0) * N * N / 4 + lane * N / 4;
#pragma unroll
    for (int q = 0; q < N / 4; q++) {
        const float4 v = from[q];
        row[4 * q] = v.x, row[4 * q + 1] = v.y, row[4 * q + 2] = v.z, row[4 * q + 3] = v.w;
    }
#pragma unroll
    for (int j = 0; j < N; j++)
        if (j == lane)
            row[j] += raise;
    factor_rows(row, lane);
    if (here) {
        float4 *to = reinterpret_cast<float4 *>(out) + (size_t)matrix * N * N / 4 + lane * N / 4;
#pragma unroll
        for (int q = 0; q < N / 4; q++)
            to[q] = make_float4(row[4 * q], row[4 * q + 1], row[4 * q + 2], row[4 * q + 3]);
    }
}

// Thomas' algorithm, systems interleaved.
extern "C" __global__ void thomas_interleaved(const double *__restrict__ a, const double *__restrict__ b, const double *__restrict__ c, const double *__restrict__ d,
    double *__restrict__ x, double *__restrict__ scratch, int n, int batch)
{
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= batch)
        return;
    double cp = c[s] / b[s], dp = d[s] / b[s];
    scratch[s] = cp;
    x[s] = dp;
    for (int i = 1; i < n; i++) {
        const size_t at = (size_t)i * batch + s;
        const double m = 1.0 / (b[at] - a[at] * cp);
        cp = c[at] * m;
        dp = (d[at] - a[at] * dp) * m;
        scratch[at] = cp;
        x[at] = dp;
    }
    for (int i = n - 2; i >= 0; i--) {
        const size_t at = (size_t)i * batch + s;
        dp = x[at] - scratch[at] * dp;
        x[at] = dp;
    }
}
