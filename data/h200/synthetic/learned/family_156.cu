/* Written by scripts/device/write-synthetic. */

static __shared__ float family_156_tree0[1024];
extern "C" __global__ void family_156(float *__restrict__ out, int rounds, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++) {
            family_156_tree0[threadIdx.x] = x;
            __syncthreads();
            for (int d = blockDim.x / 2; d > 0; d /= 2) {
                if (threadIdx.x < d)
                family_156_tree0[threadIdx.x] += family_156_tree0[threadIdx.x + d];
                __syncthreads();
            }
            x = family_156_tree0[0] * 0.001f + threadIdx.x;
            __syncthreads();
        }
        for (int r = 0; r < n1; r++)
        x = 0.5f / (x + 2);
    }
    out[i] = x;
}
