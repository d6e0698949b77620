/* Layers that slide over images. */

/* 5 x 5, weights of all channels in constant memory; channels first; four output channels a thread. */
__constant__ float weights[16 * 8 * 25];

#define IN_CHANNELS 8
#define OUT_CHANNELS 16

extern "C" __global__ void conv5_constant(const float *input, float *output, int H, int W)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int img = blockIdx.z / (OUT_CHANNELS / 4), o0 = blockIdx.z % (OUT_CHANNELS / 4) * 4;
    int OH = H - 4, OW = W - 4;
    if (x >= OW || y >= OH)
        return;
    float acc[4] = {0.f, 0.f, 0.f, 0.f};
    for (int c = 0; c < IN_CHANNELS; ++c) {
        const float *plane = input + ((size_t)img * IN_CHANNELS + c) * H * W;
        for (int p = 0; p < 5; ++p)
            for (int q = 0; q < 5; ++q) {
                float v = plane[(y + p) * W + x + q];
                for (int o = 0; o < 4; ++o)
                    acc[o] += v * weights[((o0 + o) * IN_CHANNELS + c) * 25 + p * 5 + q];
            }
    }
    for (int o = 0; o < 4; ++o)
        output[(((size_t)img * OUT_CHANNELS + o0 + o) * OH + y) * OW + x] = acc[o];
}

/* A transposed convolution of 4 x 4 by steps of two, channels last: a block a pixel of the result, a thread a channel. */
extern "C" __global__ void deconv_by_two(const float *__restrict__ in, const float *__restrict__ filter, const float *__restrict__ bias, float *__restrict__ out, int in_h,
                                         int in_w, int in_c, int out_c)
{
    extern __shared__ float pixels[];
    const int ox = blockIdx.x, oy = blockIdx.y, image = blockIdx.z;
    const int y1 = (oy + 1) >> 1, x1 = (ox + 1) >> 1, ky1 = (oy + 1) & 1, kx1 = (ox + 1) & 1;
    for (int i = threadIdx.x; i < 4 * in_c; i += blockDim.x) {
        const int c = i % in_c, tap = i / in_c, iy = y1 - (tap >> 1), ix = x1 - (tap & 1);
        const bool inside = iy >= 0 && iy < in_h && ix >= 0 && ix < in_w;
        pixels[i] = inside ? in[(((size_t)image * in_h + iy) * in_w + ix) * in_c + c] : 0.0f;
    }
    __syncthreads();
    for (int o = threadIdx.x; o < out_c; o += blockDim.x) {
        float sum = bias[o];
        for (int tap = 0; tap < 4; tap++) {
            const int ky = ky1 + 2 * (tap >> 1), kx = kx1 + 2 * (tap & 1);
            const float *f = filter + (size_t)(ky * 4 + kx) * in_c * out_c + o;
#pragma unroll 4
            for (int c = 0; c < in_c; c++)
                sum = fmaf(pixels[tap * in_c + c], f[(size_t)c * out_c], sum);
        }
        out[(((size_t)image * gridDim.y + oy) * gridDim.x + ox) * out_c + o] = sum > 0.0f ? sum : 0.2f * sum;
    }
}
