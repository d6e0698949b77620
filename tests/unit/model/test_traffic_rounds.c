/* The rounds that loads come to, and what blocks wait for in them. */
#include "chain.h"
#include "rounds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arena_of_tests.h"

/* Eight-byte loads of rows that lie apart, and a store. */
static struct fw_affine_accesses row_of(uint32_t loads, int64_t trips)
{
    struct fw_affine_accesses accesses = {.arrays = 2, .grid = {1000, 1, 1}, .block = {256, 1, 1}};
    accesses.at = FW_ARRAY(arena, struct fw_affine_access, loads + 1);
    for (uint32_t i = 0; i <= loads; i++) {
        struct fw_affine_access *access = &accesses.at[accesses.count++];
        *access = (struct fw_affine_access){
            .array = i == loads, .bytes = 8, .active_share = 1, .repeats = 1};
        access->direction = i == loads ? FW_STORE : FW_LOAD;
        access->base = (int64_t)i << 32;
        access->thread_stride[0] = 8;
        if (trips > 1 && i < loads) {
            access->loops = 1;
            access->loop_stride[0] = 4096; /* more than a block's row */
            access->trips[0] = trips;
        }
    }
    return accesses;
}

static const struct fw_round_needs needs = {.arithmetic = 70,
                                            .load_wavefronts = 200,
                                            .store_wavefronts = 20,
                                            .l2_load = 300,
                                            .l2_store = 40,
                                            .dram_load = 500,
                                            .dram_store = 60,
                                            .registers = 32,
                                            .l2_store_alone = 90,
                                            .atomics = 30,
                                            .latency_l1 = 30,
                                            .latency_l2 = 280,
                                            .latency_dram = 670,
                                            .sector = 128};

/* All that a block needs is in its rounds and stores, whatever the rounds are. */
static void check_sums(const struct fw_life *life)
{
    double sums[FW_LIFE_RESOURCE_COUNT] = {0};
    static const double expected[] = {70, 220, 340, 90, 30, 560};
    for (uint32_t r = 0; r < FW_LIFE_RESOURCE_COUNT; r++) {
        for (uint32_t k = 0; k < life->rounds; k++)
            for (uint32_t g = 0; g < life->groups; g++)
                sums[r] += life->round[k][g].cycles[r];
        sums[r] += life->groups * life->stores[r];
        assert_true(fabs(sums[r] - expected[r]) < 1e-6);
    }
}

static void loads_come_in_rounds(void **state)
{
    double fresh[64] = {0};
    struct fw_life life = {.groups = 3};
    struct fw_affine_accesses accesses = row_of(16, 1);
    (void)state;
    fw_rounds_set(&life, arena, &accesses, fresh, &needs);
    assert_int_equal(life.rounds, 2); /* half of 32 registers hold 8 results */
    assert_true(life.round[0][0].latency == 280 && life.round[1][2].latency == 280);
    check_sums(&life);
    for (uint32_t i = 0; i < 8; i++)
        fresh[i] = 0.4; /* the last of three groups meets it, in the first round */
    fw_rounds_set(&life, arena, &accesses, fresh, &needs);
    assert_true(life.round[0][0].latency == 280 && life.round[0][2].latency == 670);
    assert_true(life.round[0][2].cycles[FW_LIFE_DRAM] == 500);
    check_sums(&life);
    accesses = row_of(1, 100);
    fw_rounds_set(&life, arena, &accesses, fresh, &needs);
    assert_int_equal(life.rounds, FW_LIFE_ROUNDS);
    assert_true(fabs(life.round[3][2].latency * FW_LIFE_ROUNDS - 100 * 670) < 1e-6);
    check_sums(&life);
    accesses = row_of(60, 1); /* more batches than rounds */
    fw_rounds_set(&life, arena, &accesses, fresh, &needs);
    assert_int_equal(life.rounds, FW_LIFE_ROUNDS);
    check_sums(&life);
    accesses.count = 0;
    fw_rounds_set(&life, arena, &accesses, fresh, &needs);
    assert_int_equal(life.rounds, 1);
}

/* Each load fills as many registers as it has words: one of four words among those of one leaves
 * room for more than one of theirs. */
