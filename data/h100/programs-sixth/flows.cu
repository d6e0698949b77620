/* What flows, and how pictures move. */
__device__ __forceinline__ int get_global_id(int d) { return d == 0 ? blockIdx.x * blockDim.x + threadIdx.x : blockIdx.y * blockDim.y + threadIdx.y; }

__device__ __forceinline__ float limited(float a, float b)
{
    const float product = a * b;
    return product > 0.0f ? 2.0f * product / (a + b) : 0.0f;
}

/* What the side between cells 1 and 2 of four carries, second order by van Leer's limiter. */
__device__ __forceinline__ float carried(float q0, float q1, float q2, float q3, float u, float courant)
{
    const float ahead = q1 + 0.5f * (1.0f - courant * u) * limited(q1 - q0, q2 - q1);
    const float behind = q2 - 0.5f * (1.0f + courant * u) * limited(q2 - q1, q3 - q2);
    return u * (u > 0.0f ? ahead : behind);
}

/* Upwind finite volumes in two dimensions; two cells at the border stay. */
extern "C" __global__ void advect_limited(const float *__restrict__ q, const float *__restrict__ u, const float *__restrict__ v, float *__restrict__ next, int nx, int ny,
    float courant)
{
    const int x = get_global_id(0) + 2, y = get_global_id(1) + 2;
    if (x >= nx - 2 || y >= ny - 2)
        return;
    const int c = y * nx + x;
    const float here = q[c], w = q[c - 1], e = q[c + 1], s = q[c - nx], n = q[c + nx];
    const float west = carried(q[c - 2], w, here, e, u[c], courant), east = carried(w, here, e, q[c + 2], u[c + 1], courant);
    const float south = carried(q[c - 2 * nx], s, here, n, v[c], courant), north = carried(s, here, n, q[c + 2 * nx], v[c + nx], courant);
    next[c] = here - courant * (east - west + north - south);
}

/* An iteration of Horn and Schunck's optical flow; places beyond the border are those on it. */
extern "C" __global__ void horn_schunck(const float2 *__restrict__ flow, const float *__restrict__ ix, const float *__restrict__ iy, const float *__restrict__ it,
    float2 *__restrict__ next, int width, int height, float smoothness)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    const int left = max(x - 1, 0), right = min(x + 1, width - 1), above = max(y - 1, 0) * width, below = min(y + 1, height - 1) * width, row = y * width;
    float u = 0.0f, v = 0.0f;
    const int sides[4] = {row + left, row + right, above + x, below + x}, corners[4] = {above + left, above + right, below + left, below + right};
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const float2 side = flow[sides[k]], corner = flow[corners[k]];
        u += side.x / 6.0f + corner.x / 12.0f;
        v += side.y / 6.0f + corner.y / 12.0f;
    }
    const int c = row + x;
    const float gx = ix[c], gy = iy[c];
    const float common = (gx * u + gy * v + it[c]) / (smoothness * smoothness + gx * gx + gy * gy);
    next[c] = make_float2(u - gx * common, v - gy * common);
}
