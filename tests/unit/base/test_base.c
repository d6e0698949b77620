/* What src/base promises. */
#include "address_range.h"
#include "arena.h"
#include "checked.h"
#include "deadline.h"
#include "diagnostic.h"
#include "random.h"
#include "text.h"
#include "quotient.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

static void arena_memory_is_zero_and_aligned(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    for (size_t size = 0; size < 5000; size += 7) {
        unsigned char *bytes = fw_arena_alloc(arena, size);
        assert_int_equal((uintptr_t)bytes % 16, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(bytes[i], 0);
        memset(bytes, 0xff, size);
    }
    fw_arena_reset(arena);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(((unsigned char *)fw_arena_alloc(arena, 100))[50], 0);
    fw_arena_free(arena);
}

static void released_memory_is_zero_again(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(1 << 20);
    unsigned char *before = fw_arena_alloc(arena, 100);
    before[99] = 7;
    size_t used = fw_arena_used(arena);
    struct fw_arena_mark mark = fw_arena_mark(arena);
    for (int round = 0; round < 100; round++) {
        for (size_t size = 100; size < 20000; size += 4000) {
            unsigned char *bytes = fw_arena_alloc(arena, size);
            assert_int_equal(bytes[0] | bytes[size - 1], 0);
            memset(bytes, 0xff, size);
        }
        fw_arena_release(arena, mark);
        assert_int_equal(fw_arena_used(arena), used);
    }
    assert_int_equal(before[99], 7);
    fw_arena_free(arena);
}

/* Under AddressSanitizer nobody reads past an allocation, nor what was given back. */
static void sanitizer_sees_the_ends_of_allocations(void **state)
{
    (void)state;
#ifndef __SANITIZE_ADDRESS__
    skip();
#else
    struct fw_arena *arena = fw_arena_new(0);
    char *first = fw_arena_alloc(arena, 21);
    struct fw_arena_mark mark = fw_arena_mark(arena);
    char *second = fw_arena_alloc(arena, 40);
    char *large = fw_arena_alloc(arena, 5 << 20);
    assert_null(__asan_region_is_poisoned(first, 21));
    assert_null(__asan_region_is_poisoned(second, 40));
    assert_null(__asan_region_is_poisoned(large, 5 << 20));
    assert_true(__asan_address_is_poisoned(first + 21));
    assert_true(__asan_address_is_poisoned(second - 1));
    assert_true(__asan_address_is_poisoned(second + 40));
    assert_true(__asan_address_is_poisoned(large + (5 << 20)));
    fw_arena_release(arena, mark);
    assert_true(__asan_address_is_poisoned(second));
    assert_null(__asan_region_is_poisoned(first, 21));
    fw_arena_reset(arena);
    assert_true(__asan_address_is_poisoned(first));
    fw_arena_free(arena);
#endif
}

static void exhausted_arena_unwinds(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(1000);
    jmp_buf point;
    volatile int reached = 0;
    if (setjmp(point) == 0) {
        fw_arena_on_exhausted(arena, &point);
        fw_arena_alloc(arena, 900);
        reached = 1;
        fw_arena_alloc(arena, 200);
        reached = 2;
    }
    assert_int_equal(reached, 1);
    fw_arena_free(arena);
}

struct finally {
    struct fw_arena *arena;
    size_t size;
    int after;
};

static enum fw_status allocate(void *user)
{
    const struct finally *work = user;
    fw_arena_alloc(work->arena, work->size);
    return FW_ERROR_INPUT;
}

static void count_after(void *user)
{
    ((struct finally *)user)->after++;
}

static void what_follows_runs_also_when_an_arena_is_exhausted(void **state)
{
    (void)state;
    struct finally work = {.arena = fw_arena_new(1000), .size = 10};
    jmp_buf point;
    volatile bool unwound = true;
    assert_int_equal(fw_arena_finally(work.arena, allocate, count_after, &work), FW_ERROR_INPUT);
    assert_int_equal(work.after, 1);
    work.size = 2000;
    fw_arena_on_exhausted(work.arena, &point);
    if (setjmp(point) == 0) {
        fw_arena_finally(work.arena, allocate, count_after, &work);
        unwound = false;
    }
    assert_true(unwound);
    assert_int_equal(work.after, 2);
    assert_ptr_equal(fw_arena_on_exhausted(work.arena, NULL), &point);
    fw_arena_free(work.arena);
}

static void map_finds_what_was_added(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_map map = fw_map_new(arena);
    for (uint32_t i = 0; i < 1000; i++) {
        char *key = fw_arena_printf(arena, "key%u", i);
        fw_map_add(&map, key, strlen(key), NULL)->value = i;
    }
    for (uint32_t i = 0; i < 1000; i++) {
        char *key = fw_arena_printf(arena, "key%u", i);
        assert_int_equal(fw_map_find(&map, key, strlen(key))->value, i);
    }
    assert_null(fw_map_find(&map, "key1000", 7));
    fw_arena_free(arena);
}

static void integers_take_suffixes_and_refuse_the_rest(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
        int64_t value;
    } cases[] = {{"4096", true, 4096},
                 {"4K", true, 4096},
                 {"-3", true, -3},
                 {"0x10", true, 16},
                 {"2G", true, 2147483648},
                 {"", false, 0},
                 {"4k", false, 0},
                 {"1 ", false, 0},
                 {" 1", false, 0},
                 {"9223372036854775807", true, INT64_MAX},
                 {"9223372036854775808", false, 0},
                 {"9007199254740993K", false, 0}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t value = 0;
        assert_int_equal(fw_text_integer(cases[i].text, true, &value), cases[i].good);
        if (cases[i].good)
            assert_int_equal(value, cases[i].value);
    }
}

