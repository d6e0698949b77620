#include "blend_train.h"

#include <math.h>
#include <string.h>

#define LEVEL   0.9
#define CERTAIN 1.645 /* standard errors: 95 % lie below */

/* Weights are quarters, of watts, which two models tell, tenths; each choice of them is a mix,
 * whose error is the logarithm of its answer by what was measured, whatever its sign: as a share of
 * what was measured, an answer that is ten times too long counts nine times as much as any that is
 * too short, so that the few families of which a default is too high by far, which every model
 * answers with, chose the weights of all others. Kinds whose time data decide have their own, where
 * they have families enough, and means of quarters; asynchronous launches have their own; all
 * others have the same: weights that a kind's own families choose, or finer ones, are off by more
 * than they gain for the family that comes next. */
enum { QUARTERS = 4, TENTHS = 10, MIXES = (TENTHS + 1) * (TENTHS + 2) / 2 };

/* The mixes of a target; their number. */
static int mixes_of(struct fw_blend_weights mixes[MIXES], enum fw_blend_target target)
{
    int parts = target == FW_BLEND_TARGET_SECONDS ? QUARTERS : TENTHS, count = 0;
    for (int a = 0; a <= parts; a++)
        for (int b = 0; b <= (target == FW_BLEND_TARGET_SECONDS ? parts - a : 0); b++) {
            struct fw_blend_weights *mix = &mixes[count++];
            *mix = (struct fw_blend_weights){0};
            mix->at[FW_BLEND_TRAFFIC] = (double)a / parts;
            mix->at[FW_BLEND_TRACE] = (double)b / parts; /* it tells no watts */
            mix->at[FW_BLEND_FOREST] = (double)(parts - a - b) / parts;
        }
    return count;
}

double fw_blend_measured(const struct fw_training_row *row, enum fw_blend_target target)
{
    return target == FW_BLEND_TARGET_SECONDS ? row->measured[FW_FOREST_SECONDS]
           : target == FW_BLEND_TARGET_WATTS
               ? row->measured[FW_FOREST_WATTS]
               : row->measured[FW_FOREST_SECONDS] * row->measured[FW_FOREST_WATTS] *
                     fmax(1, row->stretched);
}

static double limited(const struct fw_training_row *row, double watts)
{
    return row->launch.watts_most > 0 ? fmin(watts, row->launch.watts_most) : watts;
}

void fw_blend_members(double answers[FW_BLEND_MEMBER_COUNT], const struct fw_training_row *row,
                      const struct fw_blend_answers *from, size_t r, enum fw_blend_target target)
{
    bool seconds = target == FW_BLEND_TARGET_SECONDS;
    double forest = from->forest[target][r];
    answers[FW_BLEND_TRAFFIC] = seconds ? row->traffic : row->basis.target[FW_FOREST_WATTS];
    answers[FW_BLEND_TRACE] = seconds ? row->trace : 0;
    answers[FW_BLEND_FOREST] = !(forest > 0) ? 0 : seconds ? forest : limited(row, forest);
}

/* ---- weights ---- */

/* Sums over rows, or over families, of their error by mix; and their number. */
struct sums {
    double error[MIXES], count;
};

static void add(struct sums *to, const struct sums *from)
{
    for (int m = 0; m < MIXES; m++)
        to->error[m] += from->error[m];
    to->count += from->count;
}

/* The families that vote on the weights of a kind, with their mean errors by mix. */
struct voters {
    struct voter {
        size_t family;
        double error[MIXES];
    } * at;
    size_t count;
};

struct weighing {
    const struct fw_training_rows *rows;
    enum fw_blend_target target;
    struct fw_blend_weights mixes[MIXES];
    int mix_count;
    struct sums *of; /* by family and kind */
    size_t families;
    struct voters *voters; /* of the kind whose weights are chosen */
};

static struct sums *sums_of(const struct weighing *work, size_t family, int kind)
{
    return &work->of[family * FW_BLEND_KIND_COUNT + (size_t)kind];
}

