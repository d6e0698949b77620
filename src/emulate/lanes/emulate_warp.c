/* Operations among the lanes of a warp; `mask` are the lanes that execute them together. */
#include "emulate_special.h"

static void write_word(struct emulate_warp *warp, int64_t word, uint32_t value, uint32_t mask)
{
    if (word)
        WORD((uint32_t)word) = (WORD((uint32_t)word) & ~mask) | (value & mask);
}

/* The source lane as the PTX manual's pseudocode for shfl computes it. */
static bool shuffle_source(unsigned mode, uint32_t lane, uint32_t b, uint32_t c, uint32_t *source)
{
    const uint32_t offset = b & 31, clamp = c & 31, segment = c >> 8 & 31;
    const int32_t most = (int32_t)((lane & segment) | (clamp & ~segment));
    int32_t j;
    bool inside;
    switch (mode) {
    case FW_MODE_UP:
        j = (int32_t)lane - (int32_t)offset;
        inside = j >= most;
        break;
    case FW_MODE_DOWN:
        j = (int32_t)(lane + offset);
        inside = j <= most;
        break;
    case FW_MODE_BFLY:
        j = (int32_t)(lane ^ offset);
        inside = j <= most;
        break;
    default:
        j = (int32_t)((lane & segment) | (offset & ~segment));
        inside = j <= most;
        break;
    }
    *source = inside ? (uint32_t)j & 31 : lane;
    return inside;
}

void fw_emulate_run_shuffle(struct emulate_warp *warp, const struct emulate_micro *micro,
                            uint32_t mask)
{
    const uint32_t *a = SLOT(uint32_t, micro->a), *b = SLOT(uint32_t, micro->b);
    const uint32_t *c = SLOT(uint32_t, micro->c);
    uint32_t *d = SLOT(uint32_t, micro->d), result[LANES], truth = 0;
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t source;
        truth |= (uint32_t)shuffle_source(micro->small[0], i, b[i], c[i], &source) << i;
        result[i] = a[source];
    }
    for (unsigned i = 0; i < LANES; i++)
        d[i] = mask >> i & 1 ? result[i] : d[i];
    write_word(warp, micro->immediate, truth, mask);
}

void fw_emulate_run_vote(struct emulate_warp *warp, const struct emulate_micro *micro,
                         uint32_t mask)
{
    const uint32_t truth = (WORD(micro->a) ^ (uint32_t)micro->immediate) & mask;
    switch (micro->small[0]) {
    case FW_MODE_ALL:
        write_word(warp, micro->d, truth == mask ? mask : 0, mask);
        break;
    case FW_MODE_ANY:
        write_word(warp, micro->d, truth ? mask : 0, mask);
        break;
    case FW_MODE_UNI:
        write_word(warp, micro->d, truth == mask || !truth ? mask : 0, mask);
        break;
    default:
        for (unsigned i = 0; i < LANES; i++)
            if (mask >> i & 1)
                SLOT(uint32_t, micro->d)[i] = truth;
        break;
    }
}

void fw_emulate_run_match(struct emulate_warp *warp, const struct emulate_micro *micro,
                          uint32_t mask)
{
    uint64_t value[LANES];
    uint32_t same[LANES] = {0}, agree = 0;
    for (unsigned i = 0; i < LANES; i++)
        value[i] = micro->small[1] == 8 ? SLOT(uint64_t, micro->a)[i] : SLOT(uint32_t, micro->a)[i];
    for (uint32_t left = mask; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        for (uint32_t others = mask; others; others &= others - 1) {
            const unsigned k = (unsigned)__builtin_ctz(others);
            same[i] |= (uint32_t)(value[i] == value[k]) << k;
        }
        agree |= (uint32_t)(same[i] == mask) << i;
    }
    const bool all = micro->small[0] == FW_MODE_ALL;
    for (uint32_t left = mask; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        SLOT(uint32_t, micro->d)[i] = all ? (agree == mask ? mask : 0) : same[i];
    }
    write_word(warp, micro->immediate, agree == mask ? mask : 0, mask);
}

void fw_emulate_run_redux(struct emulate_warp *warp, const struct emulate_micro *micro,
                          uint32_t mask)
{
    const uint32_t *a = SLOT(uint32_t, micro->a);
    uint32_t result = a[__builtin_ctz(mask)];
    for (uint32_t left = mask & (mask - 1); left; left &= left - 1) {
        const uint32_t x = a[__builtin_ctz(left)];
        const bool less = micro->small[1] ? (int32_t)x < (int32_t)result : x < result;
        switch (micro->small[0]) {
        case FW_MODE_ADD:
            result += x;
            break;
        case FW_MODE_MIN:
            result = less ? x : result;
            break;
        case FW_MODE_MAX:
            result = less ? result : x;
            break;
        case FW_MODE_AND:
            result &= x;
            break;
        case FW_MODE_OR:
            result |= x;
            break;
        default:
            result ^= x;
            break;
        }
    }
    for (uint32_t left = mask; left; left &= left - 1)
        SLOT(uint32_t, micro->d)[__builtin_ctz(left)] = result;
}

void fw_emulate_run_activemask(struct emulate_warp *warp, const struct emulate_micro *micro,
                               uint32_t mask)
{
    for (uint32_t left = mask; left; left &= left - 1)
        SLOT(uint32_t, micro->d)[__builtin_ctz(left)] = mask;
}

void fw_emulate_run_elect(struct emulate_warp *warp, const struct emulate_micro *micro,
                          uint32_t mask)
{
    const uint32_t leader = (uint32_t)__builtin_ctz(mask);
    for (uint32_t left = mask; left; left &= left - 1)
        SLOT(uint32_t, micro->d)[__builtin_ctz(left)] = leader;
    write_word(warp, micro->immediate, (uint32_t)1 << leader, mask);
}
