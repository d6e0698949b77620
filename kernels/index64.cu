/*
 * Scales the rows of a pitched array with all indices in 64 bits.
 *
 * Launch: two dimensions, x along the rows, y the rows; threads stride over both by the whole grid.
 *
 * values  f32, height rows of `pitch` elements, of which the first `width` are scaled
 * factor  of every element
 */
extern "C" __global__ void index64(float *values, long long width, long long height,
                                   long long pitch, float factor)
{
    long long x0 = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long y0 = (long long)blockIdx.y * blockDim.y + threadIdx.y;
    long long step_x = (long long)gridDim.x * blockDim.x;
    long long step_y = (long long)gridDim.y * blockDim.y;

    for (long long y = y0; y < height; y += step_y)
        for (long long x = x0; x < width; x += step_x)
            values[y * pitch + x] *= factor;
}
