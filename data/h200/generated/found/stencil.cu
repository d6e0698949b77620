/* Stencils in two and three dimensions on rows of any pitch, blocks of any shape.  Written by scripts/device/write-generated. */

extern "C" __global__ void stencil_0(const double *__restrict__ a, double *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 10 + threadIdx.x + 2, y = blockIdx.y * 10 + threadIdx.y + 2;
    if (x >= nx - 2 || y >= ny - 2)
    return;
    for (int z = 2; z < nz - 2; z++) {
        double sum = 0;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 0] * 0.5;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + -2] * 1.25;
        sum += a[((z + 0) * ny + y + -2) * pitch + x + 0] * 1.5;
        sum += a[((z + -2) * ny + y + 0) * pitch + x + 0] * 0.75;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + -1] * 1.25;
        sum += a[((z + 0) * ny + y + -1) * pitch + x + 0] * 0.75;
        sum += a[((z + -1) * ny + y + 0) * pitch + x + 0] * 0.25;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 1] * 0.25;
        sum += a[((z + 0) * ny + y + 1) * pitch + x + 0] * 0.5;
        sum += a[((z + 1) * ny + y + 0) * pitch + x + 0] * 0.75;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 2] * 0.75;
        sum += a[((z + 0) * ny + y + 2) * pitch + x + 0] * 0.25;
        sum += a[((z + 2) * ny + y + 0) * pitch + x + 0] * 0.25;
        b[((z + 0) * ny + y + 0) * pitch + x + 0] = sum;
    }
}

extern "C" __global__ void stencil_2(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 10 + threadIdx.x + 3, y = blockIdx.y * 10 + threadIdx.y + 3;
    if (x >= nx - 3 || y >= ny - 3)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 0.25f;
    sum += a[(y + 0) * pitch + x + -3] * 1.25f;
    sum += a[(y + -3) * pitch + x + 0] * 0.25f;
    sum += a[(y + 0) * pitch + x + -2] * 1.25f;
    sum += a[(y + -2) * pitch + x + 0] * 0.5f;
    sum += a[(y + 0) * pitch + x + -1] * 1.5f;
    sum += a[(y + -1) * pitch + x + 0] * 0.25f;
    sum += a[(y + 0) * pitch + x + 1] * 0.25f;
    sum += a[(y + 1) * pitch + x + 0] * 0.25f;
    sum += a[(y + 0) * pitch + x + 2] * 0.25f;
    sum += a[(y + 2) * pitch + x + 0] * 0.5f;
    sum += a[(y + 0) * pitch + x + 3] * 0.25f;
    sum += a[(y + 3) * pitch + x + 0] * 0.75f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_4(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 4 + threadIdx.y + 1;
    if (x >= nx - 1 || y >= ny - 1)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 0.25f;
    sum += a[(y + 0) * pitch + x + -1] * 1.25f;
    sum += a[(y + -1) * pitch + x + 0] * 0.75f;
    sum += a[(y + 0) * pitch + x + 1] * 0.25f;
    sum += a[(y + 1) * pitch + x + 0] * 1.25f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_6(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 64 + threadIdx.x + 2, y = blockIdx.y * 2 + threadIdx.y + 2;
    if (x >= nx - 2 || y >= ny - 2)
    return;
    for (int z = 2; z < nz - 2; z++) {
        float sum = 0;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 0] * 0.5f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + -2] * 1.25f;
        sum += a[((z + 0) * ny + y + -2) * pitch + x + 0] * 0.5f;
        sum += a[((z + -2) * ny + y + 0) * pitch + x + 0] * 0.25f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + -1] * 0.25f;
        sum += a[((z + 0) * ny + y + -1) * pitch + x + 0] * 0.25f;
        sum += a[((z + -1) * ny + y + 0) * pitch + x + 0] * 1.25f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 1] * 1.5f;
        sum += a[((z + 0) * ny + y + 1) * pitch + x + 0] * 1.25f;
        sum += a[((z + 1) * ny + y + 0) * pitch + x + 0] * 1.5f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 2] * 0.25f;
        sum += a[((z + 0) * ny + y + 2) * pitch + x + 0] * 1.5f;
        sum += a[((z + 2) * ny + y + 0) * pitch + x + 0] * 0.5f;
        b[((z + 0) * ny + y + 0) * pitch + x + 0] = sum;
    }
}

