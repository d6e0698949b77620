/* Sums that tell whether bytes have changed. */
__constant__ unsigned round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74,
    0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d,
    0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e,
    0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5,
    0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

__device__ __forceinline__ unsigned rotate(unsigned x, int n) { return __funnelshift_r(x, x, n); }

/* One block of 64 bytes a thread, words in the order of their bytes. */
extern "C" __global__ void __launch_bounds__(192) sha256_blocks(const uint4 *__restrict__ messages, uint4 *__restrict__ digests, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned w[16];
#pragma unroll
    for (int q = 0; q < 4; q++) {
        const uint4 v = messages[4 * (size_t)i + q];
        w[4 * q] = __byte_perm(v.x, 0, 0x0123);
        w[4 * q + 1] = __byte_perm(v.y, 0, 0x0123);
        w[4 * q + 2] = __byte_perm(v.z, 0, 0x0123);
        w[4 * q + 3] = __byte_perm(v.w, 0, 0x0123);
    }
    const unsigned h0[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned a = h0[0], b = h0[1], c = h0[2], d = h0[3], e = h0[4], f = h0[5], g = h0[6], h = h0[7];
    for (int group = 0; group < 4; group++) {
#pragma unroll
        for (int r = 0; r < 16; r++) {
            const unsigned t1 = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + round_constants[16 * group + r] + w[r];
            const unsigned t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
            h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
            const unsigned s0 = w[(r + 1) % 16], s1 = w[(r + 14) % 16];
            w[r] += (rotate(s0, 7) ^ rotate(s0, 18) ^ s0 >> 3) + w[(r + 9) % 16] + (rotate(s1, 17) ^ rotate(s1, 19) ^ s1 >> 10);
        }
    }
    digests[2 * (size_t)i] = make_uint4(h0[0] + a, h0[1] + b, h0[2] + c, h0[3] + d);
    digests[2 * (size_t)i + 1] = make_uint4(h0[4] + e, h0[5] + f, h0[6] + g, h0[7] + h);
}

/* Four bytes a step by four tables in shared memory; a packet a thread. */
extern "C" __global__ void crc_by_four(const unsigned *__restrict__ packets, const unsigned *__restrict__ tables, unsigned *__restrict__ sums, int count, int words)
{
    __shared__ unsigned t[4][256];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        t[k >> 8][k & 255] = tables[k];
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned crc = 0xffffffffu;
    const unsigned *mine = packets + (size_t)i * words;
    for (int k = 0; k < words; k++) {
        crc ^= mine[k];
        crc = t[3][crc & 255] ^ t[2][crc >> 8 & 255] ^ t[1][crc >> 16 & 255] ^ t[0][crc >> 24];
    }
    sums[i] = ~crc;
}
