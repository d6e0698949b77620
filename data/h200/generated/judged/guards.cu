/* Threads that leave early, by data or by an index that is no affine function; `else if` by index, by data or by an argument.  Written by scripts/device/write-generated. */

extern "C" __global__ void guards_1(const float *__restrict__ a, float *__restrict__ out, const int *__restrict__ mask, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    if (__popc(i & 255) > 5)
    return;
    int way = mask[i];
    float x = a[i];
    if (way == 0) {
        #pragma unroll 4
        for (int r = 0; r < 4; r++)
        x = (x * 1.25f + 1.5f) * 0.5f;
    } else {
        #pragma unroll 4
        for (int r = 0; r < 8; r++)
        x = ((((x) * 1.25f) * 0.25f + 0.5f) * 1.25f + 1.25f) * 0.5f;
    }
    out[i] = x;
}

extern "C" __global__ void guards_3(const float *__restrict__ a, float *__restrict__ out, const int *__restrict__ mask, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    if (__popc(i & 255) > 5)
    return;
    int way = (int)(blockIdx.x % 4);
    float x = a[i];
    if (way == 0) {
        #pragma unroll 1
        for (int r = 0; r < 4; r++)
        x = (x * 1.25f + 1.25f) * 0.5f;
    } else if (way == 1) {
        #pragma unroll 1
        for (int r = 0; r < 8; r++)
        x = x * 0.5f;
    } else if (way == 2) {
        #pragma unroll 4
        for (int r = 0; r < 12; r++)
        x = (x * 0.75f + 0.25f) * 0.5f;
    } else {
        #pragma unroll 4
        for (int r = 0; r < 16; r++)
        x = (((((x) * 0.25f)) * 0.25f) * 1.5f + 0.75f) * 0.5f;
    }
    out[i] = x;
}

extern "C" __global__ void guards_5(const float *__restrict__ a, float *__restrict__ out, const int *__restrict__ mask, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    if (mask == nullptr || ((unsigned long long)a & 3))
    return;
    int way = (int)(threadIdx.x % 5);
    float x = a[i];
    if (way == 0) {
        #pragma unroll 1
        for (int r = 0; r < 4; r++)
        x = x * 0.5f;
    } else if (way == 1) {
        #pragma unroll 1
        for (int r = 0; r < 8; r++)
        x = x * 0.5f;
    } else if (way == 2) {
        #pragma unroll 1
        for (int r = 0; r < 12; r++)
        x = (((x * 1.5f + 0.5f)) * 1.5f) * 0.5f;
    } else if (way == 3) {
        #pragma unroll 1
        for (int r = 0; r < 16; r++)
        x = ((((x) * 0.5f) * 0.75f + 0.75f) * 1.5f + 1.25f) * 0.5f;
    } else {
        #pragma unroll 4
        for (int r = 0; r < 20; r++)
        x = ((((x) * 0.25f)) * 0.25f) * 0.5f;
    }
    out[i] = x;
}

extern "C" __global__ void guards_7(const float *__restrict__ a, float *__restrict__ out, const int *__restrict__ mask, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    if (mask[i] > 3)
    return;
    int way = mode;
    float x = a[i];
    if (way == 0) {
        #pragma unroll 1
        for (int r = 0; r < 4; r++)
        x = ((((x * 0.25f + 1.25f) * 0.5f + 0.5f)) * 1.5f) * 0.5f;
    } else {
        #pragma unroll 4
        for (int r = 0; r < 8; r++)
        x = x * 0.5f;
    }
    out[i] = x;
}

extern "C" __global__ void guards_9(const float *__restrict__ a, float *__restrict__ out, const int *__restrict__ mask, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    if (a[i] < 0.0f) {
        out[i] = -1.0f;
        return;
    }
    int way = mask[i];
    float x = a[i];
    if (way == 0) {
        #pragma unroll 4
        for (int r = 0; r < 16; r++)
        x = (((x) * 0.5f) * 1.5f + 1.5f) * 0.5f;
    } else {
        #pragma unroll 1
        for (int r = 0; r < 32; r++)
        x = x * 0.5f;
    }
    out[i] = x;
}

extern "C" __global__ void guards_11(const float *__restrict__ a, float *__restrict__ out, const int *__restrict__ mask, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    if (__popc(i & 255) > 5)
    return;
    int way = mode;
    float x = a[i];
    if (way == 0) {
        #pragma unroll 4
        for (int r = 0; r < 64; r++)
        x = ((((x) * 0.75f)) * 1.25f) * 0.5f;
    } else if (way == 1) {
        #pragma unroll 1
        for (int r = 0; r < 128; r++)
        x = (((x * 0.75f + 0.75f)) * 0.75f) * 0.5f;
    } else if (way == 2) {
        #pragma unroll 4
        for (int r = 0; r < 192; r++)
        x = x * 0.5f;
    } else if (way == 3) {
        #pragma unroll 1
        for (int r = 0; r < 256; r++)
        x = x * 0.5f;
    } else {
        #pragma unroll 1
        for (int r = 0; r < 320; r++)
        x = (((x) * 1.5f) * 0.5f + 0.25f) * 0.5f;
    }
    out[i] = x;
}

