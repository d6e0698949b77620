/* Images and volumes with borders by branches. */

/* Gradients of bytes, each border handled by a branch of its own. */
extern "C" __global__ void edges(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int l = x > 0 ? x - 1 : 0, r = x < width - 1 ? x + 1 : width - 1, u = y > 0 ? y - 1 : 0, d = y < height - 1 ? y + 1 : height - 1;
    int gx = in[u * width + r] + 2 * in[y * width + r] + in[d * width + r] - in[u * width + l] - 2 * in[y * width + l] - in[d * width + l];
    int gy = in[d * width + l] + 2 * in[d * width + x] + in[d * width + r] - in[u * width + l] - 2 * in[u * width + x] - in[u * width + r];
    out[y * width + x] = min(255, (int)sqrtf((float)(gx * gx + gy * gy)));
}

/* Sharpening of four channels of bytes, 5 x 5 with clamped borders. */
extern "C" __global__ void sharpen(const uchar4 *in, uchar4 *out, int width, int height, float amount)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float r = 0, g = 0, b = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int sx = min(max(x + dx, 0), width - 1), sy = min(max(y + dy, 0), height - 1);
            uchar4 p = in[sy * width + sx];
            float w = (3 - abs(dx)) * (3 - abs(dy)) / 81.0f;
            r += w * p.x;
            g += w * p.y;
            b += w * p.z;
        }
    uchar4 c = in[y * width + x];
    r = c.x + amount * (c.x - r);
    g = c.y + amount * (c.y - g);
    b = c.z + amount * (c.z - b);
    out[y * width + x] = make_uchar4(fminf(fmaxf(r, 0.0f), 255.0f), fminf(fmaxf(g, 0.0f), 255.0f), fminf(fmaxf(b, 0.0f), 255.0f), c.w);
}

/* An image turned and scaled, four neighbours by hand. */
extern "C" __global__ void turn(const float *in, float *out, int width, int height, float a, float b, float c, float d, float e, float f)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sx = a * x + b * y + c, sy = d * x + e * y + f, value = 0;
    int ix = (int)floorf(sx), iy = (int)floorf(sy);
    if (ix >= 0 && iy >= 0 && ix < width - 1 && iy < height - 1) {
        float u = sx - ix, v = sy - iy;
        const float *p = in + (long)iy * width + ix;
        value = (1 - v) * ((1 - u) * p[0] + u * p[1]) + v * ((1 - u) * p[width] + u * p[width + 1]);
    }
    out[(long)y * width + x] = value;
}

/* A mosaic of colours to three channels: which neighbours by the parity of row and column. */
extern "C" __global__ void mosaic(const unsigned short *raw, unsigned short *red, unsigned short *green, unsigned short *blue, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= width - 1 || y >= height - 1)
        return;
    int i = y * width + x, c = raw[i], cross = raw[i - 1] + raw[i + 1], column = raw[i - width] + raw[i + width];
    int corners = raw[i - width - 1] + raw[i - width + 1] + raw[i + width - 1] + raw[i + width + 1], r, g, b;
    if (y % 2 == 0) {
        if (x % 2 == 0) {
            r = c;
            g = (cross + column) / 4;
            b = corners / 4;
        } else {
            r = cross / 2;
            g = c;
            b = column / 2;
        }
    } else if (x % 2 == 0) {
        r = column / 2;
        g = c;
        b = cross / 2;
    } else {
        r = corners / 4;
        g = (cross + column) / 4;
        b = c;
    }
    red[i] = r;
    green[i] = g;
    blue[i] = b;
}

/* Rays through a volume from front to back, nearest cells, until a ray is opaque. */
extern "C" __global__ void rays(const float *volume, float *image, int size, int pixels, float slope, float dense)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= pixels || py >= pixels)
        return;
    float x = (px + 0.5f) * size / pixels, y = (py + 0.5f) * size / pixels, colour = 0, clear = 1;
    for (int z = 0; z < size; z++) {
        int ix = (int)x, iy = (int)y;
        if (ix < 0 || iy < 0 || ix >= size || iy >= size)
            break;
        float v = volume[((long)z * size + iy) * size + ix], alpha = v * dense;
        colour += clear * alpha * v;
        clear *= 1 - alpha;
        if (clear < 0.01f)
            break;
        x += slope;
        y += 0.5f * slope;
    }
    image[py * pixels + px] = colour;
}

/* Sums of columns from the top, an integral image's second pass: a thread a column, four rows at once. */
extern "C" __global__ void column_integrals(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width)
        return;
    float sum = 0;
    for (int y = 0; y < height; y += 4) {
        float a = in[(long)y * width + x], b = in[(long)(y + 1) * width + x], c = in[(long)(y + 2) * width + x], d = in[(long)(y + 3) * width + x];
        out[(long)y * width + x] = sum += a;
        out[(long)(y + 1) * width + x] = sum += b;
        out[(long)(y + 2) * width + x] = sum += c;
        out[(long)(y + 3) * width + x] = sum += d;
    }
}
