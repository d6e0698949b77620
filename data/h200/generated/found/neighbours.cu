/* Values gathered through an index array: sorted, of neighbours, or at random; rows of one length or of lengths that an array gives.  Written by scripts/device/write-generated. */

extern "C" __global__ void neighbours_0(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = 0; j < 4; j++)
    sum += x[index[j * n + i]] * 0.25f;
    y[i] = sum;
}

extern "C" __global__ void neighbours_2(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}

extern "C" __global__ void neighbours_4(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}

extern "C" __global__ void neighbours_6(const int *__restrict__ index, const double *__restrict__ x, double *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}

extern "C" __global__ void neighbours_8(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}

extern "C" __global__ void neighbours_10(const int *__restrict__ index, const double *__restrict__ x, double *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}

extern "C" __global__ void neighbours_12(const int *__restrict__ index, const double *__restrict__ x, double *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}

extern "C" __global__ void neighbours_14(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = 0; j < 16; j++)
    sum += x[index[j * n + i]] * 1.25f;
    y[i] = sum;
}

extern "C" __global__ void neighbours_16(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    #pragma unroll 1
    for (int j = 0; j < 8; j++)
    sum += x[index[i * 8 + j]] * 1.5f;
    y[i] = sum;
}

extern "C" __global__ void neighbours_18(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}

extern "C" __global__ void neighbours_20(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}

extern "C" __global__ void neighbours_22(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}

extern "C" __global__ void neighbours_24(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}

extern "C" __global__ void neighbours_26(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}

extern "C" __global__ void neighbours_28(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = 0; j < 16; j++)
    sum += x[index[i * 16 + j]] * 0.25f;
    y[i] = sum;
}

extern "C" __global__ void neighbours_30(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}

extern "C" __global__ void neighbours_32(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}
