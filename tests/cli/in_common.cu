/* What blocks load that others load too, and tiles that their threads share out: see in_common.py. */

/* Tiles of 34 by 10 elements, which 32 by 8 threads share out by one number. */
template <int BORDER>
__device__ __forceinline__ void share_out(const float *__restrict__ from, float *__restrict__ to, int nx, int ny)
{
    __shared__ float s[10][34];
    int t = threadIdx.y * 32 + threadIdx.x, left = blockIdx.x * 32 - 1, top = blockIdx.y * 8 - 1;
    for (int k = t; k < 340; k += 256) {
        int x = left + k % 34, y = top + k / 34;
        if (BORDER == 1)
            x = min(max(x, 0), nx - 1), y = min(max(y, 0), ny - 1);
        s[k / 34][k % 34] = BORDER != 2 || (x >= 0 && x < nx && y >= 0 && y < ny) ? from[y * nx + x] : 0;
    }
    __syncthreads();
    to[(top + 1 + threadIdx.y) * nx + left + 1 + threadIdx.x] = s[threadIdx.y][threadIdx.x] + s[threadIdx.y + 2][threadIdx.x + 2];
}

extern "C" __global__ void shared_out(const float *__restrict__ from, float *__restrict__ to, int nx, int ny)
{
    share_out<0>(from, to, nx, ny);
}

extern "C" __global__ void shared_out_clamped(const float *__restrict__ from, float *__restrict__ to, int nx, int ny)
{
    share_out<1>(from, to, nx, ny);
}

extern "C" __global__ void shared_out_guarded(const float *__restrict__ from, float *__restrict__ to, int nx, int ny)
{
    share_out<2>(from, to, nx, ny);
}

/* The same without a loop: the second number is a constant more. */
extern "C" __global__ void shared_out_twice(const float *__restrict__ from, float *__restrict__ to, int nx, int ny)
{
    __shared__ float s[10][34];
    int t = threadIdx.y * 32 + threadIdx.x, left = blockIdx.x * 32 - 1, top = blockIdx.y * 8 - 1;
    s[t / 34][t % 34] = from[(top + t / 34) * nx + left + t % 34];
    if (t < 84)
        s[(t + 256) / 34][(t + 256) % 34] = from[(top + (t + 256) / 34) * nx + left + (t + 256) % 34];
    __syncthreads();
    to[(top + 1 + threadIdx.y) * nx + left + 1 + threadIdx.x] = s[threadIdx.y][threadIdx.x] + s[threadIdx.y + 2][threadIdx.x + 2];
}

/* Tiles of 36 by 20 bytes: blocks beside each other share sectors, but hardly a byte. */
extern "C" __global__ void bytes(const unsigned char *__restrict__ from, unsigned char *__restrict__ to, int nx, int ny)
{
    __shared__ unsigned char s[20][36];
    int left = blockIdx.x * 32 - 2, top = blockIdx.y * 16 - 2;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 720; k += 512)
        s[k / 36][k % 36] = from[(top + k / 36) * nx + left + k % 36];
    __syncthreads();
    to[(top + 2 + threadIdx.y) * nx + left + 2 + threadIdx.x] = s[threadIdx.y][threadIdx.x] ^ s[threadIdx.y + 4][threadIdx.x + 4];
}

/* The fields of one colour, whose rows begin one to the right in turn, with their four neighbours. */
extern "C" __global__ void checkered(const unsigned char *__restrict__ from, unsigned char *__restrict__ to, int nx, int ny, int colour)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y, x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + (y + colour) % 2;
    if (x >= nx || y >= ny)
        return;
    const unsigned char *here = from + y * nx + x;
    to[y * nx + x] = here[-1] + here[1] + here[-nx] + here[nx] + here[0];
}

/* 256 numbers of a block's own, and those of which `group` blocks, one after the other, load the same. */
extern "C" __global__ void groups(const float *__restrict__ own, const float *__restrict__ same, float *__restrict__ to, int group)
{
    int b = blockIdx.x, t = threadIdx.x;
    to[b * 256 + t] = own[b * 256 + t] + same[b / group * 256 + t];
}

/* The same of blocks that go round an array. */
extern "C" __global__ void rounds(const float *__restrict__ own, const float *__restrict__ same, float *__restrict__ to, int period)
{
    int b = blockIdx.x, t = threadIdx.x;
    to[b * 256 + t] = own[b * 256 + t] + same[b % period * 256 + t];
}

/* Rows of 2048 numbers, each times the same row. */
extern "C" __global__ void scaled(const float4 *__restrict__ rows, const float4 *__restrict__ row, float4 *__restrict__ to)
{
    for (int k = 0; k < 2; k++) {
        int i = k * 256 + threadIdx.x;
        float4 x = rows[(size_t)blockIdx.x * 512 + i], y = row[i];
        to[(size_t)blockIdx.x * 512 + i] = make_float4(x.x * y.x, x.y * y.y, x.z * y.z, x.w * y.w);
    }
}
