/*
 * A switch by thread number, each case another operation.
 *
 * Launch: one dimension, one thread an element.
 *
 * source  n f32
 * target  n f32
 */
__kernel void switch_by_thread(__global const float *source, __global float *target, int n)
{
    int i = get_global_id(0);

    if (i >= n)
        return;
    float value = source[i];
    switch (i % 6) {
    case 0:
        value = value + 1.0f;
        break;
    case 1:
        value = sqrt(value);
        break;
    case 2:
        for (int j = 0; j < 10; j++)
            value = value * value + 0.1f;
        break;
    case 3:
        value = 1.0f / (value + 1.0f);
        break;
    case 4:
        value = fmax(value, 0.5f) - source[i - 1];
        break;
    default:
        value = -value;
        break;
    }
    target[i] = value;
}
