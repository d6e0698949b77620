/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_084(float *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    __shared__ float s0[2048];
    for (int j = threadIdx.x; j < 2048; j += blockDim.x)
    s0[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n0; r++) {
        x = max(x, (float)(s0[(threadIdx.x * 1 + r) & 2047])) * 0.75f;
    }
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        for (int d = 16; d > 0; d /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, d);
        x = x * 0.5f;
    }
    out[i] = x;
}