static void diagnostics_show_line_and_caret(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    static const char text[] = "one\n\ttwo three\n";
    struct fw_source source = {"in.ptx", text, sizeof(text) - 1};
    struct fw_diagnostic diagnostic = {
        .severity = FW_ERROR, .code = "PTX001", .message = "bad", .span = {&source, 9, 5}};
    assert_string_equal(fw_diagnostic_render(arena, &diagnostic),
                        "in.ptx:2:6: error: bad [PTX001]\n   two three\n       ^~~~~\n");
    static const char windows[] = "one\r\n two\r\n";
    source = (struct fw_source){"in.ptx", windows, sizeof(windows) - 1};
    diagnostic.span = (struct fw_span){&source, 6, 3};
    assert_string_equal(fw_diagnostic_render(arena, &diagnostic),
                        "in.ptx:2:2: error: bad [PTX001]\n   two\n   ^~~\n");
    fw_arena_free(arena);
}

static void mangled_variables_have_the_names_of_the_source(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"tile", "tile"},
                                           {"_ZZ4foldPfE4tile", "tile"},
                                           {"_ZZ1kvE4TILE", "TILE"},
                                           {"_ZZ1kvE3a1E", "a1E"},
                                           {"_ZN3app6detail5sdataE", "sdata"},
                                           {"_ZZN3app4foldIfEEvPT_E6buffer", "buffer"},
                                           {"_ZZ4foldPfE4tile_0", "_ZZ4foldPfE4tile_0"},
                                           {"_Z", "_Z"},
                                           {"_Z99999999999999999999x", "_Z99999999999999999999x"}};
    struct fw_arena *arena = fw_arena_new(0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_string_equal(fw_text_variable(arena, cases[i][0]), cases[i][1]);
    fw_arena_free(arena);
}

static void hashes_of_several_texts_are_those_of_each(void **state)
{
    static const char *const texts[FW_HASHES_MOST] = {"sectors", "", "a longer text", "lines"};
    const size_t lengths[FW_HASHES_MOST] = {7, 0, 13, 5};
    uint64_t hashes[FW_HASHES_MOST];
    (void)state;
    for (size_t count = 1; count <= FW_HASHES_MOST; count++) {
        fw_hash_all(hashes, texts, lengths, count);
        for (size_t t = 0; t < count; t++)
            assert_true(hashes[t] == fw_hash(texts[t], lengths[t]));
    }
}

static void random_numbers_stay_in_range(void **state)
{
    (void)state;
    struct fw_random random = {42};
    bool low = false, high = false;
    for (int i = 0; i < 10000; i++) {
        int64_t value = fw_random_between(&random, -3, 5);
        assert_in_range(value + 3, 0, 8);
        low |= value == -3;
        high |= value == 5;
    }
    assert_true(low && high);
}

static void quotients_round_down(void **state)
{
    (void)state;
    assert_int_equal(fw_floor_quotient(7, 2), 3);
    assert_int_equal(fw_floor_quotient(-7, 2), -4);
    assert_int_equal(fw_floor_quotient(7, -2), -4);
    assert_int_equal(fw_floor_quotient(-7, -2), 3);
    assert_int_equal(fw_floor_quotient(-8, 2), -4);
    assert_int_equal(fw_floor_quotient(0, -5), 0);
    assert_int_equal(fw_floor_quotient(INT64_MIN, INT64_MAX), -2);
    for (int64_t a = -20; a <= 20; a++)
        for (int64_t b = -7; b <= 7; b++) {
            if (b == 0)
                continue;
            int64_t rest = a - b * fw_floor_quotient(a, b); /* between 0 and b */
            assert_true(b > 0 ? rest >= 0 && rest < b : rest <= 0 && rest > b);
        }
}

