/*
 * Adds a scaled matrix to another by a grid-stride loop in both dimensions.
 *
 * Launch: two dimensions, x along the rows, any grid and block.
 *
 * source  f32, height rows of width elements
 * target  f32, the same shape, added to
 * factor  of source
 */
extern "C" __global__ void grid_stride2d(const float *source, float *target, float factor,
                                         int width, int height)
{
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x)
            target[y * width + x] += factor * source[y * width + x];
}
