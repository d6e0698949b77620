/* Lights: harmonics of probes, skins of four bones, tone curves; compiled by clang. */

/* Irradiance by nine harmonics, a normal a thread, eight probes whose coefficients shared memory holds. */
extern "C" __global__ void __launch_bounds__(192) irradiance_of_probes(const float4 *__restrict__ normals, const float *__restrict__ probes, float4 *__restrict__ colour, int count)
{
    __shared__ float sh[8 * 27];
    for (int i = threadIdx.x; i < 8 * 27; i += blockDim.x)
        sh[i] = probes[i];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const float4 n = normals[i];
        const float y[9] = {0.282095f, 0.488603f * n.y, 0.488603f * n.z, 0.488603f * n.x, 1.092548f * n.x * n.y, 1.092548f * n.y * n.z, 0.315392f * (3.0f * n.z * n.z - 1.0f), 1.092548f * n.x * n.z, 0.546274f * (n.x * n.x - n.y * n.y)};
        float r = 0.0f, g = 0.0f, b = 0.0f;
        for (int p = 0; p < 8; p++) {
            const float w = 0.125f + n.w * p;
#pragma unroll
            for (int k = 0; k < 9; k++) {
                r += w * y[k] * sh[p * 27 + k];
                g += w * y[k] * sh[p * 27 + 9 + k];
                b += w * y[k] * sh[p * 27 + 18 + k];
            }
        }
        colour[i] = make_float4(fmaxf(r, 0.0f), fmaxf(g, 0.0f), fmaxf(b, 0.0f), 1.0f);
    }
}

/* Vertices moved by four bones each, matrices of 3 x 4 in global memory. */
extern "C" __global__ void skin_vertices(const float *__restrict__ places, const uchar4 *__restrict__ bones, const float4 *__restrict__ weights, const float4 *__restrict__ matrices, float *__restrict__ out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const uchar4 b = bones[i];
    const float4 w = weights[i];
    const float x = places[3 * i], y = places[3 * i + 1], z = places[3 * i + 2];
    const int index[4] = {b.x, b.y, b.z, b.w};
    const float share[4] = {w.x, w.y, w.z, w.w};
    float px = 0.0f, py = 0.0f, pz = 0.0f;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const float4 *m = matrices + 3 * index[k];
        const float4 r0 = m[0], r1 = m[1], r2 = m[2];
        px += share[k] * (r0.x * x + r0.y * y + r0.z * z + r0.w);
        py += share[k] * (r1.x * x + r1.y * y + r1.z * z + r1.w);
        pz += share[k] * (r2.x * x + r2.y * y + r2.z * z + r2.w);
    }
    out[3 * i] = px;
    out[3 * i + 1] = py;
    out[3 * i + 2] = pz;
}

/* A filmic curve and dither to ten bits a channel; rows have a pitch in bytes. */
extern "C" __global__ void film_curve(const char *__restrict__ in, char *__restrict__ out, int width, int height, int pitch_in, int pitch_out, float exposure)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const float4 c = ((const float4 *)(in + (long long)y * pitch_in))[x];
    const float v[3] = {c.x * exposure, c.y * exposure, c.z * exposure};
    const unsigned noise = (x * 1973u + y * 9277u) * 26699u;
    const float dither = (noise >> 16 & 255) * (1.0f / 256.0f);
    unsigned packed = 3u << 30;
    for (int k = 0; k < 3; k++) {
        const float t = v[k] * (2.51f * v[k] + 0.03f) / (v[k] * (2.43f * v[k] + 0.59f) + 0.14f);
        const float g = powf(fminf(fmaxf(t, 0.0f), 1.0f), 1.0f / 2.2f);
        packed |= (unsigned)(g * 1022.0f + dither) << 10 * k;
    }
    ((unsigned *)(out + (long long)y * pitch_out))[x] = packed;
}
