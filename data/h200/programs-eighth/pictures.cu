/* Pictures: means of boxes, noise taken out by patches alike, and other sizes. */

/* Means along columns by a sum that runs, a thread a column. */
extern "C" __global__ void box_columns(const float *id, float *od, int w, int h, int r)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= w)
        return;
    id += x;
    od += x;
    const float scale = 1.0f / (float)((r << 1) + 1);
    float t = id[0] * r;
    for (int y = 0; y < r + 1; y++)
        t += id[y * w];
    od[0] = t * scale;
    for (int y = 1; y < r + 1; y++) {
        t += id[(y + r) * w];
        t -= id[0];
        od[y * w] = t * scale;
    }
    for (int y = r + 1; y < h - r; y++) {
        t += id[(y + r) * w];
        t -= id[((y - r) * w) - w];
        od[y * w] = t * scale;
    }
    for (int y = h - r; y < h; y++) {
        t += id[(h - 1) * w];
        t -= id[((y - r) * w) - w];
        od[y * w] = t * scale;
    }
}

#define BLOCK 16
#define SEARCH 3
#define PATCH 1
#define RIM (SEARCH + PATCH)
#define SIDE (BLOCK + 2 * RIM)

/* Each pixel the mean of 49 around it, weighed by how alike the patches of 3 x 3 are. */
extern "C" __global__ void nlm_denoise(float *__restrict__ dst, const float *__restrict__ src, int width, int height, float noise, float lerp)
{
    __shared__ float tile[SIDE][SIDE + 1];
    const int x0 = blockIdx.x * BLOCK - RIM, y0 = blockIdx.y * BLOCK - RIM;
    for (int i = threadIdx.y * BLOCK + threadIdx.x; i < SIDE * SIDE; i += BLOCK * BLOCK) {
        const int x = min(max(x0 + i % SIDE, 0), width - 1), y = min(max(y0 + i / SIDE, 0), height - 1);
        tile[i / SIDE][i % SIDE] = src[y * width + x];
    }
    __syncthreads();
    const int cx = threadIdx.x + RIM, cy = threadIdx.y + RIM;
    const int ix = blockIdx.x * BLOCK + threadIdx.x, iy = blockIdx.y * BLOCK + threadIdx.y;
    float sum = 0.0f, weights = 0.0f;
    for (int i = -SEARCH; i <= SEARCH; i++)
        for (int j = -SEARCH; j <= SEARCH; j++) {
            float distance = 0.0f;
#pragma unroll
            for (int n = -PATCH; n <= PATCH; n++)
#pragma unroll
                for (int m = -PATCH; m <= PATCH; m++) {
                    const float d = tile[cy + i + n][cx + j + m] - tile[cy + n][cx + m];
                    distance += d * d;
                }
            const float weight = __expf(-(distance * noise + (i * i + j * j) * (1.0f / 49.0f)));
            sum += weight * tile[cy + i][cx + j];
            weights += weight;
        }
    if (ix < width && iy < height) {
        const float mean = sum / weights;
        dst[iy * width + ix] = mean + lerp * (tile[cy][cx] - mean);
    }
}

template <typename T>
__device__ __forceinline__ void cubic_weights(T c[4], T t)
{
    const T A = -0.75;
    const T x1 = t, x2 = 1 - t;
    c[0] = ((A * (x1 + 1) - 5 * A) * (x1 + 1) + 8 * A) * (x1 + 1) - 4 * A;
    c[1] = ((A + 2) * x1 - (A + 3)) * x1 * x1 + 1;
    c[2] = ((A + 2) * x2 - (A + 3)) * x2 * x2 + 1;
    c[3] = ((A * (x2 + 1) - 5 * A) * (x2 + 1) + 8 * A) * (x2 + 1) - 4 * A;
}

/* Another size by cubic interpolation, a thread a pixel of all channels. */
extern "C" __global__ void bicubic_resize(const float *__restrict__ in, float *__restrict__ out, int num_elements, int planes, int in_h, int in_w, int out_w, float scale_h, float scale_w)
{
    const int index = threadIdx.x + blockIdx.x * blockDim.x;
    if (index >= num_elements)
        return;
    const int output_x = index % out_w, output_y = index / out_w;
    const float real_x = scale_w * (output_x + 0.5f) - 0.5f, real_y = scale_h * (output_y + 0.5f) - 0.5f;
    const int in_x = floorf(real_x), in_y = floorf(real_y);
    float wx[4], wy[4];
    cubic_weights(wx, real_x - in_x);
    cubic_weights(wy, real_y - in_y);
    for (int p = 0; p < planes; p++) {
        const float *plane = in + (size_t)p * in_h * in_w;
        float sum = 0.f;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const float *row = plane + max(min(in_y - 1 + k, in_h - 1), 0) * in_w;
            float along = 0.f;
#pragma unroll
            for (int l = 0; l < 4; l++)
                along += wx[l] * row[max(min(in_x - 1 + l, in_w - 1), 0)];
            sum += wy[k] * along;
        }
        out[(size_t)p * num_elements + index] = sum;
    }
}
