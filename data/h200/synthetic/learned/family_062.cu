/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_062(float *__restrict__ out, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    __shared__ float s0[4096];
    for (int j = threadIdx.x; j < 4096; j += blockDim.x)
    s0[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n0; r++) {
        x = (x + (float)(s0[(threadIdx.x * 2 + r) & 4095])) * 0.75f;
    }
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        for (int d = 16; d > 0; d /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, d);
        x = x * 0.25f;
    }
    __shared__ float s2[1024];
    for (int j = threadIdx.x; j < 1024; j += blockDim.x)
    s2[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n2; r++) {
        x = x * 0.75f + (float)(s2[(threadIdx.x * 33 + r) & 1023]);
    }
    __syncthreads();
    out[i] = x;
}
