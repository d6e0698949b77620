#include "system_memo.h"

#include <stdlib.h>
#include <string.h>

enum {
    PLACES = 64,
    BESIDE = 2,   /* systems of one place: the one that was asked for before goes last */
    LONGEST = 384 /* numbers of a system */
};

struct entry {
    uint32_t length; /* 0: there is none */
    int64_t content[LONGEST];
    struct kept_count count;
};

struct system_memo {
    struct entry entries[PLACES][BESIDE];
    uint8_t latest[PLACES]; /* of those of a place */
    uint32_t length;        /* of what was asked for last; 0: it is too long */
    uint32_t place;
    int64_t content[LONGEST];
};

struct system_memo *fw_system_memo_new(void)
{
    return calloc(1, sizeof(struct system_memo));
}

void fw_system_memo_free(struct system_memo *memo)
{
    free(memo);
}

/* Writes all numbers of a system one after the other. */
static void write(struct system_memo *memo, const struct fw_system *system, uint32_t kept)
{
    int64_t *to = memo->content;
    memo->length = system->row_count * (system->variables + 2) + 2;
    if (memo->length > LONGEST) {
        memo->length = 0;
        return;
    }
    *to++ = system->variables;
    *to++ = kept;
    for (uint32_t r = 0; r < system->row_count; r++) {
        const struct fw_row *row = &system->rows[r];
        *to++ = row->constant;
        *to++ = row->equality;
        memcpy(to, row->coefficient, system->variables * sizeof(*to));
        to += system->variables;
    }
}

static uint32_t place_of(const int64_t *content, uint32_t length)
{
    uint64_t hash = length;
    for (uint32_t c = 0; c < length; c++)
        hash = ((hash << 23 | hash >> 41) ^ (uint64_t)content[c]) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(hash >> 40) % PLACES;
}

const struct kept_count *fw_system_memo_find(struct system_memo *memo,
                                             const struct fw_system *system, uint32_t kept)
{
    write(memo, system, kept);
    memo->place = place_of(memo->content, memo->length);
    for (uint8_t e = 0; e < BESIDE && memo->length; e++) {
        const struct entry *entry = &memo->entries[memo->place][e];
        if (entry->length != memo->length ||
            memcmp(entry->content, memo->content, memo->length * sizeof(int64_t)) != 0)
            continue;
        memo->latest[memo->place] = e;
        return &entry->count;
    }
    return NULL;
}

void fw_system_memo_keep(struct system_memo *memo, struct kept_count count)
{
    if (!memo->length)
        return;
    uint8_t *latest = &memo->latest[memo->place];
    *latest = (uint8_t)((*latest + 1) % BESIDE);
    struct entry *entry = &memo->entries[memo->place][*latest];
    entry->length = memo->length;
    entry->count = count;
    memcpy(entry->content, memo->content, memo->length * sizeof(int64_t));
}
