/* Words: 64-bit integers of which a word is known, and products and sums with carries. */
typedef unsigned long long u64;

#define WORDS                                                                                      \
    unsigned v[8];                                                                                 \
    u64 w[8];                                                                                      \
    for (int i = 0; i < 8; i++) {                                                                  \
        v[i] = in[threadIdx.x + i * 32];                                                           \
        w[i] = ((u64 *)in)[threadIdx.x + i * 32 + 1024];                                           \
    }
#define STORE_WORDS                                                                                \
    for (int i = 0; i < 8; i++)                                                                    \
        ((u64 *)out)[threadIdx.x + i * 32] = w[i];
#define EACH for (int i = 0; i < 8; i++)
#define CHOICE(text)                                                                               \
    asm volatile("{.reg .pred p; setp.lt.u32 p,%1,%2; " text "}"                                   \
                 : "=l"(s)                                                                         \
                 : "r"(v[i]), "r"(v[(i + 1) % 8]), "l"(w[i]))

extern "C" __global__ void logic_of_widened(unsigned *in, u64 *out) { WORDS EACH w[i] ^= v[i]; STORE_WORDS }
extern "C" __global__ void choice_and_logic(unsigned *in, u64 *out) { WORDS EACH { u64 s; CHOICE("selp.u64 %0,1,0,p;"); w[i] ^= s; } STORE_WORDS }
extern "C" __global__ void choice_and_sum(unsigned *in, u64 *out) { WORDS EACH { u64 s; CHOICE("selp.u64 %0,1,0,p;"); w[i] += s; } STORE_WORDS }
extern "C" __global__ void choice_of_ones(unsigned *in, u64 *out) { WORDS EACH { u64 s; CHOICE("selp.s64 %0,-1,0,p;"); w[i] ^= s; } STORE_WORDS }
extern "C" __global__ void choice_and_field(unsigned *in, u64 *out) { WORDS EACH { u64 s; CHOICE("selp.u64 %0,1,0,p; bfi.b64 %0,%3,%0,1,63;"); w[i] = s; } STORE_WORDS }
extern "C" __global__ void field_to_the_end(unsigned *in, u64 *out) { WORDS EACH { u64 s; asm volatile("bfi.b64 %0,%1,%2,1,63;" : "=l"(s) : "l"(w[i] ^ v[i]), "l"(w[(i + 1) % 8])); w[i] = s; } STORE_WORDS }
extern "C" __global__ void field_within(unsigned *in, u64 *out) { WORDS EACH { u64 s; asm volatile("bfi.b64 %0,%1,%2,13,17;" : "=l"(s) : "l"(w[i] ^ v[i]), "l"(w[(i + 1) % 8])); w[i] = s; } STORE_WORDS }
extern "C" __global__ void pair_of_halves(unsigned *in, u64 *out) { WORDS EACH w[i] ^= (v[i] * 0xd2511f53u) ^ (u64)__umulhi(v[i], 0xd2511f53u) << 32; STORE_WORDS }
extern "C" __global__ void pair_of_signed_halves(unsigned *in, u64 *out) { WORDS EACH { int a = v[i], b = v[(i + 1) % 8]; w[i] ^= (unsigned)(a * b) ^ (u64)(unsigned)__mulhi(a, b) << 32; } STORE_WORDS }
extern "C" __global__ void upper_words(unsigned *in, u64 *out) { WORDS EACH w[i] = (w[i] ^ v[i]) >> 37 ^ w[(i + 1) % 8] << 40; STORE_WORDS }
extern "C" __global__ void turned_sums(unsigned *in, u64 *out) { WORDS EACH w[i] = (w[i] << 13) + (w[i] >> 51) ^ w[(i + 1) % 8] ^ v[i]; STORE_WORDS }
extern "C" __global__ void turned_alternatives(unsigned *in, u64 *out) { WORDS EACH { u64 a = w[i] ^ v[i]; w[i] = (a << 45 | a >> 19) + w[(i + 1) % 8]; } STORE_WORDS }
extern "C" __global__ void turned_thrice(unsigned *in, u64 *out) { WORDS EACH w[i] = (w[i] >> 14 | w[i] << 50) ^ (w[i] >> 18 | w[i] << 46) ^ (w[i] >> 41 | w[i] << 23); STORE_WORDS }
extern "C" __global__ void turned_halfway(unsigned *in, u64 *out) { WORDS EACH w[i] = (w[i] << 32 | w[i] >> 32) + v[i]; STORE_WORDS }
extern "C" __global__ void shifts_apart(unsigned *in, u64 *out) { WORDS EACH w[i] = (w[i] << 13 | w[i] >> 50) ^ v[i]; STORE_WORDS }

