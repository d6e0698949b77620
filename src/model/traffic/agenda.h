/* Agendas: who comes next, for life.h.
 *
 * A heap of groups of warps by the time when they are ready; at one time the first block's first
 * group comes first.  In a life most groups go on as soon as they have come, far behind all others:
 * such a one takes the place of the earliest, which costs half of what taking out and putting in
 * does.  Comparing makes no jumps, since nobody can guess who comes first.  Inline, since a life
 * does little else. */
#ifndef FW_AGENDA_H
#define FW_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

/* A group of warps that is ready for its next round. */
struct ready {
    double at;
    uint32_t block, group, round;
};

struct agenda {
    struct ready *at; /* the earliest first; the owner's memory, with room for all */
    uint32_t count;
};

static inline bool agenda_before(const struct ready *a, const struct ready *b)
{
    uint64_t first = (uint64_t)a->block << 32 | a->group;
    uint64_t second = (uint64_t)b->block << 32 | b->group;
    return (a->at < b->at) | ((a->at == b->at) & (first < second));
}

/* Puts one at a free place or above it. */
static inline void agenda_rise(struct agenda *agenda, uint32_t free, struct ready one)
{
    while (free && agenda_before(&one, &agenda->at[(free - 1) / 2])) {
        agenda->at[free] = agenda->at[(free - 1) / 2];
        free = (free - 1) / 2;
    }
    agenda->at[free] = one;
}

static inline void agenda_add(struct agenda *agenda, struct ready one)
{
    agenda_rise(agenda, agenda->count++, one);
}

/* Puts one in the place of the earliest: the free place goes all the way down before it is looked
 * at who belongs there. */
static inline void agenda_replace_first(struct agenda *agenda, struct ready one)
{
    struct ready *at = agenda->at;
    uint32_t free = 0, child = 1;
    for (; child + 1 < agenda->count; child = 2 * free + 1) {
        child += agenda_before(&at[child + 1], &at[child]);
        at[free] = at[child];
        free = child;
    }
    if (child < agenda->count) {
        at[free] = at[child];
        free = child;
    }
    agenda_rise(agenda, free, one);
}

static inline void agenda_drop_first(struct agenda *agenda)
{
    struct ready last = agenda->at[--agenda->count];
    if (agenda->count)
        agenda_replace_first(agenda, last);
}

#endif
