/* The memo of warps: its answers are those of a walk over every lane of every warp. */
#include "../random_accesses.h"
#include "warp_totals.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 300, SEED = 20261122 };

/* Sectors, lines and wavefronts of all loads, by a walk over every lane. */
static void walk_lanes(double counted[3], const struct fw_affine_accesses *accesses,
                       const struct fw_affine_access *access)
{
    const uint32_t *grid = accesses->grid, *size = accesses->block;
    uint32_t threads = size[0] * size[1] * size[2];
    for (int64_t b = 0; b < (int64_t)fw_affine_blocks(accesses); b++)
        for (uint32_t first = 0; first < threads; first += 32) {
            struct fw_warp_request request = {.bytes = access->bytes};
            int64_t block[3] = {b % grid[0], b / grid[0] % grid[1], b / grid[0] / grid[1]};
            for (uint32_t t = first; t < first + 32 && t < threads; t++) {
                int64_t thread[3] = {t % size[0], t / size[0] % size[1], t / size[0] / size[1]};
                int64_t at = access->base;
                bool inside = true;
                for (int d = 0; d < 3; d++) {
                    inside &= block[d] * size[d] + thread[d] < access->high[d];
                    at += block[d] * access->block_stride[d] + thread[d] * access->thread_stride[d];
                }
                if (inside)
                    request.at[request.lanes++] = at;
            }
            if (!request.lanes)
                continue;
            struct fw_request_cost demand = fw_request_cost(&request, 32, 128);
            counted[0] += demand.sectors;
            counted[1] += demand.lines;
            counted[2] += demand.wavefronts;
        }
}

/* Blocks of 13 words in a row, 7 rows: each begins at another place within a sector. */
static void rows_of_thirteen_words(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    (void)state;
    for (int64_t pitch = 2048; pitch < 2056; pitch += 3) {
        struct fw_warp_memo *memo = fw_warp_memo_new(arena, 32, 32, 128);
        struct fw_affine_accesses accesses = {
            .arrays = 1, .count = 1, .grid = {150, 20, 1}, .block = {13, 7, 1}};
        struct fw_affine_access access = {.bytes = 4, .direction = FW_LOAD};
        struct fw_warp_totals totals;
        double counted[3] = {0};
        access.thread_stride[0] = 4;
        access.thread_stride[1] = 4 * pitch;
        access.block_stride[0] = 4 * 13;
        access.block_stride[1] = 4 * 7 * pitch;
        access.high[0] = 13 * 150;
        access.high[1] = 7 * 20;
        access.high[2] = 1;
        access.active_share = access.repeats = access.end = 1;
        accesses.at = &access;
        walk_lanes(counted, &accesses, &access);
        fw_warp_totals_find(&totals, memo, &accesses);
        print_message("%g sectors, %g counted\n", totals.load_sectors, counted[0]);
        assert_true(fabs(totals.load_sectors / counted[0] - 1) < 0.01);
    }
    fw_arena_free(arena);
}

static void the_memo_answers_as_a_walk_does(void **state)
{
    struct fw_random random = {SEED + 3};
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_warp_memo *memo = fw_warp_memo_new(arena, 32, 32, 128);
    uint32_t exact = 0;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct fw_affine_accesses accesses = random_accesses(&random, arena);
        struct fw_warp_totals totals;
        double counted[3] = {0};
        for (uint32_t i = 0; i < accesses.count; i++) {
            accesses.at[i].direction = FW_LOAD;
            accesses.at[i].loops = 0;
            walk_lanes(counted, &accesses, &accesses.at[i]);
        }
        fw_warp_totals_find(&totals, memo, &accesses);
        exact += totals.exact;
        if (!totals.exact)
            continue;
        assert_true(totals.load_sectors == counted[0]);
        assert_true(totals.load_lines == counted[1]);
        assert_true(totals.load_wavefronts - counted[2] < 1e-6 &&
                    counted[2] - totals.load_wavefronts < 1e-6);
    }
    printf("%u of %d launches\n", exact, ROUNDS);
    assert_true(exact > ROUNDS / 2);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_thirteen_words),
        cmocka_unit_test(the_memo_answers_as_a_walk_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
