// Steps of training: gated activation, an optimizer whose weights are kept twice.
#include <cuda_bf16.h>

#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

__device__ __forceinline__ float silu(float x) { return x / (1.0f + __expf(-x)); }

/* out[t][d] = silu(in[t][d]) * in[t][D + d] */
extern "C" __global__ void swiglu_bf16(__nv_bfloat162 *__restrict__ out, const __nv_bfloat162 *__restrict__ in, int d2)
{
    const long long token = blockIdx.x;
    const __nv_bfloat162 *gate = in + token * 2 * d2, *up = gate + d2;
    for (int i = threadIdx.x; i < d2; i += blockDim.x) {
        const float2 g = __bfloat1622float2(__ldg(gate + i)), u = __bfloat1622float2(__ldg(up + i));
        out[token * d2 + i] = __floats2bfloat162_rn(silu(g.x) * u.x, silu(g.y) * u.y);
    }
}

struct AdamArgs {
    float lr, beta1, beta2, eps, decay, correction1, correction2, scale;
};

template <typename Param, typename Grad>
__device__ void adamw_update(Param *params, float *master, const Grad *grads, float *m, float *v, size_t n, const AdamArgs &a)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float g = a.scale * (float)grads[i];
    float m1 = m[i], v1 = v[i];
    m1 = fmaf(a.beta1, m1, (1.0f - a.beta1) * g);
    v1 = fmaf(a.beta2, v1, (1.0f - a.beta2) * g * g);
    m[i] = m1;
    v[i] = v1;
    m1 /= a.correction1;
    v1 /= a.correction2;
    float old = master[i];
    float now = old - a.lr * (m1 / (sqrtf(v1) + a.eps) + a.decay * old);
    params[i] = (Param)now;
    master[i] = now;
}

extern "C" __global__ void adamw_master(__nv_bfloat16 *params, float *master, const __nv_bfloat16 *grads, float *m, float *v, long long n,
    float lr, float beta1, float beta2, float eps, float decay, float correction1, float correction2, float scale)
{
    adamw_update(params, master, grads, m, v, (size_t)n, AdamArgs{lr, beta1, beta2, eps, decay, correction1, correction2, scale});
}
