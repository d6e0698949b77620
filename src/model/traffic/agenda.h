/* Agendas: who comes next, for life.h.
 *
 * A heap of groups of warps by the time when they are ready; at one time the first block's first
 * group comes first.  In a life most groups go on as soon as they have come, far behind all others:
 * such a one takes the place of the earliest, which costs half of what taking out and putting in
 * does.  Comparing makes no jumps, since nobody can guess who comes first.  Inline, since a life
 * does little else. */
#ifndef FW_AGENDA_H
#define FW_AGENDA_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* A group of warps that is ready for its next round. */
struct ready {
    double at;
    uint32_t block;
    uint16_t group, round;
};

/* The entry behind the last is never ready. */
struct agenda {
    struct ready *at; /* the earliest first */
    uint32_t count;
};

/* An agenda in memory for `most` entries and one more, which stays the caller's. */
static inline void agenda_begin(struct agenda *agenda, struct ready *memory, uint32_t most)
{
    agenda->at = memory;
    agenda->count = 0;
    for (uint32_t i = 0; i <= most; i++)
        memory[i] = (struct ready){HUGE_VAL, 0, 0, 0};
}

static inline bool agenda_before(const struct ready *a, const struct ready *b)
{
    if (a->at == b->at) /* seldom */
        return a->block != b->block ? a->block < b->block : a->group < b->group;
    return a->at < b->at;
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
    uint32_t free = 0;
    for (uint32_t child = 1; child < agenda->count; child = 2 * free + 1) {
        uint32_t next = child + agenda_before(&at[child + 1], &at[child]);
        at[free] = at[next];
        free = next;
    }
    agenda_rise(agenda, free, one);
}

static inline void agenda_drop_first(struct agenda *agenda)
{
    struct ready last = agenda->at[--agenda->count];
    agenda->at[agenda->count].at = HUGE_VAL;
    if (agenda->count)
        agenda_replace_first(agenda, last);
}

#endif
