/* Features of pictures: corners, votes for lines. */
#define W 16
#define H 8

/* Response of corners: gradients of a tile and its border in local memory, then windows of 5 x 5. */
__kernel void harris_response(__global const uchar *restrict in, __global float *restrict response, const int width, const int height, const float k)
{
    __local float gx[H + 4][W + 4], gy[H + 4][W + 4];
    const int lx = get_local_id(0), ly = get_local_id(1), x0 = get_group_id(0) * W - 2, y0 = get_group_id(1) * H - 2;
    for (int y = ly; y < H + 4; y += H)
        for (int x = lx; x < W + 4; x += W) {
            const int px = clamp(x0 + x, 1, width - 2), py = clamp(y0 + y, 1, height - 2);
            const __global uchar *p = in + py * width + px;
            gx[y][x] = (float)p[1] - (float)p[-1];
            gy[y][x] = (float)p[width] - (float)p[-width];
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    float xx = 0.0f, yy = 0.0f, xy = 0.0f;
    for (int dy = 0; dy < 5; dy++)
        for (int dx = 0; dx < 5; dx++) {
            const float a = gx[ly + dy][lx + dx], b = gy[ly + dy][lx + dx];
            xx += a * a;
            yy += b * b;
            xy += a * b;
        }
    const int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height)
        response[y * width + x] = xx * yy - xy * xy - k * (xx + yy) * (xx + yy);
}

/* Votes of edges for lines: a work-item an edge, all angles, counters in global memory. */
__kernel void vote_for_lines(__global const ushort2 *restrict edges, __global const float2 *restrict directions, __global int *restrict votes, const int count, const int angles, const int distances)
{
    const int e = get_global_id(0);
    if (e >= count)
        return;
    const float x = edges[e].x * (1.0f / 64.0f), y = edges[e].y * (1.0f / 64.0f);
    for (int a = 0; a < angles; a++) {
        const int d = (int)((x * directions[a].x + y * directions[a].y) * 0.25f) + distances / 2;
        atomic_inc(votes + a * distances + clamp(d, 0, distances - 1));
    }
}

/* Sums down the columns of a picture, four columns a work-item, in place. */
__kernel void sum_down_columns(__global float4 *restrict picture, const int quads, const int height)
{
    const int q = get_global_id(0);
    if (q >= quads)
        return;
    float4 sum = (float4)(0.0f);
    for (int y = 0; y < height; y++) {
        sum += picture[y * quads + q];
        picture[y * quads + q] = sum;
    }
}
