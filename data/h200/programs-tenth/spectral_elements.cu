/* Spectral elements: tensor products over the points of hexahedra, an element a block. */
#define P 8  /* points along an edge */
#define Q 10 /* points of the finer rule */

/* Values of an element brought to the points of a finer rule, direction after direction, through shared memory. */
extern "C" __global__ void __launch_bounds__(100) interpolate_to_gauss(const double *__restrict__ u, const double *__restrict__ basis, double *__restrict__ fine, int elements)
{
    __shared__ double b[Q][P], s_u[P][P][P], s_x[P][P][Q];
    const int i = threadIdx.x, j = threadIdx.y, t = j * Q + i, e = blockIdx.x;
    if (t < Q * P)
        b[t / P][t % P] = basis[t];
    for (int n = t; n < P * P * P; n += Q * Q)
        s_u[n / (P * P)][n / P % P][n % P] = u[(long long)e * P * P * P + n];
    __syncthreads();
    if (j < P)
        for (int k = 0; k < P; k++) {
            double sum = 0;
#pragma unroll
            for (int m = 0; m < P; m++)
                sum += b[i][m] * s_u[k][j][m];
            s_x[k][j][i] = sum;
        }
    __syncthreads();
    double column[P];
#pragma unroll
    for (int k = 0; k < P; k++) {
        double sum = 0;
#pragma unroll
        for (int m = 0; m < P; m++)
            sum += b[j][m] * s_x[k][m][i];
        column[k] = sum;
    }
#pragma unroll 2
    for (int k = 0; k < Q; k++) {
        double sum = 0;
#pragma unroll
        for (int m = 0; m < P; m++)
            sum += b[k][m] * column[m];
        fine[((long long)e * Q + k) * Q * Q + t] = sum;
    }
}
