/* Two steps of sorting: a merge by diagonals, and a pass over four bits that keeps the order of equal keys. */

/* Where the diagonal DIAG crosses the way of the merge. */
template <typename T>
__device__ int crossing(const T *a, int na, const T *b, int nb, int diag)
{
    int low = max(0, diag - nb), high = min(diag, na);
    while (low < high) {
        const int mid = (low + high) >> 1;
        if (a[mid] <= b[diag - 1 - mid])
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Eight results a thread; the block's part of both lists goes through shared memory. */
extern "C" __global__ void __launch_bounds__(128, 8) merge_path(const unsigned *__restrict__ a, const unsigned *__restrict__ b, unsigned *__restrict__ out, int na, int nb)
{
    constexpr int ITEMS = 8, TILE = 128 * ITEMS;
    __shared__ unsigned keys[TILE + 1];
    __shared__ int edges[2];
    const int first = blockIdx.x * TILE;
    if (threadIdx.x < 2)
        edges[threadIdx.x] = crossing(a, na, b, nb, min(first + (int)threadIdx.x * TILE, na + nb));
    __syncthreads();
    const int a0 = edges[0], a1 = edges[1], b0 = first - a0, b1 = min(first + TILE, na + nb) - a1;
    const int ca = a1 - a0, cb = b1 - b0;
    for (int i = threadIdx.x; i < ca + cb; i += 128)
        keys[i] = i < ca ? a[a0 + i] : b[b0 + i - ca];
    __syncthreads();
    const int diag = threadIdx.x * ITEMS;
    int x = crossing(keys, ca, keys + ca, cb, min(diag, ca + cb));
    int y = min(diag, ca + cb) - x;
    unsigned sorted[ITEMS];
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const bool left = y >= cb || (x < ca && keys[x] <= keys[ca + y]);
        sorted[k] = left ? keys[min(x++, TILE)] : keys[min(ca + y++, TILE)];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        keys[diag + k] = sorted[k];
    __syncthreads();
    for (int i = threadIdx.x; i < ca + cb; i += 128)
        out[first + i] = keys[i];
}

/* Keys of one block to their places: by warps that match digits.  OFFSETS are by digit, then by block. */
extern "C" __global__ void scatter_by_digit(const unsigned *keys, unsigned *sorted, const unsigned *offsets, int shift, int n)
{
    __shared__ unsigned base[16], counts[16][8];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x < 16)
        base[threadIdx.x] = offsets[threadIdx.x * gridDim.x + blockIdx.x];
    for (int round = 0; round < 4; round++) {
        const int i = (blockIdx.x * 4 + round) * blockDim.x + threadIdx.x;
        if (threadIdx.x < 128)
            counts[threadIdx.x / 8][threadIdx.x % 8] = 0;
        __syncthreads();
        const bool valid = i < n;
        const unsigned key = valid ? keys[i] : 0xffffffffu;
        const unsigned digit = valid ? key >> shift & 15 : 16;
        const unsigned peers = __match_any_sync(0xffffffffu, digit);
        const unsigned rank = __popc(peers & (1u << lane) - 1);
        if (valid && rank == 0)
            counts[digit][warp] = __popc(peers);
        __syncthreads();
        if (threadIdx.x < 16) {
            unsigned sum = base[threadIdx.x];
            for (int w = 0; w < 8; w++) {
                const unsigned c = counts[threadIdx.x][w];
                counts[threadIdx.x][w] = sum;
                sum += c;
            }
            base[threadIdx.x] = sum;
        }
        __syncthreads();
        if (valid)
            sorted[counts[digit][warp] + rank] = key;
        __syncthreads();
    }
}
