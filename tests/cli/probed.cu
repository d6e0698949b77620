// Loops that look for a key in a hash table, and one that goes around without asking for any (probed.py).
//   nvcc -O3 -std=c++17 -arch=sm_90 -ptx probed.cu -o probed.ptx

// A join: each key's value, from slot to slot.
extern "C" __global__ void looked_up(const unsigned *__restrict__ wanted, const uint2 *__restrict__ table, unsigned *__restrict__ values, unsigned mask, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned key = wanted[i];
    unsigned slot = key * 2654435761u & mask;
#pragma unroll 1
    while (true) {
        const uint2 held = table[slot];
        if (held.x == key || held.x == 0) {
            values[i] = held.y;
            break;
        }
        slot = (slot + 1) & mask;
    }
}

// A set: keys are put where a slot is free, by at most 64 tries, several of which an iteration has.
extern "C" __global__ void put(const unsigned long long *__restrict__ keys, unsigned long long *table, unsigned slots, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned long long key = keys[i];
    unsigned slot = (unsigned)(key * 0x9e3779b97f4a7c15ull >> 32) % slots;
    for (int tries = 0; tries < 64; tries++) {
        const unsigned long long before = atomicCAS(&table[slot], 0ull, key);
        if (before == 0 || before == key)
            return;
        slot = slot + 1 == slots ? 0 : slot + 1;
    }
}

// No table: numbers of a list that is gone through, up to a certain one.
extern "C" __global__ void up_to(const unsigned *__restrict__ list, const unsigned *__restrict__ last, unsigned *__restrict__ count, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int k = 0;
#pragma unroll 1
    while (list[i + k] != last[i])
        k++;
    count[i] = k;
}
