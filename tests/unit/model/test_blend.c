/* The model blend: means of answers, deviations, and its file. */
#include "blend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    strncat(user, diagnostic->code, 15);
}

/* The expected square of joined / truth - 1, the truth being each answer with its weight. */
static double expected_square(double joined, const struct fw_blend_weights *weights,
                              const double answers[FW_BLEND_MEMBER_COUNT])
{
    double sum = 0;
    for (int m = 0; m < FW_BLEND_MEMBER_COUNT; m++)
        sum += weights->at[m] * (joined / answers[m] - 1) * (joined / answers[m] - 1);
    return sum;
}

static void answers_join_with_the_least_expected_square_of_relative_errors(void **state)
{
    const struct fw_blend_weights weights = {.at = {0.5, 0.5, 0}}, all = {.at = {0.2, 0.3, 0.5}},
                                  forest = {.at = {0, 0, 1}};
    const double answers[FW_BLEND_MEMBER_COUNT] = {1, 2, 100}, far[] = {1, 1e200, 1e200};
    double apart, joined = fw_blend_join(&apart, &weights, answers);
    (void)state;
    assert_true(fabs(joined - 1.2) < 1e-12);
    assert_true(fabs(apart - log(100)) < 1e-12);
    joined = fw_blend_join(NULL, &all, answers);
    for (int side = -1; side <= 1; side += 2)
        assert_true(expected_square(joined, &all, answers) <
                    expected_square(joined * (1 + side * 1e-3), &all, answers));
    /* An answer by itself is itself, and one that is many times too long moves another by little.
     */
    assert_true(fw_blend_join(NULL, &forest, answers) == 100);
    assert_true(fw_blend_join(NULL, &forest, far) == 1e200);
    assert_true(fabs(fw_blend_join(NULL, &weights, far) - 1) < 1e-12);
}

/* Of seconds that data do not decide it grows with how far models lie apart and with how far the
 * nearest measured launch is; of random addresses with the former; of all others it is 1. */
static void deviations_grow_with_distances(void **state)
{
    const struct fw_blend blend = {.deviation = {0.1, 0.5, 2, 0.3},
                                   .random = {.common = 0.25, .apart = 1}},
                          before = {.deviation = {.common = 0.2, .apart = 1}};
    const enum fw_blend_target seconds = FW_BLEND_TARGET_SECONDS, joules = FW_BLEND_TARGET_JOULES,
                               watts = FW_BLEND_TARGET_WATTS;
    (void)state;
    assert_true(fabs(fw_blend_deviation(&blend, seconds, FW_BLEND_CLASS_BRIEF, 3, 0.4) - 3.6 +
                     2 * exp(-0.8)) < 1e-12);
    assert_true(fabs(fw_blend_deviation(&blend, seconds, FW_BLEND_CLASS_KNOWN, 3, INFINITY) - 3.6) <
                1e-12);
    assert_true(fw_blend_deviation(&blend, seconds, FW_BLEND_CLASS_KNOWN, 3, 0) ==
                fw_blend_deviation(&blend, seconds, FW_BLEND_CLASS_KNOWN, 3, 0.3));
    assert_true(fw_blend_deviation(&before, seconds, FW_BLEND_CLASS_KNOWN, 3, INFINITY) == 3.2);
    assert_true(fw_blend_deviation(&blend, seconds, FW_BLEND_CLASS_UNKNOWN, 3, INFINITY) == 1);
    assert_true(fw_blend_deviation(&blend, seconds, FW_BLEND_CLASS_RANDOM, 3, INFINITY) == 3.25);
    assert_true(fw_blend_deviation(&blend, joules, FW_BLEND_CLASS_RANDOM, 3, INFINITY) == 3.25);
    assert_true(fw_blend_deviation(&blend, watts, FW_BLEND_CLASS_RANDOM, 3, INFINITY) == 1);
    assert_true(fw_blend_deviation(&before, seconds, FW_BLEND_CLASS_RANDOM, 3, INFINITY) == 1);
    assert_true(fw_blend_deviation(&blend, seconds, FW_BLEND_CLASS_ASYNCHRONOUS, 3, INFINITY) == 1);
    assert_true(fw_blend_deviation(&blend, joules, FW_BLEND_CLASS_KNOWN, 3, 4) == 1);
    assert_true(fw_blend_deviation(&blend, watts, FW_BLEND_CLASS_KNOWN, 3, 4) == 1);
}

