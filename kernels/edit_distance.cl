/*
 * Edit distance (Levenshtein) of pairs of words of one length, along anti-diagonals: a wavefront of
 * a dynamic program, three diagonals in shared memory.
 *
 * Launch: one block a pair, one dimension, blocks of length + 1 up to 256 threads.
 *
 * first, second  u8, one word of `length` letters a block
 * distances      s32, one a block
 */
#define LONGEST 256

__kernel void edit_distance(__global const uchar *first, __global const uchar *second,
                            __global int *distances, int length)
{
    __local int diagonals[3][LONGEST];
    int i = get_local_id(0);
    int word = get_group_id(0) * length;

    for (int d = 0; d <= 2 * length; d++) {
        int j = d - i;
        if (i <= length && j >= 0 && j <= length) {
            int least = i + j;
            if (i > 0 && j > 0) {
                __local int *one = diagonals[(d + 2) % 3];
                __local int *two = diagonals[(d + 1) % 3];
                int differs = first[word + i - 1] != second[word + j - 1];
                least = min(min(one[i], one[i - 1]) + 1, two[i - 1] + differs);
            }
            diagonals[d % 3][i] = least;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == length)
        distances[get_group_id(0)] = diagonals[2 * length % 3][length];
}
