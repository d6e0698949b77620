/* Nested cross-validation as Braun et al. (2021, section 3.3) do it, and as it ought to be done.
 *
 * Takes rows and a choice; tries criteria, numbers of candidate features, and what launches near
 * one count beside trees (nothing, half, all).  Folds hold about as many short (under 1 ms), medium
 * (under 100 ms) and long launches; the five longest are always trained on.  Gives the mean error
 * of each fold of each iteration.  Chosen on the folds that are reported (the paper's way) a figure
 * flatters: the settings have seen what they are judged by; chosen within the rows that are trained
 * on they have not.  Both flatter for new kernels, because a kernel's other sizes are trained on.
 */
#ifndef FW_NESTED_VALIDATION_H
#define FW_NESTED_VALIDATION_H

#include "cross_validation.h"

enum { FW_NESTED_FOLDS = 5, FW_NESTED_ITERATIONS_MOST = 100 };

/* Mean absolute errors, as shares of what was measured, of `iterations` times FW_NESTED_FOLDS
 * folds: `flattering`, settings chosen on the same folds; `proper`, within the rows trained on. */
enum fw_status fw_nested_validate(double *flattering, double *proper,
                                  const struct fw_training_rows *rows,
                                  const struct fw_training_choice *choice, uint32_t iterations,
                                  struct fw_arena *scratch, const struct fw_sink *sink);

#endif
