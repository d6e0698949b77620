/* Footprints: unions of boxes and distinct granules, each compared with a walk over every point. */
#include "../copy_accesses.h"
#include "footprint.h"
#include "random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 12, ROUNDS = 400, SEED = 20261121 };

static int64_t below(struct fw_random *random, int64_t limit)
{
    return fw_random_between(random, 0, limit - 1);
}

static void unions_of_boxes_are_counted(void **state)
{
    struct fw_random random = {SEED};
    (void)state;
    printf("seed %d\n", SEED);
    for (int round = 0; round < ROUNDS; round++) {
        static uint8_t seen[SIDE * SIDE * SIDE];
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_boxes boxes = {0};
        double expected = 0;
        memset(seen, 0, sizeof(seen));
        uint32_t count = 1 + (uint32_t)below(&random, 90);
        for (uint32_t b = 0; b < count; b++) {
            struct fw_box box = {{0}, {0}};
            for (int a = 0; a < 3; a++) {
                box.low[a] = below(&random, SIDE);
                box.high[a] = box.low[a] + below(&random, 5);
                box.high[a] = box.high[a] > SIDE ? SIDE : box.high[a];
            }
            fw_boxes_add(&boxes, arena, &box, 3);
            for (int64_t x = box.low[0]; x < box.high[0]; x++)
                for (int64_t y = box.low[1]; y < box.high[1]; y++)
                    for (int64_t z = box.low[2]; z < box.high[2]; z++)
                        seen[(z * SIDE + y) * SIDE + x] = 1;
        }
        for (size_t i = 0; i < sizeof(seen); i++)
            expected += seen[i];
        assert_true(fw_boxes_count(&boxes, 3, arena) == expected);
        fw_boxes_merge(&boxes, 3, arena);
        assert_true(fw_boxes_count(&boxes, 3, arena) == expected);
        fw_arena_free(arena);
    }
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Bytes by which the floors of an access move it. */
static int64_t floors_at(const struct fw_affine_access *access, const uint32_t size[3],
                         const int64_t block[3], const int64_t thread[3])
{
    int64_t moved = 0;
    for (uint32_t f = 0; f < access->floor_count; f++) {
        const struct fw_affine_floor *floor = &access->floors[f];
        uint32_t d = floor->index;
        int64_t index = floor->of == FW_FLOOR_OF_THREAD  ? thread[d]
                        : floor->of == FW_FLOOR_OF_BLOCK ? block[d]
                                                         : block[d] * size[d] + thread[d];
        moved += floor->jump * ((index + floor->shift) / floor->every); /* none is negative */
    }
    return moved;
}

/* Distinct granules of a run of blocks, by a walk over every thread. */
static double walked(const struct fw_affine_accesses *accesses, const struct fw_window *window,
                     int64_t granule)
{
    static int64_t all[1 << 20];
    size_t count = 0, distinct = 0;
    const uint32_t *grid = accesses->grid, *size = accesses->block;
    for (int64_t b = window->first; b < window->last; b++)
        for (uint32_t t = 0; t < size[0] * size[1] * size[2]; t++)
            for (uint32_t i = 0; i < accesses->count; i++) {
                const struct fw_affine_access *access = &accesses->at[i];
                int64_t block[3] = {b % grid[0], b / grid[0] % grid[1], b / grid[0] / grid[1]};
                int64_t thread[3] = {t % size[0], t / size[0] % size[1], t / size[0] / size[1]};
                int64_t at = access->base + floors_at(access, size, block, thread);
                bool inside = true;
                for (int d = 0; d < 3; d++) {
                    int64_t global = block[d] * size[d] + thread[d];
                    inside &= global >= access->low[d] && global < access->high[d];
                    at += block[d] * access->block_stride[d] + thread[d] * access->thread_stride[d];
                }
                if (inside)
                    all[count++] = at / granule;
            }
    qsort(all, count, sizeof(*all), by_number);
    for (size_t i = 0; i < count; i++)
        distinct += i == 0 || all[i] != all[i - 1];
    return (double)distinct;
}

/* A random stencil whose rows begin at whole granules and do not run into each other. */
static struct fw_affine_accesses random_stencil(struct fw_random *random, struct fw_arena *arena)
{
    struct fw_affine_accesses accesses = {.arrays = 1, .count = 1 + (uint32_t)below(random, 9)};
    int64_t step[3] = {below(random, 2) ? 4 : 8, 1024, 65536};
    accesses.at = FW_ARRAY(arena, struct fw_affine_access, accesses.count);
    for (int d = 0; d < 3; d++) {
        accesses.block[d] = 1 + (uint32_t)below(random, d ? 4 : 12);
        accesses.grid[d] = 1 + (uint32_t)below(random, 4);
    }
    for (uint32_t i = 0; i < accesses.count; i++) {
        struct fw_affine_access *access = &accesses.at[i];
        access->bytes = (uint32_t)step[0];
        access->active_share = access->repeats = access->end = 1;
        access->base = 1 << 24;
        for (int d = 0; d < 3; d++) {
            access->base += step[d] * (below(random, 7) - 3);
            access->thread_stride[d] = step[d];
            access->block_stride[d] = step[d] * accesses.block[d];
            access->high[d] = (int64_t)accesses.block[d] * accesses.grid[d] - below(random, 2);
        }
    }
    return accesses;
}

static void footprints_are_those_of_every_thread(void **state)
{
    struct fw_random random = {SEED + 1};
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        static const uint32_t granules[] = {32, 64, 128};
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = random_stencil(&random, arena);
        uint32_t granule = granules[below(&random, 3)];
        int64_t blocks = (int64_t)fw_affine_blocks(&accesses);
        struct fw_window window = {0, 0, 0, 1, FW_FOOTPRINT_ALL};
        window.first = below(&random, blocks);
        window.last = window.first + 1 + below(&random, blocks - window.first);
        struct fw_footprint *footprint = fw_footprint_new(arena, &accesses, granule);
        double counted = fw_footprint_count(footprint, &window, 1, FW_NONE);
        assert_true(fw_footprint_exact(footprint));
        assert_true(counted == walked(&accesses, &window, granule));
        fw_arena_free(arena);
    }
}

