/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_202(int *__restrict__ out, int rounds, const int *__restrict__ a0u, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i & 63;
    for (int o = 0; o < rounds; o++) {
        #pragma unroll 1
        for (int r = 0; r < n0; r++)
        x = (x << 1) ^ (int)(a0u[r]);
        for (int r = 0; r < n1; r++) {
            if ((threadIdx.x & 3) < 1) {
                x = x * 7 + (int)(3);
                x = x * 5 + (int)(3);
                x = x * 3 + (int)(5);
                x = x * 5 + (int)(5);
            } else {
                x = (x << 1) ^ (int)(7);
                x = x - (int)(5);
                x = x * 5 + (int)(9);
                x = (x << 1) ^ (int)(7);
                x = x - (int)(3);
                x = (x << 1) ^ (int)(i);
            }
        }
    }
    out[i] = x;
}
