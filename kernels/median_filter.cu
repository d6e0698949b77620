/*
 * Median of each point's 3 x 3 neighbourhood by partial selection with minima and maxima; edge
 * points are left.
 *
 * Launch: two dimensions, one thread a point, x along the rows, any block.
 *
 * source  f32, height rows of width points
 * target  f32, the same shape
 */
extern "C" __global__ void median_filter(const float *__restrict__ source,
                                         float *__restrict__ target, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1)
        return;
    float v[9];
#pragma unroll
    for (int j = 0; j < 9; j++)
        v[j] = source[(y + j / 3 - 1) * width + x + j % 3 - 1];
#pragma unroll
    for (int i = 0; i < 5; i++)
#pragma unroll
        for (int j = i + 1; j < 9; j++) {
            float low = fminf(v[i], v[j]);
            v[j] = fmaxf(v[i], v[j]);
            v[i] = low;
        }
    target[y * width + x] = v[4];
}