extern "C" __global__ void stencil_8(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 32 + threadIdx.x + 2, y = blockIdx.y * 4 + threadIdx.y + 2;
    if (x >= nx - 2 || y >= ny - 2)
    return;
    for (int z = 2; z < nz - 2; z++) {
        float sum = 0;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 0] * 0.25f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + -2] * 1.25f;
        sum += a[((z + 0) * ny + y + -2) * pitch + x + 0] * 0.5f;
        sum += a[((z + -2) * ny + y + 0) * pitch + x + 0] * 0.75f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + -1] * 0.75f;
        sum += a[((z + 0) * ny + y + -1) * pitch + x + 0] * 0.5f;
        sum += a[((z + -1) * ny + y + 0) * pitch + x + 0] * 1.5f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 1] * 0.5f;
        sum += a[((z + 0) * ny + y + 1) * pitch + x + 0] * 0.25f;
        sum += a[((z + 1) * ny + y + 0) * pitch + x + 0] * 0.5f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 2] * 0.75f;
        sum += a[((z + 0) * ny + y + 2) * pitch + x + 0] * 1.25f;
        sum += a[((z + 2) * ny + y + 0) * pitch + x + 0] * 1.5f;
        b[((z + 0) * ny + y + 0) * pitch + x + 0] = sum;
    }
}

extern "C" __global__ void stencil_10(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 128 + threadIdx.x + 3, y = blockIdx.y * 1 + threadIdx.y + 3;
    if (x >= nx - 3 || y >= ny - 3)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 1.25f;
    sum += a[(y + 0) * pitch + x + -3] * 0.5f;
    sum += a[(y + -3) * pitch + x + 0] * 1.25f;
    sum += a[(y + -3) * pitch + x + -3] * 1.25f;
    sum += a[(y + 3) * pitch + x + -3] * 0.5f;
    sum += a[(y + 0) * pitch + x + -2] * 0.5f;
    sum += a[(y + -2) * pitch + x + 0] * 1.25f;
    sum += a[(y + -2) * pitch + x + -2] * 1.25f;
    sum += a[(y + 2) * pitch + x + -2] * 0.5f;
    sum += a[(y + 0) * pitch + x + -1] * 1.5f;
    sum += a[(y + -1) * pitch + x + 0] * 0.25f;
    sum += a[(y + -1) * pitch + x + -1] * 0.75f;
    sum += a[(y + 1) * pitch + x + -1] * 1.5f;
    sum += a[(y + 0) * pitch + x + 1] * 0.5f;
    sum += a[(y + 1) * pitch + x + 0] * 0.75f;
    sum += a[(y + 1) * pitch + x + 1] * 1.25f;
    sum += a[(y + -1) * pitch + x + 1] * 1.25f;
    sum += a[(y + 0) * pitch + x + 2] * 1.5f;
    sum += a[(y + 2) * pitch + x + 0] * 1.5f;
    sum += a[(y + 2) * pitch + x + 2] * 1.5f;
    sum += a[(y + -2) * pitch + x + 2] * 1.25f;
    sum += a[(y + 0) * pitch + x + 3] * 0.5f;
    sum += a[(y + 3) * pitch + x + 0] * 1.5f;
    sum += a[(y + 3) * pitch + x + 3] * 0.75f;
    sum += a[(y + -3) * pitch + x + 3] * 1.25f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_12(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 8 + threadIdx.x + 2, y = blockIdx.y * 8 + threadIdx.y + 2;
    if (x >= nx - 2 || y >= ny - 2)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 0.25f;
    sum += a[(y + 0) * pitch + x + -2] * 0.5f;
    sum += a[(y + -2) * pitch + x + 0] * 0.25f;
    sum += a[(y + 0) * pitch + x + -1] * 0.75f;
    sum += a[(y + -1) * pitch + x + 0] * 0.25f;
    sum += a[(y + 0) * pitch + x + 1] * 1.25f;
    sum += a[(y + 1) * pitch + x + 0] * 0.75f;
    sum += a[(y + 0) * pitch + x + 2] * 0.75f;
    sum += a[(y + 2) * pitch + x + 0] * 0.25f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_14(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 32 + threadIdx.x + 3, y = blockIdx.y * 8 + threadIdx.y + 3;
    if (x >= nx - 3 || y >= ny - 3)
    return;
    for (int z = 3; z < nz - 3; z++) {
        float sum = 0;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 0] * 0.5f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + -3] * 1.25f;
        sum += a[((z + 0) * ny + y + -3) * pitch + x + 0] * 0.75f;
        sum += a[((z + -3) * ny + y + 0) * pitch + x + 0] * 0.5f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + -2] * 1.25f;
        sum += a[((z + 0) * ny + y + -2) * pitch + x + 0] * 0.5f;
        sum += a[((z + -2) * ny + y + 0) * pitch + x + 0] * 1.25f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + -1] * 0.5f;
        sum += a[((z + 0) * ny + y + -1) * pitch + x + 0] * 1.5f;
        sum += a[((z + -1) * ny + y + 0) * pitch + x + 0] * 1.25f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 1] * 0.75f;
        sum += a[((z + 0) * ny + y + 1) * pitch + x + 0] * 1.5f;
        sum += a[((z + 1) * ny + y + 0) * pitch + x + 0] * 0.75f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 2] * 0.25f;
        sum += a[((z + 0) * ny + y + 2) * pitch + x + 0] * 1.5f;
        sum += a[((z + 2) * ny + y + 0) * pitch + x + 0] * 1.5f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 3] * 0.5f;
        sum += a[((z + 0) * ny + y + 3) * pitch + x + 0] * 0.25f;
        sum += a[((z + 3) * ny + y + 0) * pitch + x + 0] * 0.25f;
        b[((z + 0) * ny + y + 0) * pitch + x + 0] = sum;
    }
}

