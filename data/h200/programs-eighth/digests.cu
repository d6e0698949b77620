/* Digests and bits. */

#define ROTR(x, n) __funnelshift_r(x, x, n)
#define G(a, b, c, d, x, y)      \
    do {                         \
        v[a] += v[b] + m[x];     \
        v[d] = ROTR(v[d] ^ v[a], 16); \
        v[c] += v[d];            \
        v[b] = ROTR(v[b] ^ v[c], 12); \
        v[a] += v[b] + m[y];     \
        v[d] = ROTR(v[d] ^ v[a], 8);  \
        v[c] += v[d];            \
        v[b] = ROTR(v[b] ^ v[c], 7);  \
    } while (0)
#define ROUND(s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, sa, sb, sc, sd, se, sf) \
    G(0, 4, 8, 12, s0, s1);                                                   \
    G(1, 5, 9, 13, s2, s3);                                                   \
    G(2, 6, 10, 14, s4, s5);                                                  \
    G(3, 7, 11, 15, s6, s7);                                                  \
    G(0, 5, 10, 15, s8, s9);                                                  \
    G(1, 6, 11, 12, sa, sb);                                                  \
    G(2, 7, 8, 13, sc, sd);                                                   \
    G(3, 4, 9, 14, se, sf)

/* BLAKE2s of messages of one or more blocks, a thread a message. */
extern "C" __global__ void blake2s_messages(const uint4 *__restrict__ messages, uint4 *__restrict__ digests, int count, int blocks)
{
    const int id = blockDim.x * blockIdx.x + threadIdx.x;
    if (id >= count)
        return;
    const unsigned iv[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
    unsigned h[8];
#pragma unroll
    for (int i = 0; i < 8; i++)
        h[i] = iv[i];
    h[0] ^= 0x01010020u;
    const uint4 *from = messages + (size_t)id * blocks * 4;
#pragma unroll 1
    for (int b = 0; b < blocks; b++) {
        unsigned m[16], v[16];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const uint4 part = from[4 * b + i];
            m[4 * i] = part.x;
            m[4 * i + 1] = part.y;
            m[4 * i + 2] = part.z;
            m[4 * i + 3] = part.w;
        }
#pragma unroll
        for (int i = 0; i < 8; i++) {
            v[i] = h[i];
            v[i + 8] = iv[i];
        }
        v[12] ^= 64 * (b + 1);
        v[14] ^= b == blocks - 1 ? 0xffffffffu : 0u;
        ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3);
        ROUND(11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4);
        ROUND(7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8);
        ROUND(9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13);
        ROUND(2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9);
        ROUND(12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11);
        ROUND(13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10);
        ROUND(6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5);
        ROUND(10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0);
#pragma unroll
        for (int i = 0; i < 8; i++)
            h[i] ^= v[i] ^ v[i + 8];
    }
    digests[2 * id] = make_uint4(h[0], h[1], h[2], h[3]);
    digests[2 * id + 1] = make_uint4(h[4], h[5], h[6], h[7]);
}

/* Squares of 32 x 32 bits turned over by votes; a warp a square. */
extern "C" __global__ void transpose_bits(const unsigned *__restrict__ in, unsigned *__restrict__ out, int rows32, int columns32)
{
    const int lane = threadIdx.x, square = blockIdx.x * blockDim.y + threadIdx.y, row = blockIdx.y;
    if (square >= columns32)
        return;
    const unsigned word = in[((size_t)row * 32 + lane) * columns32 + square];
    unsigned mine = 0;
#pragma unroll
    for (int bit = 0; bit < 32; bit++) {
        const unsigned votes = __ballot_sync(0xffffffff, word >> bit & 1);
        if (lane == bit)
            mine = votes;
    }
    out[((size_t)square * 32 + lane) * rows32 + row] = mine;
}
