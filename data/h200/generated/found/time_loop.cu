/* A stencil that a block repeats in time: in shared memory with a halo, or in global memory.  Written by scripts/device/write-generated. */

extern "C" __global__ void time_loop_0(const float *__restrict__ a, float *__restrict__ b, int steps)
{
    __shared__ float s[2][260];
    int t = threadIdx.x + 2, i = blockIdx.x * 256 + threadIdx.x;
    s[0][t] = a[i];
    if (threadIdx.x < 2) {
        s[0][threadIdx.x] = s[1][threadIdx.x] = 0;
        s[0][t + 256] = s[1][t + 256] = 0;
    }
    __syncthreads();
    int from = 0;
    for (int step = 0; step < steps; step++) {
        float x = s[from][t + -2] + s[from][t + -1] + s[from][t + 0] + s[from][t + 1] + s[from][t + 2];
        s[1 - from][t] = x * 0.3f;
        from = 1 - from;
        __syncthreads();
    }
    b[i] = s[from][t];
}

extern "C" __global__ void time_loop_2(const float *__restrict__ a, float *__restrict__ b, int steps)
{
    __shared__ float s[2][258];
    int t = threadIdx.x + 1, i = blockIdx.x * 256 + threadIdx.x;
    s[0][t] = a[i];
    if (threadIdx.x < 1) {
        s[0][threadIdx.x] = s[1][threadIdx.x] = 0;
        s[0][t + 256] = s[1][t + 256] = 0;
    }
    __syncthreads();
    int from = 0;
    for (int step = 0; step < steps; step++) {
        float x = s[from][t + -1] + s[from][t + 0] + s[from][t + 1];
        s[1 - from][t] = x * 0.3f;
        from = 1 - from;
        __syncthreads();
    }
    b[i] = s[from][t];
}

extern "C" __global__ void time_loop_4(const float *__restrict__ a, float *__restrict__ b, int steps)
{
    __shared__ float s[2][134];
    int t = threadIdx.x + 3, i = blockIdx.x * 128 + threadIdx.x;
    s[0][t] = a[i];
    if (threadIdx.x < 3) {
        s[0][threadIdx.x] = s[1][threadIdx.x] = 0;
        s[0][t + 128] = s[1][t + 128] = 0;
    }
    __syncthreads();
    int from = 0;
    for (int step = 0; step < steps; step++) {
        float x = s[from][t + -3] + s[from][t + -2] + s[from][t + -1] + s[from][t + 0] + s[from][t + 1] + s[from][t + 2] + s[from][t + 3];
        s[1 - from][t] = x * 0.3f;
        from = 1 - from;
        __syncthreads();
    }
    b[i] = s[from][t];
}

