/*
 * Transposes a row-major matrix: through a padded shared tile, through an unpadded one (bank
 * conflicts on purpose), and directly (uncoalesced stores on purpose).
 *
 * Launch: transpose and transpose_unpadded: blocks of 32 x 8 threads, one block a tile of 32 x 32
 * elements, x along the columns; each thread moves four elements. transpose_naive: one thread an
 * element, x along the columns, any block.
 *
 * source  f32, height rows of width elements
 * target  f32, width rows of height elements
 */
#define TILE 32
#define ROWS 8

__kernel void transpose(__global const float *source, __global float *target, int width, int height)
{
    __local float tile[TILE][TILE + 1];
    int x = get_group_id(0) * TILE + get_local_id(0);
    int y = get_group_id(1) * TILE + get_local_id(1);

    for (int j = 0; j < TILE; j += ROWS)
        if (x < width && y + j < height)
            tile[get_local_id(1) + j][get_local_id(0)] = source[(y + j) * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);

    x = get_group_id(1) * TILE + get_local_id(0);
    y = get_group_id(0) * TILE + get_local_id(1);
    for (int j = 0; j < TILE; j += ROWS)
        if (x < height && y + j < width)
            target[(y + j) * height + x] = tile[get_local_id(0)][get_local_id(1) + j];
}

__kernel void transpose_unpadded(__global const float *source, __global float *target, int width,
                                 int height)
{
    __local float tile[TILE][TILE];
    int x = get_group_id(0) * TILE + get_local_id(0);
    int y = get_group_id(1) * TILE + get_local_id(1);

    for (int j = 0; j < TILE; j += ROWS)
        if (x < width && y + j < height)
            tile[get_local_id(1) + j][get_local_id(0)] = source[(y + j) * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);

    x = get_group_id(1) * TILE + get_local_id(0);
    y = get_group_id(0) * TILE + get_local_id(1);
    for (int j = 0; j < TILE; j += ROWS)
        if (x < height && y + j < width)
            target[(y + j) * height + x] = tile[get_local_id(0)][get_local_id(1) + j];
}

__kernel void transpose_naive(__global const float *source, __global float *target, int width,
                              int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);

    if (x < width && y < height)
        target[x * height + y] = source[y * width + x];
}
