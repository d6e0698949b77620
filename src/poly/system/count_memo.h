/* The memo of counts: systems that a counter has counted already.
 *
 * The unions of a domain's pieces ask for the same intersections more than once, and other domains
 * and launches of the kernel ask for those of domains before.  Takes a system and how many of its
 * variables are kept; gives the result and the steps that it took, so that a count from the memo
 * can be charged as if it were made again.  It compares systems, not hashes, and so never confuses
 * two counts.  It has a fixed size: a full one is emptied.  Internal to this room. */
#ifndef FW_COUNT_MEMO_H
#define FW_COUNT_MEMO_H

#include "arena.h"
#include "system.h"

enum { COUNT_MEMO_SLOTS = 2048, COUNT_MEMO_WORDS = 2 + FW_SYSTEM_ROWS * (FW_SYSTEM_VARIABLES + 2) };

struct counted {
    uint64_t hash;
    const int64_t *key; /* NULL: an empty slot */
    size_t words;
    enum fw_status status; /* of counting */
    unsigned long result;
    uint64_t steps; /* that it took */
};

struct count_memo {
    struct fw_arena *arena; /* of slots and keys; NULL before the first count */
    struct counted *slots;
    uint32_t count;
    int64_t key[COUNT_MEMO_WORDS]; /* of the system that was asked for last */
    size_t words;
    uint64_t hash;
};

/* What is known of a system, which the next `count_memo_keep` is about; NULL: nothing. */
const struct counted *count_memo_find(struct count_memo *memo, const struct fw_system *system,
                                      uint32_t kept);

/* Keeps the status and the result of the system that was asked for last, and the steps that it
 * took. Nothing is kept where there is no memory. */
void count_memo_keep(struct count_memo *memo, enum fw_status status, unsigned long result,
                     uint64_t steps);

/* Forgets all counts. */
void count_memo_empty(struct count_memo *memo);

/* Frees what the memo has allocated. */
void count_memo_free(struct count_memo *memo);

#endif
