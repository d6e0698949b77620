/* A matrix product, c = a b, of n x n: a block makes BY RM x BX RN results from tiles of BK columns in
 * shared memory, a thread RM x RN of them in registers. */
#ifndef BX
#define BX 16
#define BY 16
#define RM 4
#define RN 4
#define BK 16
#endif

extern "C" __global__ void __launch_bounds__(BX * BY)
product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[BK][BY * RM + 1], u[BK][BX * RN];
    const int tx = threadIdx.x, ty = threadIdx.y, t = ty * BX + tx;
    const int row = blockIdx.y * BY * RM, column = blockIdx.x * BX * RN;
    float sum[RM][RN] = {{0}};
    for (int k = 0; k < n; k += BK) {
        for (int l = t; l < BK * BY * RM; l += BX * BY)
            s[l % BK][l / BK] = a[(row + l / BK) * n + k + l % BK];
        for (int l = t; l < BK * BX * RN; l += BX * BY)
            u[l / (BX * RN)][l % (BX * RN)] = b[(k + l / (BX * RN)) * n + column + l % (BX * RN)];
        __syncthreads();
#pragma unroll
        for (int l = 0; l < BK; l++) {
            float left[RM], right[RN];
#pragma unroll
            for (int i = 0; i < RM; i++)
                left[i] = s[l][ty + i * BY];
#pragma unroll
            for (int j = 0; j < RN; j++)
                right[j] = u[l][tx + j * BX];
#pragma unroll
            for (int i = 0; i < RM; i++)
#pragma unroll
                for (int j = 0; j < RN; j++)
                    sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < RM; i++)
#pragma unroll
        for (int j = 0; j < RN; j++)
            c[(row + ty + i * BY) * n + column + tx + j * BX] = sum[i][j];
}