extern "C" __global__ void time_loop_6(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 2 + threadIdx.x; i < (blockIdx.x + 1) * n - 2; i += 256)
        b[i] = 0.3f * (a[i + -2] + a[i + -1] + a[i + 0] + a[i + 1] + a[i + 2]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_8(const float *__restrict__ a, float *__restrict__ b, int steps)
{
    __shared__ float s[2][260];
    int t = threadIdx.x + 2, i = blockIdx.x * 256 + threadIdx.x;
    s[0][t] = a[i];
    if (threadIdx.x < 2) {
        s[0][threadIdx.x] = s[1][threadIdx.x] = 0;
        s[0][t + 256] = s[1][t + 256] = 0;
    }
    __syncthreads();
    int from = 0;
    for (int step = 0; step < steps; step++) {
        float x = s[from][t + -2] + s[from][t + -1] + s[from][t + 0] + s[from][t + 1] + s[from][t + 2];
        s[1 - from][t] = x * 0.3f;
        from = 1 - from;
        __syncthreads();
    }
    b[i] = s[from][t];
}

extern "C" __global__ void time_loop_10(const float *__restrict__ a, float *__restrict__ b, int steps)
{
    __shared__ float s[2][134];
    int t = threadIdx.x + 3, i = blockIdx.x * 128 + threadIdx.x;
    s[0][t] = a[i];
    if (threadIdx.x < 3) {
        s[0][threadIdx.x] = s[1][threadIdx.x] = 0;
        s[0][t + 128] = s[1][t + 128] = 0;
    }
    __syncthreads();
    int from = 0;
    for (int step = 0; step < steps; step++) {
        float x = s[from][t + -3] + s[from][t + -2] + s[from][t + -1] + s[from][t + 0] + s[from][t + 1] + s[from][t + 2] + s[from][t + 3];
        s[1 - from][t] = x * 0.3f;
        from = 1 - from;
        __syncthreads();
    }
    b[i] = s[from][t];
}

extern "C" __global__ void time_loop_12(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 1 + threadIdx.x; i < (blockIdx.x + 1) * n - 1; i += 128)
        b[i] = 0.3f * (a[i + -1] + a[i + 0] + a[i + 1]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_14(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 3 + threadIdx.x; i < (blockIdx.x + 1) * n - 3; i += 128)
        b[i] = 0.3f * (a[i + -3] + a[i + -2] + a[i + -1] + a[i + 0] + a[i + 1] + a[i + 2] + a[i + 3]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_16(const float *__restrict__ a, float *__restrict__ b, int steps)
{
    __shared__ float s[2][132];
    int t = threadIdx.x + 2, i = blockIdx.x * 128 + threadIdx.x;
    s[0][t] = a[i];
    if (threadIdx.x < 2) {
        s[0][threadIdx.x] = s[1][threadIdx.x] = 0;
        s[0][t + 128] = s[1][t + 128] = 0;
    }
    __syncthreads();
    int from = 0;
    for (int step = 0; step < steps; step++) {
        float x = s[from][t + -2] + s[from][t + -1] + s[from][t + 0] + s[from][t + 1] + s[from][t + 2];
        s[1 - from][t] = x * 0.3f;
        from = 1 - from;
        __syncthreads();
    }
    b[i] = s[from][t];
}

extern "C" __global__ void time_loop_18(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 1 + threadIdx.x; i < (blockIdx.x + 1) * n - 1; i += 256)
        b[i] = 0.3f * (a[i + -1] + a[i + 0] + a[i + 1]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_20(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 3 + threadIdx.x; i < (blockIdx.x + 1) * n - 3; i += 128)
        b[i] = 0.3f * (a[i + -3] + a[i + -2] + a[i + -1] + a[i + 0] + a[i + 1] + a[i + 2] + a[i + 3]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_22(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 3 + threadIdx.x; i < (blockIdx.x + 1) * n - 3; i += 128)
        b[i] = 0.3f * (a[i + -3] + a[i + -2] + a[i + -1] + a[i + 0] + a[i + 1] + a[i + 2] + a[i + 3]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_24(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 2 + threadIdx.x; i < (blockIdx.x + 1) * n - 2; i += 256)
        b[i] = 0.3f * (a[i + -2] + a[i + -1] + a[i + 0] + a[i + 1] + a[i + 2]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_26(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 2 + threadIdx.x; i < (blockIdx.x + 1) * n - 2; i += 128)
        b[i] = 0.3f * (a[i + -2] + a[i + -1] + a[i + 0] + a[i + 1] + a[i + 2]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_28(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 1 + threadIdx.x; i < (blockIdx.x + 1) * n - 1; i += 256)
        b[i] = 0.3f * (a[i + -1] + a[i + 0] + a[i + 1]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_30(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 1 + threadIdx.x; i < (blockIdx.x + 1) * n - 1; i += 128)
        b[i] = 0.3f * (a[i + -1] + a[i + 0] + a[i + 1]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_32(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 3 + threadIdx.x; i < (blockIdx.x + 1) * n - 3; i += 256)
        b[i] = 0.3f * (a[i + -3] + a[i + -2] + a[i + -1] + a[i + 0] + a[i + 1] + a[i + 2] + a[i + 3]) + 0.1f * b[i];
        __syncthreads();
    }
}