static void registers_hold_words(void **state)
{
    double fresh[64] = {0};
    struct fw_life life = {.groups = 1};
    struct fw_affine_accesses accesses = row_of(29, 1);
    (void)state;
    for (uint32_t i = 0; i < 29; i++)
        accesses.at[i].bytes = i ? 4 : 16;
    fw_rounds_set(&life, arena, &accesses, fresh, &needs);
    assert_int_equal(life.rounds, 2); /* of 32 words, 16 each */
    for (uint32_t i = 0; i < 29; i++)
        accesses.at[i].bytes = i == 28 ? 16 : 4;
    fw_rounds_set(&life, arena, &accesses, fresh, &needs);
    assert_int_equal(life.rounds, 2);
}

/* The latency of all rounds of group 0. */
static double waited(const struct fw_life *life)
{
    double sum = 0;
    for (uint32_t r = 0; r < life->rounds; r++)
        sum += life->round[r][0].latency;
    return sum;
}

/* One load whose address has another form in each quarter of a block's threads waits as one load,
 * not four times; one whose iterations have two forms waits for both. */
static void threads_share_a_load(void **state)
{
    double fresh[4] = {0};
    struct fw_life life = {.groups = 1};
    struct fw_affine_accesses one = row_of(1, 100), parts = row_of(4, 100);
    (void)state;
    for (uint32_t i = 0; i < 5; i++) { /* the last is the store */
        parts.at[i].kernel_access = i == 4;
        for (uint32_t d = 0; d < 3; d++)
            parts.at[i].high[d] = d ? 1 : 256000;
        parts.at[i].trips[0] = i == 4 ? 0 : 100 + i; /* no two of them go round together */
        parts.at[i].first[0] = i == 4 ? 0 : 64 * i;
        parts.at[i].last[0] = i == 4 ? 256 : 64 * i + 64;
    }
    fw_rounds_set(&life, arena, &one, fresh, &needs);
    double alone = waited(&life);
    fw_rounds_set(&life, arena, &parts, fresh, &needs);
    assert_true(fabs(waited(&life) - 1.015 * alone) < 0.01 * alone);
    for (uint32_t i = 0; i < 4; i++) {
        parts.at[i].first[0] = 0;
        parts.at[i].last[0] = 256;
    }
    fw_rounds_set(&life, arena, &parts, fresh, &needs);
    assert_true(waited(&life) > 3.9 * alone);
}

/* A part of a load that one execution in fifty has is waited for in these alone, however long. */
static void rare_parts_are_waited_for_seldom(void **state)
{
    double fresh[3] = {0, 1, 0}; /* the rare part misses in L2 */
    struct fw_load_order order[3] = {
        {.loop = FW_NONE, .executions = 1}, {.loop = FW_NONE, .executions = 1}, {.loop = FW_NONE}};
    struct fw_round_needs ordered = needs;
    struct fw_life life = {.groups = 1};
    struct fw_affine_accesses parts = row_of(2, 1);
    (void)state;
    ordered.order = order;
    for (uint32_t i = 0; i < 3; i++) {
        parts.at[i].kernel_access = i == 2;
        for (uint32_t d = 0; d < 3; d++) {
            parts.at[i].high[d] = d ? 1 : 256000;
            parts.at[i].last[d] = d ? 1 : 256;
        }
    }
    parts.at[0].low[0] = 256000 / 50;
    parts.at[1].high[0] = 256000 / 50;
    fw_rounds_set(&life, arena, &parts, fresh, &ordered);
    assert_true(fabs(waited(&life) - (280 + (670 - 280) / 50.0)) < 1);
}

/* A load that may read what a store before it wrote waits by itself; read-only ones do not, nor
 * those whose address differs from the store's by a constant. */
static void loads_keep_behind_stores(void **state)
{
    double fresh[64] = {0};
    struct fw_load_order order[4] = {{.base = 1}, {.base = 2}, {.base = 3}, {.base = 2}};
    struct fw_round_needs ordered = needs;
    struct fw_life life = {.groups = 1};
    struct fw_affine_accesses accesses = row_of(3, 1);
    (void)state;
    accesses.at[1].direction = FW_STORE;
    fw_rounds_set(&life, arena, &accesses, fresh, &ordered);
    assert_int_equal(life.rounds, 1); /* nothing is known of their order */
    ordered.order = order;
    fw_rounds_set(&life, arena, &accesses, fresh, &ordered);
    assert_int_equal(life.rounds, 2);
    check_sums(&life);
    order[2].base = 2;
    fw_rounds_set(&life, arena, &accesses, fresh, &ordered);
    assert_int_equal(life.rounds, 1);
    order[2] = (struct fw_load_order){.read_only = true, .base = 3};
    fw_rounds_set(&life, arena, &accesses, fresh, &ordered);
    assert_int_equal(life.rounds, 1);
}