static void weights_of_absent_answers_go_to_the_others(void **state)
{
    const struct fw_blend_weights weights = {.at = {0.2, 0.2, 0.6}}, forest = {.at = {0, 0, 1}};
    const double two[FW_BLEND_MEMBER_COUNT] = {1, 2, 0}, none[FW_BLEND_MEMBER_COUNT] = {0};
    (void)state;
    assert_true(fabs(fw_blend_join(NULL, &weights, two) - 1.2) < 1e-12);
    assert_true(fabs(fw_blend_join(NULL, &forest, two) - 1.2) < 1e-12);
    assert_true(fw_blend_join(NULL, &weights, none) == 0);
}

static struct fw_blend example(void)
{
    struct fw_blend blend = {.device = "board",
                             .level = 0.9,
                             .deviation = {.common = 0.1, .apart = 0.5, .near = 2, .least = 0.3},
                             .random = {.common = 0.25, .apart = 1}};
    for (int t = 0; t < FW_BLEND_TARGET_JOULES; t++)
        for (int k = 0; k < FW_BLEND_KIND_COUNT; k++)
            blend.weights[t][k] = (struct fw_blend_weights){(size_t)k, {0.25, 0.25, 0.5}};
    for (int t = 0; t < FW_BLEND_TARGET_COUNT; t++)
        for (int c = 0; c < FW_BLEND_CLASS_COUNT; c++)
            blend.bounds[t][c] =
                c ? (struct fw_blend_bounds){20, -1.5 * c, 2.5}
                  : (struct fw_blend_bounds){0, -(double)INFINITY, (double)INFINITY};
    return blend;
}

/* At the ends of what data usually decide the answer is half or three times as much: what lies
 * between is no error, and the interval has both, and beyond them what the bounds say. */
static void intervals_have_the_ends_of_what_data_decide(void **state)
{
    struct fw_blend blend = example();
    struct fw_blend_launch launch = {
        .class = FW_BLEND_CLASS_UNKNOWN, .low = -log(2), .high = log(3)};
    double low, high;
    (void)state;
    assert_true(fw_blend_residual(FW_BLEND_TARGET_SECONDS, &launch, log(2.5)) == 0);
    assert_true(fabs(fw_blend_residual(FW_BLEND_TARGET_JOULES, &launch, log(6)) - log(2)) < 1e-12);
    assert_true(fabs(fw_blend_residual(FW_BLEND_TARGET_SECONDS, &launch, -log(8)) + log(4)) <
                1e-12);
    assert_true(fw_blend_residual(FW_BLEND_TARGET_WATTS, &launch, 0.1) == 0.1);
    for (int t = 0; t < FW_BLEND_TARGET_COUNT; t++)
        blend.bounds[t][FW_BLEND_CLASS_UNKNOWN] = (struct fw_blend_bounds){20, -log(1.5), log(2)};
    assert_true(fw_blend_interval(&low, &high, &blend, &launch, FW_BLEND_TARGET_SECONDS, 6, 1));
    assert_true(fabs(low - 2) < 1e-12 && fabs(high - 36) < 1e-12);
    assert_true(fw_blend_interval(&low, &high, &blend, &launch, FW_BLEND_TARGET_WATTS, 6, 1));
    assert_true(fabs(low - 4) < 1e-12 && fabs(high - 12) < 1e-12);
    blend.bounds[FW_BLEND_TARGET_SECONDS][FW_BLEND_CLASS_UNKNOWN].high = (double)INFINITY;
    assert_false(fw_blend_interval(&low, &high, &blend, &launch, FW_BLEND_TARGET_SECONDS, 6, 1));
}

/* A board draws no more than its limit: watts of asynchronous launches, which were measured so, end
 * there, but not below the answer. */
