/* Bytes and letters. */

/* Words of 16 letters of a genome into a table of open places; four letters a byte. */
extern "C" __global__ void count_words(const unsigned char *packed, unsigned long long *keys, unsigned *counts, unsigned mask, long long positions)
{
    for (long long p = blockIdx.x * (long long)blockDim.x + threadIdx.x; p < positions; p += (long long)gridDim.x * blockDim.x) {
        unsigned long long bits = 0;
        for (int b = 0; b < 5; b++)
            bits |= (unsigned long long)packed[p / 4 + b] << 8 * b;
        unsigned long long word = (bits >> 2 * (p & 3) & 0xffffffffull) + 1;
        unsigned slot = (unsigned)((word * 0x9e3779b97f4a7c15ull) >> 32) & mask;
        for (int tries = 0; tries < 64; tries++) {
            unsigned long long held = keys[slot];
            if (held == 0)
                held = atomicCAS(&keys[slot], 0ull, word);
            if (held == 0 || held == word) {
                atomicAdd(&counts[slot], 1u);
                break;
            }
            slot = (slot + 1) & mask;
        }
    }
}

/* Sixteen parity bytes of blocks of 223, by logarithms in shared memory; a block of data a thread, bytes of all blocks side by side. */
extern "C" __global__ void reed_solomon(const unsigned char *data, const unsigned char *logs, const unsigned char *powers, const unsigned char *generator, unsigned char *parity, int count)
{
    __shared__ unsigned char to_log[256], to_power[512], g[16];
    for (int i = threadIdx.x; i < 512; i += blockDim.x) {
        if (i < 256)
            to_log[i] = logs[i];
        to_power[i] = powers[i];
    }
    if (threadIdx.x < 16)
        g[threadIdx.x] = generator[threadIdx.x];
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned char p[16];
#pragma unroll
    for (int k = 0; k < 16; k++)
        p[k] = 0;
    for (int b = 0; b < 223; b++) {
        const unsigned char feedback = data[(size_t)b * count + i] ^ p[15];
        const int l = to_log[feedback];
#pragma unroll
        for (int k = 15; k > 0; k--)
            p[k] = p[k - 1] ^ (feedback ? to_power[l + g[k]] : 0);
        p[0] = feedback ? to_power[l + g[0]] : 0;
    }
#pragma unroll
    for (int k = 0; k < 16; k++)
        parity[(size_t)k * count + i] = p[k];
}
