/* Contractions and permutations of tensors as quantum chemistry has them. */

/* R[a,b,c] = sum over d of T[d,b,a] V[d,c]: a and c are tiled, b comes from the grid. */
extern "C" __global__ void __launch_bounds__(256) contract_last_index(const double *__restrict__ t, const double *__restrict__ v, double *__restrict__ r, int na, int nb, int nc, int nd)
{
    __shared__ double s_t[16][33], s_v[16][33];
    const int x = threadIdx.x, y = threadIdx.y, b = blockIdx.z, a0 = blockIdx.x * 32, c0 = blockIdx.y * 32, id = y * 16 + x;
    double sum[2][2] = {{0, 0}, {0, 0}};
    for (int d0 = 0; d0 < nd; d0 += 16) {
        for (int n = id; n < 512; n += 256) {
            const int d = d0 + n / 32, a = a0 + n % 32, c = c0 + n % 32;
            s_t[n / 32][n % 32] = d < nd && a < na ? t[((long long)d * nb + b) * na + a] : 0;
            s_v[n / 32][n % 32] = d < nd && c < nc ? v[(long long)d * nc + c] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++)
#pragma unroll
            for (int p = 0; p < 2; p++)
#pragma unroll
                for (int q = 0; q < 2; q++)
                    sum[p][q] += s_v[k][y + 16 * p] * s_t[k][x + 16 * q];
        __syncthreads();
    }
    for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++) {
            const int a = a0 + x + 16 * q, c = c0 + y + 16 * p;
            if (a < na && c < nc)
                r[((long long)c * nb + b) * na + a] = sum[p][q];
        }
}

/* A tensor of five indices in the order 4,1,3,0,2, scaled; a thread an element of the target. */
extern "C" __global__ void permute_five(const float *__restrict__ from, float *__restrict__ to, int n0, int n1, int n2, int n3, int n4, float scale)
{
    const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= (long long)n0 * n1 * n2 * n3 * n4)
        return;
    int rest = (int)at;
    const int i2 = rest % n2;
    rest /= n2;
    const int i0 = rest % n0;
    rest /= n0;
    const int i3 = rest % n3;
    rest /= n3;
    const int i1 = rest % n1, i4 = rest / n1;
    to[at] = scale * from[(((i0 * n1 + i1) * n2 + i2) * n3 + i3) * n4 + i4];
}
