/* Loops whose bounds are the thread's index, over rows or columns, twice or three times nested.  Written by scripts/device/write-generated. */

extern "C" __global__ void triangle_0(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = i; j < n; j++) {
        for (int l = j & ~7; l <= j; l++)
        sum += a[j * n + i] * a[l];
    }
    out[i] = sum;
}

extern "C" __global__ void triangle_2(const double *__restrict__ a, double *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double sum = 0;
    for (int j = i; j < n; j++)
    sum += ((a[j * n + i]) * 1.25);
    out[i] = sum;
}

extern "C" __global__ void triangle_4(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = 0; j < i; j++)
    sum += (((a[i * n + j]) * 0.75f) * 0.25f + 0.25f);
    out[i] = sum;
}

extern "C" __global__ void triangle_6(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = i; j < n; j++)
    sum += (((a[i * n + j] * 0.5f + 0.5f)) * 1.5f);
    out[i] = sum;
}

extern "C" __global__ void triangle_8(const double *__restrict__ a, double *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double sum = 0;
    for (int j = 0; j < i; j++) {
        for (int l = j & ~7; l <= j; l++)
        sum += a[j * n + i] * a[l];
    }
    out[i] = sum;
}

extern "C" __global__ void triangle_10(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = 0; j < i; j++)
    sum += ((a[j * n + i] * 1.25f + 0.75f) * 0.75f + 0.75f);
    out[i] = sum;
}

extern "C" __global__ void triangle_12(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = i; j < n; j++)
    sum += ((a[i * n + j] * 0.5f + 0.25f) * 1.25f + 1.25f);
    out[i] = sum;
}

extern "C" __global__ void triangle_14(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = i; j < n; j++) {
        for (int l = j & ~7; l <= j; l++)
        sum += a[i * n + j] * a[l];
    }
    out[i] = sum;
}

extern "C" __global__ void triangle_16(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = i; j < n; j++)
    sum += a[j * n + i];
    out[i] = sum;
}

extern "C" __global__ void triangle_18(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = i; j < n; j++)
    sum += ((((a[i * n + j]) * 1.5f)) * 0.5f);
    out[i] = sum;
}

extern "C" __global__ void triangle_20(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = i; j < n; j++)
    sum += a[j * n + i];
    out[i] = sum;
}

extern "C" __global__ void triangle_22(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = 0; j < i; j++)
    sum += ((a[j * n + i] * 0.5f + 0.25f) * 0.25f + 1.25f);
    out[i] = sum;
}

extern "C" __global__ void triangle_24(const double *__restrict__ a, double *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double sum = 0;
    for (int j = i; j < n; j++)
    sum += a[i * n + j];
    out[i] = sum;
}

extern "C" __global__ void triangle_26(const double *__restrict__ a, double *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double sum = 0;
    for (int j = i; j < n; j++)
    sum += (((a[i * n + j] * 1.5 + 0.75)) * 1.25);
    out[i] = sum;
}

extern "C" __global__ void triangle_28(const double *__restrict__ a, double *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double sum = 0;
    for (int j = i; j < n; j++)
    sum += ((a[i * n + j]) * 1.5);
    out[i] = sum;
}

extern "C" __global__ void triangle_30(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = i; j < n; j++) {
        for (int l = j & ~7; l <= j; l++)
        sum += a[i * n + j] * a[l];
    }
    out[i] = sum;
}

extern "C" __global__ void triangle_32(const double *__restrict__ a, double *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double sum = 0;
    for (int j = i; j < n; j++) {
        for (int l = j & ~7; l <= j; l++)
        sum += a[i * n + j] * a[l];
    }
    out[i] = sum;
}
