/* Local memory: stack arrays, which each thread has for itself; and constant memory.
 *
 * A thread's words lie 128 bytes apart, those of a warp's lanes side by side: what all lanes index
 * alike is one line a word, what each indexes by its own data is a draw from the array's words.
 * Stores are written through to L2; loads find what their thread stored before in L1 while the
 * resident threads' arrays fit.  Constant memory's cache serves a warp one address after the other,
 * as its counter of requests tells (data/h200/lanes); what stands at a fixed address is an operand
 * of the instruction that reads it, and no request.  Takes a record's accesses and what warps ask
 * by them; gives the lanes' places, and bytes between the caches.  Spilled registers are not among
 * a record's accesses. */
#ifndef FW_LOCAL_MEMORY_H
#define FW_LOCAL_MEMORY_H

#include "kernel.h"

/* Whether the words that an access to local or constant memory touches can be told: its offset is
 * known, or it is drawn from an array of known size. */
bool fw_local_is_modelled(const struct fw_kernel *kernel, const struct fw_access *access);

/* Words that a thread's access touches, each of which is an instruction's part of its own. */
uint32_t fw_local_words(const struct fw_access *access);

/* A word's number among those of its array, at random: the `draw`-th of them is always the same. */
int64_t fw_local_random_word(const struct fw_kernel *kernel, const struct fw_access *access,
                             uint32_t draw);

#endif
