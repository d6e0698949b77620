/* The table of rules, and how they are asked. */
#include "advice_internal.h"

#include "warp.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* One row a rule: its name, how many changes it tries, and what makes a change. */
static const struct advice_rule rules[] = {
    {"coalescing", 1, advice_coalesce},
    {"bank_conflicts", 1, advice_pad_shared},
    {"wide_accesses", 1, advice_widen},
    {"atomics", 1, advice_privatize},
    {"loads_in_flight", 1, advice_more_in_flight},
    {"block_shape", 14, advice_other_block},
    {"partial_warps", 1, advice_whole_warps},
    {"registers", 4, advice_fewer_registers},
    {"shared_memory", 1, advice_less_shared},
    {"waves", 1, advice_fill_waves},
    {"f64", 1, advice_single_precision},
    {"division", 1, advice_approximate},
    {"divergence", 1, advice_converge},
    {"l2_tiles", 1, advice_tile_for_l2},
    {"addressing", 1, advice_address_once},
};

enum { RULE_COUNT = sizeof(rules) / sizeof(rules[0]), TRY_BYTES = 1 << 30 };

/* ---- the launch as it is ---- */

double advice_executions(const struct advice_base *base, uint32_t instruction)
{
    const struct fw_model_question *question = base->question;
    uint32_t domain = question->kernel->schedule[instruction].domain;
    return fw_bound_count_warps(question->bound, domain)->estimate;
}

static void look_at_accesses(struct advice_base *base)
{
    enum { BANKS = 32, BANK_BYTES = 4 };
    const struct fw_model_question *question = base->question;
    const struct fw_kernel *kernel = question->kernel;
    const struct fw_sampling sampling = {
        .kernel = kernel,
        .bound = question->bound,
        .launch = question->launch,
        .sector = ADVICE_SECTOR,
        .line = ADVICE_LINE,
        .banks =
            (uint32_t)fw_device_count(question->device, FW_FIGURE_SHARED_BANKS, (uint64_t)BANKS),
        .width = (uint32_t)fw_device_count(question->device, FW_FIGURE_SHARED_BANK_BYTES,
                                           (uint64_t)BANK_BYTES),
        .warp = FW_WARP_THREADS,
        .memo = fw_sample_memo_new(base->arena, NULL)};
    base->accesses = FW_ARRAY(base->arena, struct advice_access, kernel->access_count + 1);
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        struct advice_access *to = &base->accesses[a];
        if (access->data_dependent || access->bulk || access->tile || access->lanes ||
            access->repeated ||
            (access->space != FW_SPACE_GLOBAL && access->space != FW_SPACE_SHARED))
            continue;
        to->executions = fw_bound_count_warps(question->bound, access->domain)->estimate;
        if (!(to->executions > 0))
            continue;
        fw_sample_warps(&to->warps, &sampling, access, 0);
        to->runs = to->warps.known && to->warps.warps > 0;
        if (to->runs)
            to->address = advice_address_of(base, a);
    }
    for (uint32_t axis = 0; axis < 3; axis++)
        base->used[axis] = advice_threads_used(base, axis);
}

/* ---- tries ---- */

/* What one try needs, where an exhausted arena may unwind to. */
struct attempt {
    struct advice_try try;
    struct fw_bound *bound; /* of the changed record */
    jmp_buf *outer;
    double seconds;
    bool other; /* the other model is asked */
};

typedef enum fw_status asking(double *seconds, void *user, const struct fw_model_question *changed);

static enum fw_status ask_model(struct attempt *attempt, const struct advice_base *base,
                                asking *ask)
{
    const struct fw_sink silent = {NULL, NULL};
    struct advice_try *try = &attempt->try;
    struct fw_model_question question = *base->question;
    question.arena = try->arena;
    question.kernel = try->kernel;
    question.launch = try->launch;
    question.device = try->device;
    question.bound = attempt->bound;
    question.brief = true;
    question.measured = NULL;
    question.answers = NULL; /* of the launch as it is */
    question.sink = &silent;
    enum fw_status status = fw_bound_set(attempt->bound, try->launch);
    return status ? status : ask(&attempt->seconds, base->of->user, &question);
}

/* Makes a change and asks; without a rule, of the launch as it is.  FW_ERROR_INPUT: there is
 * nothing to change, or no answer. */
static enum fw_status change_and_ask(struct attempt *attempt, const struct advice_rule *rule,
                                     const struct advice_base *base, jmp_buf *full)
{
    struct advice_try *try = &attempt->try;
    try->kernel = advice_kernel_copy(try->arena, base->question->kernel);
    try->launch = FW_NEW(try->arena, struct fw_launch);
    *try->launch = *base->question->launch;
    try->device = FW_NEW(try->arena, struct fw_device);
    *try->device = *base->question->device;
    if (rule && !rule->change(try))
        return FW_ERROR_INPUT;
    attempt->seconds = try->bound;
    if (try->bound > 0)
        return FW_OK;
    attempt->bound = fw_bound_new(try->kernel);
    if (!attempt->bound)
        return FW_ERROR_MEMORY;
    fw_arena_on_exhausted(fw_bound_arena(attempt->bound), full);
    return ask_model(attempt, base, attempt->other ? base->of->ask_other : base->of->ask);
}

/* The same, with what it takes of memory bounded. */
static enum fw_status guarded(struct attempt *attempt, const struct advice_rule *rule,
                              const struct advice_base *base)
{
    jmp_buf full;
    struct fw_arena *own = fw_bound_arena(base->question->bound);
    if (setjmp(full)) {
        fw_arena_on_exhausted(own, attempt->outer);
        return fw_arena_status(attempt->try.arena) == FW_ERROR_BUDGET ? FW_ERROR_BUDGET
                                                                      : FW_ERROR_INPUT;
    }
    fw_arena_on_exhausted(attempt->try.arena, &full);
    attempt->outer = fw_arena_on_exhausted(own, &full);
    enum fw_status status = change_and_ask(attempt, rule, base, &full);
    fw_arena_on_exhausted(own, attempt->outer);
    return status;
}

