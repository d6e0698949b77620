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
extern "C" __global__ void special_functions(float *values, int n, int trips)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        float value = values[i];
        for (int j = 0; j < trips; j++)
            value = logf(1.0f + expf(-sinf(value))) * rsqrtf(1.0f + value * value);
        values[i] = value;
    }
}
