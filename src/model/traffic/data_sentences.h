/* Sentences about addresses that data decide.
 *
 * Takes a record at a bound launch and what is taken of its addresses (data_address.h).  Gives what
 * an answer has to say of it: of which arrays the elements are drawn at random, or are neighbours,
 * rows or tables, and how to state it otherwise.  Never decides anything. */
#ifndef FW_DATA_SENTENCES_H
#define FW_DATA_SENTENCES_H

#include "data_address.h"

enum { FW_DATA_SENTENCES = 8 }; /* at most */

/* Writes the sentences, in the arena, and gives their number. */
uint32_t fw_data_sentences(const char **out, struct fw_arena *arena, const struct fw_kernel *kernel,
                           struct fw_bound *bound, const struct fw_launch *launch,
                           struct fw_data_addresses *data);

#endif
