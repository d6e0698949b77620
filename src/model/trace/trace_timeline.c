#include "trace_timeline.h"
#include "timeline.h"
#include "trace_model_internal.h"

static const struct fw_timeline_span *spans_of(struct fw_arena *arena,
                                               const struct fw_sm_span *from, size_t count)
{
    struct fw_timeline_span *spans = FW_ARRAY(arena, struct fw_timeline_span, count + 1);
    for (size_t s = 0; s < count; s++)
        spans[s] = (struct fw_timeline_span){from[s].from, from[s].until, from[s].block};
    return spans;
}

static void name_parts(struct fw_timeline *to, struct fw_arena *arena)
{
    struct fw_timeline_part *parts = FW_ARRAY(arena, struct fw_timeline_part, FW_SM_PART_COUNT);
    for (int p = 0; p < FW_SM_PART_COUNT; p++)
        parts[p] = (struct fw_timeline_part){fw_trace_part_name(arena, (enum fw_sm_part)p),
                                             fw_sm_part((enum fw_sm_part)p)->meaning};
    to->parts = parts;
    to->part_count = FW_SM_PART_COUNT;
}

static void publish(struct fw_timeline *to, struct fw_trace_work *work,
                    const struct fw_sm_timeline *from)
{
    struct fw_arena *arena = work->arena;
    size_t cells = (size_t)from->columns * from->warps, known;
    unsigned char *parts = FW_ARRAY(arena, unsigned char, cells + 1);
    uint32_t *lines = FW_ARRAY(arena, uint32_t, cells + 1);
    double *shares = FW_ARRAY(arena, double, (size_t)from->columns *FW_SM_PART_COUNT);
    for (size_t c = 0; c < cells; c++) {
        parts[c] = from->cells[c].part;
        lines[c] = fw_trace_line(work, from->cells[c].place);
    }
    for (size_t c = 0; c < (size_t)from->columns * FW_SM_PART_COUNT; c++)
        shares[c] = from->parts[c] / (from->cycles / from->columns * from->warps);
    known = from->barrier_count < FW_SM_TIMELINE_SPANS ? from->barrier_count : FW_SM_TIMELINE_SPANS;
    *to = (struct fw_timeline){.cycles = from->cycles,
                               .clock = work->clock,
                               .columns = from->columns,
                               .warps = from->warps,
                               .block_warps = from->block_warps,
                               .blocks = from->blocks,
                               .own_blocks = work->own,
                               .states = parts,
                               .lines = lines,
                               .shares = shares,
                               .skips = spans_of(arena, from->skips, from->skip_count),
                               .skip_count = from->skip_count,
                               .barriers = spans_of(arena, from->barriers, known),
                               .barrier_count = known,
                               .all_barriers = from->barrier_count};
    name_parts(to, arena);
}

enum fw_status fw_trace_timeline(struct fw_timeline *timeline,
                                 const struct fw_model_question *question, uint32_t columns)
{
    struct fw_arena *arena = question->arena;
    struct fw_prediction prediction = {.model = "trace"};
    const struct fw_trace_question ask = fw_trace_ask(question);
    struct fw_trace_work work = {.question = &ask, .arena = arena, .to = &prediction};
    struct fw_sm_timeline of = {.columns = 1, .cycles = 1};
    struct fw_sm_result result;
    enum fw_status status = fw_trace_prepare(&work);
    if (status)
        return status;
    uint32_t resident = work.residency.occupancy.blocks ? work.residency.occupancy.blocks : 1;
    of.block_warps = work.traces.warps;
    of.warps = of.block_warps * (work.own < resident ? (uint32_t)work.own : resident);
    of.cells = FW_ARRAY(arena, struct fw_sm_timeline_cell, (size_t)columns * of.warps);
    of.parts = FW_ARRAY(arena, double, (size_t)columns *FW_SM_PART_COUNT);
    of.skips = FW_ARRAY(arena, struct fw_sm_span, FW_SM_TIMELINE_SPANS);
    of.barriers = FW_ARRAY(arena, struct fw_sm_span, FW_SM_TIMELINE_SPANS);
    work.timeline = &of;
    fw_trace_simulate(&work, &result,
                      FW_TRACE_MOST_ISSUES); /* how long it takes, which nothing is recorded for */
    fw_trace_open_account(&work, true);
    of.columns = columns;
    of.cycles = of.simulated > 1 ? of.simulated : 1;
    for (size_t c = 0; c < FW_SM_PART_COUNT; c++)
        of.parts[c] = 0;
    fw_trace_simulate(&work, &result, FW_TRACE_MOST_ISSUES);
    publish(timeline, &work, &of);
    return FW_OK;
}
