/*
 * Triangular loops. prefix_dot: y[i] is the dot product of the first i + 1 elements of a and b.
 * packed_triangular: y = l * x for a lower triangular matrix stored row after row without its
 * zeros.
 *
 * Launch: one dimension, one thread an element of y.
 *
 * a, b  n f32
 * l     f32, n * (n + 1) / 2 elements
 * x     n f32
 * y     n f32
 */
__kernel void prefix_dot(__global const float *a, __global const float *b, __global float *y, int n)
{
    int i = get_global_id(0);

    if (i < n) {
        float sum = 0.0f;
        for (int j = 0; j <= i; j++)
            sum += a[j] * b[j];
        y[i] = sum;
    }
}

__kernel void packed_triangular(__global const float *l, __global const float *x, __global float *y,
                                int n)
{
    int i = get_global_id(0);

    if (i < n) {
        int first = i * (i + 1) / 2;
        float sum = 0.0f;
        for (int j = 0; j <= i; j++)
            sum += l[first + j] * x[j];
        y[i] = sum;
    }
}
