/* The fastest configurations, run: a block of each in the emulator.  One that leaves shared memory
 * is no configuration of this kernel, however fast.  Nor is one that loads shared memory which none
 * of its threads has written, if others of this kernel do not: a block of another shape than the
 * kernel's tiles fills a part of them. */
#include "rank.h"

#include <string.h>

enum {
    MOST_INSTRUCTIONS = 2000000, /* of a block */
    MOST_BLOCKS = 2000,          /* in all */
    CHECKED = 8,                 /* of a group that is chosen from */
    MOST_OTHERS = 8,             /* other groups, of each of which one is */
    MOST_UNWRITTEN = 64          /* configurations at fault where none is good */
};

enum outcome { OUTCOME_UNKNOWN, OUTCOME_GOOD, OUTCOME_LEAVES, OUTCOME_UNWRITTEN };

/* Values for what a prediction needs none of: numbers that only data are computed with. */
static enum fw_status bind_rest(struct fw_worker *worker)
{
    enum fw_status status = FW_OK;
    for (uint32_t p = 0; p < worker->record->parameter_count && !status; p++)
        if (!worker->launch->is_bound[p] &&
            fw_type_class(worker->record->parameters[p].type) == 'f')
            status = fw_session_worker_bind_number(worker, p, 1.0);
    return status;
}

static bool has_shared(const struct fw_kernel *record)
{
    for (uint32_t a = 0; a < record->access_count; a++)
        if (record->accesses[a].space == FW_SPACE_SHARED)
            return true;
    return false;
}

/* Whether the block that runs, a middle one, is whole: a block at an upper end of the grid may have
 * threads that neither write nor matter. */
static bool is_whole(const struct fw_launch *launch)
{
    uint64_t middle = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2] / 2;
    for (int d = 0; d < 3; d++) {
        if (launch->block[d] > 1 && middle % launch->grid[d] + 1 == launch->grid[d])
            return false;
        middle /= launch->grid[d];
    }
    return true;
}

static enum outcome outcome_of(const struct rank_failure *failure, enum fw_status status,
                               bool whole)
{
    if (status && !failure->code)
        return OUTCOME_UNKNOWN;
    if (status && strcmp(failure->code, "EMU021") == 0)
        return OUTCOME_UNWRITTEN;
    if (status && strcmp(failure->code, "EMU011") == 0 && strstr(failure->text, "shared"))
        return OUTCOME_LEAVES;
    bool ran = !status || strcmp(failure->code, "EMU013") == 0; /* as far as it may */
    return ran && whole ? OUTCOME_GOOD : OUTCOME_UNKNOWN;
}

/* Runs one block of a configuration, as far as it comes within MOST_INSTRUCTIONS; `*told`: what the
 * emulator told where the block loads what nobody wrote. */
static enum outcome run_block(const char **told, const struct rank_plan *plan, size_t variant,
                              struct fw_rank_row *row)
{
    struct fw_emulate_settings settings = {
        .size = sizeof(settings), .blocks = 1, .limit = MOST_INSTRUCTIONS};
    struct rank_failure failure = {.arena = plan->arena};
    const struct fw_answer *answer;
    struct fw_worker *worker;
    rank_catch(&failure);
    enum fw_status status =
        fw_session_worker_new(&worker, plan->items[variant].program, plan->kernels[variant]);
    if (!status)
        status = rank_bind(plan, worker, row->number);
    if (!status)
        status = bind_rest(worker);
    settings.written_only = !status && is_whole(worker->launch);
    if (!status)
        status = fw_session_worker_emulate(&answer, worker, &settings);
    rank_catch(NULL);
    fw_session_worker_free(worker);
    enum outcome outcome = outcome_of(&failure, status, settings.written_only);
    if (outcome == OUTCOME_LEAVES)
        row->failure = fw_arena_printf(
            plan->arena, "a block of it, emulated, leaves its memory: %s", failure.text);
    else if (outcome == OUTCOME_UNWRITTEN)
        row->failure = "a block of it, emulated, loads shared memory that none of its threads has "
                       "written";
    *told = failure.text;
    return outcome;
}

/* The place of a row's configuration among the chosen ones. */
static size_t configuration_of(const struct rank_plan *plan, const struct fw_rank_row *row)
{
    size_t low = 0, high = plan->count;
    while (low + 1 < high) {
        size_t middle = (low + high) / 2;
        if (plan->chosen[middle] <= row->number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct checking {
    const struct rank_plan *plan;
    struct fw_ranking *ranking;
    struct fw_rank_row *rows;
    bool *unwritten;  /* by configuration */
    const char *told; /* of the first of these */
    size_t good, unwritten_count, blocks;
};

static void check_row(struct checking *checking, struct fw_rank_row *row)
{
    const struct rank_plan *plan = checking->plan;
    size_t configuration = configuration_of(plan, row), variant = plan->variant_of[configuration];
    row->checked = true;
    if (!plan->kernels[variant] || !has_shared(plan->kernels[variant]))
        return;
    const char *told;
    enum outcome outcome = run_block(&told, plan, variant, row);
    checking->blocks++;
    checking->good += outcome == OUTCOME_GOOD;
    if (outcome != OUTCOME_UNWRITTEN)
        return;
    checking->told = checking->told ? checking->told : told;
    checking->unwritten[configuration] = true;
    checking->unwritten_count++;
}

/* Whether enough was seen. */
static bool is_over(const struct checking *checking)
{
    return checking->blocks >= MOST_BLOCKS ||
           (!checking->good && checking->unwritten_count >= MOST_UNWRITTEN);
}

/* Checks a group until its fastest `few` stay; true: others have failed. */
static bool check_group(struct checking *checking, const struct fw_rank_group *group, size_t few)
{
    struct fw_rank_row *rows = checking->rows + (group->rows - checking->rows);
    bool failed = false;
    for (size_t r = 0, stay = 0; r < group->count && stay < few && !is_over(checking); r++) {
        if (!rows[r].checked)
            check_row(checking, &rows[r]);
        failed |= rows[r].failure != NULL;
        stay += rows[r].failure == NULL;
    }
    return failed;
}

/* Where no configuration that ran does without, it says nothing about any of them. */
static void restore(struct checking *checking)
{
    for (size_t r = 0; r < checking->ranking->row_count; r++)
        if (checking->unwritten[configuration_of(checking->plan, &checking->rows[r])])
            checking->rows[r].failure = NULL;
    rank_group(checking->ranking, checking->rows, checking->plan->arena);
    fw_report(&checking->plan->context->sink, FW_WARNING, "API069", (struct fw_span){0},
              "no configuration was found that writes all the shared memory which it loads: %s",
              checking->told);
}

void rank_check(struct fw_ranking *ranking, const struct rank_plan *plan, struct fw_rank_row *rows)
{
    struct checking checking = {.plan = plan, .ranking = ranking, .rows = rows};
    if (plan->input->launch_follows || plan->input->has_coarsening)
        return;
    checking.unwritten = FW_ARRAY(plan->arena, bool, plan->count);
    for (bool failed = true; failed && !is_over(&checking);) { /* others are the fastest now */
        size_t others = 0;
        failed = false;
        for (size_t g = 0; g < ranking->group_count; g++) {
            const struct fw_rank_group *group = &ranking->groups[g];
            others += group->other_work;
            /* Of each group that may be chosen from; and what is told of the others. */
            if (!group->other_work || others <= MOST_OTHERS)
                failed |= check_group(&checking, group, group->other_work ? 1 : CHECKED);
        }
        if (failed)
            rank_group(ranking, rows, plan->arena);
    }
    if (!checking.good && checking.unwritten_count)
        restore(&checking);
}
