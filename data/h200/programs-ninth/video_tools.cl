/* What an encoder asks of pictures. */

static short8 butterfly(short8 v)
{
    const short4 a = v.lo + v.hi, b = v.lo - v.hi;
    const short4 c = (short4)(a.lo + a.hi, a.lo - a.hi), d = (short4)(b.lo + b.hi, b.lo - b.hi);
    return (short8)(c.s0 + c.s1, c.s0 - c.s1, c.s2 + c.s3, c.s2 - c.s3, d.s0 + d.s1, d.s0 - d.s1, d.s2 + d.s3, d.s2 - d.s3);
}

/* Sums of absolute differences after Hadamard's transform: eight work-items a block of 8 x 8, 8 blocks a group. */
__attribute__((reqd_work_group_size(8, 8, 1)))
__kernel void satd_8x8(__global const uchar *restrict source, __global const uchar *restrict predicted, __global ushort *restrict cost, const int stride, const int blocks_wide)
{
    __local short rows[8][8][9];
    const int r = get_local_id(0), b = get_local_id(1), block = get_group_id(0) * 8 + b, bx = block % blocks_wide, by = block / blocks_wide;
    const int at = (by * 8 + r) * stride + bx * 8;
    const short8 first = butterfly(convert_short8(vload8(0, source + at)) - convert_short8(vload8(0, predicted + at)));
    short put[8];
    vstore8(first, 0, put);
    for (int i = 0; i < 8; i++)
        rows[b][r][i] = put[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    short8 column;
    column.s0 = rows[b][0][r];
    column.s1 = rows[b][1][r];
    column.s2 = rows[b][2][r];
    column.s3 = rows[b][3][r];
    column.s4 = rows[b][4][r];
    column.s5 = rows[b][5][r];
    column.s6 = rows[b][6][r];
    column.s7 = rows[b][7][r];
    const short8 second = butterfly(column);
    const ushort8 size = abs(second);
    ushort sum = size.s0 + size.s1 + size.s2 + size.s3 + size.s4 + size.s5 + size.s6 + size.s7;
    barrier(CLK_LOCAL_MEM_FENCE);
    rows[b][r][0] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (r == 0) {
        for (int i = 1; i < 8; i++)
            sum += rows[b][i][0];
        cost[block] = (sum + 2) >> 2;
    }
}

/* Planes of 8 bits to words of 16 with ten of them used, chroma woven: four pixels of two lines a work-item. */
__kernel void planar_to_p010(__global const uchar4 *restrict y, __global const uchar2 *restrict u, __global const uchar2 *restrict v, __global ushort4 *restrict luma, __global ushort4 *restrict chroma,
                             const int quads, const int pairs_of_lines)
{
    const int x = get_global_id(0), line = get_global_id(1);
    if (x >= quads || line >= pairs_of_lines)
        return;
    luma[2 * line * quads + x] = convert_ushort4(y[2 * line * quads + x]) << (ushort4)(8);
    luma[(2 * line + 1) * quads + x] = convert_ushort4(y[(2 * line + 1) * quads + x]) << (ushort4)(8);
    const uchar2 a = u[line * quads + x], b = v[line * quads + x];
    chroma[line * quads + x] = (ushort4)((ushort)a.x << 8, (ushort)b.x << 8, (ushort)a.y << 8, (ushort)b.y << 8);
}
