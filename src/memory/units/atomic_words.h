/* How many words an array's atomics change where their addresses are no lines in indices.
 *
 * A remainder or a mask brings an index back to the words that it was at, which footprints of lines
 * cannot tell.  Takes random points of the launch, and infers the number of words from how many
 * different ones the points have.  Never counts passes: see atomic_contention.h. */
#ifndef FW_ATOMIC_WORDS_H
#define FW_ATOMIC_WORDS_H

#include "launch.h"

/* The number of words of `word` bytes that the given accesses (indices of the record) change, where
 * their operations are spread evenly over them; 0 where too few addresses can be evaluated;
 * HUGE_VAL where hardly two points had the same word.  Time: some hundred evaluations. */
double fw_atomic_words(struct fw_bound *bound, const struct fw_kernel *kernel,
                       const struct fw_launch *launch, const uint32_t *accesses, uint32_t count,
                       uint32_t word);

#endif
