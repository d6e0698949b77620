// Pictures: a field of distances that rays walk through, and ellipses blended front to back by tiles.

struct vec3 {
    float x, y, z;
    __device__ vec3(float a, float b, float c) : x(a), y(b), z(c) {}
    __device__ vec3 operator+(const vec3 &o) const { return {x + o.x, y + o.y, z + o.z}; }
    __device__ vec3 operator*(float s) const { return {x * s, y * s, z * s}; }
    __device__ float length() const { return sqrtf(x * x + y * y + z * z); }
};

// tori on a lattice above a plane
__device__ float scene(vec3 p)
{
    vec3 q(p.x - 4.f * floorf(p.x / 4.f + 0.5f), p.y - 1.f, p.z - 4.f * floorf(p.z / 4.f + 0.5f));
    float ring = sqrtf(q.x * q.x + q.z * q.z) - 1.f;
    return fminf(sqrtf(ring * ring + q.y * q.y) - 0.35f, p.y + 0.2f);
}

extern "C" __global__ void march_rays(float4 *image, int width, int height, float time)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;
    vec3 origin(cosf(time) * 6.f, 3.f, sinf(time) * 6.f);
    vec3 dir((px - 0.5f * width) / height, (0.5f * height - py) / height - 0.3f, 1.f);
    dir = dir * (1.f / dir.length());
    float t = 0;
    int i;
    for (i = 0; i < 96; i++) {
        float d = scene(origin + dir * t);
        if (d < 0.001f * t || t > 60.f)
            break;
        t += d;
    }
    float4 c = make_float4(0.5f, 0.7f, 0.9f, 1.f);
    if (t <= 60.f) {
        vec3 p = origin + dir * t;
        const float e = 0.002f;
        float d = scene(p);
        vec3 n(scene(p + vec3(e, 0, 0)) - d, scene(p + vec3(0, e, 0)) - d, scene(p + vec3(0, 0, e)) - d);
        float light = fmaxf(0.f, (n.x * 0.5f + n.y * 0.8f + n.z * 0.33f) / n.length());
        float fog = expf(-0.05f * t);
        c = make_float4(fog * light + (1 - fog) * 0.5f, fog * light * 0.8f + (1 - fog) * 0.7f, fog * light * 0.6f + (1 - fog) * 0.9f, (float)i);
    }
    image[py * width + px] = c;
}

// A block a tile of 16 x 16 pixels; its ellipses come in batches of 256 until all pixels are opaque.
extern "C" __global__ void __launch_bounds__(256) blend_tiles(const int *__restrict__ starts, const int *__restrict__ ids, const float2 *__restrict__ centers,
    const float4 *__restrict__ conics, const float *__restrict__ colors, float *__restrict__ image, int width, int height)
{
    __shared__ int s_id[256];
    __shared__ float2 s_center[256];
    __shared__ float4 s_conic[256];
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, rank = threadIdx.y * 16 + threadIdx.x;
    const bool inside = x < width && y < height;
    const int tile = blockIdx.y * gridDim.x + blockIdx.x, begin = starts[tile], end = starts[tile + 1];
    bool done = !inside;
    float left = 1.f, c[3] = {0.f, 0.f, 0.f};
    for (int base = begin; base < end; base += 256) {
        if (__syncthreads_count(done) == 256)
            break;
        if (base + rank < end) {
            const int id = ids[base + rank];
            s_id[rank] = id;
            s_center[rank] = centers[id];
            s_conic[rank] = conics[id];
        }
        __syncthreads();
        const int n = min(256, end - base);
        for (int j = 0; !done && j < n; j++) {
            const float2 at = s_center[j];
            const float4 con = s_conic[j];
            const float dx = at.x - (x & 15), dy = at.y - (y & 15);
            const float power = -0.5f * (con.x * dx * dx + con.z * dy * dy) - con.y * dx * dy;
            if (power > 0.f)
                continue;
            const float alpha = fminf(0.99f, con.w * __expf(power));
            if (alpha < 1.f / 255.f)
                continue;
            if (left * (1.f - alpha) < 0.0001f) {
                done = true;
                continue;
            }
            for (int k = 0; k < 3; k++)
                c[k] += colors[s_id[j] * 3 + k] * alpha * left;
            left *= 1.f - alpha;
        }
    }
    if (inside)
        for (int k = 0; k < 3; k++)
            image[(k * height + y) * width + x] = c[k] + left * 0.5f;
}
