/* Sequences of launches: bytes between two touches of an array, and shares of it. */
#include "sequence.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const char *const names[] = {"a", "b", "c", NULL};

/* A launch that touches so many bytes of each of the arrays and stores to the last two. */
static struct fw_sequence *launch(struct fw_arena *arena, struct fw_cache_state *state, double a,
                                  double b, double c)
{
    struct fw_sequence *next = fw_sequence_new(arena, state, names, 4);
    next->touched[0] = a;
    next->touched[1] = next->stored[1] = b;
    next->touched[2] = next->stored[2] = c;
    next->touched[3] = 1e9; /* no array of the sequence */
    return next;
}

static void assert_bytes(double value, double expected)
{
    assert_true(fabs(value - expected) < 1e-9 * fmax(1, expected));
}

static void test_first(void **state)
{
    struct fw_arena *arena = *state;
    struct fw_cache_state *caches = fw_sequence_state_new();
    struct fw_sequence *first = launch(arena, caches, 100, 50, 0);
    assert_true(isinf(fw_sequence_since(first, 0, false, 0, 0.5)));
    assert_true(isinf(fw_sequence_since(first, 1, true, 0, 0.5)));
    assert_bytes(fw_sequence_share(first, 0, false, 0), 0);
    fw_sequence_state_free(caches);
}

/* Between the same places of two identical launches all that a launch touches was touched. */
static void test_again(void **state)
{
    struct fw_arena *arena = *state;
    struct fw_cache_state *caches = fw_sequence_state_new();
    assert_true(fw_sequence_end(caches, launch(arena, caches, 100, 50, 0)));
    struct fw_sequence *second = launch(arena, caches, 100, 50, 0);
    assert_bytes(fw_sequence_since(second, 0, false, 0, 0.5), 150);
    assert_bytes(fw_sequence_since(second, 1, true, 0, 0.5), 50);
    assert_bytes(fw_sequence_share(second, 0, false, 0), 1);
    fw_sequence_state_free(caches);
}

/* What launches between have touched counts whole, the end of the one launch and the begin of the
 * other half. */
static void test_between(void **state)
{
    struct fw_arena *arena = *state;
    struct fw_cache_state *caches = fw_sequence_state_new();
    assert_true(fw_sequence_end(caches, launch(arena, caches, 100, 40, 0)));
    assert_true(fw_sequence_end(caches, launch(arena, caches, 0, 0, 1000)));
    struct fw_sequence *third = launch(arena, caches, 200, 0, 0);
    /* Of a: half of either; of b: half of what the first touched; of c: all. */
    assert_bytes(fw_sequence_since(third, 0, false, 0, 0.5), 150 + 20 + 1000);
    assert_bytes(fw_sequence_share(third, 0, false, 0), 0.5);
    fw_sequence_begin(third);
    assert_bytes(third->touched[0], 0);
    fw_sequence_state_free(caches);
}

/* What lies between depends on the place: less where the launches before have touched it last. */
static void test_places(void **state)
{
    struct fw_arena *arena = *state;
    struct fw_cache_state *caches = fw_sequence_state_new();
    assert_true(fw_sequence_end(caches, launch(arena, caches, 100, 300, 0)));
    struct fw_sequence *second = launch(arena, caches, 100, 0, 0);
    assert_bytes(fw_sequence_since(second, 0, false, 0, 0), 100 + 300);
    assert_bytes(fw_sequence_since(second, 0, false, 0, 0.75), 100 + 300 / 4.0);
    assert_bytes(fw_sequence_since(second, 0, false, 0, 1), 100);
    double sum = 0;
    for (int p = 0; p < FW_SEQUENCE_PLACES; p++)
        sum += fw_sequence_place(p) / FW_SEQUENCE_PLACES;
    assert_bytes(sum, 0.5);
    fw_sequence_state_free(caches);
}

/* Lines that several blocks load take more of L2 than their bytes; what is stored does not. */
static void test_lines_of_several_blocks(void **state)
{
    struct fw_arena *arena = *state;
    struct fw_cache_state *caches = fw_sequence_state_new();
    assert_true(fw_sequence_end(caches, launch(arena, caches, 100, 0, 0)));
    struct fw_sequence *second = launch(arena, caches, 0, 40, 0);
    second->takes[1] = 1.5;
    assert_true(fw_sequence_end(caches, second));
    struct fw_sequence *third = launch(arena, caches, 100, 0, 0);
    assert_bytes(fw_sequence_since(third, 0, false, 0, 0.5), 100 + 1.5 * 40);
    third->takes[0] = 1.2; /* its own begin, before half of the array */
    assert_bytes(fw_sequence_since(third, 0, false, 0, 0.5), 50 + 1.2 * 50 + 1.5 * 40);
    assert_bytes(fw_sequence_share(third, 1, false, 0), 1);
    fw_sequence_begin(third);
    assert_bytes(third->takes[0], 1);
    fw_sequence_state_free(caches);
}

