/* Tables that bytes index: checksums, ciphers, histograms, tables of colours.  Written by scripts/device/write-generated. */

extern "C" __global__ void byte_table_1(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n, const unsigned *__restrict__ table)
{
    __shared__ unsigned s[256];
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    s[l] = table[l];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned sum = ~0u;
    for (int j = 0; j < 64; j++)
    sum = s[(sum ^ a[j * n + i]) & 255] ^ (sum >> 8);
    out[i] = sum;
}

extern "C" __global__ void byte_table_3(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n)
{
    __shared__ unsigned s[256];
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    s[l] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&s[a[i]], 1u);
    __syncthreads();
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    atomicAdd(&out[l], s[l]);
}

extern "C" __global__ void byte_table_5(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n, const unsigned *__restrict__ table)
{
    __shared__ unsigned s[256];
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    s[l] = table[l];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned sum = ~0u;
    for (int j = 0; j < 16; j++)
    sum = s[(sum ^ a[j * n + i]) & 255] ^ (sum >> 8);
    out[i] = sum;
}

extern "C" __global__ void byte_table_7(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n)
{
    __shared__ unsigned s[256];
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    s[l] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&s[a[i]], 1u);
    __syncthreads();
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    atomicAdd(&out[l], s[l]);
}

extern "C" __global__ void byte_table_9(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n)
{
    __shared__ unsigned s[256];
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    s[l] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&s[a[i]], 1u);
    __syncthreads();
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    atomicAdd(&out[l], s[l]);
}

extern "C" __global__ void byte_table_11(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n, const unsigned *__restrict__ table)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned sum = ~0u;
    for (int j = 0; j < 4; j++)
    sum = table[(sum ^ a[j * n + i]) & 255] ^ (sum >> 8);
    out[i] = sum;
}

__constant__ unsigned byte_table_13_table[256] = {1u, 2u, 3u};
extern "C" __global__ void byte_table_13(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned x = byte_table_13_table[a[i]];
    for (int j = 1; j < 4; j++)
    x = x * 5u + byte_table_13_table[(x >> 3) & 255];
    out[i] = x;
}

extern "C" __global__ void byte_table_15(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n, const unsigned *__restrict__ table)
{
    __shared__ unsigned s[256];
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    s[l] = table[l];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned x = s[a[i]];
    for (int j = 1; j < 16; j++)
    x = x * 5u + s[(x >> 3) & 255];
    out[i] = x;
}

extern "C" __global__ void byte_table_17(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n)
{
    __shared__ unsigned s[256];
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    s[l] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&s[a[i]], 1u);
    __syncthreads();
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    atomicAdd(&out[l], s[l]);
}

extern "C" __global__ void byte_table_19(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n)
{
    __shared__ unsigned s[256];
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    s[l] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&s[a[i]], 1u);
    __syncthreads();
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    atomicAdd(&out[l], s[l]);
}

extern "C" __global__ void byte_table_21(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n, const unsigned *__restrict__ table)
{
    __shared__ unsigned s[256];
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    s[l] = table[l];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned sum = ~0u;
    for (int j = 0; j < 16; j++)
    sum = s[(sum ^ a[i * 16 + j]) & 255] ^ (sum >> 8);
    out[i] = sum;
}

extern "C" __global__ void byte_table_23(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n, const unsigned *__restrict__ table)
{
    __shared__ unsigned s[256];
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    s[l] = table[l];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned x = s[a[i]];
    for (int j = 1; j < 16; j++)
    x = x * 5u + s[(x >> 3) & 255];
    out[i] = x;
}

extern "C" __global__ void byte_table_25(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n)
{
    __shared__ unsigned s[256];
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    s[l] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&s[a[i]], 1u);
    __syncthreads();
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    atomicAdd(&out[l], s[l]);
}

extern "C" __global__ void byte_table_27(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n, const unsigned *__restrict__ table)
{
    __shared__ unsigned s[256];
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    s[l] = table[l];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned sum = ~0u;
    for (int j = 0; j < 64; j++)
    sum = s[(sum ^ a[i * 64 + j]) & 255] ^ (sum >> 8);
    out[i] = sum;
}

extern "C" __global__ void byte_table_29(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n)
{
    __shared__ unsigned s[256];
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    s[l] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&s[a[i]], 1u);
    __syncthreads();
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    atomicAdd(&out[l], s[l]);
}

extern "C" __global__ void byte_table_31(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n, const unsigned *__restrict__ table)
{
    __shared__ unsigned s[256];
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    s[l] = table[l];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned x = s[a[i]];
    for (int j = 1; j < 4; j++)
    x = x * 5u + s[(x >> 3) & 255];
    out[i] = x;
}
