/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_247(int *__restrict__ out, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i & 63;
    int y01 = x + 1;
    #pragma unroll 1
    for (int r = 0; r < n0; r++) {
        x = (x << 1) ^ (int)(7);
        x = x * 9 + (int)(5);
        x = x - (int)(7);
        x = x - (int)(3);
        y01 = min(y01, (int)(7)) + 1;
        y01 = y01 * 3 + (int)(5);
        y01 = y01 * 9 + (int)(9);
        y01 = y01 - (int)(3);
    }
    x += y01;
    out[i] = x;
}
