/*
 * c = a * b, one thread an element of c, all operands from global memory.
 *
 * Launch: two dimensions, x along the columns of c, y along its rows, any block.
 *
 * a  f32, m rows of k elements
 * b  f32, k rows of n elements
 * c  f32, m rows of n elements
 */
__kernel void matmul_naive(__global const float *a, __global const float *b, __global float *c,
                           int m, int n, int k)
{
    int column = get_global_id(0);
    int row = get_global_id(1);

    if (row < m && column < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; i++)
            sum += a[row * k + i] * b[i * n + column];
        c[row * n + column] = sum;
    }
}
