/*
 * Moves elements through an index array: gather reads at the index, scatter writes there,
 * gather_rows reads whole rows (an embedding).
 *
 * Launch: gather and scatter: one dimension, one thread an element. gather_rows: two dimensions, x
 * along a row, y one row.
 *
 * source  f32
 * index   n s32; for scatter no index twice
 * target  f32
 * n       elements, or rows of `width` elements for gather_rows
 *
 * Depends on data: the addresses of source (gather, gather_rows) or target (scatter) on index.
 */
__kernel void gather(__global const float *source, __global const int *index,
                     __global float *target, int n)
{
    int i = get_global_id(0);

    if (i < n)
        target[i] = source[index[i]];
}

__kernel void scatter(__global const float *source, __global const int *index,
                      __global float *target, int n)
{
    int i = get_global_id(0);

    if (i < n)
        target[index[i]] = source[i];
}

__kernel void gather_rows(__global const float *source, __global const int *index,
                          __global float *target, int n, int width)
{
    int x = get_global_id(0);
    int row = get_global_id(1);

    if (x < width && row < n)
        target[row * width + x] = source[index[row] * width + x];
}
