/* Stencils in two and three dimensions on rows of any pitch, blocks of any shape.  Written by scripts/device/write-generated. */

extern "C" __global__ void stencil_1(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 16 + threadIdx.x + 2, y = blockIdx.y * 16 + threadIdx.y + 2;
    if (x >= nx - 2 || y >= ny - 2)
    return;
    int z = blockIdx.z + 2;
    float sum = 0;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + 0] * 0.75f;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + -2] * 1.25f;
    sum += a[((z + 0) * ny + y + -2) * pitch + x + 0] * 1.5f;
    sum += a[((z + -2) * ny + y + 0) * pitch + x + 0] * 0.25f;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + -1] * 1.25f;
    sum += a[((z + 0) * ny + y + -1) * pitch + x + 0] * 1.5f;
    sum += a[((z + -1) * ny + y + 0) * pitch + x + 0] * 1.5f;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + 1] * 0.75f;
    sum += a[((z + 0) * ny + y + 1) * pitch + x + 0] * 1.5f;
    sum += a[((z + 1) * ny + y + 0) * pitch + x + 0] * 0.5f;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + 2] * 1.25f;
    sum += a[((z + 0) * ny + y + 2) * pitch + x + 0] * 0.75f;
    sum += a[((z + 2) * ny + y + 0) * pitch + x + 0] * 1.25f;
    b[((z + 0) * ny + y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_3(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 128 + threadIdx.x + 2, y = blockIdx.y * 1 + threadIdx.y + 2;
    if (x >= nx - 2 || y >= ny - 2)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 1.5f;
    sum += a[(y + 0) * pitch + x + -2] * 1.5f;
    sum += a[(y + -2) * pitch + x + 0] * 1.25f;
    sum += a[(y + 0) * pitch + x + -1] * 1.25f;
    sum += a[(y + -1) * pitch + x + 0] * 0.75f;
    sum += a[(y + 0) * pitch + x + 1] * 0.75f;
    sum += a[(y + 1) * pitch + x + 0] * 0.25f;
    sum += a[(y + 0) * pitch + x + 2] * 0.5f;
    sum += a[(y + 2) * pitch + x + 0] * 0.5f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_5(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 64 + threadIdx.x + 3, y = blockIdx.y * 2 + threadIdx.y + 3;
    if (x >= nx - 3 || y >= ny - 3)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 1.25f;
    sum += a[(y + 0) * pitch + x + -3] * 0.5f;
    sum += a[(y + -3) * pitch + x + 0] * 1.25f;
    sum += a[(y + 0) * pitch + x + -2] * 0.5f;
    sum += a[(y + -2) * pitch + x + 0] * 1.25f;
    sum += a[(y + 0) * pitch + x + -1] * 0.75f;
    sum += a[(y + -1) * pitch + x + 0] * 1.25f;
    sum += a[(y + 0) * pitch + x + 1] * 0.5f;
    sum += a[(y + 1) * pitch + x + 0] * 0.75f;
    sum += a[(y + 0) * pitch + x + 2] * 0.75f;
    sum += a[(y + 2) * pitch + x + 0] * 0.5f;
    sum += a[(y + 0) * pitch + x + 3] * 0.25f;
    sum += a[(y + 3) * pitch + x + 0] * 0.25f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_7(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 64 + threadIdx.x + 2, y = blockIdx.y * 2 + threadIdx.y + 2;
    if (x >= nx - 2 || y >= ny - 2)
    return;
    for (int z = 2; z < nz - 2; z++) {
        float sum = 0;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 0] * 0.5f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + -2] * 1.5f;
        sum += a[((z + 0) * ny + y + -2) * pitch + x + 0] * 0.25f;
        sum += a[((z + -2) * ny + y + 0) * pitch + x + 0] * 0.5f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + -1] * 1.5f;
        sum += a[((z + 0) * ny + y + -1) * pitch + x + 0] * 1.5f;
        sum += a[((z + -1) * ny + y + 0) * pitch + x + 0] * 0.75f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 1] * 1.25f;
        sum += a[((z + 0) * ny + y + 1) * pitch + x + 0] * 0.5f;
        sum += a[((z + 1) * ny + y + 0) * pitch + x + 0] * 0.5f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 2] * 0.25f;
        sum += a[((z + 0) * ny + y + 2) * pitch + x + 0] * 1.5f;
        sum += a[((z + 2) * ny + y + 0) * pitch + x + 0] * 1.5f;
        b[((z + 0) * ny + y + 0) * pitch + x + 0] = sum;
    }
}

