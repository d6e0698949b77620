/*
 * Finds the nearest of k centres for each point: the assignment of k-means.
 *
 * Launch: one dimension, one thread a point.
 *
 * points   f32, one coordinate of all n points after another, `dimensions` in all
 * centres  f32, k rows of `dimensions` coordinates
 * nearest  n s32: number of the nearest centre
 */
__kernel void kmeans_assign(__global const float *restrict points,
                            __global const float *restrict centres, __global int *restrict nearest,
                            int n, int k, int dimensions)
{
    int i = get_global_id(0);

    if (i >= n)
        return;
    float least = 3.0e38f;
    int best = 0;
    for (int c = 0; c < k; c++) {
        float distance = 0.0f;
        for (int d = 0; d < dimensions; d++) {
            float difference = points[d * n + i] - centres[c * dimensions + d];
            distance += difference * difference;
        }
        best = distance < least ? c : best;
        least = fmin(distance, least);
    }
    nearest[i] = best;
}
