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

extern "C" __global__ void edit_distance(const unsigned char *first, const unsigned char *second,
                                         int *distances, int length)
{
    __shared__ int diagonals[3][LONGEST];
    int i = threadIdx.x;
    int word = blockIdx.x * length;

    for (int d = 0; d <= 2 * length; d++) {
        int j = d - i;
        if (i <= length && j >= 0 && j <= length) {
            int least = i + j;
            if (i > 0 && j > 0) {
                int *one = diagonals[(d + 2) % 3];
                int *two = diagonals[(d + 1) % 3];
                int differs = first[word + i - 1] != second[word + j - 1];
                least = min(min(one[i], one[i - 1]) + 1, two[i - 1] + differs);
            }
            diagonals[d % 3][i] = least;
        }
        __syncthreads();
    }
    if (i == length)
        distances[blockIdx.x] = diagonals[2 * length % 3][length];
}
