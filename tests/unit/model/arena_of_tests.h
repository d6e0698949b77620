/* An arena for each test of a file. */
#ifndef ARENA_OF_TESTS_H
#define ARENA_OF_TESTS_H

#include "arena.h"

static struct fw_arena *arena;

static int set_up(void **state)
{
    (void)state;
    arena = fw_arena_new(0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fw_arena_free(arena);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
