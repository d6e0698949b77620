/*
 * The perceptron of a transformer's layer, without attention: launched in this order for each step.
 *
 * layer_norm   normed = (x - mean) / deviation * scale + shift for each token
 * multiply     hidden = normed first, then again: change = active second
 * gelu         active = gelu(hidden + bias)
 * residual     out = x + change + bias
 *
 * Launch: layer_norm: a block of 256 threads a token. multiply: a block of 256 threads a tile of 64 x
 * 64 elements, x along columns; sizes are multiples of 64, depth of 16. gelu and residual: one
 * dimension, four elements a thread.
 *
 * arrays f32; x, normed, change, out: tokens * width; hidden, active: tokens * (4 width)
 */
extern "C" __global__ void layer_norm(const float *__restrict__ x, const float *__restrict__ scale,
                                      const float *__restrict__ shift, float *__restrict__ normed,
                                      int width)
{
    __shared__ float sums[8], squares[8];
    const float *row = x + (size_t)blockIdx.x * width;
    float sum = 0.0f, square = 0.0f;

    for (int i = threadIdx.x; i < width; i += 256) {
        sum += row[i];
        square += row[i] * row[i];
    }
    for (int apart = 16; apart > 0; apart >>= 1) {
        sum += __shfl_xor_sync(0xffffffffu, sum, apart);
        square += __shfl_xor_sync(0xffffffffu, square, apart);
    }
    if (threadIdx.x % 32 == 0) {
        sums[threadIdx.x / 32] = sum;
        squares[threadIdx.x / 32] = square;
    }
    __syncthreads();
    sum = square = 0.0f;
    for (int warp = 0; warp < 8; warp++) {
        sum += sums[warp];
        square += squares[warp];
    }
    float mean = sum / width, factor = rsqrtf(square / width - mean * mean + 1e-5f);
    for (int i = threadIdx.x; i < width; i += 256)
        normed[(size_t)blockIdx.x * width + i] = (row[i] - mean) * factor * scale[i] + shift[i];
}

extern "C" __global__ __launch_bounds__(256) void multiply(const float *__restrict__ a,
                                                           const float *__restrict__ b,
                                                           float *__restrict__ c, int columns, int depth)
{
    __shared__ float left[16][68], right[16][64];
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    float sums[4][4] = {};

    for (int k = 0; k < depth; k += 16) {
        int row = threadIdx.x / 4, part = threadIdx.x % 4 * 4;
        float4 from = *(const float4 *)&a[(size_t)(blockIdx.y * 64 + row) * depth + k + part];
        left[part][row] = from.x;
        left[part + 1][row] = from.y;
        left[part + 2][row] = from.z;
        left[part + 3][row] = from.w;
        *(float4 *)&right[ty][tx * 4] = *(const float4 *)&b[(size_t)(k + ty) * columns + blockIdx.x * 64 + tx * 4];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float4 x = *(const float4 *)&left[i][ty * 4], y = *(const float4 *)&right[i][tx * 4];
            float xs[4] = {x.x, x.y, x.z, x.w}, ys[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int s = 0; s < 4; s++)
                    sums[r][s] += xs[r] * ys[s];
        }
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        *(float4 *)&c[(size_t)(blockIdx.y * 64 + ty * 4 + r) * columns + blockIdx.x * 64 + tx * 4] =
            make_float4(sums[r][0], sums[r][1], sums[r][2], sums[r][3]);
}

__device__ static float gelu_of(float x)
{
    return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

extern "C" __global__ void gelu(const float4 *__restrict__ hidden, const float4 *__restrict__ bias,
                                float4 *__restrict__ active, int n, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    float4 x = hidden[i], add = bias[i % columns];
    active[i] = make_float4(gelu_of(x.x + add.x), gelu_of(x.y + add.y), gelu_of(x.z + add.z),
                            gelu_of(x.w + add.w));
}

extern "C" __global__ void residual(const float4 *__restrict__ x, const float4 *__restrict__ change,
                                    const float4 *__restrict__ bias, float4 *__restrict__ out, int n,
                                    int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    float4 a = x[i], b = change[i], add = bias[i % columns];
    out[i] = make_float4(a.x + b.x + add.x, a.y + b.y + add.y, a.z + b.z + add.z, a.w + b.w + add.w);
}