/* What a life waits for in all its rounds. */
static double waits(const struct fw_affine_accesses *accesses, const struct fw_round_needs *of)
{
    double fresh[64] = {0}, sum = 0;
    struct fw_life life = {.groups = 1};
    fw_rounds_set(&life, arena, accesses, fresh, of);
    for (uint32_t r = 0; r < life.rounds; r++)
        sum += life.round[r][0].latency;
    return sum;
}

static void iterations_find_lines_of_the_ones_before(void **state)
{
    struct fw_affine_accesses accesses = row_of(1, 10);
    struct fw_round_needs lossy = needs;
    struct fw_affine_access *access = &accesses.at[0];
    (void)state;
    assert_true(fabs(waits(&accesses, &needs) - 10 * 280) < 1e-6);
    access->loop_stride[0] = 64 * 8; /* a quarter of the block's row of 256 */
    double share = (1 + 9 * 0.25) / 10;
    assert_true(fabs(waits(&accesses, &needs) - 10 * (30 + share * 250)) < 1e-6);
    access->loops = 2; /* all of it again, four times */
    access->loop_stride[1] = 4096;
    access->trips[1] = 10;
    access->loop_stride[0] = 0;
    access->trips[0] = 4;
    assert_true(fabs(waits(&accesses, &needs) - 40 * (30 + 0.25 * 250)) < 1e-6);
    lossy.l1_lost = 1;
    assert_true(fabs(waits(&accesses, &lossy) - 40 * 280) < 1e-6);
}

/* Loads of an unrolled loop, `count` of them side by side, by threads that each walk along a row of
 * their own. */
static struct fw_affine_accesses unrolled(uint32_t count, int64_t trips)
{
    struct fw_affine_accesses accesses = row_of(count, trips);
    for (uint32_t i = 0; i < count; i++) {
        accesses.at[i].base = 4 * i;
        accesses.at[i].bytes = 4;
        accesses.at[i].thread_stride[0] = 1 << 20;
        accesses.at[i].loop_stride[0] = 4 * count;
    }
    return accesses;
}

/* Of four neighbours in a sector of 128 bytes one at most waits for it; how the loop is unrolled
 * changes nothing. */
static void neighbours_wait_for_a_sector_once(void **state)
{
    struct fw_affine_accesses accesses = unrolled(1, 4000);
    struct fw_round_needs own = needs;
    (void)state;
    own.load_wavefronts = 0;
    double one = waits(&accesses, &own) - 4000 * 30;
    assert_true(fabs(one - (1 + 3999 / 32.0) * 250) < 1e-6);
    accesses = unrolled(4, 1000);
    double four = waits(&accesses, &own) - 1000 * 30;
    assert_true(fabs(four / one - 1) < 0.01);
    own.registers =
        4; /* two batches, of two loads each: a sector is waited for once all the same */
    double apart = waits(&accesses, &own) - 2000 * 30;
    assert_true(fabs(apart / one - 1) < 0.01);
    accesses = unrolled(64, 1000); /* two sectors each time: the later one is waited for */
    own.registers = 256;
    assert_true(fabs(waits(&accesses, &own) - 1000 * 280) < 1e-6);
}

/* Loads of different stages, and iterations that are accesses of their own, follow each other;
 * iterations that an assembler makes one of go together; what few warps execute is waited for as
 * seldom. */
