/* Written by scripts/device/write-synthetic. */

__constant__ float family_083_table1[64];
extern "C" __global__ void family_083(float *__restrict__ out, int n0, int n1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i & 63;
    for (int r = 0; r < n0; r++) {
        if ((threadIdx.x & 3) < 1) {
            x = max(x, (float)(0.75f)) * 0.75f;
            x = (x + (float)(0.75f)) * 0.75f;
            x = x * 0.5f + (float)(0.75f);
        } else {
            x = x * 0.25f + (float)(0.25f);
            x = x * 0.25f + (float)(0.5f);
            x = x * 0.5f + (float)(0.75f);
            x = x * 0.5f + (float)(i);
        }
    }
    for (int r = 0; r < n1; r++)
    x = x * 0.5f + (float)(family_083_table1[(r + (threadIdx.x & 1)) & 63]);
    out[i] = x;
}
