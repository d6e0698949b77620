/* Stages of a record's accesses: what stands between two that are not in flight together. */
#include "stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* A loop (domain 1) with a branch out of it (behind which is domain 2) and one that is not (domain
 * 3), an inner loop (domain 4), and what is behind the loop (domain 0 again).  Each instruction has
 * an access, but for the barrier. */
enum { ACCESSES = 8 };
static struct fw_branch branches[2] = {{.leaves_loop = true}, {.leaves_loop = false}};
static struct fw_loop loops[2] = {{.parent = FW_NONE, .depth = 1}, {.parent = 0, .depth = 2}};
static struct fw_domain domains[] = {
    {.kind = FW_DOMAIN_ALL, .innermost = FW_NONE},
    {.kind = FW_DOMAIN_LOOP, .parent = 0, .loop = 0, .innermost = 0},
    {.kind = FW_DOMAIN_RESTRICT, .parent = 1, .branch = 0, .innermost = 0},
    {.kind = FW_DOMAIN_RESTRICT, .parent = 2, .branch = 1, .innermost = 0},
    {.kind = FW_DOMAIN_LOOP, .parent = 2, .loop = 1, .innermost = 1},
};
static struct fw_scheduled schedule[] = {
    {.domain = 1, .access = 0, .access_count = 1},
    {.domain = 1, .access = 1, .access_count = 1},
    {.domain = 2, .access = 2, .access_count = 1}, /* behind the way out */
    {.domain = 3, .access = 3, .access_count = 1}, /* under a condition */
    {.domain = 2, .access = FW_NONE, .is_barrier = true},
    {.domain = 2, .access = 4, .access_count = 1}, /* behind the barrier */
    {.domain = 4, .access = 5, .access_count = 1},
    {.domain = 2, .access = 6, .access_count = 1}, /* behind the inner loop */
    {.domain = 0, .access = 7, .access_count = 1},
};

static void exits_barriers_and_loops_are_between(void **state)
{
    static const uint32_t domain_of[ACCESSES] = {1, 1, 2, 3, 2, 4, 2, 0};
    struct fw_access accesses[ACCESSES] = {{0}};
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_kernel kernel = {.branches = branches,
                               .branch_count = 2,
                               .loops = loops,
                               .loop_count = 2,
                               .domains = domains,
                               .domain_count = sizeof(domains) / sizeof(domains[0]),
                               .accesses = accesses,
                               .access_count = ACCESSES,
                               .schedule = schedule,
                               .schedule_count = sizeof(schedule) / sizeof(schedule[0])};
    (void)state;
    for (uint32_t a = 0; a < ACCESSES; a++)
        accesses[a].domain = domain_of[a];
    const uint32_t *stages = fw_stages_find(arena, &kernel);
    assert_int_equal(stages[0], stages[1]);
    assert_true(stages[2] > stages[1]);
    assert_int_equal(stages[3], stages[2]);
    assert_true(stages[4] > stages[3]);
    assert_true(stages[6] > stages[4]);
    assert_true(stages[7] > stages[6]);
    fw_arena_free(arena);
}

/* x = a[0]; y = a[1]; x + y; if (...) { nine instructions, one of which is a[2] }: with the sum
 * behind the branch instead, all three are in flight together; so they are where the branch is
 * short. */
