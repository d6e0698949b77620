/* Fields of distance and volumes that rays cross. */

__device__ __forceinline__ float square(float x) { return x * x; }

/* A step towards a signed distance: Godunov's differences of first order, borders held. */
extern "C" __global__ void __launch_bounds__(256) redistance_step(const float *__restrict__ phi, const float *__restrict__ phi0, float *__restrict__ out, int nx, int ny, int nz, float h, float dt)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i < 1 || j < 1 || k < 1 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1)
        return;
    const long long row = nx, plane = (long long)nx * ny, at = k * plane + j * row + i;
    const float c = phi[at], p0 = phi0[at], s = p0 * rsqrtf(p0 * p0 + h * h);
    const float a = (c - phi[at - 1]) / h, b = (phi[at + 1] - c) / h, d = (c - phi[at - row]) / h, e = (phi[at + row] - c) / h, f = (c - phi[at - plane]) / h, g = (phi[at + plane] - c) / h;
    float n;
    if (s > 0)
        n = fmaxf(square(fmaxf(a, 0)), square(fminf(b, 0))) + fmaxf(square(fmaxf(d, 0)), square(fminf(e, 0))) + fmaxf(square(fmaxf(f, 0)), square(fminf(g, 0)));
    else
        n = fmaxf(square(fminf(a, 0)), square(fmaxf(b, 0))) + fmaxf(square(fminf(d, 0)), square(fmaxf(e, 0))) + fmaxf(square(fminf(f, 0)), square(fmaxf(g, 0)));
    out[at] = c - dt * s * (sqrtf(n) - 1.0f);
}

/* Parallel rays through a volume along its diagonal: STEPS samples each by eight neighbours, absorption. */
extern "C" __global__ void __launch_bounds__(128) project_oblique(const float *__restrict__ volume, float *__restrict__ image, int n, int width, int height, int steps, float dx, float dy, float dz)
{
    const int u = blockIdx.x * blockDim.x + threadIdx.x, v = blockIdx.y * blockDim.y + threadIdx.y;
    if (u >= width || v >= height)
        return;
    float x = u * (n * 0.6f) / width, y = v * (n * 0.6f) / height, z = 0.0f, sum = 0.0f;
    for (int s = 0; s < steps; s++) {
        const int i = (int)x, j = (int)y, k = (int)z;
        const float fx = x - i, fy = y - j, fz = z - k;
        const float *c = volume + ((long long)k * n + j) * n + i;
        const float c00 = c[0] + fx * (c[1] - c[0]), c10 = c[n] + fx * (c[n + 1] - c[n]);
        const float *d = c + (long long)n * n;
        const float c01 = d[0] + fx * (d[1] - d[0]), c11 = d[n] + fx * (d[n + 1] - d[n]);
        const float low = c00 + fy * (c10 - c00), high = c01 + fy * (c11 - c01);
        sum += low + fz * (high - low);
        x += dx;
        y += dy;
        z += dz;
    }
    image[(long long)v * width + u] = expf(-sum / steps);
}

/* Wavelets along z of a volume, 9/7 by lifting: a thread a column in runs of eight, neighbours loaded again. */
extern "C" __global__ void __launch_bounds__(64) lift97_along_z(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y, run = blockIdx.z * 8;
    if (i >= nx)
        return;
    const long long plane = (long long)nx * ny, at = (long long)j * nx + i;
    float v[16];
#pragma unroll
    for (int k = 0; k < 16; k++) {
        int z = run + k - 4;
        z = z < 0 ? -z : z;
        z = z >= nz ? 2 * nz - 2 - z : z;
        v[k] = in[z * plane + at];
    }
#pragma unroll
    for (int k = 1; k < 15; k += 2)
        v[k] -= 1.586134342f * (v[k - 1] + v[k + 1]);
#pragma unroll
    for (int k = 2; k < 14; k += 2)
        v[k] -= 0.05298011854f * (v[k - 1] + v[k + 1]);
#pragma unroll
    for (int k = 3; k < 13; k += 2)
        v[k] += 0.8829110762f * (v[k - 1] + v[k + 1]);
#pragma unroll
    for (int k = 4; k < 12; k += 2)
        v[k] += 0.4435068522f * (v[k - 1] + v[k + 1]);
#pragma unroll
    for (int k = 4; k < 12; k++)
        if (run + k - 4 < nz)
            out[((k & 1 ? nz / 2 : 0) + (run + k - 4) / 2) * plane + at] = v[k];
}
