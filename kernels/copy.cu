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
extern "C" __global__ void copy(const float *source, float *target, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        target[i] = source[i];
}

extern "C" __global__ void copy_vector4(const float4 *source, float4 *target, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n / 4)
        target[i] = source[i];
}

extern "C" __global__ void copy_strided(const float *source, float *target, int n, int stride)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;

    if (i < n)
        target[i] = source[i];
}

extern "C" __global__ void copy_offset(const float *source, float *target, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n - offset)
        target[i] = source[i + offset];
}