static void open_weighing(struct weighing *work, const struct fw_training_rows *rows,
                          const struct fw_blend_answers *answers, enum fw_blend_target target,
                          struct fw_arena *arena)
{
    *work =
        (struct weighing){.rows = rows, .target = target, .families = (size_t)rows->families.count};
    work->of = FW_ARRAY(arena, struct sums, work->families * FW_BLEND_KIND_COUNT + 1);
    work->mix_count = mixes_of(work->mixes, target);
    work->voters = FW_NEW(arena, struct voters);
    work->voters->at = FW_ARRAY(arena, struct voter, work->families + 1);
    for (size_t r = 0; r < rows->rows.count; r++) {
        const struct fw_training_row *row = &rows->rows.at[r];
        double members[FW_BLEND_MEMBER_COUNT], measured = fw_blend_measured(row, target);
        fw_blend_members(members, row, answers, r, target);
        if (row->judged || !(measured > 0) || !(members[FW_BLEND_TRAFFIC] > 0) ||
            !(members[FW_BLEND_FOREST] > 0))
            continue;
        struct sums *sums = sums_of(work, row->family, (int)row->launch.kind);
        sums->count++;
        for (int m = 0; m < work->mix_count; m++)
            sums->error[m] += fabs(log(fw_blend_join(NULL, &work->mixes[m], members) / measured));
    }
}

/* Whether seconds of two kinds may share weights: of asynchronous launches models are off by what
 * they do not know of these, which says nothing about others.  Their watts are of
 * the same events, and are joined as others' are. */
static bool are_alike(const struct weighing *work, int one, int other)
{
    const bool watts = work->target == FW_BLEND_TARGET_WATTS;
    return (watts ||
            (one == FW_BLEND_KIND_ASYNCHRONOUS) == (other == FW_BLEND_KIND_ASYNCHRONOUS)) &&
           fw_blend_kind_is_decided_by_data((enum fw_blend_kind)one) ==
               fw_blend_kind_is_decided_by_data((enum fw_blend_kind)other);
}

/* Whether a kind's own families choose its weights.  What branches and trips of unknown frequency
 * are off by says nothing of addresses that are drawn at random: each has its best model. */
static bool is_own(const struct weighing *work, int kind, size_t without)
{
    size_t families = 0;
    for (size_t f = 0; f < work->families; f++)
        families += f != without && sums_of(work, f, kind)->count > 0;
    return fw_blend_kind_is_decided_by_data((enum fw_blend_kind)kind) &&
           families >= FW_TRAIN_LEAST_FAMILIES;
}

/* Adds a family: the mean error of its rows of kinds that share weights with this one, however many
 * it has of these, and of others. */
static void add_family(struct sums *to, const struct weighing *work, size_t family, int kind,
                       bool own)
{
    struct sums of = {.count = 0};
    for (int k = 0; k < FW_BLEND_KIND_COUNT; k++)
        if (own ? k == kind : are_alike(work, k, kind))
            add(&of, sums_of(work, family, k));
    if (!(of.count > 0))
        return;
    for (int m = 0; m < MIXES; m++)
        of.error[m] /= of.count;
    of.count = 1;
    add(to, &of);
}

static bool is_alone(const struct fw_blend_weights *mix)
{
    for (int m = 0; m < FW_BLEND_MEMBER_COUNT; m++)
        if (mix->at[m] == 1)
            return true;
    return false;
}

/* Whether the mix has less error than the model `alone` by more than one standard error of what it
 * gains over families (as Breiman, Friedman, Olshen and Stone, Classification and Regression Trees,
 * 1984, section 3.4.3, choose the simpler tree). */
static bool gains(const struct weighing *work, int kind, size_t without, int mix, int alone,
                  size_t families)
{
    const bool own = is_own(work, kind, without);
    double sum = 0, squares = 0;
    for (size_t f = 0; f < work->families; f++) {
        struct sums of = {.count = 0};
        if (f == without)
            continue;
        add_family(&of, work, f, kind, own);
        double gain = of.error[alone] - of.error[mix];
        sum += gain;
        squares += gain * gain;
    }
    return families > 0 && sum > 0 && sum * sum > squares - sum * sum / (double)families;
}

