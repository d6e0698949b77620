/* Columns of a store: probes of a join, filters that make bits, runs that are written out. */
#include <cstdint>

/* Rows ask a table whose buckets lie one after another; matches are counted and the last of them kept. */
extern "C" __global__ void join_probe_buckets(const uint32_t *__restrict__ keys, const int *__restrict__ starts, const uint32_t *__restrict__ build_keys, int *__restrict__ match, int *__restrict__ matches, int rows,
                                             uint32_t mask)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int found = 0, last = -1;
    if (i < rows) {
        const uint32_t key = keys[i];
        uint32_t h = key * 2654435769u;
        h ^= h >> 15;
        const int end = starts[(h & mask) + 1];
        for (int e = starts[h & mask]; e < end; e++)
            if (build_keys[e] == key) {
                found++;
                last = e;
            }
        match[i] = last;
    }
    found = __reduce_add_sync(0xffffffff, found);
    if ((threadIdx.x & 31) == 0 && found)
        atomicAdd(matches, found);
}

/* Bits of rows whose two columns lie within bounds: four words of 32 rows a warp. */
extern "C" __global__ void __launch_bounds__(256) bitmap_between(const int *__restrict__ price, const short *__restrict__ day, uint32_t *__restrict__ bits, int words, int low, int high, int first, int last)
{
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int word = warp * 4 + k;
        if (word >= words)
            return;
        const int p = price[word * 32 + lane];
        const int d = day[word * 32 + lane];
        const uint32_t all = __ballot_sync(0xffffffff, p >= low & p < high & d >= first & d <= last);
        if (lane == 0)
            bits[word] = all;
    }
}

/* Values of runs written out: a block looks for its runs by halves, then a thread for its own. */
extern "C" __global__ void __launch_bounds__(256) expand_runs(const int *__restrict__ ends, const double *__restrict__ values, double *__restrict__ out, int runs, int n)
{
    __shared__ int bounds[2];
    const int tile = blockIdx.x * 1024;
    if (threadIdx.x < 2) {
        const int want = min(tile + (int)threadIdx.x * 1023, n - 1);
        int low = 0, high = runs - 1;
        while (low < high) {
            const int middle = (low + high) / 2;
            if (ends[middle] > want)
                high = middle;
            else
                low = middle + 1;
        }
        bounds[threadIdx.x] = low;
    }
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        const int i = tile + k * 256 + threadIdx.x;
        if (i >= n)
            return;
        int low = bounds[0], high = bounds[1];
        while (low < high) {
            const int middle = (low + high) / 2;
            if (ends[middle] > i)
                high = middle;
            else
                low = middle + 1;
        }
        out[i] = values[low];
    }
}
