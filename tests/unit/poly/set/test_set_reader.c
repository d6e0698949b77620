/* Texts of sets that are read without isl's parser mean what isl's parser says: random formulas in
 * the form that the quick reader takes, and the same ones with "and true" behind, which it leaves
 * to isl, are subsets of each other. */
#include "set_text.h"
#include "text.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { ROUNDS = 400, SEED = 20261121 };

static struct fw_random randomness;

static unsigned pick(unsigned count)
{
    return (unsigned)fw_random_between(&randomness, 0, (int64_t)count - 1);
}

static void add_term(struct fw_buffer *text, const char *const *names, unsigned count)
{
    unsigned parts = 1 + pick(3);
    for (unsigned i = 0; i < parts; i++) {
        const char *name = names[pick(count)];
        static const char *const forms[] = {"%s", "3*%s", "2%s", "(%s)", "(%s)*2", "(4 - %s)"};
        fw_buffer_printf(text, "%s", i ? (pick(2) ? " + " : " - ") : (pick(4) ? "" : "-"));
        if (pick(4) == 0) {
            fw_buffer_printf(text, "%u", pick(7));
            continue;
        }
        const char *form = forms[pick(6)];
        for (const char *c = form; *c; c++)
            if (*c == '%')
                fw_buffer_printf(text, "%s", name), c++;
            else
                fw_buffer_add(text, c, 1);
    }
}

static void add_list(struct fw_buffer *text, const char *const *names, unsigned count)
{
    unsigned entries = pick(4) ? 1 : 2;
    for (unsigned i = 0; i < entries; i++) {
        fw_buffer_printf(text, "%s", i ? ", " : "");
        if (pick(5) == 0) {
            fw_buffer_printf(text, "%s mod %u", names[pick(count)], 1 + pick(5));
        } else if (pick(6) == 0) {
            fw_buffer_printf(text, "(");
            add_term(text, names, count);
            fw_buffer_printf(text, ") mod %u", 1 + pick(5));
        } else {
            add_term(text, names, count);
        }
    }
}

static void add_formula(struct fw_buffer *text, const char **names, unsigned count, unsigned depth)
{
    static const char *const comparisons[] = {"<", "<=", ">", ">=", "=", "!=", "<=", "<"};
    unsigned what = depth ? pick(6) : 5;
    if (what <= 1) {
        add_formula(text, names, count, depth - 1);
        fw_buffer_printf(text, what ? " and " : " or ");
        add_formula(text, names, count, depth - 1);
    } else if (what == 2) {
        fw_buffer_printf(text, "(");
        add_formula(text, names, count, depth - 1);
        fw_buffer_printf(text, ")");
    } else if (what == 3 && count < 7) {
        static const char *const own[] = {"", "", "", "", "q", "r", "s"};
        names[count] = own[count];
        fw_buffer_printf(text, "exists (%s : 0 <= %s <= 5 and (", own[count], own[count]);
        add_formula(text, names, count + 1, depth - 1);
        fw_buffer_printf(text, "))");
    } else {
        unsigned links = 1 + pick(2);
        add_list(text, names, count);
        for (unsigned i = 0; i < links; i++) {
            fw_buffer_printf(text, " %s ", comparisons[pick(8)]);
            add_list(text, names, count);
        }
    }
}

static void same_as_isl(void **state)
{
    (void)state;
    struct fw_poly *poly = fw_poly_new();
    struct fw_arena *arena = fw_arena_new(0);
    unsigned filled = 0;
    printf("seed %d\n", SEED);
    randomness = (struct fw_random){SEED};
    for (unsigned round = 0; round < ROUNDS; round++) {
        const char *names[8] = {"n", "m", "i", "j"};
        struct fw_buffer formula = fw_buffer_new(arena);
        add_formula(&formula, names, 4, 3);
        static const char box[] = "[n, m] -> { [i, j] : 0 <= i, j <= 6 and 0 <= n, m <= 6 and (";
        char *quick = fw_arena_printf(arena, "%s%s) }", box, formula.text);
        char *slow = fw_arena_printf(arena, "%s%s) and true }", box, formula.text);
        bool there = false, back = false, empty = true;
        enum fw_status status = fw_set_text_subset(&there, poly, quick, slow);
        if (status == FW_OK)
            status = fw_set_text_subset(&back, poly, slow, quick);
        if (status == FW_OK)
            status = fw_set_text_empty(&empty, poly, quick);
        if (status != FW_OK || !there || !back)
            printf("round %u, status %d, %d %d: %s\n", round, status, there, back, quick);
        assert_int_equal(status, FW_OK);
        assert_true(there && back);
        filled += !empty;
    }
    printf("%u of %d sets have points\n", filled, ROUNDS);
    assert_true(filled > ROUNDS / 4);
    fw_arena_free(arena);
    fw_poly_free(poly);
}

/* What is not a set stays refused, and what isl alone reads is read. */
static void left_to_isl(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good, empty;
    } cases[] = {
        {"{ [i] : 0 <= i < 5 and i = 7 }", true, true},
        {"{ [i] : 0 <= i < j }", false, false},
        {"{ [i] : 0 <= i < 5 and }", false, false},
        {"{ [i] : 0 <= i < 5", false, false},
        {"{ [i] : i * i < 5 }", false, false},
        {"{ [i, i] : 0 <= i < 5 }", true, false},
        {"{ [i] : 0 <= i < 5 and not (i >= 0) }", true, true},
        {"{ [i] : 0 <= floor(i/2) < 5 and i < 0 }", true, true},
        {"{ [i] : 0 < 99999999999999999999 and i = 0 }", true, false},
        {"{ [i] : 2 < 1 or i = 3 }", true, false},
        {"{ [i] : 9223372036854775807 < i and i < 3 }", true, true},
        {"{ [] : 1 < 2 }", true, false},
    };
    struct fw_poly *poly = fw_poly_new();
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        bool empty = false;
        enum fw_status status = fw_set_text_empty(&empty, poly, cases[i].text);
        if ((status == FW_OK) != cases[i].good || empty != cases[i].empty)
            printf("%s: status %d, empty %d\n", cases[i].text, status, empty);
        assert_int_equal(status == FW_OK, cases[i].good);
        assert_int_equal(empty, cases[i].empty);
    }
    fw_poly_free(poly);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_isl),
                                       cmocka_unit_test(left_to_isl)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