extern "C" __global__ void guards_13(const float *__restrict__ a, float *__restrict__ out, const int *__restrict__ mask, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    if (a[i] < 0.0f) {
        out[i] = -1.0f;
        return;
    }
    int way = mask[i];
    float x = a[i];
    if (way == 0) {
        #pragma unroll 4
        for (int r = 0; r < 16; r++)
        x = (((x * 0.5f + 0.75f)) * 0.25f) * 0.5f;
    } else {
        #pragma unroll 4
        for (int r = 0; r < 32; r++)
        x = x * 0.5f;
    }
    out[i] = x;
}

extern "C" __global__ void guards_15(const float *__restrict__ a, float *__restrict__ out, const int *__restrict__ mask, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    if (__popc(i & 255) > 5)
    return;
    int way = mode;
    float x = a[i];
    if (way == 0) {
        #pragma unroll 4
        for (int r = 0; r < 64; r++)
        x = (x * 1.25f + 0.5f) * 0.5f;
    } else if (way == 1) {
        #pragma unroll 1
        for (int r = 0; r < 128; r++)
        x = ((x * 0.75f + 0.5f) * 1.5f + 0.25f) * 0.5f;
    } else if (way == 2) {
        #pragma unroll 1
        for (int r = 0; r < 192; r++)
        x = ((x * 1.25f + 1.5f) * 1.25f + 1.5f) * 0.5f;
    } else if (way == 3) {
        #pragma unroll 4
        for (int r = 0; r < 256; r++)
        x = (((x) * 0.5f) * 0.75f + 1.5f) * 0.5f;
    } else {
        #pragma unroll 1
        for (int r = 0; r < 320; r++)
        x = (((x * 0.75f + 0.25f) * 0.25f + 0.5f) * 1.5f + 0.25f) * 0.5f;
    }
    out[i] = x;
}

extern "C" __global__ void guards_17(const float *__restrict__ a, float *__restrict__ out, const int *__restrict__ mask, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    if (mask == nullptr || ((unsigned long long)a & 3))
    return;
    int way = (int)(threadIdx.x % 4);
    float x = a[i];
    if (way == 0) {
        #pragma unroll 4
        for (int r = 0; r < 16; r++)
        x = (((x * 0.5f + 0.25f) * 0.5f + 0.25f) * 1.25f + 1.5f) * 0.5f;
    } else if (way == 1) {
        #pragma unroll 4
        for (int r = 0; r < 32; r++)
        x = (x * 0.25f + 0.75f) * 0.5f;
    } else if (way == 2) {
        #pragma unroll 1
        for (int r = 0; r < 48; r++)
        x = ((x) * 1.25f) * 0.5f;
    } else {
        #pragma unroll 1
        for (int r = 0; r < 64; r++)
        x = (x * 1.25f + 1.25f) * 0.5f;
    }
    out[i] = x;
}

extern "C" __global__ void guards_19(const float *__restrict__ a, float *__restrict__ out, const int *__restrict__ mask, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    if (i % 1000 * (i % 1000) > 250000)
    return;
    int way = mask[i];
    float x = a[i];
    if (way == 0) {
        #pragma unroll 1
        for (int r = 0; r < 16; r++)
        x = x * 0.5f;
    } else if (way == 1) {
        #pragma unroll 1
        for (int r = 0; r < 32; r++)
        x = x * 0.5f;
    } else {
        #pragma unroll 4
        for (int r = 0; r < 48; r++)
        x = ((((x * 0.5f + 1.5f) * 0.5f + 1.25f)) * 1.25f) * 0.5f;
    }
    out[i] = x;
}

extern "C" __global__ void guards_21(const float *__restrict__ a, float *__restrict__ out, const int *__restrict__ mask, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    if (a[i] < 0.0f) {
        out[i] = -1.0f;
        return;
    }
    int way = mask[i];
    float x = a[i];
    if (way == 0) {
        #pragma unroll 4
        for (int r = 0; r < 4; r++)
        x = x * 0.5f;
    } else if (way == 1) {
        #pragma unroll 1
        for (int r = 0; r < 8; r++)
        x = ((x) * 1.25f) * 0.5f;
    } else {
        #pragma unroll 1
        for (int r = 0; r < 12; r++)
        x = x * 0.5f;
    }
    out[i] = x;
}

extern "C" __global__ void guards_23(const float *__restrict__ a, float *__restrict__ out, const int *__restrict__ mask, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    if (__popc(i & 255) > 5)
    return;
    int way = (int)(threadIdx.x % 3);
    float x = a[i];
    if (way == 0) {
        #pragma unroll 1
        for (int r = 0; r < 16; r++)
        x = ((((x * 0.5f + 0.75f)) * 0.5f) * 1.25f + 0.25f) * 0.5f;
    } else if (way == 1) {
        #pragma unroll 1
        for (int r = 0; r < 32; r++)
        x = x * 0.5f;
    } else {
        #pragma unroll 4
        for (int r = 0; r < 48; r++)
        x = (x * 0.25f + 0.5f) * 0.5f;
    }
    out[i] = x;
}

