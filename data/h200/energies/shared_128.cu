/* Written by scripts/device/write-energies. */

extern "C" __global__ void shared_128(float *__restrict__ out, const float4 *__restrict__ of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i;
    __shared__ float4 s[1024];
    for (int j = threadIdx.x; j < 1024; j += blockDim.x)
    s[j] = of[j];
    __syncthreads();
    #pragma unroll 4
    for (int r = 0; r < n; r++) {
        float4 v = s[(threadIdx.x * 1 + r * 32) & 1023];
        x += v.x + v.y + v.z + v.w;
    }
    out[i] = x;
}