/* Whether a kind may have the mix.  Where data decide the time, and of asynchronous launches, the
 * trees are taught nothing, and the forest's answer is about the geometric mean of the other two:
 * it tells nothing that they do not. */
static bool may_have(const struct weighing *work, int kind, int mix)
{
    return work->target != FW_BLEND_TARGET_SECONDS ||
           !(fw_blend_kind_is_decided_by_data((enum fw_blend_kind)kind) ||
             kind == FW_BLEND_KIND_ASYNCHRONOUS) ||
           work->mixes[mix].at[FW_BLEND_FOREST] == 0;
}

/* The mix of least error that a kind may have, of sums over families less those over some of them
 * (NULL: none). */
static int least_of(const struct weighing *work, int kind, const struct sums *all,
                    const struct sums *less)
{
    int found = 0;
    double least = INFINITY;
    for (int m = 0; m < work->mix_count; m++) {
        if (!may_have(work, kind, m))
            continue;
        double error = all->error[m] - (less ? less->error[m] : 0);
        if (error < least) {
            least = error;
            found = m;
        }
    }
    return found;
}

/* Whether a kind has few families, each of which is off by far: of these one more or less makes
 * another mix the best by little. */
static bool is_uncertain(const struct weighing *work, int kind)
{
    return work->target == FW_BLEND_TARGET_SECONDS &&
           (fw_blend_kind_is_decided_by_data((enum fw_blend_kind)kind) ||
            kind == FW_BLEND_KIND_ASYNCHRONOUS);
}

static double unevenness(const struct fw_blend_weights *mix)
{
    double squares = 0;
    for (int m = 0; m < FW_BLEND_MEMBER_COUNT; m++)
        squares += mix->at[m] * mix->at[m];
    return squares;
}

/* Finds who votes on a kind's weights, but for one family. */
static void find_voters(const struct weighing *work, int kind, size_t without)
{
    const bool own = is_own(work, kind, without);
    struct voters *voters = work->voters;
    voters->count = 0;
    for (size_t f = 0; f < work->families; f++) {
        struct sums of = {.count = 0};
        if (f == without)
            continue;
        add_family(&of, work, f, kind, own);
        if (!(of.count > 0))
            continue;
        struct voter *voter = &voters->at[voters->count++];
        voter->family = f;
        memcpy(voter->error, of.error, sizeof(voter->error));
    }
}

/* Whether the families that vote, but for one, do not tell a mix from the one of least error: that
 * it is off by more is not certain to 95 % (of a normal distribution, one side). */
static bool is_as_good(const struct voters *voters, size_t without, int mix, int least)
{
    double sum = 0, squares = 0, families = 0;
    for (size_t v = 0; v < voters->count; v++) {
        const struct voter *voter = &voters->at[v];
        const double more = voter->error[mix] - voter->error[least];
        if (voter->family == without)
            continue;
        sum += more;
        squares += more * more;
        families++;
    }
    return families > 1 &&
           sum * sum * (families - 1) <= CERTAIN * CERTAIN * (families * squares - sum * sum);
}

/* The most even mix of those that are as good as the one of least error: where families do not tell
 * mixes apart, the mean of the models is off by less for the family that comes next than the mix
 * that is best by chance (Stock and Watson, Combination forecasts of output growth in a
 * seven-country data set, 2004).  One standard error would be as little as one family makes:
 * without it the others chose the mix that suits it least. */
static int most_even(const struct weighing *work, int kind, size_t without, int least)
{
    int found = least;
    for (int m = 0; m < work->mix_count; m++)
        if (may_have(work, kind, m) &&
            unevenness(&work->mixes[m]) < unevenness(&work->mixes[found]) &&
            is_as_good(work->voters, without, m, least))
            found = m;
    return found;
}

/* The mean of what families choose when one after the other does not vote.  Where data decide the
 * time a few families are off by far, and with one more or less of them another mix is the best by
 * little: that choice says less of the family that comes next than the mean of such choices
 * (Breiman, Heuristics of instability and stabilization in model selection, 1996; families left out
 * are those of a jackknife). */
