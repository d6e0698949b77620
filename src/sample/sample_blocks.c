#include "sample_blocks.h"

#include "quotient.h"

#include <math.h>

/* Where stratum `at` begins: `between` blocks in as many strata, none of which is empty. */
static uint64_t start_of(uint64_t at, uint64_t strata, uint64_t between)
{
    return between / strata * at + between % strata * at / strata;
}

/* The grid between its ends is cut into equal strata; strata are visited at steps of the golden
 * section, and the place within a stratum moves by it too (the additive recurrence of Weyl and
 * Kronecker), so that blocks are no multiple of a row of the grid apart. */
uint64_t *fw_sample_blocks(struct fw_arena *arena, uint64_t all, uint64_t count)
{
    static const double golden = 0.6180339887498949;
    uint64_t *blocks = FW_ARRAY(arena, uint64_t, (size_t)count + 1);
    if (count < 3) {
        for (uint64_t i = 0; i < count; i++)
            blocks[i] = all / count * i + (count < all ? all / (2 * count) : 0);
        return blocks;
    }
    const uint64_t strata = count - 2, between = all - 2;
    uint64_t step = (uint64_t)((double)strata * golden), at = strata / 2, next = 0;
    while (step == 0 || fw_common_divisor(step, strata) != 1)
        step++;
    for (uint64_t i = 0; i < count; i++) {
        if (i == 1 || i == 2) {
            blocks[i] = i == 1 ? 0 : all - 1;
            continue;
        }
        const uint64_t low = start_of(at, strata, between);
        const uint64_t high = start_of(at + 1, strata, between);
        const double within = fmod(0.5 + (double)next++ * golden, 1);
        const uint64_t offset = (uint64_t)(within * (double)(high - low));
        blocks[i] = 1 + low + (offset < high - low ? offset : high - low - 1);
        at = (at + step) % strata;
    }
    return blocks;
}
