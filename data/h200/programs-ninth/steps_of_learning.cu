/* Losses, optimizers and backward passes. */
#include <cuda_bf16.h>

#define DEVICE_FUNCTION __device__ __forceinline__

/* Lion on parameters in bfloat16, eight a thread, with decay. */
extern "C" __global__ void __launch_bounds__(256) lion_update_bf16(__nv_bfloat162 *__restrict__ parameters, const __nv_bfloat162 *__restrict__ gradients, float *__restrict__ momentum, long long octets, float rate, float decay, float b1, float b2)
{
    const long long t = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (t >= octets)
        return;
    uint4 p4 = ((const uint4 *)parameters)[t];
    const uint4 g4 = ((const uint4 *)gradients)[t];
    float4 m[2] = {((const float4 *)momentum)[2 * t], ((const float4 *)momentum)[2 * t + 1]};
    __nv_bfloat162 *p = (__nv_bfloat162 *)&p4;
    const __nv_bfloat162 *g = (const __nv_bfloat162 *)&g4;
    float *ms = (float *)m;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        float2 pf = __bfloat1622float2(p[i]);
        const float2 gf = __bfloat1622float2(g[i]);
        const float ux = b1 * ms[2 * i] + (1.0f - b1) * gf.x, uy = b1 * ms[2 * i + 1] + (1.0f - b1) * gf.y;
        pf.x -= rate * (copysignf(ux != 0.0f, ux) + decay * pf.x);
        pf.y -= rate * (copysignf(uy != 0.0f, uy) + decay * pf.y);
        ms[2 * i] = b2 * ms[2 * i] + (1.0f - b2) * gf.x;
        ms[2 * i + 1] = b2 * ms[2 * i + 1] + (1.0f - b2) * gf.y;
        p[i] = __float22bfloat162_rn(pf);
    }
    ((uint4 *)parameters)[t] = p4;
    ((float4 *)momentum)[2 * t] = m[0];
    ((float4 *)momentum)[2 * t + 1] = m[1];
}

DEVICE_FUNCTION float log_sigmoid(float x)
{
    return fminf(x, 0.0f) - log1pf(expf(-fabsf(x)));
}

/* Focal loss of anchors by classes and its gradient; sums of losses a block. */
extern "C" __global__ void focal_loss_both_ways(const float *__restrict__ logits, const signed char *__restrict__ targets, float *__restrict__ gradient, float *__restrict__ loss, int anchors, int classes, float alpha, float gamma)
{
    __shared__ float parts[32];
    float mine = 0.0f;
    const int total = anchors * classes;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x) {
        const int anchor = i / classes, c = i - anchor * classes;
        const float x = logits[i];
        const bool hit = targets[anchor] == c;
        const float s = hit ? x : -x, a = hit ? alpha : 1.0f - alpha, log_p = log_sigmoid(s), p = __expf(log_p), miss = 1.0f - p;
        const float power = powf(miss, gamma);
        mine -= a * power * log_p;
        const float slope = a * power * (gamma * p * log_p - miss);
        gradient[i] = hit ? slope : -slope;
    }
    for (int o = 16; o; o >>= 1)
        mine += __shfl_down_sync(0xffffffff, mine, o);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0.0f;
        for (int o = 16; o; o >>= 1)
            mine += __shfl_down_sync(0xffffffff, mine, o);
        if (threadIdx.x == 0)
            atomicAdd(loss, mine);
    }
}

/* Gradient of a bilinear change of size by a whole factor, gathered by each source pixel: N C H W. */
extern "C" __global__ void upsample_backward_gather(const float *__restrict__ grad_out, float *__restrict__ grad_in, int planes, int height, int width, int factor)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, plane = blockIdx.z;
    if (x >= width || y >= height || plane >= planes)
        return;
    const int wide = width * factor, high = height * factor;
    const float inverse = 1.0f / factor;
    const float *g = grad_out + (size_t)plane * wide * high;
    float sum = 0.0f;
    for (int oy = max(y * factor - factor / 2, 0); oy < min((y + 1) * factor + (factor + 1) / 2, high); oy++) {
        const float wy = 1.0f - fabsf((oy + 0.5f) * inverse - 0.5f - y);
        for (int ox = max(x * factor - factor / 2, 0); ox < min((x + 1) * factor + (factor + 1) / 2, wide); ox++) {
            const float wx = 1.0f - fabsf((ox + 0.5f) * inverse - 0.5f - x);
            sum += fmaxf(wx, 0.0f) * fmaxf(wy, 0.0f) * g[(size_t)oy * wide + ox];
        }
    }
    grad_in[((size_t)plane * height + y) * width + x] = sum;
}
