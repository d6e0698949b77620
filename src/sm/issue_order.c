/* Orders of issue (enum fw_issue_order): which of several warps that can issue at one time a
 * scheduler takes, where it does not stay with the same one. */
#include "simulate_internal.h"

#include <math.h>

/* By FW_ISSUE_ORDER_GREEDY_YOUNGEST the first place; by FW_ISSUE_ORDER_GREEDY_OLDEST that of the
 * block that began first, and of a block its last, as recorded (data/h100/issue-order). */
void machine_open_keys(struct machine *m)
{
    const bool oldest = m->of->order == FW_ISSUE_ORDER_GREEDY_OLDEST;
    const uint32_t all = m->places * m->of->schedulers;
    m->key_places = 1;
    while (m->key_places < m->places)
        m->key_places *= 2;
    m->key_flips = oldest ? m->key_places - 1 : 0;
    m->keys = FW_ARRAY(m->arena, double, all);
    for (uint32_t p = 0; p < all; p++)
        m->keys[p] = HUGE_VAL;
}

void machine_set_keys(struct machine *m, uint32_t b)
{
    const double block =
        m->of->order == FW_ISSUE_ORDER_GREEDY_OLDEST ? m->blocks[b].number * m->key_places : 0;
    for (uint32_t w = b * m->of->warps; w < (b + 1) * m->of->warps; w++) {
        const struct warp *warp = &m->warps[w];
        m->keys[warp->place] = block + ((warp->place - warp->scheduler * m->places) ^ m->key_flips);
    }
}

/* The first place from one on that can issue by then; its number of places: there is none. */
static uint32_t from_place(const struct machine *m, uint32_t place, double best)
{
    while (place < m->places && !(m->times[place] <= best))
        place++;
    return place;
}

uint32_t machine_choose(const struct machine *m, uint32_t scheduler, const struct warp *last,
                        double best)
{
    const uint32_t before = last ? last->place - scheduler * m->places : 0;
    const uint32_t next = from_place(m, last ? before + 1 : 0, best);
    return next < m->places ? next : from_place(m, 0, best);
}
