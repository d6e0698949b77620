/* Layers of networks forward and backward, in single precision. */

/* Mean and variance of each channel over a batch of images, a block a channel. */
extern "C" __global__ void batch_statistics(const float *x, float *mean, float *variance, int batch, int channels, int pixels)
{
    __shared__ float sums[16], squares[16];
    int c = blockIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float s = 0, q = 0;
    for (int b = 0; b < batch; b++) {
        const float *plane = x + ((size_t)b * channels + c) * pixels;
        for (int p = threadIdx.x; p < pixels; p += blockDim.x) {
            float v = plane[p];
            s += v;
            q += v * v;
        }
    }
    for (int o = 16; o > 0; o /= 2) {
        s += __shfl_down_sync(0xffffffff, s, o);
        q += __shfl_down_sync(0xffffffff, q, o);
    }
    if (lane == 0) {
        sums[warp] = s;
        squares[warp] = q;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        float a = 0, b = 0;
        for (int w = 0; w < blockDim.x / 32; w++) {
            a += sums[w];
            b += squares[w];
        }
        float m = a / ((float)batch * pixels);
        mean[c] = m;
        variance[c] = b / ((float)batch * pixels) - m * m;
    }
}

/* Bias and GELU by its tanh form, four values a thread, a grid that strides. */
extern "C" __global__ void gelu_bias(const float4 *__restrict__ x, const float4 *__restrict__ bias, float4 *__restrict__ y, int quads, int columns)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
        float4 v = x[i], b = bias[i % columns];
        float a[4] = {v.x + b.x, v.y + b.y, v.z + b.z, v.w + b.w};
#pragma unroll
        for (int k = 0; k < 4; k++)
            a[k] = 0.5f * a[k] * (1.0f + tanhf(0.7978845f * (a[k] + 0.044715f * a[k] * a[k] * a[k])));
        y[i] = make_float4(a[0], a[1], a[2], a[3]);
    }
}

template <typename Of>
__device__ float over_block(float v, float *scratch, Of of)
{
    scratch[threadIdx.x] = v;
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h /= 2) {
        if (threadIdx.x < h)
            scratch[threadIdx.x] = of(scratch[threadIdx.x], scratch[threadIdx.x + h]);
        __syncthreads();
    }
    float all = scratch[0];
    __syncthreads();
    return all;
}

/* Loss of a softmax and its gradient, a block of 256 a row, three times over the row. */
extern "C" __global__ void cross_entropy(const float *logits, const int *label, float *loss, float *gradient, int classes)
{
    __shared__ float scratch[256];
    const float *row = logits + (size_t)blockIdx.x * classes;
    float *to = gradient + (size_t)blockIdx.x * classes;
    float top = -1e30f, sum = 0;
    for (int i = threadIdx.x; i < classes; i += blockDim.x)
        top = fmaxf(top, row[i]);
    top = over_block(top, scratch, [](float a, float b) { return fmaxf(a, b); });
    for (int i = threadIdx.x; i < classes; i += blockDim.x)
        sum += expf(row[i] - top);
    sum = over_block(sum, scratch, [](float a, float b) { return a + b; });
    int target = label[blockIdx.x];
    for (int i = threadIdx.x; i < classes; i += blockDim.x)
        to[i] = expf(row[i] - top) / sum - (i == target ? 1.0f : 0.0f);
    if (threadIdx.x == 0)
        loss[blockIdx.x] = logf(sum) + top - row[target];
}

/* Gradients of tokens added to the rows of a table. */
extern "C" __global__ void embedding_gradient(const int *tokens, const float *gradient, float *table, int width)
{
    int token = tokens[blockIdx.x];
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        atomicAdd(&table[(size_t)token * width + i], gradient[(size_t)blockIdx.x * width + i]);
}

/* Patches of an image as the columns of a matrix: a thread a place of a channel, a write for each weight. */
extern "C" __global__ void patches_to_columns(const float *image, float *columns, int channels, int height, int width, int size, int pad, int stride, int out_h, int out_w)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= channels * out_h * out_w)
        return;
    int w = index % out_w, h = index / out_w % out_h, c = index / out_w / out_h;
    int from_y = h * stride - pad, from_x = w * stride - pad;
    float *to = columns + ((size_t)c * size * size * out_h + h) * out_w + w;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            int y = from_y + i, x = from_x + j;
            *to = y >= 0 && x >= 0 && y < height && x < width ? image[((size_t)c * height + y) * width + x] : 0.0f;
            to += out_h * out_w;
        }
}

/* Channels to pixels: r x r channels become squares of pixels, a thread a pixel of the result. */
extern "C" __global__ void pixel_shuffle(const float *in, float *out, int channels, int height, int width, int r)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.z;
    if (x >= width * r || y >= height * r)
        return;
    int from = c * r * r + (y % r) * r + x % r;
    out[((size_t)c * height * r + y) * width * r + x] = in[((size_t)from * height + y / r) * width + x / r];
}
