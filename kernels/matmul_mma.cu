/*
 * c = a * transpose(b) on tensor cores by mma.sync.m16n8k16, one warp a 16 x 8 tile of c. Pairs of
 * f16 are loaded as the 32-bit words that the instruction wants.
 *
 * Launch: blocks of 32 x 4 threads: a row of threads is a warp; the grid covers the tiles of c, x
 * along its columns (one tile of 8 a block), y along its rows (four tiles of 16 a block).
 *
 * a  f16, m rows of k elements; m and k multiples of 16, n of 8
 * b  f16, n rows of k elements
 * c  f32, m rows of n elements
 */
extern "C" __global__ void matmul_mma(const unsigned int *a, const unsigned int *b, float *c, int m,
                                      int n, int k)
{
    int group = threadIdx.x / 4, lane = threadIdx.x % 4;
    int column0 = blockIdx.x * 8;
    int row0 = (blockIdx.y * blockDim.y + threadIdx.y) * 16;
    float c0 = 0.0f, c1 = 0.0f, c2 = 0.0f, c3 = 0.0f;

    if (row0 >= m)
        return;
    const unsigned int *upper = a + (row0 + group) * (k / 2) + lane;
    const unsigned int *lower = upper + 8 * (k / 2);
    const unsigned int *right = b + (column0 + group) * (k / 2) + lane;
    for (int i = 0; i < k / 2; i += 8)
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)
            : "r"(upper[i]), "r"(lower[i]), "r"(upper[i + 4]), "r"(lower[i + 4]), "r"(right[i]),
              "r"(right[i + 4]));

    float *out = c + (row0 + group) * n + column0 + 2 * lane;
    out[0] = c0;
    out[1] = c1;
    out[8 * n] = c2;
    out[8 * n + 1] = c3;
}
