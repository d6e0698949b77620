/* From a sensor's mosaic to colours, and from colours to superpixels. */

/* Malvar's filters of 5 x 5 on a mosaic that begins with red; two by two pixels a thread, from a tile with borders. */
extern "C" __global__ void __launch_bounds__(256) demosaic_malvar(const unsigned short *__restrict__ raw, ushort4 *__restrict__ rgb, int width, int height)
{
    __shared__ short tile[36][68];
    const int x0 = blockIdx.x * 64, y0 = blockIdx.y * 32, id = threadIdx.y * 32 + threadIdx.x;
    for (int k = id; k < 36 * 68; k += 256) {
        const int x = min(max(x0 + k % 68 - 2, 0), width - 1), y = min(max(y0 + k / 68 - 2, 0), height - 1);
        tile[k / 68][k % 68] = raw[y * width + x] >> 2;
    }
    __syncthreads();
#pragma unroll
    for (int half = 0; half < 2; half++) {
        const int ly = 2 * (threadIdx.y + 8 * half) + 2, lx = 2 * threadIdx.x + 2;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const int dx = k & 1, dy = k >> 1, x = x0 + lx - 2 + dx, y = y0 + ly - 2 + dy;
#define T(i, j) ((int)tile[ly + dy + (i)][lx + dx + (j)])
            const int c = T(0, 0), across = T(0, -1) + T(0, 1), along = T(-1, 0) + T(1, 0), far_across = T(0, -2) + T(0, 2), far_along = T(-2, 0) + T(2, 0), corners = T(-1, -1) + T(-1, 1) + T(1, -1) + T(1, 1);
#undef T
            const int green = (4 * c + 2 * (across + along) - far_across - far_along) / 8;
            const int other = (12 * c + 4 * corners - 3 * (far_across + far_along)) / 16;
            const int level = (10 * c + 8 * across - 2 * corners - 2 * far_across + far_along) / 16;
            const int upright = (10 * c + 8 * along - 2 * corners - 2 * far_along + far_across) / 16;
            int r, g, b;
            if (k == 0)
                r = c, g = green, b = other;
            else if (k == 3)
                r = other, g = green, b = c;
            else if (k == 1)
                r = level, g = c, b = upright;
            else
                r = upright, g = c, b = level;
            if (x < width && y < height)
                rgb[y * width + x] = make_ushort4(min(max(r, 0), 16383), min(max(g, 0), 16383), min(max(b, 0), 16383), 16383);
        }
    }
}

/* The nearest of nine centres on a grid of cells, by colour and place. */
extern "C" __global__ void slic_assign(const float4 *__restrict__ lab, const float *__restrict__ centres, int *__restrict__ label, int width, int height, int cells_wide, int cells_high, int step, float weight)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const float4 c = lab[y * width + x];
    const int cx = x / step, cy = y / step;
    float best = 3.0e38f;
    int which = -1;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const int gx = min(max(cx + dx, 0), cells_wide - 1), gy = min(max(cy + dy, 0), cells_high - 1), id = gy * cells_wide + gx;
            const float *k = centres + id * 5;
            const float l = c.x - k[0], a = c.y - k[1], b = c.z - k[2], px = x - k[3] * width, py = y - k[4] * height;
            const float d = l * l + a * a + b * b + weight * (px * px + py * py);
            if (d < best) {
                best = d;
                which = id;
            }
        }
    label[y * width + x] = which;
}
