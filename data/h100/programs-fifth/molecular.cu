// Molecular dynamics: pairs by lists of neighbours, angles with forces added up in place.

struct Box {
    float3 l, inv;
    __device__ float3 nearest(float3 d) const
    {
        d.x -= l.x * rintf(d.x * inv.x);
        d.y -= l.y * rintf(d.y * inv.y);
        d.z -= l.z * rintf(d.z * inv.z);
        return d;
    }
};

static __device__ __forceinline__ float3 minus(float4 a, float4 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }

// lists: the k-th neighbour of all particles, then the next
extern "C" __global__ void lennard_jones_lists(const float4 *__restrict__ pos, const int *__restrict__ n_neigh, const int *__restrict__ neigh, float4 *__restrict__ force,
    int n, int pitch, float length, float cut2, float lj1, float lj2, float shift)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const Box box{make_float3(length, length, length), make_float3(1 / length, 1 / length, 1 / length)};
    const float4 pi = pos[i];
    const int count = n_neigh[i];
    float4 f = make_float4(0, 0, 0, 0);
    int next = neigh[i];
    for (int k = 0; k < count; k++) {
        const int j = next;
        if (k + 1 < count)
            next = neigh[(k + 1) * pitch + i];
        const float3 d = box.nearest(minus(pi, __ldg(pos + j)));
        const float r2 = d.x * d.x + d.y * d.y + d.z * d.z;
        if (r2 < cut2 && r2 > 0.f) {
            const float i2 = 1.0f / r2, i6 = i2 * i2 * i2;
            const float g = i2 * i6 * (12.0f * lj1 * i6 - 6.0f * lj2);
            f.x += d.x * g;
            f.y += d.y * g;
            f.z += d.z * g;
            f.w += 0.5f * (i6 * (lj1 * i6 - lj2) - shift);
        }
    }
    force[i] = f;
}

extern "C" __global__ void harmonic_angles(const float4 *__restrict__ pos, const int *__restrict__ angles, const unsigned char *__restrict__ types, const float2 *__restrict__ kinds, float *force, int n, float length)
{
    const int a = blockIdx.x * blockDim.x + threadIdx.x;
    if (a >= n)
        return;
    const Box box{make_float3(length, length, length), make_float3(1 / length, 1 / length, 1 / length)};
    const int3 who = make_int3(angles[3 * a], angles[3 * a + 1], angles[3 * a + 2]);
    const float2 kind = kinds[types[a]];
    const float4 middle = pos[who.y];
    const float3 u = box.nearest(minus(pos[who.x], middle)), v = box.nearest(minus(pos[who.z], middle));
    const float uu = u.x * u.x + u.y * u.y + u.z * u.z + 1e-6f, vv = v.x * v.x + v.y * v.y + v.z * v.z + 1e-6f;
    const float iu = rsqrtf(uu), iv = rsqrtf(vv);
    const float c = fminf(fmaxf((u.x * v.x + u.y * v.y + u.z * v.z) * iu * iv, -0.9999f), 0.9999f);
    const float g = kind.x * (acosf(c) - kind.y) * rsqrtf(1.f - c * c);
    const float uv = g * iu * iv, gu = g * c * iu * iu, gv = g * c * iv * iv;
    const float3 fu = make_float3(uv * v.x - gu * u.x, uv * v.y - gu * u.y, uv * v.z - gu * u.z);
    const float3 fv = make_float3(uv * u.x - gv * v.x, uv * u.y - gv * v.y, uv * u.z - gv * v.z);
    atomicAdd(force + 3 * who.x, fu.x);
    atomicAdd(force + 3 * who.x + 1, fu.y);
    atomicAdd(force + 3 * who.x + 2, fu.z);
    atomicAdd(force + 3 * who.z, fv.x);
    atomicAdd(force + 3 * who.z + 1, fv.y);
    atomicAdd(force + 3 * who.z + 2, fv.z);
    atomicAdd(force + 3 * who.y, -fu.x - fv.x);
    atomicAdd(force + 3 * who.y + 1, -fu.y - fv.y);
    atomicAdd(force + 3 * who.y + 2, -fu.z - fv.z);
}
