/*
 * One-dimensional convolution of constant radius 4: nine weights, the loop unrolled. Points whose
 * neighbourhood leaves the array are left.
 *
 * Launch: one dimension, one thread a point.
 *
 * source   n f32
 * weights  9 f32
 * target   n f32
 */
#define RADIUS 4

extern "C" __global__ void conv1d(const float *source, const float *weights, float *target, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= RADIUS && i < n - RADIUS) {
        float sum = 0.0f;
#pragma unroll
        for (int j = -RADIUS; j <= RADIUS; j++)
            sum += weights[j + RADIUS] * source[i + j];
        target[i] = sum;
    }
}