extern "C" __global__ void stencil_9(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 10 + threadIdx.x + 2, y = blockIdx.y * 10 + threadIdx.y + 2;
    if (x >= nx - 2 || y >= ny - 2)
    return;
    for (int z = 2; z < nz - 2; z++) {
        float sum = 0;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 0] * 0.25f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + -2] * 1.25f;
        sum += a[((z + 0) * ny + y + -2) * pitch + x + 0] * 1.25f;
        sum += a[((z + -2) * ny + y + 0) * pitch + x + 0] * 1.5f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + -1] * 1.5f;
        sum += a[((z + 0) * ny + y + -1) * pitch + x + 0] * 1.25f;
        sum += a[((z + -1) * ny + y + 0) * pitch + x + 0] * 0.75f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 1] * 0.5f;
        sum += a[((z + 0) * ny + y + 1) * pitch + x + 0] * 0.5f;
        sum += a[((z + 1) * ny + y + 0) * pitch + x + 0] * 0.5f;
        sum += a[((z + 0) * ny + y + 0) * pitch + x + 2] * 1.5f;
        sum += a[((z + 0) * ny + y + 2) * pitch + x + 0] * 0.75f;
        sum += a[((z + 2) * ny + y + 0) * pitch + x + 0] * 0.25f;
        b[((z + 0) * ny + y + 0) * pitch + x + 0] = sum;
    }
}