static void waits_before_branches_are_between(void **state)
{
    enum { LOADS = 3, BODY = 9, ALL = LOADS + BODY };
    struct fw_domain own[] = {
        {.kind = FW_DOMAIN_ALL, .innermost = FW_NONE},
        {.kind = FW_DOMAIN_RESTRICT, .parent = 0, .branch = 1, .innermost = FW_NONE}};
    struct fw_access accesses[LOADS] = {{.domain = 0}, {.domain = 0}, {.domain = 1}};
    uint32_t both[] = {0, 1};
    struct fw_scheduled list[ALL];
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_kernel kernel = {.branches = branches,
                               .branch_count = 2,
                               .domains = own,
                               .domain_count = 2,
                               .accesses = accesses,
                               .access_count = LOADS,
                               .schedule = list,
                               .schedule_count = ALL};
    (void)state;
    for (uint32_t i = 0; i < ALL; i++)
        list[i] = (struct fw_scheduled){.operation = "add", .access = FW_NONE, .domain = i > 2};
    for (uint32_t a = 0; a < LOADS; a++) {
        list[a + (a == 2)].access = a;
        list[a + (a == 2)].access_count = 1;
    }
    list[2].waits_for = both;
    list[2].wait_count = 2;
    const uint32_t *stages = fw_stages_find(arena, &kernel);
    assert_int_equal(stages[0], stages[1]);
    assert_true(stages[2] > stages[1]);
    list[2].operation = "mov"; /* waits for nothing */
    stages = fw_stages_find(arena, &kernel);
    assert_int_equal(stages[2], stages[1]);
    list[2].operation = "add";
    kernel.schedule_count = ALL - 1; /* a short branch */
    stages = fw_stages_find(arena, &kernel);
    assert_int_equal(stages[2], stages[1]);
    fw_arena_free(arena);
}

/* x = a[0]; 1 / x, rounded; y = a[1]: the second load is behind the division's own branch, before
 * which the first is waited for.  Approximate, or of something else, both are in flight together;
 * where ways of other branches meet is no branch of its own. */
static void divisions_are_between(void **state)
{
    enum { ALL = 3 };
    struct fw_domain own[] = {{.kind = FW_DOMAIN_ALL, .innermost = FW_NONE}};
    struct fw_access accesses[2] = {{.domain = 0}, {.domain = 0}};
    struct fw_machine_operation rounded[] = {
        {.name = "BSSY"}, {.name = "BSYNC"}, {.name = "FFMA"}, {.name = "MUFU"}, {.name = "BSYNC"}};
    uint32_t first = 0;
    struct fw_scheduled list[ALL] = {
        {.operation = "ld", .access = 0, .access_count = 1},
        {.operation = "rcp", .access = FW_NONE, .waits_for = &first, .wait_count = 1},
        {.operation = "ld", .access = 1, .access_count = 1}};
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_kernel kernel = {.domains = own,
                               .domain_count = 1,
                               .accesses = accesses,
                               .access_count = 2,
                               .schedule = list,
                               .schedule_count = ALL};
    (void)state;
    list[1].machine = rounded;
    list[1].machine_count = 5;
    const uint32_t *stages = fw_stages_find(arena, &kernel);
    assert_true(stages[1] > stages[0]);
    list[1].wait_count = 0;
    stages = fw_stages_find(arena, &kernel);
    assert_int_equal(stages[1], stages[0]);
    list[1].wait_count = 1;
    list[1].machine = rounded;
    list[1].machine_count = 3; /* without a reciprocal */
    stages = fw_stages_find(arena, &kernel);
    assert_int_equal(stages[1], stages[0]);
    list[1].machine = rounded + 2;
    list[1].machine_count = 3;
    stages = fw_stages_find(arena, &kernel);
    assert_int_equal(stages[1], stages[0]);
    fw_arena_free(arena);
}

/* x = a[0]; k = x + 1; y = a[k]; z = a[1]; m = z + 1; v = a[m]: both of the first go together, and
 * then both whose addresses are made of what they give; not behind a barrier. */
