// Random numbers by a counter and by shifts, and what is made of them.
#include <curand_kernel.h>

extern "C" __global__ void dropout_philox(const float4 *__restrict__ in, float4 *__restrict__ out, unsigned char *__restrict__ mask, int quads, float keep,
    unsigned long long seed, unsigned long long offset)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, id, offset, &state);
    const float scale = 1.0f / keep;
    for (int i = id; i < quads; i += gridDim.x * blockDim.x) {
        const float4 u = curand_uniform4(&state), x = in[i];
        const bool a = u.x < keep, b = u.y < keep, c = u.z < keep, d = u.w < keep;
        out[i] = make_float4(a ? x.x * scale : 0, b ? x.y * scale : 0, c ? x.z * scale : 0, d ? x.w * scale : 0);
        reinterpret_cast<uchar4 *>(mask)[i] = make_uchar4(a, b, c, d);
    }
}

#define ASSETS 4

__constant__ float cholesky[ASSETS][ASSETS] = {{1.0f, 0, 0, 0}, {0.5f, 0.8660254f, 0, 0}, {0.3f, 0.4041452f, 0.8640988f, 0}, {0.2f, 0.2309401f, 0.3240370f, 0.8953f}};
__constant__ float weights[ASSETS] = {0.4f, 0.3f, 0.2f, 0.1f};
__constant__ float volatility[ASSETS] = {0.2f, 0.3f, 0.25f, 0.4f};

struct Xorshift {
    unsigned x, y, z, w;
    __device__ explicit Xorshift(unsigned seed) : x(seed * 2654435761u + 1), y(x ^ 362436069u), z(y * 69069u + 5), w(z ^ 88675123u) {}
    __device__ unsigned next()
    {
        const unsigned t = x ^ x << 11;
        x = y;
        y = z;
        z = w;
        return w = w ^ w >> 19 ^ t ^ t >> 8;
    }
    __device__ float2 normals()
    {
        const float u = (next() >> 8) * 5.9604645e-8f + 2.9802322e-8f, v = (next() >> 8) * 5.9604645e-8f;
        const float r = sqrtf(-2.0f * __logf(u));
        float s, c;
        __sincosf(6.2831853f * v, &s, &c);
        return make_float2(r * c, r * s);
    }
};

extern "C" __global__ void __launch_bounds__(256) basket_paths(float *__restrict__ sums, int paths, int steps, float dt, float rate, float strike)
{
    float payoff = 0;
    for (int p = blockIdx.x * 256 + threadIdx.x; p < paths; p += gridDim.x * 256) {
        Xorshift random(p);
        float logs[ASSETS] = {0, 0, 0, 0};
        for (int s = 0; s < steps; s++) {
            float n[ASSETS];
            for (int k = 0; k < ASSETS; k += 2) {
                const float2 z = random.normals();
                n[k] = z.x;
                n[k + 1] = z.y;
            }
            for (int k = 0; k < ASSETS; k++) {
                float c = 0;
                for (int j = 0; j <= k; j++)
                    c += cholesky[k][j] * n[j];
                logs[k] += (rate - 0.5f * volatility[k] * volatility[k]) * dt + volatility[k] * sqrtf(dt) * c;
            }
        }
        float basket = 0;
        for (int k = 0; k < ASSETS; k++)
            basket += weights[k] * 100.0f * __expf(logs[k]);
        payoff += fmaxf(basket - strike, 0.0f);
    }
    __shared__ float s[8];
    for (int o = 16; o > 0; o >>= 1)
        payoff += __shfl_down_sync(~0u, payoff, o);
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = payoff;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; w++)
            payoff += s[w];
        sums[blockIdx.x] = payoff;
    }
}
