/* Rows of a ragged array that lanes of a warp share, each from an entry of its own. */

/* eight lanes a row; the compiler peels what is left over of four steps, and counts it up to 0 */
extern "C" __global__ void by_eight(const long long *first, const float *x, float *y, long long n)
{
    long long row = (blockIdx.x * (long long)blockDim.x + threadIdx.x) / 8;
    if (row >= n)
        return;
    float sum = 0;
    for (long long e = first[row] + threadIdx.x % 8; e < first[row + 1]; e += 8)
        sum += x[e];
    atomicAdd(&y[row], sum);
}

/* a warp a row: lanes beyond its end have none of it */
extern "C" __global__ void by_warp(const int *first, const float *x, float *y, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= n)
        return;
    float sum = 0;
    for (int e = first[row] + threadIdx.x % 32; e < first[row + 1]; e += 32)
        sum += x[e];
    atomicAdd(&y[row], sum);
}

/* a list of so many entries, in a row with room for 64: what is left over is counted up to 0, too */
extern "C" __global__ void list(const long long *count, const float *x, float *y, long long n)
{
    long long row = (blockIdx.x * (long long)blockDim.x + threadIdx.x) / 8;
    if (row >= n)
        return;
    float sum = 0;
    for (long long e = threadIdx.x % 8; e < count[row]; e += 8)
        sum += x[row * 64 + e];
    atomicAdd(&y[row], sum);
}