static void loads_of_stages_follow_each_other(void **state)
{
    struct fw_affine_accesses accesses = row_of(2, 1);
    struct fw_load_order order[3] = {{.executions = 1}, {.executions = 1}, {.executions = 1}};
    struct fw_round_needs own = needs;
    (void)state;
    own.order = order;
    accesses.at[1].kernel_access = 1;
    accesses.at[2].kernel_access = 2;
    for (uint32_t i = 0; i < 3; i++) {
        accesses.at[i].high[0] = 256000;
        accesses.at[i].high[1] = accesses.at[i].high[2] = 1;
    }
    assert_true(fabs(waits(&accesses, &own) - 280) < 1e-6);
    order[1].stage = 1;
    assert_true(fabs(waits(&accesses, &own) - 2 * 280) < 1e-6);
    order[1].executions = 0.25;
    assert_true(fabs(waits(&accesses, &own) - 1.25 * 280) < 1e-6);
    order[1] = order[0];
    accesses.at[1].split = 1;
    assert_true(fabs(waits(&accesses, &own) - 2 * 280) < 1e-6);
    order[0].at_once = order[1].at_once = 4;
    assert_true(fabs(waits(&accesses, &own) - 280) < 1e-6);
    accesses = row_of(1, 100);
    accesses.at[0].high[0] = 256000;
    accesses.at[0].high[1] = accesses.at[0].high[2] = 1;
    order[0] = (struct fw_load_order){.executions = 100};
    assert_true(fabs(waits(&accesses, &own) - 100 * 280) < 1e-6);
    order[0].at_once = 4;
    assert_true(fabs(waits(&accesses, &own) - 25 * 280) < 1e-6);
}

/* What the load-store unit has of a batch's data it processes when they come: no wait is shorter
 * for it. */
static void processing_hides_no_wait(void **state)
{
    struct fw_affine_accesses accesses = unrolled(32, 1000); /* a sector each time */
    struct fw_round_needs own = needs;
    (void)state;
    own.registers = 256;
    own.load_wavefronts = 1000 * 32 * 500;
    assert_true(fabs(waits(&accesses, &own) / 1000 - 280) < 1);
}

/* The last of a batch's loads is issued later, by what its scheduler takes for each. */
static void loads_of_a_warp_are_issued_one_by_one(void **state)
{
    struct fw_affine_accesses accesses = row_of(4, 1);
    struct fw_round_needs own = needs;
    (void)state;
    double together = waits(&accesses, &own);
    own.load_issue = 4; /* of which the unit has one in its own time */
    assert_true(fabs(waits(&accesses, &own) - together - 3 * 3) < 1e-6);
}

/* Loads of one warp that wait for device memory together wait for the slowest of them. */
static void a_warp_waits_for_its_slowest_load(void **state)
{
    static const double spread = 0.14;
    double fresh[64], late[2];
    (void)state;
    for (uint32_t i = 0; i < 64; i++)
        fresh[i] = 1;
    for (uint32_t loads = 1; loads <= 4; loads += 3) {
        struct fw_affine_accesses accesses = row_of(loads, 1);
        struct fw_round_needs own = needs;
        struct fw_life life = {.groups = 1};
        own.spread = spread;
        fw_rounds_set(&life, arena, &accesses, fresh, &own);
        late[loads > 1] = life.round[0][0].latency - 670;
    }
    assert_true(fabs(late[0]) < 1e-6);
    assert_true(fabs(late[1] - spread * 670 * (1 / 2.0 + 1 / 3.0 + 1 / 4.0)) < 1e-6);
}

/* A loop's batches, with an exit behind each load, bring their own data of device memory. */
static void batches_of_a_loop_bring_their_own(void **state)
{
    struct fw_affine_accesses accesses = row_of(2, 100);
    struct fw_load_order order[3] = {{.executions = 100}, {.executions = 100}, {.executions = 100}};
    struct fw_round_needs own = needs;
    struct fw_life life = {.groups = 1};
    double fresh[64], least = INFINITY, most = 0;
    (void)state;
    for (uint32_t i = 0; i < 64; i++)
        fresh[i] = 1;
    own.order = order;
    order[1].stage = 1;
    for (uint32_t i = 0; i < 3; i++) {
        accesses.at[i].kernel_access = i;
        accesses.at[i].high[0] = 256000;
        accesses.at[i].high[1] = accesses.at[i].high[2] = 1;
    }
    own.dram_store = 0;
    accesses.at[1].base = 2048; /* a row behind the other's */
    fw_rounds_set(&life, arena, &accesses, fresh, &own);
    for (uint32_t r = 0; r < life.rounds; r++) {
        least = fmin(least, life.round[r][0].cycles[FW_LIFE_DRAM]);
        most = fmax(most, life.round[r][0].cycles[FW_LIFE_DRAM]);
    }
    assert_int_equal(life.rounds, 8);
    assert_true(fabs(least / most - 1) < 1e-6);
}

