/* Coverage: which of a kernel's accesses of device memory the features of a cost model count.
 *
 * Takes a kernel at a bound launch and identifiers of features.  Gives, for each array and
 * direction, how many accesses there are and how many some feature counts.  What no feature counts
 * costs nothing in a prediction: it needs a feature, and measurement kernels of its own (the
 * on-line calibration of Stevens and Kloeckner, section 4). */
#ifndef FW_COVERAGE_H
#define FW_COVERAGE_H

#include "text.h"

#include "forewarp.h"

struct fw_context;

struct fw_coverage_row {
    const char *array;
    bool store;
    double accesses, covered; /* elements, as f_mem_access counts them */
};
typedef FW_VECTOR(struct fw_coverage_row) fw_coverage;

/* Whether a feature counts less than all of the row's accesses. */
static inline bool fw_coverage_lacks(const struct fw_coverage_row *row)
{
    return row->covered < row->accesses * (1 - 1e-9);
}

/* Finds them, for arrays that the launch accesses; texts are the arena's.  The worker's launch is
 * bound.  Errors as of features. */
enum fw_status fw_coverage_find(fw_coverage *rows, struct fw_arena *arena,
                                const struct fw_context *context, struct fw_worker *worker,
                                const char *const *features, size_t count);

#endif
