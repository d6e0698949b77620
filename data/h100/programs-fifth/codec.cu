/* Parts of an image codec: cosine transform with quantisation, and sums along rows. */

__constant__ unsigned char zigzag[64] = {0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
__constant__ float luma_steps[64] = {16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99};

#define C1 0.98078528f
#define C2 0.92387953f
#define C3 0.83146961f
#define C4 0.70710678f
#define C5 0.55557023f
#define C6 0.38268343f
#define C7 0.19509032f

static __device__ void cosine8(float *p, int stride)
{
    float a0 = p[0] + p[7 * stride], a7 = p[0] - p[7 * stride];
    float a1 = p[stride] + p[6 * stride], a6 = p[stride] - p[6 * stride];
    float a2 = p[2 * stride] + p[5 * stride], a5 = p[2 * stride] - p[5 * stride];
    float a3 = p[3 * stride] + p[4 * stride], a4 = p[3 * stride] - p[4 * stride];
    float b0 = a0 + a3, b3 = a0 - a3, b1 = a1 + a2, b2 = a1 - a2;
    p[0] = 0.5f * C4 * (b0 + b1);
    p[4 * stride] = 0.5f * C4 * (b0 - b1);
    p[2 * stride] = 0.5f * (C2 * b3 + C6 * b2);
    p[6 * stride] = 0.5f * (C6 * b3 - C2 * b2);
    p[stride] = 0.5f * (C1 * a7 + C3 * a6 + C5 * a5 + C7 * a4);
    p[3 * stride] = 0.5f * (C3 * a7 - C7 * a6 - C1 * a5 - C5 * a4);
    p[5 * stride] = 0.5f * (C5 * a7 - C1 * a6 + C7 * a5 + C3 * a4);
    p[7 * stride] = 0.5f * (C7 * a7 - C5 * a6 + C3 * a5 - C1 * a4);
}

/* Blocks of threads of 8 x 8 x 4: four blocks of the image side by side. */
extern "C" __global__ void dct_quantize(const unsigned char *image, short *coefficients, int width, int height, float quality)
{
    __shared__ float tile[4][8][9];
    const int tx = threadIdx.x, ty = threadIdx.y, b = threadIdx.z;
    const int bx = blockIdx.x * 4 + b, by = blockIdx.y;
    const int x = min(bx * 8 + tx, width - 1), y = min(by * 8 + ty, height - 1);
    tile[b][ty][tx] = (float)image[y * width + x] - 128.0f;
    __syncthreads();
    if (tx == 0)
        cosine8(&tile[b][ty][0], 1);
    __syncthreads();
    if (tx == 0)
        cosine8(&tile[b][0][ty], 9);
    __syncthreads();
    const int k = ty * 8 + tx, from = zigzag[k];
    const float c = tile[b][from >> 3][from & 7] / (luma_steps[from] * quality);
    if (bx * 8 < width)
        coefficients[((size_t)by * ((width + 7) / 8) + bx) * 64 + k] = (short)__float2int_rn(c);
}

/* A block a row; chunks of four pixels a thread, the sum so far is carried. */
extern "C" __global__ void integral_rows(const uchar4 *image, uint4 *sums, int quads)
{
    __shared__ unsigned warps[8];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const uchar4 *in = image + (size_t)blockIdx.x * quads;
    uint4 *out = sums + (size_t)blockIdx.x * quads;
    unsigned carry = 0;
    for (int base = 0; base < quads; base += 256) {
        const int i = base + threadIdx.x;
        const uchar4 p = i < quads ? in[i] : make_uchar4(0, 0, 0, 0);
        uint4 s;
        s.x = p.x;
        s.y = s.x + p.y;
        s.z = s.y + p.z;
        s.w = s.z + p.w;
        unsigned inclusive = s.w;
#pragma unroll
        for (int d = 1; d < 32; d *= 2) {
            const unsigned up = __shfl_up_sync(0xffffffff, inclusive, d);
            if (lane >= d)
                inclusive += up;
        }
        if (lane == 31)
            warps[warp] = inclusive;
        __syncthreads();
        unsigned before = carry + inclusive - s.w;
        for (int w = 0; w < 8; w++) {
            const unsigned t = warps[w];
            if (w < warp)
                before += t;
            carry += t;
        }
        if (i < quads)
            out[i] = make_uint4(before + s.x, before + s.y, before + s.z, before + s.w);
        __syncthreads();
    }
}
