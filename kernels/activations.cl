/*
 * Activation functions of neural networks: rectifier, Gaussian error linear unit (by tanh),
 * sigmoid.
 *
 * Launch: one dimension, one thread an element.
 *
 * values  n f32, replaced
 */
__kernel void relu(__global float *values, int n)
{
    int i = get_global_id(0);

    if (i < n)
        values[i] = fmax(values[i], 0.0f);
}

__kernel void gelu(__global float *values, int n)
{
    int i = get_global_id(0);

    if (i < n) {
        float x = values[i];
        values[i] = 0.5f * x * (1.0f + tanh(0.79788456f * (x + 0.044715f * x * x * x)));
    }
}

__kernel void sigmoid(__global float *values, int n)
{
    int i = get_global_id(0);

    if (i < n)
        values[i] = 1.0f / (1.0f + exp(-values[i]));
}
