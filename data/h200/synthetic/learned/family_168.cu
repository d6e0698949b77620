/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_168(float *__restrict__ out, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    float y01 = x + 1;
    #pragma unroll 1
    for (int r = 0; r < n0; r++) {
        x = max(x, (float)(0.5f)) * 0.5f;
        x = x * 0.75f + (float)(0.5f);
        x = x * 0.5f + (float)(0.5f);
        y01 = y01 * 0.5f + (float)(0.5f);
        y01 = max(y01, (float)(0.25f)) * 0.25f;
        y01 = y01 * 0.25f + (float)(0.25f);
    }
    x += y01;
    for (int r = 0; r < n1; r++)
    x = sinf(x) + 0.75f;
    __shared__ float s2[1024];
    for (int j = threadIdx.x; j < 1024; j += blockDim.x)
    s2[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n2; r++) {
        x = (x + (float)(s2[(threadIdx.x * 3 + r) & 1023])) * 0.75f;
        __syncthreads();
        s2[(threadIdx.x + r) & 1023] = x;
        __syncthreads();
    }
    __syncthreads();
    out[i] = x;
}
