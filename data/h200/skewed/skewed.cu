/* Arrays that go through tiles of SIDE x SIDE, SIDE / 4 rows of a block's threads at a time: transposed (turn: blocks
   follow the rows that are read; turn_down: those that are written), and copied by blocks one below the other (down). */
#define TILES(NAME, T, SIDE)                                                                                           \
    __device__ __forceinline__ void turn_##NAME##_at(const T *in, T *out, int nx, int ny, int x, int y)                \
    {                                                                                                                  \
        __shared__ T tile[SIDE][SIDE + 1];                                                                             \
        for (int r = threadIdx.y; r < SIDE; r += SIDE / 4)                                                             \
            tile[r][threadIdx.x] = in[(size_t)(y + r) * nx + x + threadIdx.x];                                         \
        __syncthreads();                                                                                               \
        for (int r = threadIdx.y; r < SIDE; r += SIDE / 4)                                                             \
            out[(size_t)(x + r) * ny + y + threadIdx.x] = tile[threadIdx.x][r];                                        \
    }                                                                                                                  \
    extern "C" __global__ void turn_##NAME(const T *__restrict__ in, T *__restrict__ out, int nx, int ny)              \
    {                                                                                                                  \
        turn_##NAME##_at(in, out, nx, ny, blockIdx.x * SIDE, blockIdx.y * SIDE);                                       \
    }                                                                                                                  \
    extern "C" __global__ void turn_down_##NAME(const T *__restrict__ in, T *__restrict__ out, int nx, int ny)         \
    {                                                                                                                  \
        turn_##NAME##_at(in, out, nx, ny, blockIdx.y * SIDE, blockIdx.x * SIDE);                                       \
    }                                                                                                                  \
    extern "C" __global__ void down_##NAME(const T *__restrict__ in, T *__restrict__ out, int nx, int ny)              \
    {                                                                                                                  \
        const int x = blockIdx.y * SIDE, y = blockIdx.x * SIDE;                                                        \
        for (int r = threadIdx.y; r < SIDE; r += SIDE / 4)                                                             \
            out[(size_t)(y + r) * nx + x + threadIdx.x] = in[(size_t)(y + r) * nx + x + threadIdx.x];                  \
    }

TILES(half, unsigned, 16)
TILES(single, unsigned, 32)
TILES(wide, unsigned long long, 32)
TILES(quad, ulonglong2, 32)
