/* Pages that blocks touch, and translations that miss. */
#include "tlb.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double page = 2097152;

static struct fw_affine_access row_of(int64_t block, int64_t y)
{
    return (struct fw_affine_access){.bytes = 4,
                                     .block_stride = {block, 0, 0},
                                     .thread_stride = {4, y, 0},
                                     .high = {1 << 30, 1 << 30, 1},
                                     .active_share = 1,
                                     .repeats = 1};
}

/* Blocks that are contiguous in memory touch each page once. */
static void streams_come_to_each_page_once(void **state)
{
    struct fw_affine_access access = row_of(1024, 0);
    struct fw_affine_accesses accesses = {
        .at = &access, .count = 1, .arrays = 1, .grid = {1 << 20, 1, 1}};
    (void)state;
    accesses.block[0] = 256;
    accesses.block[1] = accesses.block[2] = 1;
    double pages = fw_tlb_pages(&accesses, page), bytes = 1024.0 * (1 << 20);
    assert_true(fabs(pages / (bytes / page) - 1) < 0.01);
}

/* Rows further apart than a page: each row of a block is on a page of its own, which the neighbours
 * along memory touch as well. */
static void far_rows_have_pages_of_their_own(void **state)
{
    struct fw_affine_access access = row_of(128, 4 * 1048576);
    struct fw_affine_accesses accesses = {
        .at = &access, .count = 1, .arrays = 1, .grid = {1 << 15, 1, 1}};
    (void)state;
    accesses.block[0] = 32;
    accesses.block[1] = 8;
    accesses.block[2] = 1;
    double along = 128.0 * (1 << 15) / page; /* per row */
    assert_true(fabs(fw_tlb_pages(&accesses, page) / (8 * along) - 1) < 0.01);
    access.block_stride[0] = 32 * 4 * 1048576ll; /* and the next block touches other pages */
    assert_true(fabs(fw_tlb_pages(&accesses, page) / (8.0 * (1 << 15)) - 1) < 0.01);
}

static void what_is_within_reach_is_kept(void **state)
{
    (void)state;
    assert_true(fw_tlb_miss_share(64e9, 68.7e9) == 0);
    assert_true(fw_tlb_miss_share(64e9, 0) == 0); /* not known */
    assert_true(fabs(fw_tlb_miss_share(128e9, 32e9) - 0.75) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(streams_come_to_each_page_once),
                                       cmocka_unit_test(far_rows_have_pages_of_their_own),
                                       cmocka_unit_test(what_is_within_reach_is_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
