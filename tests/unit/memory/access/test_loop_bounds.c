/* Loop bounds: the trips of a loop, and how they differ between threads. */
#include "loop_bounds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCK_INDEX, THREAD, ITERATION, QUOTIENT, VARIABLES };

/* 8 blocks of 128 threads, and a loop of at most 1000 iterations. */
static struct fw_shape shape_of_loop(void)
{
    struct fw_shape shape = {.variables = VARIABLES, .linear = true, .weight = 1};
    memset(shape.launch_variable, -1, sizeof(shape.launch_variable));
    shape.launch_variable[0] = BLOCK_INDEX;
    shape.launch_variable[3] = THREAD;
    for (uint32_t v = 0; v < VARIABLES; v++)
        shape.loop_of[v] = v == ITERATION ? 0 : FW_NONE;
    shape.high[BLOCK_INDEX] = 7;
    shape.high[THREAD] = 127;
    shape.high[ITERATION] = 999;
    return shape;
}

/* The remainder of a loop that is unrolled by 4 from thread t on, k < -t - 4 q with q = floor(-t /
 * 4): the extremes of t and q alone would allow 124 iterations more than the three that there are.
 */
static void remainders_are_short(void **state)
{
    struct fw_shape shape = shape_of_loop();
    (void)state;
    shape.quotient[QUOTIENT] = true;
    shape.low[QUOTIENT] = -32;
    shape.row_count = 3;
    shape.rows[0].coefficient[THREAD] = -1; /* -t - 4 q >= 0 */
    shape.rows[0].coefficient[QUOTIENT] = -4;
    shape.rows[0].definition = true;
    shape.rows[1].constant = 3; /* 3 + t + 4 q >= 0 */
    shape.rows[1].coefficient[THREAD] = 1;
    shape.rows[1].coefficient[QUOTIENT] = 4;
    shape.rows[1].definition = true;
    shape.rows[2].constant = -1; /* -1 - t - 4 q - k >= 0 */
    shape.rows[2].coefficient[THREAD] = -1;
    shape.rows[2].coefficient[QUOTIENT] = -4;
    shape.rows[2].coefficient[ITERATION] = -1;
    assert_int_equal(fw_shape_trips(&shape, ITERATION), 3);
}

/* 4 k <= 1023 - 128 b - t: what rounds down takes 3/8 off on average. */
static void triangles_have_a_slope(void **state)
{
    struct fw_shape shape = shape_of_loop();
    struct fw_affine_ragged ragged = {.any = false};
    const double block[3] = {2, 0, 0}, thread[3] = {5, 0, 0};
    (void)state;
    shape.row_count = 1;
    shape.rows[0].constant = 1023;
    shape.rows[0].coefficient[BLOCK_INDEX] = -128;
    shape.rows[0].coefficient[THREAD] = -1;
    shape.rows[0].coefficient[ITERATION] = -4;
    assert_int_equal(fw_shape_trips(&shape, ITERATION), 256);
    assert_true(fw_shape_ragged(&ragged, &shape, ITERATION, 256));
    double until = fw_affine_slope_at(&ragged.until, block, thread);
    assert_int_equal(lround(until), (1023 - 256 - 5) / 4 + 1);
    assert_true(fw_affine_slope_at(&ragged.from, block, thread) <= 0);
}

/* All threads run all iterations, or another loop decides: no slope. */
static void other_loops_have_none(void **state)
{
    struct fw_shape shape = shape_of_loop();
    struct fw_affine_ragged ragged = {.any = false};
    (void)state;
    shape.row_count = 1;
    shape.rows[0].constant = 9000;
    shape.rows[0].coefficient[THREAD] = -1;
    shape.rows[0].coefficient[ITERATION] = -1;
    assert_false(fw_shape_ragged(&ragged, &shape, ITERATION, 1000));
    shape.rows[0].constant = 0; /* k <= another variable */
    shape.rows[0].coefficient[THREAD] = 0;
    shape.rows[0].coefficient[QUOTIENT] = 1;
    shape.high[QUOTIENT] = 99;
    assert_false(fw_shape_ragged(&ragged, &shape, ITERATION, 100));
    assert_false(ragged.any);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(remainders_are_short),
        cmocka_unit_test(triangles_have_a_slope),
        cmocka_unit_test(other_loops_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
