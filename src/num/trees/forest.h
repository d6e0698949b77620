/* Forests of regression trees: extremely randomized trees (Geurts, Ernst and Wehenkel, Extremely
 * randomized trees, Machine Learning 63, 2006) and random forests (Breiman, Random forests, Machine
 * Learning 45, 2001).
 *
 * Takes rows of features with a target and a weight each; gives a forest that predicts the target
 * of a row.  The definitions are those of scikit-learn, so that the two can be compared: features
 * are rounded to 32 bits, a row goes left where its feature is at most the cut, each candidate
 * feature of an extremely randomized tree gets one cut, uniform between the least and the greatest
 * value in the node, and constant features count among the candidates that were looked at.
 *
 * The same data, settings and seed give the same forest, bit for bit, on any number of threads and
 * any processor; one row alone gets the same prediction as among many.  Knows nothing of what
 * features mean. */
#ifndef FW_FOREST_H
#define FW_FOREST_H

#include "diagnostic.h"

#include <stdbool.h>

enum { FW_FOREST_FEATURES_MOST = 254, FW_FOREST_TREES_MOST = 4096 };

enum fw_forest_kind {
    FW_FOREST_EXTRA,    /* all rows for each tree, cuts at random */
    FW_FOREST_BOOTSTRAP /* a sample of the rows with replacement, the best cuts */
};

enum fw_forest_criterion {
    FW_FOREST_SQUARED, /* leaves are means */
    FW_FOREST_ABSOLUTE /* leaves are medians */
};

/* Candidate features of a split, of F. */
enum fw_forest_candidates { FW_FOREST_ALL, FW_FOREST_SQRT, FW_FOREST_LOG2 };

struct fw_forest_data {
    size_t rows, features;
    const double *x;       /* by rows: rows times features, finite as floats */
    const double *y;       /* finite */
    const double *weights; /* >= 0, one of them above 0; NULL: 1 each */
};

struct fw_forest_settings {
    enum fw_forest_kind kind;
    enum fw_forest_criterion criterion;
    enum fw_forest_candidates candidates;
    uint32_t trees;
    uint32_t depth;   /* of a leaf, at most; 0: no limit */
    uint32_t leaf;    /* rows of a leaf, at least; 0: 1 */
    uint32_t split;   /* rows of a node that is split, at least; 0: 2 */
    uint32_t threads; /* 0: as many as there are processors */
    uint64_t seed;
};

/* One node, 8 bytes.  Children stand side by side: the left one at 2 * (link >> 8).  The low byte
 * of the link is the feature; of a leaf it is a mark, `cut` is its value, and its own pair is its
 * children's (forest_predict.c says why). */
struct fw_forest_node {
    float cut;
    uint32_t link;
};

struct fw_forest;

/* Grows a forest.  FW_ERROR_INPUT with TREE001 (a feature is not finite), TREE002 (a target is not
 * finite), TREE003 (weights), TREE004 (no rows, no features, too many); FW_ERROR_USAGE with TREE005
 * (settings); FW_ERROR_MEMORY. */
enum fw_status fw_forest_train(FW_GIVE struct fw_forest **forest, const struct fw_forest_data *data,
                               const struct fw_forest_settings *settings,
                               const struct fw_sink *sink);
void fw_forest_free(FW_TAKE struct fw_forest *forest);

/* The prediction of one row of as many features as the forest was trained with; NAN: one of them is
 * not finite. */
double fw_forest_predict(const struct fw_forest *forest, const double *row);

/* Predictions of many rows, by rows; the same numbers.  FW_ERROR_MEMORY. */
enum fw_status fw_forest_predict_many(double *predictions, const struct fw_forest *forest,
                                      const double *x, size_t rows, uint32_t threads);

/* What it is made of. */
struct fw_forest_shape {
    size_t trees, features, nodes, leaves;
    double depth; /* of a leaf, the mean over trees of their deepest */
};
void fw_forest_describe(struct fw_forest_shape *shape, const struct fw_forest *forest);

/* The shares of features in what splits gained (`features` numbers that add up to 1, or all 0 where
 * no tree has a split): scikit-learn's impurity-based importance.  A forest that was read from a
 * file keeps them. */
const double *fw_forest_importance(const struct fw_forest *forest);

/* By how much the mean absolute error over the rows grows when a feature's values are permuted
 * among them: the mean of `repeats` permutations, one number a feature.  FW_ERROR_INPUT as of
 * training, FW_ERROR_MEMORY. */
enum fw_status fw_forest_permutation(double *growth, const struct fw_forest *forest,
                                     const struct fw_forest_data *data, uint32_t repeats,
                                     uint64_t seed, uint32_t threads, const struct fw_sink *sink);

#endif
