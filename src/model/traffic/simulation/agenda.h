/* Agendas: who comes next, for life.h.
 *
 * Groups of warps in the order in which they are ready; at one time the first block's first group
 * comes first.  Who comes new comes behind nearly all others, since all wait for the same
 * resources: so a list that is sorted from its end on takes fewer steps than a heap.  Inline, since
 * a life does little else. */
#ifndef FW_AGENDA_H
#define FW_AGENDA_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A group of warps that is ready for its next round. */
struct ready {
    double at;
    uint32_t block;
    uint16_t group, round, part;
    uint16_t stage; /* of its round: the multiprocessor's resource that it takes next */
};

struct agenda {
    struct ready *at; /* the caller's, with room for twice the most that there are at one time */
    uint32_t first, count; /* the earliest; behind it the others */
    uint32_t room;
};

static inline bool agenda_before(const struct ready *a, const struct ready *b)
{
    if (a->at == b->at) /* seldom */
        return a->block != b->block ? a->block < b->block : a->group < b->group;
    return a->at < b->at;
}

/* Adds `groups` of a block that are ready at one time, from group one.group on. */
static inline void agenda_add(struct agenda *agenda, struct ready one, uint32_t groups)
{
    if (agenda->first + agenda->count + groups > agenda->room) {
        memmove(agenda->at, &agenda->at[agenda->first], agenda->count * sizeof(one));
        agenda->first = 0;
    }
    struct ready *first = &agenda->at[agenda->first], *place = &first[agenda->count];
    for (; place > first && agenda_before(&one, place - 1); place--)
        place[groups - 1] = *(place - 1);
    for (; groups--; one.group++, agenda->count++)
        *place++ = one;
}

/* The earliest, taken out. */
static inline struct ready agenda_take(struct agenda *agenda)
{
    agenda->count--;
    return agenda->at[agenda->first++];
}

#endif
