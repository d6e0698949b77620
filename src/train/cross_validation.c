#include "cross_validation.h"

#include "energies.h"
#include "near.h"
#include "random.h"

#include <math.h>
#include <string.h>

#define RATIO_MOST 4.0 /* beyond it a weight does not change further */

enum { FOLDS = 10, QUICK_LEAF = 5 };

struct fw_training_choice fw_training_usual(enum fw_forest_target target, uint64_t seed,
                                            uint32_t trees)
{
    bool seconds = target == FW_FOREST_SECONDS;
    return (struct fw_training_choice){
        .target = target,
        .sets = seconds ? FW_FOREST_SET_LAUNCH | FW_FOREST_SET_MIX | FW_FOREST_SET_PHYSICS |
                              FW_FOREST_SET_ACCOUNT
                        : FW_FOREST_SET_ALL & ~(unsigned)FW_FOREST_SET_ACCOUNT,
        .near = true,
        .settings = {.criterion = seconds ? FW_FOREST_ABSOLUTE : FW_FOREST_SQUARED,
                     .trees = trees,
                     .leaf = seconds ? 10 : 2,
                     .seed = seed}};
}

struct fw_training_choice fw_training_of(enum fw_forest_ratio ratio, enum fw_forest_target target,
                                         uint64_t seed, uint32_t trees)
{
    struct fw_training_choice choice = fw_training_usual(target, seed, trees);
    choice.ratio = ratio;
    if (ratio == FW_FOREST_TO_NOTHING)
        choice.sets = FW_FOREST_SET_PAPER;
    if (ratio != FW_FOREST_TO_QUICK)
        return choice;
    choice.sets = FW_FOREST_SET_MIX | FW_FOREST_SET_LAUNCH | FW_FOREST_SET_QUICK;
    if (target == FW_FOREST_WATTS)
        choice.sets = FW_FOREST_SET_OF_QUICK;
    else
        choice.settings.leaf = QUICK_LEAF;
    return choice;
}

uint32_t fw_training_features(enum fw_forest_feature features[FW_FOREST_FEATURE_COUNT],
                              unsigned sets)
{
    uint32_t count = 0;
    for (int f = 0; f < FW_FOREST_FEATURE_COUNT; f++)
        if (fw_forest_feature_row((enum fw_forest_feature)f)->set & sets)
            features[count++] = (enum fw_forest_feature)f;
    return count;
}

bool fw_training_has(const struct fw_training_row *row, const struct fw_training_choice *choice)
{
    return row->measured[choice->target] > 0 &&
           (choice->ratio == FW_FOREST_TO_NOTHING ||
            fw_training_basis(row, choice->ratio)->target[choice->target] > 0);
}

/* A launch whose time data decide teaches nothing about how far the physical models are off, nor
 * does the time of an asynchronous one, of which the model traffic does not know what its threads
 * wait for. */
static bool teaches(const struct fw_training_row *row, const struct fw_training_choice *choice)
{
    if (choice->beyond > 0 && !(row->measured[FW_FOREST_SECONDS] < choice->beyond))
        return false;
    const bool is_other =
        choice->target == FW_FOREST_SECONDS && row->launch.kind == FW_BLEND_KIND_ASYNCHRONOUS;
    return fw_training_has(row, choice) &&
           (choice->ratio == FW_FOREST_TO_NOTHING || choice->leaning ||
            (!is_other && fw_forest_basis_is_corrected(&row->basis, choice->target)));
}

/* Errors are judged by the share of what was measured: where the measured value is twice the basis,
 * a factor that is off counts half as much. */
static double weight_of(double ratio)
{
    return 1 / fmin(fmax(ratio, 1 / RATIO_MOST), RATIO_MOST);
}

/* Marks rows that are trained on; of a family with too many, so many at random. */
static void choose(bool *chosen, const struct fw_training_rows *rows,
                   const struct fw_training_choice *choice, const bool *left_out,
                   struct fw_arena *scratch)
{
    struct fw_random random = {choice->settings.seed};
    uint32_t *left = FW_ARRAY(scratch, uint32_t, rows->families.count + 1);
    uint32_t *taken = FW_ARRAY(scratch, uint32_t, rows->families.count + 1);
    for (size_t r = 0; r < rows->rows.count; r++) {
        const struct fw_training_row *row = &rows->rows.at[r];
        chosen[r] = !row->judged && !(left_out && left_out[r]) && teaches(row, choice);
        left[row->family] += chosen[r];
    }
    for (size_t r = 0; r < rows->rows.count && choice->most; r++) {
        const uint32_t family = rows->rows.at[r].family;
        if (!chosen[r])
            continue;
        uint32_t wanted = choice->most - taken[family];
        chosen[r] = fw_random_between(&random, 1, left[family]--) <= wanted;
        taken[family] += chosen[r];
    }
}