static void common_divisors_have_no_sign(void **state)
{
    (void)state;
    assert_int_equal(fw_common_divisor(12, 18), 6);
    assert_int_equal(fw_common_divisor(0, 18), 18);
    for (int64_t a = -40; a <= 40; a++)
        for (int64_t b = -40; b <= 40; b++)
            assert_int_equal(fw_common_step(a, b), fw_common_divisor((uint64_t)(a < 0 ? -a : a),
                                                                     (uint64_t)(b < 0 ? -b : b)));
}

static void released_memory_is_cleared(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    enum { LARGE = 100000 };
    (void)state;
    for (int round = 0; round < 3; round++) {
        struct fw_arena_mark mark = fw_arena_mark(arena);
        for (int part = 0; part < 3; part++) { /* more than one block */
            unsigned char *bytes = fw_arena_alloc(arena, LARGE);
            for (size_t b = 0; b < LARGE; b++)
                assert_int_equal(bytes[b], 0);
            memset(bytes, 0xff, LARGE);
        }
        fw_arena_release(arena, mark);
        assert_int_equal(fw_arena_used(arena), 0);
    }
    fw_arena_free(arena);
}

static void overflows_are_told(void **state)
{
    (void)state;
    int64_t sum = INT64_MAX - 6;
    assert_false(fw_add_overflows(INT64_MAX - 1, (int64_t)1, &sum));
    assert_true(sum == INT64_MAX);
    assert_true(fw_add_overflows(INT64_MAX, (int64_t)1, &sum));
    assert_true(fw_subtract_overflows((int64_t)0, INT64_MIN, &sum));
    assert_true(fw_multiply_overflows(INT64_MIN, (int64_t)-1, &sum));
    sum = INT64_MAX - 6;
    assert_false(fw_add_product_overflows(&sum, 2, 3));
    assert_true(sum == INT64_MAX);
    assert_true(fw_add_product_overflows(&sum, -1, INT64_MIN));
    assert_true(fw_add_product_overflows(&sum, 1, 1));
}

static void saturated_numbers_are_the_nearest(void **state)
{
    (void)state;
    assert_true(fw_saturated_add(INT64_MAX, 1) == INT64_MAX);
    assert_true(fw_saturated_add(INT64_MIN, -1) == INT64_MIN);
    assert_true(fw_saturated_add(INT64_MIN, INT64_MAX) == -1);
    assert_true(fw_saturated_subtract(0, INT64_MIN) == INT64_MAX);
    assert_true(fw_saturated_subtract(-2, INT64_MAX) == INT64_MIN);
    assert_true(fw_saturated_multiply(INT64_MIN, -1) == INT64_MAX);
    assert_true(fw_saturated_multiply(INT64_MIN, 2) == INT64_MIN);
    assert_true(fw_saturated_multiply(-3, 5) == -15);
    assert_true(fw_saturated_magnitude(INT64_MIN) == INT64_MAX);
    assert_true(fw_saturated_magnitude(-7) == 7);
    assert_true(fw_saturated_integer(0x1p63) == INT64_MAX);
    assert_true(fw_saturated_integer(-0x1p63) == INT64_MIN);
    assert_true(fw_saturated_integer(1e300) == INT64_MAX);
    assert_true(fw_saturated_integer(-1e300) == INT64_MIN);
    assert_true(fw_saturated_integer(0.0 / 0.0) == 0);
    assert_true(fw_saturated_integer(-2.75) == -2);
    assert_true(fw_wrapped_add(INT64_MAX, 1) == INT64_MIN);
    assert_true(fw_wrapped_subtract(INT64_MIN, 1) == INT64_MAX);
    assert_true(fw_wrapped_multiply(INT64_MIN, -1) == INT64_MIN);
}

static void parts_need_no_product(void **state)
{
    (void)state;
    for (int64_t a = 0; a < 100; a++)
        for (int64_t n = 1; n < 12; n++)
            for (int64_t i = 0; i <= n; i++)
                assert_true(fw_part_of(a, i, n) == a * i / n);
    assert_true(fw_part_of(INT64_MAX, 5, 5) == INT64_MAX);
    assert_true(fw_is_address(FW_ADDRESS_MOST - 1) && !fw_is_address(INT64_MIN));
}

