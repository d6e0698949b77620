#include "working_set.h"

#include "random.h"

#include <math.h>
#include <string.h>

enum { SLOTS = 8192, MOST = SLOTS / 2, LINE = 128 /* bytes */, MANY = 3 };

/* A line, and how many blocks came to it, up to MANY; 0: none has the slot. */
struct slot {
    uint64_t line;
    uint32_t last, blocks;
};

struct fw_working_set {
    uint32_t kept;  /* lines */
    uint32_t level; /* one of 2^level lines is kept */
    struct slot slots[SLOTS];
};

struct fw_working_set *fw_working_set_new(struct fw_arena *arena)
{
    struct fw_working_set *set = FW_NEW(arena, struct fw_working_set);
    memset(set, 0, sizeof(*set));
    return set;
}

static uint64_t hash_of(uint64_t line)
{
    struct fw_random mixed = {line};
    return fw_random_next(&mixed);
}

static bool is_kept(const struct fw_working_set *set, uint64_t hash)
{
    return !(hash & (((uint64_t)1 << set->level) - 1));
}

static struct slot *slot_of(struct fw_working_set *set, uint64_t line, uint64_t hash)
{
    uint64_t at = hash >> 32;
    while (set->slots[at % SLOTS].blocks && set->slots[at % SLOTS].line != line)
        at++;
    return &set->slots[at % SLOTS];
}

/* Keeps half of the lines. */
static void thin(struct fw_working_set *set)
{
    uint32_t kept = 0;
    struct slot old[MOST];
    for (uint32_t i = 0; i < SLOTS; i++)
        if (set->slots[i].blocks)
            old[kept++] = set->slots[i];
    memset(set->slots, 0, sizeof(set->slots));
    set->level++;
    set->kept = 0;
    for (uint32_t i = 0; i < kept; i++) {
        const uint64_t hash = hash_of(old[i].line);
        if (!is_kept(set, hash))
            continue;
        *slot_of(set, old[i].line, hash) = old[i];
        set->kept++;
    }
}

void fw_working_set_see(struct fw_working_set *set, uint64_t address, uint32_t block)
{
    const uint64_t line = address / LINE, hash = hash_of(line);
    if (!is_kept(set, hash))
        return;
    struct slot *slot = slot_of(set, line, hash);
    if (slot->blocks && slot->last == block)
        return;
    set->kept += !slot->blocks;
    slot->line = line;
    slot->last = block;
    slot->blocks += slot->blocks < MANY;
    while (set->kept == MOST)
        thin(set);
}

double fw_working_set_bytes(const struct fw_working_set *set, uint32_t blocks, bool all)
{
    double once = 0, twice = 0, seen = set->kept;
    for (uint32_t i = 0; i < SLOTS; i++) {
        once += set->slots[i].blocks == 1;
        twice += set->slots[i].blocks == 2;
    }
    double unseen = twice > 0 ? once * once / (2 * twice) : once * (once - 1) / 2;
    if (!all && blocks > 1)
        seen += unseen * (blocks - 1) / blocks;
    return ldexp(seen * LINE, (int)set->level);
}
