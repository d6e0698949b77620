/* Tables that bytes index: checksums, ciphers, histograms, tables of colours.  Written by scripts/device/write-generated. */

extern "C" __global__ void byte_table_0(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n)
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

extern "C" __global__ void byte_table_2(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n, const unsigned *__restrict__ table)
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

extern "C" __global__ void byte_table_4(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n)
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

extern "C" __global__ void byte_table_6(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n)
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

extern "C" __global__ void byte_table_8(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n, const unsigned *__restrict__ table)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned sum = ~0u;
    for (int j = 0; j < 16; j++)
    sum = table[(sum ^ a[i * 16 + j]) & 255] ^ (sum >> 8);
    out[i] = sum;
}

extern "C" __global__ void byte_table_10(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n, const unsigned *__restrict__ table)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned x = table[a[i]];
    for (int j = 1; j < 4; j++)
    x = x * 5u + table[(x >> 3) & 255];
    out[i] = x;
}

extern "C" __global__ void byte_table_12(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n)
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

extern "C" __global__ void byte_table_14(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n, const unsigned *__restrict__ table)
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

extern "C" __global__ void byte_table_16(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n, const unsigned *__restrict__ table)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned x = table[a[i]];
    for (int j = 1; j < 4; j++)
    x = x * 5u + table[(x >> 3) & 255];
    out[i] = x;
}

extern "C" __global__ void byte_table_18(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n, const unsigned *__restrict__ table)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned sum = ~0u;
    for (int j = 0; j < 16; j++)
    sum = table[(sum ^ a[j * n + i]) & 255] ^ (sum >> 8);
    out[i] = sum;
}

extern "C" __global__ void byte_table_20(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n)
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

extern "C" __global__ void byte_table_22(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n, const unsigned *__restrict__ table)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned sum = ~0u;
    for (int j = 0; j < 64; j++)
    sum = table[(sum ^ a[j * n + i]) & 255] ^ (sum >> 8);
    out[i] = sum;
}

extern "C" __global__ void byte_table_24(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n, const unsigned *__restrict__ table)
{
    __shared__ unsigned s[256];
    for (int l = threadIdx.x; l < 256; l += blockDim.x)
    s[l] = table[l];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned sum = ~0u;
    for (int j = 0; j < 4; j++)
    sum = s[(sum ^ a[i * 4 + j]) & 255] ^ (sum >> 8);
    out[i] = sum;
}

__constant__ unsigned byte_table_26_table[256] = {1u, 2u, 3u};
extern "C" __global__ void byte_table_26(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned sum = ~0u;
    for (int j = 0; j < 4; j++)
    sum = byte_table_26_table[(sum ^ a[j * n + i]) & 255] ^ (sum >> 8);
    out[i] = sum;
}

extern "C" __global__ void byte_table_28(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n)
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

__constant__ unsigned byte_table_30_table[256] = {1u, 2u, 3u};
extern "C" __global__ void byte_table_30(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned x = byte_table_30_table[a[i]];
    for (int j = 1; j < 64; j++)
    x = x * 5u + byte_table_30_table[(x >> 3) & 255];
    out[i] = x;
}

__constant__ unsigned byte_table_32_table[256] = {1u, 2u, 3u};
extern "C" __global__ void byte_table_32(const unsigned char *__restrict__ a, unsigned *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    unsigned sum = ~0u;
    for (int j = 0; j < 4; j++)
    sum = byte_table_32_table[(sum ^ a[i * 4 + j]) & 255] ^ (sum >> 8);
    out[i] = sum;
}
