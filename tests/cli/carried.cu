// Places that loops carry: bounded where each way around the loop bounds them, also where the loop's own condition compares
// them; and a limit on a cursor that the lanes of a warp go on by.  nvcc -O3 -ptx -arch=sm_90
extern "C" __global__ void walk(const unsigned *__restrict__ keys, const unsigned *__restrict__ next, unsigned *__restrict__ out, int count, unsigned rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned at = 0;
    for (int j = 0; j < 16 && at < rows; j++)
        at = min(next[at] + (keys[j * count + i] & 3), rows);
    out[i] = at;
}

extern "C" __global__ void two_ends(const unsigned *__restrict__ keys, const unsigned *__restrict__ next, unsigned *__restrict__ out, int count, unsigned rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned low = 0, high = rows;
    for (int j = 0; j < 16 && low < high; j++) {
        unsigned a = min(next[low / 32] + (keys[j * count + i] & 3), rows);
        high = min(next[high / 32] + (keys[j * count + i] & 3), rows);
        low = a;
    }
    out[i] = low;
}

extern "C" __global__ void probe(const unsigned *__restrict__ keys, unsigned *__restrict__ table, unsigned *__restrict__ counts, int count, unsigned mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned key = keys[i], slot = (key * 2654435761u) & mask;
    for (int p = 0; p < 64; p++) {
        unsigned old = atomicCAS(table + slot, 0u, key);
        if (old == 0u || old == key) {
            atomicAdd(counts + slot, 1u);
            return;
        }
        slot = (slot + 1) & mask;
    }
}

extern "C" __global__ void narrow(const float *__restrict__ x, unsigned *__restrict__ counts, int count, unsigned mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        atomicAdd(counts + ((((unsigned)x[i] & 1023) * 73856093u) & mask), 1u);
}

// A stream of words a warp, from which those lanes take one whose state is small: `limited`, at the last word at most.
template <bool LIMITED> __device__ void decode(const unsigned short *words, unsigned *out, int streams, int symbols, int length)
{
    int lane = threadIdx.x & 31, stream = (blockIdx.x * blockDim.x + threadIdx.x) / 32, at = 0;
    if (stream >= streams)
        return;
    const unsigned short *in = words + (long long)stream * length;
    unsigned state = lane;
    for (int i = 0; i < symbols; i++) {
        bool wants = state < 0x10000u;
        unsigned lanes = __ballot_sync(~0u, wants);
        if (wants) {
            int place = at + __popc(lanes & ((1u << lane) - 1));
            state = state << 16 | in[LIMITED ? min(place, length - 1) : place];
        }
        at += __popc(lanes);
        state = state * 3 >> 2;
    }
    out[stream * 32 + lane] = state;
}
extern "C" __global__ void decode_free(const unsigned short *__restrict__ words, unsigned *__restrict__ out, int streams, int symbols, int length)
{
    decode<false>(words, out, streams, symbols, length);
}
extern "C" __global__ void decode_limited(const unsigned short *__restrict__ words, unsigned *__restrict__ out, int streams, int symbols, int length)
{
    decode<true>(words, out, streams, symbols, length);
}
// Streams after each other, of which each begins with its first word.
extern "C" __global__ void decode_rows(const unsigned short *__restrict__ words, unsigned *__restrict__ out, int streams, int symbols, int length)
{
    const int lane = threadIdx.x & 31;
    for (int stream = (blockIdx.x * blockDim.x + threadIdx.x) / 32; stream < streams; stream += gridDim.x * blockDim.x / 32) {
        const unsigned short *in = words + (long long)stream * length;
        unsigned state = lane;
        int at = 0;
        for (int i = 0; i < symbols; i++) {
            const bool wants = state < 0x10000u;
            const unsigned lanes = __ballot_sync(~0u, wants);
            if (wants)
                state = state << 16 | in[min(at + __popc(lanes & ((1u << lane) - 1)), length - 1)];
            at += __popc(lanes);
            state = state * 3 >> 2;
        }
        out[stream * 32 + lane] = state;
    }
}
