/*
 * Copies of an array: element by element, four at a time, with a stride, and from an offset.
 *
 * Launch: one dimension, one thread an element moved (copy_vector4: one thread four elements;
 * any grid and block whose product covers the count).
 *
 * source, target  arrays of f32
 * n               elements to move; copy_vector4 moves n / 4 groups of four
 * stride          copy_strided: thread i moves element i * stride, for i * stride < n
 * offset          copy_offset: thread i moves source[i + offset] to target[i], for i < n - offset
 */
__kernel void copy(__global const float *source, __global float *target, int n)
{
    int i = get_global_id(0);

    if (i < n)
        target[i] = source[i];
}

__kernel void copy_vector4(__global const float4 *source, __global float4 *target, int n)
{
    int i = get_global_id(0);

    if (i < n / 4)
        target[i] = source[i];
}

__kernel void copy_strided(__global const float *source, __global float *target, int n, int stride)
{
    int i = (get_global_id(0)) * stride;

    if (i < n)
        target[i] = source[i];
}

__kernel void copy_offset(__global const float *source, __global float *target, int n, int offset)
{
    int i = get_global_id(0);

    if (i < n - offset)
        target[i] = source[i + offset];
}
