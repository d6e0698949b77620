/* Sequences: words that stand for a genome, and series bent in time. */

#define K 15
#define W 10
#define THREADS 256

__device__ __forceinline__ unsigned mix(unsigned key)
{
    key = ~key + (key << 21);
    key = key ^ key >> 24;
    key = (key + (key << 3)) + (key << 8);
    key = key ^ key >> 14;
    key = (key + (key << 2)) + (key << 4);
    key = key ^ key >> 28;
    return key + (key << 15);
}

/* Of each W words of K letters the one with the least hash. */
extern "C" __global__ void __launch_bounds__(THREADS) minimizers(const unsigned char *__restrict__ bases, unsigned *__restrict__ hashes, unsigned char *__restrict__ offsets, int length)
{
    __shared__ unsigned char letters[THREADS + W + K];
    __shared__ unsigned hash[THREADS + W];
    const int first = blockIdx.x * THREADS;
    for (int i = threadIdx.x; i < THREADS + W + K; i += THREADS)
        letters[i] = first + i < length ? bases[first + i] & 3 : 0;
    __syncthreads();
    for (int i = threadIdx.x; i < THREADS + W - 1; i += THREADS) {
        unsigned forward = 0, backward = 0;
#pragma unroll
        for (int k = 0; k < K; k++) {
            const unsigned letter = letters[i + k];
            forward = forward << 2 | letter;
            backward |= (3 - letter) << 2 * k;
        }
        hash[i] = mix(min(forward, backward));
    }
    __syncthreads();
    unsigned least = hash[threadIdx.x];
    int at = 0;
#pragma unroll
    for (int i = 1; i < W; i++) {
        const unsigned h = hash[threadIdx.x + i];
        if (h < least) {
            least = h;
            at = i;
        }
    }
    if (first + threadIdx.x < length) {
        hashes[first + threadIdx.x] = least;
        offsets[first + threadIdx.x] = at;
    }
}

/* The least cost of bending one series into another, by diagonals; a block a pair, a thread a row. */
extern "C" __global__ void dtw_wavefront(const float *query, const float *subjects, float *costs, int length)
{
    extern __shared__ float diagonals[];
    const int i = threadIdx.x, n = blockDim.x;
    float *before = diagonals, *last = diagonals + n + 1, *now = diagonals + 2 * (n + 1), *series = diagonals + 3 * (n + 1);
    const float mine = query[i];
    const float *subject = subjects + (size_t)blockIdx.x * length;
    for (int j = i; j < length; j += n)
        series[j] = subject[j];
    before[i + 1] = last[i + 1] = now[i + 1] = 3.0e38f;
    if (i == 0) {
        before[0] = 0.0f;
        last[0] = now[0] = 3.0e38f;
    }
    __syncthreads();
    for (int d = 0; d < n + length - 1; d++) {
        const int j = d - i;
        if (j >= 0 && j < length) {
            const float difference = mine - series[j];
            now[i + 1] = difference * difference + fminf(fminf(last[i], last[i + 1]), before[i]);
        }
        __syncthreads();
        float *turn = before;
        before = last;
        last = now;
        now = turn;
        if (i == 0 && d == 0)
            now[0] = 3.0e38f;
        __syncthreads();
    }
    if (i == n - 1)
        costs[blockIdx.x] = last[n];
}