/* Launches of as many blocks in one wave come to the same from the same multiprocessors; what they
 * store does not stay near these. */
static void test_same_wave(void **state)
{
    struct fw_arena *arena = *state;
    struct fw_cache_state *caches = fw_sequence_state_new();
    struct fw_sequence *first = launch(arena, caches, 100, 40, 0);
    first->wave = 1056;
    assert_true(fw_sequence_end(caches, first));
    struct fw_sequence *second = launch(arena, caches, 100, 40, 0);
    assert_false(fw_sequence_same_wave(second, 0, 0));
    second->wave = 1056;
    assert_true(fw_sequence_same_wave(second, 0, 0));
    assert_false(fw_sequence_same_wave(second, 1, 0));
    second->wave = 528;
    assert_false(fw_sequence_same_wave(second, 0, 0));
    assert_false(fw_sequence_same_wave(second, 3, 0)); /* no array of the sequence */
    fw_sequence_state_free(caches);
}

/* What a launch leaves untouched of an array is as the launch before it has left it: votes that no
 * edge leads to lie behind all edges, where they were cleared. */
static void test_layers(void **state)
{
    struct fw_arena *arena = *state;
    struct fw_cache_state *caches = fw_sequence_state_new();
    assert_true(fw_sequence_end(caches, launch(arena, caches, 120, 0, 0)));  /* all of a */
    assert_true(fw_sequence_end(caches, launch(arena, caches, 30, 0, 400))); /* a part of it */
    struct fw_sequence *third = launch(arena, caches, 120, 0, 0);
    assert_bytes(fw_sequence_share(third, 0, false, 0), 0.25);
    assert_bytes(fw_sequence_share(third, 0, false, 1), 0.75);
    assert_bytes(fw_sequence_since(third, 0, false, 0, 0.5), (30 + 120) / 2.0 + 400 / 2.0);
    assert_bytes(fw_sequence_since(third, 0, false, 1, 0.5), 120 + 400);
    struct fw_sequence *less = launch(arena, caches, 20, 0, 0);
    assert_bytes(fw_sequence_share(less, 0, false, 0), 1);
    assert_bytes(fw_sequence_share(less, 0, false, 1), 0);
    assert_true(fw_sequence_end(caches, third)); /* all of it: nothing is left of the others */
    assert_bytes(fw_sequence_share(launch(arena, caches, 120, 0, 0), 0, false, 1), 0);
    fw_sequence_state_free(caches);
}

/* Since a line was stored, the rest of its launch and the begin of this one have passed; lines that
 * are touched again count once. */
static void test_stored_lines(void **state)
{
    struct fw_arena *arena = *state;
    struct fw_cache_state *caches = fw_sequence_state_new();
    assert_true(fw_sequence_end(caches, launch(arena, caches, 100, 40, 0)));
    struct fw_sequence *second = launch(arena, caches, 200, 0, 0);
    const size_t b = 1;
    assert_int_equal(fw_sequence_left(second), 2);
    assert_bytes(fw_sequence_left_bytes(second, 0), 0);
    assert_bytes(fw_sequence_left_bytes(second, b), 40);
    assert_false(fw_sequence_stores_again(second, b));
    assert_bytes(fw_sequence_passed(second, b, false, 0.25, 0), 0.75 * 140);
    assert_bytes(fw_sequence_passed(second, b, true, 0.25, 0), 0.75 * 40);
    assert_bytes(fw_sequence_passed(second, b, false, 0.25, 0.5), 100 + 0.75 * 40);
    assert_bytes(fw_sequence_passed(second, b, false, 0.25, 1), 200 + 0.75 * 40);
    assert_true(fw_sequence_stores_again(launch(arena, caches, 0, 10, 0), b));
    fw_sequence_state_free(caches);
}

static int set_up(void **state)
{
    *state = fw_arena_new(0);
    return *state ? 0 : 1;
}

static int tear_down(void **state)
{
    fw_arena_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lines_of_several_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_same_wave, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_between, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_layers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stored_lines, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
