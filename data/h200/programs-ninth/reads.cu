/* Reads of a sequencer. */
#include <cstdint>

/* Myers' distances of a pattern of up to 64 bases and texts of LENGTH bases, four bases a byte, texts woven by bytes. */
extern "C" __global__ void myers_bitvector(const unsigned char *__restrict__ texts, const unsigned long long *__restrict__ masks, int *__restrict__ least, int count, int length, int pattern)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= count)
        return;
    const uint64_t peq[4] = {masks[0], masks[1], masks[2], masks[3]};
    uint64_t pv = ~0ull, mv = 0;
    int score = pattern, best = pattern;
    for (int i = 0; i < length / 4; i++) {
        unsigned byte = texts[(size_t)i * count + t];
#pragma unroll
        for (int k = 0; k < 4; k++, byte >>= 2) {
            const unsigned base = byte & 3;
            const uint64_t lower = base & 1 ? peq[1] : peq[0], upper = base & 1 ? peq[3] : peq[2], eq = base & 2 ? upper : lower;
            const uint64_t xv = eq | mv, xh = (((eq & pv) + pv) ^ pv) | eq;
            uint64_t ph = mv | ~(xh | pv), mh = pv & xh;
            score += (int)(ph >> (pattern - 1) & 1) - (int)(mh >> (pattern - 1) & 1);
            best = min(best, score);
            ph = ph << 1 | 1;
            mh <<= 1;
            pv = mh | ~(xv | ph);
            mv = ph & xv;
        }
    }
    least[t] = best;
}
