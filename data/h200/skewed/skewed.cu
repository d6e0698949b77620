/* Arrays that go through tiles: transposed (turn: blocks follow the rows that are read; turn_down: those that are
   written), and copied by blocks one below the other (down). */

extern "C" __global__ void turn_half(const unsigned *__restrict__ in, unsigned *__restrict__ out, int nx, int ny)
{
    __shared__ unsigned tile[16][16 + 1];
    const int x = blockIdx.x * 16, y = blockIdx.y * 16;
    for (int r = threadIdx.y; r < 16; r += 4)
        tile[r][threadIdx.x] = in[(size_t)(y + r) * nx + x + threadIdx.x];
    __syncthreads();
    for (int r = threadIdx.y; r < 16; r += 4)
        out[(size_t)(x + r) * ny + y + threadIdx.x] = tile[threadIdx.x][r];
}
extern "C" __global__ void turn_down_half(const unsigned *__restrict__ in, unsigned *__restrict__ out, int nx, int ny)
{
    __shared__ unsigned tile[16][16 + 1];
    const int x = blockIdx.y * 16, y = blockIdx.x * 16;
    for (int r = threadIdx.y; r < 16; r += 4)
        tile[r][threadIdx.x] = in[(size_t)(y + r) * nx + x + threadIdx.x];
    __syncthreads();
    for (int r = threadIdx.y; r < 16; r += 4)
        out[(size_t)(x + r) * ny + y + threadIdx.x] = tile[threadIdx.x][r];
}
extern "C" __global__ void down_half(const unsigned *__restrict__ in, unsigned *__restrict__ out, int nx, int ny)
{
    const int x = blockIdx.y * 16, y = blockIdx.x * 16;
    for (int r = threadIdx.y; r < 16; r += 4)
        out[(size_t)(y + r) * nx + x + threadIdx.x] = in[(size_t)(y + r) * nx + x + threadIdx.x];
}

extern "C" __global__ void turn_single(const unsigned *__restrict__ in, unsigned *__restrict__ out, int nx, int ny)
{
    __shared__ unsigned tile[32][32 + 1];
    const int x = blockIdx.x * 32, y = blockIdx.y * 32;
    for (int r = threadIdx.y; r < 32; r += 8)
        tile[r][threadIdx.x] = in[(size_t)(y + r) * nx + x + threadIdx.x];
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 8)
        out[(size_t)(x + r) * ny + y + threadIdx.x] = tile[threadIdx.x][r];
}
extern "C" __global__ void turn_down_single(const unsigned *__restrict__ in, unsigned *__restrict__ out, int nx, int ny)
{
    __shared__ unsigned tile[32][32 + 1];
    const int x = blockIdx.y * 32, y = blockIdx.x * 32;
    for (int r = threadIdx.y; r < 32; r += 8)
        tile[r][threadIdx.x] = in[(size_t)(y + r) * nx + x + threadIdx.x];
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 8)
        out[(size_t)(x + r) * ny + y + threadIdx.x] = tile[threadIdx.x][r];
}
extern "C" __global__ void down_single(const unsigned *__restrict__ in, unsigned *__restrict__ out, int nx, int ny)
{
    const int x = blockIdx.y * 32, y = blockIdx.x * 32;
    for (int r = threadIdx.y; r < 32; r += 8)
        out[(size_t)(y + r) * nx + x + threadIdx.x] = in[(size_t)(y + r) * nx + x + threadIdx.x];
}

extern "C" __global__ void turn_wide(const unsigned long long *__restrict__ in, unsigned long long *__restrict__ out, int nx, int ny)
{
    __shared__ unsigned long long tile[32][32 + 1];
    const int x = blockIdx.x * 32, y = blockIdx.y * 32;
    for (int r = threadIdx.y; r < 32; r += 8)
        tile[r][threadIdx.x] = in[(size_t)(y + r) * nx + x + threadIdx.x];
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 8)
        out[(size_t)(x + r) * ny + y + threadIdx.x] = tile[threadIdx.x][r];
}
extern "C" __global__ void turn_down_wide(const unsigned long long *__restrict__ in, unsigned long long *__restrict__ out, int nx, int ny)
{
    __shared__ unsigned long long tile[32][32 + 1];
    const int x = blockIdx.y * 32, y = blockIdx.x * 32;
    for (int r = threadIdx.y; r < 32; r += 8)
        tile[r][threadIdx.x] = in[(size_t)(y + r) * nx + x + threadIdx.x];
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 8)
        out[(size_t)(x + r) * ny + y + threadIdx.x] = tile[threadIdx.x][r];
}
extern "C" __global__ void down_wide(const unsigned long long *__restrict__ in, unsigned long long *__restrict__ out, int nx, int ny)
{
    const int x = blockIdx.y * 32, y = blockIdx.x * 32;
    for (int r = threadIdx.y; r < 32; r += 8)
        out[(size_t)(y + r) * nx + x + threadIdx.x] = in[(size_t)(y + r) * nx + x + threadIdx.x];
}

extern "C" __global__ void turn_quad(const ulonglong2 *__restrict__ in, ulonglong2 *__restrict__ out, int nx, int ny)
{
    __shared__ ulonglong2 tile[32][32 + 1];
    const int x = blockIdx.x * 32, y = blockIdx.y * 32;
    for (int r = threadIdx.y; r < 32; r += 8)
        tile[r][threadIdx.x] = in[(size_t)(y + r) * nx + x + threadIdx.x];
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 8)
        out[(size_t)(x + r) * ny + y + threadIdx.x] = tile[threadIdx.x][r];
}
extern "C" __global__ void turn_down_quad(const ulonglong2 *__restrict__ in, ulonglong2 *__restrict__ out, int nx, int ny)
{
    __shared__ ulonglong2 tile[32][32 + 1];
    const int x = blockIdx.y * 32, y = blockIdx.x * 32;
    for (int r = threadIdx.y; r < 32; r += 8)
        tile[r][threadIdx.x] = in[(size_t)(y + r) * nx + x + threadIdx.x];
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 8)
        out[(size_t)(x + r) * ny + y + threadIdx.x] = tile[threadIdx.x][r];
}
extern "C" __global__ void down_quad(const ulonglong2 *__restrict__ in, ulonglong2 *__restrict__ out, int nx, int ny)
{
    const int x = blockIdx.y * 32, y = blockIdx.x * 32;
    for (int r = threadIdx.y; r < 32; r += 8)
        out[(size_t)(y + r) * nx + x + threadIdx.x] = in[(size_t)(y + r) * nx + x + threadIdx.x];
}
