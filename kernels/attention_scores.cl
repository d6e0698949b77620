/*
 * Attention scores: the scaled dot product of each query with each key, a head at a time.
 * attention_scores_causal masks the keys behind the query by -1e30; blocks that hold none but those
 * skip the products.
 *
 * Launch: blocks of 16 x 16 threads, one thread a score; x along the keys, y along the queries, z
 * the heads.
 *
 * queries  f32, one head after another, each `tokens` rows of `width` elements
 * keys     f32, the same shape
 * scores   f32, one head after another, each `tokens` rows of `tokens` scores
 * scale    factor of every score
 */
#define TILE 16

__kernel void attention_scores(__global const float *queries, __global const float *keys,
                               __global float *scores, float scale, int tokens, int width)
{
    __local float tile_q[TILE][TILE + 1];
    __local float tile_k[TILE][TILE + 1];
    int tx = get_local_id(0), ty = get_local_id(1);
    int head = get_group_id(2);
    int key0 = get_group_id(0) * TILE, query = get_group_id(1) * TILE + ty;
    float sum = 0.0f;

    for (int start = 0; start < width; start += TILE) {
        int inner = start + tx;
        tile_q[ty][tx] = query < tokens && inner < width
                             ? queries[(head * tokens + query) * width + inner]
                             : 0.0f;
        tile_k[ty][tx] = key0 + ty < tokens && inner < width
                             ? keys[(head * tokens + key0 + ty) * width + inner]
                             : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < TILE; i++)
            sum += tile_q[ty][i] * tile_k[tx][i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (query < tokens && key0 + tx < tokens)
        scores[(head * tokens + query) * tokens + key0 + tx] = scale * sum;
}

__kernel void attention_scores_causal(__global const float *queries, __global const float *keys,
                                      __global float *scores, float scale, int tokens, int width)
{
    __local float tile_q[TILE][TILE + 1];
    __local float tile_k[TILE][TILE + 1];
    int tx = get_local_id(0), ty = get_local_id(1);
    int head = get_group_id(2);
    int key0 = get_group_id(0) * TILE, query0 = get_group_id(1) * TILE;
    int query = query0 + ty;
    float sum = 0.0f;

    if (key0 < query0 + TILE)
        for (int start = 0; start < width; start += TILE) {
            int inner = start + tx;
            tile_q[ty][tx] = query < tokens && inner < width
                                 ? queries[(head * tokens + query) * width + inner]
                                 : 0.0f;
            tile_k[ty][tx] = key0 + ty < tokens && inner < width
                                 ? keys[(head * tokens + key0 + ty) * width + inner]
                                 : 0.0f;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int i = 0; i < TILE; i++)
                sum += tile_q[ty][i] * tile_k[tx][i];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    if (query < tokens && key0 + tx < tokens)
        scores[(head * tokens + query) * tokens + key0 + tx] =
            key0 + tx <= query ? scale * sum : -1.0e30f;
}
