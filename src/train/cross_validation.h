/* Forests tried on rows that they were not trained on.
 *
 * Takes rows; gives the factor for each row by a forest that saw nothing of its family (the honest
 * figure for new kernels) or, to show how much that flatters, nothing of a tenth of the rows drawn
 * at random. */
#ifndef FW_CROSS_VALIDATION_H
#define FW_CROSS_VALIDATION_H

#include "forest.h"
#include "forest_near.h"
#include "training_rows.h"

struct fw_training_choice {
    enum fw_forest_target target;
    unsigned sets;              /* of features: enum fw_forest_set */
    enum fw_forest_ratio ratio; /* what trees predict */
    bool plain;                 /* the basis, which is trained for watts, and no trees */
    bool near;                  /* launches near one correct it beside the trees */
    bool kernels;   /* of which those of its kernel are alike also where they are not near */
    bool random;    /* folds are tenths at random, not families */
    bool alone;     /* folds are rows, each alone (leave-one-out) */
    bool leaning;   /* launches whose time data decide are trained on, too */
    bool unlimited; /* predicted watts do not end at the board's limit */
    uint32_t most;  /* rows of a family that are trained on, drawn at random; 0: all */
    double beyond;  /* above 0: trained on launches of less seconds, predicts those of at least ten
                       times as many; nothing else is a fold */
    struct fw_forest_settings settings;
};

/* What `forewarp train` uses for a target. */
struct fw_training_choice fw_training_usual(enum fw_forest_target target, uint64_t seed,
                                            uint32_t trees);

/* What it uses for trees of each kind: those that predict the target itself have counted features,
 * those of the quick basis what comes with it. */
struct fw_training_choice fw_training_of(enum fw_forest_ratio ratio, enum fw_forest_target target,
                                         uint64_t seed, uint32_t trees);

/* The features of sets, in their order; their number. */
uint32_t fw_training_features(enum fw_forest_feature features[FW_FOREST_FEATURE_COUNT],
                              unsigned sets);

/* What is trained. */
struct fw_training_grown {
    struct fw_forest *forest;              /* the caller's: fw_forest_free */
    double energies[FW_FOREST_DRAW_COUNT]; /* of watts: whose sum it corrects (else 0) */
    struct fw_forest_near near;            /* its points are the arena's */
};

/* A forest, and of watts the energies and what corrects beside it, of all rows with the target
 * that are not judged, but for those of a fold: `left_out` NULL, or true by row.  Each family
 * weighs the square root of its rows, and each row less the more its measured value is above the
 * basis, because errors are judged by their share of it.  Launches whose time depends on what data
 * decide are not trained on.  FW_ERROR_INPUT: no row is left. */
enum fw_status fw_training_grow(FW_GIVE struct fw_training_grown *grown,
                                const struct fw_training_rows *rows,
                                const struct fw_training_choice *choice, const bool *left_out,
                                struct fw_arena *arena, const struct fw_sink *sink);

/* Predictions, in seconds or watts, of rows by forests that did not see their fold; NAN for rows
 * without the target.  `distances` (may be NULL): how far the nearest launch outside of the fold is
 * that was trained on, in lengths of forest_near.h; INFINITY: there is none. */
enum fw_status fw_cross_validate(double *predictions, double *distances,
                                 const struct fw_training_rows *rows,
                                 const struct fw_training_choice *choice, struct fw_arena *scratch,
                                 const struct fw_sink *sink);

/* The launches near one that correct it, of the rows that are not in `in_fold`: the same whatever
 * settings trees have.  Without points where the choice has none.  All is the arena's. */
enum fw_status fw_training_near_find(struct fw_forest_near *near,
                                     const struct fw_training_rows *rows,
                                     const struct fw_training_choice *choice, const bool *in_fold,
                                     struct fw_arena *arena);

/* Predictions of the rows in `in_fold` by a forest that did not see them, in the array of each of
 * the shares (0 to 1) that launches near have in the correction beside trees; those of other rows
 * stay.  Without launches near all shares give the same.  `near`: as found for the same fold
 * before; NULL: is found here. */
enum fw_status fw_training_predict(double *const predictions[], const double shares[],
                                   size_t share_count, const struct fw_training_rows *rows,
                                   const struct fw_training_choice *choice, const bool *in_fold,
                                   const struct fw_forest_near *near, struct fw_arena *scratch,
                                   const struct fw_sink *sink);

/* Whether the row has the target: measured and, where trees predict a ratio, a basis. */
bool fw_training_has(const struct fw_training_row *row, const struct fw_training_choice *choice);

#endif
