/*
 * A loop of sine, exponential, logarithm and reciprocal square root on each element, as the
 * language defines them.
 *
 * Launch: one dimension, one thread an element.
 *
 * values  n f32 from 0 to 1, replaced
 * trips   how often the chain is applied
 *
 * Depends on data: sine has a branch for large angles, on values (never taken here).
 */
__kernel void special_functions(__global float *values, int n, int trips)
{
    int i = get_global_id(0);

    if (i < n) {
        float value = values[i];
        for (int j = 0; j < trips; j++)
            value = log(1.0f + exp(-sin(value))) * rsqrt(1.0f + value * value);
        values[i] = value;
    }
}
