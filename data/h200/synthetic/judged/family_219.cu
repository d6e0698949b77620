/* Written by scripts/device/write-synthetic. */

__constant__ float family_219_table1[256];
extern "C" __global__ void family_219(float *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        if ((threadIdx.x & 63) < 44) {
            x = x * 0.75f + (float)(0.25f);
            x = max(x, (float)(0.25f)) * 0.75f;
            x = (x + (float)(0.75f)) * 0.25f;
            x = x * 0.75f + (float)(0.75f);
            x = x * 0.75f + (float)(0.75f);
            x = max(x, (float)(0.5f)) * 0.25f;
        } else {
            x = x * 0.75f + (float)(0.25f);
            x = x * 0.25f + (float)(0.5f);
            x = max(x, (float)(i)) * 0.5f;
        }
    }
    for (int r = 0; r < n1; r++)
    x = (x + (float)(family_219_table1[(r + (threadIdx.x & 1)) & 255])) * 0.25f;
    out[i] = x;
}
