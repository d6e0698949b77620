/* Written by scripts/device/write-energies. */

extern "C" __global__ void shared_two_ways(float *__restrict__ out, const float *__restrict__ of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i;
    __shared__ float s[4096];
    for (int j = threadIdx.x; j < 4096; j += blockDim.x)
    s[j] = of[j];
    __syncthreads();
    #pragma unroll 4
    for (int r = 0; r < n; r++) {
        x += s[(threadIdx.x * 2 + r * 32) & 4095];
    }
    out[i] = x;
}