static struct fw_blend_weights steady(const struct weighing *work, int kind, const struct sums *all)
{
    const struct voters *voters = work->voters;
    struct fw_blend_weights mean = {0};
    for (size_t v = 0; v < voters->count; v++) {
        struct sums of = {.count = 1};
        memcpy(of.error, voters->at[v].error, sizeof(of.error));
        const int least = least_of(work, kind, all, &of);
        const struct fw_blend_weights *mix =
            &work->mixes[most_even(work, kind, voters->at[v].family, least)];
        for (int m = 0; m < FW_BLEND_MEMBER_COUNT; m++)
            mean.at[m] += mix->at[m];
    }
    for (int m = 0; m < FW_BLEND_MEMBER_COUNT; m++)
        mean.at[m] /= (double)voters->count;
    return mean;
}

/* The weights of a kind, and of those like it, with the least error over all families but one (any
 * other number: over all).  Of seconds that data decide, the mean of such.  Of watts, whose models
 * are one and a correction that knows it, those of one alone, unless a mix gains more than chance
 * does. */
static struct fw_blend_weights best(const struct weighing *work, int kind, size_t without)
{
    struct sums all = {.count = 0};
    const bool own = is_own(work, kind, without);
    size_t families = 0;
    int alone = -1;
    for (size_t f = 0; f < work->families; f++) {
        if (f == without)
            continue;
        families += sums_of(work, f, kind)->count > 0;
        add_family(&all, work, f, kind, own);
    }
    const size_t like = (size_t)all.count;
    int found = least_of(work, kind, &all, NULL);
    for (int m = 0; m < work->mix_count; m++)
        if (is_alone(&work->mixes[m]) && (alone < 0 || all.error[m] < all.error[alone]))
            alone = m;
    if (work->target == FW_BLEND_TARGET_WATTS && !gains(work, kind, without, found, alone, like))
        found = alone;
    if (is_uncertain(work, kind)) {
        find_voters(work, kind, without);
        found = most_even(work, kind, without, found);
    }
    struct fw_blend_weights weights = work->mixes[found];
    if (work->target == FW_BLEND_TARGET_SECONDS && kind == FW_BLEND_KIND_ASYNCHRONOUS &&
        like < FW_TRAIN_LEAST_FAMILIES)
        weights = fw_blend_weights_unseen(work->target, FW_BLEND_KIND_ASYNCHRONOUS);
    if (work->target == FW_BLEND_TARGET_SECONDS && like > 1 &&
        fw_blend_kind_is_decided_by_data((enum fw_blend_kind)kind))
        weights = steady(work, kind, &all);
    weights.families = families;
    return weights;
}

/* ---- answers that did not see the family ---- */

static void join_target(struct fw_blend_answers *answers, const struct weighing *work,
                        const struct fw_blend *blend)
{
    const struct fw_training_rows *rows = work->rows;
    enum fw_blend_target target = work->target;
    for (size_t f = 0; f < work->families; f++) {
        struct fw_blend_weights weights[FW_BLEND_KIND_COUNT];
        for (int k = 0; k < FW_BLEND_KIND_COUNT; k++)
            weights[k] = best(work, k, f);
        for (size_t r = 0; r < rows->rows.count; r++) {
            const struct fw_training_row *row = &rows->rows.at[r];
            double members[FW_BLEND_MEMBER_COUNT];
            if (row->family != f)
                continue;
            fw_blend_members(members, row, answers, r, target);
            double apart, joined = fw_blend_join(&apart, &weights[row->launch.kind], members);
            answers->deviation[target][r] =
                fw_blend_deviation(blend, target, row->launch.class, apart, answers->nearest[r]);
            answers->joined[target][r] = joined > 0 ? joined : (double)NAN;
        }
    }
}

/* Joules are watts times seconds of launches back to back. */
static void join_joules(struct fw_blend_answers *answers, const struct fw_training_rows *rows)
{
    for (size_t r = 0; r < rows->rows.count; r++) {
        answers->joined[FW_BLEND_TARGET_JOULES][r] =
            answers->joined[FW_BLEND_TARGET_SECONDS][r] *
            answers->joined[FW_BLEND_TARGET_WATTS][r] *
            fw_blend_longer(&rows->rows.at[r].launch, answers->forest[FW_BLEND_TARGET_WATTS][r],
                            rows->rows.at[r].longer);
        answers->deviation[FW_BLEND_TARGET_JOULES][r] =
            rows->rows.at[r].launch.class == FW_BLEND_CLASS_RANDOM
                ? answers->deviation[FW_BLEND_TARGET_SECONDS][r]
                : 1;
    }
}

