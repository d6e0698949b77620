/* Functions of the mathematics library, with their slow paths, and divisions.  Written by scripts/device/write-generated. */

extern "C" __global__ void functions_0(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 16; r++) {
        x = fabsf(erff(x));
    }
    out[i] = x;
}

extern "C" __global__ void functions_2(const double *__restrict__ a, double *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 16; r++) {
        x = fabs(pow(x + 0.5, 1.3));
    }
    out[i] = x;
}

extern "C" __global__ void functions_4(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 2; r++) {
        x = fabsf(logf(x + 1));
        x = fabsf(erff(x));
        x = fabsf(1 / (x + 2));
    }
    out[i] = x;
}

extern "C" __global__ void functions_6(const double *__restrict__ a, double *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 1; r++) {
        x = fabs(rsqrt(x + 1));
    }
    out[i] = x;
}

extern "C" __global__ void functions_8(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 8; r++) {
        x = fabsf(tanhf(x));
    }
    out[i] = x;
}

extern "C" __global__ void functions_10(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 1; r++) {
        x = fabsf(powf(x + 0.5f, 1.3f));
    }
    out[i] = x;
}

extern "C" __global__ void functions_12(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 1; r++) {
        x = fabsf(rsqrtf(x + 1));
    }
    out[i] = x;
}

extern "C" __global__ void functions_14(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 1; r++) {
        x = fabsf(sinf(x));
        x = fabsf(1 / (x + 2));
    }
    out[i] = x;
}

extern "C" __global__ void functions_16(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 2; r++) {
        x = fabsf(sqrtf(x));
        x = fabsf(tanhf(x));
        x = fabsf(cbrtf(x));
    }
    out[i] = x;
}

extern "C" __global__ void functions_18(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 8; r++) {
        x = fabsf(powf(x + 0.5f, 1.3f));
    }
    out[i] = x;
}

extern "C" __global__ void functions_20(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 2; r++) {
        x = fabsf(cbrtf(x));
        x = fabsf(sqrtf(x));
    }
    out[i] = x;
}

extern "C" __global__ void functions_22(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 2; r++) {
        x = fabsf(cbrtf(x));
        x = fabsf(expf(-x));
        x = fabsf(powf(x + 0.5f, 1.3f));
    }
    out[i] = x;
}

extern "C" __global__ void functions_24(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 16; r++) {
        x = fabsf(1 / (x + 2));
    }
    out[i] = x;
}

extern "C" __global__ void functions_26(const double *__restrict__ a, double *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 8; r++) {
        x = fabs(sin(x));
        x = fabs(cos(x));
    }
    out[i] = x;
}

extern "C" __global__ void functions_28(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 1; r++) {
        x = fabsf(powf(x + 0.5f, 1.3f));
        x = fabsf(rsqrtf(x + 1));
    }
    out[i] = x;
}

extern "C" __global__ void functions_30(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 2; r++) {
        x = fabsf(atan2f(x, 2.0f));
    }
    out[i] = x;
}

extern "C" __global__ void functions_32(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 8; r++) {
        x = fabsf(fmodf(x + 3, 2.0f));
        x = fabsf(cbrtf(x));
    }
    out[i] = x;
}
