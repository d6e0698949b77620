/* Rankings: programs of all variants, their predictions, the fastest first. */
#include "rank.h"
#include "sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_THREADS = 64, MOST_VARIANTS = 4096 };

struct ranked {
    struct fw_ranking ranking; /* first: what the caller has */
    struct fw_arena *arena;
    struct fw_arena *arenas[MOST_THREADS];
    struct fw_context quiet; /* the context, with the sink of rank_run.c */
    struct rank_plan plan;
    struct fw_rank_settings settings;
    struct fw_predict_settings predict;
    struct fw_program_options options;
    const char *model; /* that times come from */
};

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

/* What may vary depends on it: macros, points of a thread. */
static enum fw_status find_language(struct ranked *ranked)
{
    const struct fw_input *input = fw_input_find(ranked->options.language, ranked->settings.path);
    ranked->plan.input = input ? input : fw_input_find(FW_PROGRAM_PTX, "");
    if (!ranked->plan.input->has_coarsening || !ranked->settings.domain_count)
        return FW_OK;
    fw_session_error(ranked->plan.context, "API061",
                     "--domain: address expressions state their own");
    return FW_ERROR_USAGE;
}

void rank_set_options(struct rank_plan *plan, size_t variant)
{
    const struct fw_program_options *stated = plan->settings->options;
    struct fw_program_options *options = &plan->options[variant];
    size_t configuration = variant * (plan->count / plan->programs);
    size_t count = stated->define_count;
    const char **defines = FW_ARRAY(plan->arena, const char *, count + plan->program_axes + 1);
    *options = *stated;
    options->size = sizeof(*options);
    for (size_t d = 0; d < count; d++)
        defines[d] = stated->defines[d];
    for (size_t a = 0; a < plan->program_axes; a++) {
        const struct rank_value *value = rank_value_at(plan, a, configuration);
        if (plan->axes.at[a].kind == RANK_DEFINES)
            defines[count++] = value->stated;
        else
            memcpy(options->coarsening, value->triple, sizeof(options->coarsening));
    }
    options->defines = defines;
    options->define_count = count;
    plan->items[variant] =
        (struct fw_program_item){.path = plan->settings->path, .options = options};
}

enum fw_status rank_check_arguments(const struct rank_plan *plan, const struct fw_kernel *record)
{
    const char *missing = NULL;
    for (size_t a = 0; a < plan->axes.count; a++)
        if (plan->axes.at[a].kind == RANK_ARGUMENT &&
            fw_session_find_argument(record, plan->axes.at[a].name) == FW_NONE &&
            !strpbrk(plan->axes.at[a].name, "@."))
            missing = plan->axes.at[a].name;
    for (size_t d = 0; d < 3; d++)
        if (plan->domain[d].argument &&
            fw_session_find_argument(record, plan->domain[d].argument) == FW_NONE)
            missing = plan->domain[d].argument;
    if (!missing)
        return FW_OK;
    fw_session_error(plan->context, "API064", "the kernel %s has no argument %s", record->name,
                     missing);
    return FW_ERROR_USAGE;
}

static enum fw_status read_programs(struct ranked *ranked)
{
    struct rank_plan *plan = &ranked->plan;
    enum fw_status status, first = FW_OK;
    size_t good = 0;
    if (plan->programs > MOST_VARIANTS) {
        fw_session_error(plan->context, "API062", "more than %d variants to compile",
                         MOST_VARIANTS);
        return FW_ERROR_USAGE;
    }
    plan->items = FW_ARRAY(ranked->arena, struct fw_program_item, plan->programs);
    plan->options = FW_ARRAY(ranked->arena, struct fw_program_options, plan->programs);
    plan->kernels = FW_ARRAY(ranked->arena, const struct fw_kernel *, plan->programs);
    for (size_t v = 0; v < plan->programs; v++)
        rank_set_options(plan, v);
    if (plan->input->launch_follows) /* the threads that predict make them */
        return rank_check_constants(plan);
    fw_session_program_read_many(plan->items, plan->programs, &ranked->quiet,
                                 ranked->settings.workers);
    for (size_t v = 0; v < plan->programs; v++) {
        status = plan->items[v].status;
        if (!status)
            status = fw_session_program_kernel(&plan->kernels[v], plan->items[v].program,
                                               ranked->settings.kernel);
        if (!status && !good++)
            status = rank_check_arguments(plan, plan->kernels[v]);
        if (status == FW_ERROR_USAGE)
            return status;
        first = first ? first : status;
    }
    return good ? FW_OK : first;
}

/* Shapes of blocks may follow from the kernel's axes: known once it was read. */
static enum fw_status prepare(struct ranked *ranked)
{
    enum fw_status status = find_language(ranked);
    if (!status && ranked->plan.input->launch_follows)
        status = rank_read_loops(&ranked->plan);
    if (!status)
        status = rank_axes(&ranked->plan);
    if (!status)
        status = read_programs(ranked);
    if (!status && ranked->plan.input->has_coarsening)
        status = rank_axes(&ranked->plan);
    return status;
}

