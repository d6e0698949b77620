/* Affine accesses: the threads that run one. */
#include "affine_access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Conditions on threads and conditions on the whole launch select the same threads of a block. */
static void threads_cut_twice_count_once(void **state)
{
    struct fw_affine_accesses accesses = {.grid = {4, 1, 1}, .block = {8, 256, 1}};
    struct fw_affine_access access = {.high = {32, 252, 1}, .last = {8, 252, 1}};
    (void)state;
    assert_true(fw_affine_threads(&access, &accesses) == 32 * 252);
    access.low[1] = 10;
    access.last[1] = 100;
    assert_true(fw_affine_threads(&access, &accesses) == 32 * 90);
    access.high[0] = 28;
    access.last[0] = 4; /* of several blocks, a share: 28 threads of which half run it */
    assert_true(fw_affine_threads(&access, &accesses) == 14 * 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_cut_twice_count_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
