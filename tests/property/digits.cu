// Pairs of kernels that touch the same bytes: `_2d` with two-dimensional blocks and grids, `_1d` with the
// same threads numbered along one axis, whose index is taken apart by / and %.  Their volumes are equal.

extern "C" __global__ void product_2d(const float *a, const float *b, float *c, int n)
{
    __shared__ float s[16][16], t[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        s[y][x] = a[row * n + k + x];
        t[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += s[y][i] * t[i][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

extern "C" __global__ void product_1d(const float *a, const float *b, float *c, int n)
{
    __shared__ float s[16][16], t[16][16];
    int columns = n / 16, x = threadIdx.x % 16, y = threadIdx.x / 16;
    int row = blockIdx.x / columns * 16 + y, column = blockIdx.x % columns * 16 + x;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        s[y][x] = a[row * n + k + x];
        t[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += s[y][i] * t[i][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

// The tile of a block, with a halo of one, loaded by a loop over its elements.
extern "C" __global__ void halo_2d(const float *in, float *out, int width)
{
    __shared__ float s[18][18];
    int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * 16, top = blockIdx.y * 16;
    for (int r = y; r < 18; r += 16)
        for (int c = x; c < 18; c += 16)
            s[r][c] = in[(top + r) * width + left + c];
    __syncthreads();
    out[(top + y) * width + left + x] = s[y][x + 1] + s[y + 2][x + 1] + s[y + 1][x] + s[y + 1][x + 2];
}

extern "C" __global__ void halo_1d(const float *in, float *out, int width)
{
    __shared__ float s[18][18];
    int x = threadIdx.x % 16, y = threadIdx.x / 16, left = blockIdx.x * 16, top = blockIdx.y * 16;
    for (int k = threadIdx.x; k < 18 * 18; k += blockDim.x)
        s[k / 18][k % 18] = in[(top + k / 18) * width + left + k % 18];
    __syncthreads();
    out[(top + y) * width + left + x] = s[y][x + 1] + s[y + 2][x + 1] + s[y + 1][x] + s[y + 1][x + 2];
}

// A matrix whose rows are padded, by one index over its elements.
extern "C" __global__ void padded_2d(const float *in, float *out, int width, int pitch)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < width)
        out[y * pitch + x] = in[y * pitch + x] + in[(y + 1) * pitch + x];
}

extern "C" __global__ void padded_1d(const float *in, float *out, int width, int pitch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % width, y = i / width;
    if (i < n)
        out[y * pitch + x] = in[y * pitch + x] + in[(y + 1) * pitch + x];
}

extern "C" __global__ void transpose_2d(const float *in, float *out, int n)
{
    __shared__ float s[32][33];
    int x = threadIdx.x, left = blockIdx.x * 32, top = blockIdx.y * 32;
    for (int y = threadIdx.y; y < 32; y += 8)
        s[y][x] = in[(top + y) * n + left + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        out[(left + y) * n + top + x] = s[x][y];
}

extern "C" __global__ void transpose_1d(const float *in, float *out, int n)
{
    __shared__ float s[32][33];
    unsigned tiles = n / 32, left = blockIdx.x % tiles * 32, top = blockIdx.x / tiles * 32;
    for (unsigned k = threadIdx.x; k < 1024; k += 256)
        s[k / 32][k % 32] = in[(top + k / 32) * n + left + k % 32];
    __syncthreads();
    for (unsigned k = threadIdx.x; k < 1024; k += 256)
        out[(left + k / 32) * n + top + k % 32] = s[k % 32][k / 32];
}

// Blocks in groups of four rows of tiles, as products are launched so that they share panels in L2.
extern "C" __global__ void grouped_2d(const float *a, const float *b, float *c, int n)
{
    int row = (blockIdx.z * 4 + blockIdx.x) * 16 + threadIdx.y, column = blockIdx.y * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

extern "C" __global__ void grouped_1d(const float *a, const float *b, float *c, int n)
{
    int columns = n / 16, group = blockIdx.x / (4 * columns), within = blockIdx.x % (4 * columns);
    int row = (group * 4 + within % 4) * 16 + threadIdx.x / 16, column = within / 4 * 16 + threadIdx.x % 16;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

// Blocks of 8-bit numbers behind their scale, 34 bytes: eight threads to each, and two rows of them a block.
struct scaled {
    unsigned short scale, packed[16];
};

static __device__ void structures(const scaled *in, float *out, int count, int thread)
{
    float sum = 0;
    for (int i = thread / 8; i < count; i += 16)
#pragma unroll
        for (int row = 0; row < 2; row++) {
            const scaled *at = in + (size_t)(2 * blockIdx.x + row) * count + i;
            const unsigned short *word = at->packed + thread % 8 * 2;
            sum += (float)at->scale * (float)(word[0] | word[1] << 16);
        }
    out[blockIdx.x * 128 + thread] = sum;
}

extern "C" __global__ void structures_2d(const scaled *in, float *out, int count)
{
    structures(in, out, count, threadIdx.y * 32 + threadIdx.x);
}

extern "C" __global__ void structures_1d(const scaled *in, float *out, int count)
{
    structures(in, out, count, threadIdx.x);
}
