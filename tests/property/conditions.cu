/* Conditions and trip counts that arguments and indices alone decide: chains of `else if`, whose
 * parts share warps, and conditions that are not affine.  conditions.json holds the launches; where
 * it says "warps_exact", no warp count is a bound; where it says "sampled", counts may be estimates
 * within that relative error. */

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

/* Products of indices: no affine condition.  Few warps are gone through, many are sampled. */
extern "C" __global__ void squares_of_remainders(float *out, const float *a, int n)
{
    int i = GLOBAL_INDEX;
    if (i >= n)
        return;
    if (i % 1000 * (i % 1000) > 250000)
        return;
    float x = a[i & 2047];
    if (threadIdx.x < 50)
        x += a[(i + 5) & 2047];
    if ((i / 7 * i) % 11 == 3)
        x *= 2.5f;
    out[i & 2047] = x;
}

extern "C" __global__ void circle(float *out, const float *a, int n)
{
    int x = GLOBAL_INDEX, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    if (x * x + y * y < n) {
        sum = a[x];
        for (int k = 0; k < 40; k++)
            if ((k * k + x) % 5 < 2)
                sum += a[y + k];
    }
    out[x] = sum;
}

/* Trip counts that are not affine, in each other, and behind each other. */
extern "C" __global__ void uneven_loops(float *out, const float *a, int n)
{
    int i = GLOBAL_INDEX, count = i % 97 * (i % 89) % 50;
    float sum = 0;
    for (int k = 0; k < count; k++)
        sum += a[(i + k) & 2047];
    for (int k = 0; k * k < i + n; k++) {
        sum += a[(i - k) & 2047];
        for (int l = 0; l * l < k; l++)
            sum *= a[l + 3];
    }
    out[i & 2047] = sum;
}

/* A way out of a loop that depends on a product. */
extern "C" __global__ void left_early(float *out, const float *a, int n)
{
    int i = GLOBAL_INDEX;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        if (k * k * i % 31 == 7)
            break;
        sum += a[(i + k) & 2047];
    }
    out[i & 2047] = sum;
}
