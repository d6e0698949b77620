/* Factors of many small matrices. */

template <typename T> __device__ __forceinline__ T warp_sum(T v)
{
#pragma unroll
    for (int offset = 16; offset; offset /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, offset);
    return v;
}

/* Householder's factors of 32 x N, a warp a matrix and a lane a row. */
template <int N> __device__ __forceinline__ void householder(float (&row)[N], float (&tau)[N], int lane)
{
#pragma unroll
    for (int k = 0; k < N; k++) {
        const float mine = lane >= k ? row[k] : 0.0f;
        const float norm = sqrtf(warp_sum(mine * mine));
        const float head = __shfl_sync(0xffffffffu, row[k], k);
        const float alpha = copysignf(norm, -head);
        const float v = lane > k ? row[k] : lane == k ? head - alpha : 0.0f;
        const float beta = 1.0f / (norm * norm - head * alpha);
        tau[k] = beta;
#pragma unroll
        for (int j = k + 1; j < N; j++) {
            const float product = warp_sum(v * row[j]);
            row[j] -= beta * product * v;
        }
        row[k] = lane == k ? alpha : v;
    }
}

extern "C" __global__ void qr_by_warps(const float *__restrict__ a, float *__restrict__ r, float *__restrict__ taus, int count)
{
    constexpr int N = 12;
    const int lane = threadIdx.x & 31, matrix = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    if (matrix >= count)
        return;
    float row[N], tau[N];
    const float *mine = a + (size_t)matrix * 32 * N + lane;
#pragma unroll
    for (int k = 0; k < N; k++)
        row[k] = mine[32 * k];
    householder(row, tau, lane);
    float *out = r + (size_t)matrix * 32 * N + lane;
#pragma unroll
    for (int k = 0; k < N; k++)
        out[32 * k] = row[k];
    if (lane == 0)
#pragma unroll
        for (int k = 0; k < N; k++)
            taus[(size_t)matrix * N + k] = tau[k];
}

/* Cholesky's factor of 6 x 6 and one solution, a thread a matrix, entries of all matrices interleaved. */
template <int N> struct Packed {
    static __device__ __forceinline__ constexpr int at(int i, int j) { return i * (i + 1) / 2 + j; }
};

extern "C" __global__ void __launch_bounds__(64) cholesky_interleaved(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ x, int count,
    double shift)
{
    constexpr int N = 6;
    using P = Packed<N>;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    double l[N * (N + 1) / 2], y[N];
#pragma unroll
    for (int e = 0; e < N * (N + 1) / 2; e++)
        l[e] = a[(size_t)e * count + i];
#pragma unroll
    for (int j = 0; j < N; j++) {
        double d = l[P::at(j, j)] + shift;
#pragma unroll
        for (int k = 0; k < j; k++)
            d -= l[P::at(j, k)] * l[P::at(j, k)];
        d = sqrt(d);
        l[P::at(j, j)] = d;
#pragma unroll
        for (int r = j + 1; r < N; r++) {
            double s = l[P::at(r, j)];
#pragma unroll
            for (int k = 0; k < j; k++)
                s -= l[P::at(r, k)] * l[P::at(j, k)];
            l[P::at(r, j)] = s / d;
        }
    }
#pragma unroll
    for (int r = 0; r < N; r++) {
        double s = b[(size_t)r * count + i];
#pragma unroll
        for (int k = 0; k < r; k++)
            s -= l[P::at(r, k)] * y[k];
        y[r] = s / l[P::at(r, r)];
    }
#pragma unroll
    for (int r = N - 1; r >= 0; r--) {
        double s = y[r];
#pragma unroll
        for (int k = r + 1; k < N; k++)
            s -= l[P::at(k, r)] * y[k];
        y[r] = s / l[P::at(r, r)];
        x[(size_t)r * count + i] = y[r];
    }
}
