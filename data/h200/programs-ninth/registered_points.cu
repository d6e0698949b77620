/* Points and planes, rays and boxes; compiled by clang. */
struct Vec {
    float x, y, z;
    __device__ Vec(float a, float b, float c) : x(a), y(b), z(c) {}
    __device__ Vec operator-(const Vec &o) const { return Vec(x - o.x, y - o.y, z - o.z); }
    __device__ float dot(const Vec &o) const { return x * o.x + y * o.y + z * o.z; }
    __device__ Vec cross(const Vec &o) const { return Vec(y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x); }
};

/* Normal equations of the movement that lays points on planes: 27 sums over all points, one row of them a block. */
extern "C" __global__ void __launch_bounds__(256) icp_point_to_plane(const float4 *__restrict__ from, const float4 *__restrict__ to, const float4 *__restrict__ normals, float *__restrict__ sums, int n, float far2)
{
    float acc[27];
#pragma unroll
    for (int k = 0; k < 27; k++)
        acc[k] = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float4 p4 = from[i], q4 = to[i], n4 = normals[i];
        const Vec p(p4.x, p4.y, p4.z), q(q4.x, q4.y, q4.z), d(n4.x, n4.y, n4.z);
        const Vec apart = q - p;
        const float weight = apart.dot(apart) < far2 ? q4.w : 0.0f;
        const Vec turn = p.cross(d);
        const float row[6] = {turn.x, turn.y, turn.z, d.x, d.y, d.z}, right = apart.dot(d);
        int k = 0;
#pragma unroll
        for (int a = 0; a < 6; a++) {
#pragma unroll
            for (int b = a; b < 6; b++)
                acc[k++] += weight * row[a] * row[b];
            acc[21 + a] += weight * row[a] * right;
        }
    }
    __shared__ float parts[8][27];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
#pragma unroll
    for (int k = 0; k < 27; k++) {
        float v = acc[k];
#pragma unroll
        for (int o = 16; o > 0; o >>= 1)
            v += __shfl_down_sync(0xffffffffu, v, o);
        if (lane == 0)
            parts[warp][k] = v;
    }
    __syncthreads();
    if (threadIdx.x < 27) {
        float v = 0.0f;
        for (int w = 0; w < 8; w++)
            v += parts[w][threadIdx.x];
        sums[blockIdx.x * 27 + threadIdx.x] = v;
    }
}

/* How far each ray goes before it enters the nearest of all boxes, which lie in shared memory by 64. */
extern "C" __global__ void ray_slab_packet(const float *__restrict__ origins, const float *__restrict__ inverse, const float *__restrict__ boxes, float *__restrict__ enter, int rays, int count)
{
    __shared__ float box[6][64];
    const int ray = blockIdx.x * blockDim.x + threadIdx.x, r = ray < rays ? ray : rays - 1;
    const float ox = origins[r], oy = origins[rays + r], oz = origins[2 * rays + r];
    const float ix = inverse[r], iy = inverse[rays + r], iz = inverse[2 * rays + r];
    float nearest = 3.0e38f;
    for (int base = 0; base < count; base += 64) {
        for (int k = threadIdx.x; k < 6 * 64; k += blockDim.x)
            box[k / 64][k % 64] = base + k % 64 < count ? boxes[(k / 64) * count + base + k % 64] : -1.0e30f;
        __syncthreads();
#pragma unroll 4
        for (int b = 0; b < 64; b++) {
            const float ax = (box[0][b] - ox) * ix, bx = (box[3][b] - ox) * ix;
            const float ay = (box[1][b] - oy) * iy, by = (box[4][b] - oy) * iy;
            const float az = (box[2][b] - oz) * iz, bz = (box[5][b] - oz) * iz;
            const float in = fmaxf(fmaxf(fminf(ax, bx), fminf(ay, by)), fmaxf(fminf(az, bz), 0.0f));
            const float leave = fminf(fminf(fmaxf(ax, bx), fmaxf(ay, by)), fmaxf(az, bz));
            nearest = in <= leave && in < nearest ? in : nearest;
        }
        __syncthreads();
    }
    if (ray < rays)
        enter[ray] = nearest;
}
