/* A stencil of five points, STEPS steps in time by one launch: a block loads BX x BY PY points, its
 * threads PY rows each, and goes on in shared memory; of the points, STEPS on each side are not right
 * any more.  Judge by the time of a step, seconds / STEPS. */
#ifndef BX
#define BX 64
#define BY 4
#define PY 4
#define STEPS 2
#endif

extern "C" __global__ void __launch_bounds__(BX * BY)
temporal(const float *__restrict__ a, float *__restrict__ b, int n)
{
    __shared__ float s[2][BY * PY][BX];
    const int x = blockIdx.x * (BX - 2 * STEPS) + threadIdx.x, y0 = blockIdx.y * (BY * PY - 2 * STEPS);
    const int tx = threadIdx.x;
    for (int j = threadIdx.y; j < BY * PY; j += BY)
        s[0][j][tx] = x < n && y0 + j < n ? a[(y0 + j) * n + x] : 0.0f;
    __syncthreads();
    int from = 0;
#pragma unroll
    for (int step = 0; step < STEPS; step++) {
        for (int j = threadIdx.y; j < BY * PY; j += BY)
            if (tx > step && tx < BX - 1 - step && j > step && j < BY * PY - 1 - step)
                s[1 - from][j][tx] = 0.2f * (s[from][j][tx] + s[from][j][tx - 1] + s[from][j][tx + 1] +
                                             s[from][j - 1][tx] + s[from][j + 1][tx]);
        __syncthreads();
        from = 1 - from;
    }
    for (int j = threadIdx.y; j < BY * PY; j += BY)
        if (tx >= STEPS && tx < BX - STEPS && j >= STEPS && j < BY * PY - STEPS && x < n && y0 + j < n)
            b[(y0 + j) * n + x] = s[from][j][tx];
}
