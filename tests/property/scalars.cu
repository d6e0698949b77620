/* Conditions and trips through operations on bits and in floating point, of indices, arguments and
 * constants alone: counts are exact where every value can be gone through, else sampled. */
#define GLOBAL_INDEX (int)(blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void bit_counts(float *out, const float *a, int n)
{
    int i = GLOBAL_INDEX;
    float sum = 0;
    if (__popc(i) & 1)
        sum += a[i & 2047];
    if (__clz(i) < 27)
        sum *= 1.5f;
    else if (__ffs(i) == 3)
        sum += a[(i + 1) & 2047];
    if (__brev(i) > 0x70000000u)
        sum += a[(i + 3) & 2047];
    if ((int)__brev(i + 1) < n)
        sum += a[(i + 4) & 2047];
    if (__popcll(((long long)i << 33) | i) > 5)
        sum += a[(i + 9) & 2047];
    for (int k = 0; k < __popc(i ^ (i >> 1)); k++)
        sum += a[(i + k) & 2047];
    out[i & 2047] = sum;
}

extern "C" __global__ void high_products(float *out, const float *a, int n)
{
    int i = GLOBAL_INDEX;
    float sum = 0;
    if (__umulhi(i * 1237u, n + 77777u) & 1)
        sum += a[i & 2047];
    if (__mulhi(i - 50, n * 1000003) < -1)
        sum += a[(i + 5) & 2047];
    if (__funnelshift_l(i, 0x12345678, i) & 4)
        sum += a[(i + 7) & 2047];
    if (__byte_perm(i, 0x01020304, i & 0x3333) > 0x200)
        sum += a[(i + 8) & 2047];
    out[i & 2047] = sum;
}

/* A disc in floating point, as images and meshes are masked. */
extern "C" __global__ void disc(float *out, const float *a, int n, float radius)
{
    int x = GLOBAL_INDEX, y = blockIdx.y * blockDim.y + threadIdx.y;
    float fx = ((float)x + 0.5f) / (float)n - 0.5f, fy = ((float)y + 0.5f) / (float)n - 0.5f;
    float sum = 0;
    if (sqrtf(fx * fx + fy * fy) < radius) {
        sum = a[x & 2047];
        for (int k = 0; k < 3; k++)
            sum += a[(y + k) & 2047];
    }
    out[x & 2047] = sum;
}

/* Rows of a triangle, as pairs are numbered. */
extern "C" __global__ void triangle_row(float *out, const float *a, int n)
{
    int t = GLOBAL_INDEX;
    int row = (int)((sqrtf(8.0f * (float)t + 1.0f) - 1.0f) * 0.5f);
    int column = t - row * (row + 1) / 2;
    float sum = 0;
    if (column > row / 2)
        sum += a[(row + column) & 2047];
    for (int k = 0; k < row; k++)
        sum += a[(k + t) & 2047];
    if (row >= n)
        sum *= 2;
    out[t & 2047] = sum;
}

/* Roundings, denormal numbers, doubles, and what is not a number. */
extern "C" __global__ void roundings(float *out, const float *a, int n, float scale, double step)
{
    int i = GLOBAL_INDEX;
    float x = (float)(i - 40) * scale, sum = 0, down, up;
    double d = (double)i * step;
    if (floorf(x) < 3.0f)
        sum += a[i & 2047];
    if ((int)ceilf(x * 0.7f) % 3 == 1)
        sum += a[(i + 1) & 2047];
    if (__float2int_rn(x) & 1)
        sum += a[(i + 2) & 2047];
    asm("div.rz.f32 %0, %1, %2;" : "=f"(down) : "f"(x), "f"(3.0f));
    asm("div.rp.f32 %0, %1, %2;" : "=f"(up) : "f"(x), "f"(2.9999998f));
    if (down < up)
        sum += a[(i + 3) & 2047];
    if (sqrtf(x) < 2.0f)
        sum += a[(i + 4) & 2047];
    if (!(sqrtf(x) >= 2.0f))
        sum += a[(i + 5) & 2047];
    if (x * 1e-38f > 0.0f)
        sum += a[(i + 6) & 2047];
    if (floor(d) * 0.5 > 3.5)
        sum += a[(i + 7) & 2047];
    if (fmaf(x, x, -1.0f) > fminf(x, 9.0f))
        sum += a[(i + 8) & 2047];
    if ((unsigned char)(x * 3.0f) == 12)
        sum += a[(i + 9) & 2047];
    if (__float_as_int(x) < 0x40000000)
        sum += a[(i + 10) & 2047];
    if (fabsf(x) < 1.0f && x != 0.5f)
        sum += a[(i + 11) & 2047];
    for (int k = 0; k < (int)(d * 0.25); k++)
        sum += a[(i + k) & 2047];
    out[i & 2047] = sum;
}

/* The same number for all threads: as exact as an argument. */
extern "C" __global__ void of_arguments(float *out, const float *a, int n, float x)
{
    int i = GLOBAL_INDEX, side = (int)sqrtf((float)n);
    float sum = 0;
    if (i < side * side)
        for (int k = 0; k < side; k++)
            sum += a[(i + k) & 2047];
    if (x * 2.0f + 1.0f < 4.0f)
        sum += a[(i + 1) & 2047];
    out[i & 2047] = sum;
}

/* Operations whose result PTX leaves open: named, and not followed. */
extern "C" __global__ void approximate(float *out, const float *a, int n)
{
    int i = GLOBAL_INDEX;
    float sum = 0, x;
    asm("sqrt.approx.f32 %0, %1;" : "=f"(x) : "f"((float)i));
    if (x < 5.0f)
        sum += a[i & 2047];
    if (__sinf((float)i) > 0.5f)
        sum += a[(i + 1) & 2047];
    asm("{ .reg .f32 t; mul.f32 t, %1, %1; neg.f32 t, t; add.f32 %0, t, %2; }" /* maybe fused */
        : "=f"(x)
        : "f"((float)i * 0.1f), "f"((float)n));
    if (x < -20.0f)
        sum += a[(i + 2) & 2047];
    out[i & 2047] = sum;
}

/* Beside a loop without an end, which no thread comes to, the threads of a warp meet again. */
extern "C" __global__ void beside_endless(float *out, const float *a, int n)
{
    int g = GLOBAL_INDEX;
    float sum = 0;
    for (int v = 1; v < g + (int)blockIdx.x; v *= 2)
        if (4 <= v + g) {
            if (n < 0)
                asm volatile("{\n$again: bra $again;\n}");
            sum += a[(v - (int)blockIdx.x) & 2047];
        }
    out[g & 2047] = sum;
}

/* Branches behind one that is sampled, of which rows leave nothing or little. */
extern "C" __global__ void behind_sampled(float *out, const float *a, int n)
{
    int i = GLOBAL_INDEX, way = (int)(threadIdx.x % 5);
    if (i >= n || __popc(i & 255) > 5)
        return;
    float x = a[i & 2047];
    if (way == 0) {
#pragma unroll 1
        for (int r = 0; r < 4; r++)
            x = x * 0.5f;
    } else if (way == 1) {
#pragma unroll 1
        for (int r = 0; r < 8; r++)
            x = (x * 1.25f + 0.75f) * 0.5f;
    }
    out[i & 2047] = x;
}
