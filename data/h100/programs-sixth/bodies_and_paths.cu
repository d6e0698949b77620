/* Bodies that attract each other, and prices that end at a barrier. */

struct alignas(16) Body {
    double x, y, z, w;
};

/* All pairs in double precision, sources by tiles of a block. */
template <int TILE> __device__ __forceinline__ void attract(const Body *tile, const Body &me, double softening, double &ax, double &ay, double &az)
{
#pragma unroll 4
    for (int j = 0; j < TILE; j++) {
        const double dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
        const double r2 = dx * dx + dy * dy + dz * dz + softening, inverse = rsqrt(r2), pull = tile[j].w * inverse * inverse * inverse;
        ax += dx * pull;
        ay += dy * pull;
        az += dz * pull;
    }
}

extern "C" __global__ void __launch_bounds__(64) gravity_tiles(const Body *__restrict__ bodies, double *__restrict__ acceleration, int n, double softening)
{
    __shared__ Body tile[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    const Body me = bodies[i < n ? i : n - 1];
    double ax = 0, ay = 0, az = 0;
    for (int start = 0; start < n; start += 64) {
        const int j = start + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : Body{0, 0, 0, 0};
        __syncthreads();
        attract<64>(tile, me, softening, ax, ay, az);
        __syncthreads();
    }
    if (i < n) {
        acceleration[3 * i] = ax;
        acceleration[3 * i + 1] = ay;
        acceleration[3 * i + 2] = az;
    }
}

struct Xorshift {
    unsigned x, y, z, w;
    __device__ __forceinline__ unsigned next()
    {
        unsigned t = x ^ (x << 11);
        x = y;
        y = z;
        z = w;
        return w = w ^ (w >> 19) ^ t ^ (t >> 8);
    }
    __device__ __forceinline__ float uniform() { return (next() + 1.0f) * 2.3283064e-10f; }
};

/* A thread some paths, each with its mirror image; a path that touches the barrier is worth nothing. */
extern "C" __global__ void __launch_bounds__(128) barrier_paths(const uint4 *__restrict__ seeds, float *__restrict__ values, int paths, int steps, float drift, float volatility,
    float start, float strike, float barrier)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= paths)
        return;
    const uint4 seed = seeds[i];
    Xorshift random = {seed.x | 1u, seed.y, seed.z, seed.w};
    float up = start, down = start, alive_up = 1.0f, alive_down = 1.0f;
    for (int s = 0; s < steps; s += 2) {
        const float radius = sqrtf(-2.0f * __logf(random.uniform())), angle = 6.2831853f * random.uniform();
        float normal[2];
        __sincosf(angle, &normal[1], &normal[0]);
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const float change = volatility * radius * normal[k];
            up *= __expf(drift + change);
            down *= __expf(drift - change);
            alive_up = up > barrier ? 0.0f : alive_up;
            alive_down = down > barrier ? 0.0f : alive_down;
        }
    }
    values[i] = 0.5f * (alive_up * fmaxf(up - strike, 0.0f) + alive_down * fmaxf(down - strike, 0.0f));
}
