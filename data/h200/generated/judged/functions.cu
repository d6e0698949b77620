/* Functions of the mathematics library, with their slow paths, and divisions.  Written by scripts/device/write-generated. */

extern "C" __global__ void functions_1(const double *__restrict__ a, double *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 16; r++) {
        x = fabs(sin(x));
        x = fabs(pow(x + 0.5, 1.3));
        x = fabs(rsqrt(x + 1));
    }
    out[i] = x;
}

extern "C" __global__ void functions_3(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 16; r++) {
        x = fabsf(sinf(x));
        x = fabsf(expf(-x));
    }
    out[i] = x;
}

extern "C" __global__ void functions_5(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 1; r++) {
        x = fabsf(1 / (x + 2));
    }
    out[i] = x;
}

extern "C" __global__ void functions_7(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 8; r++) {
        x = fabsf(expf(-x));
        x = fabsf(cbrtf(x));
    }
    out[i] = x;
}

extern "C" __global__ void functions_9(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 16; r++) {
        x = fabsf(sinf(x));
        x = fabsf(logf(x + 1));
        x = fabsf(rsqrtf(x + 1));
    }
    out[i] = x;
}

extern "C" __global__ void functions_11(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 1; r++) {
        x = fabsf(sqrtf(x));
        x = fabsf(tanhf(x));
    }
    out[i] = x;
}

extern "C" __global__ void functions_13(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 16; r++) {
        x = fabsf(rsqrtf(x + 1));
    }
    out[i] = x;
}

extern "C" __global__ void functions_15(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 8; r++) {
        x = fabsf(logf(x + 1));
    }
    out[i] = x;
}

extern "C" __global__ void functions_17(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 16; r++) {
        x = fabsf(sinf(x));
    }
    out[i] = x;
}

extern "C" __global__ void functions_19(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 16; r++) {
        x = fabsf(1 / (x + 2));
        x = fabsf(cosf(x));
    }
    out[i] = x;
}

extern "C" __global__ void functions_21(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 2; r++) {
        x = fabsf(expf(-x));
    }
    out[i] = x;
}

extern "C" __global__ void functions_23(const float *__restrict__ a, float *__restrict__ out, int n)
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

extern "C" __global__ void functions_25(const double *__restrict__ a, double *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 2; r++) {
        x = fabs(atan2(x, 2.0));
        x = fabs(sqrt(x));
    }
    out[i] = x;
}

extern "C" __global__ void functions_27(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 16; r++) {
        x = fabsf(expf(-x));
    }
    out[i] = x;
}

extern "C" __global__ void functions_29(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 1; r++) {
        x = fabsf(expf(-x));
        x = fabsf(powf(x + 0.5f, 1.3f));
    }
    out[i] = x;
}

extern "C" __global__ void functions_31(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float x = a[i];
    #pragma unroll 1
    for (int r = 0; r < 2; r++) {
        x = fabsf(logf(x + 1));
        x = fabsf(cbrtf(x));
        x = fabsf(atan2f(x, 2.0f));
    }
    out[i] = x;
}