static void loads_follow_those_that_their_addresses_are_made_of(void **state)
{
    enum { LOADS = 4, ALL = 7 };
    struct fw_domain own[] = {{.kind = FW_DOMAIN_ALL, .innermost = FW_NONE}};
    struct fw_access accesses[LOADS] = {{.domain = 0}, {.domain = 0}, {.domain = 0}, {.domain = 0}};
    uint32_t before[ALL] = {0, 0, 1, 2, 3, 4, 5};
    struct fw_scheduled list[ALL];
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_kernel kernel = {.domains = own,
                               .domain_count = 1,
                               .accesses = accesses,
                               .access_count = LOADS,
                               .schedule = list,
                               .schedule_count = ALL - 1};
    (void)state;
    for (uint32_t i = 0; i < ALL; i++) {
        list[i] = (struct fw_scheduled){.operation = "add", .access = FW_NONE};
        if (i % 3 != 1 && i < ALL - 1)
            list[i].access = i / 3 * 2 + i % 3 / 2;
        list[i].access_count = list[i].access != FW_NONE;
        list[i].waits_for = &before[i];
        list[i].wait_count = i % 3 != 0;
    }
    const uint32_t *stages = fw_stages_find(arena, &kernel);
    assert_int_equal(stages[0], stages[2]);
    assert_int_equal(stages[1], stages[3]);
    assert_true(stages[1] > stages[0]);
    list[3].is_barrier = true; /* with the third load behind it */
    stages = fw_stages_find(arena, &kernel);
    assert_true(stages[2] > stages[1] && stages[3] > stages[2]);
    fw_arena_free(arena);
}

/* x = a[0]; s[0] = x; if (...) { y = a[1]; s[1] = y; }: the second load is behind a branch, and its
 * store takes a turn of its own.  Where all is one basic block, the load goes ahead of the first
 * store, unless that may write what it reads; behind a barrier a store is apart in any case. */
static void stores_whose_loads_stay_behind_others_take_turns(void **state)
{
    enum { ALL = 5 };
    struct fw_domain own[] = {{.kind = FW_DOMAIN_ALL, .innermost = FW_NONE},
                              {.kind = FW_DOMAIN_UNION, .parent = 0, .innermost = FW_NONE}};
    struct fw_access accesses[] = {
        {.space = FW_SPACE_GLOBAL, .direction = FW_LOAD, .cache = "nc"},
        {.space = FW_SPACE_GLOBAL, .direction = FW_STORE, .base = 1},
        {.space = FW_SPACE_GLOBAL, .direction = FW_LOAD, .cache = "nc", .base = 2},
        {.space = FW_SPACE_GLOBAL, .direction = FW_STORE, .base = 1}};
    uint32_t first = 0, second = 3;
    struct fw_scheduled list[ALL] = {
        {.access = 0, .access_count = 1},
        {.access = 1, .access_count = 1, .waits_for = &first, .wait_count = 1},
        {.access = FW_NONE},
        {.access = 2, .access_count = 1, .domain = 1},
        {.access = 3, .access_count = 1, .domain = 1, .waits_for = &second, .wait_count = 1}};
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_kernel kernel = {.domains = own,
                               .domain_count = 2,
                               .accesses = accesses,
                               .access_count = 4,
                               .schedule = list,
                               .schedule_count = ALL};
    (void)state;
    const uint32_t *turns = fw_store_turns_find(arena, &kernel);
    assert_int_equal(turns[1], 0);
    assert_int_equal(turns[3], 1);
    list[3].domain = list[4].domain = 0;
    assert_int_equal(fw_store_turns_find(arena, &kernel)[3], 0);
    accesses[2].cache = "";
    assert_int_equal(fw_store_turns_find(arena, &kernel)[3], 1);
    accesses[2].base = 1; /* other offsets from one register */
    assert_int_equal(fw_store_turns_find(arena, &kernel)[3], 0);
    accesses[2].base = 2;
    accesses[2].space = FW_SPACE_SHARED;
    assert_int_equal(fw_store_turns_find(arena, &kernel)[3], 0);
    list[2].is_barrier = true;
    assert_int_equal(fw_store_turns_find(arena, &kernel)[3], 1);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exits_barriers_and_loops_are_between),
        cmocka_unit_test(waits_before_branches_are_between),
        cmocka_unit_test(divisions_are_between),
        cmocka_unit_test(loads_follow_those_that_their_addresses_are_made_of),
        cmocka_unit_test(stores_whose_loads_stay_behind_others_take_turns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
