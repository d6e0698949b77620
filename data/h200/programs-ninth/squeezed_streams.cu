/* Streams made smaller and made whole again. */
#include <cstdint>

/* Frames of 1024 integers, each less a base and packed in BITS bits, lanes side by side as on CPUs with vectors of 32. */
extern "C" __global__ void __launch_bounds__(32) unpack_frames(const uint32_t *__restrict__ packed, const int *__restrict__ bases, int *__restrict__ out, int bits)
{
    const uint32_t *from = packed + (size_t)blockIdx.x * 32 * bits + threadIdx.x;
    int *to = out + (size_t)blockIdx.x * 1024 + threadIdx.x;
    const int base = bases[blockIdx.x];
    const uint32_t mask = bits == 32 ? 0xffffffffu : (1u << bits) - 1;
    uint32_t word = from[0];
    int have = 32, next = 1;
    for (int k = 0; k < 32; k++) {
        uint32_t v = word >> (32 - have);
        if (have < bits) {
            word = from[32 * next++];
            v |= word << have;
            have += 32;
        }
        have -= bits;
        to[32 * k] = base + (int)(v & mask);
        if (have == 0 && k < 31) {
            word = from[32 * next++];
            have = 32;
        }
    }
}

/* Differences between neighbours as unsigned numbers, and how many bits the greatest of each 128 needs. */
extern "C" __global__ void __launch_bounds__(128) zigzag_widths(const long long *__restrict__ in, unsigned long long *__restrict__ out, unsigned char *__restrict__ widths, int n)
{
    __shared__ unsigned long long greatest[4];
    const int i = blockIdx.x * 128 + threadIdx.x;
    unsigned long long z = 0;
    if (i < n) {
        const long long d = i ? in[i] - in[i - 1] : in[i];
        z = (unsigned long long)(d << 1) ^ (unsigned long long)(d >> 63);
        out[i] = z;
    }
#pragma unroll
    for (int o = 16; o; o >>= 1)
        z |= __shfl_xor_sync(0xffffffff, z, o);
    if (threadIdx.x % 32 == 0)
        greatest[threadIdx.x / 32] = z;
    __syncthreads();
    if (threadIdx.x == 0)
        widths[blockIdx.x] = 64 - __clzll(greatest[0] | greatest[1] | greatest[2] | greatest[3]);
}

/* The longest match of up to 32 bytes at the four candidates that eight positions share. */
extern "C" __global__ void lz_match_lengths(const unsigned char *__restrict__ text, const int *__restrict__ candidates, unsigned short *__restrict__ length, int *__restrict__ from, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n - 32)
        return;
    int best = 0, where = 0;
    for (int c = 0; c < 4; c++) {
        const int at = candidates[(i / 8) * 4 + c];
        int l = 0;
        while (l < 32 && text[at + l] == text[i + l])
            l++;
        if (l > best) {
            best = l;
            where = at;
        }
    }
    length[i] = best;
    from[i] = where;
}

/* Streams of prefix codes, one a thread, words woven; a table of 2048 entries in shared memory tells symbol and length. */
extern "C" __global__ void __launch_bounds__(128) prefix_decode(const uint32_t *__restrict__ words, const unsigned short *__restrict__ table, unsigned char *__restrict__ symbols, int streams, int count)
{
    __shared__ unsigned short lookup[2048];
    for (int k = threadIdx.x; k < 2048; k += 128)
        lookup[k] = table[k];
    __syncthreads();
    const int s = blockIdx.x * 128 + threadIdx.x;
    if (s >= streams)
        return;
    uint64_t window = (uint64_t)words[s] | (uint64_t)words[streams + s] << 32;
    int have = 64, next = 2;
    for (int k = 0; k < count; k++) {
        const unsigned entry = lookup[window & 2047];
        const int length = 1 + entry % 11;
        symbols[(size_t)k * streams + s] = entry >> 8;
        window >>= length;
        have -= length;
        if (have <= 32) {
            window |= (uint64_t)words[(size_t)next++ * streams + s] << have;
            have += 32;
        }
    }
}
