/* Queries of a column store, and the codes that its columns are packed in. */

/* Probe of a hash join with linear probing: slots of key and payload, negative keys are empty. */
extern "C" __global__ void probe_join(const int *keys, const int2 *slots, int *payload, int n, int mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int key = keys[i], found = -1;
    unsigned hash = (unsigned)key * 2654435761u;
    int at = (hash >> 7) & mask;
    for (int tries = 0; tries < 32; tries++) {
        int2 slot = slots[at];
        if (slot.x == key) {
            found = slot.y;
            break;
        }
        if (slot.x < 0)
            break;
        at = (at + 1) & mask;
    }
    payload[i] = found;
}

/* Values of a fixed number of bits, packed without gaps, to words. */
extern "C" __global__ void unpack_bits(const unsigned *packed, unsigned *values, int n, int bits, unsigned base)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    long long first = (long long)i * bits;
    int word = (int)(first >> 5), shift = (int)(first & 31);
    unsigned v = packed[word] >> shift;
    if (shift + bits > 32)
        v |= packed[word + 1] << (32 - shift);
    values[i] = base + (v & ((1u << bits) - 1));
}

/* Differences to values: 4096 a block, four a thread, sums of warps by shuffles. */
extern "C" __global__ void delta_decode(const int4 *deltas, const int *first, int4 *out)
{
    __shared__ int sums[32];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    int4 d = deltas[blockIdx.x * 1024 + t];
    d.y += d.x;
    d.z += d.y;
    d.w += d.z;
    int s = d.w;
    for (int o = 1; o < 32; o <<= 1) {
        int v = __shfl_up_sync(0xffffffff, s, o);
        if (lane >= o)
            s += v;
    }
    if (lane == 31)
        sums[warp] = s;
    __syncthreads();
    if (warp == 0) {
        int w = sums[lane];
        for (int o = 1; o < 32; o <<= 1) {
            int v = __shfl_up_sync(0xffffffff, w, o);
            if (lane >= o)
                w += v;
        }
        sums[lane] = w;
    }
    __syncthreads();
    int before = first[blockIdx.x] + s - d.w + (warp > 0 ? sums[warp - 1] : 0);
    out[blockIdx.x * 1024 + t] = make_int4(before + d.x, before + d.y, before + d.z, before + d.w);
}

/* Sums and counts by a group of one byte: tables of a block in shared memory, added to the table of all. */
extern "C" __global__ void aggregate_groups(const unsigned char *__restrict__ group, const float *__restrict__ price, const float *__restrict__ discount, float *sums, int *counts, int n)
{
    __shared__ float sum[256];
    __shared__ int count[256];
    sum[threadIdx.x] = 0;
    count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int g = group[i];
        atomicAdd(&sum[g], price[i] * (1.0f - discount[i]));
        atomicAdd(&count[g], 1);
    }
    __syncthreads();
    if (count[threadIdx.x] > 0) {
        atomicAdd(&sums[threadIdx.x], sum[threadIdx.x]);
        atomicAdd(&counts[threadIdx.x], count[threadIdx.x]);
    }
}

__device__ unsigned long long spread_bits(unsigned v)
{
    unsigned long long x = v & 0x1fffff;
    x = (x | x << 32) & 0x001f00000000ffffull;
    x = (x | x << 16) & 0x001f0000ff0000ffull;
    x = (x | x << 8) & 0x100f00f00f00f00full;
    x = (x | x << 4) & 0x10c30c30c30c30c3ull;
    x = (x | x << 2) & 0x1249249249249249ull;
    return x;
}

/* Places in space to keys along a Z curve, points of three floats each. */
extern "C" __global__ void morton_keys(const float3 *points, unsigned long long *keys, int n, float scale)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float3 p = points[i];
        unsigned x = (unsigned)(p.x * scale), y = (unsigned)(p.y * scale), z = (unsigned)(p.z * scale);
        keys[i] = spread_bits(x) << 2 | spread_bits(y) << 1 | spread_bits(z);
    }
}

template <int WARPS>
__device__ int place_in_block(bool keep, int *total)
{
    __shared__ int counts[WARPS];
    unsigned votes = __ballot_sync(0xffffffff, keep);
    int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    if (lane == 0)
        counts[warp] = __popc(votes);
    __syncthreads();
    int before = 0, sum = 0;
    for (int w = 0; w < WARPS; w++) {
        if (w < warp)
            before += counts[w];
        sum += counts[w];
    }
    *total = sum;
    return before + __popc(votes & ((1u << lane) - 1));
}

/* Rows whose value lies in a range, moved together at the start of the block's part of the result. */
extern "C" __global__ void select_rows(const float *value, const int *id, int *selected, int *counts, int n, float low, float high)
{
    int i = blockIdx.x * 192 + threadIdx.x, total;
    bool keep = false;
    if (i < n) {
        float v = value[i];
        keep = v >= low && v < high;
    }
    int at = place_in_block<6>(keep, &total);
    if (keep)
        selected[blockIdx.x * 192 + at] = id[i];
    if (threadIdx.x == 0)
        counts[blockIdx.x] = total;
}

/* Codes of one byte to the numbers of a dictionary in shared memory, four a thread. */
extern "C" __global__ void decode_dictionary(const uchar4 *codes, const float *dictionary, float4 *out, int quads)
{
    __shared__ float table[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        table[i] = dictionary[i];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += blockDim.x * gridDim.x) {
        uchar4 c = codes[i];
        out[i] = make_float4(table[c.x], table[c.y], table[c.z], table[c.w]);
    }
}
