/* Sums of blocks: a grid-stride loop, then a tree in shared memory or by shuffles.  Written by scripts/device/write-generated. */

extern "C" __global__ void reduction_1(const double *__restrict__ a, double *__restrict__ out, int n)
{
    __shared__ double s[64];
    double sum = 0;
    #pragma unroll 1
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) {
        double x = a[i];
        sum += fabs(x);
    }
    for (int w = 16; w > 0; w /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, w);
    if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int w = 0; w < 2; w++)
        sum += s[w];
        out[blockIdx.x] = sum;
    }
}

extern "C" __global__ void reduction_3(const double *__restrict__ a, double *__restrict__ out, int n)
{
    __shared__ double s[512];
    double sum = 0;
    #pragma unroll 1
    for (int i = blockIdx.x * 512 + threadIdx.x; i < n; i += gridDim.x * 512) {
        double x = a[i];
        sum += x;
    }
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int w = 1; w < 512; w *= 2) {
        if (threadIdx.x % (2 * w) == 0)
        s[threadIdx.x] += s[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0)
    out[blockIdx.x] = s[0];
}

extern "C" __global__ void reduction_5(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[128];
    float sum = 0;
    #pragma unroll 1
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) {
        float x = a[i];
        sum += x * x;
    }
    for (int w = 16; w > 0; w /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, w);
    if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int w = 0; w < 4; w++)
        sum += s[w];
        out[blockIdx.x] = sum;
    }
}

extern "C" __global__ void reduction_7(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[128];
    float sum = 0;
    #pragma unroll 1
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) {
        float x = a[i];
        sum += fabsf(x);
    }
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int w = 64; w > 0; w /= 2) {
        if (threadIdx.x < w)
        s[threadIdx.x] += s[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0)
    out[blockIdx.x] = s[0];
}

extern "C" __global__ void reduction_9(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[128];
    float sum = 0;
    #pragma unroll 1
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) {
        float x = a[i];
        sum += fabsf(x);
    }
    for (int w = 16; w > 0; w /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, w);
    if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int w = 0; w < 4; w++)
        sum += s[w];
        out[blockIdx.x] = sum;
    }
}

extern "C" __global__ void reduction_11(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[128];
    float sum = 0;
    #pragma unroll 2
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) {
        float x = a[i];
        sum += x;
    }
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int w = 1; w < 128; w *= 2) {
        if (threadIdx.x % (2 * w) == 0)
        s[threadIdx.x] += s[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0)
    out[blockIdx.x] = s[0];
}

extern "C" __global__ void reduction_13(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[256];
    float sum = 0;
    #pragma unroll 2
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        float x = a[i];
        sum += x * x;
    }
    for (int w = 16; w > 0; w /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, w);
    if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int w = 0; w < 8; w++)
        sum += s[w];
        out[blockIdx.x] = sum;
    }
}

extern "C" __global__ void reduction_15(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    float sum = 0;
    #pragma unroll 4
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) {
        float x = a[i];
        sum += fabsf(x);
    }
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int w = 32; w > 0; w /= 2) {
        if (threadIdx.x < w)
        s[threadIdx.x] += s[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0)
    out[blockIdx.x] = s[0];
}

extern "C" __global__ void reduction_17(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[128];
    float sum = 0;
    #pragma unroll 4
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) {
        float x = a[i];
        sum += x;
    }
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int w = 64; w > 0; w /= 2) {
        if (threadIdx.x < w)
        s[threadIdx.x] += s[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0)
    out[blockIdx.x] = s[0];
}

extern "C" __global__ void reduction_19(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    float sum = 0;
    #pragma unroll 4
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) {
        float x = a[i];
        sum += fabsf(x);
    }
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int w = 1; w < 64; w *= 2) {
        if (threadIdx.x % (2 * w) == 0)
        s[threadIdx.x] += s[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0)
    out[blockIdx.x] = s[0];
}

extern "C" __global__ void reduction_21(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    float sum = 0;
    #pragma unroll 2
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) {
        float x = a[i];
        sum += x;
    }
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int w = 1; w < 64; w *= 2) {
        if (threadIdx.x % (2 * w) == 0)
        s[threadIdx.x] += s[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0)
    out[blockIdx.x] = s[0];
}

extern "C" __global__ void reduction_23(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[256];
    float sum = 0;
    #pragma unroll 4
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        float x = a[i];
        sum += x * x;
    }
    for (int w = 16; w > 0; w /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, w);
    if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int w = 0; w < 8; w++)
        sum += s[w];
        out[blockIdx.x] = sum;
    }
}

extern "C" __global__ void reduction_25(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    float sum = 0;
    #pragma unroll 1
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) {
        float x = a[i];
        sum += fabsf(x);
    }
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int w = 1; w < 64; w *= 2) {
        if (threadIdx.x % (2 * w) == 0)
        s[threadIdx.x] += s[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0)
    out[blockIdx.x] = s[0];
}

extern "C" __global__ void reduction_27(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[512];
    float sum = 0;
    #pragma unroll 4
    for (int i = blockIdx.x * 512 + threadIdx.x; i < n; i += gridDim.x * 512) {
        float x = a[i];
        sum += x;
    }
    for (int w = 16; w > 0; w /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, w);
    if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int w = 0; w < 16; w++)
        sum += s[w];
        out[blockIdx.x] = sum;
    }
}

extern "C" __global__ void reduction_29(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[128];
    float sum = 0;
    #pragma unroll 4
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) {
        float x = a[i];
        sum += x * x;
    }
    for (int w = 16; w > 0; w /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, w);
    if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int w = 0; w < 4; w++)
        sum += s[w];
        out[blockIdx.x] = sum;
    }
}

extern "C" __global__ void reduction_31(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[512];
    float sum = 0;
    #pragma unroll 4
    for (int i = blockIdx.x * 512 + threadIdx.x; i < n; i += gridDim.x * 512) {
        float x = a[i];
        sum += x;
    }
    for (int w = 16; w > 0; w /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, w);
    if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int w = 0; w < 16; w++)
        sum += s[w];
        out[blockIdx.x] = sum;
    }
}

extern "C" __global__ void reduction_33(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    float sum = 0;
    #pragma unroll 1
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) {
        float x = a[i];
        sum += x;
    }
    for (int w = 16; w > 0; w /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, w);
    if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int w = 0; w < 2; w++)
        sum += s[w];
        out[blockIdx.x] = sum;
    }
}
