/* Branches that data decides, for which the text says more than that. */
#include <cassert>
#include <cstdio>

/* threads that leave early */
extern "C" __global__ void leave_early(const float *a, const int *mask, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (mask[i] > 3)
        return;
    float x = a[i];
#pragma unroll 1
    for (int r = 0; r < 64; r++)
        x = x * 0.5f + 1;
    out[i] = x;
}
/* what went wrong */
extern "C" __global__ void checked(const float *a, const int *index, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = index[i];
    if (at > 123)
        __trap();
    float x = a[at & 63];
    if (x > 0.5f)
        printf("%d\n", i);
    assert(x < 0.25f);
    out[i] = x;
}
/* numbers that data rarely are */
extern "C" __global__ void special(const float *a, const double *b, float *out, double *wide, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = a[i];
    double y = b[i];
    if (isnan(x))
        out[i] = -1;
    if (fabsf(x) > 1e6f)
        out[i + n] = -2;
    if (__float_as_int(x) << 1 == 0)
        out[i + 2 * n] = -3;
    if ((__double2hiint(y) & 0x7ff00000) == 0x7ff00000)
        wide[i] = -4;
    if (fabs(y) < 1e-30)
        wide[i + n] = -5;
    if (x > 0.25f)
        out[i + 3 * n] = 1;
    if (!(x < 2.5f))
        out[i + 4 * n] = 2;
    if (x != x || y > 8)
        out[i + 5 * n] = 3;
}
/* the slow path of a function reduces large arguments in local memory */
extern "C" __global__ void sines(const float *a, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = sinf(a[i]);
}
/* division in 64 bits asks whether 32 would do */
extern "C" __global__ void quotients(const unsigned long long *a, const unsigned long long *b, unsigned long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i] / b[i];
}
extern "C" __global__ void integers(const int *a, const unsigned char *flags, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = a[i];
    if (x < 0)
        out[i] = 1;
    if (x == 77)
        out[i + n] = 2;
    if (x > 100)
        out[i + 2 * n] = 3;
    if (flags[i] > 200)
        out[i + 3 * n] = 4;
    if (x & 4)
        out[i + 4 * n] = 5;
}
/* one of several ways */
extern "C" __global__ void choose(const int *way, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int w = way[i];
    if (w == 3)
        out[i] = sqrtf(out[i]);
    else if (w == 17)
        out[i + n] = sqrtf(out[i + n]) + 1;
    else if (w == 40)
        out[i + 2 * n] = sqrtf(out[i + 2 * n]) + 2;
    else
        out[i + 3 * n] = 4;
}
/* a loop that is left by data */
extern "C" __global__ void search(const int *a, const int *keys, int *found, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m)
        return;
    int key = keys[i], at = -1;
#pragma unroll 1
    for (int k = 0; k < n; k++) {
        if (a[k] == key) {
            at = k;
            found[i + m] = k;
            break;
        }
        found[i + 2 * m] = k;
    }
    found[i] = at;
}
/* copies of one branch, and of one loop, in an unrolled loop and what is left of it */
extern "C" __global__ void copies(const float *a, float *out, int n, float limit)
{
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < n; k++)
        if (a[k * blockDim.x + threadIdx.x] > limit) {
            out[k] = sum;
            sum += sqrtf(sum);
        }
    out[n + threadIdx.x] = sum;
}
extern "C" __global__ void copied_loops(const int *first, float *out, int n)
{
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < n; k++)
#pragma unroll 1
        for (int j = first[k]; j < first[k + 1]; j++)
            sum = sum * 0.5f + out[j];
    out[threadIdx.x] = sum;
}
/* the compiler counts two trips by a predicate */
extern "C" __global__ void twice(const float *a, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = a[i];
#pragma unroll 1
    for (int r = 0; r < 2; r++)
        x = sqrtf(x) + 1;
    out[i] = x;
}
/* a condition of two parts */
extern "C" __global__ void parts(const int *a, const int *b, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = a[i], y = b[i];
    if (x > 100 || y > 100)
        out[i] = sqrtf(out[i]);
}
/* a loop that two conditions on data leave */
extern "C" __global__ void chase(const int *next, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = i;
    if (i >= n)
        return;
#pragma unroll 1
    while (true) {
        at = next[at];
        if (at > 90000)
            break;
        out[at] = i;
        if (next[at + 1] & 8)
            break;
        out[at + 1] = i;
    }
    out[i + n] = at;
}
/* rows whose lengths are data: the compiler makes four steps at a time and what is left over */
extern "C" __global__ void rows(const int *first, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int e = first[i]; e < first[i + 1]; e++)
        sum += x[e];
    y[i] = sum;
}
/* exchanged until nobody was in between */
extern "C" __global__ void accumulate(const float *a, unsigned int *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned int seen = sum[i & 15], before;
    do {
        before = seen;
        seen = atomicCAS(&sum[i & 15], before, __float_as_uint(__uint_as_float(before) + a[i]));
    } while (seen != before);
}
/* an index put together from bits */
extern "C" __global__ void tiles(const float *a, float *out, int width, int height)
{
    int x = (blockIdx.x << 3) | (threadIdx.x & 7), y = (blockIdx.y << 3) | (threadIdx.x >> 3 & 7);
    if (x < width && y < height)
        out[y * width + x] = a[y * width + x];
}
