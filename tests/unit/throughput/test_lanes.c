/* Lanes: sectors and passes over banks, against counting by hand. */
#include "lanes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static struct fw_lanes strided(int64_t stride)
{
    struct fw_lanes lanes = {.known = true, .count = FW_WARP_THREADS};
    for (int l = 0; l < FW_WARP_THREADS; l++)
        lanes.offsets[l] = l * stride;
    return lanes;
}

static void test_sectors(void **state)
{
    struct fw_lanes lanes = strided(4);
    (void)state;
    assert_int_equal(fw_lanes_sectors(&lanes, 4, 32, 0), 4);
    assert_int_equal(fw_lanes_sectors(&lanes, 4, 32, 4), 5); /* misaligned: one more */
    lanes = strided(0);
    assert_int_equal(fw_lanes_sectors(&lanes, 4, 32, 0), 1); /* all lanes the same word */
    lanes = strided(32);
    assert_int_equal(fw_lanes_sectors(&lanes, 4, 32, 0), 32);
    lanes = strided(-4);
    assert_int_equal(fw_lanes_sectors(&lanes, 4, 32, 0), 5); /* 0 and -124 .. -4 */
    lanes = strided(16);
    assert_int_equal(fw_lanes_sectors(&lanes, 16, 32, 0), 16);
    lanes = strided(128); /* an element wider than a sector */
    assert_int_equal(fw_lanes_sectors(&lanes, 128, 32, 0), 128);
    lanes.count = 1; /* shifted by a whole sector: another one, not one more */
    assert_int_equal(fw_lanes_sectors(&lanes, 4, 32, 32), 1);
    lanes = strided(8);
    lanes.count = 3; /* a block of three threads */
    assert_int_equal(fw_lanes_sectors(&lanes, 8, 32, 0), 1);
}

static void test_passes(void **state)
{
    (void)state;
    for (int64_t words = 0; words <= 33; words++) {
        struct fw_lanes lanes = strided(4 * words);
        uint32_t expected = 1; /* greatest common divisor of the stride and the banks */
        for (uint32_t d = 2; d <= 32; d *= 2)
            if (words && words % d == 0)
                expected = d;
        assert_int_equal(fw_lanes_passes(&lanes, 4, 32, 4), expected);
    }
    struct fw_lanes wide = strided(8);
    assert_int_equal(fw_lanes_passes(&wide, 8, 32, 4), 2);
    wide = strided(16);
    assert_int_equal(fw_lanes_passes(&wide, 16, 32, 4), 4);
    struct fw_lanes bytes = strided(1);
    assert_int_equal(fw_lanes_passes(&bytes, 1, 32, 4), 1); /* four lanes a word */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sectors),
                                       cmocka_unit_test(test_passes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
