/* Loops whose trips depend on the thread: what a brief launch counts of them is near what another
 * counts. */
#include "../../property/subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct triangle {
    const char *kernel;
    uint32_t grid, block;
    int64_t size;
};

static void compare(const struct triangle *of)
{
    static const double most = 2; /* times as much, or as little */
    struct subject s = {.arena = fw_arena_new(0)};
    const char *root = getenv("FOREWARP_SOURCE");
    size_t length;
    const char *path =
        fw_arena_printf(s.arena, "%s/data/h200/generated/found/triangle.ptx", root ? root : ".");
    const char *text = subject_file(s.arena, path, &length);
    assert_non_null(text);
    assert_true(subject_read(&s, path, text, length, "", of->kernel));
    struct fw_launch *launches[2];
    for (int l = 0; l < 2; l++) {
        launches[l] = fw_launch_new(s.arena, s.kernel);
        launches[l]->grid[0] = of->grid;
        launches[l]->block[0] = of->block;
        launches[l]->integers[2] = of->size;
        launches[l]->is_bound[2] = true;
    }
    launches[1]->brief = true;
    s.bound = fw_bound_new(s.kernel);
    struct fw_bound *beside = fw_bound_beside(s.bound);
    assert_non_null(beside);
    assert_int_equal(fw_bound_set(s.bound, launches[0]), FW_OK);
    assert_int_equal(fw_bound_set(beside, launches[1]), FW_OK);
    for (uint32_t d = 0; d < s.kernel->domain_count; d++) {
        double all = fw_bound_count_warps(s.bound, d)->estimate;
        double few = fw_bound_count_warps(beside, d)->estimate;
        if (all > (double)of->size && (few > most * all || few < all / most))
            fail_msg("%s, size %ld, domain %u: %g warps in brief, %g else", of->kernel,
                     (long)of->size, d, few, all);
        all = fw_bound_count(s.bound, d)->estimate;
        few = fw_bound_count(beside, d)->estimate;
        if (all > (double)of->size && (few > most * all || few < all / most))
            fail_msg("%s, size %ld, domain %u: %g in brief, %g else", of->kernel, (long)of->size, d,
                     few, all);
    }
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
}

static void brief_counts_are_near(void **state)
{
    static const struct triangle of[] = {
        {"triangle_0", 16, 128, 2048},  {"triangle_4", 94, 64, 6000},
        {"triangle_8", 32, 64, 2048},   {"triangle_12", 24, 256, 6000},
        {"triangle_20", 188, 32, 6000}, {"triangle_26", 32, 64, 2048},
        {"triangle_30", 64, 32, 2048},  {"triangle_32", 16, 256, 4000}};
    (void)state;
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++)
        compare(&of[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(brief_counts_are_near)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
