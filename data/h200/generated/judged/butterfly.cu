/* Steps of sorting and of transforms: pairs whose distance divides the index.  Written by scripts/device/write-generated. */

extern "C" __global__ void butterfly_1(float *a, int distance, int n)
{
    __shared__ float s[128];
    int t = threadIdx.x, base = blockIdx.x * 128;
    s[t] = a[base + t];
    s[t + 64] = a[base + t + 64];
    for (int d = 64; d > 0; d /= 2) {
        __syncthreads();
        int i = 2 * t - (t & (d - 1));
        float x = s[i], y = s[i + d];
        s[i] = (x + y) * 0.5f;
        s[i + d] = (x - y) * 0.5f;
    }
    __syncthreads();
    a[base + t] = s[t];
    a[base + t + 64] = s[t + 64];
}

extern "C" __global__ void butterfly_3(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = t / distance * 2 * distance + t % distance;
    float x = a[i], y = a[i + distance];
    if (x > y) {
        a[i] = y;
        a[i + distance] = x;
    }
}

extern "C" __global__ void butterfly_5(float *a, int distance, int n)
{
    __shared__ float s[512];
    int t = threadIdx.x, base = blockIdx.x * 512;
    s[t] = a[base + t];
    s[t + 256] = a[base + t + 256];
    for (int d = 256; d > 0; d /= 2) {
        __syncthreads();
        int i = 2 * t - (t & (d - 1));
        float x = s[i], y = s[i + d];
        s[i] = (x + y) * 0.5f;
        s[i + d] = (x - y) * 0.5f;
    }
    __syncthreads();
    a[base + t] = s[t];
    a[base + t + 256] = s[t + 256];
}

extern "C" __global__ void butterfly_7(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = t / distance * 2 * distance + t % distance;
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}

extern "C" __global__ void butterfly_9(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = 2 * t - (t & (distance - 1));
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}

extern "C" __global__ void butterfly_11(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = 2 * t - (t & (distance - 1));
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}

extern "C" __global__ void butterfly_13(float *a, int distance, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, base = blockIdx.x * 256;
    s[t] = a[base + t];
    s[t + 128] = a[base + t + 128];
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        int i = 2 * t - (t & (d - 1));
        float x = s[i], y = s[i + d];
        s[i] = (x + y) * 0.5f;
        s[i + d] = (x - y) * 0.5f;
    }
    __syncthreads();
    a[base + t] = s[t];
    a[base + t + 128] = s[t + 128];
}

extern "C" __global__ void butterfly_15(float *a, int distance, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, base = blockIdx.x * 256;
    s[t] = a[base + t];
    s[t + 128] = a[base + t + 128];
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        int i = 2 * t - (t & (d - 1));
        float x = s[i], y = s[i + d];
        s[i] = fminf(x, y);
        s[i + d] = fmaxf(x, y);
    }
    __syncthreads();
    a[base + t] = s[t];
    a[base + t + 128] = s[t + 128];
}

extern "C" __global__ void butterfly_17(float *a, int distance, int n)
{
    __shared__ float s[512];
    int t = threadIdx.x, base = blockIdx.x * 512;
    s[t] = a[base + t];
    s[t + 256] = a[base + t + 256];
    for (int d = 256; d > 0; d /= 2) {
        __syncthreads();
        int i = 2 * t - (t & (d - 1));
        float x = s[i], y = s[i + d];
        s[i] = (x + y) * 0.5f;
        s[i + d] = (x - y) * 0.5f;
    }
    __syncthreads();
    a[base + t] = s[t];
    a[base + t + 256] = s[t + 256];
}

extern "C" __global__ void butterfly_19(float *a, int distance, int n)
{
    __shared__ float s[128];
    int t = threadIdx.x, base = blockIdx.x * 128;
    s[t] = a[base + t];
    s[t + 64] = a[base + t + 64];
    for (int d = 64; d > 0; d /= 2) {
        __syncthreads();
        int i = 2 * t - (t & (d - 1));
        float x = s[i], y = s[i + d];
        s[i] = fminf(x, y);
        s[i + d] = fmaxf(x, y);
    }
    __syncthreads();
    a[base + t] = s[t];
    a[base + t + 64] = s[t + 64];
}

extern "C" __global__ void butterfly_21(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = 2 * t - (t & (distance - 1));
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}

extern "C" __global__ void butterfly_23(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = 2 * t - (t & (distance - 1));
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}

extern "C" __global__ void butterfly_25(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = 2 * t - (t & (distance - 1));
    float x = a[i], y = a[i + distance];
    if (x > y) {
        a[i] = y;
        a[i + distance] = x;
    }
}

extern "C" __global__ void butterfly_27(float *a, int distance, int n)
{
    __shared__ float s[512];
    int t = threadIdx.x, base = blockIdx.x * 512;
    s[t] = a[base + t];
    s[t + 256] = a[base + t + 256];
    for (int d = 256; d > 0; d /= 2) {
        __syncthreads();
        int i = 2 * t - (t & (d - 1));
        float x = s[i], y = s[i + d];
        s[i] = (x + y) * 0.5f;
        s[i + d] = (x - y) * 0.5f;
    }
    __syncthreads();
    a[base + t] = s[t];
    a[base + t + 256] = s[t + 256];
}

extern "C" __global__ void butterfly_29(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = t / distance * 2 * distance + t % distance;
    float x = a[i], y = a[i + distance];
    if (x > y) {
        a[i] = y;
        a[i + distance] = x;
    }
}

extern "C" __global__ void butterfly_31(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = t / distance * 2 * distance + t % distance;
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}
