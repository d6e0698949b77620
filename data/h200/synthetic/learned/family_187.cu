/* Written by scripts/device/write-synthetic. */

static __shared__ float family_187_tree0[1024];
extern "C" __global__ void family_187(float *__restrict__ out, int n0, float *__restrict__ w1, int n1, const float *__restrict__ a2u, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        family_187_tree0[threadIdx.x] = x;
        __syncthreads();
        for (int d = blockDim.x / 2; d > 0; d /= 2) {
            if (threadIdx.x < d)
            family_187_tree0[threadIdx.x] += family_187_tree0[threadIdx.x + d];
            __syncthreads();
        }
        x = family_187_tree0[0] * 0.001f + threadIdx.x;
        __syncthreads();
    }
    for (int r = 0; r < n1; r++) {
        x = x * 0.75f + (float)(r);
        w1[r * threads + i] = x;
    }
    #pragma unroll 2
    for (int r = 0; r < n2; r++)
    x = x * 0.5f + (float)(a2u[(blockIdx.x * n2 + r) * blockDim.x + threadIdx.x]);
    out[i] = x;
}
