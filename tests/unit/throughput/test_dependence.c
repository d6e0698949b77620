/* Stalls of a warp that is alone, of schedules made by hand. */
#include "dependence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { LOAD = 100, ADD = 4 };

/* Two loads, the second in a domain of its own or not, and an addition of both. */
static double stalls(bool apart, double times)
{
    struct fw_arena *arena = fw_arena_new(0);
    uint32_t both[] = {0, 1};
    struct fw_scheduled schedule[] = {
        {.operation = "ld", .domain = 0},
        {.operation = "ld", .domain = apart ? 1 : 0},
        {.operation = "add", .domain = apart ? 1 : 0, .waits_for = both, .wait_count = 2}};
    const struct fw_kernel kernel = {.arena = arena, .schedule = schedule, .schedule_count = 3};
    const double cycles[] = {LOAD, LOAD, ADD}, how_often[] = {times, times, times};
    double found = fw_dependence_stalls(arena, &kernel, cycles, how_often);
    fw_arena_free(arena);
    return found;
}

/* Loads of one domain are in flight together; the last result is waited for at the end. */
static void test_together(void **state)
{
    (void)state;
    assert_true(stalls(false, 1) == LOAD + ADD);
    assert_true(stalls(false, 10) == 10 * LOAD + ADD); /* each iteration waits for its own */
}

/* A domain of its own begins when the one before was issued, which waits for nothing. */
static void test_apart(void **state)
{
    (void)state;
    assert_true(stalls(true, 1) == LOAD + ADD);
}

/* A load whose address is another load's result waits for it, and so does what is behind a barrier
 * or behind a branch that is decided by it. */
static void test_one_after_the_other(void **state)
{
    (void)state;
    static const struct {
        const char *operation;
        bool is_barrier;
        double cycles;
    } between[] = {{"cvt", false, 0}, {"bar", true, 14}, {"bra", false, 10}};
    for (int b = 0; b < 3; b++) {
        struct fw_arena *arena = fw_arena_new(0);
        uint32_t first[] = {0}, second[] = {1}, third[] = {2};
        struct fw_scheduled schedule[] = {
            {.operation = "ld"},
            {.operation = between[b].operation,
             .is_barrier = between[b].is_barrier,
             .waits_for = first,
             .wait_count = 1},
            {.operation = "ld", .waits_for = second, .wait_count = 1},
            {.operation = "add", .waits_for = third, .wait_count = 1}};
        const struct fw_kernel kernel = {.arena = arena, .schedule = schedule, .schedule_count = 4};
        const double cycles[] = {LOAD, between[b].cycles, LOAD, ADD}, once[] = {1, 1, 1, 1};
        assert_true(fw_dependence_stalls(arena, &kernel, cycles, once) ==
                    2 * LOAD + between[b].cycles + ADD);
        fw_arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_together),
                                       cmocka_unit_test(test_apart),
                                       cmocka_unit_test(test_one_after_the_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
