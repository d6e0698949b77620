/* A convolution whose weights are a table: in constant memory, in global memory, or in shared memory.  Written by scripts/device/write-generated. */

__constant__ float convolution_0_weights[21] = {0.1f, 0.2f, 0.3f};
extern "C" __global__ void convolution_0(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 1; h++)
    for (int v = 0; v < 3; v++)
    for (int u = 0; u < 7; u++)
    sum += convolution_0_weights[(h * 3 + v) * 7 + u] * a[(h * (ny + 2) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

__constant__ float convolution_2_weights[56] = {0.1f, 0.2f, 0.3f};
extern "C" __global__ void convolution_2(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 8; h++)
    #pragma unroll
    for (int v = 0; v < 1; v++)
    #pragma unroll
    for (int u = 0; u < 7; u++)
    sum += convolution_2_weights[(h * 1 + v) * 7 + u] * a[(h * (ny + 0) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_4(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    __shared__ float s[3];
    for (int w = threadIdx.x + 16 * threadIdx.y; w < 3; w += 256)
    s[w] = weights[w];
    __syncthreads();
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 1; h++)
    for (int v = 0; v < 1; v++)
    for (int u = 0; u < 3; u++)
    sum += s[(h * 1 + v) * 3 + u] * a[(h * (ny + 0) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_6(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 1; h++)
    for (int v = 0; v < 7; v++)
    for (int u = 0; u < 7; u++)
    sum += weights[(h * 7 + v) * 7 + u] * a[(h * (ny + 6) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_8(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 8; h++)
    #pragma unroll
    for (int v = 0; v < 1; v++)
    #pragma unroll
    for (int u = 0; u < 3; u++)
    sum += weights[(h * 1 + v) * 3 + u] * a[(h * (ny + 0) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_10(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    __shared__ float s[392];
    for (int w = threadIdx.x + 32 * threadIdx.y; w < 392; w += 256)
    s[w] = weights[w];
    __syncthreads();
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 8; h++)
    #pragma unroll
    for (int v = 0; v < 7; v++)
    #pragma unroll
    for (int u = 0; u < 7; u++)
    sum += s[(h * 7 + v) * 7 + u] * a[(h * (ny + 6) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_12(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 1 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 8; h++)
    for (int v = 0; v < 9; v++)
    for (int u = 0; u < 9; u++)
    sum += weights[(h * 9 + v) * 9 + u] * a[(h * (ny + 8) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_14(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 1 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 1; h++)
    for (int v = 0; v < 7; v++)
    for (int u = 0; u < 9; u++)
    sum += weights[(h * 7 + v) * 9 + u] * a[(h * (ny + 6) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_16(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 1; h++)
    for (int v = 0; v < 7; v++)
    for (int u = 0; u < 3; u++)
    sum += weights[(h * 7 + v) * 3 + u] * a[(h * (ny + 6) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

__constant__ float convolution_18_weights[168] = {0.1f, 0.2f, 0.3f};
extern "C" __global__ void convolution_18(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch)
{
    int x = blockIdx.x * 13 + threadIdx.x, y = blockIdx.y * 7 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 8; h++)
    #pragma unroll
    for (int v = 0; v < 7; v++)
    #pragma unroll
    for (int u = 0; u < 3; u++)
    sum += convolution_18_weights[(h * 7 + v) * 3 + u] * a[(h * (ny + 6) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_20(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    __shared__ float s[27];
    for (int w = threadIdx.x + 32 * threadIdx.y; w < 27; w += 256)
    s[w] = weights[w];
    __syncthreads();
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 1; h++)
    #pragma unroll
    for (int v = 0; v < 9; v++)
    #pragma unroll
    for (int u = 0; u < 3; u++)
    sum += s[(h * 9 + v) * 3 + u] * a[(h * (ny + 8) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_22(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 3; h++)
    for (int v = 0; v < 3; v++)
    for (int u = 0; u < 7; u++)
    sum += weights[(h * 3 + v) * 7 + u] * a[(h * (ny + 2) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_24(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    __shared__ float s[45];
    for (int w = threadIdx.x + 128 * threadIdx.y; w < 45; w += 128)
    s[w] = weights[w];
    __syncthreads();
    int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 1 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 1; h++)
    #pragma unroll
    for (int v = 0; v < 5; v++)
    #pragma unroll
    for (int u = 0; u < 9; u++)
    sum += s[(h * 5 + v) * 9 + u] * a[(h * (ny + 4) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

__constant__ float convolution_26_weights[35] = {0.1f, 0.2f, 0.3f};
extern "C" __global__ void convolution_26(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch)
{
    int x = blockIdx.x * 13 + threadIdx.x, y = blockIdx.y * 7 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 1; h++)
    #pragma unroll
    for (int v = 0; v < 7; v++)
    #pragma unroll
    for (int u = 0; u < 5; u++)
    sum += convolution_26_weights[(h * 7 + v) * 5 + u] * a[(h * (ny + 6) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_28(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    __shared__ float s[40];
    for (int w = threadIdx.x + 32 * threadIdx.y; w < 40; w += 256)
    s[w] = weights[w];
    __syncthreads();
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 8; h++)
    #pragma unroll
    for (int v = 0; v < 1; v++)
    #pragma unroll
    for (int u = 0; u < 5; u++)
    sum += s[(h * 1 + v) * 5 + u] * a[(h * (ny + 0) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_30(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    __shared__ float s[216];
    for (int w = threadIdx.x + 13 * threadIdx.y; w < 216; w += 91)
    s[w] = weights[w];
    __syncthreads();
    int x = blockIdx.x * 13 + threadIdx.x, y = blockIdx.y * 7 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 8; h++)
    #pragma unroll
    for (int v = 0; v < 3; v++)
    #pragma unroll
    for (int u = 0; u < 9; u++)
    sum += s[(h * 3 + v) * 9 + u] * a[(h * (ny + 2) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_32(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    __shared__ float s[45];
    for (int w = threadIdx.x + 32 * threadIdx.y; w < 45; w += 256)
    s[w] = weights[w];
    __syncthreads();
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 3; h++)
    #pragma unroll
    for (int v = 0; v < 5; v++)
    #pragma unroll
    for (int u = 0; u < 3; u++)
    sum += s[(h * 5 + v) * 3 + u] * a[(h * (ny + 4) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}