/* Rows of `width` elements of 4 bytes, 1024 bytes apart, and planes of `height` rows, 65536 bytes
 * apart, by digits of one index, which moves the access by 4 bytes. */
static void add_rows(struct fw_affine_access *access, enum fw_floor_of of, int64_t width,
                     int64_t height, int64_t shift)
{
    access->floors[access->floor_count++] =
        (struct fw_affine_floor){of, 0, width, shift, 1024 - 4 * width};
    access->floors[access->floor_count++] =
        (struct fw_affine_floor){of, 0, width * height, shift, 65536 - 1024 * height};
}

/* Accesses of one array by the digits of the thread index and of the block index, or by those of
 * the index over the grid. */
static struct fw_affine_accesses random_digits(struct fw_random *random, struct fw_arena *arena)
{
    struct fw_affine_accesses accesses = {.arrays = 1, .count = 1 + (uint32_t)below(random, 4)};
    int64_t width = 2 + below(random, 12), height = 2 + below(random, 6);
    bool over_grid = below(random, 2) == 0;
    accesses.at = FW_ARRAY(arena, struct fw_affine_access, accesses.count);
    accesses.block[0] = (uint32_t)(over_grid ? 1 + below(random, 40) : width * height);
    accesses.grid[0] = 1 + (uint32_t)below(random, 30);
    accesses.block[1] = accesses.block[2] = accesses.grid[1] = accesses.grid[2] = 1;
    for (uint32_t i = 0; i < accesses.count; i++) {
        struct fw_affine_access *access = &accesses.at[i];
        access->bytes = 4;
        access->active_share = access->repeats = access->end = 1;
        access->base = (1 << 24) + 4 * below(random, 4) + 1024 * below(random, 3);
        access->thread_stride[0] = 4;
        access->high[0] = (int64_t)accesses.block[0] * accesses.grid[0];
        access->high[1] = access->high[2] = 1;
        if (over_grid) {
            access->block_stride[0] = 4 * accesses.block[0];
            access->high[0] -= below(random, accesses.block[0]);
            add_rows(access, FW_FLOOR_OF_GRID_THREAD, width, height, below(random, 3));
            continue;
        }
        /* A tile of threads, at one of `across` places in a row of tiles. */
        int64_t across = 1 + below(random, 4);
        access->floors[access->floor_count++] =
            (struct fw_affine_floor){FW_FLOOR_OF_THREAD, 0, width, 0, 1024 - 4 * width};
        access->block_stride[0] = 4 * width;
        access->floors[access->floor_count++] =
            (struct fw_affine_floor){FW_FLOOR_OF_BLOCK, 0, across, 0, 65536 - 4 * width * across};
    }
    return accesses;
}

