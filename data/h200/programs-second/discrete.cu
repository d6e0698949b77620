/* Sorting, ciphers, random numbers, games, strings. */

/* Sorts 512 keys a block in shared memory. */
extern "C" __global__ void sort_block(int *keys)
{
    __shared__ int s[512];
    int t = threadIdx.x, base = blockIdx.x * 512;
    s[t] = keys[base + t];
    s[t + 256] = keys[base + t + 256];
    for (int size = 2; size <= 512; size <<= 1)
        for (int stride = size / 2; stride; stride >>= 1) {
            __syncthreads();
            int low = 2 * t - (t & (stride - 1)), high = low + stride;
            int up = (low & size) == 0, a = s[low], b = s[high];
            if ((a > b) == up) {
                s[low] = b;
                s[high] = a;
            }
        }
    __syncthreads();
    keys[base + t] = s[t];
    keys[base + t + 256] = s[t + 256];
}

/* Counts digits of 4 bits by block: the first pass of a radix sort. */
extern "C" __global__ void digits(const unsigned *keys, unsigned *counts, int n, int shift)
{
    __shared__ unsigned c[16];
    if (threadIdx.x < 16)
        c[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        int i = (blockIdx.x * 4 + k) * blockDim.x + threadIdx.x;
        unsigned digit = i < n ? keys[i] >> shift & 15 : 16;
        for (unsigned d = 0; d < 16; d++) {
            unsigned votes = __ballot_sync(0xffffffffu, digit == d);
            if (threadIdx.x % 32 == 0 && votes)
                atomicAdd(&c[d], __popc(votes));
        }
    }
    __syncthreads();
    if (threadIdx.x < 16)
        counts[threadIdx.x * gridDim.x + blockIdx.x] = c[threadIdx.x];
}

/* ChaCha's rounds of a counter, added to the text. */
extern "C" __global__ void chacha(const uint4 *text, uint4 *cipher, const unsigned *key, int blocks)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= blocks)
        return;
    unsigned s[16], x[16];
    s[0] = 0x61707865; s[1] = 0x3320646e; s[2] = 0x79622d32; s[3] = 0x6b206574;
    for (int k = 0; k < 8; k++)
        s[4 + k] = key[k];
    s[12] = i; s[13] = 0; s[14] = key[8]; s[15] = key[9];
    for (int k = 0; k < 16; k++)
        x[k] = s[k];
#define QUARTER(a, b, c, d)                                                                        \
    x[a] += x[b]; x[d] = __funnelshift_l(x[d] ^ x[a], x[d] ^ x[a], 16);                            \
    x[c] += x[d]; x[b] = __funnelshift_l(x[b] ^ x[c], x[b] ^ x[c], 12);                            \
    x[a] += x[b]; x[d] = __funnelshift_l(x[d] ^ x[a], x[d] ^ x[a], 8);                             \
    x[c] += x[d]; x[b] = __funnelshift_l(x[b] ^ x[c], x[b] ^ x[c], 7);
    for (int r = 0; r < 10; r++) {
        QUARTER(0, 4, 8, 12) QUARTER(1, 5, 9, 13) QUARTER(2, 6, 10, 14) QUARTER(3, 7, 11, 15)
        QUARTER(0, 5, 10, 15) QUARTER(1, 6, 11, 12) QUARTER(2, 7, 8, 13) QUARTER(3, 4, 9, 14)
    }
    for (int q = 0; q < 4; q++) {
        uint4 t = text[i * 4 + q];
        t.x ^= x[4 * q] + s[4 * q];
        t.y ^= x[4 * q + 1] + s[4 * q + 1];
        t.z ^= x[4 * q + 2] + s[4 * q + 2];
        t.w ^= x[4 * q + 3] + s[4 * q + 3];
        cipher[i * 4 + q] = t;
    }
}

/* Random walks with a linear congruential generator. */
extern "C" __global__ void walks(float *end, int walkers, int steps, float drift)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= walkers)
        return;
    unsigned state = 1664525u * i + 1013904223u;
    float x = 0;
    for (int k = 0; k < steps; k++) {
        state = state * 1664525u + 1013904223u;
        float u = (state >> 8) * (1.0f / 16777216.0f);
        x += u - 0.5f + drift;
    }
    end[i] = x;
}

