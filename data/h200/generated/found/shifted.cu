/* Addresses with one part that data decide: a delay of a channel, a column of an interpolation.  Written by scripts/device/write-generated. */

extern "C" __global__ void shifted_0(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    float place = shift[i] * 90.0f;
    int cell = (int)place;
    float part = place - cell;
    for (int h = 0; h < 4; h++)
    sum += a[h * pitch + cell] * (1.0f - part) + a[h * pitch + cell + 1] * part;
    out[i] = sum;
}

extern "C" __global__ void shifted_2(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    float place = shift[i] * 90.0f;
    int cell = (int)place;
    float part = place - cell;
    for (int h = 0; h < 4; h++)
    sum += a[h * pitch + cell] * (1.0f - part) + a[h * pitch + cell + 1] * part;
    out[i] = sum;
}

extern "C" __global__ void shifted_4(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 32; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_6(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    float place = shift[i] * 90.0f;
    int cell = (int)place;
    float part = place - cell;
    for (int h = 0; h < 4; h++)
    sum += a[h * pitch + cell] * (1.0f - part) + a[h * pitch + cell + 1] * part;
    out[i] = sum;
}

extern "C" __global__ void shifted_8(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 32; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_10(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 32; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_12(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 4; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_14(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    float place = shift[i] * 90.0f;
    int cell = (int)place;
    float part = place - cell;
    for (int h = 0; h < 32; h++)
    sum += a[h * pitch + cell] * (1.0f - part) + a[h * pitch + cell + 1] * part;
    out[i] = sum;
}

extern "C" __global__ void shifted_16(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 32; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_18(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 4; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_20(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 4; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_22(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    float place = shift[i] * 90.0f;
    int cell = (int)place;
    float part = place - cell;
    for (int h = 0; h < 32; h++)
    sum += a[h * pitch + cell] * (1.0f - part) + a[h * pitch + cell + 1] * part;
    out[i] = sum;
}

extern "C" __global__ void shifted_24(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    float place = shift[i] * 90.0f;
    int cell = (int)place;
    float part = place - cell;
    for (int h = 0; h < 4; h++)
    sum += a[h * pitch + cell] * (1.0f - part) + a[h * pitch + cell + 1] * part;
    out[i] = sum;
}

extern "C" __global__ void shifted_26(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    float place = shift[i] * 90.0f;
    int cell = (int)place;
    float part = place - cell;
    for (int h = 0; h < 32; h++)
    sum += a[h * pitch + cell] * (1.0f - part) + a[h * pitch + cell + 1] * part;
    out[i] = sum;
}

extern "C" __global__ void shifted_28(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 16; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_30(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 32; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_32(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 4; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}
