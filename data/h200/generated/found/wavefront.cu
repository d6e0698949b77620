/* Small blocks that go over a tile by diagonals, a barrier at each.  Written by scripts/device/write-generated. */

extern "C" __global__ void wavefront_0(const int *__restrict__ a, int *__restrict__ out, int pitch, int penalty)
{
    __shared__ int s[33][34];
    int t = threadIdx.x;
    int base = blockIdx.y * 32 * pitch + blockIdx.x * 32;
    s[0][t + 1] = t;
    s[t + 1][0] = t;
    if (t == 0)
    s[0][0] = 0;
    for (int r = 0; r < 32; r++)
    s[r + 1][t + 1] = a[base + r * pitch + t];
    __syncthreads();
    for (int d = 0; d < 32; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int d = 30; d >= 0; d--) {
        if (t <= d) {
            int x = t + 32 - d, y = 32 - t;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < 32; r++)
    out[base + r * pitch + t] = s[r + 1][t + 1];
}

extern "C" __global__ void wavefront_2(const int *__restrict__ a, int *__restrict__ out, int pitch, int penalty)
{
    __shared__ int s[17][18];
    int t = threadIdx.x;
    int base = blockIdx.y * 16 * pitch + blockIdx.x * 16;
    s[0][t + 1] = t;
    s[t + 1][0] = t;
    if (t == 0)
    s[0][0] = 0;
    for (int r = 0; r < 16; r++)
    s[r + 1][t + 1] = a[base + r * pitch + t];
    __syncthreads();
    for (int d = 0; d < 16; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int d = 14; d >= 0; d--) {
        if (t <= d) {
            int x = t + 16 - d, y = 16 - t;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < 16; r++)
    out[base + r * pitch + t] = s[r + 1][t + 1];
}

extern "C" __global__ void wavefront_4(const int *__restrict__ a, int *__restrict__ out, int pitch, int penalty)
{
    __shared__ int s[33][34];
    int t = threadIdx.x;
    int base = blockIdx.y * 32 * pitch + blockIdx.x * 32;
    s[0][t + 1] = t;
    s[t + 1][0] = t;
    if (t == 0)
    s[0][0] = 0;
    for (int r = 0; r < 32; r++)
    s[r + 1][t + 1] = a[base + r * pitch + t];
    __syncthreads();
    for (int d = 0; d < 32; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int d = 30; d >= 0; d--) {
        if (t <= d) {
            int x = t + 32 - d, y = 32 - t;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < 32; r++)
    out[base + r * pitch + t] = s[r + 1][t + 1];
}

extern "C" __global__ void wavefront_6(const int *__restrict__ a, int *__restrict__ out, int pitch, int penalty)
{
    __shared__ int s[33][33];
    int t = threadIdx.x;
    int base = blockIdx.y * 32 * pitch + blockIdx.x * 32;
    s[0][t + 1] = t;
    s[t + 1][0] = t;
    if (t == 0)
    s[0][0] = 0;
    for (int r = 0; r < 32; r++)
    s[r + 1][t + 1] = a[base + r * pitch + t];
    __syncthreads();
    for (int d = 0; d < 32; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int d = 30; d >= 0; d--) {
        if (t <= d) {
            int x = t + 32 - d, y = 32 - t;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < 32; r++)
    out[base + r * pitch + t] = s[r + 1][t + 1];
}

extern "C" __global__ void wavefront_8(const int *__restrict__ a, int *__restrict__ out, int pitch, int penalty)
{
    __shared__ int s[65][66];
    int t = threadIdx.x;
    int base = blockIdx.y * 64 * pitch + blockIdx.x * 64;
    s[0][t + 1] = t;
    s[t + 1][0] = t;
    if (t == 0)
    s[0][0] = 0;
    for (int r = 0; r < 64; r++)
    s[r + 1][t + 1] = a[base + r * pitch + t];
    __syncthreads();
    for (int d = 0; d < 64; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int d = 62; d >= 0; d--) {
        if (t <= d) {
            int x = t + 64 - d, y = 64 - t;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < 64; r++)
    out[base + r * pitch + t] = s[r + 1][t + 1];
}

extern "C" __global__ void wavefront_10(const int *__restrict__ a, int *__restrict__ out, int pitch, int penalty)
{
    __shared__ int s[17][17];
    int t = threadIdx.x;
    int base = blockIdx.y * 16 * pitch + blockIdx.x * 16;
    s[0][t + 1] = t;
    s[t + 1][0] = t;
    if (t == 0)
    s[0][0] = 0;
    for (int r = 0; r < 16; r++)
    s[r + 1][t + 1] = a[base + r * pitch + t];
    __syncthreads();
    for (int d = 0; d < 16; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int d = 14; d >= 0; d--) {
        if (t <= d) {
            int x = t + 16 - d, y = 16 - t;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < 16; r++)
    out[base + r * pitch + t] = s[r + 1][t + 1];
}

extern "C" __global__ void wavefront_12(const int *__restrict__ a, int *__restrict__ out, int pitch, int penalty)
{
    __shared__ int s[33][34];
    int t = threadIdx.x;
    int base = blockIdx.y * 32 * pitch + blockIdx.x * 32;
    s[0][t + 1] = t;
    s[t + 1][0] = t;
    if (t == 0)
    s[0][0] = 0;
    for (int r = 0; r < 32; r++)
    s[r + 1][t + 1] = a[base + r * pitch + t];
    __syncthreads();
    for (int d = 0; d < 32; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int d = 30; d >= 0; d--) {
        if (t <= d) {
            int x = t + 32 - d, y = 32 - t;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < 32; r++)
    out[base + r * pitch + t] = s[r + 1][t + 1];
}

extern "C" __global__ void wavefront_14(const int *__restrict__ a, int *__restrict__ out, int pitch, int penalty)
{
    __shared__ int s[65][65];
    int t = threadIdx.x;
    int base = blockIdx.y * 64 * pitch + blockIdx.x * 64;
    s[0][t + 1] = t;
    s[t + 1][0] = t;
    if (t == 0)
    s[0][0] = 0;
    for (int r = 0; r < 64; r++)
    s[r + 1][t + 1] = a[base + r * pitch + t];
    __syncthreads();
    for (int d = 0; d < 64; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int d = 62; d >= 0; d--) {
        if (t <= d) {
            int x = t + 64 - d, y = 64 - t;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < 64; r++)
    out[base + r * pitch + t] = s[r + 1][t + 1];
}

extern "C" __global__ void wavefront_16(const int *__restrict__ a, int *__restrict__ out, int pitch, int penalty)
{
    __shared__ int s[17][18];
    int t = threadIdx.x;
    int base = blockIdx.y * 16 * pitch + blockIdx.x * 16;
    s[0][t + 1] = t;
    s[t + 1][0] = t;
    if (t == 0)
    s[0][0] = 0;
    for (int r = 0; r < 16; r++)
    s[r + 1][t + 1] = a[base + r * pitch + t];
    __syncthreads();
    for (int d = 0; d < 16; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int d = 14; d >= 0; d--) {
        if (t <= d) {
            int x = t + 16 - d, y = 16 - t;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < 16; r++)
    out[base + r * pitch + t] = s[r + 1][t + 1];
}

extern "C" __global__ void wavefront_18(const int *__restrict__ a, int *__restrict__ out, int pitch, int penalty)
{
    __shared__ int s[33][34];
    int t = threadIdx.x;
    int base = blockIdx.y * 32 * pitch + blockIdx.x * 32;
    s[0][t + 1] = t;
    s[t + 1][0] = t;
    if (t == 0)
    s[0][0] = 0;
    for (int r = 0; r < 32; r++)
    s[r + 1][t + 1] = a[base + r * pitch + t];
    __syncthreads();
    for (int d = 0; d < 32; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int d = 30; d >= 0; d--) {
        if (t <= d) {
            int x = t + 32 - d, y = 32 - t;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < 32; r++)
    out[base + r * pitch + t] = s[r + 1][t + 1];
}

extern "C" __global__ void wavefront_20(const int *__restrict__ a, int *__restrict__ out, int pitch, int penalty)
{
    __shared__ int s[17][17];
    int t = threadIdx.x;
    int base = blockIdx.y * 16 * pitch + blockIdx.x * 16;
    s[0][t + 1] = t;
    s[t + 1][0] = t;
    if (t == 0)
    s[0][0] = 0;
    for (int r = 0; r < 16; r++)
    s[r + 1][t + 1] = a[base + r * pitch + t];
    __syncthreads();
    for (int d = 0; d < 16; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int d = 14; d >= 0; d--) {
        if (t <= d) {
            int x = t + 16 - d, y = 16 - t;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < 16; r++)
    out[base + r * pitch + t] = s[r + 1][t + 1];
}

extern "C" __global__ void wavefront_22(const int *__restrict__ a, int *__restrict__ out, int pitch, int penalty)
{
    __shared__ int s[33][33];
    int t = threadIdx.x;
    int base = blockIdx.y * 32 * pitch + blockIdx.x * 32;
    s[0][t + 1] = t;
    s[t + 1][0] = t;
    if (t == 0)
    s[0][0] = 0;
    for (int r = 0; r < 32; r++)
    s[r + 1][t + 1] = a[base + r * pitch + t];
    __syncthreads();
    for (int d = 0; d < 32; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int d = 30; d >= 0; d--) {
        if (t <= d) {
            int x = t + 32 - d, y = 32 - t;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < 32; r++)
    out[base + r * pitch + t] = s[r + 1][t + 1];
}

extern "C" __global__ void wavefront_24(const int *__restrict__ a, int *__restrict__ out, int pitch, int penalty)
{
    __shared__ int s[33][34];
    int t = threadIdx.x;
    int base = blockIdx.y * 32 * pitch + blockIdx.x * 32;
    s[0][t + 1] = t;
    s[t + 1][0] = t;
    if (t == 0)
    s[0][0] = 0;
    for (int r = 0; r < 32; r++)
    s[r + 1][t + 1] = a[base + r * pitch + t];
    __syncthreads();
    for (int d = 0; d < 32; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int d = 30; d >= 0; d--) {
        if (t <= d) {
            int x = t + 32 - d, y = 32 - t;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < 32; r++)
    out[base + r * pitch + t] = s[r + 1][t + 1];
}

extern "C" __global__ void wavefront_26(const int *__restrict__ a, int *__restrict__ out, int pitch, int penalty)
{
    __shared__ int s[33][33];
    int t = threadIdx.x;
    int base = blockIdx.y * 32 * pitch + blockIdx.x * 32;
    s[0][t + 1] = t;
    s[t + 1][0] = t;
    if (t == 0)
    s[0][0] = 0;
    for (int r = 0; r < 32; r++)
    s[r + 1][t + 1] = a[base + r * pitch + t];
    __syncthreads();
    for (int d = 0; d < 32; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int d = 30; d >= 0; d--) {
        if (t <= d) {
            int x = t + 32 - d, y = 32 - t;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < 32; r++)
    out[base + r * pitch + t] = s[r + 1][t + 1];
}

extern "C" __global__ void wavefront_28(const int *__restrict__ a, int *__restrict__ out, int pitch, int penalty)
{
    __shared__ int s[65][66];
    int t = threadIdx.x;
    int base = blockIdx.y * 64 * pitch + blockIdx.x * 64;
    s[0][t + 1] = t;
    s[t + 1][0] = t;
    if (t == 0)
    s[0][0] = 0;
    for (int r = 0; r < 64; r++)
    s[r + 1][t + 1] = a[base + r * pitch + t];
    __syncthreads();
    for (int d = 0; d < 64; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int d = 62; d >= 0; d--) {
        if (t <= d) {
            int x = t + 64 - d, y = 64 - t;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < 64; r++)
    out[base + r * pitch + t] = s[r + 1][t + 1];
}

extern "C" __global__ void wavefront_30(const int *__restrict__ a, int *__restrict__ out, int pitch, int penalty)
{
    __shared__ int s[33][34];
    int t = threadIdx.x;
    int base = blockIdx.y * 32 * pitch + blockIdx.x * 32;
    s[0][t + 1] = t;
    s[t + 1][0] = t;
    if (t == 0)
    s[0][0] = 0;
    for (int r = 0; r < 32; r++)
    s[r + 1][t + 1] = a[base + r * pitch + t];
    __syncthreads();
    for (int d = 0; d < 32; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int d = 30; d >= 0; d--) {
        if (t <= d) {
            int x = t + 32 - d, y = 32 - t;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < 32; r++)
    out[base + r * pitch + t] = s[r + 1][t + 1];
}

extern "C" __global__ void wavefront_32(const int *__restrict__ a, int *__restrict__ out, int pitch, int penalty)
{
    __shared__ int s[33][33];
    int t = threadIdx.x;
    int base = blockIdx.y * 32 * pitch + blockIdx.x * 32;
    s[0][t + 1] = t;
    s[t + 1][0] = t;
    if (t == 0)
    s[0][0] = 0;
    for (int r = 0; r < 32; r++)
    s[r + 1][t + 1] = a[base + r * pitch + t];
    __syncthreads();
    for (int d = 0; d < 32; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int d = 30; d >= 0; d--) {
        if (t <= d) {
            int x = t + 32 - d, y = 32 - t;
            s[y][x] = max(s[y - 1][x - 1] + s[y][x], max(s[y][x - 1], s[y - 1][x]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < 32; r++)
    out[base + r * pitch + t] = s[r + 1][t + 1];
}
