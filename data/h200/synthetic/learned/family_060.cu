/* Written by scripts/device/write-synthetic. */

static __shared__ float family_060_tree2[1024];
extern "C" __global__ void family_060(float *__restrict__ out, int n0, const float *__restrict__ a0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = x * 0.75f + (float)(a0[(r + (threadIdx.x & 0)) & 255]);
    for (int r = 0; r < n1; r++)
    for (int j = 0; j <= (threadIdx.x & 63); j++)
    x = (x + (float)(j)) * 0.25f;
    for (int r = 0; r < n2; r++) {
        family_060_tree2[threadIdx.x] = x;
        __syncthreads();
        for (int d = blockDim.x / 2; d > 0; d /= 2) {
            if (threadIdx.x < d)
            family_060_tree2[threadIdx.x] += family_060_tree2[threadIdx.x + d];
            __syncthreads();
        }
        x = family_060_tree2[0] * 0.001f + threadIdx.x;
        __syncthreads();
    }
    out[i] = x;
}
