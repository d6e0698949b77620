/* Pictures from a camera. */
#include <stdint.h>

/* RGB to NV12: a thread four pixels, two rows of two. */
extern "C" __global__ void rgb_to_nv12(const uint8_t *__restrict__ rgb, uint8_t *__restrict__ nv12, int width, int height, int pitch)
{
    const int x = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    const int y = (blockIdx.y * blockDim.y + threadIdx.y) * 2;
    if (x >= width || y >= height)
        return;
    int r_sum = 0, g_sum = 0, b_sum = 0;
#pragma unroll
    for (int dy = 0; dy < 2; ++dy)
#pragma unroll
        for (int dx = 0; dx < 2; ++dx) {
            const uint8_t *p = rgb + ((y + dy) * width + x + dx) * 3;
            const int r = p[0], g = p[1], b = p[2];
            nv12[(y + dy) * pitch + x + dx] = (uint8_t)(((66 * r + 129 * g + 25 * b + 128) >> 8) + 16);
            r_sum += r;
            g_sum += g;
            b_sum += b;
        }
    r_sum >>= 2, g_sum >>= 2, b_sum >>= 2;
    uint8_t *uv = nv12 + height * pitch + (y / 2) * pitch + x;
    uv[0] = (uint8_t)(((-38 * r_sum - 74 * g_sum + 112 * b_sum + 128) >> 8) + 128);
    uv[1] = (uint8_t)(((112 * r_sum - 94 * g_sum - 18 * b_sum + 128) >> 8) + 128);
}

/* Edges are thinned to the largest along the way the picture changes. */
extern "C" __global__ void suppress_non_maxima(const float *gx, const float *gy, unsigned char *edges, unsigned w, unsigned h, float low, float high)
{
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1)
        return;
    const unsigned i = y * w + x;
    const float dx = gx[i], dy = gy[i], m = sqrtf(dx * dx + dy * dy);
    unsigned char mark = 0;
    if (m > low) {
        const float ax = fabsf(dx), ay = fabsf(dy);
        int step;
        if (ay <= 0.4142f * ax)
            step = 1;
        else if (ay >= 2.4142f * ax)
            step = w;
        else
            step = dx * dy > 0 ? w + 1 : (int)w - 1;
        const float m1 = hypotf(gx[i + step], gy[i + step]), m2 = hypotf(gx[i - step], gy[i - step]);
        if (m >= m1 && m > m2)
            mark = m > high ? 255 : 128;
    }
    edges[i] = mark;
}
