/* Arrays of a thread: indexed by a loop or by data, or held in so many registers that some spill.  Written by scripts/device/write-generated. */

extern "C" __global__ void local_array_0(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[160];
    #pragma unroll
    for (int l = 0; l < 160; l++)
    s[l] = a[l % 8 * n + i] + l;
    for (int r = 0; r < rounds; r++) {
        #pragma unroll
        for (int l = 0; l < 160; l++)
        s[l] = s[l] * 0.75f + s[(l + 5) % 160] * 0.125f;
    }
    float sum = 0;
    #pragma unroll
    for (int l = 0; l < 160; l++)
    sum += s[l];
    out[i] = sum;
}

extern "C" __global__ void local_array_2(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[16];
    #pragma unroll 1
    for (int l = 0; l < 16; l++)
    s[l] = 0;
    for (int r = 0; r < rounds; r++)
    s[(int)(a[(r & 7) * n + i] * 256.0f) % 16] += 1.0f;
    float sum = 0;
    #pragma unroll 1
    for (int l = 0; l < 16; l++)
    sum += s[l] * l;
    out[i] = sum;
}

extern "C" __global__ void local_array_4(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[32];
    #pragma unroll 1
    for (int l = 0; l < 32; l++)
    s[l] = 0;
    for (int r = 0; r < rounds; r++)
    s[(int)(a[(r & 7) * n + i] * 512.0f) % 32] += 1.0f;
    float sum = 0;
    #pragma unroll 1
    for (int l = 0; l < 32; l++)
    sum += s[l] * l;
    out[i] = sum;
}

extern "C" __global__ void local_array_6(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[32];
    for (int l = 0; l < 32; l++)
    s[l] = a[l * n + i];
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        int at = (r * 3) % 32;
        sum += s[at];
        s[at] = sum * 0.5f;
    }
    out[i] = sum;
}

extern "C" __global__ void local_array_8(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[8];
    for (int l = 0; l < 8; l++)
    s[l] = a[l * n + i];
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        int at = (r * 5) % 8;
        sum += s[at];
        s[at] = sum * 0.5f;
    }
    out[i] = sum;
}

extern "C" __global__ void local_array_10(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[16];
    #pragma unroll 1
    for (int l = 0; l < 16; l++)
    s[l] = 0;
    for (int r = 0; r < rounds; r++)
    s[(int)(a[(r & 7) * n + i] * 256.0f) % 16] += 1.0f;
    float sum = 0;
    #pragma unroll 1
    for (int l = 0; l < 16; l++)
    sum += s[l] * l;
    out[i] = sum;
}

extern "C" __global__ void local_array_12(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[160];
    #pragma unroll
    for (int l = 0; l < 160; l++)
    s[l] = a[l % 8 * n + i] + l;
    for (int r = 0; r < rounds; r++) {
        #pragma unroll
        for (int l = 0; l < 160; l++)
        s[l] = s[l] * 0.75f + s[(l + 11) % 160] * 0.125f;
    }
    float sum = 0;
    #pragma unroll
    for (int l = 0; l < 160; l++)
    sum += s[l];
    out[i] = sum;
}

extern "C" __global__ void local_array_14(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[24];
    #pragma unroll
    for (int l = 0; l < 24; l++)
    s[l] = a[l % 8 * n + i] + l;
    for (int r = 0; r < rounds; r++) {
        #pragma unroll
        for (int l = 0; l < 24; l++)
        s[l] = s[l] * 0.75f + s[(l + 1) % 24] * 0.125f;
    }
    float sum = 0;
    #pragma unroll
    for (int l = 0; l < 24; l++)
    sum += s[l];
    out[i] = sum;
}

extern "C" __global__ void local_array_16(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[32];
    for (int l = 0; l < 32; l++)
    s[l] = a[l * n + i];
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        int at = (r * 5) % 32;
        sum += s[at];
        s[at] = sum * 0.5f;
    }
    out[i] = sum;
}

extern "C" __global__ void local_array_18(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[48];
    #pragma unroll
    for (int l = 0; l < 48; l++)
    s[l] = a[l % 8 * n + i] + l;
    for (int r = 0; r < rounds; r++) {
        #pragma unroll
        for (int l = 0; l < 48; l++)
        s[l] = s[l] * 0.75f + s[(l + 1) % 48] * 0.125f;
    }
    float sum = 0;
    #pragma unroll
    for (int l = 0; l < 48; l++)
    sum += s[l];
    out[i] = sum;
}

extern "C" __global__ void local_array_20(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[16];
    #pragma unroll 1
    for (int l = 0; l < 16; l++)
    s[l] = 0;
    for (int r = 0; r < rounds; r++)
    s[(int)(a[(r & 7) * n + i] * 256.0f) % 16] += 1.0f;
    float sum = 0;
    #pragma unroll 1
    for (int l = 0; l < 16; l++)
    sum += s[l] * l;
    out[i] = sum;
}

extern "C" __global__ void local_array_22(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[64];
    for (int l = 0; l < 64; l++)
    s[l] = a[l * n + i];
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        int at = (r * 5) % 64;
        sum += s[at];
        s[at] = sum * 0.5f;
    }
    out[i] = sum;
}

extern "C" __global__ void local_array_24(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[160];
    #pragma unroll
    for (int l = 0; l < 160; l++)
    s[l] = a[l % 8 * n + i] + l;
    for (int r = 0; r < rounds; r++) {
        #pragma unroll
        for (int l = 0; l < 160; l++)
        s[l] = s[l] * 0.75f + s[(l + 5) % 160] * 0.125f;
    }
    float sum = 0;
    #pragma unroll
    for (int l = 0; l < 160; l++)
    sum += s[l];
    out[i] = sum;
}

extern "C" __global__ void __launch_bounds__(256, 4) local_array_26(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[24];
    #pragma unroll
    for (int l = 0; l < 24; l++)
    s[l] = a[l % 8 * n + i] + l;
    for (int r = 0; r < rounds; r++) {
        #pragma unroll
        for (int l = 0; l < 24; l++)
        s[l] = s[l] * 0.75f + s[(l + 5) % 24] * 0.125f;
    }
    float sum = 0;
    #pragma unroll
    for (int l = 0; l < 24; l++)
    sum += s[l];
    out[i] = sum;
}

extern "C" __global__ void __launch_bounds__(256, 4) local_array_28(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[96];
    #pragma unroll
    for (int l = 0; l < 96; l++)
    s[l] = a[l % 8 * n + i] + l;
    for (int r = 0; r < rounds; r++) {
        #pragma unroll
        for (int l = 0; l < 96; l++)
        s[l] = s[l] * 0.75f + s[(l + 11) % 96] * 0.125f;
    }
    float sum = 0;
    #pragma unroll
    for (int l = 0; l < 96; l++)
    sum += s[l];
    out[i] = sum;
}

extern "C" __global__ void local_array_30(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[16];
    for (int l = 0; l < 16; l++)
    s[l] = a[l * n + i];
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        int at = (r * 3) % 16;
        sum += s[at];
        s[at] = sum * 0.5f;
    }
    out[i] = sum;
}

extern "C" __global__ void local_array_32(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[96];
    #pragma unroll
    for (int l = 0; l < 96; l++)
    s[l] = a[l % 8 * n + i] + l;
    for (int r = 0; r < rounds; r++) {
        #pragma unroll
        for (int l = 0; l < 96; l++)
        s[l] = s[l] * 0.75f + s[(l + 5) % 96] * 0.125f;
    }
    float sum = 0;
    #pragma unroll
    for (int l = 0; l < 96; l++)
    sum += s[l];
    out[i] = sum;
}
