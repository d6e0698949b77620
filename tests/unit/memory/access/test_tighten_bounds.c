/* Bounds: conditions that become boxes of threads. */
#include "tighten_bounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Thread t < 32 with floor((1 - t) / 32) >= 0 means t <= 1; a loop to t + 8 k < 10 runs twice only
 * for t < 2. */
static void shapes_become_boxes(void **state)
{
    struct fw_shape shape = {.variables = 3, .row_count = 4, .linear = true}, at;
    (void)state;
    memset(shape.launch_variable, -1, sizeof(shape.launch_variable));
    shape.launch_variable[3] = 0;
    shape.loop_of[0] = shape.loop_of[1] = FW_NONE;
    shape.high[0] = 31;
    shape.quotient[1] = true;
    shape.low[1] = -1;
    shape.high[2] = 1;
    shape.coefficient[2] = 64;
    shape.rows[0].constant = 1; /* 1 - t - 32 q >= 0 */
    shape.rows[0].coefficient[0] = -1;
    shape.rows[0].coefficient[1] = -32;
    shape.rows[0].definition = true;
    shape.rows[1].constant = 30; /* 30 + t + 32 q >= 0 */
    shape.rows[1].coefficient[0] = 1;
    shape.rows[1].coefficient[1] = 32;
    shape.rows[1].definition = true;
    shape.rows[2].coefficient[1] = 1; /* q >= 0 */
    shape.rows[3].constant = 9;       /* 9 - t - 8 k >= 0 */
    shape.rows[3].coefficient[0] = -1;
    shape.rows[3].coefficient[2] = -8;
    struct fw_shape whole = shape;
    whole.row_count = 4;
    whole.rows[2] = whole.rows[3]; /* without the condition on the floor */
    whole.row_count = 3;
    fw_shape_tighten_floors(&shape);
    assert_int_equal(shape.high[0], 1);
    assert_int_equal(fw_shape_split_variable(&whole, 9, NULL), 2);
    assert_true(fw_shape_fix(&at, &whole, 2, 0));
    assert_int_equal(at.high[0], 9);
    assert_int_equal(at.constant, 0);
    assert_true(fw_shape_fix(&at, &whole, 2, 1));
    assert_int_equal(at.high[0], 1);
    assert_int_equal(at.constant, 64);
    whole.rows[2].constant = 7;
    assert_false(fw_shape_fix(&at, &whole, 2, 1)); /* no execution is left */
}

/* 127 - 16 y - x >= 0 with x < 16 and y < 32 means y < 8; with 126 the condition stays. */
static void conditions_on_threads_are_boxes(void **state)
{
    (void)state;
    for (int64_t most = 127; most >= 126; most--) {
        struct fw_shape shape = {.variables = 2, .row_count = 1, .linear = true};
        memset(shape.launch_variable, -1, sizeof(shape.launch_variable));
        shape.launch_variable[3] = 0;
        shape.launch_variable[4] = 1;
        shape.loop_of[0] = shape.loop_of[1] = FW_NONE;
        shape.high[0] = 15;
        shape.high[1] = 31;
        shape.rows[0].constant = most;
        shape.rows[0].coefficient[0] = -1;
        shape.rows[0].coefficient[1] = -16;
        fw_shape_tighten_threads(&shape);
        assert_int_equal(shape.high[1], 7);
        assert_int_equal(shape.high[0], 15);
        assert_int_equal(shape.row_count, most == 127 ? 0 : 1);
    }
}

/* Copies have all that a shape has, and none of the rows that it has not. */
static void copies_have_the_rows_that_there_are(void **state)
{
    static struct fw_shape shape, at, before;
    (void)state;
    memset(&shape, 3, sizeof(shape));
    memset(&before, 5, sizeof(before));
    shape.row_count = 2;
    at = before;
    fw_shape_copy(&at, &shape);
    assert_memory_equal(&at, &shape, offsetof(struct fw_shape, rows) + 2 * sizeof(shape.rows[0]));
    assert_memory_equal(&at.rows[2], &before.rows[2], (FW_SHAPE_ROWS - 2) * sizeof(before.rows[0]));
    assert_int_equal(sizeof(shape), offsetof(struct fw_shape, rows) + sizeof(shape.rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_become_boxes),
        cmocka_unit_test(conditions_on_threads_are_boxes),
        cmocka_unit_test(copies_have_the_rows_that_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
