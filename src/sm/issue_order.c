/* Orders of issue other than the usual one, which warp_issue.c has in itself (enum fw_issue_order):
 * which of several warps that can issue at one time a scheduler takes. */
#include "simulate_internal.h"

/* The first place from one on that can issue by then; its number of places: there is none. */
static uint32_t from_place(const struct machine *m, uint32_t place, double best)
{
    while (place < m->places && !(m->times[place] <= best))
        place++;
    return place;
}

/* The place whose block began first; of a block, its last, as recorded (data/h100/issue-order). */
static uint32_t oldest(const struct machine *m, uint32_t scheduler, double best)
{
    const uint32_t *occupants = m->occupants + scheduler * m->places;
    uint32_t found = from_place(m, 0, best);
    for (uint32_t p = found + 1; (p = from_place(m, p, best)) < m->places; p++)
        if (m->blocks[m->warps[occupants[p]].block].number <=
            m->blocks[m->warps[occupants[found]].block].number)
            found = p;
    return found;
}

uint32_t machine_choose(const struct machine *m, uint32_t scheduler, const struct warp *last,
                        double best)
{
    const uint32_t before = last ? last->place - scheduler * m->places : 0;
    if (!m->round_robin)
        return last && m->times[before] <= best ? before : oldest(m, scheduler, best);
    const uint32_t next = from_place(m, last ? before + 1 : 0, best);
    return next < m->places ? next : from_place(m, 0, best);
}