static void keep(struct fw_advice_row *row, const struct advice_base *base,
                 const struct attempt *attempt, const char *rule)
{
    const struct advice_try *try = &attempt->try;
    const struct fw_kernel *kernel = base->question->kernel;
    double now = base->of->prediction->seconds;
    *row = (struct fw_advice_row){
        .rule = rule,
        .sentence = fw_arena_text(base->arena, try->sentence, strlen(try->sentence)),
        .file = try->line && try->file < kernel->file_count ? kernel->files[try->file] : NULL,
        .line = try->line,
        .seconds = attempt->seconds,
        .gain = 1 - attempt->seconds / now,
        .at_most = try->at_most};
}

/* One try.  What runs out of a limit of its own is no advice; what runs out of the question's time
 * ends all. */
static enum fw_status attempt_once(struct attempt *attempt, const struct advice_rule *rule,
                                   const struct advice_base *base)
{
    attempt->try.base = base;
    attempt->try.arena = fw_arena_new((size_t)TRY_BYTES);
    if (!attempt->try.arena)
        return FW_ERROR_MEMORY;
    enum fw_status status = guarded(attempt, rule, base);
    if (status || !isfinite(attempt->seconds))
        attempt->seconds = 0;
    return status == FW_ERROR_BUDGET ? status : FW_OK;
}

static void end_attempt(struct attempt *attempt)
{
    fw_bound_free(attempt->bound);
    fw_arena_free(attempt->try.arena);
}

/* The launch as it is, of the other model: once, when it is first needed. */
static enum fw_status ask_other(struct advice_base *base)
{
    struct attempt attempt = {.other = true};
    if (base->other_asked)
        return FW_OK;
    base->other_asked = true;
    base->other_seconds = base->of->other_seconds;
    if (base->other_seconds > 0)
        return FW_OK;
    enum fw_status status = attempt_once(&attempt, NULL, base);
    base->other_seconds = attempt.seconds;
    end_attempt(&attempt);
    return status;
}

/* What both models' factors come to.  The least of several tries is the one that its model most
 * likely takes for too fast (the winner's curse): of these the smaller gain is told, which the
 * other model's choice did not favour.  A rule with one change has no choice, and its gain is that
 * of the factors' mean. */
static double both(double one, double other, uint32_t answered)
{
    return answered > 1 ? fmax(one, other) : sqrt(one * other);
}

/* Takes advice back that the other model finds slower; where both find it faster, its gain is of
 * both. */
static enum fw_status confirm(struct fw_advice_row *best, uint32_t number, uint32_t answered,
                              const struct advice_rule *rule, struct advice_base *base)
{
    struct attempt attempt = {.try = {.number = number}, .other = true};
    if (!best->rule || best->gain < FW_ADVICE_LEAST || !base->of->ask_other)
        return FW_OK;
    enum fw_status status = ask_other(base);
    if (status || !(base->other_seconds > 0))
        return status;
    status = attempt_once(&attempt, rule, base);
    if (!status && attempt.seconds > 0 && !(attempt.try.bound > 0)) {
        double now = base->of->prediction->seconds, factor = attempt.seconds / base->other_seconds;
        if (factor >= 1)
            best->rule = NULL;
        best->seconds = now * both(best->seconds / now, factor, answered);
        best->gain = 1 - best->seconds / now;
    }
    end_attempt(&attempt);
    return status;
}

/* The best of a rule's tries, if there is one. */
static enum fw_status best_of(struct fw_advice_row *best, const struct advice_rule *rule,
                              struct advice_base *base)
{
    uint32_t number = 0, answered = 0;
    *best = (struct fw_advice_row){0};
    for (uint32_t n = 0; n < rule->tries; n++) {
        struct attempt attempt = {.try = {.number = n}};
        enum fw_status status = attempt_once(&attempt, rule, base);
        answered += attempt.seconds > 0;
        if (attempt.seconds > 0 && (!best->rule || attempt.seconds < best->seconds)) {
            keep(best, base, &attempt, rule->name);
            number = n;
        }
        end_attempt(&attempt);
        if (status)
            return status;
    }
    return confirm(best, number, answered, rule, base);
}

static int by_gain(const void *a, const void *b)
{
    const struct fw_advice_row *one = a, *other = b;
    if (one->gain != other->gain)
        return one->gain < other->gain ? 1 : -1;
    return strcmp(one->rule, other->rule);
}

enum fw_status fw_advice_find(const struct fw_advice_row **rows, size_t *count,
                              struct fw_arena *arena, const struct fw_advice_question *of)
{
    struct advice_base base = {.arena = arena, .of = of, .question = of->question};
    struct fw_advice_row *found = FW_ARRAY(arena, struct fw_advice_row, RULE_COUNT);
    *rows = found;
    *count = 0;
    if (!of->question->bound || !of->question->kernel->schedule_count ||
        !(of->prediction->seconds > 0))
        return FW_OK;
    look_at_accesses(&base);
    for (size_t r = 0; r < RULE_COUNT; r++) {
        enum fw_status status = best_of(&found[*count], &rules[r], &base);
        if (status)
            return status;
        *count += found[*count].rule && found[*count].gain >= FW_ADVICE_LEAST;
    }
    qsort(found, *count, sizeof(*found), by_gain);
    if (*count > FW_ADVICE_MOST)
        *count = FW_ADVICE_MOST;
    return FW_OK;
}
