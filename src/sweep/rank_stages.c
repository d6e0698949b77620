/* Rankings in stages: all configurations by the quick model, then by the best model those of each
 * group of equal work that may be its fastest. */
#include "rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Configurations that the best model is asked for: of each group at first, and of all groups; fewer
 * where each is compiled again. */
enum { FIRST = 8, LEAST = 2, MOST = 64, MOST_COMPILED = 8 };

static const char quick_model[] = "traffic", best_model[] = "blend";

/* Configurations of equal work, the fastest by the quick model first. */
struct stage_group {
    size_t *order;
    size_t count, done, most;
};

struct stage {
    struct rank_run *run;
    double *quick; /* seconds by the quick model, by configuration; NAN: none */
    bool *refined; /* by configuration */
    size_t *next;  /* what the best model is asked next */
    struct stage_group *groups;
    size_t group_count, first;
};

bool rank_has_stages(const char *model)
{
    return model && strcmp(model, best_model) == 0;
}

const char *rank_quick_model(void)
{
    return quick_model;
}

static int by_point(const void *a, const void *b)
{
    const size_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Groups as rank_group() finds them among copies of the rows. */
static void find_groups(struct stage *stage, const struct fw_ranking *ranking)
{
    const struct rank_run *run = stage->run;
    const struct rank_plan *plan = run->plan;
    struct fw_arena *arena = plan->arena;
    struct fw_rank_row *rows = fw_arena_copy(arena, run->rows, plan->count * sizeof(*rows));
    struct fw_ranking grouped = {.row_count = plan->count,
                                 .name_count = ranking->name_count,
                                 .best_for = ranking->best_for,
                                 .best_for_count = ranking->best_for_count};
    rank_group(&grouped, rows, arena);
    stage->groups = FW_ARRAY(arena, struct stage_group, grouped.group_count + 1);
    for (size_t g = 0; g < grouped.group_count; g++) {
        const struct fw_rank_group *from = &grouped.groups[g];
        struct stage_group *group = &stage->groups[stage->group_count];
        if (from->other_work && grouped.best_for_count)
            continue; /* nobody chooses from it */
        group->count = from->count;
        group->order = FW_ARRAY(arena, size_t, from->count);
        for (size_t r = 0; r < from->count; r++) {
            const size_t *at = bsearch(&from->rows[r].number, plan->chosen, plan->count,
                                       sizeof(*plan->chosen), by_point);
            group->order[r] = (size_t)(at - plan->chosen);
        }
        stage->group_count++;
    }
}

static void open_stage(struct stage *stage, struct rank_run *run, const struct fw_ranking *ranking)
{
    struct fw_arena *arena = run->plan->arena;
    const size_t count = run->plan->count;
    size_t most = run->plan->input->launch_follows ? MOST_COMPILED : MOST;
    *stage = (struct stage){.run = run};
    stage->quick = FW_ARRAY(arena, double, count);
    stage->refined = FW_ARRAY(arena, bool, count);
    stage->next = FW_ARRAY(arena, size_t, count);
    run->low = FW_ARRAY(arena, double, count);
    run->high = FW_ARRAY(arena, double, count);
    run->told = FW_ARRAY(arena, struct rank_sentences, count);
    for (size_t c = 0; c < count; c++)
        stage->quick[c] = run->rows[c].failure ? (double)NAN : run->rows[c].seconds;
    find_groups(stage, ranking);
    size_t groups = stage->group_count ? stage->group_count : 1;
    stage->first = most / groups < FIRST ? most / groups : FIRST;
    stage->first = stage->first > LEAST ? stage->first : LEAST;
    for (size_t g = 0; g < stage->group_count; g++)
        stage->groups[g].most = most / groups > stage->first ? most / groups : stage->first;
}

/* Those of a group whose interval may reach below the least upper end.  How far below the quick
 * model's time an interval begins is taken from those that are known. */
static size_t choose_of(struct stage *stage, struct stage_group *group, size_t *next)
{
    const struct rank_run *run = stage->run;
    double bar = INFINITY, margin = INFINITY;
    size_t count = 0;
    for (size_t s = 0; s < group->count; s++) {
        size_t c = group->order[s];
        if (!stage->refined[c] || run->rows[c].failure)
            continue;
        bar = fmin(bar, run->high[c]);
        margin = fmin(margin, run->low[c] / stage->quick[c]);
    }
    for (size_t s = 0; s < group->count && group->done + count < group->most; s++) {
        size_t c = group->order[s];
        bool may = group->done ? stage->quick[c] * margin < bar : count < stage->first;
        if (!stage->refined[c] && may)
            next[count++] = c;
    }
    group->done += count;
    return count;
}

static size_t choose(struct stage *stage)
{
    size_t count = 0;
    for (size_t g = 0; g < stage->group_count; g++)
        count += choose_of(stage, &stage->groups[g], stage->next + count);
    for (size_t n = 0; n < count; n++)
        stage->refined[stage->next[n]] = true;
    return count;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Times of the others of a group are the quick model's, by the median ratio of both.  The number of
 * the best model's. */
static size_t scale_others(struct stage *stage, const struct stage_group *group)
{
    struct rank_run *run = stage->run;
    double *ratios = FW_ARRAY(run->plan->arena, double, group->done + 1);
    size_t count = 0;
    for (size_t s = 0; s < group->count; s++) {
        size_t c = group->order[s];
        if (stage->refined[c] && run->rows[c].failure) { /* the quick model's answer stays */
            run->rows[c].failure = NULL;
            stage->refined[c] = false;
        }
        if (stage->refined[c])
            ratios[count++] = run->rows[c].seconds / stage->quick[c];
    }
    qsort(ratios, count, sizeof(*ratios), ascending);
    for (size_t s = 0; s < group->count && count; s++)
        if (!stage->refined[group->order[s]])
            run->rows[group->order[s]].seconds *= ratios[count / 2];
    return count;
}

/* What the fastest that the best model predicted leans on and leaves out stands for all. */
static void tell_best(struct stage *stage)
{
    struct rank_run *run = stage->run;
    const struct fw_rank_row *best = NULL;
    for (size_t c = 0; c < run->plan->count; c++)
        if (!run->rows[c].failure) {
            run->rows[c].model = stage->refined[c] ? best_model : quick_model;
            if (stage->refined[c] && (!best || run->rows[c].seconds < best->seconds))
                best = &run->rows[c];
        }
    if (best)
        run->best = run->told[best - run->rows];
}

enum fw_status rank_refine(struct rank_run *run, const char **models,
                           const struct fw_ranking *ranking)
{
    struct stage stage;
    enum fw_status status = FW_OK;
    open_stage(&stage, run, ranking);
    *models = best_model;
    for (size_t count; !status && (count = choose(&stage)) > 0;) {
        run->order = stage.next;
        run->count = count;
        status = rank_run(run);
    }
    for (size_t g = 0; g < stage.group_count && !status; g++)
        run->refined += scale_others(&stage, &stage.groups[g]);
    if (!status && run->refined)
        tell_best(&stage);
    return status;
}
