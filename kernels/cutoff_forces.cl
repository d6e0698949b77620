/*
 * Lennard-Jones forces in one dimension from `neighbours` particles on either side; pairs beyond
 * the cutoff are skipped by a branch.
 *
 * Launch: one dimension, one thread a particle.
 *
 * positions  n f32
 * forces     n f32
 * cutoff     distance beyond which pairs are skipped
 *
 * Depends on data: the branch around a pair's force on positions.
 */
__kernel void cutoff_forces(__global const float *restrict positions,
                            __global float *restrict forces, float cutoff, int n, int neighbours)
{
    int i = get_global_id(0);

    if (i >= n)
        return;
    int first = max(0, i - neighbours), last = min(n - 1, i + neighbours);
    float own = positions[i], force = 0.0f;
    for (int j = first; j <= last; j++) {
        float distance = own - positions[j];
        float square = distance * distance;
        if (square < cutoff * cutoff && j != i) {
            float inverse = 1.0f / (square + 0.01f);
            float sixth = inverse * inverse * inverse;
            force += distance * inverse * sixth * (2.0f * sixth - 1.0f) * exp(-square);
        }
    }
    forces[i] = force;
}