extern "C" __global__ void stencil_16(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 17 + threadIdx.x + 2, y = blockIdx.y * 5 + threadIdx.y + 2;
    if (x >= nx - 2 || y >= ny - 2)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 0.5f;
    sum += a[(y + 0) * pitch + x + -2] * 0.25f;
    sum += a[(y + -2) * pitch + x + 0] * 0.5f;
    sum += a[(y + -2) * pitch + x + -2] * 0.5f;
    sum += a[(y + 2) * pitch + x + -2] * 1.25f;
    sum += a[(y + 0) * pitch + x + -1] * 1.5f;
    sum += a[(y + -1) * pitch + x + 0] * 0.5f;
    sum += a[(y + -1) * pitch + x + -1] * 1.5f;
    sum += a[(y + 1) * pitch + x + -1] * 1.25f;
    sum += a[(y + 0) * pitch + x + 1] * 0.5f;
    sum += a[(y + 1) * pitch + x + 0] * 1.5f;
    sum += a[(y + 1) * pitch + x + 1] * 0.25f;
    sum += a[(y + -1) * pitch + x + 1] * 0.75f;
    sum += a[(y + 0) * pitch + x + 2] * 1.25f;
    sum += a[(y + 2) * pitch + x + 0] * 0.25f;
    sum += a[(y + 2) * pitch + x + 2] * 0.75f;
    sum += a[(y + -2) * pitch + x + 2] * 1.25f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_18(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 17 + threadIdx.x + 3, y = blockIdx.y * 5 + threadIdx.y + 3;
    if (x >= nx - 3 || y >= ny - 3)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 0.75f;
    sum += a[(y + 0) * pitch + x + -3] * 0.25f;
    sum += a[(y + -3) * pitch + x + 0] * 1.25f;
    sum += a[(y + 0) * pitch + x + -2] * 0.5f;
    sum += a[(y + -2) * pitch + x + 0] * 0.5f;
    sum += a[(y + 0) * pitch + x + -1] * 0.75f;
    sum += a[(y + -1) * pitch + x + 0] * 0.5f;
    sum += a[(y + 0) * pitch + x + 1] * 0.5f;
    sum += a[(y + 1) * pitch + x + 0] * 1.25f;
    sum += a[(y + 0) * pitch + x + 2] * 0.75f;
    sum += a[(y + 2) * pitch + x + 0] * 0.75f;
    sum += a[(y + 0) * pitch + x + 3] * 1.25f;
    sum += a[(y + 3) * pitch + x + 0] * 0.5f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_20(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 8 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y + 1;
    if (x >= nx - 1 || y >= ny - 1)
    return;
    for (int z = 1; z < nz - 1; z++) {
        float sum = 0;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 0] * 0.5f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + -1] * 0.5f;
        sum += a[((z + 0) * ny + y + -1) * pitch + x + 0] * 1.25f;
        sum += a[((z + -1) * ny + y + 0) * pitch + x + 0] * 0.75f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 1] * 0.75f;
        sum += a[((z + 0) * ny + y + 1) * pitch + x + 0] * 0.25f;
        sum += a[((z + 1) * ny + y + 0) * pitch + x + 0] * 1.25f;
        b[((z + 0) * ny + y + 0) * pitch + x + 0] = sum;
    }
}

