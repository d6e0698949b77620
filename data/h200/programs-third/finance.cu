/* Monte Carlo and prices: counters as random numbers, long arithmetic, double precision. */

__device__ static uint4 philox(uint4 c, uint2 key)
{
#pragma unroll
    for (int r = 0; r < 10; r++) {
        unsigned h0 = __umulhi(0xd2511f53u, c.x), l0 = 0xd2511f53u * c.x, h1 = __umulhi(0xcd9e8d57u, c.z), l1 = 0xcd9e8d57u * c.z;
        c = make_uint4(h1 ^ c.y ^ key.x, l1, h0 ^ c.w ^ key.y, l0);
        key.x += 0x9e3779b9u;
        key.y += 0xbb67ae85u;
    }
    return c;
}

/* Paths of a price and its variance, two normal numbers a step. */
extern "C" __global__ void variance_paths(float *payoff, int paths, int steps, float s0, float v0, float kappa, float theta, float sigma, float rho, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= paths)
        return;
    float s = logf(s0), v = v0, root = sqrtf(dt), other = sqrtf(1 - rho * rho);
    for (int k = 0; k < steps; k++) {
        uint4 r = philox(make_uint4(i, k, 0, 0), make_uint2(17, 42));
        float u = (r.x + 1.0f) * 2.3283064e-10f, a = r.y * 1.4629181e-9f, l = sqrtf(-2.0f * logf(u));
        float z1 = l * cosf(a), z2 = rho * z1 + other * l * sinf(a), vp = fmaxf(v, 0.0f), w = sqrtf(vp) * root;
        s += -0.5f * vp * dt + w * z1;
        v += kappa * (theta - vp) * dt + sigma * w * z2;
    }
    payoff[i] = fmaxf(expf(s) - s0, 0.0f);
}

/* Volatilities that explain prices: eight steps of Newton, in double precision. */
extern "C" __global__ void implied_volatility(const double *price, const double *strike, const double *time, double *sigma, int n, double spot)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double p = price[i], k = strike[i], t = time[i], s = 0.3, root = sqrt(t), m = log(spot / k);
    for (int step = 0; step < 8; step++) {
        double d1 = (m + 0.5 * s * s * t) / (s * root), d2 = d1 - s * root;
        double c = spot * 0.5 * erfc(-0.70710678118654752 * d1) - k * 0.5 * erfc(-0.70710678118654752 * d2);
        double vega = spot * root * 0.3989422804014327 * exp(-0.5 * d1 * d1);
        s = fmin(fmax(s - (c - p) / (vega + 1e-8), 0.01), 3.0);
    }
    sigma[i] = s;
}

/* Points of a low-discrepancy sequence: the bits of an index choose direction numbers. */
extern "C" __global__ void sequence_points(const unsigned *directions, float *points, int n, int dimensions)
{
    __shared__ unsigned v[32];
    int d = blockIdx.y;
    if (threadIdx.x < 32)
        v[threadIdx.x] = directions[d * 32 + threadIdx.x];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned gray = i ^ (i >> 1), x = 0;
        for (int k = 0; k < 32; k++)
            if (gray >> k & 1)
                x ^= v[k];
        points[(long)d * n + i] = x * 2.3283064e-10f;
    }
}

/* A portfolio in many scenarios: a thread a scenario, positions and exposures from tables. */
extern "C" __global__ void scenario_values(const float *moves, const float4 *position, const int *factor, float *value, int scenarios, int positions)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= scenarios)
        return;
    float sum = 0;
    for (int p = 0; p < positions; p++) {
        float4 x = position[p];
        float m = moves[(long)factor[p] * scenarios + s];
        float change = m * (x.x + m * (0.5f * x.y + m * x.z));
        sum += change < -x.w ? -x.w : change;
    }
    value[s] = sum;
}

/* Bonds: coupons until each bond's own maturity, discounted along a curve, in double precision. */
extern "C" __global__ void bond_values(const int *periods, const double *coupon, const double *curve, double *value, double *duration, int bonds, double shift)
{
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= bonds)
        return;
    int n = periods[b];
    double c = coupon[b], v = 0, d = 0;
    for (int k = 1; k <= n; k++) {
        double t = 0.5 * k, f = exp(-(curve[k] + shift) * t), cash = k == n ? 100 + c : c;
        v += cash * f;
        d += t * cash * f;
    }
    value[b] = v;
    duration[b] = d / v;
}

/* Averages along paths by a shift register and a rational inverse of the normal distribution, summed by block. */
template <int PATHS> __device__ __forceinline__ float averages(unsigned seed, int steps, float drift, float step)
{
    float s[PATHS], sum[PATHS];
    unsigned state[PATHS];
#pragma unroll
    for (int p = 0; p < PATHS; p++) {
        s[p] = 100.0f;
        sum[p] = 0;
        state[p] = seed * PATHS + p + 1;
    }
    for (int k = 0; k < steps; k++)
#pragma unroll
        for (int p = 0; p < PATHS; p++) {
            state[p] ^= state[p] << 13;
            state[p] ^= state[p] >> 17;
            state[p] ^= state[p] << 5;
            float u = (state[p] >> 8) * 5.9604645e-8f - 0.5f, r = u * u;
            float z = u * (2.50662823884f + r * (-18.61500062529f + r * (41.39119773534f - r * 25.44106049637f)))
                      / (1.0f + r * (-8.47351093090f + r * (23.08336743743f + r * (-21.06224101826f + r * 3.13082909833f))));
            s[p] *= 1.0f + drift + step * z;
            sum[p] += s[p];
        }
    float total = 0;
#pragma unroll
    for (int p = 0; p < PATHS; p++)
        total += fmaxf(sum[p] / steps - 100.0f, 0.0f);
    return total;
}

extern "C" __global__ void average_options(float *sums, int steps, float drift, float step)
{
    __shared__ float part[128];
    int t = threadIdx.x;
    part[t] = averages<4>(blockIdx.x * blockDim.x + t, steps, drift, step);
    for (int d = 64; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d)
            part[t] += part[t + d];
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}
