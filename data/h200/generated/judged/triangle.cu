/* Loops whose bounds are the thread's index, over rows or columns, twice or three times nested.  Written by scripts/device/write-generated. */

extern "C" __global__ void triangle_1(const float *__restrict__ a, float *__restrict__ out, int n)
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

extern "C" __global__ void triangle_3(const double *__restrict__ a, double *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double sum = 0;
    for (int j = i; j < n; j++)
    sum += (((a[j * n + i]) * 0.75) * 1.5 + 1.25);
    out[i] = sum;
}

extern "C" __global__ void triangle_5(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = i; j < n; j++)
    sum += (a[j * n + i] * 0.5f + 0.75f);
    out[i] = sum;
}

extern "C" __global__ void triangle_7(const float *__restrict__ a, float *__restrict__ out, int n)
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

extern "C" __global__ void triangle_9(const double *__restrict__ a, double *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double sum = 0;
    for (int j = i; j < n; j++)
    sum += a[i * n + j];
    out[i] = sum;
}

extern "C" __global__ void triangle_11(const double *__restrict__ a, double *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double sum = 0;
    for (int j = 0; j < i; j++)
    sum += a[j * n + i];
    out[i] = sum;
}

extern "C" __global__ void triangle_13(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = 0; j < i; j++) {
        for (int l = j & ~7; l <= j; l++)
        sum += a[j * n + i] * a[l];
    }
    out[i] = sum;
}

extern "C" __global__ void triangle_15(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = i; j < n; j++)
    sum += a[j * n + i];
    out[i] = sum;
}

extern "C" __global__ void triangle_17(const double *__restrict__ a, double *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double sum = 0;
    for (int j = i; j < n; j++)
    sum += a[i * n + j];
    out[i] = sum;
}

extern "C" __global__ void triangle_19(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = 0; j < i; j++) {
        for (int l = j & ~7; l <= j; l++)
        sum += a[i * n + j] * a[l];
    }
    out[i] = sum;
}

extern "C" __global__ void triangle_21(const double *__restrict__ a, double *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double sum = 0;
    for (int j = i; j < n; j++)
    sum += ((a[i * n + j] * 1.25 + 1.25) * 1.5 + 0.5);
    out[i] = sum;
}

extern "C" __global__ void triangle_23(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = i; j < n; j++)
    sum += (((a[i * n + j]) * 1.25f) * 0.5f + 1.5f);
    out[i] = sum;
}

extern "C" __global__ void triangle_25(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = 0; j < i; j++) {
        for (int l = j & ~7; l <= j; l++)
        sum += a[i * n + j] * a[l];
    }
    out[i] = sum;
}

extern "C" __global__ void triangle_27(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = i; j < n; j++)
    sum += (a[j * n + i] * 1.5f + 1.5f);
    out[i] = sum;
}

extern "C" __global__ void triangle_29(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = 0; j < i; j++)
    sum += a[j * n + i];
    out[i] = sum;
}

extern "C" __global__ void triangle_31(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = 0; j < i; j++) {
        for (int l = j & ~7; l <= j; l++)
        sum += a[j * n + i] * a[l];
    }
    out[i] = sum;
}

extern "C" __global__ void triangle_33(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = i; j < n; j++)
    sum += (((a[j * n + i] * 0.25f + 0.5f)) * 1.25f);
    out[i] = sum;
}
