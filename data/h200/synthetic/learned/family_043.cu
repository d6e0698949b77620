/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_043(int *__restrict__ out, int n0, int *__restrict__ w1, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    int x = i & 63;
    for (int r = 0; r < n0; r++) {
        if ((threadIdx.x & 7) == 2) {
            x = x - (int)(5);
            x = x - (int)(7);
            x = (x << 1) ^ (int)(9);
            x = x - (int)(9);
            x = (x << 1) ^ (int)(5);
            x = min(x, (int)(7)) + 1;
        } else {
            x = (x << 1) ^ (int)(i);
        }
    }
    for (int r = 0; r < n1; r++) {
        x = min(x, (int)(r)) + 1;
        w1[r * threads + i] = x;
    }
    out[i] = x;
}