static int fastest_first(const void *a, const void *b)
{
    const struct fw_rank_row *x = a, *y = b;
    if (!x->failure != !y->failure)
        return x->failure ? 1 : -1;
    if (!x->failure && x->seconds != y->seconds)
        return x->seconds < y->seconds ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

static void name_axes(struct ranked *ranked)
{
    struct fw_ranking *ranking = &ranked->ranking;
    const struct rank_plan *plan = &ranked->plan;
    const char **names = FW_ARRAY(ranked->arena, const char *, plan->axes.count + 1);
    for (size_t a = 0; a < plan->axes.count; a++) {
        enum rank_axis_kind kind = plan->axes.at[a].kind;
        ranking->coarsening_varies |= kind == RANK_COARSENING;
        if (kind == RANK_DEFINES || kind == RANK_ARGUMENT)
            names[ranking->name_count++] = plan->axes.at[a].name;
    }
    ranking->names = names;
}

/* The kernel's name; its program, or one of its variants'. */
static const struct fw_program *name_kernel(struct ranked *ranked)
{
    const struct rank_plan *plan = &ranked->plan;
    struct fw_ranking *ranking = &ranked->ranking;
    const char *name = NULL;
    size_t v = 0;
    if (plan->input->launch_follows) {
        fw_session_kernel_name(&name, plan->base, ranked->settings.kernel);
        ranking->kernel = fw_arena_printf(ranked->arena, "%s", name);
        return plan->base;
    }
    while (!plan->kernels[v])
        v++;
    const struct fw_program *program = plan->items[v].program;
    for (size_t k = 0; k < program->kernel_count; k++)
        if (program->kernels[k].record == plan->kernels[v])
            ranking->kernel = fw_arena_printf(ranked->arena, "%s", program->kernels[k].row.name);
    return program;
}

static enum fw_status finish(struct ranked *ranked, struct fw_rank_row *rows)
{
    struct fw_ranking *ranking = &ranked->ranking;
    const struct rank_plan *plan = &ranked->plan;
    const struct fw_device *device = ranked->settings.device;
    const struct fw_program *program = name_kernel(ranked);
    ranking->file = fw_arena_printf(ranked->arena, "%s", program->file);
    ranking->language = program->input->name;
    ranking->device = fw_arena_printf(ranked->arena, "%s", device->name);
    ranking->device_title = fw_arena_printf(ranked->arena, "%s", device->title);
    ranking->model = ranked->model;
    ranking->cache = ranked->predict.cold ? "cold" : "warm";
    ranking->rows = rows;
    ranking->row_count = plan->count;
    name_axes(ranked);
    qsort(rows, plan->count, sizeof(*rows), fastest_first);
    while (ranking->failed < plan->count && rows[plan->count - 1 - ranking->failed].failure)
        ranking->failed++;
    if (ranking->failed < plan->count)
        return FW_OK;
    if (plan->input->launch_follows && !plan->base_kernel)
        rank_tell_loops(plan);
    fw_session_error(plan->context, "API063",
                     "none of %zu configurations can be predicted; the first: %s", plan->count,
                     rows[0].failure);
    return FW_ERROR_USAGE;
}

static enum fw_status rank(void *user)
{
    struct ranked *ranked = user;
    enum fw_status status = prepare(ranked);
    if (status)
        return status;
    struct rank_run run = {.plan = &ranked->plan, .arenas = ranked->arenas};
    run.rows = FW_ARRAY(ranked->arena, struct fw_rank_row, ranked->plan.count);
    double begin = now();
    if (!ranked->predict.models) /* one for all, so that times can be compared */
        ranked->predict.models = rank_find_model(&run);
    status = atomic_load(&run.late) ? FW_ERROR_BUDGET : rank_run(&run);
    ranked->ranking.seconds = now() - begin;
    ranked->model = run.model;
    if (status)
        return status;
    ranked->ranking.unknowns = run.unknowns;
    ranked->ranking.unknown_count = run.unknown_count;
    ranked->ranking.not_modelled = run.not_modelled;
    ranked->ranking.not_modelled_count = run.not_modelled_count;
    return finish(ranked, run.rows);
}

enum fw_status fw_sweep_rank(struct fw_ranking **ranking, const struct fw_context *context,
                             const struct fw_rank_settings *settings)
{
    struct ranked *ranked = calloc(1, sizeof(*ranked));
    *ranking = NULL;
    if (!ranked)
        return FW_ERROR_MEMORY;
    ranked->arena = fw_arena_new(context->memory);
    fw_session_options(&ranked->settings, sizeof(ranked->settings), settings);
    fw_session_options(&ranked->predict, sizeof(ranked->predict), ranked->settings.predict);
    fw_session_options(&ranked->options, sizeof(ranked->options), ranked->settings.options);
    ranked->predict.size = sizeof(ranked->predict);
    ranked->settings.predict = &ranked->predict;
    ranked->settings.options = &ranked->options;
    ranked->quiet = *context;
    ranked->quiet.sink = rank_sink(context);
    ranked->plan = (struct rank_plan){.arena = ranked->arena,
                                      .context = context,
                                      .quiet = &ranked->quiet,
                                      .settings = &ranked->settings};
    static const struct fw_session_limit limit = {.doing = "ranking", .many = true};
    enum fw_status status =
        ranked->arena ? fw_session_guard_within(context, &limit, ranked->arena, NULL, rank, ranked)
                      : FW_ERROR_MEMORY;
    for (size_t v = 0; ranked->plan.items && v < ranked->plan.programs; v++) {
        fw_session_program_free(ranked->plan.items[v].program);
        ranked->plan.items[v].program = NULL;
    }
    fw_session_program_free(ranked->plan.base);
    ranked->plan.base = NULL;
    if (status)
        fw_sweep_free(&ranked->ranking);
    else
        *ranking = &ranked->ranking;
    return status;
}

void fw_sweep_free(struct fw_ranking *ranking)
{
    struct ranked *ranked = (struct ranked *)(void *)ranking; /* the ranking is its first member */
    if (!ranking)
        return;
    for (size_t t = 0; t < MOST_THREADS; t++)
        fw_arena_free(ranked->arenas[t]);
    fw_arena_free(ranked->arena);
    free(ranked);
}
