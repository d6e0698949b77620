/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_144(float *__restrict__ out, int rounds, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        for (int r = 0; r < n0; r++)
        for (int j = 0; j <= (blockIdx.x & 15); j++)
        x = x * 0.75f + (float)(j);
        for (int r = 0; r < n1; r++) {
            if ((threadIdx.x & 63) < 24) {
                x = x * 0.5f + (float)(0.25f);
            } else {
                x = x * 0.75f + (float)(0.75f);
                x = max(x, (float)(0.5f)) * 0.75f;
                x = x * 0.25f + (float)(i);
            }
        }
        __shared__ float s2[2048];
        for (int j = threadIdx.x; j < 2048; j += blockDim.x)
        s2[j] = x + j;
        __syncthreads();
        for (int r = 0; r < n2; r++) {
            x = x * 0.75f + (float)(s2[(threadIdx.x * 3 + r) & 2047]);
        }
        __syncthreads();
    }
    out[i] = x;
}
