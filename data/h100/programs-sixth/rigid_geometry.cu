/* Turns and boxes. */

/* Between two poses of each joint, along the sphere. */
extern "C" __global__ void slerp_poses(const float4 *__restrict__ from, const float4 *__restrict__ to, const float *__restrict__ when, float4 *__restrict__ pose, int joints,
    int characters)
{
    const int joint = blockIdx.x * blockDim.x + threadIdx.x, character = blockIdx.y * blockDim.y + threadIdx.y;
    if (joint >= joints || character >= characters)
        return;
    const int i = character * joints + joint;
    const float4 a = __ldg(from + i), b = __ldg(to + i);
    const float t = when[character];
    float cosine = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    const float sign = cosine < 0.0f ? -1.0f : 1.0f;
    cosine = fminf(cosine * sign, 0.9999f);
    const float angle = acosf(cosine), inverse = rsqrtf(1.0f - cosine * cosine);
    const float u = __sinf((1.0f - t) * angle) * inverse, v = __sinf(t * angle) * inverse * sign;
    const float4 p = make_float4(u * a.x + v * b.x, u * a.y + v * b.y, u * a.z + v * b.z, u * a.w + v * b.w);
    const float norm = rsqrtf(p.x * p.x + p.y * p.y + p.z * p.z + p.w * p.w);
    pose[i] = make_float4(p.x * norm, p.y * norm, p.z * norm, p.w * norm);
}

struct Box {
    float3 low, high;
};

/* The nearest of many boxes for each ray, boxes through shared memory; a ray a thread. */
template <int BOXES> struct Boxes {
    Box box[BOXES];
};

extern "C" __global__ void __launch_bounds__(128) nearest_box(const float *__restrict__ rays, const float *__restrict__ boxes, float *__restrict__ distance, int *__restrict__ which,
    int ray_count, int box_count)
{
    __shared__ Boxes<64> tile;
    const int i = blockIdx.x * blockDim.x + threadIdx.x, r = i < ray_count ? i : ray_count - 1;
    float o[3], inverse[3];
#pragma unroll
    for (int d = 0; d < 3; d++) {
        o[d] = rays[(size_t)d * ray_count + r];
        inverse[d] = __fdividef(1.0f, rays[(size_t)(3 + d) * ray_count + r]);
    }
    float nearest = 1e30f;
    int found = -1;
    for (int start = 0; start < box_count; start += 64) {
        float *flat = reinterpret_cast<float *>(tile.box);
        for (int k = threadIdx.x; k < 64 * 6; k += blockDim.x)
            flat[k] = boxes[(size_t)start * 6 + k];
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < 64; k++) {
            const Box &b = tile.box[k];
            const float x0 = (b.low.x - o[0]) * inverse[0], x1 = (b.high.x - o[0]) * inverse[0];
            const float y0 = (b.low.y - o[1]) * inverse[1], y1 = (b.high.y - o[1]) * inverse[1];
            const float z0 = (b.low.z - o[2]) * inverse[2], z1 = (b.high.z - o[2]) * inverse[2];
            const float in = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.0f));
            const float out = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fmaxf(z0, z1));
            const bool nearer = in <= out && in < nearest;
            nearest = nearer ? in : nearest;
            found = nearer ? start + k : found;
        }
        __syncthreads();
    }
    if (i < ray_count) {
        distance[i] = nearest;
        which[i] = found;
    }
}
