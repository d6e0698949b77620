/*
 * Many small square matrix products: c[i] = a[i] * b[i].
 *
 * Launch: three dimensions, z one matrix, x along its columns, y along its rows, one thread an
 * element, any block of depth one.
 *
 * a, b, c  f32, one n x n row-major matrix after another
 */
extern "C" __global__ void matmul_batched(const float *a, const float *b, float *c, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int first = blockIdx.z * n * n;

    if (row < n && column < n) {
        float sum = 0.0f;
        for (int i = 0; i < n; i++)
            sum += a[first + row * n + i] * b[first + i * n + column];
        c[first + row * n + column] = sum;
    }
}
