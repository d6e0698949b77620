/* Launches of few blocks, of one warp a multiprocessor, or that do next to nothing.  Written by scripts/device/write-generated. */

extern "C" __global__ void few_1(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (rounds < 0)
    out[i] = 1.0f;
}

extern "C" __global__ void few_3(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int step = gridDim.x * blockDim.x;
    for (int r = 0; r < rounds; r++)
    out[r * step + i] = r;
}

extern "C" __global__ void few_5(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float s[1024];
    float x = a[i];
    for (int r = 0; r < rounds; r++) {
        s[threadIdx.x] = x;
        __syncthreads();
        x = s[blockDim.x - 1 - threadIdx.x] * 0.5f;
        __syncthreads();
    }
    out[i] = x;
}

extern "C" __global__ void few_7(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (rounds < 0)
    out[i] = 1.0f;
}

extern "C" __global__ void few_9(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (rounds < 0)
    out[i] = 1.0f;
}

extern "C" __global__ void few_11(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int step = gridDim.x * blockDim.x;
    for (int r = 0; r < rounds; r++)
    out[r * step + i] = r;
}

extern "C" __global__ void few_13(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float s[1024];
    float x = a[i];
    for (int r = 0; r < rounds; r++) {
        s[threadIdx.x] = x;
        __syncthreads();
        x = s[blockDim.x - 1 - threadIdx.x] * 0.5f;
        __syncthreads();
    }
    out[i] = x;
}

extern "C" __global__ void few_15(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float s[1024];
    float x = a[i];
    for (int r = 0; r < rounds; r++) {
        s[threadIdx.x] = x;
        __syncthreads();
        x = s[blockDim.x - 1 - threadIdx.x] * 0.5f;
        __syncthreads();
    }
    out[i] = x;
}

extern "C" __global__ void few_17(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i];
    for (int r = 0; r < rounds; r++)
    x = x * 0.5f + 0.25f;
    out[i] = x;
}

extern "C" __global__ void few_19(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i];
    for (int r = 0; r < rounds; r++)
    x = x * 0.5f + 0.25f;
    out[i] = x;
}

extern "C" __global__ void few_21(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    int step = gridDim.x * blockDim.x;
    for (int r = 0; r < rounds; r++)
    sum += a[r * step + i];
    out[i] = sum;
}

extern "C" __global__ void few_23(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float s[1024];
    float x = a[i];
    for (int r = 0; r < rounds; r++) {
        s[threadIdx.x] = x;
        __syncthreads();
        x = s[blockDim.x - 1 - threadIdx.x] * 0.5f;
        __syncthreads();
    }
    out[i] = x;
}

extern "C" __global__ void few_25(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (rounds < 0)
    out[i] = 1.0f;
}

extern "C" __global__ void few_27(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float s[1024];
    float x = a[i];
    for (int r = 0; r < rounds; r++) {
        s[threadIdx.x] = x;
        __syncthreads();
        x = s[blockDim.x - 1 - threadIdx.x] * 0.5f;
        __syncthreads();
    }
    out[i] = x;
}

extern "C" __global__ void few_29(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (rounds < 0)
    out[i] = 1.0f;
}

extern "C" __global__ void few_31(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i];
    for (int r = 0; r < rounds; r++)
    x = x * 0.5f + 0.25f;
    out[i] = x;
}
