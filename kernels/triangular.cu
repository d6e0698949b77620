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
extern "C" __global__ void prefix_dot(const float *a, const float *b, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        float sum = 0.0f;
        for (int j = 0; j <= i; j++)
            sum += a[j] * b[j];
        y[i] = sum;
    }
}

extern "C" __global__ void packed_triangular(const float *l, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        int first = i * (i + 1) / 2;
        float sum = 0.0f;
        for (int j = 0; j <= i; j++)
            sum += l[first + j] * x[j];
        y[i] = sum;
    }
}
