#include "emulate_special.h"

#include "emulate_number.h"

static void write_word(struct emulate_warp *warp, uint32_t word, uint32_t value, uint32_t mask)
{
    WORD(word) = (WORD(word) & ~mask) | (value & mask);
}

static uint32_t logic(unsigned which, uint32_t a, uint32_t b)
{
    switch (which) {
    case PREDICATE_NOT:
        return ~a;
    case PREDICATE_AND:
        return a & b;
    case PREDICATE_OR:
        return a | b;
    case PREDICATE_XOR:
        return a ^ b;
    default:
        return a;
    }
}

void fw_emulate_run_predicate(struct emulate_warp *warp, const struct emulate_micro *micro,
                              uint32_t mask)
{
    write_word(warp, micro->d, logic(micro->small[0], WORD(micro->a), WORD(micro->b)), mask);
}

void fw_emulate_run_combine(struct emulate_warp *warp, const struct emulate_micro *micro,
                            uint32_t mask)
{
    const uint32_t a = WORD(micro->a), b = WORD(micro->b) ^ (uint32_t)micro->immediate;
    write_word(warp, micro->d, logic(micro->small[0], a, b), mask);
    if (micro->e)
        write_word(warp, micro->e, logic(micro->small[0], ~a, b), mask);
}

void fw_emulate_run_truth(struct emulate_warp *warp, const struct emulate_micro *micro,
                          uint32_t mask)
{
    const uint32_t truth = WORD(micro->a);
    for (unsigned i = 0; i < LANES; i++) {
        const u64 value = truth >> i & 1 ? (u64)micro->immediate : 0;
        if (!(mask >> i & 1))
            continue;
        if (micro->small[0] == 8)
            SLOT(u64, micro->d)[i] = value;
        else
            SLOT(u32, micro->d)[i] = (u32)value;
    }
}

static bool tested(unsigned which, u64 exponent, u64 top, u64 significand)
{
    switch (which) {
    case 0:
        return exponent != top;
    case 1:
        return exponent == top && !significand;
    case 2:
        return exponent != top || !significand;
    case 3:
        return exponent == top && significand;
    case 4:
        return exponent != top && (exponent || !significand); /* zero counts as normal */
    default:
        return exponent == 0 && significand;
    }
}

void fw_emulate_run_test(struct emulate_warp *warp, const struct emulate_micro *micro,
                         uint32_t mask)
{
    uint32_t truth = 0;
    for (unsigned i = 0; i < LANES; i++) {
        bool is;
        if (micro->small[1]) {
            const u64 x = SLOT(u64, micro->a)[i];
            is = tested(micro->small[0], x >> 52 & 0x7ff, 0x7ff, x << 12);
        } else {
            const u32 x = SLOT(u32, micro->a)[i];
            is = tested(micro->small[0], x >> 23 & 0xff, 0xff, x & 0x7fffff);
        }
        truth |= (uint32_t)is << i;
    }
    write_word(warp, micro->d, truth, mask);
}

/* Lane i of a slot, as 64 bits from bit `from` on. */
static u64 lane_bits(struct emulate_warp *warp, uint32_t slot, unsigned bytes, unsigned i,
                     unsigned from)
{
    if (bytes == 4)
        return SLOT(u32, slot)[i] >> from;
    if (bytes == 8 || from < 64) {
        const u64 low = SLOT(u64, slot)[i] >> from;
        return low;
    }
    return SLOT(u64, slot)[LANES + i] >> (from - 64);
}

void fw_emulate_run_extract(struct emulate_warp *warp, const struct emulate_micro *micro,
                            uint32_t mask)
{
    const unsigned from = (unsigned)micro->immediate;
    const u64 kept = micro->small[2] >= 64 ? UINT64_MAX : ((u64)1 << micro->small[2]) - 1;
    for (uint32_t left = mask; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const u64 value = lane_bits(warp, micro->a, micro->small[0], i, from) & kept;
        if (micro->small[1] == 8)
            SLOT(u64, micro->d)[i] = value;
        else
            SLOT(u32, micro->d)[i] = (u32)value;
    }
}

void fw_emulate_run_insert(struct emulate_warp *warp, const struct emulate_micro *micro,
                           uint32_t mask)
{
    const unsigned to = (unsigned)micro->immediate;
    const u64 kept = micro->small[2] >= 64 ? UINT64_MAX : ((u64)1 << micro->small[2]) - 1;
    for (uint32_t left = mask; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const u64 value = lane_bits(warp, micro->a, micro->small[0], i, 0) & kept;
        if (micro->small[1] == 4)
            SLOT(u32, micro->d)[i] |= (u32)(value << to);
        else if (to < 64)
            SLOT(u64, micro->d)[i] |= value << to;
        else
            SLOT(u64, micro->d)[LANES + i] |= value << (to - 64);
    }
}