/* Waits that go beyond the least by chance make a block wait for the last of its warps: the longer,
 * the more there are; where many blocks keep memory busy they cost nothing. */
static void blocks_wait_for_their_last_warp(void **state)
{
    double ratio[2];
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct fw_life life = {.blocks = 1000, .resident = 1, .groups = 1, .rounds = 1};
        life.warps = i ? 32 : 2;
        life.round[0][0].latency = life.wait = 700;
        life.round[0][0].waits = 1;
        double least = fw_life_cycles(&life, arena);
        life.spread = 0.1;
        ratio[i] = fw_life_cycles(&life, arena) / least;
    }
    /* The last of n exponential waits comes after 1 + 1/2 + ... + 1/n means. */
    assert_true(fabs(ratio[0] - 1.15) < 0.005);
    assert_true(fabs(ratio[1] - 1.406) < 0.01);
    struct fw_life life = {.blocks = 1000, .resident = 16, .groups = 1, .rounds = 1, .warps = 8};
    life.round[0][0].cycles[FW_LIFE_DRAM] = 200;
    life.round[0][0].latency = life.wait = 700;
    life.round[0][0].waits = 1;
    life.spread = 0.1;
    assert_true(fabs(fw_life_cycles(&life, arena) / (200 * 1000) - 1) < 0.01);
}

/* 400 blocks of a triangle: the first thread of the launch goes round 800 times, the last one
 * hardly.  Four warps a block, each a group. */
static void blocks_differ_by_their_trips(void **state)
{
    double fresh[64] = {0};
    struct fw_load_order order[2] = {{.executions = 400}, {.executions = 400}};
    struct fw_round_needs own = needs;
    struct fw_life life = {.blocks = 1, .resident = 1, .groups = 4, .warps = 4};
    struct fw_affine_accesses accesses = row_of(1, 800);
    struct fw_affine_access *access = &accesses.at[0];
    (void)state;
    own.order = order;
    accesses.grid[0] = 400;
    accesses.grid[1] = accesses.grid[2] = 1;
    accesses.block[0] = 128;
    accesses.block[1] = accesses.block[2] = 1;
    for (uint32_t d = 0; d < 3; d++)
        access->high[d] = d ? 1 : 400 * 128;
    access->ragged = (struct fw_affine_ragged){
        .any = true, .until = {.constant = 800, .block = {-2}, .thread = {-2 / 128.0}}};
    fw_rounds_set(&life, arena, &accesses, fresh, &own);
    assert_non_null(life.uneven);
    assert_int_equal(life.uneven->places, 4); /* of each multiprocessor one block */
    for (uint32_t r = 0; r < life.rounds; r++) {
        assert_true(fabs(life.uneven->latency[0][r][0] - 2) < 0.02);
        assert_true(fabs(life.uneven->latency[1][r][3] - 4 / 3.0) < 0.02);
        assert_true(life.uneven->work[3][r][3] < 0.01);
    }
    double longest = fw_life_cycles(&life, arena);
    life.uneven = NULL;
    assert_true(fabs(longest / fw_life_cycles(&life, arena) - 2) < 0.1);
    for (uint32_t d = 0; d < 2; d++)
        accesses.grid[d] = 20; /* by rows: the first of the second axis is not at an even place */
    access->high[0] = 20 * 128;
    access->high[1] = 20;
    access->ragged.until = (struct fw_affine_slope){.constant = 40, .block = {40, 0}};
    fw_rounds_set(&life, arena, &accesses, fresh, &own);
    double most = 0;
    for (uint32_t p = 0; p < life.uneven->places; p++)
        most = fmax(most, life.uneven->block[p]);
    assert_true(most > 1.5);
    access->ragged.until = (struct fw_affine_slope){.constant = 400};
    fw_rounds_set(&life, arena, &accesses, fresh, &own);
    for (uint32_t p = 0; p < life.uneven->places; p++)
        assert_true(life.uneven->block[p] == 1 && life.uneven->latency[p][0][0] == 1);
    access->last[0] = 7; /* threads that stand for all that share their addresses */
    access->merged[0] = true;
    fw_rounds_set(&life, arena, &accesses, fresh, &own);
    for (uint32_t p = 0; p < life.uneven->places; p++)
        assert_true(life.uneven->work[p][0][0] == 1 && life.uneven->latency[p][0][0] == 1);
    access->merged[0] = false; /* the first threads alone */
    fw_rounds_set(&life, arena, &accesses, fresh, &own);
    assert_true(life.uneven->work[0][0][0] > 1.1);
}

