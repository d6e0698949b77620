/* A camera's depths into a volume of distances to the nearest surface. */

#define DIVISOR 32767

__device__ static inline short2 pack_tsdf(float tsdf, int weight)
{
    const int fixed = max(-DIVISOR, min(DIVISOR, __float2int_rz(tsdf * DIVISOR)));
    return make_short2(fixed, weight);
}

extern "C" __global__ void tsdf_integrate(const float *__restrict__ depth, short2 *volume, int cols, int rows, int vx, int vy, int vz, float cell, float fx, float fy, float cx, float cy, float trunc)
{
    const int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x >= vx || y >= vy)
        return;
    const float px = (x + 0.5f) * cell - 0.5f * vx * cell, py = (y + 0.5f) * cell - 0.5f * vy * cell;
    const float inverse = 1.0f / trunc;
    short2 *pos = volume + (size_t)y * vx + x;
    const size_t step = (size_t)vx * vy;
    for (int z = 0; z < vz; ++z, pos += step) {
        const float pz = 0.4f + (z + 0.5f) * cell, inv_z = 1.0f / pz;
        const int ux = __float2int_rn(px * inv_z * fx + cx), uy = __float2int_rn(py * inv_z * fy + cy);
        if (ux >= 0 && uy >= 0 && ux < cols && uy < rows) {
            const float d = depth[uy * cols + ux];
            const float sdf = d - pz;
            if (d != 0.0f && sdf >= -trunc) {
                const float tsdf = fminf(1.0f, sdf * inverse);
                const short2 old = *pos;
                const float before = __int2float_rn(old.x) / DIVISOR;
                const float mean = (before * old.y + tsdf) / (old.y + 1);
                *pos = pack_tsdf(mean, min(old.y + 1, 64));
            }
        }
    }
}
