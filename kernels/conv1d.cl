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

__kernel void conv1d(__global const float *source, __global const float *weights,
                     __global float *target, int n)
{
    int i = get_global_id(0);

    if (i >= RADIUS && i < n - RADIUS) {
        float sum = 0.0f;
#pragma unroll
        for (int j = -RADIUS; j <= RADIUS; j++)
            sum += weights[j + RADIUS] * source[i + j];
        target[i] = sum;
    }
}
