/*
 * Gravitational accelerations of n bodies on each other, all pairs, bodies tiled through shared
 * memory. The softening keeps a body's pull on itself at zero.
 *
 * Launch: one dimension, blocks of 256 threads, one thread a body.
 *
 * bodies         n float4: position in x, y, z, mass in w
 * accelerations  n float4: acceleration in x, y, z, zero in w
 * softening      squared softening length, above zero
 */
#define TILE 256

__kernel void nbody(__global const float4 *bodies, __global float4 *accelerations, float softening,
                    int n)
{
    __local float4 tile[TILE];
    int i = get_group_id(0) * TILE + get_local_id(0);
    float4 own = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
    float ax = 0.0f, ay = 0.0f, az = 0.0f;

    if (i < n)
        own = bodies[i];
    for (int start = 0; start < n; start += TILE) {
        float4 other = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
        if (start + get_local_id(0) < n)
            other = bodies[start + get_local_id(0)];
        tile[get_local_id(0)] = other;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < TILE; j++) {
            float dx = tile[j].x - own.x;
            float dy = tile[j].y - own.y;
            float dz = tile[j].z - own.z;
            float inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
            float pull = tile[j].w * inverse * inverse * inverse;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n) {
        float4 result = (float4)(ax, ay, az, 0.0f);
        accelerations[i] = result;
    }
}
