/* Local and constant memory: which words a thread's access touches.
 *
 * Local memory (stack arrays) interleaves the words of a warp's lanes: word w of all lanes is one
 * line of 128 bytes.  If all lanes index alike, a word is four sectors; if data decide the index,
 * each lane touches a random word of its array.  The constant cache serves the distinct addresses
 * of a warp one after the other (data/h200/lanes); a fixed address is an operand and makes no
 * request.  Takes accesses of a record; gives word numbers.  Never counts bytes between caches
 * (local_volumes.h), and knows no spilled registers: they are not among a record's accesses. */
#ifndef FW_LOCAL_MEMORY_H
#define FW_LOCAL_MEMORY_H

#include "kernel.h"

/* Whether the words that an access to local or constant memory touches can be modelled: its offset
 * is known, or it is random within an array of known size. */
bool fw_local_is_modelled(const struct fw_kernel *kernel, const struct fw_access *access);

/* Words that a thread's access touches.  The machine issues a request per word. */
uint32_t fw_local_words(const struct fw_access *access);

/* A random word number within the access's array.  The same `draw` always gives the same word. */
int64_t fw_local_random_word(const struct fw_kernel *kernel, const struct fw_access *access,
                             uint32_t draw);

#endif
