/* Transposed copies, through shared memory of odd and even rows or without it; rows of any pitch.  Written by scripts/device/write-generated. */

extern "C" __global__ void transpose_0(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 8 + tx, y = blockIdx.y * 8 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}

extern "C" __global__ void transpose_2(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x & 7, ty = threadIdx.x / 8;
    int x = blockIdx.x * 8 + tx, y = blockIdx.y * 8 + ty;
    __shared__ float s[8][8];
    for (int r = 0; r < 8; r += 8)
    if (x < nx && y + r < ny)
    s[ty + r][tx] = a[(y + r) * pitch + x];
    __syncthreads();
    x = blockIdx.y * 8 + tx;
    y = blockIdx.x * 8 + ty;
    for (int r = 0; r < 8; r += 8)
    if (x < ny && y + r < nx)
    b[(y + r) * ny + x] = s[tx][ty + r];
}

extern "C" __global__ void transpose_4(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    __shared__ float s[16][16];
    for (int r = 0; r < 16; r += 4)
    if (x < nx && y + r < ny)
    s[ty + r][tx] = a[(y + r) * pitch + x];
    __syncthreads();
    x = blockIdx.y * 16 + tx;
    y = blockIdx.x * 16 + ty;
    for (int r = 0; r < 16; r += 4)
    if (x < ny && y + r < nx)
    b[(y + r) * ny + x] = s[tx][ty + r];
}

extern "C" __global__ void transpose_6(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}

extern "C" __global__ void transpose_8(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}

extern "C" __global__ void transpose_10(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 8 + tx, y = blockIdx.y * 8 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}

extern "C" __global__ void transpose_12(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x & 15, ty = threadIdx.x / 16;
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}

extern "C" __global__ void transpose_14(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}

extern "C" __global__ void transpose_16(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    __shared__ float s[16][17];
    for (int r = 0; r < 16; r += 4)
    if (x < nx && y + r < ny)
    s[ty + r][tx] = a[(y + r) * pitch + x];
    __syncthreads();
    x = blockIdx.y * 16 + tx;
    y = blockIdx.x * 16 + ty;
    for (int r = 0; r < 16; r += 4)
    if (x < ny && y + r < nx)
    b[(y + r) * ny + x] = s[tx][ty + r];
}

extern "C" __global__ void transpose_18(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    __shared__ float s[32][32];
    for (int r = 0; r < 32; r += 32)
    if (x < nx && y + r < ny)
    s[ty + r][tx] = a[(y + r) * pitch + x];
    __syncthreads();
    x = blockIdx.y * 32 + tx;
    y = blockIdx.x * 32 + ty;
    for (int r = 0; r < 32; r += 32)
    if (x < ny && y + r < nx)
    b[(y + r) * ny + x] = s[tx][ty + r];
}

extern "C" __global__ void transpose_20(const double *__restrict__ a, double *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 8 + tx, y = blockIdx.y * 8 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}

extern "C" __global__ void transpose_22(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x & 7, ty = threadIdx.x / 8;
    int x = blockIdx.x * 8 + tx, y = blockIdx.y * 8 + ty;
    __shared__ float s[8][8];
    for (int r = 0; r < 8; r += 4)
    if (x < nx && y + r < ny)
    s[ty + r][tx] = a[(y + r) * pitch + x];
    __syncthreads();
    x = blockIdx.y * 8 + tx;
    y = blockIdx.x * 8 + ty;
    for (int r = 0; r < 8; r += 4)
    if (x < ny && y + r < nx)
    b[(y + r) * ny + x] = s[tx][ty + r];
}

extern "C" __global__ void transpose_24(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x & 31, ty = threadIdx.x / 32;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    __shared__ float s[32][32];
    for (int r = 0; r < 32; r += 32)
    if (x < nx && y + r < ny)
    s[ty + r][tx] = a[(y + r) * pitch + x];
    __syncthreads();
    x = blockIdx.y * 32 + tx;
    y = blockIdx.x * 32 + ty;
    for (int r = 0; r < 32; r += 32)
    if (x < ny && y + r < nx)
    b[(y + r) * ny + x] = s[tx][ty + r];
}

extern "C" __global__ void transpose_26(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 8 + tx, y = blockIdx.y * 8 + ty;
    __shared__ float s[8][8];
    for (int r = 0; r < 8; r += 2)
    if (x < nx && y + r < ny)
    s[ty + r][tx] = a[(y + r) * pitch + x];
    __syncthreads();
    x = blockIdx.y * 8 + tx;
    y = blockIdx.x * 8 + ty;
    for (int r = 0; r < 8; r += 2)
    if (x < ny && y + r < nx)
    b[(y + r) * ny + x] = s[tx][ty + r];
}

extern "C" __global__ void transpose_28(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}

extern "C" __global__ void transpose_30(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}

extern "C" __global__ void transpose_32(const double *__restrict__ a, double *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}
