/* Launches of few blocks, of one warp a multiprocessor, or that do next to nothing.  Written by scripts/device/write-generated. */

extern "C" __global__ void few_0(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (rounds < 0)
    out[i] = 1.0f;
}

extern "C" __global__ void few_2(const float *__restrict__ a, float *__restrict__ out, int rounds)
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

extern "C" __global__ void few_4(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int step = gridDim.x * blockDim.x;
    for (int r = 0; r < rounds; r++)
    out[r * step + i] = r;
}

extern "C" __global__ void few_6(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i];
    for (int r = 0; r < rounds; r++)
    x = x * 0.5f + 0.25f;
    out[i] = x;
}

extern "C" __global__ void few_8(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (rounds < 0)
    out[i] = 1.0f;
}

extern "C" __global__ void few_10(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int step = gridDim.x * blockDim.x;
    for (int r = 0; r < rounds; r++)
    out[r * step + i] = r;
}

extern "C" __global__ void few_12(const float *__restrict__ a, float *__restrict__ out, int rounds)
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

extern "C" __global__ void few_14(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    int step = gridDim.x * blockDim.x;
    for (int r = 0; r < rounds; r++)
    sum += a[r * step + i];
    out[i] = sum;
}

extern "C" __global__ void few_16(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i];
    for (int r = 0; r < rounds; r++)
    x = x * 0.5f + 0.25f;
    out[i] = x;
}

extern "C" __global__ void few_18(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    int step = gridDim.x * blockDim.x;
    for (int r = 0; r < rounds; r++)
    sum += a[r * step + i];
    out[i] = sum;
}

extern "C" __global__ void few_20(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (rounds < 0)
    out[i] = 1.0f;
}

extern "C" __global__ void few_22(const float *__restrict__ a, float *__restrict__ out, int rounds)
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

extern "C" __global__ void few_24(const float *__restrict__ a, float *__restrict__ out, int rounds)
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

extern "C" __global__ void few_26(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    int step = gridDim.x * blockDim.x;
    for (int r = 0; r < rounds; r++)
    sum += a[r * step + i];
    out[i] = sum;
}

extern "C" __global__ void few_28(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int step = gridDim.x * blockDim.x;
    for (int r = 0; r < rounds; r++)
    out[r * step + i] = r;
}

extern "C" __global__ void few_30(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (rounds < 0)
    out[i] = 1.0f;
}

extern "C" __global__ void few_32(const float *__restrict__ a, float *__restrict__ out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (rounds < 0)
    out[i] = 1.0f;
}
