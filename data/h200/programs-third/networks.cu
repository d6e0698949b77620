/* Layers of networks in half precision and bfloat16. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <int LANES> __device__ __forceinline__ float sum_of(float v)
{
#pragma unroll
    for (int d = LANES / 2; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}

/* Layer norm of rows of 128 * 8 * VECTORS halves, kept in registers: a block of 128 a row. */
template <int VECTORS> __device__ __forceinline__ void normalize(const uint4 *x, const __half2 *gain, const __half2 *bias, uint4 *y)
{
    __shared__ float parts[2][4];
    int t = threadIdx.x;
    union { uint4 v; __half2 h[4]; } in[VECTORS];
    float sum = 0, squares = 0;
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        in[k].v = x[(long)blockIdx.x * 128 * VECTORS + k * 128 + t];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float2 f = __half22float2(in[k].h[j]);
            sum += f.x + f.y;
            squares += f.x * f.x + f.y * f.y;
        }
    }
    sum = sum_of<32>(sum);
    squares = sum_of<32>(squares);
    if (t % 32 == 0) {
        parts[0][t / 32] = sum;
        parts[1][t / 32] = squares;
    }
    __syncthreads();
    float mean = (parts[0][0] + parts[0][1] + parts[0][2] + parts[0][3]) / (1024 * VECTORS);
    float scale = rsqrtf((parts[1][0] + parts[1][1] + parts[1][2] + parts[1][3]) / (1024 * VECTORS) - mean * mean + 1e-5f);
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int at = (k * 128 + t) * 4 + j;
            float2 f = __half22float2(in[k].h[j]), g = __half22float2(gain[at]), b = __half22float2(bias[at]);
            in[k].h[j] = __floats2half2_rn((f.x - mean) * scale * g.x + b.x, (f.y - mean) * scale * g.y + b.y);
        }
        y[(long)blockIdx.x * 128 * VECTORS + k * 128 + t] = in[k].v;
    }
}

extern "C" __global__ void layer_norm_half(const uint4 *x, const __half2 *gain, const __half2 *bias, uint4 *y)
{
    normalize<4>(x, gain, bias, y);
}

/* Softmax of causal scores, rows of 1024 bfloat16: a warp a row, 32 values a lane. */
extern "C" __global__ void causal_softmax(const __nv_bfloat16 *scores, __nv_bfloat16 *out, int rows, float scale)
{
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32, last = row % 1024;
    if (row >= rows)
        return;
    float v[32], most = -1e30f, sum = 0;
#pragma unroll
    for (int k = 0; k < 32; k++) {
        v[k] = lane + 32 * k <= last ? scale * __bfloat162float(scores[(long)row * 1024 + lane + 32 * k]) : -1e30f;
        most = fmaxf(most, v[k]);
    }
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, d));
#pragma unroll
    for (int k = 0; k < 32; k++) {
        v[k] = __expf(v[k] - most);
        sum += v[k];
    }
    sum = 1.0f / sum_of<32>(sum);
#pragma unroll
    for (int k = 0; k < 32; k++)
        out[(long)row * 1024 + lane + 32 * k] = __float2bfloat16(v[k] * sum);
}

/* Attention of one query over a cache of keys and values of 128 halves: a block a head and sequence. */
extern "C" __global__ void attend_cache(const __half2 *query, const __half2 *keys, const __half2 *values, __half2 *out, int length)
{
    extern __shared__ float weight[];
    __shared__ float part[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, head = blockIdx.x;
    const __half2 *k = keys + (long)head * length * 64, *v = values + (long)head * length * 64;
    float2 q0 = __half22float2(query[head * 64 + lane]), q1 = __half22float2(query[head * 64 + 32 + lane]);
    float most = -1e30f, sum = 0;
    for (int i = warp; i < length; i += 8) {
        float2 a = __half22float2(k[(long)i * 64 + lane]), b = __half22float2(k[(long)i * 64 + 32 + lane]);
        float s = sum_of<32>(q0.x * a.x + q0.y * a.y + q1.x * b.x + q1.y * b.y) * 0.088388f;
        if (lane == 0)
            weight[i] = s;
        most = fmaxf(most, s);
    }
    if (lane == 0)
        part[warp] = most;
    __syncthreads();
    for (int w = 0; w < 8; w++)
        most = fmaxf(most, part[w]);
    __syncthreads();
    for (int i = t; i < length; i += 256) {
        float e = __expf(weight[i] - most);
        weight[i] = e;
        sum += e;
    }
    sum = sum_of<32>(sum);
    if (lane == 0)
        part[warp] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < 8; w++)
        sum += part[w];
    if (t < 64) {
        float2 o = make_float2(0, 0);
        for (int i = 0; i < length; i++) {
            float2 f = __half22float2(v[(long)i * 64 + t]);
            o.x += weight[i] * f.x;
            o.y += weight[i] * f.y;
        }
        out[head * 64 + t] = __floats2half2_rn(o.x / sum, o.y / sum);
    }
}

