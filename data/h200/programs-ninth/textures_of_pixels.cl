/* Descriptors and shapes of pictures of bytes. */

/* Local binary patterns: one bit for each of the eight neighbours that are not darker. */
__kernel void lbp_codes(__global const uchar *restrict in, __global uchar *restrict out, const int width, const int height)
{
    const int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
    if (x >= width - 1 || y >= height - 1)
        return;
    __global const uchar *p = in + y * width + x;
    const uchar c = *p;
    uint code = 0;
    code |= (uint)(p[-width - 1] >= c) << 7;
    code |= (uint)(p[-width] >= c) << 6;
    code |= (uint)(p[-width + 1] >= c) << 5;
    code |= (uint)(p[1] >= c) << 4;
    code |= (uint)(p[width + 1] >= c) << 3;
    code |= (uint)(p[width] >= c) << 2;
    code |= (uint)(p[width - 1] >= c) << 1;
    code |= (uint)(p[-1] >= c);
    out[y * width + x] = code;
}

#define SIDE 16
#define R 3
#define WIDE (SIDE + 4 * R)
#define MIDDLE (SIDE + 2 * R)

/* Dilation by a square of 7 x 7 and erosion by the same, in one tile. */
__attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
__kernel void morph_close_tile(__global const float *restrict in, __global float *restrict out, const int width, const int height)
{
    __local float a[WIDE][WIDE + 1];
    __local float b[WIDE][MIDDLE + 1];
    __local float c[MIDDLE][MIDDLE + 1];
    const int lx = get_local_id(0), ly = get_local_id(1), lid = ly * SIDE + lx;
    const int x0 = (int)get_group_id(0) * SIDE - 2 * R, y0 = (int)get_group_id(1) * SIDE - 2 * R;
    for (int i = lid; i < WIDE * WIDE; i += SIDE * SIDE) {
        const int x = clamp(x0 + i % WIDE, 0, width - 1), y = clamp(y0 + i / WIDE, 0, height - 1);
        a[i / WIDE][i % WIDE] = in[y * width + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = lid; i < WIDE * MIDDLE; i += SIDE * SIDE) {
        const int y = i / MIDDLE, x = i % MIDDLE;
        float most = a[y][x];
        for (int k = 1; k <= 2 * R; k++)
            most = fmax(most, a[y][x + k]);
        b[y][x] = most;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = lid; i < MIDDLE * MIDDLE; i += SIDE * SIDE) {
        const int y = i / MIDDLE, x = i % MIDDLE;
        float most = b[y][x];
        for (int k = 1; k <= 2 * R; k++)
            most = fmax(most, b[y + k][x]);
        c[y][x] = most;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float least = c[ly][lx];
    for (int dy = 0; dy <= 2 * R; dy++)
        for (int dx = 0; dx <= 2 * R; dx++)
            least = fmin(least, c[ly + dy][lx + dx]);
    const int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height)
        out[y * width + x] = least;
}
