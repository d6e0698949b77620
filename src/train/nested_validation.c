#include "nested_validation.h"

#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST = 5,
    STRATA = 3,
    INNER_FOLDS = 3,
    TREES = 6,
    SHARES = 3,
    GRID = TREES * SHARES,
    NO_FOLD = FW_NESTED_FOLDS
};

/* One division of rows: by row its fold; NO_FOLD: never predicted. */
struct division {
    const struct fw_training_rows *rows;
    const struct fw_training_choice *choice;
    uint32_t *folds;
    bool *in_fold;
    double *predictions[SHARES];
    struct fw_arena *scratch;
    const struct fw_sink *sink;
};

struct timed {
    double seconds;
    uint32_t row;
};

static int longest_first(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds > y->seconds ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static int stratum_of(double seconds)
{
    return seconds < 1e-3 ? 0 : seconds < 100e-3 ? 1 : 2;
}

/* Shuffles rows, and deals those of each stratum round. */
static void divide(struct division *division, uint64_t seed)
{
    const size_t all = division->rows->rows.count;
    struct timed *timed = FW_ARRAY(division->scratch, struct timed, all);
    struct fw_random random = {seed};
    uint32_t dealt[STRATA] = {0, 1, 2};
    size_t count = 0;
    for (uint32_t r = 0; r < all; r++) {
        const struct fw_training_row *row = &division->rows->rows.at[r];
        division->folds[r] = NO_FOLD;
        if (!row->judged && fw_training_has(row, division->choice))
            timed[count++] = (struct timed){row->measured[FW_FOREST_SECONDS], r};
    }
    qsort(timed, count, sizeof(*timed), longest_first);
    for (size_t n = count; n > LONGEST + 1; n--) {
        size_t other = LONGEST + (size_t)fw_random_between(&random, 0, (int64_t)n - 1 - LONGEST);
        struct timed kept = timed[n - 1];
        timed[n - 1] = timed[other];
        timed[other] = kept;
    }
    for (size_t n = LONGEST; n < count; n++)
        division->folds[timed[n].row] = dealt[stratum_of(timed[n].seconds)]++ % FW_NESTED_FOLDS;
}

/* What launches near have in a correction beside trees. */
static const double shares[SHARES] = {0, 0.5, 1};

/* The combination `number` of criterion and candidates. */
static struct fw_training_choice combination(const struct fw_training_choice *from, int number)
{
    struct fw_training_choice choice = *from;
    choice.settings.criterion = number % 2 ? FW_FOREST_ABSOLUTE : FW_FOREST_SQUARED;
    choice.settings.candidates = (enum fw_forest_candidates)(number / 2);
    return choice;
}

/* By share the mean error of the rows in `in_fold` that `counted` holds (NULL: all), predicted by a
 * forest of the rest, and by the launches near one among these. */
static enum fw_status score(double means[SHARES], struct division *division,
                            const struct fw_training_choice *choice,
                            const struct fw_forest_near *near, const bool *counted)
{
    const struct fw_training_rows *rows = division->rows;
    struct fw_arena_mark mark = fw_arena_mark(division->scratch);
    size_t count = 0;
    enum fw_status status =
        fw_training_predict(division->predictions, shares, SHARES, rows, choice, division->in_fold,
                            near, division->scratch, division->sink);
    for (int s = 0; s < SHARES; s++)
        means[s] = 0;
    for (size_t r = 0; r < rows->rows.count && !status; r++) {
        const struct fw_training_row *row = &rows->rows.at[r];
        if (!division->in_fold[r] || (counted && !counted[r]) || row->judged ||
            !fw_training_has(row, choice))
            continue;
        for (int s = 0; s < SHARES; s++)
            means[s] += fabs(division->predictions[s][r] / row->measured[choice->target] - 1);
        count++;
    }
    for (int s = 0; s < SHARES; s++)
        means[s] /= count ? (double)count : 1;
    fw_arena_release(division->scratch, mark);
    return status;
}

static void take_fold(struct division *division, uint32_t fold)
{
    for (size_t r = 0; r < division->rows->rows.count; r++)
        division->in_fold[r] = division->folds[r] == fold;
}

/* Scores of the fold that is taken, by combination: launches near one are found once for all. */
static enum fw_status score_all(double scores[GRID], struct division *division, bool half,
                                const bool *counted)
{
    struct fw_forest_near near;
    struct fw_arena_mark mark = fw_arena_mark(division->scratch);
    enum fw_status status = fw_training_near_find(&near, division->rows, division->choice,
                                                  division->in_fold, division->scratch);
    for (int c = 0; c < TREES && !status; c++) {
        struct fw_training_choice choice = combination(division->choice, c);
        if (half)
            choice.settings.trees = (choice.settings.trees + 1) / 2;
        status = score(scores + c * SHARES, division, &choice, &near, counted);
    }
    fw_arena_release(division->scratch, mark);
    return status;
}

static int least_of(const double sums[GRID])
{
    int best = 0;
    for (int c = 1; c < GRID; c++)
        if (sums[c] < sums[best])
            best = c;
    return best;
}

/* The combination that is the best within the rows outside of `fold`, by folds of them. */
static enum fw_status choose_within(int *best, struct division *division, uint32_t fold)
{
    const size_t all = division->rows->rows.count;
    double sums[GRID] = {0};
    bool *counted = FW_ARRAY(division->scratch, bool, all);
    for (uint32_t inner = 0; inner < INNER_FOLDS; inner++) {
        double parts[GRID];
        uint32_t number = 0;
        for (size_t r = 0; r < all; r++) {
            bool inside = division->folds[r] != fold && division->folds[r] != NO_FOLD;
            counted[r] = inside && number++ % INNER_FOLDS == inner;
            division->in_fold[r] = counted[r] || division->folds[r] == fold;
        }
        enum fw_status status = score_all(parts, division, true, counted);
        if (status)
            return status;
        for (int c = 0; c < GRID; c++)
            sums[c] += parts[c];
    }
    *best = least_of(sums);
    return FW_OK;
}

/* Scores of all folds: by the combination that is the best on them, and by those that are the best
 * within the rows that are trained on. */
static enum fw_status nest(double *flattering, double *proper, struct division *division)
{
    double scores[FW_NESTED_FOLDS][GRID], sums[GRID] = {0};
    for (uint32_t fold = 0; fold < FW_NESTED_FOLDS; fold++) {
        int within = 0;
        enum fw_status status = choose_within(&within, division, fold);
        take_fold(division, fold);
        if (!status)
            status = score_all(scores[fold], division, false, NULL);
        if (status)
            return status;
        proper[fold] = scores[fold][within];
        for (int c = 0; c < GRID; c++)
            sums[c] += scores[fold][c];
    }
    for (uint32_t fold = 0; fold < FW_NESTED_FOLDS; fold++)
        flattering[fold] = scores[fold][least_of(sums)];
    return FW_OK;
}

enum fw_status fw_nested_validate(double *flattering, double *proper,
                                  const struct fw_training_rows *rows,
                                  const struct fw_training_choice *choice, uint32_t iterations,
                                  struct fw_arena *scratch, const struct fw_sink *sink)
{
    const size_t all = rows->rows.count;
    struct fw_training_choice seeded = *choice;
    struct division division = {.rows = rows,
                                .choice = &seeded,
                                .folds = FW_ARRAY(scratch, uint32_t, all),
                                .in_fold = FW_ARRAY(scratch, bool, all),
                                .scratch = scratch,
                                .sink = sink};
    enum fw_status status = FW_OK;
    for (int s = 0; s < SHARES; s++)
        division.predictions[s] = FW_ARRAY(scratch, double, all);
    for (uint32_t i = 0; i < iterations && !status; i++) {
        struct fw_arena_mark mark = fw_arena_mark(scratch);
        seeded.settings.seed = choice->settings.seed + i;
        divide(&division, seeded.settings.seed);
        status = nest(flattering + i * FW_NESTED_FOLDS, proper + i * FW_NESTED_FOLDS, &division);
        fw_arena_release(scratch, mark);
    }
    return status;
}
