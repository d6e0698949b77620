/* Written by scripts/device/write-synthetic. */

static __shared__ float family_200_tree2[1024];
extern "C" __global__ void family_200(float *__restrict__ out, const float *__restrict__ a0u, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    #pragma unroll 1
    for (int r = 0; r < n0; r++)
    x = x * 0.25f + (float)(a0u[(blockIdx.x * n0 + r) * blockDim.x + threadIdx.x]);
    for (int r = 0; r < n1; r++) {
        if ((threadIdx.x & 1) < 1) {
            x = max(x, (float)(0.5f)) * 0.75f;
            x = (x + (float)(0.75f)) * 0.75f;
            x = max(x, (float)(0.75f)) * 0.5f;
        } else {
            x = max(x, (float)(0.75f)) * 0.25f;
            x = x * 0.25f + (float)(0.25f);
            x = x * 0.75f + (float)(i);
        }
    }
    for (int r = 0; r < n2; r++) {
        family_200_tree2[threadIdx.x] = x;
        __syncthreads();
        for (int d = blockDim.x / 2; d > 0; d /= 2) {
            if (threadIdx.x < d)
            family_200_tree2[threadIdx.x] += family_200_tree2[threadIdx.x + d];
            __syncthreads();
        }
        x = family_200_tree2[0] * 0.001f + threadIdx.x;
        __syncthreads();
    }
    out[i] = x;
}
