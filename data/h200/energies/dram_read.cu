/* Written by scripts/device/write-energies. */

extern "C" __global__ void dram_read(float *__restrict__ out, const float4 *__restrict__ of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i;
    #pragma unroll 4
    for (int r = 0; r < n; r++) {
        float4 v = __ldcg(&of[(i + r * threads) & 33554431]);
        x += v.x + v.y + v.z + v.w;
    }
    out[i] = x;
}
