/* Rows to train forests on: launches of lists, what the physical models predict of them, and what a
 * device did.
 *
 * Takes lists of launches (front/launches) and measurements by name.  Gives a row for each launch
 * that was measured and can be predicted.  A family is a file, unless the list states another: rows
 * of one file resemble each other.  Of launches under 10 microseconds the time is a profiler's
 * duration where it is known: launches back to back wait for each other. */
#ifndef FW_TRAINING_ROWS_H
#define FW_TRAINING_ROWS_H

#include "blend.h"
#include "forest_basis.h"
#include "launches_reader.h"
#include "measurements.h"

struct fw_context;

struct fw_training_row {
    const char *name;
    uint32_t family, kernel;
    bool judged;                             /* never trained on */
    const char *list;                        /* of launches that it is of, as it is called */
    struct fw_forest_basis basis;            /* of the models traffic and trace */
    struct fw_forest_basis quick;            /* of forest_quick.h; no seconds: there is none */
    double measured[FW_FOREST_TARGET_COUNT]; /* NAN: it was not */
    struct fw_blend_launch launch;
    double traffic, trace; /* seconds; 0: that model does not answer */
    /* How many times as long as its seconds a launch takes back to back, where the board is at its
     * power limit: as measured with its watts, and by the traffic model; 0: nobody knows, 1. */
    double stretched, longer;
    /* Watts that the launch would draw at the full clock, where the board lowered it to stay at its
     * power limit; 0: as measured.  Energies, trees and launches near are taught these, and their
     * answers end at the limit: what events draw in the time that models predict, which is that of
     * the full clock, is more than was measured. */
    double unlimited;
};

struct fw_training_rows {
    struct fw_arena *arena;
    FW_VECTOR(struct fw_training_row) rows;
    struct fw_map families; /* by file */
    struct fw_map kernels;  /* by file and name */
    const char *list;       /* of the launches that are added next */
    size_t unmeasured, refused;
};

/* Measurements of several recordings: watts may stand in another than seconds. */
struct fw_training_measured {
    const struct fw_measurements *at;
    size_t count;
};

/* What trees of a kind correct. */
const struct fw_forest_basis *fw_training_basis(const struct fw_training_row *row,
                                                enum fw_forest_ratio ratio);

/* What models of a target are taught of a row: what was measured, or watts without the limit. */
double fw_training_taught(const struct fw_training_row *row, enum fw_forest_target target);

/* Whether a launch works on what the launch before it left: an array of an argument is read and
 * written.  Watts are measured over thousands of launches back to back, and the data of such a
 * kernel are not those that are stated: sums overflow, and such data toggle few wires.  Rows of
 * these have no watts. */
bool fw_training_works_on_outputs(const struct fw_kernel *kernel, struct fw_arena *scratch);

/* Adds the launches of a list; texts are the arena's of the rows.  Launches that no model predicts
 * are counted, not told. */
enum fw_status fw_training_rows_add(struct fw_training_rows *rows, const struct fw_context *context,
                                    const struct fw_launch_items *launches,
                                    const struct fw_training_measured *measured,
                                    const struct fw_device *device, bool judged);

#endif
