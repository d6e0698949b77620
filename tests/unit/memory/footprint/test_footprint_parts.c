/* The parts of footprints: cells, widened boxes, windows of reference sets, the memo; each compared
 * with a walk over every point. */
#include "../random_accesses.h"
#include "box_cells.h"
#include "footprint.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 12, LONG = 96, ROUNDS = 300, SEED = 20261122 };

/* Boxes of side SIDE in all axes but the first, which is LONG. */
static struct fw_boxes random_boxes(struct fw_random *random, struct fw_arena *arena,
                                    uint32_t count)
{
    struct fw_boxes boxes = {0};
    for (uint32_t b = 0; b < count; b++) {
        struct fw_box box = {{0}, {0}};
        for (int a = 0; a < 3; a++) {
            int64_t side = a ? SIDE : LONG;
            box.low[a] = below(random, side);
            box.high[a] = box.low[a] + 1 + below(random, side - box.low[a]);
        }
        fw_boxes_add(&boxes, arena, &box, 3);
    }
    return boxes;
}

static void cells_count_granules(void **state)
{
    struct fw_random random = {SEED};
    (void)state;
    printf("seed %d\n", SEED);
    for (int round = 0; round < ROUNDS; round++) {
        struct fw_arena *arena = fw_arena_new(0);
        uint32_t count = (uint32_t)below(&random, BOX_CELLS_MAX_BOXES + 1);
        struct fw_boxes boxes = random_boxes(&random, arena, count);
        struct box_granularity grain = {.shift = (uint32_t)below(&random, 5),
                                        .offsets = 1 + (uint32_t)below(&random, BOX_CELLS_OFFSETS)};
        double expected = 0;
        for (uint32_t p = 0; p < grain.offsets; p++) {
            static uint8_t seen[2 * LONG][SIDE][SIDE];
            grain.offset[p] = below(&random, 16);
            memset(seen, 0, sizeof(seen));
            for (uint32_t b = 0; b < boxes.count; b++)
                for (int64_t x = boxes.at[b].low[0]; x < boxes.at[b].high[0]; x++)
                    for (int64_t y = boxes.at[b].low[1]; y < boxes.at[b].high[1]; y++)
                        for (int64_t z = boxes.at[b].low[2]; z < boxes.at[b].high[2]; z++)
                            seen[(x + grain.offset[p]) >> grain.shift][y][z] = 1;
            for (size_t i = 0; i < sizeof(seen); i++)
                expected += ((const uint8_t *)seen)[i];
        }
        assert_true(box_cells_count(boxes.at, boxes.count, 3, &grain) == expected);
        fw_arena_free(arena);
    }
}

static void wider_boxes_are_the_same_union(void **state)
{
    struct fw_random random = {SEED + 1};
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_boxes boxes = random_boxes(&random, arena, 1 + (uint32_t)below(&random, 12));
        uint32_t before = boxes.count;
        double points = fw_boxes_count(&boxes, 3, arena);
        fw_boxes_widen(&boxes, 3);
        assert_true(boxes.count && boxes.count <= before);
        assert_true(fw_boxes_count(&boxes, 3, arena) == points);
        fw_arena_free(arena);
    }
}

static void a_star_is_its_arms(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_boxes boxes = {0};
    (void)state;
    for (int64_t r = -4; r <= 4; r++)
        for (int a = 0; a < 3; a++) {
            struct fw_box box = {{0}, {1, 1, 1}};
            box.low[a] = r;
            box.high[a] = r + 1;
            fw_boxes_add(&boxes, arena, &box, 3);
        }
    fw_boxes_merge(&boxes, 3, arena);
    fw_boxes_widen(&boxes, 3);
    assert_int_equal(boxes.count, 3);
    assert_true(fw_boxes_count(&boxes, 3, arena) == 25);
    fw_arena_free(arena);
}

/* Rows of many boxes that come block by block, each touching the one before it in its row; rows lie
 * apart along the second axis, and the third has two neighbours, which are one box then. */
