/* Written by scripts/device/write-energies. */

extern "C" __global__ void l1_128(float *__restrict__ out, const float4 *__restrict__ of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i;
    #pragma unroll 4
    for (int r = 0; r < n; r++) {
        float4 v = of[(threadIdx.x + r * 32) & 1023];
        x += v.x + v.y + v.z + v.w;
    }
    out[i] = x;
}
