/*
 * Many small square matrix products: c[i] = a[i] * b[i].
 *
 * Launch: three dimensions, z one matrix, x along its columns, y along its rows, one thread an
 * element, any block of depth one.
 *
 * a, b, c  f32, one n x n row-major matrix after another
 */
__kernel void matmul_batched(__global const float *a, __global const float *b, __global float *c,
                             int n)
{
    int column = get_global_id(0);
    int row = get_global_id(1);
    int first = get_group_id(2) * n * n;

    if (row < n && column < n) {
        float sum = 0.0f;
        for (int i = 0; i < n; i++)
            sum += a[first + row * n + i] * b[first + i * n + column];
        c[first + row * n + column] = sum;
    }
}
