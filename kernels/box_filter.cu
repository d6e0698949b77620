/*
 * Mean over a square neighbourhood of each point; indices beyond the edges are clamped to them.
 *
 * Launch: two dimensions, one thread a point, x along the rows, any block.
 *
 * source  f32, height rows of width points
 * target  f32, the same shape
 * radius  of the neighbourhood: 2 * radius + 1 points a side
 */
extern "C" __global__ void box_filter(const float *__restrict__ source, float *__restrict__ target,
                                      int width, int height, int radius)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int dy = -radius; dy <= radius; dy++) {
        int row = min(max(y + dy, 0), height - 1);
        for (int dx = -radius; dx <= radius; dx++)
            sum += source[row * width + min(max(x + dx, 0), width - 1)];
    }
    int side = 2 * radius + 1;
    target[y * width + x] = sum / (side * side);
}
