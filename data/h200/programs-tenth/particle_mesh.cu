/* Ewald's sum by a mesh: charges spread by splines, the mesh in reciprocal space, pairs of a list. */

__device__ __forceinline__ void spline4(float f, float *w)
{
    w[3] = f * f * f / 6.0f;
    w[0] = (1.0f - f) * (1.0f - f) * (1.0f - f) / 6.0f;
    w[1] = 0.5f * f * f * (f - 2.0f) + 2.0f / 3.0f;
    w[2] = 1.0f - w[0] - w[1] - w[3];
}

/* Four lanes an atom: each spreads planes of 4 x 4 points. */
extern "C" __global__ void __launch_bounds__(128) spread_charges(const float4 *__restrict__ atoms, float *__restrict__ mesh, int count, int nx, int ny, int nz)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x, atom = t / 4, plane = t % 4;
    if (atom >= count)
        return;
    const float4 a = atoms[atom];
    const float x = a.x * nx, y = a.y * ny, z = a.z * nz;
    int ix = (int)x, iy = (int)y, iz = (int)z;
    float wx[4], wy[4], wz[4];
    spline4(x - ix, wx);
    spline4(y - iy, wy);
    spline4(z - iz, wz);
    ix += plane;
    ix -= ix >= nx ? nx : 0;
    const float q = a.w * (plane == 0 ? wx[0] : plane == 1 ? wx[1] : plane == 2 ? wx[2] : wx[3]);
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int jy = iy + j;
        jy -= jy >= ny ? ny : 0;
        float *row = mesh + ((long long)ix * ny + jy) * nz;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            int kz = iz + k;
            kz -= kz >= nz ? nz : 0;
            atomicAdd(row + kz, q * wy[j] * wz[k]);
        }
    }
}

/* The mesh times the influence function, half of z, and the energy of each block. */
extern "C" __global__ void __launch_bounds__(128) solve_reciprocal(float2 *__restrict__ mesh, const float *__restrict__ bx, const float *__restrict__ by, const float *__restrict__ bz, float *__restrict__ energies, int nx,
                                                                  int ny, int nz, float beta2, float volume)
{
    __shared__ float sums[4];
    const int kz = blockIdx.x * blockDim.x + threadIdx.x, ky = blockIdx.y, kx = blockIdx.z, half = nz / 2 + 1;
    float energy = 0.0f;
    if (kz < half) {
        const float mx = kx > nx / 2 ? kx - nx : kx, my = ky > ny / 2 ? ky - ny : ky, mz = kz;
        const float m2 = mx * mx + my * my + mz * mz + (kx + ky + kz == 0 ? 1.0f : 0.0f);
        const float eterm = __expf(-9.8696044f * m2 / beta2) * bx[kx] * by[ky] * bz[kz] / (3.14159265f * volume * m2);
        const long long at = ((long long)kx * ny + ky) * half + kz;
        float2 v = mesh[at];
        energy = 0.5f * eterm * (v.x * v.x + v.y * v.y);
        v.x *= eterm;
        v.y *= eterm;
        mesh[at] = v;
    }
    for (int d = 16; d; d /= 2)
        energy += __shfl_down_sync(0xffffffff, energy, d);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = energy;
    __syncthreads();
    if (threadIdx.x == 0)
        energies[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
}

/* Real space by tiles: all pairs of 32 atoms i, in registers, and 32 atoms j that pass from lane to lane. */
extern "C" __global__ void __launch_bounds__(128) pairs_of_tiles(const float4 *__restrict__ atoms, const int *__restrict__ tile_i, const int *__restrict__ tile_j, float4 *__restrict__ forces, int tiles, float beta,
                                                                float cutoff2)
{
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (warp >= tiles)
        return;
    const float4 mine = atoms[tile_i[warp] * 32 + lane];
    float4 other = atoms[tile_j[warp] * 32 + lane];
    float fx = 0, fy = 0, fz = 0, e = 0;
    for (int step = 0; step < 32; step++) {
        const float dx = mine.x - other.x, dy = mine.y - other.y, dz = mine.z - other.z, r2 = dx * dx + dy * dy + dz * dz + 1e-6f;
        const float inverse = rsqrtf(r2), r = r2 * inverse, qq = mine.w * other.w, g = __expf(-beta * beta * r2);
        const float s = 1.0f / (1.0f + 0.3275911f * beta * r);
        const float erfc_r = s * (0.254829592f + s * (-0.284496736f + s * (1.421413741f + s * (-1.453152027f + s * 1.061405429f)))) * g;
        const float f = r2 < cutoff2 ? qq * (erfc_r * inverse + 1.128379167f * beta * g) * inverse * inverse : 0.0f;
        fx += f * dx;
        fy += f * dy;
        fz += f * dz;
        e += r2 < cutoff2 ? qq * erfc_r * inverse : 0.0f;
        other.x = __shfl_sync(0xffffffff, other.x, lane + 1);
        other.y = __shfl_sync(0xffffffff, other.y, lane + 1);
        other.z = __shfl_sync(0xffffffff, other.z, lane + 1);
        other.w = __shfl_sync(0xffffffff, other.w, lane + 1);
    }
    forces[warp * 32 + lane] = make_float4(fx, fy, fz, e);
}
