// Text and keys: a pattern of classes found by shifts, keys found in a table of two places each.

// Shift-and: bit k of the state is set where the pattern's first k + 1 bytes end here.  A thread has 64 bytes and what a match may reach into.
extern "C" __global__ void __launch_bounds__(256) shift_and(const uint4 *__restrict__ text, const unsigned *__restrict__ masks, unsigned *__restrict__ found, int chunks, int length)
{
    __shared__ unsigned s_mask[256];
    s_mask[threadIdx.x] = masks[threadIdx.x];
    __syncthreads();
    const int i = blockIdx.x * 256 + threadIdx.x;
    unsigned matches = 0;
    if (i < chunks) {
        const unsigned accept = 1u << (length - 1);
        unsigned state = 0;
#pragma unroll
        for (int v = 0; v < 5; v++) {
            const uint4 word = text[i * 4 + v];
            const unsigned w[4] = {word.x, word.y, word.z, word.w};
#pragma unroll
            for (int k = 0; k < 16; k++) {
                state = (state << 1 | 1u) & s_mask[w[k / 4] >> (k % 4 * 8) & 255];
                if (v < 4 || k < length - 1)
                    matches += (state & accept) != 0;
            }
        }
    }
    matches = __reduce_add_sync(0xffffffffu, matches);
    if (threadIdx.x % 32 == 0 && matches)
        atomicAdd(found, matches);
}

using Key = unsigned long long;

__device__ __forceinline__ Key mix(Key k, Key seed)
{
    k ^= seed;
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccdull;
    k ^= k >> 33;
    k *= 0xc4ceb9fe1a85ec53ull;
    return k ^ k >> 33;
}

template <typename Value, Value Missing> struct Table {
    const ulonglong2 *slots;
    Key mask;
    __device__ Value find(Key key) const
    {
        ulonglong2 slot = slots[mix(key, 0) & mask];
        if (slot.x == key)
            return slot.y;
        slot = slots[mix(key, 0x9e3779b97f4a7c15ull) & mask];
        return slot.x == key ? slot.y : Missing;
    }
};

extern "C" __global__ void cuckoo_find(const ulonglong2 *__restrict__ slots, const Key *__restrict__ keys, Key *__restrict__ values, long long n, unsigned long long mask)
{
    const Table<Key, ~0ull> table{slots, mask};
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        values[i] = table.find(keys[i]);
}
