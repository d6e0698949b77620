/* Transforms: 256 points by four passes of radix four, and the input of Winograd's convolution. */

__device__ __forceinline__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ __forceinline__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ __forceinline__ float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

__device__ __forceinline__ void butterfly(float2 (&v)[4])
{
    const float2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3], turned = make_float2(d.y, -d.x);
    v[0] = a + c;
    v[1] = b + turned;
    v[2] = a - c;
    v[3] = b - turned;
}

template <int SPAN> __device__ __forceinline__ void pass(float2 (&v)[4], float2 *shared, int t)
{
    const int low = t % SPAN;
#pragma unroll
    for (int k = 1; k < 4; k++) {
        float s, c;
        __sincosf(-6.2831853f * low * k / (4 * SPAN), &s, &c);
        v[k] = v[k] * make_float2(c, s);
    }
    butterfly(v);
    const int base = (t / SPAN) * SPAN * 4 + low;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int at = base + k * SPAN;
        shared[at + at / 16] = v[k];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int at = t + k * 64;
        v[k] = shared[at + at / 16];
    }
}

/* Four transforms a block, 64 threads each; rows of shared memory are padded. */
extern "C" __global__ void __launch_bounds__(256) fft256(const float2 *__restrict__ in, float2 *__restrict__ out)
{
    __shared__ float2 tile[4][256 + 16];
    const int t = threadIdx.x;
    float2 *shared = tile[threadIdx.y];
    const size_t start = ((size_t)blockIdx.x * 4 + threadIdx.y) * 256;
    float2 v[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        v[k] = in[start + t + 64 * k];
    pass<1>(v, shared, t);
    pass<4>(v, shared, t);
    pass<16>(v, shared, t);
    pass<64>(v, shared, t);
#pragma unroll
    for (int k = 0; k < 4; k++)
        out[start + t + 64 * k] = v[k];
}

template <typename T> __device__ __forceinline__ void forward6(T &a, T &b, T &c, T &d, T &e, T &f)
{
    const T p = d - T(4) * b, q = e - T(4) * c, s = T(2) * (d - b), t = e - c;
    const T first = T(4) * a - T(5) * c + e, last = T(4) * b - T(5) * d + f;
    a = first;
    b = q + p;
    c = q - p;
    d = t + s;
    e = t - s;
    f = last;
}

/* F(4 x 4, 3 x 3): a thread a tile of one channel; borders are zero; 36 planes come out. */
extern "C" __global__ void winograd_input(const float *__restrict__ in, float *__restrict__ out, int channels, int height, int width, int tiles_x, int tiles_y, int images)
{
    const int tile = blockIdx.x * blockDim.x + threadIdx.x, c = blockIdx.y, per_image = tiles_x * tiles_y, tiles = per_image * images;
    if (tile >= tiles)
        return;
    const int n = tile / per_image, ty = tile % per_image / tiles_x, tx = tile % tiles_x;
    const float *plane = in + ((size_t)n * channels + c) * height * width;
    float v[6][6];
#pragma unroll
    for (int i = 0; i < 6; i++)
#pragma unroll
        for (int j = 0; j < 6; j++) {
            const int y = 4 * ty + i - 1, x = 4 * tx + j - 1;
            v[i][j] = y >= 0 && y < height && x >= 0 && x < width ? __ldg(plane + y * width + x) : 0.0f;
        }
#pragma unroll
    for (int j = 0; j < 6; j++)
        forward6(v[0][j], v[1][j], v[2][j], v[3][j], v[4][j], v[5][j]);
#pragma unroll
    for (int i = 0; i < 6; i++)
        forward6(v[i][0], v[i][1], v[i][2], v[i][3], v[i][4], v[i][5]);
    float *to = out + (size_t)c * tiles + tile;
    const size_t pitch = (size_t)channels * tiles;
#pragma unroll
    for (int i = 0; i < 6; i++)
#pragma unroll
        for (int j = 0; j < 6; j++)
            to[(i * 6 + j) * pitch] = v[i][j];
}
