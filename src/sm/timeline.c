#include "simulate_internal.h"

#include <math.h>
#include <string.h>

struct sm_recorder {
    struct fw_sm_timeline *to;
    double width;   /* cycles of a column */
    float *spent;   /* by warp, column and part: cycles */
    float *longest; /* by warp and column: the longest stretch of its main part */
    double *totals; /* by warp and part: cycles so far */
};

void timeline_open(struct machine *m, struct fw_sm_timeline *to)
{
    if (!to || !m->accounting)
        return;
    struct sm_recorder *r = m->recorder = FW_NEW(m->arena, struct sm_recorder);
    size_t cells = (size_t)to->columns * to->warps;
    r->to = to;
    r->width = to->cycles / to->columns;
    r->spent = FW_ARRAY(m->arena, float, cells *FW_SM_PART_COUNT);
    r->longest = FW_ARRAY(m->arena, float, cells);
    r->totals = FW_ARRAY(m->arena, double, (size_t)m->warp_count *FW_SM_PART_COUNT);
    to->skip_count = to->barrier_count = 0;
    to->blocks = m->simulated;
}

/* A stretch of time of a warp in the columns that it reaches over. */
static void spread(struct sm_recorder *r, uint32_t w, double from, double until,
                   enum fw_sm_part part, uint32_t place, double share)
{
    struct fw_sm_timeline *to = r->to;
    until = until < to->cycles ? until : to->cycles;
    if (w >= to->warps || !(share > 0) || !(from < until))
        return;
    for (uint32_t column = (uint32_t)(from / r->width); column < to->columns; column++) {
        double begin = later(from, column * r->width), end = (column + 1) * r->width;
        double cycles = share * ((end < until ? end : until) - begin);
        size_t at = (size_t)w * to->columns + column;
        if (!(begin < until))
            break;
        if (!(cycles > 0))
            continue;
        r->spent[at * FW_SM_PART_COUNT + (size_t)part] += (float)cycles;
        to->parts[(size_t)column * FW_SM_PART_COUNT + (size_t)part] += cycles;
        if ((float)cycles > r->longest[at]) {
            r->longest[at] = (float)cycles;
            to->cells[at].place = place;
        }
    }
}

void timeline_add(struct machine *m, uint32_t w, double from, double until, enum fw_sm_part part,
                  uint32_t place)
{
    m->recorder->totals[(size_t)w * FW_SM_PART_COUNT + (size_t)part] += until - from;
    spread(m->recorder, w, from, until, part, place, 1);
}

void timeline_release(struct machine *m, uint32_t b, double time)
{
    struct fw_sm_timeline *to = m->recorder->to;
    const struct fw_sm_span *last = to->barrier_count && to->barrier_count <= FW_SM_TIMELINE_SPANS
                                        ? &to->barriers[to->barrier_count - 1]
                                        : NULL;
    if (last && last->block == b && !(last->from < time) && !(last->from > time))
        return; /* another warp of the block */
    if (to->barrier_count++ < FW_SM_TIMELINE_SPANS)
        to->barriers[to->barrier_count - 1] = (struct fw_sm_span){time, time, b};
}

void timeline_note(const struct machine *m, struct snapshot *to)
{
    const size_t count = (size_t)m->warp_count * FW_SM_PART_COUNT;
    if (!to->recorded)
        to->recorded = FW_ARRAY(m->arena, double, count);
    memcpy(to->recorded, m->recorder->totals, count * sizeof(*to->recorded));
}

void timeline_skip(struct machine *m, uint32_t w, double time, const struct snapshot *from,
                   const struct snapshot *to, double cycles)
{
    const size_t first = (size_t)w * FW_SM_PART_COUNT;
    double sum = 0;
    for (size_t p = first; p < first + FW_SM_PART_COUNT; p++)
        sum += to->recorded[p] - from->recorded[p];
    for (size_t p = 0; p < FW_SM_PART_COUNT && sum > 0; p++)
        spread(m->recorder, w, time, time + cycles, (enum fw_sm_part)p, 0,
               (to->recorded[first + p] - from->recorded[first + p]) / sum);
}

void timeline_skipped(struct machine *m, double time, double cycles)
{
    struct fw_sm_timeline *to = m->recorder->to;
    if (to->skip_count < FW_SM_TIMELINE_SPANS)
        to->skips[to->skip_count++] = (struct fw_sm_span){time, time + cycles, 0};
}

void timeline_finish(struct machine *m)
{
    struct sm_recorder *r = m->recorder;
    struct fw_sm_timeline *to = r->to;
    for (uint32_t w = 0; w < to->warps; w++) {
        double owed[FW_SM_PART_COUNT] = {0}; /* columns */
        for (uint32_t c = 0; c < to->columns; c++) {
            size_t at = (size_t)w * to->columns + c;
            const float *spent = r->spent + at * FW_SM_PART_COUNT;
            uint8_t most = FW_SM_PART_TAIL;
            for (uint8_t p = 0; p < FW_SM_PART_COUNT; p++) {
                owed[p] += (double)spent[p] / r->width;
                if (spent[p] > 0 && (!(spent[most] > 0) || owed[p] > owed[most]))
                    most = p;
            }
            owed[most] -= 1;
            to->cells[at].part = most;
        }
    }
}
