/*
 * One anti-diagonal of the Needleman-Wunsch alignment of many pairs of sequences: match +1,
 * mismatch -1, gap -2. Row 0, column 0 and the two diagonals before must be there.
 *
 * Launch: two dimensions, x one thread a cell of the diagonal, y one pair, any block.
 *
 * first, second  u8, one sequence of n letters a pair
 * scores         s32, n + 1 rows of n + 1 scores a pair
 * diagonal       which: cells with row + column = diagonal, both from 1 to n
 */
__kernel void needleman_wunsch(__global const uchar *first, __global const uchar *second,
                               __global int *scores, int n, int pairs, int diagonal)
{
    int pair = get_global_id(1);
    int top = max(1, diagonal - n), bottom = min(n, diagonal - 1);
    int row = top + get_global_id(0);
    int column = diagonal - row;

    if (row <= bottom && pair < pairs) {
        int width = n + 1;
        __global int *cell = scores + pair * width * width + row * width + column;
        int same = first[pair * n + row - 1] == second[pair * n + column - 1];
        int aligned = cell[-width - 1] + (same ? 1 : -1);
        *cell = max(aligned, max(cell[-width], cell[-1]) - 2);
    }
}
