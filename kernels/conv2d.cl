/*
 * Two-dimensional convolution of an image; points whose neighbourhood leaves the image are left.
 * conv2d: weights from global memory, any radius. conv2d_constant: the 5 x 5 binomial weights from
 * constant memory, loops unrolled.
 *
 * Launch: two dimensions, one thread a point, x along the rows of the image, any block.
 *
 * source   f32, ny rows of nx points
 * weights  f32, 2 * radius + 1 rows of as many elements
 * target   f32, the shape of source
 */
__kernel void conv2d(__global const float *restrict source, __global const float *restrict weights,
                     __global float *restrict target, int nx, int ny, int radius)
{
    int x = get_global_id(0);
    int y = get_global_id(1);

    if (x >= radius && x < nx - radius && y >= radius && y < ny - radius) {
        int side = 2 * radius + 1;
        float sum = 0.0f;
        for (int j = 0; j < side; j++)
            for (int i = 0; i < side; i++)
                sum += weights[j * side + i] * source[(y + j - radius) * nx + x + i - radius];
        target[y * nx + x] = sum;
    }
}

__constant float binomial[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

__kernel void conv2d_constant(__global const float *restrict source,
                              __global float *restrict target, int nx, int ny)
{
    int x = get_global_id(0);
    int y = get_global_id(1);

    if (x >= 2 && x < nx - 2 && y >= 2 && y < ny - 2) {
        float sum = 0.0f;
#pragma unroll
        for (int j = 0; j < 5; j++)
#pragma unroll
            for (int i = 0; i < 5; i++)
                sum += binomial[j] * binomial[i] * source[(y + j - 2) * nx + x + i - 2];
        target[y * nx + x] = sum;
    }
}
