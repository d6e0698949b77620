/* Written by scripts/device/write-synthetic. */

static __shared__ float family_158_tree2[1024];
extern "C" __global__ void family_158(float *__restrict__ out, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    for (int j = 0; j <= (blockIdx.x & 15); j++)
    x = max(x, (float)(j)) * 0.5f;
    __shared__ float s1[1024];
    for (int j = threadIdx.x; j < 1024; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = x * 0.25f + (float)(s1[(threadIdx.x * 8 + r) & 1023]);
        __syncthreads();
        s1[(threadIdx.x + r) & 1023] = x;
        __syncthreads();
    }
    __syncthreads();
    for (int r = 0; r < n2; r++) {
        family_158_tree2[threadIdx.x] = x;
        __syncthreads();
        for (int d = blockDim.x / 2; d > 0; d /= 2) {
            if (threadIdx.x < d)
            family_158_tree2[threadIdx.x] += family_158_tree2[threadIdx.x + d];
            __syncthreads();
        }
        x = family_158_tree2[0] * 0.001f + threadIdx.x;
        __syncthreads();
    }
    out[i] = x;
}
