#include "count_memo.h"

#include <string.h>

enum { MOST_COUNTS = COUNT_MEMO_SLOTS / 2, MOST_BYTES = 1 << 20 };

/* Writes the system's numbers one after the other. */
static void write_key(struct count_memo *memo, const struct fw_system *system, uint32_t kept)
{
    int64_t *to = memo->key;
    uint64_t hash = 1;
    *to++ = system->variables;
    *to++ = kept;
    for (uint32_t r = 0; r < system->row_count; r++) {
        const struct fw_row *row = &system->rows[r];
        *to++ = row->equality;
        *to++ = row->constant;
        memcpy(to, row->coefficient, system->variables * sizeof(*to));
        to += system->variables;
    }
    memo->words = (size_t)(to - memo->key);
    for (size_t w = 0; w < memo->words; w++) {
        hash = (hash ^ (uint64_t)memo->key[w]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    memo->hash = hash;
}

/* The slot of the system that was asked for last, or the empty one for it. */
static struct counted *slot_of(const struct count_memo *memo)
{
    uint32_t at = (uint32_t)(memo->hash >> 32) % COUNT_MEMO_SLOTS;
    for (;; at = (at + 1) % COUNT_MEMO_SLOTS) {
        struct counted *slot = &memo->slots[at];
        if (!slot->key || (slot->hash == memo->hash && slot->words == memo->words &&
                           memcmp(slot->key, memo->key, memo->words * sizeof(*memo->key)) == 0))
            return slot;
    }
}

const struct counted *count_memo_find(struct count_memo *memo, const struct fw_system *system,
                                      uint32_t kept)
{
    write_key(memo, system, kept);
    if (!memo->slots)
        return NULL;
    const struct counted *slot = slot_of(memo);
    return slot->key ? slot : NULL;
}

void count_memo_keep(struct count_memo *memo, enum fw_status status, unsigned long result,
                     uint64_t steps)
{
    jmp_buf exhausted;
    if (!memo->arena)
        memo->arena = fw_arena_new(0);
    if (!memo->arena)
        return;
    if (memo->count == MOST_COUNTS || fw_arena_used(memo->arena) > MOST_BYTES)
        count_memo_empty(memo);
    fw_arena_unhurried(memo->arena);
    fw_arena_on_exhausted(memo->arena, &exhausted);
    if (setjmp(exhausted)) {
        count_memo_empty(memo);
        return;
    }
    if (!memo->slots)
        memo->slots = FW_ARRAY(memo->arena, struct counted, COUNT_MEMO_SLOTS);
    const int64_t *key = fw_arena_copy(memo->arena, memo->key, memo->words * sizeof(*memo->key));
    struct counted *slot = slot_of(memo);
    memo->count += !slot->key;
    *slot = (struct counted){memo->hash, key, memo->words, status, result, steps};
    fw_arena_on_exhausted(memo->arena, NULL);
}

void count_memo_empty(struct count_memo *memo)
{
    if (memo->arena)
        fw_arena_reset(memo->arena);
    memo->slots = NULL;
    memo->count = 0;
}

void count_memo_free(struct count_memo *memo)
{
    fw_arena_free(memo->arena);
}
