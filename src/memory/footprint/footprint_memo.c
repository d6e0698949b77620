#include "footprint_memo.h"

#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static uint64_t bits(double number)
{
    uint64_t same;
    memcpy(&same, &number, sizeof(same));
    return same;
}

static bool equal(const struct fw_window *a, const struct fw_window *b)
{
    return a->first == b->first && a->last == b->last && a->of == b->of &&
           bits(a->begin) == bits(b->begin) && bits(a->end) == bits(b->end);
}

bool footprint_memo_find(struct footprint_memo **entry, struct footprint_memo *entries,
                         const struct fw_window *windows, uint32_t count, uint32_t array)
{
    *entry = NULL;
    if (count == 0 || count > FOOTPRINT_MEMO_WINDOWS)
        return false;
    uint64_t hash = mix(count, array);
    for (uint32_t w = 0; w < count; w++) {
        hash = mix(hash, (uint64_t)windows[w].first);
        hash = mix(hash, (uint64_t)windows[w].last + windows[w].of);
        hash = mix(hash, bits(windows[w].begin) + 3 * bits(windows[w].end));
    }
    struct footprint_memo *found = *entry = &entries[hash % FOOTPRINT_MEMO_ENTRIES];
    bool same = found->count == count && found->array == array;
    for (uint32_t w = 0; w < count && same; w++)
        same = equal(&found->windows[w], &windows[w]);
    if (!same) {
        memcpy(found->windows, windows, count * sizeof(*windows));
        found->count = count;
        found->array = array;
    }
    return same;
}
