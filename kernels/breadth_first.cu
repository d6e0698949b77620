/*
 * One level of a breadth-first search of a graph in compressed rows: every point that has no level
 * looks for a neighbour of the level before.
 *
 * Launch: one dimension, one thread a point.
 *
 * starts      s32, n + 1 positions: neighbours of point i from starts[i] to starts[i + 1]
 * neighbours  s32
 * before      n s32: levels, -1 where none
 * after       n s32: levels after this one
 * level       to give
 *
 * Depends on data: branches, trip count and addresses on all arrays.
 */
extern "C" __global__ void breadth_first(const int *starts, const int *neighbours,
                                         const int *before, int *after, int n, int level)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    int own = before[i];
    if (own < 0) {
        int end = starts[i + 1];
        for (int j = starts[i]; j < end; j++)
            if (before[neighbours[j]] == level - 1) {
                own = level;
                break;
            }
    }
    after[i] = own;
}
