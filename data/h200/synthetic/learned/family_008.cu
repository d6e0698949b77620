/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_008(int *__restrict__ out, int *__restrict__ w0, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i & 63;
    for (int r = 0; r < n0; r++) {
        x = (x << 1) ^ (int)(r);
        atomicAdd(&w0[(i + r) & 31], x);
    }
    out[i] = x;
}
