/* Rankings: programs of all variants, their predictions, the fastest first. */
#include "rank.h"
#include "sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_THREADS = 64 };

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

/* The options of a variant's program into plan->options: the caller's, with what varies. */
static void set_options(struct rank_plan *plan, size_t variant)
{
    const struct fw_program_options *stated = plan->settings->options;
    struct fw_program_options *options = &plan->options[variant];
    size_t point = plan->program_variants[variant] * (plan->points / plan->variants);
    size_t count = stated->define_count;
    const char **defines = FW_ARRAY(plan->arena, const char *, count + plan->program_axes + 1);
    *options = *stated;
    options->size = sizeof(*options);
    for (size_t d = 0; d < count; d++)
        defines[d] = stated->defines[d];
    for (size_t a = 0; a < plan->program_axes; a++) {
        const struct rank_value *value = rank_value_at(plan, a, point);
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
    plan->items = FW_ARRAY(ranked->arena, struct fw_program_item, plan->programs);
    plan->options = FW_ARRAY(ranked->arena, struct fw_program_options, plan->programs);
    plan->kernels = FW_ARRAY(ranked->arena, const struct fw_kernel *, plan->programs);
    for (size_t v = 0; v < plan->programs; v++)
        set_options(plan, v);
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

/* Whether a name is one of those that the best are asked for ("n,TILE"). */
static bool is_asked_for(const char *names, const char *name)
{
    size_t length = strlen(name);
    const char *plain = strncmp(name, "-D", 2) == 0 ? name + 2 : name;
    for (; names && *names; names += strcspn(names, ","), names += *names == ',') {
        size_t own = strcspn(names, ",");
        if ((own == length && strncmp(names, name, own) == 0) ||
            (own == strlen(plain) && strncmp(names, plain, own) == 0))
            return true;
    }
    return false;
}

static size_t names_in(const char *names)
{
    size_t count = names && *names;
    for (; names && *names; names++)
        count += *names == ',';
    return count;
}

static enum fw_status name_axes(struct ranked *ranked)
{
    struct fw_ranking *ranking = &ranked->ranking;
    const struct rank_plan *plan = &ranked->plan;
    const char **names = FW_ARRAY(ranked->arena, const char *, plan->axes.count + 1);
    bool *best_for = FW_ARRAY(ranked->arena, bool, plan->axes.count + 1);
    for (size_t a = 0; a < plan->axes.count; a++) {
        enum rank_axis_kind kind = plan->axes.at[a].kind;
        ranking->coarsening_varies |= kind == RANK_COARSENING;
        if (kind != RANK_DEFINES && kind != RANK_ARGUMENT)
            continue;
        best_for[ranking->name_count] =
            is_asked_for(ranked->settings.best_for, plan->axes.at[a].name);
        ranking->best_for_count += best_for[ranking->name_count];
        names[ranking->name_count++] = plan->axes.at[a].name;
    }
    ranking->names = names;
    ranking->best_for = best_for;
    ranking->restricted = plan->restricted;
    if (ranking->best_for_count == names_in(ranked->settings.best_for))
        return FW_OK;
    fw_session_error(plan->context, "API066",
                     "--best-for %s: it names arguments, macros or constants that vary (--vary)",
                     ranked->settings.best_for);
    return FW_ERROR_USAGE;
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
        status = rank_points(&ranked->plan);
    if (!status)
        status = read_programs(ranked);
    if (!status && ranked->plan.input->has_coarsening)
        status = rank_axes(&ranked->plan);
    if (!status && ranked->plan.input->has_coarsening)
        status = rank_points(&ranked->plan);
    return status ? status : name_axes(ranked);
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
        v++; /* there is one: read_programs */
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
    ranking->row_count = plan->count;
    rank_group(ranking, rows, ranked->arena);
    rank_check(ranking, plan, rows);
    if (ranking->failed == plan->count && plan->input->launch_follows && !plan->base_kernel)
        rank_tell_loops(plan);
    return FW_OK;
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
    bool journals = ranked->settings.journal || ranked->settings.merge_count;
    bool whole = !ranked->settings.parts && !ranked->settings.take;
    const char *model = NULL;
    run.known = FW_ARRAY(ranked->arena, bool, ranked->plan.count);
    if (!ranked->predict.models) /* one for all, so that times can be compared */
        ranked->predict.models = model = rank_find_model(&run, &ranked->plan.sample);
    bool stages = rank_has_stages(model);
    if (stages)
        ranked->predict.models = rank_quick_model();
    if (journals && (stages || !model))
        rank_find_model(&run, &ranked->plan.sample);
    status = atomic_load(&run.late) ? FW_ERROR_BUDGET : rank_journal_open(&run.journal, &run);
    if (!status)
        status = rank_run(&run);
    enum fw_status closed = rank_journal_close(&run.journal, &ranked->plan);
    status = status ? status : closed;
    if (!status && stages && whole)
        status = rank_refine(&run, &ranked->predict.models, &ranked->ranking);
    ranked->ranking.seconds = now() - begin;
    ranked->model = run.best.model;
    ranked->ranking.refined = run.refined;
    if (status)
        return status;
    ranked->ranking.unknowns = run.best.unknowns;
    ranked->ranking.unknown_count = run.best.unknown_count;
    ranked->ranking.not_modelled = run.best.not_modelled;
    ranked->ranking.not_modelled_count = run.best.not_modelled_count;
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
    ranked->predict.brief = true;
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
