/* Filters of pictures. */

/* OpenCL's words, as in code that was ported. */
__device__ __forceinline__ int get_global_id(int d) { return d == 0 ? blockIdx.x * blockDim.x + threadIdx.x : blockIdx.y * blockDim.y + threadIdx.y; }
__device__ __forceinline__ int get_local_id(int d) { return d == 0 ? threadIdx.x : threadIdx.y; }
__device__ __forceinline__ int get_local_size(int d) { return d == 0 ? blockDim.x : blockDim.y; }
__device__ __forceinline__ int get_group_id(int d) { return d == 0 ? blockIdx.x : blockIdx.y; }
__device__ __forceinline__ int clamp(int x, int low, int high) { return min(max(x, low), high); }

/* A tile with its border in shared memory, whose size the host chooses. */
extern "C" __global__ void bilateral_tile(const float *__restrict__ in, float *__restrict__ out, int width, int height, int radius, float by_place, float by_value)
{
    extern __shared__ float tile[];
    const int lx = get_local_id(0), ly = get_local_id(1), sx = get_local_size(0), sy = get_local_size(1);
    const int pitch = sx + 2 * radius, rows = sy + 2 * radius;
    const int left = get_group_id(0) * sx - radius, top = get_group_id(1) * sy - radius;
    for (int y = ly; y < rows; y += sy)
        for (int x = lx; x < pitch; x += sx)
            tile[y * pitch + x] = in[clamp(top + y, 0, height - 1) * width + clamp(left + x, 0, width - 1)];
    __syncthreads();
    const float centre = tile[(ly + radius) * pitch + lx + radius];
    float sum = 0.0f, weights = 0.0f;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
            const float v = tile[(ly + radius + dy) * pitch + lx + radius + dx], d = v - centre;
            const float w = __expf(-(float)(dx * dx + dy * dy) * by_place - d * d * by_value);
            sum += w * v;
            weights += w;
        }
    const int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height)
        out[y * width + x] = sum / weights;
}

__device__ __forceinline__ void order(unsigned &a, unsigned &b)
{
    const unsigned least = __vminu4(a, b);
    b = __vmaxu4(a, b);
    a = least;
}

/* The median of nine for four bytes at once: a thread four pixels. */
extern "C" __global__ void median_bytes(const unsigned *__restrict__ in, unsigned *__restrict__ out, int words, int height)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= words || y >= height)
        return;
    unsigned p[9];
#pragma unroll
    for (int r = 0; r < 3; r++) {
        const unsigned *row = in + (size_t)clamp(y + r - 1, 0, height - 1) * words;
        const unsigned before = row[max(x - 1, 0)], here = row[x], after = row[min(x + 1, words - 1)];
        p[3 * r] = __byte_perm(before, here, 0x6543);
        p[3 * r + 1] = here;
        p[3 * r + 2] = __byte_perm(here, after, 0x4321);
    }
    order(p[1], p[2]), order(p[4], p[5]), order(p[7], p[8]), order(p[0], p[1]), order(p[3], p[4]), order(p[6], p[7]);
    order(p[1], p[2]), order(p[4], p[5]), order(p[7], p[8]), order(p[0], p[3]), order(p[5], p[8]), order(p[4], p[7]);
    order(p[3], p[6]), order(p[1], p[4]), order(p[2], p[5]), order(p[4], p[7]), order(p[4], p[2]), order(p[6], p[4]);
    order(p[4], p[2]);
    out[(size_t)y * words + x] = p[4];
}
