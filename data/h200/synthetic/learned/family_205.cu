/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_205(float *__restrict__ out, int n0, int n1, float *__restrict__ w2, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++)
    x = __expf(-x * x) + 0.5f;
    __shared__ float s1[1024];
    for (int j = threadIdx.x; j < 1024; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = max(x, (float)(s1[(threadIdx.x * 3 + r) & 1023])) * 0.25f;
    }
    __syncthreads();
    for (int r = 0; r < n2; r++) {
        x = (x + (float)(r)) * 0.75f;
        atomicAdd(&w2[(i + r) & 31], x);
    }
    out[i] = x;
}
