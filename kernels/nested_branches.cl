/*
 * Branches by arguments, nested: every thread takes the same way.
 *
 * Launch: one dimension, one thread an element.
 *
 * source  n f32
 * target  n f32
 * mode    0: add, 1: multiply, others: leave
 * level   above 1: once more with a loop of `level` trips
 */
__kernel void nested_branches(__global const float *source, __global float *target, int n, int mode,
                              int level)
{
    int i = get_global_id(0);

    if (i >= n)
        return;
    float value = source[i];
    if (mode == 0) {
        value += 2.0f;
        if (level > 1) {
            for (int j = 0; j < level; j++)
                value = sqrt(value) + target[i];
        } else if (level == 1) {
            value -= target[i];
        }
    } else if (mode == 1) {
        value *= 3.0f;
        if (level > 1)
            for (int j = 0; j < level; j++)
                value = value * 0.5f + 1.0f;
    }
    target[i] = value;
}