/* ---- intervals ---- */

size_t fw_blend_errors(struct fw_conformal_row *errors, const struct fw_training_rows *rows,
                       const struct fw_blend_answers *answers, enum fw_blend_target target,
                       struct fw_blend_which which)
{
    size_t count = 0;
    for (size_t r = 0; r < rows->rows.count; r++) {
        const struct fw_training_row *row = &rows->rows.at[r];
        double measured = fw_blend_measured(row, target), joined = answers->joined[target][r];
        if (row->judged == which.judged && fw_blend_class_group(row->launch.class) == which.group &&
            measured > 0 && joined > 0)
            errors[count++] = (struct fw_conformal_row){
                fw_blend_residual(target, &row->launch, log(measured / joined)) /
                    answers->deviation[target][r],
                row->family, row->launch.class, answers->deviation[target][r]};
    }
    return count;
}

bool fw_blend_is_composed(const struct fw_training_rows *rows,
                          const struct fw_blend_answers *answers, enum fw_blend_target target,
                          enum fw_blend_class class, struct fw_arena *scratch)
{
    bool *seen = FW_ARRAY(scratch, bool, rows->families.count + 1);
    size_t families = 0;
    if (target != FW_BLEND_TARGET_JOULES || !fw_blend_class_is_decided_by_data(class))
        return false;
    for (size_t r = 0; r < rows->rows.count; r++) {
        const struct fw_training_row *row = &rows->rows.at[r];
        if (row->judged || row->launch.class != class || !(fw_blend_measured(row, target) > 0) ||
            !(answers->joined[target][r] > 0))
            continue;
        families += !seen[row->family];
        seen[row->family] = true;
    }
    return families < FW_TRAIN_LEAST_FAMILIES;
}

size_t fw_blend_fitted_errors(struct fw_conformal_row *errors, const struct fw_training_rows *rows,
                              const struct fw_blend_answers *answers, enum fw_blend_target target,
                              struct fw_blend_which which, struct fw_arena *scratch)
{
    const size_t count = fw_blend_errors(errors, rows, answers, target, which);
    bool composed[FW_BLEND_CLASS_COUNT];
    size_t kept = 0;
    for (int c = 0; c < FW_BLEND_CLASS_COUNT; c++)
        composed[c] = fw_blend_is_composed(rows, answers, target, (enum fw_blend_class)c, scratch);
    for (size_t e = 0; e < count; e++)
        if (!composed[errors[e].class])
            errors[kept++] = errors[e];
    return kept;
}

/* Joules are seconds times watts, whose errors have nothing to do with each other: their squares
 * add up.  They have the deviation of seconds, and watts have 1: where models agree both are as
 * they are, and elsewhere the part of watts is too large. */
static struct fw_blend_bounds compose(const struct fw_blend *blend, int class)
{
    const struct fw_blend_bounds *seconds = &blend->bounds[FW_BLEND_TARGET_SECONDS][class],
                                 *watts = &blend->bounds[FW_BLEND_TARGET_WATTS][class];
    const double least =
        fw_blend_deviation(blend, FW_BLEND_TARGET_JOULES, (enum fw_blend_class) class, 0, INFINITY);
    return (struct fw_blend_bounds){
        .families = seconds->families < watts->families ? seconds->families : watts->families,
        .low = -hypot(fmin(0, seconds->low), fmin(0, watts->low / least)),
        .high = hypot(fmax(0, seconds->high), fmax(0, watts->high / least))};
}