static void footprints_of_digits_are_those_of_every_thread(void **state)
{
    struct fw_random random = {SEED + 2};
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = random_digits(&random, arena);
        int64_t blocks = (int64_t)fw_affine_blocks(&accesses);
        struct fw_window window = {0, 0, 0, 1, FW_FOOTPRINT_ALL};
        window.first = below(&random, blocks);
        window.last = window.first + 1 + below(&random, blocks - window.first);
        struct fw_footprint *footprint = fw_footprint_new(arena, &accesses, 32);
        double counted = fw_footprint_count(footprint, &window, 1, FW_NONE);
        double all = walked(&accesses, &window, 32);
        assert_true(counted >= all);
        assert_true(accesses.count > 1 || counted == all);
        struct fw_affine_accesses threads; /* one block: its threads are blocks */
        fw_affine_of_block(&threads, arena, &accesses, window.first);
        struct fw_window first = {0, 1 + below(&random, accesses.block[0]), 0, 1, FW_FOOTPRINT_ALL};
        assert_true(walked(&threads, &first, 32) <=
                    fw_footprint_count(fw_footprint_new(arena, &threads, 32), &first, 1, FW_NONE));
        window.last = window.first + 1;
        first.last = accesses.block[0];
        assert_true(walked(&threads, &first, 32) == walked(&accesses, &window, 32));
        fw_arena_free(arena);
    }
}

/* The past has loaded two of the blocks that four blocks load. */
static void new_shares_are_what_the_past_lacks(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_affine_accesses accesses = copy_of(arena, 64);
    struct fw_footprint *footprint = fw_footprint_new(arena, &accesses, 64);
    struct fw_window past = {8, 12, 0, 1, FW_FOOTPRINT_ALL},
                     now = {10, 14, 0, 1, FW_FOOTPRINT_LOADS};
    double shares[2] = {-1, 0};
    (void)state;
    fw_footprint_new_shares(footprint, &past, 1, &now, shares);
    assert_true(shares[0] == 0.5 && shares[1] == 0);
    past.last = 8;
    fw_footprint_new_shares(footprint, &past, 1, &now, shares);
    assert_true(shares[0] == 1);
    fw_arena_free(arena);
}

/* Loads of two rows each that do not touch: of a launch of two blocks, one to a row. */
static struct fw_affine_accesses rows_apart(struct fw_arena *arena, uint32_t count)
{
    struct fw_affine_accesses accesses = {
        .count = count, .arrays = 1, .grid = {1, 2, 1}, .block = {8, 1, 1}};
    accesses.at = FW_ARRAY(arena, struct fw_affine_access, count);
    accesses.bounded = FW_ARRAY(arena, uint8_t, 1);
    for (uint32_t i = 0; i < count; i++) {
        struct fw_affine_access *access = &accesses.at[i];
        access->bytes = 4;
        access->base = (int64_t)i * 3 * 4096 + (i % 5) * 256;
        access->thread_stride[0] = 4;
        access->block_stride[1] = 4096;
        access->high[0] = 8;
        access->high[1] = 2;
        access->high[2] = 1;
        access->active_share = access->repeats = access->end = 1;
    }
    return accesses;
}

