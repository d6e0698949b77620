/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_133(int *__restrict__ out, int rounds, int n0, int n1, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i & 63;
    for (int o = 0; o < rounds; o++) {
        int y01 = x + 1;
        #pragma unroll 4
        for (int r = 0; r < n0; r++) {
            x = x * 3 + (int)(7);
            x = (x << 1) ^ (int)(5);
            x = (x << 1) ^ (int)(7);
            x = (x << 1) ^ (int)(9);
            y01 = y01 - (int)(3);
            y01 = min(y01, (int)(3)) + 1;
            y01 = y01 * 7 + (int)(5);
            y01 = y01 - (int)(9);
        }
        x += y01;
        __shared__ int s1[2048];
        for (int j = threadIdx.x; j < 2048; j += blockDim.x)
        s1[j] = x + j;
        __syncthreads();
        for (int r = 0; r < n1; r++) {
            x = x - (int)(s1[(threadIdx.x * 1 + r) & 2047]);
            __syncthreads();
            s1[(threadIdx.x + r) & 2047] = x;
            __syncthreads();
        }
        __syncthreads();
        int y21 = x + 1;
        int y22 = x + 2;
        int y23 = x + 3;
        int y24 = x + 4;
        int y25 = x + 5;
        int y26 = x + 6;
        int y27 = x + 7;
        #pragma unroll 4
        for (int r = 0; r < n2; r++) {
            x = (x << 1) ^ (int)(3);
            x = min(x, (int)(5)) + 1;
            x = x * 7 + (int)(5);
            y21 = (y21 << 1) ^ (int)(3);
            y21 = y21 - (int)(7);
            y21 = min(y21, (int)(7)) + 1;
            y22 = y22 * 9 + (int)(5);
            y22 = y22 - (int)(9);
            y22 = y22 - (int)(5);
            y23 = (y23 << 1) ^ (int)(9);
            y23 = min(y23, (int)(5)) + 1;
            y23 = y23 * 5 + (int)(7);
            y24 = y24 * 7 + (int)(7);
            y24 = min(y24, (int)(3)) + 1;
            y24 = (y24 << 1) ^ (int)(3);
            y25 = y25 - (int)(7);
            y25 = y25 - (int)(9);
            y25 = y25 * 7 + (int)(9);
            y26 = min(y26, (int)(7)) + 1;
            y26 = min(y26, (int)(5)) + 1;
            y26 = y26 - (int)(5);
            y27 = (y27 << 1) ^ (int)(3);
            y27 = y27 - (int)(5);
            y27 = y27 - (int)(7);
        }
        x += y21;
        x += y22;
        x += y23;
        x += y24;
        x += y25;
        x += y26;
        x += y27;
    }
    out[i] = x;
}
