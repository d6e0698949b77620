/* Depth from two pictures. */

/* Which of the 9 x 7 neighbours are darker than the pixel: 62 bits each, the tile in shared memory. */
extern "C" __global__ void census_words(const unsigned char *img, unsigned long long *census, int w, int h)
{
    __shared__ unsigned char tile[8 + 6][32 + 8 + 4];
    const int x0 = blockIdx.x * 32 - 4, y0 = blockIdx.y * 8 - 3;
    for (int ty = threadIdx.y; ty < 14; ty += 8)
        for (int tx = threadIdx.x; tx < 40; tx += 32) {
            const int x = min(max(x0 + tx, 0), w - 1), y = min(max(y0 + ty, 0), h - 1);
            tile[ty][tx] = img[y * w + x];
        }
    __syncthreads();
    const unsigned char centre = tile[threadIdx.y + 3][threadIdx.x + 4];
    unsigned long long word = 0;
    for (int dy = 0; dy < 7; dy++)
        for (int dx = 0; dx < 9; dx++)
            if (dx != 4 || dy != 3)
                word = word << 1 | (tile[threadIdx.y + dy][threadIdx.x + dx] < centre);
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < w && y < h)
        census[(size_t)y * w + x] = word;
}

/* What each of 64 shifts costs at each pixel: a block a row's part of 128 pixels. */
extern "C" __global__ void hamming_costs(const unsigned long long *__restrict__ left, const unsigned long long *__restrict__ right, unsigned char *__restrict__ cost, int width)
{
    __shared__ unsigned long long row[128 + 64];
    const int x0 = blockIdx.x * 128, y = blockIdx.y;
    for (int i = threadIdx.x; i < 192; i += 128) {
        const int x = x0 + i - 64;
        row[i] = x >= 0 && x < width ? right[(size_t)y * width + x] : 0;
    }
    __syncthreads();
    const int lane = threadIdx.x % 16, first = threadIdx.x / 16;
#pragma unroll 4
    for (int p = first; p < 128; p += 8) {
        if (x0 + p >= width)
            break;
        const unsigned long long here = left[(size_t)y * width + x0 + p];
        uchar4 c;
        c.x = __popcll(here ^ row[64 + p - 4 * lane]);
        c.y = __popcll(here ^ row[63 + p - 4 * lane]);
        c.z = __popcll(here ^ row[62 + p - 4 * lane]);
        c.w = __popcll(here ^ row[61 + p - 4 * lane]);
        reinterpret_cast<uchar4 *>(cost)[((size_t)y * width + x0 + p) * 16 + lane] = c;
    }
}
