/* Layers that go along a sequence: recurrences with a state, lattices of transducers, a delta rule. */
#include <cuda_bf16.h>

/* Attention by decay (RWKV's): a thread a channel, time step after time step, a running largest exponent. */
extern "C" __global__ void wkv_forward(const float *__restrict__ w, const float *__restrict__ u, const __nv_bfloat16 *__restrict__ k, const __nv_bfloat16 *__restrict__ v, __nv_bfloat16 *__restrict__ y, int batch, int length,
                                      int channels)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= batch * channels)
        return;
    const int c = t % channels, b = t / channels;
    const float decay = -w[c], bonus = u[c];
    float p = 0.0f, q = 0.0f, o = -1e38f;
    long long at = (long long)b * length * channels + c;
    for (int i = 0; i < length; i++, at += channels) {
        const float kk = __bfloat162float(k[at]), vv = __bfloat162float(v[at]);
        float no = fmaxf(o, bonus + kk), a = __expf(o - no), e = __expf(bonus + kk - no);
        y[at] = __float2bfloat16((a * p + e * vv) / (a * q + e));
        no = fmaxf(decay + o, kk);
        a = __expf(decay + o - no);
        e = __expf(kk - no);
        p = a * p + e * vv;
        q = a * q + e;
        o = no;
    }
}

/* Forward variables of a transducer: a block an utterance, diagonals in shared memory, a thread a label. */
extern "C" __global__ void transducer_alphas(const float *__restrict__ blank, const float *__restrict__ emit, float *__restrict__ alphas, float *__restrict__ loss, int frames, int labels)
{
    extern __shared__ float row[];
    const int u = threadIdx.x, b = blockIdx.x;
    const float *mb = blank + (long long)b * frames * labels, *me = emit + (long long)b * frames * labels;
    float *ma = alphas + (long long)b * frames * labels;
    float mine = -1e30f;
    for (int d = 0; d < frames + labels - 1; d++) {
        const int t = d - u;
        float *now = row + (d & 1) * blockDim.x, *before = row + (~d & 1) * blockDim.x;
        if (u < labels && t >= 0 && t < frames) {
            const float stay = t > 0 ? mine + mb[(t - 1) * labels + u] : -1e30f;
            const float step = u > 0 ? before[u - 1] + me[t * labels + u - 1] : -1e30f;
            const float most = fmaxf(stay, step);
            mine = d == 0 ? 0.0f : most + log1pf(expf(-fabsf(stay - step)));
            ma[t * labels + u] = mine;
            now[u] = mine;
        }
        __syncthreads();
    }
    if (u == labels - 1)
        loss[b] = -(mine + mb[(frames - 1) * labels + u]);
}

/* A state of 64 x 64 updated by the delta rule with a gate: a block a head, a thread a column of the state. */
extern "C" __global__ void __launch_bounds__(64) gated_delta_rule(const float *__restrict__ q, const float *__restrict__ k, const float *__restrict__ v, const float *__restrict__ gate, const float *__restrict__ beta,
                                                                 float *__restrict__ out, int length)
{
    __shared__ float s_q[64], s_k[64];
    const int d = threadIdx.x;
    const long long base = (long long)blockIdx.x * length;
    float state[64];
#pragma unroll
    for (int i = 0; i < 64; i++)
        state[i] = 0.0f;
    for (int t = 0; t < length; t++) {
        s_q[d] = q[(base + t) * 64 + d];
        s_k[d] = k[(base + t) * 64 + d];
        const float a = __expf(-gate[base + t]), b = beta[base + t], value = v[(base + t) * 64 + d];
        __syncthreads();
        float seen = 0.0f;
#pragma unroll
        for (int i = 0; i < 64; i++) {
            state[i] *= a;
            seen += state[i] * s_k[i];
        }
        const float delta = b * (value - seen);
        float sum = 0.0f;
#pragma unroll
        for (int i = 0; i < 64; i++) {
            state[i] += s_k[i] * delta;
            sum += state[i] * s_q[i];
        }
        out[(base + t) * 64 + d] = sum;
        __syncthreads();
    }
}

/* Norms of heads, then their rotation by halves, queries and keys in one array of bfloat16: a warp a head. */
extern "C" __global__ void __launch_bounds__(128) norm_heads_and_rotate(__nv_bfloat162 *__restrict__ qk, const float2 *__restrict__ weight, const float *__restrict__ cosines, const float *__restrict__ sines, int heads, int tokens)
{
    const int head = blockIdx.x * 4 + threadIdx.y, token = blockIdx.y, lane = threadIdx.x;
    if (head >= heads)
        return;
    __nv_bfloat162 *mine = qk + ((long long)token * heads + head) * 64;
    float2 a = __bfloat1622float2(mine[lane]), b = __bfloat1622float2(mine[lane + 32]);
    float sum = a.x * a.x + a.y * a.y + b.x * b.x + b.y * b.y;
#pragma unroll
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    const float f = rsqrtf(sum / 128.0f + 1e-6f);
    const float2 wa = weight[lane], wb = weight[lane + 32];
    a.x *= f * wa.x;
    a.y *= f * wa.y;
    b.x *= f * wb.x;
    b.y *= f * wb.y;
    const float *c = cosines + (long long)token * 64 + 2 * lane, *s = sines + (long long)token * 64 + 2 * lane;
    mine[lane] = __floats2bfloat162_rn(a.x * c[0] - b.x * s[0], a.y * c[1] - b.y * s[1]);
    mine[lane + 32] = __floats2bfloat162_rn(b.x * c[0] + a.x * s[0], b.y * c[1] + a.y * s[1]);
}
