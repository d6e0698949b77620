/* A gas in two dimensions, and what it carries. */

#define BX 32
#define BY 8
#define GAMMA 1.4f

struct Flux {
    float4 value;
    float speed;
};

__device__ Flux flux_of(float4 s, bool along_x)
{
    const float ir = 1.0f / s.x, u = s.y * ir, v = s.z * ir;
    const float p = (GAMMA - 1.0f) * (s.w - 0.5f * (s.y * u + s.z * v)), n = along_x ? u : v;
    Flux f;
    f.value = make_float4(s.x * n, s.y * n + (along_x ? p : 0.0f), s.z * n + (along_x ? 0.0f : p), (s.w + p) * n);
    f.speed = fabsf(n) + sqrtf(GAMMA * fabsf(p) * ir);
    return f;
}

__device__ float4 rusanov(float4 left, float4 right, bool along_x)
{
    const Flux l = flux_of(left, along_x), r = flux_of(right, along_x);
    const float a = fmaxf(l.speed, r.speed);
    return make_float4(0.5f * (l.value.x + r.value.x - a * (right.x - left.x)), 0.5f * (l.value.y + r.value.y - a * (right.y - left.y)),
                       0.5f * (l.value.z + r.value.z - a * (right.z - left.z)), 0.5f * (l.value.w + r.value.w - a * (right.w - left.w)));
}

/* A step of Euler's equations by Rusanov's fluxes; a tile with its rim in shared memory. */
extern "C" __global__ void __launch_bounds__(BX * BY) euler_rusanov(const float4 *__restrict__ state, float4 *__restrict__ next, int nx, int ny, float dt_dx, float dt_dy)
{
    __shared__ float4 tile[BY + 2][BX + 2];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int i = blockIdx.x * BX + threadIdx.x, j = blockIdx.y * BY + threadIdx.y;
    const int ci = min(i, nx - 1), cj = min(j, ny - 1);
    tile[ty][tx] = state[cj * nx + ci];
    if (threadIdx.x == 0)
        tile[ty][0] = state[cj * nx + max(i - 1, 0)];
    if (threadIdx.x == BX - 1)
        tile[ty][BX + 1] = state[cj * nx + min(i + 1, nx - 1)];
    if (threadIdx.y == 0)
        tile[0][tx] = state[max(j - 1, 0) * nx + ci];
    if (threadIdx.y == BY - 1)
        tile[BY + 1][tx] = state[min(j + 1, ny - 1) * nx + ci];
    __syncthreads();
    if (i >= nx || j >= ny)
        return;
    const float4 c = tile[ty][tx];
    const float4 w = rusanov(tile[ty][tx - 1], c, true), e = rusanov(c, tile[ty][tx + 1], true);
    const float4 s = rusanov(tile[ty - 1][tx], c, false), n = rusanov(c, tile[ty + 1][tx], false);
    next[j * nx + i] = make_float4(c.x - dt_dx * (e.x - w.x) - dt_dy * (n.x - s.x), c.y - dt_dx * (e.y - w.y) - dt_dy * (n.y - s.y),
                                   c.z - dt_dx * (e.z - w.z) - dt_dy * (n.z - s.z), c.w - dt_dx * (e.w - w.w) - dt_dy * (n.w - s.w));
}

/* What is carried, looked up where it came from. */
__device__ float at(const float *field, int nx, int ny, int i, int j)
{
    return field[min(max(j, 0), ny - 1) * nx + min(max(i, 0), nx - 1)];
}

extern "C" __global__ void semi_lagrangian(const float *u, const float *v, const float *smoke, float *smoke_next, int nx, int ny, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= nx || j >= ny)
        return;
    float x = i - dt * u[j * nx + i], y = j - dt * v[j * nx + i];
    const float um = at(u, nx, ny, (int)(0.5f * (i + x)), (int)(0.5f * (j + y))), vm = at(v, nx, ny, (int)(0.5f * (i + x)), (int)(0.5f * (j + y)));
    x = i - dt * um;
    y = j - dt * vm;
    const float fx = floorf(x), fy = floorf(y), a = x - fx, b = y - fy;
    const int i0 = (int)fx, j0 = (int)fy;
    smoke_next[j * nx + i] = (1 - b) * ((1 - a) * at(smoke, nx, ny, i0, j0) + a * at(smoke, nx, ny, i0 + 1, j0)) +
                             b * ((1 - a) * at(smoke, nx, ny, i0, j0 + 1) + a * at(smoke, nx, ny, i0 + 1, j0 + 1));
}
