/* Operators on grids and elements. */
#define NX 8

/* The Laplacian of spectral elements of 8 x 8 x 8 points: a block of 8 x 8 threads an element, up through its layers. */
extern "C" __global__ void spectral_laplacian(const double *__restrict__ u, double *__restrict__ w, const double *__restrict__ geometry, const double *__restrict__ derivative)
{
    __shared__ double D[NX][NX], layer[NX][NX], gu[NX][NX], gv[NX][NX];
    const int i = threadIdx.x, j = threadIdx.y;
    const size_t e = (size_t)blockIdx.x * NX * NX * NX;
    double column[NX], result[NX];
    D[j][i] = derivative[j * NX + i];
#pragma unroll
    for (int k = 0; k < NX; k++) {
        column[k] = u[e + k * NX * NX + j * NX + i];
        result[k] = 0.0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < NX; k++) {
        const double *g = geometry + 6 * (e + k * NX * NX) + j * NX + i;
        const double g0 = g[0], g1 = g[64], g2 = g[128], g3 = g[192], g4 = g[256], g5 = g[320];
        layer[j][i] = column[k];
        __syncthreads();
        double ur = 0, us = 0, ut = 0;
#pragma unroll
        for (int n = 0; n < NX; n++) {
            ur += D[i][n] * layer[j][n];
            us += D[j][n] * layer[n][i];
            ut += D[k][n] * column[n];
        }
        gu[j][i] = g0 * ur + g1 * us + g2 * ut;
        gv[j][i] = g1 * ur + g3 * us + g4 * ut;
        const double gt = g2 * ur + g4 * us + g5 * ut;
        __syncthreads();
        double sum = 0;
#pragma unroll
        for (int n = 0; n < NX; n++) {
            sum += D[n][i] * gu[j][n];
            sum += D[n][j] * gv[n][i];
            result[n] += D[k][n] * gt;
        }
        result[k] += sum;
    }
#pragma unroll
    for (int k = 0; k < NX; k++)
        w[e + k * NX * NX + j * NX + i] = result[k];
}

/* Two phases part: the Laplacian of what drives them, on a grid that closes upon itself. */
#define AT(f, i, j) f[((j) + ny) % ny * nx + ((i) + nx) % nx]
#define LAPLACIAN(f, i, j) (AT(f, (i)-1, j) + AT(f, (i) + 1, j) + AT(f, i, (j)-1) + AT(f, i, (j) + 1) - 4 * AT(f, i, j))
#define DRIVE(f, i, j) (AT(f, i, j) * AT(f, i, j) * AT(f, i, j) - AT(f, i, j) - kappa * LAPLACIAN(f, i, j))

extern "C" __global__ void part_phases(const float *c, float *c_new, int nx, int ny, float kappa, float dt)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int j = threadIdx.y + blockIdx.y * blockDim.y;
    if (i < nx && j < ny) {
        float sum = DRIVE(c, i - 1, j) + DRIVE(c, i + 1, j) + DRIVE(c, i, j - 1) + DRIVE(c, i, j + 1) - 4 * DRIVE(c, i, j);
        c_new[j * nx + i] = c[j * nx + i] + dt * sum;
    }
}