/* What each row that is trained on weighs: the square root of its family's number; 0: none. */
static double *weigh(const struct fw_training_rows *rows, const struct fw_training_choice *choice,
                     const bool *left_out, struct fw_arena *scratch)
{
    double *weights = FW_ARRAY(scratch, double, rows->rows.count + 1);
    double *of_family = FW_ARRAY(scratch, double, rows->families.count + 1);
    bool *chosen = FW_ARRAY(scratch, bool, rows->rows.count + 1);
    choose(chosen, rows, choice, left_out, scratch);
    for (size_t r = 0; r < rows->rows.count; r++)
        of_family[rows->rows.at[r].family] += chosen[r];
    for (size_t r = 0; r < rows->rows.count; r++)
        weights[r] = chosen[r] ? 1 / sqrt(of_family[rows->rows.at[r].family]) : 0;
    return weights;
}

static bool has_near(const struct fw_training_choice *choice)
{
    return choice->near && choice->ratio == FW_FOREST_TO_MODELS && !choice->plain;
}

/* Weighs rows for the share of what was measured by which errors are judged. */
static void weigh_by_share(double *weights, const struct fw_training_rows *rows,
                           const struct fw_training_choice *choice)
{
    for (size_t r = 0; r < rows->rows.count; r++) {
        const struct fw_training_row *row = &rows->rows.at[r];
        if (weights[r] > 0 && choice->ratio != FW_FOREST_TO_NOTHING &&
            choice->target == FW_FOREST_SECONDS)
            weights[r] *= weight_of(row->measured[choice->target] /
                                    fw_training_basis(row, choice->ratio)->target[choice->target]);
    }
}

/* `weights`: by share.  `shared`: a fit to all rows, from which those of the fold are taken out;
 * NULL: there is none. */
static enum fw_status find_near(struct fw_forest_near *near, const struct fw_training_rows *rows,
                                const struct fw_training_choice *choice, const bool *left_out,
                                const double *weights, const double energies[FW_FOREST_DRAW_COUNT],
                                const struct fw_training_near *shared, struct fw_arena *arena)
{
    struct fw_training_near own;
    *near = (struct fw_forest_near){0};
    if (!has_near(choice))
        return FW_OK;
    if (shared)
        return fw_training_near_take(near, shared, left_out, arena);
    enum fw_status status =
        fw_training_near_fit(&own, rows, weights, choice->target, energies, choice->kernels, arena);
    return status ? status : fw_training_near_take(near, &own, NULL, arena);
}

enum fw_status fw_training_near_find(struct fw_forest_near *near,
                                     const struct fw_training_rows *rows,
                                     const struct fw_training_choice *choice, const bool *in_fold,
                                     struct fw_arena *arena)
{
    double energies[FW_FOREST_DRAW_COUNT] = {0};
    double *weights = weigh(rows, choice, in_fold, arena);
    if (choice->target == FW_FOREST_WATTS && choice->ratio != FW_FOREST_TO_NOTHING)
        fw_training_energies(energies, rows, weights, choice->ratio);
    weigh_by_share(weights, rows, choice);
    return find_near(near, rows, choice, in_fold, weights, energies, NULL, arena);
}

