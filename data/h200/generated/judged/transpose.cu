/* Transposed copies, through shared memory of odd and even rows or without it; rows of any pitch.  Written by scripts/device/write-generated. */

extern "C" __global__ void transpose_1(const double *__restrict__ a, double *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x & 31, ty = threadIdx.x / 32;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}

extern "C" __global__ void transpose_3(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}

extern "C" __global__ void transpose_5(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    __shared__ float s[32][33];
    for (int r = 0; r < 32; r += 8)
    if (x < nx && y + r < ny)
    s[ty + r][tx] = a[(y + r) * pitch + x];
    __syncthreads();
    x = blockIdx.y * 32 + tx;
    y = blockIdx.x * 32 + ty;
    for (int r = 0; r < 32; r += 8)
    if (x < ny && y + r < nx)
    b[(y + r) * ny + x] = s[tx][ty + r];
}

extern "C" __global__ void transpose_7(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    __shared__ float s[32][33];
    for (int r = 0; r < 32; r += 8)
    if (x < nx && y + r < ny)
    s[ty + r][tx] = a[(y + r) * pitch + x];
    __syncthreads();
    x = blockIdx.y * 32 + tx;
    y = blockIdx.x * 32 + ty;
    for (int r = 0; r < 32; r += 8)
    if (x < ny && y + r < nx)
    b[(y + r) * ny + x] = s[tx][ty + r];
}

extern "C" __global__ void transpose_9(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x & 15, ty = threadIdx.x / 16;
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    __shared__ float s[16][16];
    for (int r = 0; r < 16; r += 8)
    if (x < nx && y + r < ny)
    s[ty + r][tx] = a[(y + r) * pitch + x];
    __syncthreads();
    x = blockIdx.y * 16 + tx;
    y = blockIdx.x * 16 + ty;
    for (int r = 0; r < 16; r += 8)
    if (x < ny && y + r < nx)
    b[(y + r) * ny + x] = s[tx][ty + r];
}

extern "C" __global__ void transpose_11(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
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

extern "C" __global__ void transpose_13(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x & 15, ty = threadIdx.x / 16;
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}

extern "C" __global__ void transpose_15(const double *__restrict__ a, double *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}

extern "C" __global__ void transpose_17(const double *__restrict__ a, double *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    __shared__ double s[16][17];
    for (int r = 0; r < 16; r += 8)
    if (x < nx && y + r < ny)
    s[ty + r][tx] = a[(y + r) * pitch + x];
    __syncthreads();
    x = blockIdx.y * 16 + tx;
    y = blockIdx.x * 16 + ty;
    for (int r = 0; r < 16; r += 8)
    if (x < ny && y + r < nx)
    b[(y + r) * ny + x] = s[tx][ty + r];
}

extern "C" __global__ void transpose_19(const double *__restrict__ a, double *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    __shared__ double s[32][32];
    for (int r = 0; r < 32; r += 16)
    if (x < nx && y + r < ny)
    s[ty + r][tx] = a[(y + r) * pitch + x];
    __syncthreads();
    x = blockIdx.y * 32 + tx;
    y = blockIdx.x * 32 + ty;
    for (int r = 0; r < 32; r += 16)
    if (x < ny && y + r < nx)
    b[(y + r) * ny + x] = s[tx][ty + r];
}

extern "C" __global__ void transpose_21(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}

extern "C" __global__ void transpose_23(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x & 7, ty = threadIdx.x / 8;
    int x = blockIdx.x * 8 + tx, y = blockIdx.y * 8 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}

extern "C" __global__ void transpose_25(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x & 15, ty = threadIdx.x / 16;
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

extern "C" __global__ void transpose_27(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}

extern "C" __global__ void transpose_29(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    __shared__ float s[16][16];
    for (int r = 0; r < 16; r += 16)
    if (x < nx && y + r < ny)
    s[ty + r][tx] = a[(y + r) * pitch + x];
    __syncthreads();
    x = blockIdx.y * 16 + tx;
    y = blockIdx.x * 16 + ty;
    for (int r = 0; r < 16; r += 16)
    if (x < ny && y + r < nx)
    b[(y + r) * ny + x] = s[tx][ty + r];
}

extern "C" __global__ void transpose_31(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x & 31, ty = threadIdx.x / 32;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    __shared__ float s[32][33];
    for (int r = 0; r < 32; r += 8)
    if (x < nx && y + r < ny)
    s[ty + r][tx] = a[(y + r) * pitch + x];
    __syncthreads();
    x = blockIdx.y * 32 + tx;
    y = blockIdx.x * 32 + ty;
    for (int r = 0; r < 32; r += 8)
    if (x < ny && y + r < nx)
    b[(y + r) * ny + x] = s[tx][ty + r];
}

extern "C" __global__ void transpose_33(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    if (x < nx && y < ny)
    b[x * ny + y] = a[y * pitch + x];
}
