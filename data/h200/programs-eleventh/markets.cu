/* Options: implicit steps of a differential equation, bridges of Brownian motion by Sobol's numbers. */

/* Crank and Nicolson's scheme for American puts: a thread an option, values of its grid by steps in global memory. */
extern "C" __global__ void american_puts(const float *__restrict__ strike, const float *__restrict__ volatility, float *__restrict__ value, float *__restrict__ scratch, int options, int points, int steps, float rate, float maturity)
{
    const int o = blockIdx.x * blockDim.x + threadIdx.x;
    if (o >= options)
        return;
    const float k = strike[o], sigma = volatility[o], dt = maturity / steps, ds = 3.0f * k / points;
    for (int i = 0; i < points; i++)
        value[(long long)i * options + o] = fmaxf(k - i * ds, 0.0f);
    for (int s = 0; s < steps; s++) {
        float c_before = 0.0f, d_before = k, v_left = value[o], v = value[options + o];
        for (int i = 1; i < points - 1; i++) {
            const float right = value[(long long)(i + 1) * options + o];
            const float a = 0.25f * dt * (sigma * sigma * i * i - rate * i), b = -0.5f * dt * (sigma * sigma * i * i + rate), c = 0.25f * dt * (sigma * sigma * i * i + rate * i);
            const float wanted = a * v_left + (1.0f + b) * v + c * right;
            const float scale = 1.0f / (1.0f - b + a * c_before);
            c_before = -c * scale;
            d_before = (wanted + a * d_before) * scale;
            scratch[((long long)i * 2) * options + o] = c_before;
            scratch[((long long)i * 2 + 1) * options + o] = d_before;
            v_left = v;
            v = right;
        }
        float after = 0.0f;
        for (int i = points - 2; i >= 1; i--) {
            after = scratch[((long long)i * 2 + 1) * options + o] - scratch[((long long)i * 2) * options + o] * after;
            after = fmaxf(after, k - i * ds);
            value[(long long)i * options + o] = after;
        }
    }
}

/* Paths of 64 steps: Sobol's numbers by Gray codes, their normals, bridges between; a block of 64 threads a group of paths, a thread a dimension. */
extern "C" __global__ void __launch_bounds__(64) bridges_of_sobol(const unsigned *__restrict__ directions, const float *__restrict__ weights, const int *__restrict__ ends, float *__restrict__ paths, int count)
{
    __shared__ unsigned v[32 * 64];
    __shared__ float z[64], w[65];
    const int d = threadIdx.x;
    for (int i = 0; i < 32; i++)
        v[i * 64 + d] = directions[i * 64 + d];
    const float left_weight = weights[3 * d], right_weight = weights[3 * d + 1], deviation = weights[3 * d + 2];
    const int left = ends[3 * d], right = ends[3 * d + 1], middle = ends[3 * d + 2];
    for (int p = blockIdx.x; p < count; p += gridDim.x) {
        const unsigned gray = p ^ (p >> 1);
        unsigned x = 0;
        for (int b = 0; b < 24; b++)
            if (gray >> b & 1)
                x ^= v[b * 64 + d];
        z[d] = normcdfinvf((x + 0.5f) * 2.3283064e-10f * 0.9999f + 1e-5f);
        __syncthreads();
        if (d == 0) {
            w[0] = 0.0f;
            w[64] = 8.0f * z[0];
        }
        __syncthreads();
        for (int level = 1; level < 64; level *= 2) {
            if (d >= level && d < 2 * level)
                w[middle & 63] = left_weight * w[left & 63] + right_weight * w[right & 63] + deviation * z[d];
            __syncthreads();
        }
        paths[(long long)p * 64 + d] = w[d + 1];
        __syncthreads();
    }
}