static void many_boxes_of_blocks_are_rows(void **state)
{
    enum { BLOCKS = 200, ROWS = 24, REACH = 48, STEP = 32 };
    struct fw_arena *arena = fw_arena_new(0);
    (void)state;
    for (int backward = 0; backward < 2; backward++) {
        struct fw_boxes boxes = {0};
        for (int64_t i = 0; i < BLOCKS; i++)
            for (int64_t row = ROWS; row-- > 0;)
                for (int64_t z = 0; z < 2; z++) {
                    int64_t block = backward ? BLOCKS - 1 - i : i, from = STEP * block;
                    struct fw_box box = {{from, 2 * row, z}, {from + REACH, 2 * row + 1, z + 1}};
                    fw_boxes_add(&boxes, arena, &box, 3);
                }
        fw_boxes_merge(&boxes, 3, arena);
        assert_int_equal(boxes.count, ROWS);
        for (uint32_t b = 0; b < boxes.count; b++) {
            assert_true(boxes.at[b].low[0] == 0 && boxes.at[b].low[1] == 2 * (int64_t)b);
            assert_true(boxes.at[b].high[0] == STEP * (BLOCKS - 1) + REACH);
            assert_true(boxes.at[b].low[2] == 0 && boxes.at[b].high[2] == 2);
        }
    }
    fw_arena_free(arena);
}

/* Merged boxes, many and in any order, are the same union, none of them twice. */
static void merged_boxes_are_the_same_union(void **state)
{
    struct fw_random random = {SEED + 7};
    (void)state;
    for (int round = 0; round < ROUNDS / 10; round++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_boxes boxes = {0};
        for (uint32_t b = (uint32_t)below(&random, 400); b-- > 0;) {
            struct fw_box box = {{0}, {0}};
            for (int a = 0; a < 3; a++) {
                box.low[a] = below(&random, 4);
                box.high[a] = box.low[a] + 1 + below(&random, 2);
            }
            fw_boxes_add(&boxes, arena, &box, 3);
        }
        uint32_t before = boxes.count;
        double points = fw_boxes_count(&boxes, 3, arena);
        fw_boxes_merge(&boxes, 3, arena);
        assert_true(boxes.count <= before);
        assert_true(fw_boxes_count(&boxes, 3, arena) == points);
        for (uint32_t b = 1; b < boxes.count; b++)
            assert_true(memcmp(&boxes.at[b - 1], &boxes.at[b], sizeof(boxes.at[b])) != 0);
        fw_arena_free(arena);
    }
}

/* The dice of a box in any order, however far away and wide it is: more than keys have room
 * for, too. */
