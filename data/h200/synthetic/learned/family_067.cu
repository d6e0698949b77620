/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_067(int *__restrict__ out, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i & 63;
    for (int r = 0; r < n0; r++) {
        if ((threadIdx.x & 7) < 1) {
            x = x * 5 + (int)(7);
            x = x - (int)(9);
        } else {
            x = x * 9 + (int)(9);
            x = x - (int)(9);
            x = min(x, (int)(i)) + 1;
        }
    }
    for (int r = 0; r < n1; r++) {
        if ((threadIdx.x & 1) == 1) {
            x = x - (int)(3);
            x = (x << 1) ^ (int)(3);
        } else {
            x = min(x, (int)(3)) + 1;
            x = x - (int)(9);
            x = x * 9 + (int)(i);
        }
    }
    __shared__ int s2[4096];
    for (int j = threadIdx.x; j < 4096; j += blockDim.x)
    s2[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n2; r++) {
        x = x * 5 + (int)(s2[(threadIdx.x * 1 + r) & 4095]);
        __syncthreads();
        s2[(threadIdx.x + r) & 4095] = x;
        __syncthreads();
    }
    __syncthreads();
    out[i] = x;
}
