/* What granules of an array get of a launch's atomic operations, by those of a few blocks. */
#include "granule_counts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

enum { GRANULE = 512, LANES = 32, WORD = 4 };

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005 + 1442695040888963407;
    return *seed >> 33;
}

static double sum_of_part(const struct fw_granule_part *part, bool squares)
{
    double sum = 0;
    for (uint32_t g = 0; g < part->count; g++)
        sum += squares ? part->shares[g] * part->shares[g] : part->shares[g];
    return sum;
}

static double sum_of(const struct fw_granule_loads *loads, bool squares)
{
    return sum_of_part(loads->parts, squares);
}

/* A pass changes each word of a sector once: lanes on one word take one each, words of a sector
 * share them. */
static void lanes_on_one_word_take_a_pass_each(void **state)
{
    struct fw_arena *arena = *state;
    struct fw_granule_counts *counts = fw_granule_counts_new(arena, GRANULE, 1);
    uint64_t one[LANES], row[LANES];
    for (uint32_t l = 0; l < LANES; l++) {
        one[l] = 40;
        row[l] = GRANULE + l * WORD;
    }
    fw_granule_counts_see(counts, 0, 0x00ffffff, one, WORD); /* 24 passes */
    fw_granule_counts_see(counts, 0, 0xffffffff, row, WORD); /* four sectors, a pass each */
    const struct fw_granule_loads loads = fw_granule_counts_loads(counts, arena, 1);
    assert_int_equal(loads.parts->count, 2);
    assert_true(fabs(fmax(loads.parts->shares[0], loads.parts->shares[1]) - 24 / 28.0) < 1e-9);
    counts = fw_granule_counts_new(arena, GRANULE, 2);
    fw_granule_counts_see(counts, 0, 0x00ffffff, one, WORD);
    assert_int_equal(fw_granule_counts_loads(counts, arena, 1).levels, 0);
}

/* Each of `blocks` blocks operates `each` times on a granule that `power` prefers. */
static struct fw_granule_loads loads_of(struct fw_arena *arena, uint32_t blocks, double all,
                                        uint32_t each, uint32_t granules, double power)
{
    struct fw_granule_counts *counts = fw_granule_counts_new(arena, GRANULE, all);
    uint64_t at[LANES] = {0}, seed = 3;
    for (uint32_t block = 0; block < blocks; block++)
        for (uint32_t i = 0; i < each; i++) {
            double place = pow((double)(next(&seed) % 1000003) / 1000003, power);
            at[0] = (uint64_t)(place * granules) * GRANULE;
            fw_granule_counts_see(counts, (uint32_t)(block * (all / blocks)), 1, at, WORD);
        }
    return fw_granule_counts_loads(counts, arena, blocks);
}

/* Operations by chance leave granules of a sample with 20 each, some with 10 and some with 30: they
 * are even nevertheless.  Granules that data prefer are not, however few blocks show it. */
static void chance_makes_no_granule_greater(void **state)
{
    struct fw_arena *arena = *state;
    const uint32_t granules = 1000;
    struct fw_granule_loads even = loads_of(arena, 100, 1e5, 200, granules, 1);
    assert_true(fabs(sum_of(&even, false) - 1) < 0.02);
    assert_true(sum_of(&even, true) * granules - 1 < 0.01); /* 0.05 if taken as they are */
    double right = 0;
    for (uint32_t g = 0; g < granules; g++)
        right += pow(sqrt((g + 1.0) / granules) - sqrt((double)g / granules), 2);
    struct fw_granule_loads uneven = loads_of(arena, 100, 1e5, 200, granules, 2);
    assert_true(fabs(sum_of(&uneven, true) / right - 1) < 0.1);
}

/* Each block has granules of its own: the sample comes to a part of them, and no granule has more
 * than its part of the launch's operations. */
static void granules_that_no_block_saw_have_their_part(void **state)
{
    enum { BLOCKS = 64, ALL = 4096, EACH = 4 };
    struct fw_arena *arena = *state;
    struct fw_granule_counts *counts = fw_granule_counts_new(arena, GRANULE, ALL);
    uint64_t at[LANES] = {0};
    for (uint32_t block = 0; block < BLOCKS; block++)
        for (uint32_t i = 0; i < EACH; i++) {
            at[0] = (uint64_t)(block * (ALL / BLOCKS) * EACH + i) * GRANULE;
            fw_granule_counts_see(counts, block * (ALL / BLOCKS), 1, at, WORD);
        }
    struct fw_granule_loads loads = fw_granule_counts_loads(counts, arena, BLOCKS);
    assert_true(sum_of(&loads, false) < 0.2); /* 1 if there were no others */
    assert_true(sum_of(&loads, true) < 2.0 / (ALL * EACH));
}

/* Of many granules a part is kept: it has its part of the operations. */
static void many_granules_are_thinned(void **state)
{
    struct fw_arena *arena = *state;
    struct fw_granule_loads many = loads_of(arena, 100, 100, 4000, 100000, 1);
    assert_true(many.parts->count > 2000 && many.parts->count < 32768);
    assert_true(fabs(log2(sum_of(&many, false)) - round(log2(sum_of(&many, false)))) < 1e-9);
    assert_true(fabs(many.parts->count / sum_of(&many, false) / 100000 - 1) < 0.1);
}

/* A quarter of the launch after the other operates on a granule of its own, beside which all go to
 * granules by chance: 36 blocks of 1000 tell it, in whatever order they come. */
static void parts_of_a_launch_are_told_apart(void **state)
{
    enum { BLOCKS = 36, ALL = 1008, EACH = 64, GRANULES = 100 };
    struct fw_arena *arena = *state;
    struct fw_granule_counts *counts = fw_granule_counts_new(arena, GRANULE, ALL);
    uint64_t at[LANES] = {0}, seed = 5;
    for (uint32_t i = 0; i < BLOCKS; i++) {
        const uint32_t block = (i * 7 + 3) % BLOCKS * (ALL / BLOCKS);
        for (uint32_t k = 0; k < 2 * EACH; k++) {
            at[0] = (k % 2 ? 4 * block / ALL : 4 + next(&seed) % GRANULES) * GRANULE;
            fw_granule_counts_see(counts, block, 1, at, WORD);
        }
    }
    const struct fw_granule_loads loads = fw_granule_counts_loads(counts, arena, BLOCKS);
    assert_true(fabs(loads.blocks - ALL) < 1e-9);
    assert_true(loads.levels >= 3);
    for (uint32_t level = 0; level < 3; level++) {
        const uint32_t count = 1U << level;
        for (uint32_t p = 0; p < count; p++) {
            const struct fw_granule_part *part = &loads.parts[count - 1 + p];
            const double own = 0.25 * count / 4, right = own + 0.25 / GRANULES;
            assert_true(fabs(part->passes - 1.0 / count) < 0.03);
            assert_true(fabs(sum_of_part(part, false) - 1) < 0.02);
            assert_true(fabs(sum_of_part(part, true) / right - 1) < 0.15);
        }
    }
}

static int set_up(void **state)
{
    *state = fw_arena_new(0);
    return *state ? 0 : 1;
}

static int tear_down(void **state)
{
    fw_arena_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lanes_on_one_word_take_a_pass_each, set_up, tear_down),
        cmocka_unit_test_setup_teardown(chance_makes_no_granule_greater, set_up, tear_down),
        cmocka_unit_test_setup_teardown(granules_that_no_block_saw_have_their_part, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(many_granules_are_thinned, set_up, tear_down),
        cmocka_unit_test_setup_teardown(parts_of_a_launch_are_told_apart, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
