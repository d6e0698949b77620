/* A stencil that a block repeats in time: in shared memory with a halo, or in global memory.  Written by scripts/device/write-generated. */

extern "C" __global__ void time_loop_1(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 1 + threadIdx.x; i < (blockIdx.x + 1) * n - 1; i += 256)
        b[i] = 0.3f * (a[i + -1] + a[i + 0] + a[i + 1]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_3(const float *__restrict__ a, float *__restrict__ b, int steps)
{
    __shared__ float s[2][66];
    int t = threadIdx.x + 1, i = blockIdx.x * 64 + threadIdx.x;
    s[0][t] = a[i];
    if (threadIdx.x < 1) {
        s[0][threadIdx.x] = s[1][threadIdx.x] = 0;
        s[0][t + 64] = s[1][t + 64] = 0;
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

extern "C" __global__ void time_loop_5(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 3 + threadIdx.x; i < (blockIdx.x + 1) * n - 3; i += 64)
        b[i] = 0.3f * (a[i + -3] + a[i + -2] + a[i + -1] + a[i + 0] + a[i + 1] + a[i + 2] + a[i + 3]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_7(const float *__restrict__ a, float *__restrict__ b, int steps)
{
    __shared__ float s[2][262];
    int t = threadIdx.x + 3, i = blockIdx.x * 256 + threadIdx.x;
    s[0][t] = a[i];
    if (threadIdx.x < 3) {
        s[0][threadIdx.x] = s[1][threadIdx.x] = 0;
        s[0][t + 256] = s[1][t + 256] = 0;
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

extern "C" __global__ void time_loop_9(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 3 + threadIdx.x; i < (blockIdx.x + 1) * n - 3; i += 256)
        b[i] = 0.3f * (a[i + -3] + a[i + -2] + a[i + -1] + a[i + 0] + a[i + 1] + a[i + 2] + a[i + 3]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_11(const float *__restrict__ a, float *__restrict__ b, int steps)
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

extern "C" __global__ void time_loop_13(const float *__restrict__ a, float *__restrict__ b, int steps)
{
    __shared__ float s[2][262];
    int t = threadIdx.x + 3, i = blockIdx.x * 256 + threadIdx.x;
    s[0][t] = a[i];
    if (threadIdx.x < 3) {
        s[0][threadIdx.x] = s[1][threadIdx.x] = 0;
        s[0][t + 256] = s[1][t + 256] = 0;
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

extern "C" __global__ void time_loop_15(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 2 + threadIdx.x; i < (blockIdx.x + 1) * n - 2; i += 64)
        b[i] = 0.3f * (a[i + -2] + a[i + -1] + a[i + 0] + a[i + 1] + a[i + 2]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_17(const float *__restrict__ a, float *__restrict__ b, int steps)
{
    __shared__ float s[2][70];
    int t = threadIdx.x + 3, i = blockIdx.x * 64 + threadIdx.x;
    s[0][t] = a[i];
    if (threadIdx.x < 3) {
        s[0][threadIdx.x] = s[1][threadIdx.x] = 0;
        s[0][t + 64] = s[1][t + 64] = 0;
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

extern "C" __global__ void time_loop_19(const float *__restrict__ a, float *__restrict__ b, int steps)
{
    __shared__ float s[2][68];
    int t = threadIdx.x + 2, i = blockIdx.x * 64 + threadIdx.x;
    s[0][t] = a[i];
    if (threadIdx.x < 2) {
        s[0][threadIdx.x] = s[1][threadIdx.x] = 0;
        s[0][t + 64] = s[1][t + 64] = 0;
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

extern "C" __global__ void time_loop_21(const float *__restrict__ a, float *__restrict__ b, int steps)
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

extern "C" __global__ void time_loop_23(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 3 + threadIdx.x; i < (blockIdx.x + 1) * n - 3; i += 256)
        b[i] = 0.3f * (a[i + -3] + a[i + -2] + a[i + -1] + a[i + 0] + a[i + 1] + a[i + 2] + a[i + 3]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_25(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 2 + threadIdx.x; i < (blockIdx.x + 1) * n - 2; i += 256)
        b[i] = 0.3f * (a[i + -2] + a[i + -1] + a[i + 0] + a[i + 1] + a[i + 2]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_27(const float *__restrict__ a, float *__restrict__ b, int steps)
{
    __shared__ float s[2][70];
    int t = threadIdx.x + 3, i = blockIdx.x * 64 + threadIdx.x;
    s[0][t] = a[i];
    if (threadIdx.x < 3) {
        s[0][threadIdx.x] = s[1][threadIdx.x] = 0;
        s[0][t + 64] = s[1][t + 64] = 0;
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

extern "C" __global__ void time_loop_29(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 2 + threadIdx.x; i < (blockIdx.x + 1) * n - 2; i += 64)
        b[i] = 0.3f * (a[i + -2] + a[i + -1] + a[i + 0] + a[i + 1] + a[i + 2]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_31(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 1 + threadIdx.x; i < (blockIdx.x + 1) * n - 1; i += 128)
        b[i] = 0.3f * (a[i + -1] + a[i + 0] + a[i + 1]) + 0.1f * b[i];
        __syncthreads();
    }
}

extern "C" __global__ void time_loop_33(const float *__restrict__ a, float *__restrict__ b, int steps, int n)
{
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x * n + 2 + threadIdx.x; i < (blockIdx.x + 1) * n - 2; i += 128)
        b[i] = 0.3f * (a[i + -2] + a[i + -1] + a[i + 0] + a[i + 1] + a[i + 2]) + 0.1f * b[i];
        __syncthreads();
    }
}