extern "C" __global__ void stencil_11(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 128 + threadIdx.x + 2, y = blockIdx.y * 1 + threadIdx.y + 2;
    if (x >= nx - 2 || y >= ny - 2)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 0.25f;
    sum += a[(y + 0) * pitch + x + -2] * 1.5f;
    sum += a[(y + -2) * pitch + x + 0] * 1.25f;
    sum += a[(y + 0) * pitch + x + -1] * 0.5f;
    sum += a[(y + -1) * pitch + x + 0] * 1.25f;
    sum += a[(y + 0) * pitch + x + 1] * 1.5f;
    sum += a[(y + 1) * pitch + x + 0] * 0.5f;
    sum += a[(y + 0) * pitch + x + 2] * 0.75f;
    sum += a[(y + 2) * pitch + x + 0] * 1.5f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_13(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 64 + threadIdx.x + 3, y = blockIdx.y * 2 + threadIdx.y + 3;
    if (x >= nx - 3 || y >= ny - 3)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 0.5f;
    sum += a[(y + 0) * pitch + x + -3] * 1.5f;
    sum += a[(y + -3) * pitch + x + 0] * 0.25f;
    sum += a[(y + 0) * pitch + x + -2] * 1.5f;
    sum += a[(y + -2) * pitch + x + 0] * 1.25f;
    sum += a[(y + 0) * pitch + x + -1] * 0.75f;
    sum += a[(y + -1) * pitch + x + 0] * 0.5f;
    sum += a[(y + 0) * pitch + x + 1] * 0.75f;
    sum += a[(y + 1) * pitch + x + 0] * 0.25f;
    sum += a[(y + 0) * pitch + x + 2] * 1.5f;
    sum += a[(y + 2) * pitch + x + 0] * 0.75f;
    sum += a[(y + 0) * pitch + x + 3] * 1.25f;
    sum += a[(y + 3) * pitch + x + 0] * 0.75f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_15(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 32 + threadIdx.x + 2, y = blockIdx.y * 4 + threadIdx.y + 2;
    if (x >= nx - 2 || y >= ny - 2)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 0.75f;
    sum += a[(y + 0) * pitch + x + -2] * 1.25f;
    sum += a[(y + -2) * pitch + x + 0] * 1.25f;
    sum += a[(y + 0) * pitch + x + -1] * 1.25f;
    sum += a[(y + -1) * pitch + x + 0] * 0.5f;
    sum += a[(y + 0) * pitch + x + 1] * 1.5f;
    sum += a[(y + 1) * pitch + x + 0] * 0.5f;
    sum += a[(y + 0) * pitch + x + 2] * 0.75f;
    sum += a[(y + 2) * pitch + x + 0] * 1.5f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_17(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 64 + threadIdx.x + 1, y = blockIdx.y * 2 + threadIdx.y + 1;
    if (x >= nx - 1 || y >= ny - 1)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 0.5f;
    sum += a[(y + 0) * pitch + x + -1] * 0.5f;
    sum += a[(y + -1) * pitch + x + 0] * 0.5f;
    sum += a[(y + 0) * pitch + x + 1] * 1.25f;
    sum += a[(y + 1) * pitch + x + 0] * 1.5f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_19(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 33 + threadIdx.x + 2, y = blockIdx.y * 3 + threadIdx.y + 2;
    if (x >= nx - 2 || y >= ny - 2)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 0.75f;
    sum += a[(y + 0) * pitch + x + -2] * 1.5f;
    sum += a[(y + -2) * pitch + x + 0] * 0.5f;
    sum += a[(y + -2) * pitch + x + -2] * 0.25f;
    sum += a[(y + 2) * pitch + x + -2] * 0.25f;
    sum += a[(y + 0) * pitch + x + -1] * 0.25f;
    sum += a[(y + -1) * pitch + x + 0] * 0.25f;
    sum += a[(y + -1) * pitch + x + -1] * 0.5f;
    sum += a[(y + 1) * pitch + x + -1] * 1.25f;
    sum += a[(y + 0) * pitch + x + 1] * 0.25f;
    sum += a[(y + 1) * pitch + x + 0] * 0.25f;
    sum += a[(y + 1) * pitch + x + 1] * 0.5f;
    sum += a[(y + -1) * pitch + x + 1] * 0.75f;
    sum += a[(y + 0) * pitch + x + 2] * 0.75f;
    sum += a[(y + 2) * pitch + x + 0] * 0.25f;
    sum += a[(y + 2) * pitch + x + 2] * 0.75f;
    sum += a[(y + -2) * pitch + x + 2] * 1.5f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_21(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 17 + threadIdx.x + 2, y = blockIdx.y * 5 + threadIdx.y + 2;
    if (x >= nx - 2 || y >= ny - 2)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 0.75f;
    sum += a[(y + 0) * pitch + x + -2] * 1.25f;
    sum += a[(y + -2) * pitch + x + 0] * 1.25f;
    sum += a[(y + 0) * pitch + x + -1] * 0.25f;
    sum += a[(y + -1) * pitch + x + 0] * 0.5f;
    sum += a[(y + 0) * pitch + x + 1] * 0.25f;
    sum += a[(y + 1) * pitch + x + 0] * 1.5f;
    sum += a[(y + 0) * pitch + x + 2] * 1.25f;
    sum += a[(y + 2) * pitch + x + 0] * 1.25f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_23(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 10 + threadIdx.x + 1, y = blockIdx.y * 10 + threadIdx.y + 1;
    if (x >= nx - 1 || y >= ny - 1)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 0.25f;
    sum += a[(y + 0) * pitch + x + -1] * 0.5f;
    sum += a[(y + -1) * pitch + x + 0] * 0.5f;
    sum += a[(y + 0) * pitch + x + 1] * 1.5f;
    sum += a[(y + 1) * pitch + x + 0] * 1.5f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_25(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 128 + threadIdx.x + 1, y = blockIdx.y * 1 + threadIdx.y + 1;
    if (x >= nx - 1 || y >= ny - 1)
    return;
    int z = blockIdx.z + 1;
    float sum = 0;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + 0] * 1.25f;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + -1] * 0.25f;
    sum += a[((z + 0) * ny + y + -1) * pitch + x + 0] * 1.25f;
    sum += a[((z + -1) * ny + y + 0) * pitch + x + 0] * 0.25f;
    sum += a[((z + 0) * ny + y + 0) * pitch + x + 1] * 1.25f;
    sum += a[((z + 0) * ny + y + 1) * pitch + x + 0] * 0.75f;
    sum += a[((z + 1) * ny + y + 0) * pitch + x + 0] * 0.5f;
    b[((z + 0) * ny + y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_27(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 17 + threadIdx.x + 2, y = blockIdx.y * 5 + threadIdx.y + 2;
    if (x >= nx - 2 || y >= ny - 2)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 0.25f;
    sum += a[(y + 0) * pitch + x + -2] * 0.75f;
    sum += a[(y + -2) * pitch + x + 0] * 0.25f;
    sum += a[(y + 0) * pitch + x + -1] * 1.25f;
    sum += a[(y + -1) * pitch + x + 0] * 1.5f;
    sum += a[(y + 0) * pitch + x + 1] * 1.25f;
    sum += a[(y + 1) * pitch + x + 0] * 0.5f;
    sum += a[(y + 0) * pitch + x + 2] * 1.25f;
    sum += a[(y + 2) * pitch + x + 0] * 0.75f;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_29(const double *__restrict__ a, double *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 32 + threadIdx.x + 3, y = blockIdx.y * 4 + threadIdx.y + 3;
    if (x >= nx - 3 || y >= ny - 3)
    return;
    double sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 1.25;
    sum += a[(y + 0) * pitch + x + -3] * 0.75;
    sum += a[(y + -3) * pitch + x + 0] * 1.5;
    sum += a[(y + 0) * pitch + x + -2] * 0.75;
    sum += a[(y + -2) * pitch + x + 0] * 1.25;
    sum += a[(y + 0) * pitch + x + -1] * 0.75;
    sum += a[(y + -1) * pitch + x + 0] * 0.25;
    sum += a[(y + 0) * pitch + x + 1] * 1.5;
    sum += a[(y + 1) * pitch + x + 0] * 1.5;
    sum += a[(y + 0) * pitch + x + 2] * 1.5;
    sum += a[(y + 2) * pitch + x + 0] * 0.5;
    sum += a[(y + 0) * pitch + x + 3] * 1.5;
    sum += a[(y + 3) * pitch + x + 0] * 0.5;
    b[(y + 0) * pitch + x + 0] = sum;
}

extern "C" __global__ void stencil_31(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz, int pitch)
{
    int x = blockIdx.x * 16 + threadIdx.x + 3, y = blockIdx.y * 16 + threadIdx.y + 3;
    if (x >= nx - 3 || y >= ny - 3)
    return;
    float sum = 0;
    sum += a[(y + 0) * pitch + x + 0] * 0.75f;
    sum += a[(y + 0) * pitch + x + -3] * 1.5f;
    sum += a[(y + -3) * pitch + x + 0] * 0.25f;
    sum += a[(y + -3) * pitch + x + -3] * 0.75f;
    sum += a[(y + 3) * pitch + x + -3] * 1.25f;
    sum += a[(y + 0) * pitch + x + -2] * 1.5f;
    sum += a[(y + -2) * pitch + x + 0] * 0.25f;
    sum += a[(y + -2) * pitch + x + -2] * 0.75f;
    sum += a[(y + 2) * pitch + x + -2] * 1.5f;
    sum += a[(y + 0) * pitch + x + -1] * 0.5f;
    sum += a[(y + -1) * pitch + x + 0] * 1.5f;
    sum += a[(y + -1) * pitch + x + -1] * 0.75f;
    sum += a[(y + 1) * pitch + x + -1] * 1.5f;
    sum += a[(y + 0) * pitch + x + 1] * 0.5f;
    sum += a[(y + 1) * pitch + x + 0] * 0.75f;
    sum += a[(y + 1) * pitch + x + 1] * 0.5f;
    sum += a[(y + -1) * pitch + x + 1] * 0.75f;
    sum += a[(y + 0) * pitch + x + 2] * 1.25f;
    sum += a[(y + 2) * pitch + x + 0] * 0.25f;
    sum += a[(y + 2) * pitch + x + 2] * 0.25f;
    sum += a[(y + -2) * pitch + x + 2] * 0.25f;
    sum += a[(y + 0) * pitch + x + 3] * 0.25f;
    sum += a[(y + 3) * pitch + x + 0] * 1.25f;
    sum += a[(y + 3) * pitch + x + 3] * 0.75f;
    sum += a[(y + -3) * pitch + x + 3] * 1.25f;
    b[(y + 0) * pitch + x + 0] = sum;
}
