/* What launches near one are off by: a second correction of the seconds and of the watts, beside
 * that of trees.
 *
 * Trees divide launches by one feature after the other, and average what is left together. Launches
 * that resemble each other in all features at once are few, and a Gaussian process
 * (src/num/process.h) finds them.  The coordinates of a launch are, for the seconds, the features
 * that trees have, but for the traffic model's terms: how it is launched, its instructions by
 * group, and the shares of the trace model's account; for the watts, the shares of kinds of events
 * in them, and features that say how it runs. */
#ifndef FW_FOREST_NEAR_H
#define FW_FOREST_NEAR_H

#include "forest_basis.h"
#include "process.h"
#include "text.h"

enum {
    FW_FOREST_NEAR_FEATURES = 15, /* at most, beside shares */
    FW_FOREST_NEAR_COLUMNS = FW_FOREST_NEAR_FEATURES + FW_FOREST_DRAW_COUNT, /* at most */
    FW_FOREST_NEAR_MOST = 2000 /* points; of more launches, evenly many are taken */
};

struct fw_forest_near {
    enum fw_forest_target target;
    double scales[FW_FOREST_NEAR_FEATURES]; /* that features are multiplied by */
    struct fw_process process;              /* 0 points: there is none */
};

/* The features of a target, in the order of the coordinates, before shares; their number. */
uint32_t fw_forest_near_features(const enum fw_forest_feature **features,
                                 enum fw_forest_target target);

/* The number of coordinates. */
uint32_t fw_forest_near_columns(enum fw_forest_target target);

/* The scale of a feature of this standard deviation; 0 where it is 0. */
double fw_forest_near_scale(double deviation);

/* The coordinates of a launch; `energies` are those whose sum its watts are. */
void fw_forest_near_place(double place[FW_FOREST_NEAR_COLUMNS], const struct fw_forest_near *near,
                          const struct fw_forest_basis *basis,
                          const double energies[FW_FOREST_DRAW_COUNT]);

/* The logarithm of the correction by launches near alone, of which there are points.  `kernel`: of
 * a process whose points stand in groups by kernels; else FW_PROCESS_NO_GROUP.  `nearest` (may be
 * NULL): how far the nearest of them is, in lengths of the covariance; INFINITY: there are none. */
double fw_forest_near_at(double *nearest, const struct fw_forest_near *near,
                         const struct fw_forest_basis *basis,
                         const double energies[FW_FOREST_DRAW_COUNT], uint32_t kernel);

/* The logarithm of the correction, from that of trees: the mean of both; that of trees alone where
 * there is no process.  `nearest`: as of fw_forest_near_at. */
double fw_forest_near_join(double *nearest, const struct fw_forest_near *near,
                           const struct fw_forest_basis *basis,
                           const double energies[FW_FOREST_DRAW_COUNT], uint32_t kernel,
                           double trees);

/* The bytes of the points, then of the weights: 4 for each number, as IEEE 754 has it, the lowest
 * first. */
size_t fw_forest_near_length(uint32_t points, enum fw_forest_target target);
void fw_forest_near_write(struct fw_buffer *out, const struct fw_forest_near *near);

/* Reads them into the process, whose points and mean are set, as is the target; arrays are the
 * arena's.  False: a number is not finite. */
bool fw_forest_near_read(struct fw_forest_near *near, const char *bytes, struct fw_arena *arena);

/* Adds the process as a function of C17, `name`, of an array of features in the order of `features`
 * and, for watts, of draws. */
void fw_forest_near_write_c(struct fw_buffer *out, const struct fw_forest_near *near,
                            const double energies[FW_FOREST_DRAW_COUNT],
                            const enum fw_forest_feature *features, uint32_t count,
                            const char *name);

#endif
