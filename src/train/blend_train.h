/* Training of the model blend: weights by kind of launch, intervals by class.
 *
 * Takes rows (training_rows.h).  Forests that did not see a row's family predict it
 * (cross_validation.h); weights are those with the least mean error over families, which weigh the
 * same; intervals are from answers whose weights did not see the family either. */
#ifndef FW_BLEND_TRAIN_H
#define FW_BLEND_TRAIN_H

#include "conformal.h"
#include "train.h"

/* Answers for rows by what did not see their families. */
struct fw_blend_answers {
    double *forest[FW_BLEND_TARGET_JOULES];   /* by row; NAN: none */
    double *joined[FW_BLEND_TARGET_COUNT];    /* by row; NAN: none */
    double *deviation[FW_BLEND_TARGET_COUNT]; /* of these */
    double *nearest; /* by row: how far the nearest launch of another family is; INFINITY: none */
};

/* What was measured of a row, by target; NAN: nothing. */
double fw_blend_measured(const struct fw_training_row *row, enum fw_blend_target target);

/* The models' answers for row `r` of the rows; 0: none. */
void fw_blend_members(double answers[FW_BLEND_MEMBER_COUNT], const struct fw_training_row *row,
                      const struct fw_blend_answers *from, size_t r, enum fw_blend_target target);

/* Whether joules of a class have the bounds of its seconds and of its watts together: data decide
 * them, and less than FW_TRAIN_LEAST_FAMILIES families have both.  Of branches and trips errors are
 * those beyond the ends of what data usually decide, and of addresses all of them, so that bounds
 * of the one do not hold for the other. */
bool fw_blend_is_composed(const struct fw_training_rows *rows,
                          const struct fw_blend_answers *answers, enum fw_blend_target target,
                          enum fw_blend_class class, struct fw_arena *scratch);

/* Which residuals: of a group of classes, of rows that are judged or of those that are not.
 * Launches that data decide stand apart, and so do asynchronous ones: merged with another class,
 * intervals would hold for neither. */
struct fw_blend_which {
    enum fw_blend_group group;
    bool judged;
};

/* Residuals in deviations, with classes; their number. */
size_t fw_blend_errors(struct fw_conformal_row *errors, const struct fw_training_rows *rows,
                       const struct fw_blend_answers *answers, enum fw_blend_target target,
                       struct fw_blend_which which);

/* The same without classes that are composed: those that bounds are fitted to. */
size_t fw_blend_fitted_errors(struct fw_conformal_row *errors, const struct fw_training_rows *rows,
                              const struct fw_blend_answers *answers, enum fw_blend_target target,
                              struct fw_blend_which which, struct fw_arena *scratch);

/* The level of intervals of a group.  Between the extremes of 18 families the next one lies with
 * 89.5 %: of what data decide there are few, and that much counts as 90 %. */
static inline double fw_blend_level(const struct fw_blend *blend, enum fw_blend_group group)
{
    return group == FW_BLEND_GROUP_DATA ? blend->level - 0.01 : blend->level;
}

/* Whether bounds of a group are of one size on both sides.  Of asynchronous launches there are few
 * families too, but what they are off by has no side: the simulation is too low for some and too
 * high for others, and either bound by itself is the one family that it fails for. */
static inline bool fw_blend_is_even(enum fw_blend_group group)
{
    return group == FW_BLEND_GROUP_ASYNCHRONOUS;
}

/* Trains on all rows that are not judged.  `answers` lives in the arena, as the blend.
 * FW_ERROR_INPUT: FOR006. */
enum fw_status fw_blend_train(struct fw_blend *blend, struct fw_blend_answers *answers,
                              const struct fw_training_rows *rows,
                              const struct fw_train_settings_inside *settings,
                              struct fw_arena *arena, const struct fw_sink *sink);

/* Adds the report of what a trained blend is off by, as Markdown or JSON. */
void fw_blend_report(struct fw_buffer *out, const struct fw_blend *blend,
                     const struct fw_blend_answers *answers, const struct fw_training_rows *rows,
                     bool json);

#endif
