/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_063(float *__restrict__ out, float *__restrict__ w0, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        x = max(x, (float)(r)) * 0.75f;
        atomicAdd(&w0[(i + r) & 65535], x);
    }
    out[i] = x;
}