static void too_many_boxes_are_an_upper_bound_and_said_to_be(void **state)
{
    static const uint32_t counts[] = {FW_BOXES_MOST, FW_BOXES_MOST + 1};
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = rows_apart(arena, counts[k]);
        struct fw_window all = {0, 2, 0, 1, FW_FOOTPRINT_ALL};
        struct fw_footprint *footprint = fw_footprint_new(arena, &accesses, 32);
        double counted = fw_footprint_count(footprint, &all, 1, FW_NONE);
        assert_true(k ? counted >= 2.0 * counts[k] : counted == 2.0 * counts[k]);
        assert_true(accesses.bounded[0] == (k ? FW_FOOTPRINT_UNION : 0));
        assert_true(fw_footprint_exact(footprint) == !k);
        fw_arena_free(arena);
    }
}

static void too_many_pairs_have_no_shares_and_are_said_to(void **state)
{
    static double shares[2100];
    const uint32_t count = sizeof(shares) / sizeof(shares[0]);
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_affine_accesses accesses = rows_apart(arena, count);
    struct fw_window past = {0, 1, 0, 1, FW_FOOTPRINT_ALL}, now = {1, 2, 0, 1, FW_FOOTPRINT_LOADS};
    (void)state;
    shares[7] = 0.5;
    fw_footprint_new_shares(fw_footprint_new(arena, &accesses, 32), &past, 1, &now, shares);
    assert_true(shares[7] == 0.5 && accesses.bounded[0] & FW_FOOTPRINT_SHARES);
    accesses.count = 1500; /* what is common to each load and the past is still a share */
    fw_footprint_new_shares(fw_footprint_new(arena, &accesses, 32), &past, 1, &now, shares);
    for (uint32_t i = 0; i < accesses.count; i++)
        assert_true(shares[i] >= 0 && shares[i] <= 1);
    fw_arena_free(arena);
}

/* Threads walk along rows of their own in a loop that is unrolled: its loads fill the stride of an
 * iteration, and each sector counts once. */
static void unrolled_loads_fill_their_stride(void **state)
{
    enum { UNROLLED = 16, THREADS = 64, ROW = 2048 };
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_affine_accesses accesses = copy_of(arena, 4);
    (void)state;
    accesses.block[0] = THREADS;
    accesses.at = FW_ARRAY(arena, struct fw_affine_access, UNROLLED);
    for (accesses.count = 0; accesses.count < UNROLLED; accesses.count++) {
        struct fw_affine_access *access = &accesses.at[accesses.count];
        *access = copy_of(arena, 4).at[0];
        access->bytes = 4;
        access->base = 4 * accesses.count;
        access->thread_stride[0] = ROW;
        access->block_stride[0] = ROW * THREADS;
        access->high[0] = 4 * THREADS;
        access->loops = 1;
        access->loop_stride[0] = 4 * UNROLLED;
        access->trips[0] = ROW / (4 * UNROLLED);
        access->begin = 0;
        access->end = 1;
    }
    struct fw_footprint *sectors = fw_footprint_new(arena, &accesses, 32);
    struct fw_window one = {1, 2, 0, 1, FW_FOOTPRINT_LOADS},
                     half = {1, 2, 0, 0.5, FW_FOOTPRINT_LOADS};
    assert_true(fw_footprint_count(sectors, &one, 1, FW_NONE) == THREADS * ROW / 32.0);
    assert_true(fw_footprint_count(sectors, &half, 1, FW_NONE) == THREADS * ROW / 64.0);
    assert_true(fw_footprint_exact(sectors));
    fw_arena_free(arena);
}

