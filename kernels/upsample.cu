/*
 * Enlarges an image by a whole factor: upsample_nearest repeats points, upsample_bilinear
 * interpolates between them.
 *
 * Launch: two dimensions, one thread a point of the target, x along the rows, any block.
 *
 * source  f32, height rows of width points
 * target  f32, height * factor rows of width * factor points
 */
extern "C" __global__ void upsample_nearest(const float *source, float *target, int width,
                                            int height, int factor)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < width * factor && y < height * factor)
        target[y * width * factor + x] = source[y / factor * width + x / factor];
}

extern "C" __global__ void upsample_bilinear(const float *source, float *target, int width,
                                             int height, int factor)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= width * factor || y >= height * factor)
        return;
    int left = x / factor, top = y / factor;
    int right = min(left + 1, width - 1), bottom = min(top + 1, height - 1);
    float wx = (float)(x % factor) / factor, wy = (float)(y % factor) / factor;
    float upper = (1.0f - wx) * source[top * width + left] + wx * source[top * width + right];
    float lower = (1.0f - wx) * source[bottom * width + left] + wx * source[bottom * width + right];
    target[y * width * factor + x] = (1.0f - wy) * upper + wy * lower;
}