extern "C" __global__ void guards_25(const float *__restrict__ a, float *__restrict__ out, const int *__restrict__ mask, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    if (__popc(i & 255) > 5)
    return;
    int way = mode;
    float x = a[i];
    if (way == 0) {
        #pragma unroll 1
        for (int r = 0; r < 16; r++)
        x = (((x) * 1.25f) * 1.5f + 0.25f) * 0.5f;
    } else {
        #pragma unroll 4
        for (int r = 0; r < 32; r++)
        x = ((((x * 0.5f + 0.75f)) * 0.25f) * 0.5f + 1.5f) * 0.5f;
    }
    out[i] = x;
}

extern "C" __global__ void guards_27(const float *__restrict__ a, float *__restrict__ out, const int *__restrict__ mask, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    if (a[i] < 0.0f) {
        out[i] = -1.0f;
        return;
    }
    int way = (int)(threadIdx.x % 5);
    float x = a[i];
    if (way == 0) {
        #pragma unroll 1
        for (int r = 0; r < 64; r++)
        x = (((x * 1.25f + 0.75f) * 0.25f + 1.25f) * 1.25f + 0.25f) * 0.5f;
    } else if (way == 1) {
        #pragma unroll 4
        for (int r = 0; r < 128; r++)
        x = x * 0.5f;
    } else if (way == 2) {
        #pragma unroll 4
        for (int r = 0; r < 192; r++)
        x = x * 0.5f;
    } else if (way == 3) {
        #pragma unroll 1
        for (int r = 0; r < 256; r++)
        x = x * 0.5f;
    } else {
        #pragma unroll 4
        for (int r = 0; r < 320; r++)
        x = (x * 1.25f + 0.25f) * 0.5f;
    }
    out[i] = x;
}

extern "C" __global__ void guards_29(const float *__restrict__ a, float *__restrict__ out, const int *__restrict__ mask, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    if (i % 1000 * (i % 1000) > 250000)
    return;
    int way = mask[i];
    float x = a[i];
    if (way == 0) {
        #pragma unroll 1
        for (int r = 0; r < 64; r++)
        x = (x * 1.5f + 0.5f) * 0.5f;
    } else {
        #pragma unroll 4
        for (int r = 0; r < 128; r++)
        x = ((((x * 0.5f + 1.25f) * 0.75f + 0.25f)) * 1.5f) * 0.5f;
    }
    out[i] = x;
}

extern "C" __global__ void guards_31(const float *__restrict__ a, float *__restrict__ out, const int *__restrict__ mask, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    if (mask[i] > 3)
    return;
    int way = mode;
    float x = a[i];
    if (way == 0) {
        #pragma unroll 4
        for (int r = 0; r < 64; r++)
        x = ((((x) * 0.5f) * 0.5f + 1.5f) * 1.25f + 1.5f) * 0.5f;
    } else if (way == 1) {
        #pragma unroll 4
        for (int r = 0; r < 128; r++)
        x = ((x) * 0.25f) * 0.5f;
    } else if (way == 2) {
        #pragma unroll 4
        for (int r = 0; r < 192; r++)
        x = (x * 0.75f + 0.75f) * 0.5f;
    } else if (way == 3) {
        #pragma unroll 1
        for (int r = 0; r < 256; r++)
        x = ((x * 1.25f + 1.5f) * 0.25f + 0.5f) * 0.5f;
    } else {
        #pragma unroll 4
        for (int r = 0; r < 320; r++)
        x = (((x * 0.25f + 0.25f) * 1.25f + 0.75f) * 0.75f + 0.75f) * 0.5f;
    }
    out[i] = x;
}

extern "C" __global__ void guards_33(const float *__restrict__ a, float *__restrict__ out, const int *__restrict__ mask, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    if (a[i] < 0.0f) {
        out[i] = -1.0f;
        return;
    }
    int way = (int)(threadIdx.x % 4);
    float x = a[i];
    if (way == 0) {
        #pragma unroll 4
        for (int r = 0; r < 4; r++)
        x = (x * 1.5f + 0.5f) * 0.5f;
    } else if (way == 1) {
        #pragma unroll 1
        for (int r = 0; r < 8; r++)
        x = (((x) * 1.25f) * 1.5f + 0.25f) * 0.5f;
    } else if (way == 2) {
        #pragma unroll 1
        for (int r = 0; r < 12; r++)
        x = (((x * 1.5f + 0.5f) * 1.25f + 1.25f) * 0.25f + 0.5f) * 0.5f;
    } else {
        #pragma unroll 4
        for (int r = 0; r < 16; r++)
        x = x * 0.5f;
    }
    out[i] = x;
}
