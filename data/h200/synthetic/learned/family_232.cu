/* Written by scripts/device/write-synthetic. */

static __shared__ float family_232_tree1[1024];
extern "C" __global__ void family_232(float *__restrict__ out, const int *__restrict__ p0, const float *__restrict__ a0, int n0, int n1, const float *__restrict__ a2u, const float *__restrict__ a2v, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = x * 0.75f + (float)(a0[p0[(r * threads + i) & 65535]]);
    for (int r = 0; r < n1; r++) {
        family_232_tree1[threadIdx.x] = x;
        __syncthreads();
        for (int d = blockDim.x / 2; d > 0; d /= 2) {
            if (threadIdx.x < d)
            family_232_tree1[threadIdx.x] += family_232_tree1[threadIdx.x + d];
            __syncthreads();
        }
        x = family_232_tree1[0] * 0.001f + threadIdx.x;
        __syncthreads();
    }
    #pragma unroll 1
    for (int r = 0; r < n2; r++)
    x = x * 0.5f + (float)(a2u[r * threads + i] + a2v[r * threads + i]);
    out[i] = x;
}
