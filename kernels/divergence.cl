/*
 * Branches and trip counts by thread number: a study of divergence. divergence: threads whose
 * number is a multiple of the modulo take one loop, all others another. divergence_trips: the trip
 * count is the thread number modulo an argument.
 *
 * Launch: one dimension, one thread an element.
 *
 * values  n f32, replaced
 * modulo  above zero
 * trips   of the loops of divergence
 */
__kernel void divergence(__global float *values, int n, int modulo, int trips)
{
    int i = get_global_id(0);

    if (i < n) {
        float value = values[i];
        if ((int)get_local_id(0) % modulo == 0) {
            for (int j = 0; j < trips; j++)
                value = value * 0.99f + 0.5f;
        } else {
            for (int j = 0; j < trips; j++)
                value = sqrt(value + 1.0f);
        }
        values[i] = value;
    }
}

__kernel void divergence_trips(__global float *values, int n, int modulo)
{
    int i = get_global_id(0);

    if (i < n) {
        float value = values[i];
        int trips = (int)get_local_id(0) % modulo;
        for (int j = 0; j < trips; j++)
            value = value * 0.99f + 0.5f;
        values[i] = value;
    }
}
