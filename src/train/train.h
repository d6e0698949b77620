/* Training: forests of a device with their intervals, and how good they are.
 *
 * Takes rows (training_rows.h).  Gives the file of the model forest, and a report of what
 * predictions are off by, leaving families out. */
#ifndef FW_TRAIN_H
#define FW_TRAIN_H

#include "conformal.h"
#include "cross_validation.h"
#include "forest_bundle.h"
#include "nested_validation.h"

struct fw_train_settings_inside {
    const char *device;
    uint64_t seed;
    uint32_t trees;
    uint32_t
        nested; /* evaluating: iterations of nested cross-validation, and leave-one-out; 0: no */
    bool nested_only;           /* its folds, and nothing else */
    enum fw_forest_ratio ratio; /* training: what trees predict */
};

enum { FW_TRAIN_LEAST_FAMILIES = 20 };

/* What predictions of cross-validation are off by, as logarithms by deviations (forest_basis.h), of
 * rows that are not judged; their number.  `distances`: to the nearest launch of another family.  A
 * class of launches that data decide, with less families than that, is left out (false in `kept`):
 * merged with others its interval would not hold, and would widen theirs.  `ratio`: of trees
 * that do not correct the models traffic and trace errors are logarithms as they are, and a launch
 * is short by its predicted seconds, as when it is asked for. */
size_t fw_train_errors(struct fw_conformal_row *errors, bool kept[FW_FOREST_CLASS_COUNT],
                       const double *predictions, const double *distances,
                       const struct fw_training_rows *rows, enum fw_forest_target target,
                       enum fw_forest_ratio ratio, struct fw_arena *scratch);

/* Trains on all rows that are not judged; the intervals are from leaving each family out.  The
 * bundle's forests are the caller's. */
enum fw_status fw_train(struct fw_forest_bundle *bundle, const struct fw_training_rows *rows,
                        const struct fw_train_settings_inside *settings, struct fw_arena *arena,
                        const struct fw_sink *sink);

/* Adds the report: Markdown, or JSON. */
enum fw_status fw_train_evaluate(struct fw_buffer *out, const struct fw_training_rows *rows,
                                 const struct fw_train_settings_inside *settings, bool json,
                                 const struct fw_sink *sink);

/* Adds rows that are not judged as CSV, a line each: name, family, class; seconds and watts as
 * measured, of the basis, and predicted by forests that did not see the family (empty: there are
 * none); then features, by name. */
enum fw_status fw_train_table(struct fw_buffer *out, const struct fw_training_rows *rows,
                              const struct fw_train_settings_inside *settings,
                              const struct fw_sink *sink);

/* Adds the plots of the same predictions, as SVG: predicted over measured, errors, importance. */
enum fw_status fw_train_plot(struct fw_buffer *out, const struct fw_training_rows *rows,
                             const struct fw_train_settings_inside *settings,
                             const struct fw_sink *sink);

#endif