/* `near`: found before; NULL: find_near has `shared`. */
static enum fw_status grow(struct fw_training_grown *grown, const struct fw_training_rows *rows,
                           const struct fw_training_choice *choice, const bool *left_out,
                           const struct fw_training_near *shared, const struct fw_forest_near *near,
                           struct fw_arena *arena, const struct fw_sink *sink)
{
    enum fw_forest_feature features[FW_FOREST_FEATURE_COUNT];
    const uint32_t count = fw_training_features(features, choice->sets);
    const size_t all = rows->rows.count;
    double *x = FW_ARRAY(arena, double, all *count), *y = FW_ARRAY(arena, double, all);
    double *weights = weigh(rows, choice, left_out, arena);
    enum fw_status status = FW_OK;
    size_t used = 0;
    *grown = (struct fw_training_grown){0};
    if (choice->target == FW_FOREST_WATTS && choice->ratio != FW_FOREST_TO_NOTHING)
        fw_training_energies(grown->energies, rows, weights, choice->ratio);
    weigh_by_share(weights, rows, choice);
    if (near)
        grown->near = *near;
    else
        status = find_near(&grown->near, rows, choice, left_out, weights, grown->energies, shared,
                           arena);
    for (size_t r = 0; r < all; r++) {
        const struct fw_training_row *row = &rows->rows.at[r];
        if (!(weights[r] > 0))
            continue;
        const struct fw_forest_basis *of = fw_training_basis(row, choice->ratio);
        double basis = choice->ratio == FW_FOREST_TO_NOTHING
                           ? 1
                           : fw_forest_basis_of(of, choice->target, grown->energies);
        fw_forest_basis_features(x + used * count, of, grown->energies, features, count);
        y[used] =
            log((choice->ratio == FW_FOREST_TO_NOTHING ? row->measured[choice->target]
                                                       : fw_training_taught(row, choice->target)) /
                basis);
        weights[used++] = weights[r];
    }
    const struct fw_forest_data data = {used, count, x, y, weights};
    return status ? status : fw_forest_train(&grown->forest, &data, &choice->settings, sink);
}

enum fw_status fw_training_grow(struct fw_training_grown *grown,
                                const struct fw_training_rows *rows,
                                const struct fw_training_choice *choice, const bool *left_out,
                                struct fw_arena *arena, const struct fw_sink *sink)
{
    return grow(grown, rows, choice, left_out, NULL, NULL, arena, sink);
}

/* Folds of rows: their family, a tenth, or each its own. */
static uint32_t find_folds(uint32_t *folds, const struct fw_training_rows *rows,
                           const struct fw_training_choice *choice)
{
    struct fw_random random = {choice->settings.seed};
    for (size_t r = 0; r < rows->rows.count && choice->beyond > 0; r++)
        folds[r] = rows->rows.at[r].measured[FW_FOREST_SECONDS] >= 10 * choice->beyond ? 0U : 1U;
    for (size_t r = 0; r < rows->rows.count && choice->alone; r++)
        folds[r] = (uint32_t)r;
    if (choice->beyond > 0 || choice->alone)
        return choice->alone ? (uint32_t)rows->rows.count : 1;
    for (size_t r = 0; r < rows->rows.count; r++)
        folds[r] = choice->random ? (uint32_t)fw_random_between(&random, 0, FOLDS - 1)
                                  : rows->rows.at[r].family;
    return choice->random ? FOLDS : (uint32_t)rows->families.count;
}

/* What a row is predicted by: the logarithm of what its basis is multiplied by; and how far the
 * nearest launch is that was trained on. */
struct correction {
    double basis, trees, near, distance;
};

static struct correction correction(const struct fw_training_grown *grown,
                                    const struct fw_training_row *row,
                                    const struct fw_training_choice *choice,
                                    const enum fw_forest_feature *features, uint32_t count)
{
    struct correction found = {.basis = 1, .distance = INFINITY};
    const uint32_t kernel = grown->near.process.groups ? row->kernel : FW_PROCESS_NO_GROUP;
    double x[FW_FOREST_FEATURE_COUNT];
    const struct fw_forest_basis *of = fw_training_basis(row, choice->ratio);
    if (choice->ratio != FW_FOREST_TO_NOTHING)
        found.basis = fw_forest_basis_of(of, choice->target, grown->energies);
    if (choice->plain)
        return found;
    fw_forest_basis_features(x, of, grown->energies, features, count);
    found.trees = found.near = fw_forest_predict(grown->forest, x);
    if (grown->near.process.points)
        found.near =
            fw_forest_near_at(&found.distance, &grown->near, &row->basis, grown->energies, kernel);
    if (choice->ratio == FW_FOREST_TO_MODELS && !choice->leaning &&
        !fw_forest_basis_is_corrected(&row->basis, choice->target))
        found.trees = found.near = 0;
    return found;
}

/* By each of the shares that launches near have in the correction: predictions of the fold; and how
 * far these launches are (NULL: nobody asks). */
