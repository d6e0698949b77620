/* Steps of particles. */

__device__ __forceinline__ uint2 tiny_encryption(uint2 v, unsigned k0, unsigned k1)
{
    unsigned sum = 0;
#pragma unroll
    for (int round = 0; round < 8; round++) {
        sum += 0x9e3779b9u;
        v.x += ((v.y << 4) + k0) ^ (v.y + sum) ^ ((v.y >> 5) + k1);
        v.y += ((v.x << 4) + 0xad90777du) ^ (v.x + sum) ^ ((v.x >> 5) + 0x7e95761eu);
    }
    return v;
}

__device__ __forceinline__ float2 two_normals(uint2 v)
{
    const float radius = sqrtf(-2.0f * __logf((v.x + 0.5f) * 2.3283064e-10f));
    float s, c;
    __sincosf(6.2831853f * ((v.y + 0.5f) * 2.3283064e-10f), &s, &c);
    return make_float2(radius * c, radius * s);
}

/* Half a kick, drift, friction and noise, drift. */
extern "C" __global__ void langevin_step(float4 *position, float4 *velocity, const float4 *force, int n, unsigned step, float dt, float friction, float temperature)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 x = position[i], v = velocity[i];
    const float4 f = force[i];
    const float inverse_mass = v.w, half = 0.5f * dt;
    v.x += half * f.x * inverse_mass;
    v.y += half * f.y * inverse_mass;
    v.z += half * f.z * inverse_mass;
    x.x += half * v.x;
    x.y += half * v.y;
    x.z += half * v.z;
    const float keep = __expf(-friction * dt), noise = sqrtf((1.0f - keep * keep) * temperature * inverse_mass);
    const float2 g = two_normals(tiny_encryption(make_uint2(i, step), 0xc8013ea4u, 17u)), h = two_normals(tiny_encryption(make_uint2(i, step), 0xa341316cu, 29u));
    v.x = keep * v.x + noise * g.x;
    v.y = keep * v.y + noise * g.y;
    v.z = keep * v.z + noise * h.x;
    x.x += half * v.x;
    x.y += half * v.y;
    x.z += half * v.z;
    position[i] = x;
    velocity[i] = v;
}

/* Velocities that vortices give each other, in double precision. */
struct Vortex {
    double x, y, z, core, ax, ay, az, unused;
};

struct Place {
    double x, y, z, w;
};

#define P 128

extern "C" __global__ void __launch_bounds__(P) biot_savart(const Vortex *__restrict__ vortices, double *__restrict__ u, double *__restrict__ v, double *__restrict__ w, int n)
{
    __shared__ Place place[P];
    __shared__ double3 strength[P];
    const int i = blockIdx.x * P + threadIdx.x;
    double px = 0, py = 0, pz = 0, su = 0, sv = 0, sw = 0;
    if (i < n) {
        px = vortices[i].x;
        py = vortices[i].y;
        pz = vortices[i].z;
    }
    for (int tile = 0; tile < n; tile += P) {
        const int j = tile + threadIdx.x;
        if (j < n) {
            const Vortex o = vortices[j];
            place[threadIdx.x] = Place{o.x, o.y, o.z, o.core};
            strength[threadIdx.x] = make_double3(o.ax, o.ay, o.az);
        } else {
            place[threadIdx.x] = Place{0, 0, 0, 1};
            strength[threadIdx.x] = make_double3(0, 0, 0);
        }
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < P; k++) {
            const Place o = place[k];
            const double3 a = strength[k];
            const double dx = px - o.x, dy = py - o.y, dz = pz - o.z;
            const double inverse = rsqrt(dx * dx + dy * dy + dz * dz + o.w * o.w), cube = inverse * inverse * inverse;
            su += (a.y * dz - a.z * dy) * cube;
            sv += (a.z * dx - a.x * dz) * cube;
            sw += (a.x * dy - a.y * dx) * cube;
        }
        __syncthreads();
    }
    if (i < n) {
        u[i] = 0.0795774715459 * su;
        v[i] = 0.0795774715459 * sv;
        w[i] = 0.0795774715459 * sw;
    }
}
