/* The memo of warps: what it answers is what going through every lane of every warp gives. */
#include "../random_accesses.h"
#include "warp_totals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 300, SEED = 20261122 };

/* Sectors, lines and wavefronts of all loads, warp by warp and lane by lane. */
static void ask_each(double asked[3], const struct fw_affine_accesses *accesses,
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
            asked[0] += demand.sectors;
            asked[1] += demand.lines;
            asked[2] += demand.wavefronts;
        }
}

static void warps_are_remembered_for_what_they_are(void **state)
{
    struct fw_random random = {SEED + 3};
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_warp_memo *memory = fw_warp_memo_new(arena, 32, 32, 128);
    uint32_t exact = 0;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct fw_affine_accesses accesses = random_forms(&random, arena);
        struct fw_warp_totals totals;
        double asked[3] = {0};
        for (uint32_t i = 0; i < accesses.count; i++) {
            accesses.at[i].direction = FW_LOAD;
            accesses.at[i].loops = 0;
            ask_each(asked, &accesses, &accesses.at[i]);
        }
        fw_warp_totals_find(&totals, memory, &accesses);
        exact += totals.exact;
        if (!totals.exact)
            continue;
        assert_true(totals.load_sectors == asked[0]);
        assert_true(totals.load_lines == asked[1]);
        assert_true(totals.load_wavefronts - asked[2] < 1e-6 &&
                    asked[2] - totals.load_wavefronts < 1e-6);
    }
    printf("%u of %d launches\n", exact, ROUNDS);
    assert_true(exact > ROUNDS / 2);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_are_remembered_for_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
