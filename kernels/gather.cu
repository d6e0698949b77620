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
extern "C" __global__ void gather(const float *source, const int *index, float *target, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        target[i] = source[index[i]];
}

extern "C" __global__ void scatter(const float *source, const int *index, float *target, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        target[index[i]] = source[i];
}

extern "C" __global__ void gather_rows(const float *source, const int *index, float *target, int n,
                                       int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < width && row < n)
        target[row * width + x] = source[index[row] * width + x];
}