extern "C" __global__ void stencil_22(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 17 + threadIdx.x + 1, y = blockIdx.y * 5 + threadIdx.y + 1;
    if (x >= nx - 1 || y >= ny - 1)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 0.75f;
    sum += a[(y + 0) * pitch + x + -1] * 0.25f;
    sum += a[(y + -1) * pitch + x + 0] * 0.5f;
    sum += a[(y + 0) * pitch + x + 1] * 0.75f;
    sum += a[(y + 1) * pitch + x + 0] * 0.25f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_24(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 33 + threadIdx.x + 1, y = blockIdx.y * 3 + threadIdx.y + 1;
    if (x >= nx - 1 || y >= ny - 1)
    return;
    int z = blockIdx.z + 1;
    float sum = 0;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + 0] * 1.25f;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + -1] * 1.5f;
    sum += a[((z + 0) * ny + y + -1) * pitch + x + 0] * 1.25f;
    sum += a[((z + -1) * ny + y + 0) * pitch + x + 0] * 0.5f;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + 1] * 1.5f;
    sum += a[((z + 0) * ny + y + 1) * pitch + x + 0] * 1.5f;
    sum += a[((z + 1) * ny + y + 0) * pitch + x + 0] * 1.25f;
    b[((z + 0) * ny + y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_26(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 17 + threadIdx.x + 1, y = blockIdx.y * 5 + threadIdx.y + 1;
    if (x >= nx - 1 || y >= ny - 1)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 1.25f;
    sum += a[(y + 0) * pitch + x + -1] * 0.25f;
    sum += a[(y + -1) * pitch + x + 0] * 1.25f;
    sum += a[(y + -1) * pitch + x + -1] * 1.25f;
    sum += a[(y + 1) * pitch + x + -1] * 1.5f;
    sum += a[(y + 0) * pitch + x + 1] * 1.5f;
    sum += a[(y + 1) * pitch + x + 0] * 0.5f;
    sum += a[(y + 1) * pitch + x + 1] * 1.5f;
    sum += a[(y + -1) * pitch + x + 1] * 1.25f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_28(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 32 + threadIdx.x + 3, y = blockIdx.y * 4 + threadIdx.y + 3;
    if (x >= nx - 3 || y >= ny - 3)
    return;
    for (int z = 3; z < nz - 3; z++) {
        float sum = 0;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 0] * 0.5f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + -3] * 1.25f;
        sum += a[((z + 0) * ny + y + -3) * pitch + x + 0] * 1.5f;
        sum += a[((z + -3) * ny + y + 0) * pitch + x + 0] * 0.25f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + -2] * 1.5f;
        sum += a[((z + 0) * ny + y + -2) * pitch + x + 0] * 1.25f;
        sum += a[((z + -2) * ny + y + 0) * pitch + x + 0] * 1.5f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + -1] * 0.25f;
        sum += a[((z + 0) * ny + y + -1) * pitch + x + 0] * 1.5f;
        sum += a[((z + -1) * ny + y + 0) * pitch + x + 0] * 0.5f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 1] * 0.5f;
        sum += a[((z + 0) * ny + y + 1) * pitch + x + 0] * 1.5f;
        sum += a[((z + 1) * ny + y + 0) * pitch + x + 0] * 1.5f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 2] * 0.5f;
        sum += a[((z + 0) * ny + y + 2) * pitch + x + 0] * 1.25f;
        sum += a[((z + 2) * ny + y + 0) * pitch + x + 0] * 0.75f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 3] * 1.25f;
        sum += a[((z + 0) * ny + y + 3) * pitch + x + 0] * 0.75f;
        sum += a[((z + 3) * ny + y + 0) * pitch + x + 0] * 0.25f;
        b[((z + 0) * ny + y + 0) * pitch + x + 0] = sum;
    }
}

extern "C" __global__ void stencil_30(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 4 + threadIdx.y + 1;
    if (x >= nx - 1 || y >= ny - 1)
    return;
    int z = blockIdx.z + 1;
    float sum = 0;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + 0] * 0.25f;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + -1] * 0.5f;
    sum += a[((z + 0) * ny + y + -1) * pitch + x + 0] * 1.5f;
    sum += a[((z + -1) * ny + y + 0) * pitch + x + 0] * 0.75f;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + 1] * 0.5f;
    sum += a[((z + 0) * ny + y + 1) * pitch + x + 0] * 0.75f;
    sum += a[((z + 1) * ny + y + 0) * pitch + x + 0] * 0.25f;
    b[((z + 0) * ny + y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_32(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 128 + threadIdx.x + 2, y = blockIdx.y * 1 + threadIdx.y + 2;
    if (x >= nx - 2 || y >= ny - 2)
    return;
    int z = blockIdx.z + 2;
    float sum = 0;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + 0] * 1.25f;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + -2] * 1.5f;
    sum += a[((z + 0) * ny + y + -2) * pitch + x + 0] * 1.5f;
    sum += a[((z + -2) * ny + y + 0) * pitch + x + 0] * 1.5f;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + -1] * 0.25f;
    sum += a[((z + 0) * ny + y + -1) * pitch + x + 0] * 0.5f;
    sum += a[((z + -1) * ny + y + 0) * pitch + x + 0] * 0.5f;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + 1] * 1.5f;
    sum += a[((z + 0) * ny + y + 1) * pitch + x + 0] * 0.5f;
    sum += a[((z + 1) * ny + y + 0) * pitch + x + 0] * 0.25f;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + 2] * 1.5f;
    sum += a[((z + 0) * ny + y + 2) * pitch + x + 0] * 0.25f;
    sum += a[((z + 2) * ny + y + 0) * pitch + x + 0] * 0.25f;
    b[((z + 0) * ny + y + 0) * pitch + x + 0] = sum;
}