static void a_deadline_unwinds_arenas_and_stays_passed(void **state)
{
    (void)state;
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_deadline outer, inner;
    jmp_buf point;
    volatile int reached = 0;
    fw_deadline_enter(&outer, FW_DEADLINE_NEVER, FW_DEADLINE_NEVER);
    fw_deadline_enter(&inner, 0, FW_DEADLINE_NEVER);
    if (setjmp(point) == 0) {
        fw_arena_on_exhausted(arena, &point);
        for (int i = 0; i < 100000; i++)
            fw_arena_alloc(arena, 16);
    } else {
        reached = 1;
    }
    assert_int_equal(reached, 1);
    assert_int_equal(fw_arena_status(arena), FW_ERROR_BUDGET);
    assert_true(fw_deadline_is_over());
    assert_true(fw_deadline_leave(&inner));
    assert_false(fw_deadline_is_over()); /* its own question has no end */
    assert_false(fw_deadline_leave(&outer));
    fw_arena_free(arena);
}

static void a_pause_stops_the_question_but_not_the_run(void **state)
{
    (void)state;
    struct fw_deadline deadline;
    int64_t soon = fw_deadline_now() + 50000000;
    fw_deadline_enter(&deadline, 40000000, FW_DEADLINE_NEVER);
    int64_t since = fw_deadline_pause();
    while (fw_deadline_now() < soon + 1000000)
        assert_false(fw_deadline_passed());
    fw_deadline_resume(since);
    assert_false(fw_deadline_passed());
    assert_int_equal(fw_deadline_child_seconds(60), 60);
    assert_false(fw_deadline_leave(&deadline));
    fw_deadline_enter(&deadline, FW_DEADLINE_NEVER, soon);
    assert_true(fw_deadline_passed());
    assert_int_equal(fw_deadline_child_seconds(60), 1);
    assert_true(fw_deadline_leave(&deadline));
    assert_false(fw_deadline_passed());
}

/* Sleeping stands for a processor that others have: a busy machine changes no answer. */
static void a_question_counts_the_processor_time_of_its_thread(void **state)
{
    (void)state;
    enum { MILLISECOND = 1000000 };
    const struct timespec others = {.tv_nsec = 30 * MILLISECOND};
    struct fw_deadline deadline;
    fw_deadline_enter(&deadline, 10 * MILLISECOND, FW_DEADLINE_NEVER);
    nanosleep(&others, NULL);
    assert_false(fw_deadline_passed());
    nanosleep(&others, NULL);
    assert_false(fw_deadline_passed());
    int64_t give_up = fw_deadline_after(60);
    while (!fw_deadline_passed() && fw_deadline_now() < give_up)
        continue;
    assert_true(fw_deadline_leave(&deadline));
    fw_deadline_enter(&deadline, FW_DEADLINE_NEVER, fw_deadline_after(0.02));
    nanosleep(&others, NULL);
    assert_true(fw_deadline_passed()); /* the run's is wall time */
    assert_true(fw_deadline_leave(&deadline));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overflows_are_told),
        cmocka_unit_test(saturated_numbers_are_the_nearest),
        cmocka_unit_test(parts_need_no_product),
        cmocka_unit_test(quotients_round_down),
        cmocka_unit_test(common_divisors_have_no_sign),
        cmocka_unit_test(released_memory_is_cleared),
        cmocka_unit_test(arena_memory_is_zero_and_aligned),
        cmocka_unit_test(released_memory_is_zero_again),
        cmocka_unit_test(exhausted_arena_unwinds),
        cmocka_unit_test(sanitizer_sees_the_ends_of_allocations),
        cmocka_unit_test(a_deadline_unwinds_arenas_and_stays_passed),
        cmocka_unit_test(a_pause_stops_the_question_but_not_the_run),
        cmocka_unit_test(a_question_counts_the_processor_time_of_its_thread),
        cmocka_unit_test(what_follows_runs_also_when_an_arena_is_exhausted),
        cmocka_unit_test(map_finds_what_was_added),
        cmocka_unit_test(integers_take_suffixes_and_refuse_the_rest),
        cmocka_unit_test(diagnostics_show_line_and_caret),
        cmocka_unit_test(mangled_variables_have_the_names_of_the_source),
        cmocka_unit_test(hashes_of_several_texts_are_those_of_each),
        cmocka_unit_test(random_numbers_stay_in_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