static enum fw_status predict_fold(double *const predictions[], const double shares[],
                                   size_t share_count, double *distances,
                                   const struct fw_training_rows *rows,
                                   const struct fw_training_choice *choice, const bool *in_fold,
                                   const struct fw_training_near *shared,
                                   const struct fw_forest_near *near, struct fw_arena *scratch,
                                   const struct fw_sink *sink)
{
    enum fw_forest_feature features[FW_FOREST_FEATURE_COUNT];
    const uint32_t count = fw_training_features(features, choice->sets);
    struct fw_training_grown grown;
    enum fw_status status = grow(&grown, rows, choice, in_fold, shared, near, scratch, sink);
    for (size_t r = 0; r < rows->rows.count && !status; r++) {
        const struct fw_training_row *row = &rows->rows.at[r];
        if (!in_fold[r] || !fw_training_has(row, choice))
            continue;
        struct correction by = correction(&grown, row, choice, features, count);
        if (distances)
            distances[r] = by.distance;
        for (size_t s = 0; s < share_count; s++) {
            double factor = exp((1 - shares[s]) * by.trees + shares[s] * by.near);
            predictions[s][r] =
                choice->ratio == FW_FOREST_TO_NOTHING ? factor
                : choice->unlimited
                    ? by.basis * factor
                    : fw_forest_basis_corrected(fw_training_basis(row, choice->ratio),
                                                choice->target, by.basis, factor);
        }
    }
    fw_forest_free(grown.forest);
    return status;
}

enum fw_status fw_training_predict(double *const predictions[], const double shares[],
                                   size_t share_count, const struct fw_training_rows *rows,
                                   const struct fw_training_choice *choice, const bool *in_fold,
                                   const struct fw_forest_near *near, struct fw_arena *scratch,
                                   const struct fw_sink *sink)
{
    return predict_fold(predictions, shares, share_count, NULL, rows, choice, in_fold, NULL, near,
                        scratch, sink);
}

/* The fit that folds share: of families, whose weights are the same whichever is left out, or of
 * launches alone, where they hardly change, with a basis that no fold changes.  False: folds have
 * their own. */
static bool share_near(struct fw_training_near *shared, enum fw_status *status,
                       const struct fw_training_rows *rows, const struct fw_training_choice *choice,
                       struct fw_arena *scratch)
{
    static const double none[FW_FOREST_DRAW_COUNT];
    if (!has_near(choice) || choice->target != FW_FOREST_SECONDS || choice->random ||
        choice->beyond > 0 || (choice->most && !choice->alone))
        return false;
    double *weights = weigh(rows, choice, NULL, scratch);
    weigh_by_share(weights, rows, choice);
    *status =
        fw_training_near_fit(shared, rows, weights, choice->target, none, choice->kernels, scratch);
    return true;
}

enum fw_status fw_cross_validate(double *predictions, double *distances,
                                 const struct fw_training_rows *rows,
                                 const struct fw_training_choice *choice, struct fw_arena *scratch,
                                 const struct fw_sink *sink)
{
    const size_t all = rows->rows.count;
    uint32_t *folds = FW_ARRAY(scratch, uint32_t, all);
    bool *in_fold = FW_ARRAY(scratch, bool, all);
    const uint32_t count = find_folds(folds, rows, choice);
    enum fw_status status = FW_OK;
    struct fw_training_near near;
    const double half = 0.5; /* as fw_forest_near_join has it */
    const struct fw_training_near *shared =
        share_near(&near, &status, rows, choice, scratch) ? &near : NULL;
    for (size_t r = 0; r < all; r++)
        predictions[r] = (double)NAN;
    for (size_t r = 0; r < all && distances; r++)
        distances[r] = (double)INFINITY;
    for (uint32_t fold = 0; fold < count && !status; fold++) {
        struct fw_arena_mark mark = fw_arena_mark(scratch);
        bool any = false;
        for (size_t r = 0; r < all; r++) {
            in_fold[r] = folds[r] == fold;
            any |= in_fold[r] && fw_training_has(&rows->rows.at[r], choice) &&
                   !(choice->alone && rows->rows.at[r].judged);
        }
        if (any)
            status = predict_fold(&predictions, &half, 1, distances, rows, choice, in_fold, shared,
                                  NULL, scratch, sink);
        fw_arena_release(scratch, mark);
    }
    return status;
}
