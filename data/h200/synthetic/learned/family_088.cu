/* Written by scripts/device/write-synthetic. */

static __shared__ float family_088_tree0[1024];
extern "C" __global__ void family_088(float *__restrict__ out, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        family_088_tree0[threadIdx.x] = x;
        __syncthreads();
        for (int d = blockDim.x / 2; d > 0; d /= 2) {
            if (threadIdx.x < d)
            family_088_tree0[threadIdx.x] += family_088_tree0[threadIdx.x + d];
            __syncthreads();
        }
        x = family_088_tree0[0] * 0.001f + threadIdx.x;
        __syncthreads();
    }
    __shared__ float s1[2048];
    for (int j = threadIdx.x; j < 2048; j += blockDim.x)
    s1[j] = x + j;
    __syncthreads();
    for (int r = 0; r < n1; r++) {
        x = x * 0.25f + (float)(s1[(threadIdx.x * 33 + r) & 2047]);
    }
    __syncthreads();
    float y21 = x + 1;
    #pragma unroll 1
    for (int r = 0; r < n2; r++) {
        x = (x + (float)(0.5f)) * 0.25f;
        x = x * 0.25f + (float)(0.5f);
        x = max(x, (float)(0.75f)) * 0.5f;
        y21 = y21 * 0.75f + (float)(0.25f);
        y21 = y21 * 0.75f + (float)(0.75f);
        y21 = max(y21, (float)(0.25f)) * 0.25f;
    }
    x += y21;
    out[i] = x;
}
