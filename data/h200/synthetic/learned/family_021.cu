/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_021(int *__restrict__ out, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i & 63;
    int y01 = x + 1;
    #pragma unroll 4
    for (int r = 0; r < n0; r++) {
        x = (x << 1) ^ (int)(9);
        x = min(x, (int)(9)) + 1;
        x = x * 3 + (int)(5);
        x = (x << 1) ^ (int)(5);
        y01 = y01 - (int)(9);
        y01 = min(y01, (int)(9)) + 1;
        y01 = min(y01, (int)(5)) + 1;
        y01 = (y01 << 1) ^ (int)(9);
    }
    x += y01;
    out[i] = x;
}
