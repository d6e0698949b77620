/* Layers of networks, and what trains them. */

/* Normalizes rows by their mean square, a block a row. */
extern "C" __global__ void rms_norm(const float *x, const float *gain, float *y, int columns)
{
    __shared__ float parts[8];
    const float *row = x + (long)blockIdx.x * columns;
    float sum = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        sum += row[i] * row[i];
    for (int d = 16; d; d >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < 8; w++)
        sum += parts[w];
    float scale = rsqrtf(sum / columns + 1e-5f);
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        y[(long)blockIdx.x * columns + i] = row[i] * scale * gain[i];
}

/* One step of Adam. */
extern "C" __global__ void adam(float *p, const float *g, float *m, float *v, int n, float rate, float b1, float b2, float c1, float c2)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float mi = m[i] = b1 * m[i] + (1 - b1) * g[i];
        float vi = v[i] = b2 * v[i] + (1 - b2) * g[i] * g[i];
        p[i] -= rate * (mi * c1) / (sqrtf(vi * c2) + 1e-8f);
    }
}

/* Rotates pairs of a query by their position. */
extern "C" __global__ void rotary(float *q, const float *cosines, const float *sines, int heads, int depth)
{
    int position = blockIdx.x, half = depth / 2;
    for (int i = threadIdx.x; i < heads * half; i += blockDim.x) {
        int h = i / half, d = i % half;
        float *at = q + ((long)position * heads + h) * depth + d;
        float c = cosines[position * half + d], s = sines[position * half + d], a = at[0], b = at[half];
        at[0] = a * c - b * s;
        at[half] = b * c + a * s;
    }
}

/* A layer with few inputs: a warp an output, over the columns of a row of weights. */
extern "C" __global__ void decode_layer(const float4 *weights, const float4 *x, float *y, int rows, int quads)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0;
    for (int i = lane; i < quads; i += 32) {
        float4 w = weights[(long)row * quads + i], v = x[i];
        sum += w.x * v.x + w.y * v.y + w.z * v.z + w.w * v.w;
    }
    for (int d = 16; d; d >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0)
        y[row] = sum;
}

/* Weights in 8 bits with a scale by group of 64. */
extern "C" __global__ void decode_int8(const int *weights, const float *scales, const float *x, float *y, int rows, int words)
{
    __shared__ float parts[4];
    int row = blockIdx.x;
    float sum = 0;
    for (int i = threadIdx.x; i < words; i += blockDim.x) {
        int w = weights[(long)row * words + i];
        float s = scales[((long)row * words + i) / 16];
        const float *v = x + 4 * i;
        sum += s * ((float)(signed char)w * v[0] + (float)(signed char)(w >> 8) * v[1] + (float)(signed char)(w >> 16) * v[2] + (float)(w >> 24) * v[3]);
    }
    for (int d = 16; d; d >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        y[row] = parts[0] + parts[1] + parts[2] + parts[3];
}

/* Depth-wise convolution of 3 x 3, channels last. */
extern "C" __global__ void depthwise(const float *in, const float *k, float *out, int height, int width, int channels)
{
    int c = threadIdx.x + blockIdx.z * blockDim.x, x = blockIdx.x, y = blockIdx.y;
    float sum = 0;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++) {
            int sy = y + dy - 1, sx = x + dx - 1;
            if (sy >= 0 && sy < height && sx >= 0 && sx < width)
                sum += in[((long)sy * width + sx) * channels + c] * k[(dy * 3 + dx) * channels + c];
        }
    out[((long)y * width + x) * channels + c] = fmaxf(sum, 0.0f);
}

/* A gated recurrent unit's last step: three gates into one state. */
extern "C" __global__ void gates(const float *input, const float *hidden, float *state, int batch, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= batch * size)
        return;
    int b = i / size, j = i % size;
    const float *a = input + (long)b * 3 * size, *h = hidden + (long)b * 3 * size;
    float r = 1 / (1 + expf(-(a[j] + h[j]))), z = 1 / (1 + expf(-(a[size + j] + h[size + j])));
    float n = tanhf(a[2 * size + j] + r * h[2 * size + j]);
    state[i] = (1 - z) * n + z * state[i];
}

/* Gradient of a layer's bias: columns summed by blocks of 32 x 8. */
extern "C" __global__ void bias_gradient(const float *g, float *bias, int rows, int columns)
{
    __shared__ float s[8][33];
    int c = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int r = threadIdx.y; r < rows; r += 8)
        sum += g[(long)r * columns + c];
    s[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0) {
        for (int k = 1; k < 8; k++)
            sum += s[k][threadIdx.x];
        bias[c] = sum;
    }
}

/* Squared distances of all pairs, tiles of 32 x 32 of both sets in shared memory, 2 x 2 a thread. */
extern "C" __global__ void pair_distances(const float *a, const float *b, float *out, int n, int dims)
{
    __shared__ float ta[32][33], tb[32][33];
    int tx = threadIdx.x, ty = threadIdx.y, i0 = blockIdx.y * 32, j0 = blockIdx.x * 32;
    float d[2][2] = {{0, 0}, {0, 0}};
    for (int k0 = 0; k0 < dims; k0 += 32) {
        for (int r = ty; r < 32; r += 16)
            for (int c = tx; c < 32; c += 16) {
                ta[r][c] = a[(i0 + r) * dims + k0 + c];
                tb[r][c] = b[(j0 + r) * dims + k0 + c];
            }
        __syncthreads();
        for (int k = 0; k < 32; k++)
            for (int r = 0; r < 2; r++)
                for (int c = 0; c < 2; c++) {
                    float e = ta[ty + 16 * r][k] - tb[tx + 16 * c][k];
                    d[r][c] += e * e;
                }
        __syncthreads();
    }
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 2; c++)
            out[(long)(i0 + ty + 16 * r) * n + j0 + tx + 16 * c] = d[r][c];
}