static enum fw_status find_bounds(struct fw_blend *blend, const struct fw_training_rows *rows,
                                  const struct fw_blend_answers *answers,
                                  enum fw_blend_target target, struct fw_arena *arena)
{
    struct fw_conformal_class classes[FW_BLEND_CLASS_COUNT];
    struct fw_conformal_row *errors =
        FW_ARRAY(arena, struct fw_conformal_row, rows->rows.count + 1);
    enum fw_status status = FW_OK;
    for (int g = 0; g < FW_BLEND_GROUP_COUNT && !status; g++) {
        const struct fw_blend_which which = {.group = (enum fw_blend_group)g};
        size_t count = fw_blend_fitted_errors(errors, rows, answers, target, which, arena);
        status =
            fw_conformal_fit(classes, FW_BLEND_CLASS_COUNT, errors, count,
                             fw_blend_is_even(which.group) ? FW_CONFORMAL_EVEN : FW_CONFORMAL_EACH,
                             fw_blend_level(blend, which.group), FW_TRAIN_LEAST_FAMILIES, arena);
        for (int c = 0; c < FW_BLEND_CLASS_COUNT && !status; c++)
            if (fw_blend_class_group((enum fw_blend_class)c) == which.group)
                blend->bounds[target][c] =
                    isfinite(classes[c].low) && isfinite(classes[c].high)
                        ? (struct fw_blend_bounds){classes[c].families, classes[c].low,
                                                   classes[c].high}
                        : (struct fw_blend_bounds){classes[c].families, -(double)INFINITY,
                                                   (double)INFINITY};
    }
    for (int c = 0; c < FW_BLEND_CLASS_COUNT && !status; c++)
        if (fw_blend_is_composed(rows, answers, target, (enum fw_blend_class)c, arena))
            blend->bounds[target][c] = compose(blend, c);
    return status;
}

/* ---- training ---- */

static void open_answers(struct fw_blend_answers *answers, size_t count, struct fw_arena *arena)
{
    for (int t = 0; t < FW_BLEND_TARGET_COUNT; t++) {
        answers->joined[t] = FW_ARRAY(arena, double, count + 1);
        answers->deviation[t] = FW_ARRAY(arena, double, count + 1);
        for (size_t r = 0; r < count; r++)
            answers->joined[t][r] = (double)NAN;
    }
    for (int t = 0; t < FW_BLEND_TARGET_JOULES; t++)
        answers->forest[t] = FW_ARRAY(arena, double, count + 1);
    answers->nearest = FW_ARRAY(arena, double, count + 1);
}

enum fw_status fw_blend_train(struct fw_blend *blend, struct fw_blend_answers *answers,
                              const struct fw_training_rows *rows,
                              const struct fw_train_settings_inside *settings,
                              struct fw_arena *arena, const struct fw_sink *sink)
{
    enum fw_status status = FW_OK;
    const size_t count = rows->rows.count;
    *blend = (struct fw_blend){.device = settings->device,
                               .level = LEVEL,
                               .deviation = FW_FOREST_DEVIATION,
                               .random = FW_BLEND_DEVIATION_RANDOM};
    open_answers(answers, count, arena);
    if (rows->families.count < 2) {
        fw_report(sink, FW_ERROR, "FOR006", (struct fw_span){0},
                  "there are launches of less than two files with a time: nothing can be held out");
        return FW_ERROR_INPUT;
    }
    for (int t = 0; t < FW_BLEND_TARGET_JOULES && !status; t++) {
        struct weighing work;
        struct fw_training_choice choice =
            fw_training_usual((enum fw_forest_target)t, settings->seed, settings->trees);
        choice.unlimited = true; /* the limit is the blend's */
        status =
            fw_cross_validate(answers->forest[t], t == FW_FOREST_SECONDS ? answers->nearest : NULL,
                              rows, &choice, arena, sink);
        if (status)
            break;
        open_weighing(&work, rows, answers, (enum fw_blend_target)t, arena);
        for (int k = 0; k < FW_BLEND_KIND_COUNT; k++)
            blend->weights[t][k] = best(&work, k, work.families);
        join_target(answers, &work, blend);
    }
    join_joules(answers, rows);
    for (int t = 0; t < FW_BLEND_TARGET_COUNT && !status; t++)
        status = find_bounds(blend, rows, answers, (enum fw_blend_target)t, arena);
    return status;
}