/* Stores that no affine access stands for go with the loop that they are in. */
static void stores_at_unknown_addresses_go_with_loops(void **state)
{
    double fresh[64] = {0};
    struct fw_life life = {.groups = 2};
    struct fw_affine_accesses accesses = row_of(1, 40);
    struct fw_round_needs own = needs;
    (void)state;
    own.unknown_stores = 10;
    own.unknown_loop_stores = 9;
    fw_rounds_set(&life, arena, &accesses, fresh, &own);
    assert_true(fabs(2 * life.stores[FW_LIFE_ATOMICS] - 30 * 2 / 11.0) < 1e-6);
    check_sums(&life);
}

/* Of a loop that an assembler makes four iterations one of, the last ones go by two and by one. */
static void last_iterations_go_by_themselves(void **state)
{
    struct fw_affine_accesses accesses = row_of(1, 7);
    struct fw_load_order order[2] = {
        {.executions = 70, .entries = 10, .lane_trips = 7, .at_once = 4}, {.executions = 70}};
    struct fw_round_needs own = needs;
    (void)state;
    own.order = order;
    accesses.grid[0] = accesses.grid[1] = accesses.grid[2] = 1;
    for (uint32_t d = 0; d < 3; d++)
        accesses.at[0].high[d] = d ? 1 : 256;
    assert_true(fabs(waits(&accesses, &own) - 30 * 280) < 1e-6); /* 4, 2, 1 */
    order[0].executions = 80;
    order[0].lane_trips = 8;
    assert_true(fabs(waits(&accesses, &own) - 20 * 280) < 1e-6); /* 4, 4 */
    order[0].lane_trips = 7.9; /* some threads go round seven times: 4, 4 or 4, 2, 1 */
    assert_true(fabs(waits(&accesses, &own) - 20 * 280) < 1e-6);
    order[0].together = true; /* and all wait for their warp: 4, 4, 2, 1 */
    assert_true(fabs(waits(&accesses, &own) - 40 * 280) < 1e-6);
    order[0] = (struct fw_load_order){
        .executions = 20, .entries = 10, .lane_trips = 1.5, .at_once = 4}; /* each warp: 2, 1 */
    assert_true(fabs(waits(&accesses, &own) - 20 * 280) < 1e-6);
}

/* Dependent instructions of loops are waited for in all rounds, by each group. */
static void chains_are_in_rounds(void **state)
{
    struct fw_affine_accesses accesses = row_of(1, 100);
    struct fw_round_needs own = needs;
    (void)state;
    double without = waits(&accesses, &own);
    own.chain = 5000;
    assert_true(fabs(waits(&accesses, &own) - without - 5000) < 1e-6);
    accesses = row_of(1, 1); /* a loop without loads */
    double fresh[64] = {0};
    struct fw_life life = {.groups = 1};
    fw_rounds_set(&life, arena, &accesses, fresh, &own);
    assert_true(life.round[0][0].parts > 100);
    accesses.count = 0;
    assert_true(fabs(waits(&accesses, &own) - 5000) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(stores_at_unknown_addresses_go_with_loops),
                                       TEST(loads_come_in_rounds),
                                       TEST(registers_hold_words),
                                       TEST(threads_share_a_load),
                                       TEST(rare_parts_are_waited_for_seldom),
                                       TEST(loads_keep_behind_stores),
                                       TEST(iterations_find_lines_of_the_ones_before),
                                       TEST(neighbours_wait_for_a_sector_once),
                                       TEST(processing_hides_no_wait),
                                       TEST(loads_of_a_warp_are_issued_one_by_one),
                                       TEST(a_warp_waits_for_its_slowest_load),
                                       TEST(batches_of_a_loop_bring_their_own),
                                       TEST(loads_of_stages_follow_each_other),
                                       TEST(blocks_differ_by_their_trips),
                                       TEST(chains_are_in_rounds),
                                       TEST(last_iterations_go_by_themselves),
                                       TEST(blocks_wait_for_their_last_warp)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
