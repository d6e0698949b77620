/* Surfaces in volumes, and waves of light above them. */
__constant__ unsigned char c_triangles[256] = {
    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 2, 1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 3, 1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 3, 2, 3, 3, 2, 3, 4, 4, 3, 3, 4, 4, 3, 4, 5, 5, 2,
    1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 3, 2, 3, 3, 4, 3, 4, 4, 5, 3, 4, 4, 5, 4, 5, 5, 4, 2, 3, 3, 4, 3, 4, 2, 3, 3, 4, 4, 5, 4, 5, 3, 2, 3, 4, 4, 3, 4, 5, 3, 2, 4, 5, 5, 4, 5, 2, 4, 1,
    1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 3, 2, 3, 3, 4, 3, 4, 4, 5, 3, 2, 4, 3, 4, 3, 5, 2, 2, 3, 3, 4, 3, 4, 4, 5, 3, 4, 4, 5, 4, 5, 5, 4, 3, 4, 4, 3, 4, 5, 5, 4, 4, 3, 5, 2, 5, 4, 2, 1,
    2, 3, 3, 4, 3, 4, 4, 5, 3, 4, 4, 5, 2, 3, 3, 2, 3, 4, 4, 5, 4, 5, 5, 2, 4, 3, 5, 4, 3, 2, 4, 1, 3, 4, 4, 5, 4, 5, 3, 4, 4, 5, 5, 2, 3, 4, 2, 1, 2, 3, 3, 2, 3, 4, 2, 1, 3, 2, 4, 1, 2, 1, 1, 0};

/* How many triangles each cell gives, and their sum in each block: x in a block, marching along z. */
extern "C" __global__ void __launch_bounds__(128) cubes_count(const float *__restrict__ volume, unsigned char *__restrict__ count, int *__restrict__ sums, int nx, int ny, int nz, float iso)
{
    __shared__ int parts[4];
    const int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y, z0 = blockIdx.z * 8;
    int total = 0;
    if (x < nx - 1) {
        const float *p = volume + ((size_t)z0 * ny + y) * nx + x;
        unsigned low = (p[0] < iso) | (p[1] < iso) << 1 | (p[nx + 1] < iso) << 2 | (p[nx] < iso) << 3;
        for (int z = z0; z < min(z0 + 8, nz - 1); z++) {
            p += (size_t)nx * ny;
            const unsigned high = (p[0] < iso) | (p[1] < iso) << 1 | (p[nx + 1] < iso) << 2 | (p[nx] < iso) << 3;
            const int n = c_triangles[low | high << 4];
            count[((size_t)z * (ny - 1) + y) * (nx - 1) + x] = n;
            total += n;
            low = high;
        }
    }
    total = __reduce_add_sync(0xffffffff, total);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = total;
    __syncthreads();
    if (threadIdx.x == 0)
        sums[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = parts[0] + parts[1] + parts[2] + parts[3];
}

#define WAVES 16

/* Heights and slopes of water as sums of waves, whose numbers are arguments of every point. */
extern "C" __global__ void sum_of_waves(float4 *__restrict__ out, const float4 *__restrict__ waves, int width, int height, float cell, float time)
{
    __shared__ float4 w[WAVES];
    const int id = threadIdx.y * blockDim.x + threadIdx.x;
    if (id < WAVES)
        w[id] = waves[id];
    __syncthreads();
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x) {
            float h = 0.0f, dx = 0.0f, dy = 0.0f;
#pragma unroll
            for (int k = 0; k < WAVES; k++) {
                float s, c;
                __sincosf(w[k].x * x * cell + w[k].y * y * cell - w[k].z * time, &s, &c);
                h += w[k].w * s;
                dx += w[k].w * w[k].x * c;
                dy += w[k].w * w[k].y * c;
            }
            const float n = rsqrtf(dx * dx + dy * dy + 1.0f);
            out[(size_t)y * width + x] = make_float4(h, -dx * n, -dy * n, n);
        }
}