/* Each thread loads a structure of whole sectors, a field after the other: the last fields lie
 * nearer to the next structure, and no sector counts twice. */
static void fields_of_structures_are_those_of_every_thread(void **state)
{
    enum { THREADS = 64, BYTES = 16 };
    (void)state;
    for (uint32_t fields = 2; fields <= 12; fields += 2) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_affine_accesses accesses = copy_of(arena, 4);
        accesses.block[0] = THREADS;
        accesses.at = FW_ARRAY(arena, struct fw_affine_access, fields);
        for (accesses.count = 0; accesses.count < fields; accesses.count++) {
            struct fw_affine_access *access = &accesses.at[accesses.count];
            *access = copy_of(arena, 4).at[0];
            access->bytes = BYTES;
            access->base = BYTES * accesses.count;
            access->thread_stride[0] = BYTES * fields;
            access->block_stride[0] = access->thread_stride[0] * THREADS;
            access->high[0] = 4 * THREADS;
            access->begin = accesses.count / (double)fields;
            access->end = (accesses.count + 1) / (double)fields;
        }
        struct fw_footprint *sectors = fw_footprint_new(arena, &accesses, 32);
        struct fw_window two = {1, 3, 0, 1, FW_FOOTPRINT_LOADS};
        assert_true(fw_footprint_count(sectors, &two, 1, FW_NONE) == walked(&accesses, &two, 32));
        fw_arena_free(arena);
    }
}

/* Blocks load 4 KiB each, 32 bytes a thread, and store in place 16 bytes a thread, twice: one run
 * of bytes and rows of it are counted once, wherever the run begins. */
static void rows_in_place_are_those_of_the_run(void **state)
{
    enum { BLOCKS = 8, THREADS = 128, ROW = 32 * THREADS };
    (void)state;
    for (int64_t base = 0; base <= 96; base += 48)
        for (int64_t shift = -ROW / 4; shift <= ROW / 4; shift += ROW / 4) { /* of the stores */
            struct fw_arena *arena = fw_arena_new(0);
            struct fw_affine_accesses accesses = copy_of(arena, BLOCKS);
            const struct fw_affine_access load = accesses.at[0], store = accesses.at[1];
            accesses.block[0] = THREADS;
            accesses.count = 4;
            accesses.at = FW_ARRAY(arena, struct fw_affine_access, 4);
            for (uint32_t i = 0; i < 4; i++) {
                struct fw_affine_access *access = &accesses.at[i];
                *access = i < 2 ? load : store;
                access->array = 0;
                access->bytes = 16;
                access->thread_stride[0] = i < 2 ? 32 : 16;
                access->block_stride[0] = ROW;
                access->high[0] = BLOCKS * THREADS;
                access->base = ROW + base + (i < 2 ? 16 * i : ROW / 2 * (i - 2) + shift);
            }
            for (int64_t first = 0; first < BLOCKS; first += 3) {
                struct fw_footprint *sectors = fw_footprint_new(arena, &accesses, 16);
                struct fw_window some = {first, BLOCKS, 0, 1, FW_FOOTPRINT_ALL};
                assert_true(fw_footprint_count(sectors, &some, 1, FW_NONE) ==
                            walked(&accesses, &some, 16));
            }
            fw_arena_free(arena);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unions_of_boxes_are_counted),
        cmocka_unit_test(footprints_are_those_of_every_thread),
        cmocka_unit_test(footprints_of_digits_are_those_of_every_thread),
        cmocka_unit_test(new_shares_are_what_the_past_lacks),
        cmocka_unit_test(too_many_boxes_are_an_upper_bound_and_said_to_be),
        cmocka_unit_test(too_many_pairs_have_no_shares_and_are_said_to),
        cmocka_unit_test(unrolled_loads_fill_their_stride),
        cmocka_unit_test(fields_of_structures_are_those_of_every_thread),
        cmocka_unit_test(rows_in_place_are_those_of_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
