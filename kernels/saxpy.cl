/*
 * y = a * x + y by a grid-stride loop: every thread takes elements a whole grid apart.
 *
 * Launch: one dimension, any grid and block.
 *
 * x, y  arrays of n f32
 * a     factor
 * n     elements
 */
__kernel void saxpy(__global const float *x, __global float *y, float a, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        y[i] = a * x[i] + y[i];
}
