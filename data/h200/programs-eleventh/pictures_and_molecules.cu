/* Edges of blocks of coded pictures, and forces and constraints of bonds. */

/* Vertical edges each eight pixels, smoothed where both sides are even, as decoders of video do: a thread a group of four rows. */
extern "C" __global__ void smooth_block_edges(unsigned char *__restrict__ picture, const unsigned char *__restrict__ strengths, int pitch, int edges, int groups, int beta, int tc)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x, g = blockIdx.y * blockDim.y + threadIdx.y;
    if (e >= edges || g >= groups)
        return;
    const int strength = strengths[g * edges + e] % 3;
    if (strength == 0)
        return;
    unsigned char *p = picture + (long long)g * 4 * pitch + (e + 1) * 8;
    const unsigned char *q = p + 3LL * pitch;
    const int first = abs(p[-3] - 2 * p[-2] + p[-1]) + abs(p[2] - 2 * p[1] + p[0]), last = abs(q[-3] - 2 * q[-2] + q[-1]) + abs(q[2] - 2 * q[1] + q[0]);
    if (first + last >= beta)
        return;
    const int limit = tc * strength;
    for (int r = 0; r < 4; r++, p += pitch) {
        const int a = p[-2], b = p[-1], c = p[0], d = p[1];
        const int delta = min(max((9 * (c - b) - 3 * (d - a) + 8) >> 4, -limit), limit);
        p[-1] = (unsigned char)min(max(b + delta, 0), 255);
        p[0] = (unsigned char)min(max(c - delta, 0), 255);
    }
}

__device__ float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__device__ float dot(float3 a, float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

__device__ void add(float *force, int atom, float3 f, float s)
{
    atomicAdd(force + 4 * atom, s * f.x);
    atomicAdd(force + 4 * atom + 1, s * f.y);
    atomicAdd(force + 4 * atom + 2, s * f.z);
}

/* Torsions about bonds: four atoms each, forces added to all. */
extern "C" __global__ void torsion_forces(const int4 *__restrict__ quads, const float4 *__restrict__ places, const float4 *__restrict__ constants, float *__restrict__ force, int count)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= count)
        return;
    const int4 q = quads[t];
    const float4 i = places[q.x], j = places[q.y], k = places[q.z], l = places[q.w], c = constants[t];
    const float3 a = make_float3(j.x - i.x, j.y - i.y, j.z - i.z), b = make_float3(k.x - j.x, k.y - j.y, k.z - j.z), d = make_float3(l.x - k.x, l.y - k.y, l.z - k.z);
    const float3 m = cross(a, b), n = cross(b, d);
    const float length = sqrtf(dot(b, b)), mm = dot(m, m) + 1e-9f, nn = dot(n, n) + 1e-9f;
    const float phi = atan2f(length * dot(a, n), dot(m, n));
    const float slope = -c.x * c.y * sinf(c.y * phi - c.z);
    const float3 fi = m, fl = n;
    const float si = slope * length / mm, sl = -slope * length / nn, along = dot(a, b) / (length * length + 1e-9f), beyond = dot(d, b) / (length * length + 1e-9f);
    add(force, q.x, fi, si);
    add(force, q.w, fl, sl);
    add(force, q.y, fi, -si * (1.0f + along));
    add(force, q.y, fl, sl * beyond);
    add(force, q.z, fl, -sl * (1.0f + beyond));
    add(force, q.z, fi, si * along);
}

/* Three lengths of each molecule of water held by so many sweeps of SHAKE: places before and after a step, a thread a molecule. */
extern "C" __global__ void hold_water(const float4 *__restrict__ before, float4 *__restrict__ after, int molecules, float oh2, float hh2, float mass_o, float mass_h, int sweeps)
{
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= molecules)
        return;
    float3 old[3], now[3];
    for (int a = 0; a < 3; a++) {
        const float4 o = before[3 * w + a], n = after[3 * w + a];
        old[a] = make_float3(o.x, o.y, o.z);
        now[a] = make_float3(n.x, n.y, n.z);
    }
    const float inverse[3] = {1.0f / mass_o, 1.0f / mass_h, 1.0f / mass_h};
    for (int s = 0; s < sweeps; s++)
#pragma unroll
        for (int e = 0; e < 3; e++) {
            const int a = e == 2 ? 1 : 0, b = e == 0 ? 1 : 2;
            const float wanted = e == 2 ? hh2 : oh2;
            const float3 r = make_float3(now[a].x - now[b].x, now[a].y - now[b].y, now[a].z - now[b].z), r0 = make_float3(old[a].x - old[b].x, old[a].y - old[b].y, old[a].z - old[b].z);
            const float g = (wanted - dot(r, r)) / (2.0f * (inverse[a] + inverse[b]) * (dot(r, r0) + 1e-6f));
            now[a] = make_float3(now[a].x + g * inverse[a] * r0.x, now[a].y + g * inverse[a] * r0.y, now[a].z + g * inverse[a] * r0.z);
            now[b] = make_float3(now[b].x - g * inverse[b] * r0.x, now[b].y - g * inverse[b] * r0.y, now[b].z - g * inverse[b] * r0.z);
        }
    for (int a = 0; a < 3; a++)
        after[3 * w + a] = make_float4(now[a].x, now[a].y, now[a].z, 0.0f);
}
