/* Steps of sorting and of transforms: pairs whose distance divides the index.  Written by scripts/device/write-generated. */

extern "C" __global__ void butterfly_0(float *a, int distance, int n)
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

extern "C" __global__ void butterfly_2(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = t / distance * 2 * distance + t % distance;
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}

extern "C" __global__ void butterfly_4(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = t / distance * 2 * distance + t % distance;
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}

extern "C" __global__ void butterfly_6(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = 2 * t - (t & (distance - 1));
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}

extern "C" __global__ void butterfly_8(float *a, int distance, int n)
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

extern "C" __global__ void butterfly_10(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = t / distance * 2 * distance + t % distance;
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}

extern "C" __global__ void butterfly_12(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = t / distance * 2 * distance + t % distance;
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}

extern "C" __global__ void butterfly_14(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = 2 * t - (t & (distance - 1));
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}

extern "C" __global__ void butterfly_16(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = 2 * t - (t & (distance - 1));
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}

extern "C" __global__ void butterfly_18(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = 2 * t - (t & (distance - 1));
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}

extern "C" __global__ void butterfly_20(float *a, int distance, int n)
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

extern "C" __global__ void butterfly_22(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = 2 * t - (t & (distance - 1));
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}

extern "C" __global__ void butterfly_24(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = 2 * t - (t & (distance - 1));
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}

extern "C" __global__ void butterfly_26(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = 2 * t - (t & (distance - 1));
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}

extern "C" __global__ void butterfly_28(float *a, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
    return;
    int i = 2 * t - (t & (distance - 1));
    float x = a[i], y = a[i + distance];
    a[i] = (x + y) * 0.5f;
    a[i + distance] = (x - y) * 0.5f;
}

extern "C" __global__ void butterfly_30(float *a, int distance, int n)
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

extern "C" __global__ void butterfly_32(float *a, int distance, int n)
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
