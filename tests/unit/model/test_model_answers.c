/* Answers of models to one question: each model is asked once. */
#include "model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int asked;

static enum fw_status predict(struct fw_prediction *prediction, void *state,
                              const struct fw_model_question *question)
{
    (void)state;
    prediction->seconds = ++asked;
    prediction->account_count = question->brief ? 0 : 1;
    return question->clock < 0 ? FW_ERROR_INPUT : FW_OK;
}

static enum fw_status open_one(void **state, const struct fw_model_files *files,
                               const struct fw_device *device, const struct fw_sink *sink)
{
    (void)files, (void)device, (void)sink;
    *state = NULL;
    return FW_OK;
}

static const struct fw_model one = {.name = "one", .predict = predict};
static const struct fw_model other = {.name = "other", .predict = predict};
static const struct fw_model opening = {.name = "opening", .open = open_one, .predict = predict};

/* The seconds of an answer: which call of predict it is of. */
static int ask(const struct fw_model *model, const struct fw_model_question *question)
{
    struct fw_prediction prediction = {.model = model->name, .cache = "warm"};
    assert_int_equal(fw_model_ask(&prediction, model, NULL, question), FW_OK);
    assert_string_equal(prediction.cache, "warm");
    return (int)prediction.seconds;
}

/* Models that are asked one after the other share the volumes of the launch. */
static void volumes_stay_with_the_answers(void **state)
{
    struct fw_arena *arena = fw_arena_new(1 << 20);
    struct fw_model_question question = {.arena = arena};
    (void)state;
    assert_null(fw_model_volumes(&question)); /* nothing keeps them */
    question.answers = fw_model_answers_new(arena);
    const struct fw_model_question brief = {
        .arena = arena, .answers = question.answers, .brief = true};
    assert_non_null(fw_model_volumes(&question));
    assert_null(*fw_model_volumes(&question));
    assert_ptr_equal(fw_model_volumes(&question), fw_model_volumes(&brief));
    fw_arena_free(arena);
}

static void one_question_is_asked_once(void **state)
{
    struct fw_arena *arena = fw_arena_new(1 << 20);
    struct fw_launch launch[2] = {{.grid = {1, 1, 1}}, {.grid = {2, 1, 1}}};
    struct fw_model_question question = {.arena = arena, .launch = &launch[0]};
    (void)state;
    asked = 0;
    assert_int_equal(ask(&one, &question), 1);
    assert_int_equal(ask(&one, &question), 2); /* nothing keeps answers */
    question.answers = fw_model_answers_new(arena);
    assert_null(fw_model_answered(&one, &question));
    assert_int_equal(ask(&one, &question), 3);
    assert_int_equal(ask(&one, &question), 3);
    assert_non_null(fw_model_answered(&one, &question));
    assert_int_equal(ask(&other, &question), 4);
    question.launch = &launch[1];
    assert_int_equal(ask(&one, &question), 5);
    question.clock = 1e9;
    assert_int_equal(ask(&one, &question), 6);
    question.launch = &launch[0];
    question.clock = 0;
    assert_int_equal(ask(&one, &question), 3);
    fw_arena_free(arena);
}

/* An answer with an account is one without, too, and not the other way round. */
static void accounts_are_asked_for(void **state)
{
    struct fw_arena *arena = fw_arena_new(1 << 20);
    struct fw_model_question question = {
        .arena = arena, .brief = true, .answers = fw_model_answers_new(arena)};
    (void)state;
    asked = 0;
    assert_int_equal(ask(&one, &question), 1);
    question.parts = true;
    assert_int_equal(ask(&one, &question), 2);
    question.parts = false;
    assert_int_equal(ask(&one, &question), 2);
    question.brief = false;
    assert_int_equal(ask(&one, &question), 3);
    question.brief = question.parts = true;
    assert_int_equal(ask(&one, &question), 3);
    fw_arena_free(arena);
}

/* A calibration may be another the next time, a launch in a sequence changes what it comes behind,
 * and a refusal is said again. */
static void some_are_asked_each_time(void **state)
{
    struct fw_arena *arena = fw_arena_new(1 << 20);
    struct fw_model_question question = {.arena = arena, .answers = fw_model_answers_new(arena)};
    struct fw_prediction prediction = {.model = "one"};
    (void)state;
    asked = 0;
    assert_int_equal(ask(&opening, &question), 1);
    assert_int_equal(ask(&opening, &question), 2);
    question.clock = -1;
    for (int i = 0; i < 2; i++)
        assert_int_equal(fw_model_ask(&prediction, &one, NULL, &question), FW_ERROR_INPUT);
    assert_int_equal(asked, 4);
    question.clock = 0;
    question.sequence = (struct fw_sequence *)&asked; /* is not looked into */
    assert_int_equal(ask(&one, &question), 5);
    assert_int_equal(ask(&one, &question), 6);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_question_is_asked_once),
                                       cmocka_unit_test(volumes_stay_with_the_answers),
                                       cmocka_unit_test(accounts_are_asked_for),
                                       cmocka_unit_test(some_are_asked_each_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
