/* A convolution whose weights are a table: in constant memory, in global memory, or in shared memory.  Written by scripts/device/write-generated. */

extern "C" __global__ void convolution_1(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    __shared__ float s[21];
    for (int w = threadIdx.x + 32 * threadIdx.y; w < 21; w += 256)
    s[w] = weights[w];
    __syncthreads();
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 1; h++)
    for (int v = 0; v < 7; v++)
    for (int u = 0; u < 3; u++)
    sum += s[(h * 7 + v) * 3 + u] * a[(h * (ny + 6) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_3(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 1; h++)
    for (int v = 0; v < 9; v++)
    for (int u = 0; u < 5; u++)
    sum += weights[(h * 9 + v) * 5 + u] * a[(h * (ny + 8) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_5(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    __shared__ float s[49];
    for (int w = threadIdx.x + 64 * threadIdx.y; w < 49; w += 256)
    s[w] = weights[w];
    __syncthreads();
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 1; h++)
    #pragma unroll
    for (int v = 0; v < 7; v++)
    #pragma unroll
    for (int u = 0; u < 7; u++)
    sum += s[(h * 7 + v) * 7 + u] * a[(h * (ny + 6) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_7(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    __shared__ float s[9];
    for (int w = threadIdx.x + 32 * threadIdx.y; w < 9; w += 128)
    s[w] = weights[w];
    __syncthreads();
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 1; h++)
    for (int v = 0; v < 3; v++)
    for (int u = 0; u < 3; u++)
    sum += s[(h * 3 + v) * 3 + u] * a[(h * (ny + 2) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_9(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    __shared__ float s[24];
    for (int w = threadIdx.x + 128 * threadIdx.y; w < 24; w += 128)
    s[w] = weights[w];
    __syncthreads();
    int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 1 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 8; h++)
    #pragma unroll
    for (int v = 0; v < 1; v++)
    #pragma unroll
    for (int u = 0; u < 3; u++)
    sum += s[(h * 1 + v) * 3 + u] * a[(h * (ny + 0) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

__constant__ float convolution_11_weights[21] = {0.1f, 0.2f, 0.3f};
extern "C" __global__ void convolution_11(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 1; h++)
    #pragma unroll
    for (int v = 0; v < 3; v++)
    #pragma unroll
    for (int u = 0; u < 7; u++)
    sum += convolution_11_weights[(h * 3 + v) * 7 + u] * a[(h * (ny + 2) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_13(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 1 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 1; h++)
    #pragma unroll
    for (int v = 0; v < 1; v++)
    #pragma unroll
    for (int u = 0; u < 7; u++)
    sum += weights[(h * 1 + v) * 7 + u] * a[(h * (ny + 0) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_15(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 3; h++)
    #pragma unroll
    for (int v = 0; v < 9; v++)
    #pragma unroll
    for (int u = 0; u < 7; u++)
    sum += weights[(h * 9 + v) * 7 + u] * a[(h * (ny + 8) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_17(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 3; h++)
    for (int v = 0; v < 5; v++)
    for (int u = 0; u < 3; u++)
    sum += weights[(h * 5 + v) * 3 + u] * a[(h * (ny + 4) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

__constant__ float convolution_19_weights[105] = {0.1f, 0.2f, 0.3f};
extern "C" __global__ void convolution_19(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch)
{
    int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 1 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 3; h++)
    #pragma unroll
    for (int v = 0; v < 7; v++)
    #pragma unroll
    for (int u = 0; u < 5; u++)
    sum += convolution_19_weights[(h * 7 + v) * 5 + u] * a[(h * (ny + 6) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_21(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    __shared__ float s[120];
    for (int w = threadIdx.x + 16 * threadIdx.y; w < 120; w += 256)
    s[w] = weights[w];
    __syncthreads();
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 8; h++)
    for (int v = 0; v < 5; v++)
    for (int u = 0; u < 3; u++)
    sum += s[(h * 5 + v) * 3 + u] * a[(h * (ny + 4) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_23(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    __shared__ float s[147];
    for (int w = threadIdx.x + 32 * threadIdx.y; w < 147; w += 256)
    s[w] = weights[w];
    __syncthreads();
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 3; h++)
    #pragma unroll
    for (int v = 0; v < 7; v++)
    #pragma unroll
    for (int u = 0; u < 7; u++)
    sum += s[(h * 7 + v) * 7 + u] * a[(h * (ny + 6) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

__constant__ float convolution_25_weights[105] = {0.1f, 0.2f, 0.3f};
extern "C" __global__ void convolution_25(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch)
{
    int x = blockIdx.x * 17 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 3; h++)
    for (int v = 0; v < 7; v++)
    for (int u = 0; u < 5; u++)
    sum += convolution_25_weights[(h * 7 + v) * 5 + u] * a[(h * (ny + 6) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

__constant__ float convolution_27_weights[63] = {0.1f, 0.2f, 0.3f};
extern "C" __global__ void convolution_27(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 3; h++)
    #pragma unroll
    for (int v = 0; v < 7; v++)
    #pragma unroll
    for (int u = 0; u < 3; u++)
    sum += convolution_27_weights[(h * 7 + v) * 3 + u] * a[(h * (ny + 6) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

__constant__ float convolution_29_weights[105] = {0.1f, 0.2f, 0.3f};
extern "C" __global__ void convolution_29(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch)
{
    int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 1 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 3; h++)
    #pragma unroll
    for (int v = 0; v < 5; v++)
    #pragma unroll
    for (int u = 0; u < 7; u++)
    sum += convolution_29_weights[(h * 5 + v) * 7 + u] * a[(h * (ny + 4) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

__constant__ float convolution_31_weights[280] = {0.1f, 0.2f, 0.3f};
extern "C" __global__ void convolution_31(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch)
{
    int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 1 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 8; h++)
    for (int v = 0; v < 5; v++)
    for (int u = 0; u < 7; u++)
    sum += convolution_31_weights[(h * 5 + v) * 7 + u] * a[(h * (ny + 4) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}

extern "C" __global__ void convolution_33(const float *__restrict__ a, float *__restrict__ out, int nx, int ny, int pitch, const float *__restrict__ weights)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= nx || y >= ny)
    return;
    float sum = 0;
    for (int h = 0; h < 1; h++)
    for (int v = 0; v < 1; v++)
    for (int u = 0; u < 3; u++)
    sum += weights[(h * 1 + v) * 3 + u] * a[(h * (ny + 0) + y + v) * pitch + x + u];
    out[y * nx + x] = sum;
}
