/* Sequences beside each other. */

/* Local alignment of many pairs: a block a pair, a thread a letter of the query, diagonal by diagonal, three of them kept. */
template <int LENGTH> struct Diagonals {
    short score[3][LENGTH + 1];
};

extern "C" __global__ void __launch_bounds__(128) local_alignment(const unsigned char *__restrict__ queries, const unsigned char *__restrict__ targets, int *__restrict__ best,
    int length, int match, int mismatch, int gap)
{
    __shared__ Diagonals<128> d;
    __shared__ int most[4];
    const int t = threadIdx.x;
    const unsigned char letter = queries[blockIdx.x * 128 + t];
    const unsigned char *target = targets + (size_t)blockIdx.x * length;
    d.score[0][t + 1] = d.score[1][t + 1] = d.score[2][t + 1] = 0;
    if (t < 3)
        d.score[t][0] = 0;
    __syncthreads();
    int highest = 0, old = 0, last = 1, now = 2;
    for (int diagonal = 0; diagonal < length + 127; diagonal++) {
        const int j = diagonal - t;
        int score = 0;
        if (j >= 0 && j < length) {
            score = d.score[old][t] + (target[j] == letter ? match : mismatch);
            score = max(score, max(d.score[last][t], d.score[last][t + 1]) - gap);
            score = max(score, 0);
            highest = max(highest, score);
        }
        d.score[now][t + 1] = (short)score;
        __syncthreads();
        const int next = old;
        old = last;
        last = now;
        now = next;
    }
#pragma unroll
    for (int offset = 16; offset; offset >>= 1)
        highest = max(highest, __shfl_down_sync(0xffffffffu, highest, offset));
    if ((t & 31) == 0)
        most[t >> 5] = highest;
    __syncthreads();
    if (t == 0)
        best[blockIdx.x] = max(max(most[0], most[1]), max(most[2], most[3]));
}

/* How many of 128 letters differ at each place of a genome, two bits a letter. */
extern "C" __global__ void mismatches_at(const unsigned *__restrict__ genome, const unsigned *__restrict__ probe, unsigned char *__restrict__ differ, int places)
{
    __shared__ unsigned pattern[8];
    if (threadIdx.x < 8)
        pattern[threadIdx.x] = probe[threadIdx.x];
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= places)
        return;
    const unsigned *from = genome + (i >> 4);
    const int shift = 2 * (i & 15);
    unsigned low = from[0];
    int count = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        const unsigned high = from[k + 1], x = __funnelshift_r(low, high, shift) ^ pattern[k];
        count += __popc((x | x >> 1) & 0x55555555u);
        low = high;
    }
    differ[i] = (unsigned char)count;
}
