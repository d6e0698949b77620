/* A ring buffer in shared, local or global memory: its position wraps by &, % or a condition.  Written by scripts/device/write-generated. */

extern "C" __global__ void ring_1(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
{
    __shared__ float ring[8][256];
    int i = blockIdx.x * 256 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 8; l++) {
        int p = l;
        ring[p][threadIdx.x] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p][threadIdx.x];
        ring[p][threadIdx.x] = x;
        p = (p + 1) % 8;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_3(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
{
    __shared__ float ring[4][64];
    int i = blockIdx.x * 64 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 4; l++) {
        int p = l;
        ring[p][threadIdx.x] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p][threadIdx.x];
        ring[p][threadIdx.x] = x;
        p = (p + 1) & 3;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_5(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
{
    __shared__ float ring[24][128];
    int i = blockIdx.x * 128 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 24; l++) {
        int p = l;
        ring[p][threadIdx.x] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p][threadIdx.x];
        ring[p][threadIdx.x] = x;
        p += 1;
        if (p >= 24)
        p -= 24;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_7(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
{
    __shared__ float ring[8][256];
    int i = blockIdx.x * 256 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 8; l++) {
        int p = l;
        ring[p][threadIdx.x] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p][threadIdx.x];
        ring[p][threadIdx.x] = x;
        p += 5;
        if (p >= 8)
        p -= 8;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_9(const float *__restrict__ a, float *__restrict__ out, int n, int steps, float *__restrict__ ring)
{
    int i = blockIdx.x * 128 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 12; l++) {
        int p = l;
        ring[p * gridDim.x * 128 + i] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p * gridDim.x * 128 + i];
        ring[p * gridDim.x * 128 + i] = x;
        p += 1;
        if (p >= 12)
        p -= 12;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_11(const float *__restrict__ a, float *__restrict__ out, int n, int steps, float *__restrict__ ring)
{
    int i = blockIdx.x * 256 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 16; l++) {
        int p = l;
        ring[p * gridDim.x * 256 + i] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p * gridDim.x * 256 + i];
        ring[p * gridDim.x * 256 + i] = x;
        p = (p + 1) & 15;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_13(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
{
    __shared__ float ring[32][128];
    int i = blockIdx.x * 128 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 32; l++) {
        int p = l;
        ring[p][threadIdx.x] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p][threadIdx.x];
        ring[p][threadIdx.x] = x;
        p = (p + 1) & 31;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_15(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
{
    __shared__ float ring[32][256];
    int i = blockIdx.x * 256 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 32; l++) {
        int p = l;
        ring[p][threadIdx.x] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p][threadIdx.x];
        ring[p][threadIdx.x] = x;
        p = (p + 1) % 32;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_17(const float *__restrict__ a, float *__restrict__ out, int n, int steps, float *__restrict__ ring)
{
    int i = blockIdx.x * 128 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 8; l++) {
        int p = l;
        ring[p * gridDim.x * 128 + i] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p * gridDim.x * 128 + i];
        ring[p * gridDim.x * 128 + i] = x;
        p += 1;
        if (p >= 8)
        p -= 8;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_19(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
{
    __shared__ float ring[8][64];
    int i = blockIdx.x * 64 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 8; l++) {
        int p = l;
        ring[p][threadIdx.x] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p][threadIdx.x];
        ring[p][threadIdx.x] = x;
        p = (p + 1) & 7;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_21(const float *__restrict__ a, float *__restrict__ out, int n, int steps, float *__restrict__ ring)
{
    int i = blockIdx.x * 128 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 24; l++) {
        int p = l;
        ring[p * gridDim.x * 128 + i] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p * gridDim.x * 128 + i];
        ring[p * gridDim.x * 128 + i] = x;
        p = (p + 1) % 24;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_23(const float *__restrict__ a, float *__restrict__ out, int n, int steps, float *__restrict__ ring)
{
    int i = blockIdx.x * 64 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 12; l++) {
        int p = l;
        ring[p * gridDim.x * 64 + i] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p * gridDim.x * 64 + i];
        ring[p * gridDim.x * 64 + i] = x;
        p += 1;
        if (p >= 12)
        p -= 12;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_25(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
{
    __shared__ float ring[4][256];
    int i = blockIdx.x * 256 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 4; l++) {
        int p = l;
        ring[p][threadIdx.x] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p][threadIdx.x];
        ring[p][threadIdx.x] = x;
        p = (p + 1) & 3;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_27(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
{
    __shared__ float ring[16][256];
    int i = blockIdx.x * 256 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 16; l++) {
        int p = l;
        ring[p][threadIdx.x] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p][threadIdx.x];
        ring[p][threadIdx.x] = x;
        p += 5;
        if (p >= 16)
        p -= 16;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_29(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
{
    __shared__ float ring[8][64];
    int i = blockIdx.x * 64 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 8; l++) {
        int p = l;
        ring[p][threadIdx.x] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p][threadIdx.x];
        ring[p][threadIdx.x] = x;
        p = (p + 1) & 7;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_31(const float *__restrict__ a, float *__restrict__ out, int n, int steps, float *__restrict__ ring)
{
    int i = blockIdx.x * 256 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 8; l++) {
        int p = l;
        ring[p * gridDim.x * 256 + i] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p * gridDim.x * 256 + i];
        ring[p * gridDim.x * 256 + i] = x;
        p = (p + 1) % 8;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_33(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
{
    __shared__ float ring[16][64];
    int i = blockIdx.x * 64 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 16; l++) {
        int p = l;
        ring[p][threadIdx.x] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p][threadIdx.x];
        ring[p][threadIdx.x] = x;
        p = (p + 1) & 15;
        out[s * n + i] = sum;
    }
}
