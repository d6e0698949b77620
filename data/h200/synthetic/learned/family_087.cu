/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_087(float *__restrict__ out, int rounds, int n0, float *__restrict__ w1, int n1, int n2, const float *__restrict__ a2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float x = i & 63;
    for (int o = 0; o < rounds; o++) {
        __shared__ float s0[1024];
        for (int j = threadIdx.x; j < 1024; j += blockDim.x)
        s0[j] = x + j;
        __syncthreads();
        for (int r = 0; r < n0; r++) {
            x = max(x, (float)(s0[(threadIdx.x * 33 + r) & 1023])) * 0.75f;
        }
        __syncthreads();
        for (int r = 0; r < n1; r++) {
            x = (x + (float)(r)) * 0.75f;
            w1[r * threads + i] = x;
        }
        for (int r = 0; r < n2; r++)
        x = max(x, (float)(a2[(r + (threadIdx.x & 0)) & 63])) * 0.5f;
    }
    out[i] = x;
}
