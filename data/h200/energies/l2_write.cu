/* Written by scripts/device/write-energies. */

extern "C" __global__ void l2_write(float *__restrict__ out, float4 *__restrict__ of, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i;
    #pragma unroll 4
    for (int r = 0; r < n; r++) {
        of[(i + r * threads) & 1048575] = make_float4(x, r, x, i);
    }
    out[i] = x;
}
