/* Addresses with one part that data decide: a delay of a channel, a column of an interpolation.  Written by scripts/device/write-generated. */

extern "C" __global__ void shifted_1(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
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

extern "C" __global__ void shifted_3(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 32; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_5(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 16; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_7(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 4; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_9(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    float place = shift[i] * 90.0f;
    int cell = (int)place;
    float part = place - cell;
    for (int h = 0; h < 16; h++)
    sum += a[h * pitch + cell] * (1.0f - part) + a[h * pitch + cell + 1] * part;
    out[i] = sum;
}

extern "C" __global__ void shifted_11(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
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

extern "C" __global__ void shifted_13(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 4; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_15(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
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

extern "C" __global__ void shifted_17(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 32; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_19(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 16; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_21(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 32; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_23(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 32; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_25(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    for (int h = 0; h < 16; h++)
    sum += a[h * pitch + i + (int)(shift[h] * 100.0f)];
    out[i] = sum;
}

extern "C" __global__ void shifted_27(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
    return;
    float sum = 0;
    float place = shift[i] * 90.0f;
    int cell = (int)place;
    float part = place - cell;
    for (int h = 0; h < 16; h++)
    sum += a[h * pitch + cell] * (1.0f - part) + a[h * pitch + cell + 1] * part;
    out[i] = sum;
}

extern "C" __global__ void shifted_29(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
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

extern "C" __global__ void shifted_31(const float *__restrict__ a, const float *__restrict__ shift, float *__restrict__ out, int pitch, int n)
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
