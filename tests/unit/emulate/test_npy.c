/* Arrays of NumPy's format: headers of every version, and such as no NumPy writes. */
#include "emulate_npy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { MOST = 1 << 17 };

/* A file's beginning with this header's text, padded as NumPy does; its length. */
static size_t file_of(unsigned char *bytes, unsigned version, const char *header)
{
    const size_t start = version == 1 ? 10 : 12;
    size_t length = strlen(header) + 1;
    length += (64 - (start + length) % 64) % 64;
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (unsigned char)version;
    bytes[7] = 0;
    for (size_t b = 8; b < start; b++)
        bytes[b] = (unsigned char)(length >> 8 * (b - 8));
    memset(bytes + start, ' ', length);
    memcpy(bytes + start, header, strlen(header));
    bytes[start + length - 1] = '\n';
    return start + length;
}

static const char *read_header(struct fw_npy *out, unsigned version, const char *header,
                               uint64_t data)
{
    unsigned char bytes[4096];
    const size_t length = file_of(bytes, version, header);
    return fw_npy_read(out, bytes, length, length + data);
}

static void arrays_of_every_version_are_read(void **state)
{
    struct fw_npy out;
    (void)state;
    for (unsigned version = 1; version <= 3; version++) {
        assert_null(read_header(&out, version,
                                "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 5), }", 60));
        assert_int_equal(out.type, FW_TYPE_F32);
        assert_int_equal(out.count, 15);
        assert_int_equal(out.begin % 64, 0);
    }
}

static void every_order_of_keys_and_elements_is_read(void **state)
{
    static const struct {
        const char *header;
        enum fw_type type;
        uint64_t count, bytes;
    } cases[] = {
        {"{'shape': (7,), 'fortran_order': True, 'descr': '<i8'}", FW_TYPE_S64, 7, 56},
        {"{\"descr\":\"|u1\",\"fortran_order\":False,\"shape\":(2,2,2)}", FW_TYPE_U8, 8, 8},
        {"{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", FW_TYPE_U8, 3, 3},
        {"{'descr': '<f2', 'fortran_order': False, 'shape': (3,), }", FW_TYPE_F16, 3, 6},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': (10L, 2L), }", FW_TYPE_U16, 20, 40},
        {"{'descr': '<c16', 'fortran_order': False, 'shape': (3,), }", FW_TYPE_F64, 6, 48},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }", FW_TYPE_F64, 1, 8},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (0, 4), }", FW_TYPE_S32, 0, 0}};
    struct fw_npy out;
    (void)state;
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        assert_null(read_header(&out, 1, cases[c].header, cases[c].bytes));
        assert_int_equal(out.type, cases[c].type);
        assert_int_equal(out.count, cases[c].count);
        if (cases[c].bytes) /* a byte less is too short */
            assert_non_null(read_header(&out, 1, cases[c].header, cases[c].bytes - 1));
    }
}

static void what_no_buffer_can_hold_is_refused(void **state)
{
    static const struct {
        const char *header;
        const char *why;
    } cases[] = {
        {"{'descr': '|O', 'fortran_order': False, 'shape': (3,), }", "Python objects"},
        {"{'descr': '<O8', 'fortran_order': False, 'shape': (3,), }", "Python objects"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }", "structures"},
        {"{'descr': '>f4', 'fortran_order': False, 'shape': (3,), }", "big endian"},
        {"{'descr': 'f4', 'fortran_order': False, 'shape': (3,), }", "order of bytes"},
        {"{'descr': '|f4', 'fortran_order': False, 'shape': (3,), }", "order of bytes"},
        {"{'descr': '<U8', 'fortran_order': False, 'shape': (3,), }", "none of"},
        {"{'descr': '<f4xxxxxxxxxxxxxxxx', 'fortran_order': False, 'shape': (3,), }", "none of"},
        {"{'descr': '<f4', 'fortran_order': maybe, 'shape': (3,), }", "fortran_order"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-3,), }", "whole numbers"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, }", "whole numbers"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': 3, }", "whole numbers"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
         "can be counted"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }",
         "can be counted"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904,), }",
         "can be counted"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 18446744073709551615), }",
         "can be counted"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000,), }", "shorter"},
        {"{'descr': '<f4', 'fortran_order': False, }", "lacks"},
        {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", "twice"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'code': __import__('os')}",
         "unknown"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} or exit()", "follows"},
        {"{'descr': '<f4", "dictionary"},
        {"{'descr'", "dictionary"},
        {"{", "dictionary"},
        {"", "dictionary"}};
    struct fw_npy out;
    (void)state;
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        const char *why = read_header(&out, 1, cases[c].header, 12);
        if (!why || !strstr(why, cases[c].why))
            fail_msg("%s: %s", cases[c].header, why ? why : "read");
    }
}

static void a_file_that_ends_early_or_lies_is_refused(void **state)
{
    static const char header[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
    unsigned char *bytes = malloc(MOST);
    struct fw_npy out;
    (void)state;
    assert_non_null(bytes);
    for (unsigned version = 1; version <= 3; version++) {
        const size_t length = file_of(bytes, version, header);
        for (size_t l = 0; l < length; l++) { /* in memory of its own, so that overruns are seen */
            unsigned char *part = malloc(l ? l : 1);
            assert_non_null(part);
            memcpy(part, bytes, l);
            assert_non_null(fw_npy_read(&out, part, l, 1 << 20));
            free(part);
        }
        assert_null(fw_npy_read(&out, bytes, length, length + 12));
        bytes[version == 1 ? 9 : 11] = 0xff; /* a header of 64 KiB or 4 GiB */
        assert_non_null(fw_npy_read(&out, bytes, length, 1 << 20));
        file_of(bytes, version, header);
        bytes[6] = 4;
        assert_non_null(fw_npy_read(&out, bytes, length, 1 << 20));
        bytes[6] = 0;
        assert_non_null(fw_npy_read(&out, bytes, length, 1 << 20));
        file_of(bytes, version, header);
        bytes[1] = 'n';
        assert_non_null(fw_npy_read(&out, bytes, length, 1 << 20));
    }
    free(bytes);
}

/* Any bytes in place of any byte of a header neither crash nor give an array beyond the file. */
static void damaged_headers_stay_within_the_file(void **state)
{
    static const char header[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 7), }";
    unsigned char bytes[256];
    struct fw_npy out;
    (void)state;
    const size_t length = file_of(bytes, 1, header);
    for (size_t at = 0; at < length; at++) {
        const unsigned char kept = bytes[at];
        for (unsigned value = 0; value < 256; value++) {
            bytes[at] = (unsigned char)value;
            if (!fw_npy_read(&out, bytes, length, length + 84)) {
                assert_true(out.begin <= length);
                assert_true(out.count * fw_type_bytes(out.type) <= length + 84 - out.begin);
            }
        }
        bytes[at] = kept;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_of_every_version_are_read),
        cmocka_unit_test(every_order_of_keys_and_elements_is_read),
        cmocka_unit_test(what_no_buffer_can_hold_is_refused),
        cmocka_unit_test(a_file_that_ends_early_or_lies_is_refused),
        cmocka_unit_test(damaged_headers_stay_within_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
