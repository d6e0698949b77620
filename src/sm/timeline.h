/* What the warps of a simulated multiprocessor do over time, in columns of equal length.
 *
 * Each place of a warp has for each column a part of the account: of a column that one part fills
 * that, of others such that the columns of a warp have the parts in their shares.  Iterations that
 * the simulation skips look like those before them. */
#ifndef FW_SM_TIMELINE_H
#define FW_SM_TIMELINE_H

#include "account.h"

#include <stdbool.h>

struct fw_sm_timeline_cell {
    uint8_t part;   /* enum fw_sm_part */
    uint32_t place; /* of the code, where the longest stretch of the column was spent */
};

/* Iterations that were skipped, or a barrier that let a block go on. */
struct fw_sm_span {
    double from, until; /* cycles */
    uint32_t block;     /* place of a block; of a barrier */
};

enum { FW_SM_TIMELINE_SPANS = 4096 };

struct fw_sm_timeline {
    uint32_t columns;
    double cycles; /* that they are of; what comes later is left out */
    uint32_t warps, block_warps;
    struct fw_sm_timeline_cell *cells; /* by warp and column */
    double *parts;                     /* by column and part: cycles of all warps */
    struct fw_sm_span *skips, *barriers;
    uint32_t skip_count, barrier_count; /* barriers: that there were, FW_SM_TIMELINE_SPANS kept */
    double blocks;                      /* that are shown */
    double simulated;                   /* cycles until the last of them ended */
};

#endif