static void dice_are_one_box(void **state)
{
    static const int64_t sizes[] = {1, 7, (int64_t)1 << 20, (int64_t)1 << 40, (int64_t)1 << 59};
    struct fw_random random = {7};
    (void)state;
    for (uint32_t s = 0; s < 5; s++)
        for (int64_t side = 2; side <= 7; side++) {
            struct fw_arena *arena = fw_arena_new(0);
            struct fw_boxes boxes = {0};
            const int64_t dice = side * side * side, size = sizes[s];
            for (int64_t d = 0; d < dice; d++) {
                struct fw_box box = {{0}, {0}};
                const int64_t at[3] = {d % side, d / side % side, d / side / side};
                for (int a = 0; a < 3; a++) {
                    box.low[a] = (at[a] - 3) * size;
                    box.high[a] = box.low[a] + size;
                }
                fw_boxes_add(&boxes, arena, &box, 3);
                struct fw_box *other = &boxes.at[below(&random, (uint32_t)d + 1)];
                box = *other; /* in its place */
                *other = boxes.at[d];
                boxes.at[d] = box;
            }
            fw_boxes_merge(&boxes, 3, arena);
            assert_int_equal(boxes.count, 1);
            for (int a = 0; a < 3; a++) {
                assert_true(boxes.at[0].low[a] == -3 * size);
                assert_true(boxes.at[0].high[a] == (side - 3) * size);
            }
            fw_arena_free(arena);
        }
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

struct walk {
    int64_t at[1 << 18];
    size_t count;
    int64_t granule;
};

static void walk_block(struct walk *walk, const struct fw_affine_accesses *accesses,
                       const struct fw_affine_access *access, int64_t b, int64_t turn)
{
    const uint32_t *grid = accesses->grid, *size = accesses->block;
    for (uint32_t t = 0; t < size[0] * size[1] * size[2]; t++) {
        int64_t block[3] = {b % grid[0], b / grid[0] % grid[1], b / grid[0] / grid[1]};
        int64_t thread[3] = {t % size[0], t / size[0] % size[1], t / size[0] / size[1]};
        int64_t at = access->base + turn * access->loop_stride[0];
        bool inside = true;
        for (int d = 0; d < 3; d++) {
            inside &= block[d] * size[d] + thread[d] < access->high[d];
            at += block[d] * access->block_stride[d] + thread[d] * access->thread_stride[d];
        }
        if (inside)
            walk->at[walk->count++] = (at + ((int64_t)access->array << 40)) / walk->granule;
    }
}

/* Distinct granules of the windows, by a walk over every thread. */
static double walked(struct walk *walk, const struct fw_affine_accesses *accesses,
                     const struct fw_window *windows, uint32_t count)
{
    size_t distinct = 0;
    walk->count = 0;
    for (uint32_t w = 0; w < count; w++)
        for (uint32_t i = 0; i < accesses->count; i++) {
            const struct fw_affine_access *access = &accesses->at[i];
            bool load = access->direction == FW_LOAD;
            if (!(windows[w].of & (load ? FW_FOOTPRINT_LOADS : FW_FOOTPRINT_STORES)))
                continue;
            for (int64_t b = windows[w].first; b < windows[w].last; b++)
                for (int64_t turn = 0; turn < (access->loops ? 4 : 1); turn++) {
                    double begin = access->loops ? (double)turn / 4 : access->begin;
                    if (begin < windows[w].end && begin + 0.25 > windows[w].begin)
                        walk_block(walk, accesses, access, b, turn);
                }
        }
    qsort(walk->at, walk->count, sizeof(*walk->at), by_number);
    for (size_t i = 0; i < walk->count; i++)
        distinct += i == 0 || walk->at[i] != walk->at[i - 1];
    return (double)distinct;
}

static uint32_t random_windows(struct fw_window windows[3], struct fw_random *random,
                               int64_t blocks)
{
    uint32_t count = 1 + (uint32_t)below(random, 3);
    for (uint32_t w = 0; w < count; w++) {
        bool all = below(random, 2);
        struct fw_window *window = &windows[w];
        window->first = w && below(random, 2) ? windows[w - 1].last : below(random, blocks);
        window->last = window->first + below(random, blocks - window->first + 1);
        window->begin = all ? 0 : (double)below(random, 4) / 4;
        window->end = all ? 1 : window->begin + 0.25;
        window->of = (enum fw_footprint_of)(1 + below(random, 3));
    }
    return count;
}

static void windows_are_those_of_every_thread(void **state)
{
    struct fw_random random = {SEED + 2};
    struct walk *walk = malloc(sizeof(*walk));
    (void)state;
    assert_non_null(walk);
    for (int round = 0; round < ROUNDS / 3; round++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = random_accesses(&random, arena);
        struct fw_footprint *sectors = fw_footprint_new(arena, &accesses, 32);
        struct fw_footprint *lines = fw_footprint_like(sectors, 128);
        assert_true(fw_footprint_exact(sectors));
        for (int again = 0; again < 12; again++) {
            struct fw_window windows[3];
            uint32_t count = random_windows(windows, &random, (int64_t)fw_affine_blocks(&accesses));
            for (int twice = 0; twice < 2; twice++) { /* the second time from the memo */
                walk->granule = 32;
                assert_true(fw_footprint_count(sectors, windows, count, FW_NONE) ==
                            walked(walk, &accesses, windows, count));
                walk->granule = 128;
                assert_true(fw_footprint_count(lines, windows, count, FW_NONE) ==
                            walked(walk, &accesses, windows, count));
            }
        }
        fw_arena_free(arena);
    }
    free(walk);
}

/* Matrices of 50 rows of 50 numbers, one behind the other: threads along the rows, a loop over
 * them that is unrolled by four, and its remainder.  Whole matrices are one run of bytes, of
 * which a granule holds the end of a row and the begin of the next; columns of them are not. */
static void full_rows_join(void **state)
{
    enum { SIDE_OF = 50, MATRICES = 200, UNROLLED = 4, ROW = 4 * SIDE_OF };
    (void)state;
    for (int64_t threads = SIDE_OF; threads > 0; threads -= SIDE_OF - 3)
        for (uint32_t granule = 32; granule <= 128; granule *= 2) {
            struct fw_arena *arena = fw_arena_new(0);
            struct fw_affine_accesses accesses = {
                .arrays = 1, .count = UNROLLED + 1, .grid = {MATRICES, 1, 1}, .block = {64, 1, 1}};
            accesses.at = FW_ARRAY(arena, struct fw_affine_access, UNROLLED + 1);
            for (uint32_t i = 0; i <= UNROLLED; i++) {
                struct fw_affine_access *access = &accesses.at[i];
                bool rest = i == UNROLLED;
                int64_t whole = SIDE_OF / UNROLLED * UNROLLED;
                *access = (struct fw_affine_access){.bytes = 4, .direction = FW_LOAD, .loops = 1};
                access->base = ROW * (rest ? whole : (int64_t)i);
                access->thread_stride[0] = 4;
                access->block_stride[0] = ROW * SIDE_OF;
                access->loop_stride[0] = rest ? ROW : UNROLLED * ROW;
                access->trips[0] = rest ? SIDE_OF - whole : SIDE_OF / UNROLLED;
                access->high[0] = 64 * MATRICES;
                access->high[1] = access->high[2] = 1;
                access->last[0] = threads;
                access->active_share = access->repeats = access->end = 1;
            }
            struct fw_window all = {0, MATRICES, 0, 1, FW_FOOTPRINT_LOADS};
            struct fw_footprint *footprint = fw_footprint_new(arena, &accesses, granule);
            double count = fw_footprint_count(footprint, &all, 1, FW_NONE), expected = 0;
            int64_t last = -1;
            for (int64_t row = 0; row < SIDE_OF * MATRICES; row++)
                for (int64_t x = 0; x < threads; x++)
                    if ((row * ROW + 4 * x) / granule != last) {
                        last = (row * ROW + 4 * x) / granule;
                        expected++;
                    }
            print_message("%g granules of %u bytes, %g expected\n", count, granule, expected);
            assert_true(threads == SIDE_OF ? count == expected
                                           : count > 0.85 * expected && count < 1.2 * expected);
            fw_arena_free(arena);
        }
}

/* Blocks of 64 threads that walk along rows of 1000 numbers, which adjoin: the 16th step has
 * work for 40 threads.  A step of all blocks touches its own place of each row, not all of the
 * rows. */
static void steps_of_rows_that_adjoin_are_apart(void **state)
{
    enum { BLOCKS = 20, THREADS = 64, COLUMNS = 1000, STEPS = 16 };
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_affine_accesses accesses = {
        .arrays = 1, .count = 1, .grid = {BLOCKS, 1, 1}, .block = {THREADS, 1, 1}};
    struct fw_affine_access access = {.bytes = 4, .direction = FW_LOAD, .loops = 1, .end = 1};
    (void)state;
    access.thread_stride[0] = 4;
    access.block_stride[0] = 4 * COLUMNS;
    access.loop_stride[0] = 4 * THREADS;
    access.trips[0] = STEPS;
    access.ragged.any = true;
    access.ragged.until.constant = (COLUMNS + (THREADS - 1) / 2.0) / THREADS;
    access.ragged.until.thread[0] = -1.0 / THREADS;
    access.high[0] = BLOCKS * THREADS;
    access.high[1] = access.high[2] = 1;
    access.active_share = access.repeats = 1;
    accesses.at = &access;
    struct fw_footprint *sectors = fw_footprint_new(arena, &accesses, 32);
    struct fw_window step = {0, BLOCKS, 0.25, 0.25 + 1.0 / STEPS, FW_FOOTPRINT_LOADS};
    double one = fw_footprint_count(sectors, &step, 1, FW_NONE);
    step.begin = 0;
    step.end = 1;
    double all = fw_footprint_count(sectors, &step, 1, FW_NONE);
    print_message("%g sectors in a step, %g in all\n", one, all);
    assert_true(one == BLOCKS * THREADS * 4 / 32);
    assert_true(fabs(all / (BLOCKS * COLUMNS * 4 / 32) - 1) < 0.03);
    fw_arena_free(arena);
}

/* Structures of 64 bytes, one a thread, of which each load takes a quarter at a time of its
 * own: each structure is two sectors, wherever in it the first load is. */
static void fields_are_within_their_structure(void **state)
{
    enum { BLOCKS = 20, THREADS = 64, FIELDS = 4 };
    (void)state;
    for (int first = 0; first < FIELDS; first++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_access fields[FIELDS];
        struct fw_affine_accesses accesses = {.at = fields,
                                              .arrays = 1,
                                              .count = FIELDS,
                                              .grid = {BLOCKS, 1, 1},
                                              .block = {THREADS, 1, 1}};
        for (int i = 0; i < FIELDS; i++) {
            fields[i] = (struct fw_affine_access){.bytes = 16, .direction = FW_LOAD};
            fields[i].base = 16 * ((first + i) % FIELDS);
            fields[i].thread_stride[0] = 64;
            fields[i].block_stride[0] = 64 * THREADS;
            fields[i].high[0] = BLOCKS * THREADS;
            fields[i].high[1] = fields[i].high[2] = 1;
            fields[i].begin = (double)i / FIELDS;
            fields[i].end = (i + 1.0) / FIELDS;
            fields[i].active_share = fields[i].repeats = 1;
        }
        struct fw_window all = {0, BLOCKS, 0, 1, FW_FOOTPRINT_LOADS};
        double sectors =
            fw_footprint_count(fw_footprint_new(arena, &accesses, 32), &all, 1, FW_NONE);
        print_message("first %d: %g sectors\n", first, sectors);
        assert_true(sectors == 2 * BLOCKS * THREADS);
        fw_arena_free(arena);
    }
}

/* A triangle in each thread: iteration i of the outer loop walks over i rows, which do not move
 * with it. */
static void an_iteration_of_a_triangle_has_its_own_rows(void **state)
{
    enum { BLOCKS = 20, THREADS = 64, ROWS = 96 };
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_affine_access access = {.bytes = 4, .direction = FW_LOAD, .loops = 2, .end = 1};
    struct fw_affine_accesses accesses = {
        .at = &access, .arrays = 1, .count = 1, .grid = {BLOCKS, 1, 1}, .block = {THREADS, 1, 1}};
    (void)state;
    access.thread_stride[0] = 4;
    access.block_stride[0] = 4 * THREADS;
    access.loop_stride[1] = 4 * THREADS * BLOCKS;
    access.trips[0] = access.trips[1] = ROWS;
    access.nested = (struct fw_affine_nested){.loop = 1, .constant = 0, .slope = 1};
    access.high[0] = BLOCKS * THREADS;
    access.high[1] = access.high[2] = 1;
    access.active_share = access.repeats = 1;
    struct fw_footprint *sectors = fw_footprint_new(arena, &accesses, 32);
    for (int i = 0; i < ROWS; i += 19) {
        struct fw_window one = {0, BLOCKS, (double)i / ROWS, (i + 1.0) / ROWS, FW_FOOTPRINT_LOADS};
        double found = fw_footprint_count(sectors, &one, 1, FW_NONE);
        print_message("iteration %d: %g sectors\n", i, found);
        assert_true(found == (double)i * BLOCKS * THREADS * 4 / 32);
    }
    fw_arena_free(arena);
}

/* A stencil's loop over planes that lie REACH apart, rows of which run through blocks: a wave of
 * blocks, one of its iterations and a block alone touch three times what one plane has, not the
 * planes between as well. */
static void planes_of_a_loop_leave_out_those_between(void **state)
{
    enum { SIDE_OF = 64, REACH = 8, ROW = 4 * SIDE_OF, PLANE = ROW * SIDE_OF, BLOCK_ROWS = 8 };
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_affine_access access = {.bytes = 4, .direction = FW_LOAD, .loops = 1, .end = 1};
    struct fw_affine_accesses accesses = {.at = &access,
                                          .arrays = 1,
                                          .count = 1,
                                          .grid = {1, SIDE_OF / BLOCK_ROWS, SIDE_OF},
                                          .block = {SIDE_OF, BLOCK_ROWS, 1}};
    (void)state;
    const int64_t strides[3] = {4, ROW, PLANE};
    for (int d = 0; d < 3; d++) {
        access.thread_stride[d] = strides[d];
        access.block_stride[d] = strides[d] * accesses.block[d];
        access.high[d] = (int64_t)accesses.grid[d] * accesses.block[d];
    }
    access.base = -REACH * PLANE;
    access.loop_stride[0] = REACH * PLANE;
    access.trips[0] = 3;
    access.active_share = access.repeats = 1;
    struct fw_footprint *sectors = fw_footprint_new(arena, &accesses, 32);
    const int64_t in_plane = SIDE_OF / BLOCK_ROWS, of_blocks[3] = {1, in_plane, 3 * in_plane};
    for (int i = 0; i < 3; i++) {
        const int64_t first = 20 * in_plane, last = first + of_blocks[i];
        struct fw_window all = {first, last, 0, 1, FW_FOOTPRINT_LOADS};
        struct fw_window one = {first, last, 0, 1.0 / 3, FW_FOOTPRINT_LOADS};
        const double plane = (double)of_blocks[i] * BLOCK_ROWS * ROW / 32;
        assert_true(fw_footprint_count(sectors, &one, 1, FW_NONE) == plane);
        assert_true(fw_footprint_count(sectors, &all, 1, FW_NONE) == 3 * plane);
    }
    struct fw_window launch = {0, SIDE_OF * in_plane, 0, 1, FW_FOOTPRINT_LOADS};
    assert_true(fw_footprint_count(sectors, &launch, 1, FW_NONE) ==
                (SIDE_OF + 2.0 * REACH) * PLANE / 32);
    /* Of what conditions mostly leave out an iteration's box says little: one box has them all. */
    const struct fw_window block = {20 * in_plane, 20 * in_plane + 1, 0, 1, FW_FOOTPRINT_LOADS};
    const double apart = fw_footprint_count(sectors, &block, 1, FW_NONE);
    access.active_share = 0.4;
    sectors = fw_footprint_new(arena, &accesses, 32);
    assert_true(fw_footprint_count(sectors, &block, 1, FW_NONE) == (2 * REACH + 1) * apart / 3);
    fw_arena_free(arena);
}

/* A loop from the last row of a plane to its first, and one from the first to the last, unrolled by
 * two: both go through the same rows, as do two steps that each begin one row apart. */
static void loops_in_both_directions_meet(void **state)
{
    enum { ROWS = 40, PLANES = 4, THREADS = 128, ROW = 4 * THREADS, PLANE = ROWS * ROW };
    (void)state;
    for (int first = 0; first < 2; first++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_access both[4];
        struct fw_affine_accesses accesses = {
            .at = both, .arrays = 1, .count = 4, .grid = {1, PLANES, 1}, .block = {THREADS, 1, 1}};
        for (int i = 0; i < 4; i++) {
            const bool back = (i / 2 == 0) == (first == 0);
            both[i] = (struct fw_affine_access){.bytes = 4, .direction = FW_LOAD, .loops = 1};
            both[i].base = back ? (int64_t)ROW * (ROWS - 1 - i % 2) : (int64_t)ROW * (i % 2);
            both[i].loop_stride[0] = back ? -2 * ROW : 2 * ROW;
            both[i].trips[0] = ROWS / 2;
            both[i].thread_stride[0] = 4;
            both[i].block_stride[1] = PLANE;
            both[i].high[0] = THREADS;
            both[i].high[1] = PLANES;
            both[i].high[2] = 1;
            both[i].outer_loop = (uint32_t)(i / 2);
            both[i].begin = i / 2 * 0.5;
            both[i].end = both[i].begin + 0.5;
            both[i].active_share = both[i].repeats = 1;
        }
        struct fw_footprint *sectors = fw_footprint_new(arena, &accesses, 32);
        for (int64_t block = 0; block < PLANES; block++)
            assert_true(fw_footprint_of_block(sectors, block, FW_FOOTPRINT_LOADS) == PLANE / 32);
        struct fw_window all = {0, PLANES, 0, 1, FW_FOOTPRINT_LOADS};
        assert_true(fw_footprint_count(sectors, &all, 1, FW_NONE) == PLANES * PLANE / 32);
        fw_arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_count_granules),
        cmocka_unit_test(wider_boxes_are_the_same_union),
        cmocka_unit_test(a_star_is_its_arms),
        cmocka_unit_test(many_boxes_of_blocks_are_rows),
        cmocka_unit_test(merged_boxes_are_the_same_union),
        cmocka_unit_test(dice_are_one_box),
        cmocka_unit_test(windows_are_those_of_every_thread),
        cmocka_unit_test(full_rows_join),
        cmocka_unit_test(steps_of_rows_that_adjoin_are_apart),
        cmocka_unit_test(fields_are_within_their_structure),
        cmocka_unit_test(an_iteration_of_a_triangle_has_its_own_rows),
        cmocka_unit_test(planes_of_a_loop_leave_out_those_between),
        cmocka_unit_test(loops_in_both_directions_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
