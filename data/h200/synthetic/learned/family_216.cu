/* Written by scripts/device/write-synthetic. */

static __shared__ float family_216_tree0[1024];
extern "C" __global__ void family_216(float *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        family_216_tree0[threadIdx.x] = x;
        __syncthreads();
        for (int d = blockDim.x / 2; d > 0; d /= 2) {
            if (threadIdx.x < d)
            family_216_tree0[threadIdx.x] += family_216_tree0[threadIdx.x + d];
            __syncthreads();
        }
        x = family_216_tree0[0] * 0.001f + threadIdx.x;
        __syncthreads();
    }
    __shared__ float s1[1024];
    for (int j = threadIdx.x; j < 1024; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = max(x, (float)(s1[(threadIdx.x * 3 + r) & 1023])) * 0.25f;
    }
    __syncthreads();
    out[i] = x;
}
