/*
 * Counts the values of a row in an array of its own in each thread, indexed at run time: local
 * memory. Stores the commonest value.
 *
 * Launch: one dimension, one thread a row.
 *
 * values    u8 below 16; element j of row i at j * rows + i
 * commonest s32, one a row
 * length    elements of a row
 *
 * Depends on data: the addresses of the local array on values.
 */
__kernel void local_array(__global const uchar *values, __global int *commonest, int rows,
                          int length)
{
    int row = get_global_id(0);
    int counts[16];

    if (row >= rows)
        return;
    for (int v = 0; v < 16; v++)
        counts[v] = 0;
    for (int j = 0; j < length; j++)
        counts[values[j * rows + row] & 15]++;
    int best = 0, most = counts[0];
    for (int v = 1; v < 16; v++) {
        best = counts[v] > most ? v : best;
        most = max(counts[v], most);
    }
    commonest[row] = best;
}
