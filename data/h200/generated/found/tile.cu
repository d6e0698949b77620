/* A matrix product by tiles in shared memory: blocks of two dimensions, or of one whose index is divided; padded or not; with several results a thread.  Written by scripts/device/write-generated. */

extern "C" __global__ void tile_0(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[32][32], u[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int column = bx * 32 + tx, row = by * 32 + ty;
    float sum[1] = {0};
    for (int t = 0; t < n; t += 32) {
        s[ty + 0][tx] = a[(row + 0) * n + t + tx];
        u[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        #pragma unroll
        for (int l = 0; l < 32; l++) {
            sum[0] += s[ty + 0][l] * u[l][tx];
        }
        __syncthreads();
    }
    c[(row + 0) * n + column] = sum[0];
}

extern "C" __global__ void tile_2(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[64][16], u[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int column = bx * 16 + tx, row = by * 64 + ty;
    float sum[4] = {0};
    for (int t = 0; t < n; t += 16) {
        s[ty + 0][tx] = a[(row + 0) * n + t + tx];
        s[ty + 16][tx] = a[(row + 16) * n + t + tx];
        s[ty + 32][tx] = a[(row + 32) * n + t + tx];
        s[ty + 48][tx] = a[(row + 48) * n + t + tx];
        u[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        #pragma unroll
        for (int l = 0; l < 16; l++) {
            sum[0] += s[ty + 0][l] * u[l][tx];
            sum[1] += s[ty + 16][l] * u[l][tx];
            sum[2] += s[ty + 32][l] * u[l][tx];
            sum[3] += s[ty + 48][l] * u[l][tx];
        }
        __syncthreads();
    }
    c[(row + 0) * n + column] = sum[0];
    c[(row + 16) * n + column] = sum[1];
    c[(row + 32) * n + column] = sum[2];
    c[(row + 48) * n + column] = sum[3];
}

extern "C" __global__ void tile_4(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[32][33], u[32][33];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int column = bx * 32 + tx, row = by * 32 + ty;
    float sum[1] = {0};
    for (int t = 0; t < n; t += 32) {
        s[ty + 0][tx] = a[(row + 0) * n + t + tx];
        u[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        for (int l = 0; l < 32; l++) {
            sum[0] += s[ty + 0][l] * u[l][tx];
        }
        __syncthreads();
    }
    c[(row + 0) * n + column] = sum[0];
}

extern "C" __global__ void tile_6(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[16][17], u[16][17];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int column = bx * 16 + tx, row = by * 16 + ty;
    float sum[1] = {0};
    for (int t = 0; t < n; t += 16) {
        s[ty + 0][tx] = a[(row + 0) * n + t + tx];
        u[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        for (int l = 0; l < 16; l++) {
            sum[0] += s[ty + 0][l] * u[l][tx];
        }
        __syncthreads();
    }
    c[(row + 0) * n + column] = sum[0];
}

extern "C" __global__ void tile_8(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[32][17], u[16][17];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int column = bx * 16 + tx, row = by * 32 + ty;
    float sum[2] = {0};
    for (int t = 0; t < n; t += 16) {
        s[ty + 0][tx] = a[(row + 0) * n + t + tx];
        s[ty + 16][tx] = a[(row + 16) * n + t + tx];
        u[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        #pragma unroll
        for (int l = 0; l < 16; l++) {
            sum[0] += s[ty + 0][l] * u[l][tx];
            sum[1] += s[ty + 16][l] * u[l][tx];
        }
        __syncthreads();
    }
    c[(row + 0) * n + column] = sum[0];
    c[(row + 16) * n + column] = sum[1];
}

extern "C" __global__ void tile_10(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[64][17], u[16][17];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int column = bx * 16 + tx, row = by * 64 + ty;
    float sum[4] = {0};
    for (int t = 0; t < n; t += 16) {
        s[ty + 0][tx] = a[(row + 0) * n + t + tx];
        s[ty + 16][tx] = a[(row + 16) * n + t + tx];
        s[ty + 32][tx] = a[(row + 32) * n + t + tx];
        s[ty + 48][tx] = a[(row + 48) * n + t + tx];
        u[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        #pragma unroll
        for (int l = 0; l < 16; l++) {
            sum[0] += s[ty + 0][l] * u[l][tx];
            sum[1] += s[ty + 16][l] * u[l][tx];
            sum[2] += s[ty + 32][l] * u[l][tx];
            sum[3] += s[ty + 48][l] * u[l][tx];
        }
        __syncthreads();
    }
    c[(row + 0) * n + column] = sum[0];
    c[(row + 16) * n + column] = sum[1];
    c[(row + 32) * n + column] = sum[2];
    c[(row + 48) * n + column] = sum[3];
}

extern "C" __global__ void tile_12(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[64][16], u[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int column = bx * 16 + tx, row = by * 64 + ty;
    float sum[4] = {0};
    for (int t = 0; t < n; t += 16) {
        s[ty + 0][tx] = a[(row + 0) * n + t + tx];
        s[ty + 16][tx] = a[(row + 16) * n + t + tx];
        s[ty + 32][tx] = a[(row + 32) * n + t + tx];
        s[ty + 48][tx] = a[(row + 48) * n + t + tx];
        u[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        #pragma unroll
        for (int l = 0; l < 16; l++) {
            sum[0] += s[ty + 0][l] * u[l][tx];
            sum[1] += s[ty + 16][l] * u[l][tx];
            sum[2] += s[ty + 32][l] * u[l][tx];
            sum[3] += s[ty + 48][l] * u[l][tx];
        }
        __syncthreads();
    }
    c[(row + 0) * n + column] = sum[0];
    c[(row + 16) * n + column] = sum[1];
    c[(row + 32) * n + column] = sum[2];
    c[(row + 48) * n + column] = sum[3];
}

extern "C" __global__ void tile_14(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[64][17], u[16][17];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int column = bx * 16 + tx, row = by * 64 + ty;
    float sum[4] = {0};
    for (int t = 0; t < n; t += 16) {
        s[ty + 0][tx] = a[(row + 0) * n + t + tx];
        s[ty + 16][tx] = a[(row + 16) * n + t + tx];
        s[ty + 32][tx] = a[(row + 32) * n + t + tx];
        s[ty + 48][tx] = a[(row + 48) * n + t + tx];
        u[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        #pragma unroll
        for (int l = 0; l < 16; l++) {
            sum[0] += s[ty + 0][l] * u[l][tx];
            sum[1] += s[ty + 16][l] * u[l][tx];
            sum[2] += s[ty + 32][l] * u[l][tx];
            sum[3] += s[ty + 48][l] * u[l][tx];
        }
        __syncthreads();
    }
    c[(row + 0) * n + column] = sum[0];
    c[(row + 16) * n + column] = sum[1];
    c[(row + 32) * n + column] = sum[2];
    c[(row + 48) * n + column] = sum[3];
}

extern "C" __global__ void tile_16(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[16][17], u[16][17];
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    int bx = blockIdx.x, by = blockIdx.y;
    int column = bx * 16 + tx, row = by * 16 + ty;
    float sum[1] = {0};
    for (int t = 0; t < n; t += 16) {
        s[ty + 0][tx] = a[(row + 0) * n + t + tx];
        u[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        #pragma unroll
        for (int l = 0; l < 16; l++) {
            sum[0] += s[ty + 0][l] * u[l][tx];
        }
        __syncthreads();
    }
    c[(row + 0) * n + column] = sum[0];
}

extern "C" __global__ void tile_18(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[64][32], u[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int column = bx * 32 + tx, row = by * 64 + ty;
    float sum[2] = {0};
    for (int t = 0; t < n; t += 32) {
        s[ty + 0][tx] = a[(row + 0) * n + t + tx];
        s[ty + 32][tx] = a[(row + 32) * n + t + tx];
        u[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        #pragma unroll
        for (int l = 0; l < 32; l++) {
            sum[0] += s[ty + 0][l] * u[l][tx];
            sum[1] += s[ty + 32][l] * u[l][tx];
        }
        __syncthreads();
    }
    c[(row + 0) * n + column] = sum[0];
    c[(row + 32) * n + column] = sum[1];
}

extern "C" __global__ void tile_20(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[16][16], u[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int column = bx * 16 + tx, row = by * 16 + ty;
    float sum[1] = {0};
    for (int t = 0; t < n; t += 16) {
        s[ty + 0][tx] = a[(row + 0) * n + t + tx];
        u[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        #pragma unroll
        for (int l = 0; l < 16; l++) {
            sum[0] += s[ty + 0][l] * u[l][tx];
        }
        __syncthreads();
    }
    c[(row + 0) * n + column] = sum[0];
}

extern "C" __global__ void tile_22(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[64][32], u[32][32];
    int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
    int bx = blockIdx.x % (n / 32), by = blockIdx.x / (n / 32);
    int column = bx * 32 + tx, row = by * 64 + ty;
    float sum[2] = {0};
    for (int t = 0; t < n; t += 32) {
        s[ty + 0][tx] = a[(row + 0) * n + t + tx];
        s[ty + 32][tx] = a[(row + 32) * n + t + tx];
        u[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        #pragma unroll
        for (int l = 0; l < 32; l++) {
            sum[0] += s[ty + 0][l] * u[l][tx];
            sum[1] += s[ty + 32][l] * u[l][tx];
        }
        __syncthreads();
    }
    c[(row + 0) * n + column] = sum[0];
    c[(row + 32) * n + column] = sum[1];
}

extern "C" __global__ void tile_24(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[16][17], u[16][17];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int column = bx * 16 + tx, row = by * 16 + ty;
    float sum[1] = {0};
    for (int t = 0; t < n; t += 16) {
        s[ty + 0][tx] = a[(row + 0) * n + t + tx];
        u[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        #pragma unroll
        for (int l = 0; l < 16; l++) {
            sum[0] += s[ty + 0][l] * u[l][tx];
        }
        __syncthreads();
    }
    c[(row + 0) * n + column] = sum[0];
}

extern "C" __global__ void tile_26(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[32][17], u[16][17];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int column = bx * 16 + tx, row = by * 32 + ty;
    float sum[2] = {0};
    for (int t = 0; t < n; t += 16) {
        s[ty + 0][tx] = a[(row + 0) * n + t + tx];
        s[ty + 16][tx] = a[(row + 16) * n + t + tx];
        u[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        #pragma unroll
        for (int l = 0; l < 16; l++) {
            sum[0] += s[ty + 0][l] * u[l][tx];
            sum[1] += s[ty + 16][l] * u[l][tx];
        }
        __syncthreads();
    }
    c[(row + 0) * n + column] = sum[0];
    c[(row + 16) * n + column] = sum[1];
}

extern "C" __global__ void tile_28(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[32][8], u[8][8];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int column = bx * 8 + tx, row = by * 32 + ty;
    float sum[4] = {0};
    for (int t = 0; t < n; t += 8) {
        s[ty + 0][tx] = a[(row + 0) * n + t + tx];
        s[ty + 8][tx] = a[(row + 8) * n + t + tx];
        s[ty + 16][tx] = a[(row + 16) * n + t + tx];
        s[ty + 24][tx] = a[(row + 24) * n + t + tx];
        u[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        #pragma unroll
        for (int l = 0; l < 8; l++) {
            sum[0] += s[ty + 0][l] * u[l][tx];
            sum[1] += s[ty + 8][l] * u[l][tx];
            sum[2] += s[ty + 16][l] * u[l][tx];
            sum[3] += s[ty + 24][l] * u[l][tx];
        }
        __syncthreads();
    }
    c[(row + 0) * n + column] = sum[0];
    c[(row + 8) * n + column] = sum[1];
    c[(row + 16) * n + column] = sum[2];
    c[(row + 24) * n + column] = sum[3];
}

extern "C" __global__ void tile_30(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[32][16], u[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int column = bx * 16 + tx, row = by * 32 + ty;
    float sum[2] = {0};
    for (int t = 0; t < n; t += 16) {
        s[ty + 0][tx] = a[(row + 0) * n + t + tx];
        s[ty + 16][tx] = a[(row + 16) * n + t + tx];
        u[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        #pragma unroll
        for (int l = 0; l < 16; l++) {
            sum[0] += s[ty + 0][l] * u[l][tx];
            sum[1] += s[ty + 16][l] * u[l][tx];
        }
        __syncthreads();
    }
    c[(row + 0) * n + column] = sum[0];
    c[(row + 16) * n + column] = sum[1];
}

extern "C" __global__ void tile_32(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float s[32][17], u[16][17];
    int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x, by = blockIdx.y;
    int column = bx * 16 + tx, row = by * 32 + ty;
    float sum[2] = {0};
    for (int t = 0; t < n; t += 16) {
        s[ty + 0][tx] = a[(row + 0) * n + t + tx];
        s[ty + 16][tx] = a[(row + 16) * n + t + tx];
        u[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
        for (int l = 0; l < 16; l++) {
            sum[0] += s[ty + 0][l] * u[l][tx];
            sum[1] += s[ty + 16][l] * u[l][tx];
        }
        __syncthreads();
    }
    c[(row + 0) * n + column] = sum[0];
    c[(row + 16) * n + column] = sum[1];
}
