/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_048(int *__restrict__ out, int rounds, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i & 63;
    for (int o = 0; o < rounds; o++) {
        int y01 = x + 1;
        int y02 = x + 2;
        int y03 = x + 3;
        #pragma unroll 1
        for (int r = 0; r < n0; r++) {
            x = (x << 1) ^ (int)(3);
            x = (x << 1) ^ (int)(7);
            y01 = (y01 << 1) ^ (int)(3);
            y01 = y01 - (int)(3);
            y02 = y02 * 9 + (int)(7);
            y02 = y02 - (int)(9);
            y03 = y03 - (int)(3);
            y03 = y03 * 9 + (int)(3);
        }
        x += y01;
        x += y02;
        x += y03;
        #pragma unroll 1
        for (int r = 0; r < n1; r++) {
            x = min(x, (int)(5)) + 1;
        }
    }
    out[i] = x;
}
