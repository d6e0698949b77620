/* Written by scripts/device/write-energies. */

extern "C" __global__ void l1_strided(float *__restrict__ out, const float *__restrict__ of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i;
    #pragma unroll 4
    for (int r = 0; r < n; r++) {
        x += of[(threadIdx.x * 8 + r * 32) & 4095];
    }
    out[i] = x;
}