static void watts_of_asynchronous_launches_end_at_the_limit(void **state)
{
    struct fw_blend blend = example();
    struct fw_blend_launch launch = {.class = FW_BLEND_CLASS_ASYNCHRONOUS, .watts_most = 700};
    const enum fw_blend_target watts = FW_BLEND_TARGET_WATTS;
    double low, high;
    (void)state;
    for (int c = 0; c < FW_BLEND_CLASS_COUNT; c++)
        blend.bounds[watts][c] = (struct fw_blend_bounds){20, -log(1.25), log(1.5)};
    assert_true(fw_blend_interval(&low, &high, &blend, &launch, watts, 600, 1));
    assert_true(fabs(low - 480) < 1e-9 && high == 700);
    assert_true(fw_blend_interval(&low, &high, &blend, &launch, watts, 400, 1));
    assert_true(fabs(high - 600) < 1e-9);
    launch.watts_most = 500;
    assert_true(fw_blend_interval(&low, &high, &blend, &launch, watts, 600, 1));
    assert_true(high == 600);
    launch.watts_most = 0; /* nobody knows */
    assert_true(fw_blend_interval(&low, &high, &blend, &launch, watts, 600, 1));
    assert_true(fabs(high - 900) < 1e-9);
    launch = (struct fw_blend_launch){.class = FW_BLEND_CLASS_KNOWN, .watts_most = 700};
    assert_true(fw_blend_interval(&low, &high, &blend, &launch, watts, 600, 1));
    assert_true(fabs(high - 900) < 1e-9);
}

/* At its limit a board lowers its clock: launches back to back take longer than one alone, by the
 * forest's watts without the limit, and where there are none by the traffic model's joules. */
static void launches_take_longer_where_the_board_is_at_its_limit(void **state)
{
    const struct fw_prediction free = {
        .has_watts = true, .watts = 300, .seconds = 2, .joules = 600};
    const struct fw_prediction limited = {
        .has_watts = true, .watts = 700, .seconds = 2, .joules = 2100};
    const struct fw_prediction unknown = {.seconds = 2};
    struct fw_blend_launch launch = {.watts_most = 700, .watts_idle = 100};
    (void)state;
    assert_true(fw_blend_longer_by_traffic(&free) == 1);
    assert_true(fabs(fw_blend_longer_by_traffic(&limited) - 1.5) < 1e-12);
    assert_true(fw_blend_longer_by_traffic(&unknown) == 1);
    assert_true(fabs(fw_blend_longer(&launch, 850, 0) - sqrt(1.25)) < 1e-12);
    assert_true(fabs(fw_blend_longer(&launch, 850, 1.25) - 1.25) < 1e-12);
    assert_true(fw_blend_longer(&launch, 690, 1) == 1);
    assert_true(fw_blend_longer(&launch, 0, 3) == 3);
    assert_true(fw_blend_longer(&launch, (double)NAN, 0) == 1);
    launch.watts_most = INFINITY;
    assert_true(fw_blend_longer(&launch, 850, 3) == 3);
}

static enum fw_status read_text(struct fw_blend *blend, struct fw_arena *arena, const char *text,
                                size_t length, char codes[64])
{
    const struct fw_source source = {"blend", text, length};
    const struct fw_sink sink = {hear, codes};
    codes[0] = '\0';
    return fw_blend_read(blend, arena, &source, &sink);
}

static void a_file_is_read_as_it_was_written(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer once = fw_buffer_new(arena), twice = fw_buffer_new(arena);
    const struct fw_blend blend = example();
    struct fw_blend again;
    char codes[64];
    (void)state;
    fw_blend_write(&once, &blend);
    assert_int_equal(read_text(&again, arena, once.text, once.length, codes), FW_OK);
    assert_string_equal(again.device, "board");
    assert_true(again.bounds[FW_BLEND_TARGET_JOULES][FW_BLEND_CLASS_KNOWN].low < -1);
    assert_true(isinf(again.bounds[0][0].high));
    assert_true(again.deviation.common == 0.1 && again.deviation.apart == 0.5 &&
                again.deviation.near == 2 && again.deviation.least == 0.3);
    assert_true(again.random.common == 0.25 && again.random.apart == 1);
    fw_blend_write(&twice, &again);
    assert_string_equal(once.text, twice.text);
    fw_arena_free(arena);
}

