/* What launches near one in shares of watts are off by: a second correction of the watts that
 * energies give, beside that of trees.
 *
 * Trees divide launches by one feature after the other, and average what is left together. Launches
 * whose watts are of the same parts resemble each other whatever the feature, and of these there
 * are few.  A Gaussian process (src/num/process.h) finds them: the coordinates of a launch are the
 * shares of its watts by kind of event, and features that say how it runs. */
#ifndef FW_FOREST_NEAR_H
#define FW_FOREST_NEAR_H

#include "forest_basis.h"
#include "process.h"
#include "text.h"

enum {
    FW_FOREST_NEAR_FEATURES = 12,
    FW_FOREST_NEAR_MOST = 2000 /* points; of more launches, evenly many are taken */
};
enum { FW_FOREST_NEAR_COLUMNS = FW_FOREST_NEAR_FEATURES + FW_FOREST_DRAW_COUNT };

struct fw_forest_near {
    double scales[FW_FOREST_NEAR_FEATURES]; /* that features are multiplied by */
    struct fw_process process;              /* 0 points: there is none */
};

/* The features, in the order of the coordinates. */
enum fw_forest_feature fw_forest_near_feature(uint32_t number);

/* The scale of a feature of this standard deviation; 0 where it is 0. */
double fw_forest_near_scale(double deviation);

/* The coordinates of a launch, whose watts are the sum of energies. */
void fw_forest_near_place(double place[FW_FOREST_NEAR_COLUMNS], const struct fw_forest_near *near,
                          const struct fw_forest_basis *basis,
                          const double energies[FW_FOREST_DRAW_COUNT]);

/* The logarithm of the correction, from that of trees: the mean of both; that of trees alone where
 * there is no process. */
double fw_forest_near_join(const struct fw_forest_near *near, const struct fw_forest_basis *basis,
                           const double energies[FW_FOREST_DRAW_COUNT], double trees);

/* The bytes of the points, then of the weights: 4 for each number, as IEEE 754 has it, the lowest
 * first. */
size_t fw_forest_near_length(uint32_t points);
void fw_forest_near_write(struct fw_buffer *out, const struct fw_forest_near *near);

/* Reads them into the process, whose points and mean are set; arrays are the arena's.  False: a
 * number is not finite. */
bool fw_forest_near_read(struct fw_forest_near *near, const char *bytes, struct fw_arena *arena);

/* Adds the process as a function of C17, `name`, of an array of features in the order of `features`
 * and of draws. */
void fw_forest_near_write_c(struct fw_buffer *out, const struct fw_forest_near *near,
                            const double energies[FW_FOREST_DRAW_COUNT],
                            const enum fw_forest_feature *features, uint32_t count,
                            const char *name);

#endif
