/* JSON as it is written, beside what jansson writes of the same values. */
#include "arena.h"
#include "json_writer.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = JSON_INDENT(2) | JSON_REAL_PRECISION(12) | JSON_ENCODE_ANY };

static double any_number(struct fw_random *random)
{
    static const double known[] = {0,    -0.0, 1,        1e9,     1e22,      1e-5, 0.1,
                                   1e12, 1e15, 4.9e-324, 1.7e308, -123456.5, 2e-9, 1e100};
    int64_t kind = fw_random_between(random, 0, 2);
    if (kind == 0)
        return known[fw_random_between(random, 0, sizeof(known) / sizeof(known[0]) - 1)];
    double number = (double)fw_random_between(random, -1000000, 1000000);
    return kind == 1 ? number : ldexp(number, (int)fw_random_between(random, -200, 200));
}

static const char *any_text(struct fw_random *random, char *text)
{
    static const char *const parts[] = {"a",
                                        "\"",
                                        "\\",
                                        "/",
                                        "\n",
                                        "\t",
                                        "\x01",
                                        "\b",
                                        "\f",
                                        "\r",
                                        "\x1f",
                                        "\xc3\xa4",
                                        " ",
                                        "z9",
                                        "$",
                                        "_",
                                        "<&>",
                                        "\xe2\x82\xac",
                                        "\xf0\x9f\x98\x80"};
    *text = '\0';
    for (int64_t n = fw_random_between(random, 0, 6); n > 0; n--)
        strcat(text, parts[fw_random_between(random, 0, sizeof(parts) / sizeof(parts[0]) - 1)]);
    return text;
}

/* The same random value told to the writer and built for jansson. */
static json_t *write_both(struct fw_random *random, struct fw_json_writer *writer, const char *name,
                          unsigned depth)
{
    char text[64];
    double number;
    int64_t whole;
    json_t *value;
    switch (fw_random_between(random, depth ? 0 : 2, 7)) {
    case 0:
        fw_json_array(writer, name);
        value = json_array();
        for (int64_t n = fw_random_between(random, 0, 3); n > 0; n--)
            json_array_append_new(value, write_both(random, writer, NULL, depth - 1));
        fw_json_array_end(writer);
        return value;
    case 1:
        fw_json_object(writer, name);
        value = json_object();
        for (int64_t n = fw_random_between(random, 0, 3); n > 0; n--) {
            char key[80];
            snprintf(key, sizeof(key), "%lld%s", (long long)n, any_text(random, text));
            json_object_set_new(value, key, write_both(random, writer, key, depth - 1));
        }
        fw_json_object_end(writer);
        return value;
    case 2:
        whole = fw_random_between(random, -((int64_t)1 << 53) + 1, ((int64_t)1 << 53) - 1);
        whole >>= fw_random_between(random, 0, 53);
        fw_json_integer(writer, name, whole);
        return json_integer(whole);
    case 3:
    case 4:
        number = any_number(random);
        fw_json_real(writer, name, number);
        return json_real(number);
    case 5:
        fw_json_boolean(writer, name, depth & 1);
        return json_boolean(depth & 1);
    case 6:
        fw_json_real_if(writer, name, false, 1);
        return json_null();
    default:
        fw_json_text(writer, name, any_text(random, text));
        return json_string(text);
    }
}

static void random_values_are_as_jansson_writes_them(void **state)
{
    const uint64_t seed = 20261121;
    (void)state;
    printf("seed %llu\n", (unsigned long long)seed);
    for (uint64_t round = 0; round < 3000; round++) {
        struct fw_random random = {seed + round};
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_buffer out = fw_buffer_new(arena);
        struct fw_json_writer writer = fw_json_writer_new(&out);
        json_t *value = write_both(&random, &writer, NULL, 4);
        char *expected = json_dumps(value, FORMAT);
        assert_non_null(expected);
        assert_string_equal(out.text, expected);
        free(expected);
        json_decref(value);
        fw_arena_free(arena);
    }
}

static void check_text(const char *value, const char *expected)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer out = fw_buffer_new(arena);
    struct fw_json_writer writer = fw_json_writer_new(&out);
    fw_json_text(&writer, NULL, value);
    assert_string_equal(out.text, expected);
    fw_arena_free(arena);
}

static void what_is_no_utf8_is_replaced(void **state)
{
    (void)state;
    check_text("a\xff"
               "b",
               "\"a\xef\xbf\xbd"
               "b\"");
    check_text("\xc3", "\"\xef\xbf\xbd\"");                                 /* cut off */
    check_text("\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"");                 /* overlong */
    check_text("\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""); /* a surrogate */
    check_text(NULL, "null");
}

static void large_integers_are_texts(void **state)
{
    static const struct {
        int64_t value;
        const char *text;
    } rows[] = {{9007199254740991, "9007199254740991"},
                {9007199254740992, "\"9007199254740992\""},
                {-9007199254740992, "\"-9007199254740992\""},
                {INT64_MIN, "\"-9223372036854775808\""},
                {INT64_MAX, "\"9223372036854775807\""}};
    (void)state;
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_buffer out = fw_buffer_new(arena);
        struct fw_json_writer writer = fw_json_writer_new(&out);
        fw_json_integer(&writer, NULL, rows[r].value);
        assert_string_equal(out.text, rows[r].text);
        fw_arena_free(arena);
    }
}

static void what_is_not_finite_is_null(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer out = fw_buffer_new(arena);
    struct fw_json_writer writer = fw_json_writer_new(&out);
    (void)state;
    fw_json_array(&writer, NULL);
    fw_json_real(&writer, NULL, (double)NAN);
    fw_json_real(&writer, NULL, (double)INFINITY);
    fw_json_array_end(&writer);
    assert_string_equal(out.text, "[\n  null,\n  null\n]");
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_values_are_as_jansson_writes_them),
                                       cmocka_unit_test(what_is_no_utf8_is_replaced),
                                       cmocka_unit_test(large_integers_are_texts),
                                       cmocka_unit_test(what_is_not_finite_is_null)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
