/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_019(int *__restrict__ out, int rounds, int n0, int *__restrict__ w1, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    int x = i & 63;
    for (int o = 0; o < rounds; o++) {
        #pragma unroll 4
        for (int r = 0; r < n0; r++) {
            x = x * 7 + (int)(7);
            x = min(x, (int)(3)) + 1;
            x = x - (int)(3);
            x = x * 9 + (int)(9);
        }
        for (int r = 0; r < n1; r++) {
            x = x - (int)(r);
            w1[r * threads + i] = x;
        }
    }
    out[i] = x;
}
