/* Warps behind a condition: never more than before it, where pieces share warps and what they share
 * is not known. */
#include "../../property/subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A halo with borders by branches, 5 x 5 blocks a plane, whose cut blocks make many pieces. */
static void conditions_add_no_warps(void **state)
{
    struct subject s = {.arena = fw_arena_new(0)};
    const char *root = getenv("FOREWARP_SOURCE");
    size_t length;
    bool below = false;
    (void)state;
    const char *path =
        fw_arena_printf(s.arena, "%s/data/h200/programs-third/networks.ptx", root ? root : ".");
    const char *text = subject_file(s.arena, path, &length);
    assert_non_null(text);
    assert_true(subject_read(&s, path, text, length, "", "depthwise_planes"));
    s.launch = fw_launch_new(s.arena, s.kernel);
    s.launch->grid[0] = s.launch->grid[1] = 5;
    s.launch->grid[2] = 1024;
    s.launch->block[0] = s.launch->block[1] = 16;
    s.launch->integers[3] = 160;
    s.launch->integers[4] = 256;
    s.launch->is_bound[3] = s.launch->is_bound[4] = true;
    s.bound = fw_bound_new(s.kernel);
    assert_int_equal(fw_bound_set(s.bound, s.launch), FW_OK);
    for (uint32_t d = 0; d < s.kernel->domain_count; d++) {
        const struct fw_domain *at = &s.kernel->domains[d];
        if (at->kind != FW_DOMAIN_RESTRICT)
            continue;
        double own = fw_bound_count_warps(s.bound, d)->estimate;
        double parent = fw_bound_count_warps(s.bound, at->parent)->estimate;
        assert_true(own <= parent);
        below |= own > 0 && own < parent;
    }
    assert_true(below);
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(conditions_add_no_warps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
