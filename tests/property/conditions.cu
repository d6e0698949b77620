/* Conditions and trip counts that arguments and indices alone decide: chains of `else if`, whose
 * parts share warps.  conditions.json holds the launches; where it says "warps_exact", no warp count
 * is a bound. */

#define GLOBAL_INDEX (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void chain_of_threads(float *out, const float *a, int n)
{
    int i = GLOBAL_INDEX;
    float sum;
    if (threadIdx.x == 5)
        sum = a[i] * 2.0f;
    else if (threadIdx.x < 20)
        sum = a[i + 1] + 3.0f;
    else if (threadIdx.x == 40 || threadIdx.x == 9)
        sum = a[i + 2] - 7.0f;
    else
        sum = a[i + 3] / 2.5f;
    out[i] = sum;
}

extern "C" __global__ void chain_of_remainders(float *out, const float *a, int n)
{
    int i = GLOBAL_INDEX, way = i % 5;
    float sum;
    if (i >= n)
        return;
    if (way == 0)
        sum = a[i] * 2.0f;
    else if (way == 1)
        sum = a[i + 1] + 3.0f;
    else if (way == 3)
        sum = a[i + 2] - 7.0f;
    else
        sum = a[i + 3] / 2.5f;
    out[i] = sum;
}

/* Blocks of two dimensions: one warp is several rows, or half a row, or reaches across rows. */
extern "C" __global__ void chain_of_planes(float *out, const float *a, int n)
{
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * blockDim.x * blockDim.y + y * blockDim.x + x;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        if (x == y)
            sum += a[i] * 2.0f;
        else if (x + k < y)
            sum += a[i + 1] + 3.0f;
        else if (!(x > k && y < 3))
            sum = sum * a[i + 2] - 7.0f;
        else
            sum = a[i + 3] * sum;
    }
    out[i] = sum;
}

/* What is not one thread, and what is one thread of the launch, in chains inside each other. */
extern "C" __global__ void chain_in_chain(float *out, const float *a, int n)
{
    int i = GLOBAL_INDEX;
    float sum = a[i];
    if (i != n) {
        if (threadIdx.x % 4 == 1)
            sum = sum * 3.0f + a[i + 5];
        else if (i % 3 != 1)
            sum = sum * 4.0f - a[i + 6];
        else if (blockIdx.x != 1 && threadIdx.x > 7)
            sum = sum / a[i + 7];
    } else if (n > 3) {
        sum += a[i + 8];
    }
    out[i] = sum;
}

/* Loops whose first iteration is the thread's index: threads of a warp run different lengths. */
extern "C" __global__ void chain_in_triangle(float *out, const float *a, int n)
{
    int i = GLOBAL_INDEX;
    float sum = 0;
    for (int k = i; k < n; k++) {
        if (k == 2 * i)
            sum += a[k];
        else if (k < 2 * i)
            sum = sum * a[k + 1];
        else
            sum = sum - a[k + 2] * 2.0f;
    }
    out[i] = sum;
}
