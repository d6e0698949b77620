/* Arrays of a thread: indexed by a loop or by data, or held in so many registers that some spill.  Written by scripts/device/write-generated. */

extern "C" __global__ void local_array_1(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
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
        s[l] = s[l] * 0.75f + s[(l + 1) % 160] * 0.125f;
    }
    float sum = 0;
    #pragma unroll
    for (int l = 0; l < 160; l++)
    sum += s[l];
    out[i] = sum;
}

extern "C" __global__ void local_array_3(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
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

extern "C" __global__ void __launch_bounds__(256, 4) local_array_5(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
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

extern "C" __global__ void local_array_7(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
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

extern "C" __global__ void local_array_9(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
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

extern "C" __global__ void local_array_11(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
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

extern "C" __global__ void local_array_13(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
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

extern "C" __global__ void local_array_15(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
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

extern "C" __global__ void local_array_17(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
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

extern "C" __global__ void local_array_19(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
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

extern "C" __global__ void local_array_21(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
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
        s[l] = s[l] * 0.75f + s[(l + 11) % 48] * 0.125f;
    }
    float sum = 0;
    #pragma unroll
    for (int l = 0; l < 48; l++)
    sum += s[l];
    out[i] = sum;
}

extern "C" __global__ void local_array_23(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
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

extern "C" __global__ void local_array_25(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[8];
    for (int l = 0; l < 8; l++)
    s[l] = a[l * n + i];
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        int at = (r * 7) % 8;
        sum += s[at];
        s[at] = sum * 0.5f;
    }
    out[i] = sum;
}

extern "C" __global__ void local_array_27(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
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

extern "C" __global__ void local_array_29(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[64];
    for (int l = 0; l < 64; l++)
    s[l] = a[l * n + i];
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        int at = (r * 7) % 64;
        sum += s[at];
        s[at] = sum * 0.5f;
    }
    out[i] = sum;
}

extern "C" __global__ void local_array_31(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[32];
    for (int l = 0; l < 32; l++)
    s[l] = a[l * n + i];
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        int at = (r * 7) % 32;
        sum += s[at];
        s[at] = sum * 0.5f;
    }
    out[i] = sum;
}

extern "C" __global__ void local_array_33(const float *__restrict__ a, float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float s[64];
    #pragma unroll 1
    for (int l = 0; l < 64; l++)
    s[l] = 0;
    for (int r = 0; r < rounds; r++)
    s[(int)(a[(r & 7) * n + i] * 1024.0f) % 64] += 1.0f;
    float sum = 0;
    #pragma unroll 1
    for (int l = 0; l < 64; l++)
    sum += s[l] * l;
    out[i] = sum;
}