/* Rows of a table by tokens, with positions added: 8 halves a thread. */
extern "C" __global__ void embed(const int *tokens, const uint4 *table, const uint4 *positions, uint4 *out, int count, int vectors, int context)
{
    int token = blockIdx.x * blockDim.y + threadIdx.y;
    if (token >= count)
        return;
    long row = tokens[token];
    for (int c = threadIdx.x; c < vectors; c += blockDim.x) {
        union { uint4 v; __half2 h[4]; } a, b;
        a.v = table[row * vectors + c];
        b.v = positions[(token % context) * vectors + c];
        for (int j = 0; j < 4; j++)
            a.h[j] = __hadd2(a.h[j], b.h[j]);
        out[(long)token * vectors + c] = a.v;
    }
}

/* Depth-wise convolution of 5 x 5 with stride 2, planes of halves: a block 16 x 16 results of one plane. */
extern "C" __global__ void depthwise_planes(const __half *in, const __half *weights, __half *out, int size, int channels)
{
    __shared__ __half tile[35][36];
    int tx = threadIdx.x, ty = threadIdx.y, plane = blockIdx.z, half = size / 2;
    int x0 = blockIdx.x * 32 - 2, y0 = blockIdx.y * 32 - 2;
    const __half *from = in + (long)plane * size * size, *w = weights + plane % channels * 25;
    for (int y = ty; y < 35; y += 16)
        for (int x = tx; x < 35; x += 16) {
            int sx = x0 + x, sy = y0 + y;
            tile[y][x] = sx >= 0 && sx < size && sy >= 0 && sy < size ? from[sy * size + sx] : __float2half(0.0f);
        }
    __syncthreads();
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    if (x >= half || y >= half)
        return;
    float sum = 0;
#pragma unroll
    for (int dy = 0; dy < 5; dy++)
#pragma unroll
        for (int dx = 0; dx < 5; dx++)
            sum += __half2float(tile[2 * ty + dy][2 * tx + dx]) * __half2float(w[dy * 5 + dx]);
    out[((long)plane * half + y) * half + x] = __float2half(sum);
}

/* Activations to 8 bits by groups of 128: a warp a group, four values a lane. */
extern "C" __global__ void quantize_groups(const __nv_bfloat162 *x, char4 *q, float *scales, int groups)
{
    int lane = threadIdx.x % 32, step = gridDim.x * blockDim.x / 32;
    for (int g = (blockIdx.x * blockDim.x + threadIdx.x) / 32; g < groups; g += step) {
        float2 a = __bfloat1622float2(x[(long)g * 64 + 2 * lane]), b = __bfloat1622float2(x[(long)g * 64 + 2 * lane + 1]);
        float most = fmaxf(fmaxf(fabsf(a.x), fabsf(a.y)), fmaxf(fabsf(b.x), fabsf(b.y)));
        for (int d = 16; d > 0; d /= 2)
            most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, d));
        float scale = most / 127.0f + 1e-8f, inverse = 1.0f / scale;
        q[(long)g * 32 + lane] = make_char4(__float2int_rn(a.x * inverse), __float2int_rn(a.y * inverse), __float2int_rn(b.x * inverse), __float2int_rn(b.y * inverse));
        if (lane == 0)
            scales[g] = scale;
    }
}
