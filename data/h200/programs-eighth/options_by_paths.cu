/* Options by Heston's model: paths with volatility of their own, and their mirror images. */

struct Xorshift {
    unsigned x, y, z, w;
    __device__ explicit Xorshift(unsigned seed) : x(seed * 747796405u + 2891336453u), y(362436069u ^ seed), z(521288629u + 977u * seed), w(88675123u) {}
    __device__ unsigned next()
    {
        const unsigned t = x ^ (x << 11);
        x = y;
        y = z;
        z = w;
        return w = w ^ (w >> 19) ^ t ^ (t >> 8);
    }
    __device__ float uniform() { return (next() >> 8) * 5.9604645e-8f + 2.9802322e-8f; }
};

extern "C" __global__ void __launch_bounds__(256, 2) heston_paths(float *sum, float *square, int paths, int steps, float s0, float v0, float strike, float mu, float kappa, float theta, float sigma, float rho, float dt)
{
    __shared__ float2 parts[8];
    const float root = sqrtf(dt), other = sqrtf(1.0f - rho * rho);
    float payoff = 0.0f, payoff2 = 0.0f;
    for (int path = blockIdx.x * blockDim.x + threadIdx.x; path < paths; path += blockDim.x * gridDim.x) {
        Xorshift random(path + 1);
        float a = logf(s0), b = a, va = v0, vb = v0;
        for (int t = 0; t < steps; t++) {
            const float r = sqrtf(-2.0f * logf(random.uniform()));
            float z1, z2;
            sincospif(2.0f * random.uniform(), &z1, &z2);
            z1 *= r;
            z2 *= r;
            const float dw = rho * z1 + other * z2;
            const float pa = fmaxf(va, 0.0f), pb = fmaxf(vb, 0.0f), sa = sqrtf(pa) * root, sb = sqrtf(pb) * root;
            a += (mu - 0.5f * pa) * dt + sa * z1;
            b += (mu - 0.5f * pb) * dt - sb * z1;
            va += kappa * (theta - pa) * dt + sigma * sa * dw;
            vb += kappa * (theta - pb) * dt - sigma * sb * dw;
        }
        const float value = 0.5f * (fmaxf(expf(a) - strike, 0.0f) + fmaxf(expf(b) - strike, 0.0f));
        payoff += value;
        payoff2 += value * value;
    }
    for (int o = 16; o; o >>= 1) {
        payoff += __shfl_xor_sync(~0u, payoff, o);
        payoff2 += __shfl_xor_sync(~0u, payoff2, o);
    }
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = make_float2(payoff, payoff2);
    __syncthreads();
    if (threadIdx.x == 0) {
        float2 all = parts[0];
        for (int i = 1; i < 8; i++) {
            all.x += parts[i].x;
            all.y += parts[i].y;
        }
        atomicAdd(sum, all.x);
        atomicAdd(square, all.y);
    }
}
