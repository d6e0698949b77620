/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_235(int *__restrict__ out, int rounds, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i & 63;
    for (int o = 0; o < rounds; o++) {
        int y01 = x + 1;
        int y02 = x + 2;
        int y03 = x + 3;
        #pragma unroll 4
        for (int r = 0; r < n0; r++) {
            x = (x << 1) ^ (int)(5);
            x = (x << 1) ^ (int)(5);
            x = (x << 1) ^ (int)(3);
            y01 = y01 - (int)(9);
            y01 = y01 - (int)(7);
            y01 = (y01 << 1) ^ (int)(9);
            y02 = y02 * 5 + (int)(5);
            y02 = y02 - (int)(9);
            y02 = y02 - (int)(5);
            y03 = y03 * 5 + (int)(9);
            y03 = (y03 << 1) ^ (int)(7);
            y03 = y03 - (int)(3);
        }
        x += y01;
        x += y02;
        x += y03;
    }
    out[i] = x;
}
