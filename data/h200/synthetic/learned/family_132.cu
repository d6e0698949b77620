/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_132(int *__restrict__ out, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i & 63;
    int y01 = x + 1;
    int y02 = x + 2;
    int y03 = x + 3;
    #pragma unroll 4
    for (int r = 0; r < n0; r++) {
        x = min(x, (int)(7)) + 1;
        y01 = y01 * 9 + (int)(5);
        y02 = min(y02, (int)(7)) + 1;
        y03 = min(y03, (int)(9)) + 1;
    }
    x += y01;
    x += y02;
    x += y03;
    out[i] = x;
}
