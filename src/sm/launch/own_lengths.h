/* The lengths of the blocks of one multiprocessor, where each block has one of its own (lists of
 * tiles, sequences of a batch).
 *
 * Takes what a binding says of such lengths (launch.h); supposes that they are the expected ones of
 * as many that are drawn evenly between the ends of what lengths usually are.  Where all blocks are
 * resident at once, the blocks are those of the multiprocessor that has the longest one, since the
 * launch waits for it.  Where they follow each other, a multiprocessor that has short ones gets
 * more of them: its lengths have the launch's mean.  Never simulates anything. */
#ifndef FW_OWN_LENGTHS_H
#define FW_OWN_LENGTHS_H

#include "trace_work.h"

/* Sets `spread` and `lengths` of a simulation; memory is the arena's of the work.  False: blocks
 * have no lengths of their own, and nothing is set. */
bool fw_trace_own_lengths(const struct fw_trace_work *work, struct fw_sm_simulation *simulation);

#endif