void fw_emulate_run_clear(struct emulate_warp *warp, const struct emulate_micro *micro,
                          uint32_t mask)
{
    (void)mask;
    memset(SLOT(unsigned char, micro->d), 0, LANES * (size_t)micro->small[1]);
}

/* One lane's result and carry; numbers of 32 bits lie in the low half. */
static u64 with_carry(const struct emulate_micro *micro, u64 x, u64 y, u64 z, bool *carry)
{
    const bool wide = micro->small[3] == 8;
    const u64 in = micro->small[1] && *carry;
    if (micro->small[0] == 1) {
        const u64 r = x - y - in;
        *carry = x < y || (in && x == y);
        return r;
    }
    u64 product = y;
    if (micro->small[0] >= 2) {
        const bool high = micro->small[0] == 3, is_signed = micro->small[4];
        x = !high       ? x * y
            : wide      ? (is_signed ? high64s(x, y) : high64(x, y))
            : is_signed ? high32s((u32)x, (u32)y)
                        : high32((u32)x, (u32)y);
        product = z;
    }
    if (!wide) {
        const u64 sum = (x & UINT32_MAX) + (product & UINT32_MAX) + in;
        *carry = sum >> 32;
        return sum;
    }
    const u128 sum = (u128)x + product + in;
    *carry = (bool)(sum >> 64);
    return (u64)sum;
}

void fw_emulate_run_carry(struct emulate_warp *warp, const struct emulate_micro *micro,
                          uint32_t mask)
{
    const bool wide = micro->small[3] == 8;
    uint32_t carries = WORD(CARRY_WORD);
    for (uint32_t left = mask; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        bool carry = carries >> i & 1;
        if (wide) {
            SLOT(u64, micro->d)
            [i] = with_carry(micro, SLOT(u64, micro->a)[i], SLOT(u64, micro->b)[i],
                             SLOT(u64, micro->c)[i], &carry);
        } else {
            SLOT(u32, micro->d)
            [i] = (u32)with_carry(micro, SLOT(u32, micro->a)[i], SLOT(u32, micro->b)[i],
                                  SLOT(u32, micro->c)[i], &carry);
        }
        carries = (carries & ~((uint32_t)1 << i)) | (uint32_t)carry << i;
    }
    if (micro->small[2])
        WORD(CARRY_WORD) = carries;
}

void fw_emulate_run_clock(struct emulate_warp *warp, const struct emulate_micro *micro,
                          uint32_t mask)
{
    const u64 value = micro->small[1] ? warp->run->spent >> 32 : warp->run->spent;
    (void)mask;
    for (unsigned i = 0; i < LANES; i++) {
        if (micro->small[0] == 8)
            SLOT(u64, micro->d)[i] = value;
        else
            SLOT(u32, micro->d)[i] = (u32)value;
    }
}

void fw_emulate_run_space(struct emulate_warp *warp, const struct emulate_micro *micro,
                          uint32_t mask)
{
    uint32_t truth = 0;
    for (unsigned i = 0; i < LANES; i++) {
        const u64 x = SLOT(u64, micro->a)[i];
        const bool shared = x - SHARED_WINDOW < SHARED_LIMIT,
                   local = x - LOCAL_WINDOW < LOCAL_LIMIT;
        const bool parameter = x - PARAM_BASE < CONST_BASE - PARAM_BASE;
        const bool constant = x - CONST_BASE < SHARED_WINDOW - CONST_BASE;
        bool is = !shared && !local && !constant && !parameter;
        if (micro->small[0] == FW_SPACE_SHARED)
            is = shared;
        else if (micro->small[0] == FW_SPACE_LOCAL)
            is = local;
        else if (micro->small[0] == FW_SPACE_CONST)
            is = constant;
        else if (micro->small[0] == FW_SPACE_PARAM)
            is = parameter;
        truth |= (uint32_t)is << i;
    }
    write_word(warp, micro->d, truth, mask);
}

void fw_emulate_run_nothing(struct emulate_warp *warp, const struct emulate_micro *micro,
                            uint32_t mask)
{
    (void)warp, (void)micro, (void)mask;
}