/* Option prices by paths with normal numbers by Box and Muller. */
extern "C" __global__ void paths(float *sum, int count, int steps, float s0, float r, float sigma, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned long long state = 0x9e3779b97f4a7c15ull * (i + 1);
    float s = s0, mean = 0, root = sigma * sqrtf(dt);
    for (int k = 0; k < steps; k++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        float u = ((unsigned)state + 1.0f) * 2.3283064e-10f, v = (unsigned)(state >> 32) * 2.3283064e-10f;
        float z = sqrtf(-2 * __logf(u)) * __cosf(6.2831853f * v);
        s *= __expf((r - 0.5f * sigma * sigma) * dt + root * z);
        mean += s;
    }
    sum[i] = fmaxf(mean / steps - s0, 0.0f);
}

/* An automaton of two states, 32 cells a word, rounds in shared memory. */
extern "C" __global__ void automaton(const unsigned *in, unsigned *out, int words, int rounds)
{
    extern __shared__ unsigned s[];
    int t = threadIdx.x, at = blockIdx.x * blockDim.x + t;
    s[t] = at < words ? in[at] : 0;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        unsigned c = s[t], l = s[t ? t - 1 : blockDim.x - 1], n = s[t + 1 < blockDim.x ? t + 1 : 0];
        unsigned left = __funnelshift_l(l, c, 1), right = __funnelshift_r(c, n, 1);
        unsigned next = left ^ (c | right);
        __syncthreads();
        s[t] = next;
        __syncthreads();
    }
    if (at < words)
        out[at] = s[t];
}

/* Hashes words of 64 bytes, 32 rounds over a table in constant memory. */
__constant__ unsigned rounds_of[32] = {1, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127, 131};
extern "C" __global__ void digest(const uint4 *message, unsigned *hash, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned w[16];
    for (int q = 0; q < 4; q++) {
        uint4 m = message[(long)i * 4 + q];
        w[4 * q] = m.x; w[4 * q + 1] = m.y; w[4 * q + 2] = m.z; w[4 * q + 3] = m.w;
    }
    unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
#pragma unroll
    for (int r = 0; r < 32; r++) {
        unsigned f = r < 16 ? (b & c) | (~b & d) : b ^ c ^ d;
        unsigned t = a + f + w[r & 15] + rounds_of[r];
        a = d;
        d = c;
        c = b;
        b += __funnelshift_l(t, t, 7 + (r & 3) * 5);
    }
    hash[i] = a ^ b ^ c ^ d;
}

/* Prefix sums of blocks of 1024, up and down a tree in shared memory. */
extern "C" __global__ void scan_tree(const int *in, int *out, int *totals)
{
    __shared__ int s[1024];
    int t = threadIdx.x, base = blockIdx.x * 1024, offset = 1;
    s[2 * t] = in[base + 2 * t];
    s[2 * t + 1] = in[base + 2 * t + 1];
    for (int d = 512; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d)
            s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    __syncthreads();
    if (t == 0) {
        totals[blockIdx.x] = s[1023];
        s[1023] = 0;
    }
    for (int d = 1; d < 1024; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, v = s[a];
            s[a] = s[b];
            s[b] += v;
        }
    }
    __syncthreads();
    out[base + 2 * t] = s[2 * t];
    out[base + 2 * t + 1] = s[2 * t + 1];
}

/* Longest common subsequence of many short pairs, a thread a pair, rows in local memory. */
extern "C" __global__ void common(const unsigned char *a, const unsigned char *b, int *length, int pairs)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs)
        return;
    unsigned char row[33];
    for (int k = 0; k <= 32; k++)
        row[k] = 0;
    for (int r = 0; r < 32; r++) {
        unsigned char diagonal = 0, c = a[r * pairs + i];
        for (int k = 1; k <= 32; k++) {
            unsigned char above = row[k];
            row[k] = c == b[(k - 1) * pairs + i] ? diagonal + 1 : max(above, row[k - 1]);
            diagonal = above;
        }
    }
    length[i] = row[32];
}

/* Sieve: a block a segment, flags of bytes in shared memory. */
extern "C" __global__ void sieve(int *counts, int primes)
{
    __shared__ unsigned char flag[8192];
    __shared__ int found;
    int low = blockIdx.x * 8192;
    for (int i = threadIdx.x; i < 8192; i += blockDim.x)
        flag[i] = 1;
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    for (int p = 2 + threadIdx.x; p < primes; p += blockDim.x)
        for (int m = (low + p - 1) / p * p; m < low + 8192; m += p)
            flag[m - low] = 0;
    __syncthreads();
    int mine = 0;
    for (int i = threadIdx.x; i < 8192; i += blockDim.x)
        mine += flag[i];
    atomicAdd(&found, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        counts[blockIdx.x] = found;
}
