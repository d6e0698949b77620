/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_185(int *__restrict__ out, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i & 63;
    int y01 = x + 1;
    int y02 = x + 2;
    int y03 = x + 3;
    #pragma unroll 1
    for (int r = 0; r < n0; r++) {
        x = x - (int)(9);
        x = (x << 1) ^ (int)(9);
        x = (x << 1) ^ (int)(7);
        y01 = (y01 << 1) ^ (int)(5);
        y01 = min(y01, (int)(7)) + 1;
        y01 = y01 - (int)(3);
        y02 = y02 - (int)(7);
        y02 = y02 * 5 + (int)(7);
        y02 = y02 - (int)(5);
        y03 = y03 - (int)(7);
        y03 = y03 - (int)(5);
        y03 = min(y03, (int)(5)) + 1;
    }
    x += y01;
    x += y02;
    x += y03;
    #pragma unroll 16
    for (int r = 0; r < n1; r++) {
        x = min(x, (int)(9)) + 1;
    }
    for (int r = 0; r < n2; r++) {
        for (int d = 16; d > 0; d /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, d);
        x = x & 1023;
    }
    out[i] = x;
}
