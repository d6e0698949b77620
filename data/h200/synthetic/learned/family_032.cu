/* Written by scripts/device/write-synthetic. */

__constant__ int family_032_table1[256];
extern "C" __global__ void family_032(int *__restrict__ out, int rounds, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i & 63;
    for (int o = 0; o < rounds; o++) {
        #pragma unroll 1
        for (int r = 0; r < n0; r++) {
            x = (x << 1) ^ (int)(3);
            x = min(x, (int)(7)) + 1;
        }
        for (int r = 0; r < n1; r++)
        x = (x << 1) ^ (int)(family_032_table1[(r + (threadIdx.x & 0)) & 255]);
    }
    out[i] = x;
}
