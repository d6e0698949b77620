/* Numbers and states of many words. */
typedef unsigned long long word;

__constant__ word round_words[24] = {
    0x0000000000000001ull, 0x0000000000008082ull, 0x800000000000808aull, 0x8000000080008000ull, 0x000000000000808bull, 0x0000000080000001ull,
    0x8000000080008081ull, 0x8000000000008009ull, 0x000000000000008aull, 0x0000000000000088ull, 0x0000000080008009ull, 0x000000008000000aull,
    0x000000008000808bull, 0x800000000000008bull, 0x8000000000008089ull, 0x8000000000008003ull, 0x8000000000008002ull, 0x8000000000000080ull,
    0x000000000000800aull, 0x800000008000000aull, 0x8000000080008081ull, 0x8000000000008080ull, 0x0000000080000001ull, 0x8000000080008008ull};

__device__ __forceinline__ word turned(word x, int n) { return n ? x << n | x >> (64 - n) : x; }

/* Keccak's 24 rounds, a state of 25 words a thread, words of all states side by side. */
extern "C" __global__ void keccak_states(word *states, int count)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= count)
        return;
    word s[25];
#pragma unroll
    for (int i = 0; i < 25; i++)
        s[i] = states[(size_t)i * count + id];
    for (int r = 0; r < 24; r++) {
        word c[5], b[25];
        constexpr int turns[25] = {0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14};
#pragma unroll
        for (int x = 0; x < 5; x++)
            c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
#pragma unroll
        for (int x = 0; x < 5; x++) {
            const word d = c[(x + 4) % 5] ^ turned(c[(x + 1) % 5], 1);
#pragma unroll
            for (int y = 0; y < 5; y++)
                b[(2 * x + 3 * y) % 5 * 5 + y] = turned(s[5 * y + x] ^ d, turns[5 * y + x]);
        }
#pragma unroll
        for (int y = 0; y < 5; y++)
#pragma unroll
            for (int x = 0; x < 5; x++)
                s[5 * y + x] = b[5 * y + x] ^ (~b[5 * y + (x + 1) % 5] & b[5 * y + (x + 2) % 5]);
        s[0] ^= round_words[r];
    }
#pragma unroll
    for (int i = 0; i < 25; i++)
        states[(size_t)i * count + id] = s[i];
}

/* Products of Montgomery, eight words of 32 bits each, raised EXPONENT times; carries by the machine's own. */
__device__ __forceinline__ unsigned mad_low_cc(unsigned a, unsigned b, unsigned c)
{
    unsigned r;
    asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}

__device__ __forceinline__ unsigned madc_high_cc(unsigned a, unsigned b, unsigned c)
{
    unsigned r;
    asm volatile("madc.hi.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}

__device__ __forceinline__ void add_product(unsigned *t, const unsigned *a, unsigned b)
{
    unsigned carry = 0;
#pragma unroll
    for (int j = 0; j < 8; j++) {
        const unsigned low = mad_low_cc(a[j], b, t[j]);
        const unsigned high = madc_high_cc(a[j], b, 0);
        asm volatile("add.cc.u32 %0, %2, %3; addc.u32 %1, %4, 0;" : "=r"(t[j]), "=r"(carry) : "r"(low), "r"(carry), "r"(high));
    }
    asm volatile("add.cc.u32 %0, %0, %2; addc.u32 %1, %1, 0;" : "+r"(t[8]), "+r"(t[9]) : "r"(carry));
}

extern "C" __global__ void __launch_bounds__(256, 2) montgomery_powers(const unsigned *__restrict__ in, const unsigned *__restrict__ modulus, unsigned *__restrict__ out, int n, unsigned inverse, int exponent)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned a[8], m[8], x[8];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        x[k] = a[k] = in[k * n + i];
        m[k] = modulus[k];
    }
    for (int e = 0; e < exponent; e++) {
        unsigned t[10] = {0};
#pragma unroll
        for (int k = 0; k < 8; k++) {
            add_product(t, a, x[k]);
            add_product(t, m, t[0] * inverse);
#pragma unroll
            for (int j = 0; j < 9; j++)
                t[j] = t[j + 1];
            t[9] = 0;
        }
#pragma unroll
        for (int k = 0; k < 8; k++)
            x[k] = t[k];
    }
#pragma unroll
    for (int k = 0; k < 8; k++)
        out[k * n + i] = x[k];
}