/* Whose deviations were 0.2 and how far the models lie apart, and 1 of random addresses. */
static void a_file_of_before_is_read(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer out = fw_buffer_new(arena), text = fw_buffer_new(arena);
    const struct fw_blend blend = example();
    struct fw_blend read;
    char codes[64];
    (void)state;
    fw_blend_write(&out, &blend);
    const char *line = strstr(out.text, "deviation "), *rest = strstr(line, "weights ");
    const char *hash = strstr(rest, "hash ");
    fw_buffer_add(&text, out.text, (size_t)(line - out.text));
    fw_buffer_add(&text, rest, (size_t)(hash - rest));
    fw_buffer_printf(&text, "hash %016llx\n", (unsigned long long)fw_hash(text.text, text.length));
    assert_int_equal(read_text(&read, arena, text.text, text.length, codes), FW_OK);
    assert_true(read.deviation.common == 0.2 && read.deviation.apart == 1 &&
                read.deviation.near == 0 && read.deviation.least == 0);
    assert_true(fw_blend_deviation(&read, FW_BLEND_TARGET_SECONDS, FW_BLEND_CLASS_RANDOM, 3, 0) ==
                1);
    fw_arena_free(arena);
}

/* Which states no weights and no bounds of asynchronous launches: the simulation answers them. */
static void a_file_without_asynchronous_launches_is_read(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer out = fw_buffer_new(arena), text = fw_buffer_new(arena);
    const struct fw_blend blend = example();
    struct fw_blend read;
    char codes[64];
    (void)state;
    fw_blend_write(&out, &blend);
    for (const char *line = out.text, *end; strncmp(line, "hash ", 5) != 0; line = end) {
        end = strchr(line, '\n') + 1;
        const char *name = strstr(line, " asynchronous ");
        if (!name || name > end)
            fw_buffer_add(&text, line, (size_t)(end - line));
    }
    fw_buffer_printf(&text, "hash %016llx\n", (unsigned long long)fw_hash(text.text, text.length));
    assert_int_equal(read_text(&read, arena, text.text, text.length, codes), FW_OK);
    const struct fw_blend_weights *seconds = &read.weights[0][FW_BLEND_KIND_ASYNCHRONOUS],
                                  *watts = &read.weights[1][FW_BLEND_KIND_ASYNCHRONOUS];
    assert_true(seconds->at[FW_BLEND_TRACE] == 1 && seconds->families == 0);
    assert_true(watts->at[FW_BLEND_FOREST] == 1);
    assert_true(read.weights[0][FW_BLEND_KIND_UNITS].at[FW_BLEND_FOREST] == 0.5);
    assert_true(isinf(read.bounds[0][FW_BLEND_CLASS_ASYNCHRONOUS].high));
    fw_arena_free(arena);
}

static void damage_and_other_versions_are_refused(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_buffer out = fw_buffer_new(arena);
    const struct fw_blend blend = example();
    struct fw_blend read;
    char codes[64];
    (void)state;
    fw_blend_write(&out, &blend);
    for (size_t at = 0; at < out.length; at += 7) { /* one byte is another */
        char *text = fw_arena_text(arena, out.text, out.length);
        text[at] = text[at] == '7' ? '8' : '7';
        assert_int_equal(read_text(&read, arena, text, out.length, codes), FW_ERROR_INPUT);
        assert_string_equal(codes, at < strlen("forewarp blend 1\n") ? "BLD001" : "BLD002");
    }
    for (size_t length = 0; length < out.length; length += 11)
        assert_int_equal(read_text(&read, arena, out.text, length, codes), FW_ERROR_INPUT);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_join_with_the_least_expected_square_of_relative_errors),
        cmocka_unit_test(weights_of_absent_answers_go_to_the_others),
        cmocka_unit_test(a_file_is_read_as_it_was_written),
        cmocka_unit_test(deviations_grow_with_distances),
        cmocka_unit_test(a_file_of_before_is_read),
        cmocka_unit_test(a_file_without_asynchronous_launches_is_read),
        cmocka_unit_test(damage_and_other_versions_are_refused),
        cmocka_unit_test(intervals_have_the_ends_of_what_data_decide),
        cmocka_unit_test(watts_of_asynchronous_launches_end_at_the_limit),
        cmocka_unit_test(launches_take_longer_where_the_board_is_at_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
