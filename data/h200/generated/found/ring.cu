/* A ring buffer in shared, local or global memory: its position wraps by &, % or a condition.  Written by scripts/device/write-generated. */

extern "C" __global__ void ring_0(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
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
        p += 3;
        if (p >= 8)
        p -= 8;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_2(const float *__restrict__ a, float *__restrict__ out, int n, int steps, float *__restrict__ ring)
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
        p += 1;
        if (p >= 24)
        p -= 24;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_4(const float *__restrict__ a, float *__restrict__ out, int n, int steps, float *__restrict__ ring)
{
    int i = blockIdx.x * 128 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 16; l++) {
        int p = l;
        ring[p * gridDim.x * 128 + i] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p * gridDim.x * 128 + i];
        ring[p * gridDim.x * 128 + i] = x;
        p = (p + 1) & 15;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_6(const float *__restrict__ a, float *__restrict__ out, int n, int steps, float *__restrict__ ring)
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
        p = (p + 5) & 15;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_8(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
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
        p = (p + 1) % 8;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_10(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
{
    __shared__ float ring[24][64];
    int i = blockIdx.x * 64 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 24; l++) {
        int p = l;
        ring[p][threadIdx.x] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p][threadIdx.x];
        ring[p][threadIdx.x] = x;
        p += 5;
        if (p >= 24)
        p -= 24;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_12(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
{
    __shared__ float ring[12][64];
    int i = blockIdx.x * 64 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 12; l++) {
        int p = l;
        ring[p][threadIdx.x] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p][threadIdx.x];
        ring[p][threadIdx.x] = x;
        p += 3;
        if (p >= 12)
        p -= 12;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_14(const float *__restrict__ a, float *__restrict__ out, int n, int steps, float *__restrict__ ring)
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
        p += 5;
        if (p >= 24)
        p -= 24;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_16(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
{
    __shared__ float ring[8][128];
    int i = blockIdx.x * 128 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 8; l++) {
        int p = l;
        ring[p][threadIdx.x] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p][threadIdx.x];
        ring[p][threadIdx.x] = x;
        p = (p + 3) & 7;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_18(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
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
        p = (p + 1) % 32;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_20(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
{
    __shared__ float ring[12][128];
    int i = blockIdx.x * 128 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 12; l++) {
        int p = l;
        ring[p][threadIdx.x] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p][threadIdx.x];
        ring[p][threadIdx.x] = x;
        p += 3;
        if (p >= 12)
        p -= 12;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_22(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
{
    __shared__ float ring[16][128];
    int i = blockIdx.x * 128 + threadIdx.x, p = 0;
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

extern "C" __global__ void ring_24(const float *__restrict__ a, float *__restrict__ out, int n, int steps, float *__restrict__ ring)
{
    int i = blockIdx.x * 64 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 4; l++) {
        int p = l;
        ring[p * gridDim.x * 64 + i] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p * gridDim.x * 64 + i];
        ring[p * gridDim.x * 64 + i] = x;
        p += 1;
        if (p >= 4)
        p -= 4;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_26(const float *__restrict__ a, float *__restrict__ out, int n, int steps, float *__restrict__ ring)
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

extern "C" __global__ void ring_28(const float *__restrict__ a, float *__restrict__ out, int n, int steps, float *__restrict__ ring)
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
        p = (p + 5) & 7;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_30(const float *__restrict__ a, float *__restrict__ out, int n, int steps, float *__restrict__ ring)
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
        p = (p + 1) % 12;
        out[s * n + i] = sum;
    }
}

extern "C" __global__ void ring_32(const float *__restrict__ a, float *__restrict__ out, int n, int steps)
{
    __shared__ float ring[4][128];
    int i = blockIdx.x * 128 + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 4; l++) {
        int p = l;
        ring[p][threadIdx.x] = 0;
    }
    for (int s = 0; s < steps; s++) {
        float x = a[s * n + i];
        sum += x - ring[p][threadIdx.x];
        ring[p][threadIdx.x] = x;
        p = (p + 5) % 4;
        out[s * n + i] = sum;
    }
}
