/* Loops whose trips differ between threads: footprints of triangles, by distinct sectors that a
 * walk over every point counts. */
#include "footprint.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 512, BLOCK = 64, BLOCKS = SIDE / BLOCK, FLOAT = 4, SECTOR = 32 };

/* Thread i reads elements of a SIDE x SIDE matrix in a loop of until(i) = length + slope * i trips.
 */
struct triangle {
    int64_t thread, loop; /* elements that a step of the thread and of the loop moves by */
    int64_t length, slope;
};

static struct fw_affine_accesses accesses_of(struct fw_arena *arena, const struct triangle *of)
{
    struct fw_affine_accesses accesses = {
        .arrays = 1, .count = 1, .grid = {BLOCKS, 1, 1}, .block = {BLOCK, 1, 1}};
    accesses.at = FW_ARRAY(arena, struct fw_affine_access, 1);
    struct fw_affine_access *access = accesses.at;
    *access = (struct fw_affine_access){.bytes = FLOAT, .direction = FW_LOAD, .loops = 1};
    access->thread_stride[0] = of->thread * FLOAT;
    access->block_stride[0] = of->thread * FLOAT * BLOCK;
    access->loop_stride[0] = of->loop * FLOAT;
    access->trips[0] = SIDE;
    access->high[0] = SIDE;
    access->high[1] = access->high[2] = 1;
    access->end = access->active_share = access->repeats = 1;
    access->ragged.any = true;
    access->ragged.until.constant = (double)of->length;
    access->ragged.until.thread[0] = (double)of->slope;
    access->ragged.until.block[0] = (double)of->slope * BLOCK;
    return accesses;
}

/* Distinct sectors of blocks first <= b < last. */
static double walk(const struct triangle *of, int64_t first, int64_t last)
{
    static uint8_t seen[2 * SIDE * SIDE * FLOAT / SECTOR];
    double sectors = 0;
    memset(seen, 0, sizeof(seen));
    for (int64_t i = first * BLOCK; i < last * BLOCK; i++)
        for (int64_t j = 0; j < of->length + of->slope * i && j < SIDE; j++)
            seen[(of->thread * i + of->loop * j) * FLOAT / SECTOR] = 1;
    for (size_t s = 0; s < sizeof(seen); s++)
        sectors += seen[s];
    return sectors;
}

static void check(struct triangle of)
{
    static const int64_t windows[][2] = {{0, BLOCKS}, {0, 1}, {3, 4}, {2, 6}, {BLOCKS / 2, BLOCKS}};
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_affine_accesses accesses = accesses_of(arena, &of);
    struct fw_footprint *sectors = fw_footprint_new(arena, &accesses, SECTOR);
    for (size_t w = 0; w < sizeof(windows) / sizeof(*windows); w++) {
        struct fw_window window = {windows[w][0], windows[w][1], 0, 1, FW_FOOTPRINT_LOADS};
        double expected = walk(&of, window.first, window.last);
        double got = fw_footprint_count(sectors, &window, 1, FW_NONE);
        assert_true(fabs(got - expected) < 0.08 * expected + 8);
    }
    fw_arena_free(arena);
}

static void rows_up_to_the_diagonal(void **state)
{
    (void)state;
    check((struct triangle){.thread = SIDE, .loop = 1, .length = 1, .slope = 1});
}

static void rows_from_the_diagonal_on(void **state)
{
    (void)state;
    check((struct triangle){.thread = SIDE + 1, .loop = 1, .length = SIDE, .slope = -1});
}

static void columns_down_to_the_diagonal(void **state)
{
    (void)state;
    check((struct triangle){.thread = 1, .loop = SIDE, .length = 1, .slope = 1});
}

static void columns_from_the_diagonal_down(void **state)
{
    (void)state;
    check((struct triangle){.thread = SIDE + 1, .loop = SIDE, .length = SIDE, .slope = -1});
}

/* All threads read the same elements: as many as the longest loop. */
static void shared_prefix(void **state)
{
    (void)state;
    check((struct triangle){.thread = 0, .loop = 1, .length = 1, .slope = 1});
}

/* The first iteration of each thread, and what the others add to it. */
static void lifetimes_cut_triangles(void **state)
{
    struct triangle of = {.thread = 1, .loop = SIDE, .length = 1, .slope = 1};
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_affine_accesses accesses = accesses_of(arena, &of);
    struct fw_footprint *sectors = fw_footprint_new(arena, &accesses, SECTOR);
    struct fw_window half = {0, BLOCKS, 0, 0.5, FW_FOOTPRINT_LOADS};
    (void)state;
    /* Rows above the middle: three quarters of the triangle's area. */
    double all = walk(&of, 0, BLOCKS), got = fw_footprint_count(sectors, &half, 1, FW_NONE);
    assert_true(fabs(got - 0.75 * all) < 0.03 * all);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_up_to_the_diagonal),
        cmocka_unit_test(rows_from_the_diagonal_on),
        cmocka_unit_test(columns_down_to_the_diagonal),
        cmocka_unit_test(columns_from_the_diagonal_down),
        cmocka_unit_test(shared_prefix),
        cmocka_unit_test(lifetimes_cut_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
