/* Images and signals. */

/* Rows of a separable filter through shared memory, eight results a thread. */
extern "C" __global__ void filter_rows(const float *in, const float *taps, float *out, int width, int radius)
{
    __shared__ float line[16 * 8 + 32][4];
    int x0 = blockIdx.x * 128, y = blockIdx.y * 4 + threadIdx.y, pitch = width;
    for (int i = threadIdx.x; i < 128 + 2 * radius; i += 16) {
        int x = x0 + i - radius;
        line[i][threadIdx.y] = x >= 0 && x < width ? in[y * pitch + x] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < 8; k++) {
        float sum = 0;
        for (int j = -radius; j <= radius; j++)
            sum += taps[radius - j] * line[k * 16 + threadIdx.x + radius + j][threadIdx.y];
        out[y * pitch + x0 + k * 16 + threadIdx.x] = sum;
    }
}

/* Weights by distance and by difference of brightness. */
extern "C" __global__ void bilateral(const float *in, float *out, int width, int height, int radius, float space, float range)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float middle = in[y * width + x], sum = 0, weights = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
            int cx = min(max(x + dx, 0), width - 1), cy = min(max(y + dy, 0), height - 1);
            float v = in[cy * width + cx], d = v - middle;
            float w = __expf(-(dx * dx + dy * dy) * space - d * d * range);
            sum += w * v;
            weights += w;
        }
    out[y * width + x] = sum / weights;
}

/* Cosine transform of blocks of 8 x 8, a thread a pixel. */
extern "C" __global__ void cosine_blocks(const float *in, const float *table, float *out, int width)
{
    __shared__ float a[8][8], b[8][8], c[8][8];
    int x = threadIdx.x, y = threadIdx.y, at = (blockIdx.y * 8 + y) * width + blockIdx.x * 8 + x;
    a[y][x] = in[at];
    c[y][x] = table[y * 8 + x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += c[y][k] * a[k][x];
    b[y][x] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < 8; k++)
        sum += b[y][k] * c[x][k];
    out[at] = sum;
}

/* Haar wavelet of a block's 1024 values in shared memory, level by level. */
extern "C" __global__ void wavelet(const float *in, float *details, float *means, int n)
{
    __shared__ float s[1024];
    int t = threadIdx.x, base = blockIdx.x * 1024;
    s[t] = in[base + t];
    s[t + 512] = in[base + t + 512];
    __syncthreads();
    for (int half = 512, to = base; half >= 1; half >>= 1) {
        float even = 0, odd = 0;
        if (t < half) {
            even = s[2 * t];
            odd = s[2 * t + 1];
        }
        __syncthreads();
        if (t < half) {
            s[t] = (even + odd) * 0.70710678f;
            details[to + t] = (even - odd) * 0.70710678f;
        }
        to += half;
        __syncthreads();
    }
    if (t == 0)
        means[blockIdx.x] = s[0];
}

/* A recursive filter along rows, a thread a row. */
extern "C" __global__ void recursive_rows(const float *in, float *out, int width, int height, float a0, float a1, float b1, float b2)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height)
        return;
    float xp = 0, yp = 0, yb = 0;
    for (int x = 0; x < width; x++) {
        float xc = in[y * width + x], yc = a0 * xc + a1 * xp - b1 * yp - b2 * yb;
        out[y * width + x] = yc;
        xp = xc;
        yb = yp;
        yp = yc;
    }
}

/* The same along columns: neighbouring threads at neighbouring elements. */
extern "C" __global__ void recursive_columns(const float *in, float *out, int width, int height, float a0, float a1, float b1, float b2)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width)
        return;
    float xp = 0, yp = 0, yb = 0;
    for (int y = 0; y < height; y++) {
        float xc = in[y * width + x], yc = a0 * xc + a1 * xp - b1 * yp - b2 * yb;
        out[y * width + x] = yc;
        xp = xc;
        yb = yp;
        yp = yc;
    }
}

/* Dilation by a square, with a tile and its border. */
extern "C" __global__ void dilate(const unsigned char *in, unsigned char *out, int width, int height)
{
    __shared__ unsigned char tile[20][36];
    int x0 = blockIdx.x * 32 - 2, y0 = blockIdx.y * 16 - 2, t = threadIdx.y * 32 + threadIdx.x;
    for (int i = t; i < 20 * 36; i += 512) {
        int x = x0 + i % 36, y = y0 + i / 36;
        tile[i / 36][i % 36] = x >= 0 && y >= 0 && x < width && y < height ? in[y * width + x] : 0;
    }
    __syncthreads();
    int most = 0;
    for (int dy = 0; dy < 5; dy++)
        for (int dx = 0; dx < 5; dx++)
            most = max(most, (int)tile[threadIdx.y + dy][threadIdx.x + dx]);
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = most;
}

/* Red, green, blue side by side into luma and two chroma planes. */
extern "C" __global__ void to_planes(const unsigned char *rgb, unsigned char *luma, unsigned char *blue, unsigned char *red, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    luma[i] = (77 * r + 150 * g + 29 * b) >> 8;
    blue[i] = ((-43 * r - 85 * g + 128 * b) >> 8) + 128;
    red[i] = ((128 * r - 107 * g - 21 * b) >> 8) + 128;
}

/* Sums of absolute differences of 16 x 16 pixels over a window, a block a place, a thread a shift. */
extern "C" __global__ void motion(const unsigned char *now, const unsigned char *before, unsigned short *sums, int width)
{
    __shared__ unsigned char block[256];
    int bx = blockIdx.x * 16, by = blockIdx.y * 16, t = threadIdx.x;
    block[t] = now[(by + t / 16) * width + bx + t % 16];
    __syncthreads();
    int dx = t % 16, dy = t / 16;
    unsigned sum = 0;
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x++)
            sum += abs((int)block[y * 16 + x] - (int)before[(by + dy + y) * width + bx + dx + x]);
    sums[(blockIdx.y * gridDim.x + blockIdx.x) * 256 + t] = sum;
}

/* Beams of an array of microphones: sums of delayed and weighted complex samples. */
extern "C" __global__ void beams(const float2 *samples, const float2 *weights, float *power, int channels, int count, int beam_count)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y;
    if (t >= count)
        return;
    float re = 0, im = 0;
    for (int c = 0; c < channels; c++) {
        float2 s = samples[c * count + t], w = weights[b * channels + c];
        re += s.x * w.x - s.y * w.y;
        im += s.x * w.y + s.y * w.x;
    }
    power[b * count + t] = re * re + im * im;
}
