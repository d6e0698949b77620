/* Scans of a laser and layers of a picture. */

/* Points to voxels of a table of hashes: the first free place of a run, counters added. */
__kernel void voxel_hash_points(__global const float4 *restrict points, __global uint *keys, __global uint *counts, const int count, const uint mask, const float inverse)
{
    const int i = get_global_id(0);
    if (i >= count)
        return;
    const float4 p = points[i];
    const uint x = (uint)(int)floor(p.x * inverse) & 1023, y = (uint)(int)floor(p.y * inverse) & 1023, z = (uint)(int)floor(p.z * inverse) & 1023;
    const uint key = (x << 20 | y << 10 | z) + 1;
    uint slot = (x * 73856093u ^ y * 19349663u ^ z * 83492791u) & mask;
    for (int probe = 0; probe < 64; probe++) {
        const uint old = atomic_cmpxchg((volatile __global uint *)(keys + slot), 0u, key);
        if (old == 0u || old == key) {
            atomic_inc((volatile __global uint *)(counts + slot));
            return;
        }
        slot = (slot + 1) & mask;
    }
}

/* Six layers of four bytes a pixel over each other, each with an opacity and one of three modes of blending. */
__kernel void compose_layers(__global const uchar4 *restrict layers, __constant float *opacities, __constant int *modes, __global uchar4 *restrict out, const int width, const int height, const int layer_count)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    const int at = y * width + x;
    float4 below = (float4)(1.0f);
    for (int k = 0; k < layer_count; k++) {
        const float4 c = convert_float4(layers[(size_t)k * width * height + at]) * (1.0f / 255.0f);
        const float alpha = c.w * opacities[k];
        float4 mixed;
        if (modes[k] == 0)
            mixed = c;
        else if (modes[k] == 1)
            mixed = below * c;
        else
            mixed = 1.0f - (1.0f - below) * (1.0f - c);
        below = below + (mixed - below) * alpha;
    }
    out[at] = convert_uchar4_sat_rte(below * 255.0f);
}
