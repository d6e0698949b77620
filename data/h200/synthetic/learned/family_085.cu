/* Written by scripts/device/write-synthetic. */

extern "C" __global__ void family_085(double *__restrict__ out, int rounds, int n0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = i & 63;
    for (int o = 0; o < rounds; o++) {
        double y01 = x + 1;
        double y02 = x + 2;
        double y03 = x + 3;
        double y04 = x + 4;
        double y05 = x + 5;
        double y06 = x + 6;
        double y07 = x + 7;
        #pragma unroll 1
        for (int r = 0; r < n0; r++) {
            x = max(x, (double)(0.25)) * 0.5;
            x = x * 0.25 + (double)(0.25);
            x = x * 0.5 + (double)(0.5);
            x = x * 0.25 + (double)(0.25);
            y01 = (y01 + (double)(0.25)) * 0.5;
            y01 = max(y01, (double)(0.5)) * 0.5;
            y01 = y01 * 0.25 + (double)(0.5);
            y01 = y01 * 0.25 + (double)(0.5);
            y02 = max(y02, (double)(0.5)) * 0.5;
            y02 = max(y02, (double)(0.25)) * 0.5;
            y02 = max(y02, (double)(0.5)) * 0.5;
            y02 = (y02 + (double)(0.25)) * 0.25;
            y03 = y03 * 0.5 + (double)(0.5);
            y03 = y03 * 0.5 + (double)(0.5);
            y03 = y03 * 0.5 + (double)(0.25);
            y03 = (y03 + (double)(0.5)) * 0.5;
            y04 = y04 * 0.25 + (double)(0.5);
            y04 = y04 * 0.5 + (double)(0.25);
            y04 = (y04 + (double)(0.25)) * 0.25;
            y04 = y04 * 0.25 + (double)(0.5);
            y05 = y05 * 0.25 + (double)(0.25);
            y05 = max(y05, (double)(0.5)) * 0.5;
            y05 = y05 * 0.5 + (double)(0.25);
            y05 = (y05 + (double)(0.5)) * 0.5;
            y06 = y06 * 0.5 + (double)(0.5);
            y06 = (y06 + (double)(0.25)) * 0.5;
            y06 = max(y06, (double)(0.25)) * 0.5;
            y06 = max(y06, (double)(0.5)) * 0.5;
            y07 = y07 * 0.25 + (double)(0.5);
            y07 = (y07 + (double)(0.25)) * 0.5;
            y07 = max(y07, (double)(0.25)) * 0.5;
            y07 = y07 * 0.5 + (double)(0.5);
        }
        x += y01;
        x += y02;
        x += y03;
        x += y04;
        x += y05;
        x += y06;
        x += y07;
    }
    out[i] = x;
}
