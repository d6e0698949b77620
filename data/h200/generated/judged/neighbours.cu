/* Values gathered through an index array: sorted, of neighbours, or at random; rows of one length or of lengths that an array gives.  Written by scripts/device/write-generated. */

extern "C" __global__ void neighbours_1(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}

extern "C" __global__ void neighbours_3(const int *__restrict__ index, const double *__restrict__ x, double *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}

extern "C" __global__ void neighbours_5(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    #pragma unroll 1
    for (int j = 0; j < 4; j++)
    sum += x[index[j * n + i]] * 0.5f;
    y[i] = sum;
}

extern "C" __global__ void neighbours_7(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    #pragma unroll 1
    for (int j = 0; j < 4; j++)
    sum += x[index[i * 4 + j]] * 1.25f;
    y[i] = sum;
}

extern "C" __global__ void neighbours_9(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = 0; j < 16; j++)
    sum += x[index[i * 16 + j]] * 1.5f;
    y[i] = sum;
}

extern "C" __global__ void neighbours_11(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = 0; j < 4; j++)
    sum += x[index[j * n + i]] * 1.25f;
    y[i] = sum;
}

extern "C" __global__ void neighbours_13(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = 0; j < 2; j++)
    sum += x[index[j * n + i]] * 0.5f;
    y[i] = sum;
}

extern "C" __global__ void neighbours_15(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    #pragma unroll 1
    for (int j = 0; j < 16; j++)
    sum += x[index[i * 16 + j]] * 1.25f;
    y[i] = sum;
}

extern "C" __global__ void neighbours_17(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    #pragma unroll 1
    for (int j = 0; j < 16; j++)
    sum += x[index[i * 16 + j]] * 1.25f;
    y[i] = sum;
}

extern "C" __global__ void neighbours_19(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}

extern "C" __global__ void neighbours_21(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = 0; j < 16; j++)
    sum += x[index[j * n + i]] * 1.5f;
    y[i] = sum;
}

extern "C" __global__ void neighbours_23(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    #pragma unroll 1
    for (int j = 0; j < 4; j++)
    sum += x[index[i * 4 + j]] * 1.5f;
    y[i] = sum;
}

extern "C" __global__ void neighbours_25(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    #pragma unroll 1
    for (int j = 0; j < 4; j++)
    sum += x[index[j * n + i]] * 0.75f;
    y[i] = sum;
}

extern "C" __global__ void neighbours_27(const int *__restrict__ index, const double *__restrict__ x, double *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    double sum = 0;
    for (int j = 0; j < 8; j++)
    sum += x[index[j * n + i]] * 1.5;
    y[i] = sum;
}

extern "C" __global__ void neighbours_29(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}

extern "C" __global__ void neighbours_31(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n, const int *__restrict__ start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int e = start[i]; e < start[i + 1]; e++)
    sum += x[index[e]];
    y[i] = sum;
}

extern "C" __global__ void neighbours_33(const int *__restrict__ index, const float *__restrict__ x, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int j = 0; j < 4; j++)
    sum += x[index[j * n + i]] * 1.25f;
    y[i] = sum;
}
