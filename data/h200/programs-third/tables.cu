/* Hashes, sets of bits, sorting, strings, diagonals. */

/* Sorts 1024 keys of a block by four bits: four splits, each with a scan by warps. */
extern "C" __global__ void __launch_bounds__(1024) split_block(const unsigned *in, unsigned *out, int shift)
{
    __shared__ unsigned keys[1024], totals[32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    unsigned key = in[blockIdx.x * 1024 + t];
    for (int b = shift; b < shift + 4; b++) {
        unsigned zero = ~(key >> b) & 1, votes = __ballot_sync(0xffffffffu, zero), before = __popc(votes & ((1u << lane) - 1));
        if (lane == 0)
            totals[warp] = __popc(votes);
        __syncthreads();
        if (warp == 0) {
            unsigned v = totals[lane];
            for (int d = 1; d < 32; d *= 2) {
                unsigned o = __shfl_up_sync(0xffffffffu, v, d);
                if (lane >= d)
                    v += o;
            }
            totals[lane] = v;
        }
        __syncthreads();
        unsigned zeros = totals[31], rank = before + (warp ? totals[warp - 1] : 0);
        keys[zero ? rank : zeros + t - rank] = key;
        __syncthreads();
        key = keys[t];
    }
    out[blockIdx.x * 1024 + t] = key;
}

/* A set of bits by four hashes of each key. */
extern "C" __global__ void bloom_insert(const unsigned *keys, unsigned *bits, int n, unsigned mask)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned h = keys[i] * 0x9e3779b1u, g = (h ^ h >> 15) * 0x85ebca77u | 1;
        for (int k = 0; k < 4; k++) {
            h += g;
            unsigned at = (h ^ h >> 13) & mask;
            atomicOr(&bits[at >> 5], 1u << (at & 31));
        }
    }
}

/* Checksums of packets, a thread a packet, four tables in shared memory. */
extern "C" __global__ void packet_checksums(const unsigned *words, const unsigned *table, unsigned *sums, int packets, int length)
{
    __shared__ unsigned t[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        t[i] = table[i];
    __syncthreads();
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= packets)
        return;
    unsigned c = 0xffffffffu;
    for (int k = 0; k < length; k++) {
        c ^= words[(long)k * packets + p];
        c = t[c & 255] ^ t[256 + (c >> 8 & 255)] ^ t[512 + (c >> 16 & 255)] ^ t[768 + (c >> 24)];
    }
    sums[p] = ~c;
}

/* Distances of all pairs of fingerprints of 1024 bits: the queries of a block in shared memory. */
extern "C" __global__ void fingerprint_distances(const uint4 *queries, const uint4 *base, unsigned short *distance, int count)
{
    __shared__ uint4 q[16][8];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 128)
        q[t / 8][t % 8] = queries[blockIdx.y * 128 + t];
    __syncthreads();
    if (i >= count)
        return;
    uint4 b[8];
#pragma unroll
    for (int k = 0; k < 8; k++)
        b[k] = base[(long)k * count + i];
    for (int j = 0; j < 16; j++) {
        int d = 0;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            uint4 v = q[j][k];
            d += __popc(v.x ^ b[k].x) + __popc(v.y ^ b[k].y) + __popc(v.z ^ b[k].z) + __popc(v.w ^ b[k].w);
        }
        distance[(long)(blockIdx.y * 16 + j) * count + i] = d;
    }
}

/* Distances of pairs of strings of 128 letters along the diagonals of their table: a block a pair, three diagonals kept. */
extern "C" __global__ void string_distances(const unsigned char *a, const unsigned char *b, int *distance)
{
    __shared__ int line[3][130];
    __shared__ unsigned char other[128];
    int t = threadIdx.x;
    unsigned char mine = a[blockIdx.x * 128 + t];
    other[t] = b[blockIdx.x * 128 + t];
    if (t == 0)
        line[0][0] = 0;
    __syncthreads();
    for (int d = 1; d <= 256; d++) {
        int *now = line[d % 3], *last = line[(d + 2) % 3], *before = line[(d + 1) % 3];
        int j = d - t - 1; /* row t + 1, column j */
        if (t == 0 && d <= 128)
            now[0] = d;
        if (j == 0)
            now[t + 1] = d;
        else if (j > 0 && j <= 128) {
            int change = before[t] + (mine != other[j - 1]), one = min(last[t], last[t + 1]) + 1;
            now[t + 1] = min(change, one);
        }
        __syncthreads();
    }
    if (t == 127)
        distance[blockIdx.x] = line[256 % 3][128];
}

/* Best brackets of a chain: one diagonal of the table, a thread an interval. */
extern "C" __global__ void chain_diagonal(int *cost, const int *size, int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = i + length;
    if (j >= n)
        return;
    int best = 1 << 30, ends = size[i] * size[j + 1];
    for (int k = i; k < j; k++)
        best = min(best, cost[(long)i * n + k] + cost[(long)(k + 1) * n + j] + ends * size[k + 1]);
    cost[(long)i * n + j] = best;
}
