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
extern "C" __global__ void divergence(float *values, int n, int modulo, int trips)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        float value = values[i];
        if (threadIdx.x % modulo == 0) {
            for (int j = 0; j < trips; j++)
                value = value * 0.99f + 0.5f;
        } else {
            for (int j = 0; j < trips; j++)
                value = sqrtf(value + 1.0f);
        }
        values[i] = value;
    }
}

extern "C" __global__ void divergence_trips(float *values, int n, int modulo)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        float value = values[i];
        int trips = threadIdx.x % modulo;
        for (int j = 0; j < trips; j++)
            value = value * 0.99f + 0.5f;
        values[i] = value;
    }
}