#define NUMBERS                                                                                    \
    unsigned a[8], b[8], t[20];                                                                    \
    for (int i = 0; i < 8; i++) {                                                                  \
        a[i] = in[threadIdx.x + i * 32];                                                           \
        b[i] = in[threadIdx.x + i * 32 + 256];                                                     \
    }                                                                                              \
    for (int i = 0; i < 20; i++)                                                                   \
        t[i] = in[threadIdx.x + 512 + i * 32];                                                     \
    for (int i = 0; i < 8; i++)                                                                    \
        t[i] ^= a[i] + b[i];
#define STORE_NUMBER                                                                               \
    for (int i = 0; i < 20; i++)                                                                   \
        out[threadIdx.x + i * 32] = t[i];
#define ROWS _Pragma("unroll") for (int r = 0; r < 8; r++)

/* The halves of products, and carries from one to the next. */
extern "C" __global__ void chain_of_pairs(unsigned *in, unsigned *out)
{
    NUMBERS ROWS
    {
        asm volatile("mad.lo.cc.u32 %0,%2,%3,%0; madc.hi.cc.u32 %1,%2,%3,%1;" : "+r"(t[0]), "+r"(t[1]) : "r"(a[0]), "r"(b[r]));
        for (int j = 2; j < 8; j += 2)
            asm volatile("madc.lo.cc.u32 %0,%2,%3,%0; madc.hi.cc.u32 %1,%2,%3,%1;" : "+r"(t[j]), "+r"(t[j + 1]) : "r"(a[j]), "r"(b[r]));
        asm volatile("addc.u32 %0,%0,0;" : "+r"(t[8]));
    }
    STORE_NUMBER
}
extern "C" __global__ void pairs_alone(unsigned *in, unsigned *out)
{
    NUMBERS ROWS for (int j = 0; j < 8; j += 2) asm volatile("mad.lo.cc.u32 %0,%2,%3,%0; madc.hi.u32 %1,%2,%3,%1;" : "+r"(t[j]), "+r"(t[j + 1]) : "r"(a[j]), "r"(b[r]));
    STORE_NUMBER
}
/* All lower halves in a row, then all upper halves: no pairs. */
extern "C" __global__ void rows_of_halves(unsigned *in, unsigned *out)
{
    NUMBERS ROWS
    {
        asm volatile("mad.lo.cc.u32 %0,%1,%2,%0;" : "+r"(t[r]) : "r"(a[0]), "r"(b[r]));
        for (int j = 1; j < 8; j++)
            asm volatile("madc.lo.cc.u32 %0,%1,%2,%0;" : "+r"(t[r + j]) : "r"(a[j]), "r"(b[r]));
        asm volatile("addc.u32 %0,%0,0;" : "+r"(t[r + 8]));
        asm volatile("mad.hi.cc.u32 %0,%1,%2,%0;" : "+r"(t[r + 1]) : "r"(a[0]), "r"(b[r]));
        for (int j = 1; j < 7; j++)
            asm volatile("madc.hi.cc.u32 %0,%1,%2,%0;" : "+r"(t[r + j + 1]) : "r"(a[j]), "r"(b[r]));
        asm volatile("madc.hi.u32 %0,%1,%2,%0;" : "+r"(t[r + 8]) : "r"(a[7]), "r"(b[r]));
    }
    STORE_NUMBER
}
extern "C" __global__ void both_halves(unsigned *in, unsigned *out)
{
    NUMBERS ROWS for (int j = 0; j < 8; j += 2)
    {
        t[j] ^= a[j] * b[r];
        t[j + 1] ^= __umulhi(a[j], b[r]);
    }
    STORE_NUMBER
}
extern "C" __global__ void chain_of_sums(unsigned *in, unsigned *out)
{
    NUMBERS ROWS
    {
        asm volatile("add.cc.u32 %0,%0,%1;" : "+r"(t[0]) : "r"(a[0]));
        for (int j = 1; j < 8; j++)
            asm volatile("addc.cc.u32 %0,%0,%1;" : "+r"(t[j]) : "r"(a[j]));
        asm volatile("addc.u32 %0,%0,0;" : "+r"(t[8]));
    }
    STORE_NUMBER
}
