/* The answer of the trace model: terms, stall reasons, occupancy, what is not modelled. */
#include "trace_model_internal.h"

#include "demand.h"

#include <math.h>

#define STALLS "Warps' time by Nsight Compute's stall reasons"

static const struct fw_quantity_kind stall_kinds[FW_SM_STALL_COUNT] = {
#define X(name, text)                                                                              \
    [FW_SM_STALL_##name] = {.key = "stall_" text,                                                  \
                            .title = text,                                                         \
                            .unit = "share",                                                       \
                            .meaning = "of the time of resident warps",                            \
                            .group = STALLS},
    FW_SM_STALLS(X)
#undef X
};
static const struct fw_quantity_kind issue_kind = {.key = "issue_active",
                                                   .title = "issue slots filled",
                                                   .unit = "share",
                                                   .meaning = "of those of the busiest "
                                                              "multiprocessor",
                                                   .group = STALLS};
static const struct fw_quantity_kind choice_kind = {
    .key = "issue_choice",
    .title = "choice between warps",
    .unit = "share",
    .meaning = "of instructions: their operands were there when another warp issued; without any, "
               "no order of issue changes the time",
    .group = STALLS};

static void publish_stalls(struct fw_trace_work *work, const struct fw_sm_result *result)
{
    struct fw_quantity_row *rows =
        FW_ARRAY(work->arena, struct fw_quantity_row, FW_SM_STALL_COUNT + 2);
    double sum = 0, schedulers = fmax(1, fw_trace_figure(work, FW_FIGURE_SCHEDULERS));
    for (int s = 0; s < FW_SM_STALL_COUNT; s++)
        sum += result->stalls[s];
    rows[0] = (struct fw_quantity_row){
        .kind = &issue_kind,
        .value = result->cycles > 0 ? fmin(1, result->issued / result->cycles / schedulers) : 0};
    rows[1] = (struct fw_quantity_row){
        .kind = &choice_kind,
        .value = result->issued > 0 ? fmin(1, result->overtaken / result->issued) : 0};
    for (int s = 0; s < FW_SM_STALL_COUNT; s++)
        rows[s + 2] = (struct fw_quantity_row){.kind = &stall_kinds[s],
                                               .value = sum > 0 ? result->stalls[s] / sum : 0};
    work->to->quantities = rows;
    work->to->quantity_count = FW_SM_STALL_COUNT + 2;
}

static void add_term(struct fw_trace_work *work, struct fw_cost_row *rows, const char *name,
                     enum fw_figure figure, double cycles, double parts, const char *meaning)
{
    double seconds = cycles / parts / work->clock;
    if (!(seconds > 0))
        return;
    size_t at = work->to->term_count++;
    while (at > 0 && rows[at - 1].seconds < seconds) {
        rows[at] = rows[at - 1];
        at--;
    }
    rows[at] = (struct fw_cost_row){
        .name = name,
        .seconds = seconds,
        .amount = cycles,
        .unit = "cycles",
        .rate = work->clock * parts,
        .figure = fw_figure_row(figure)->name,
        .source = fw_figure_source_text(work->question->device->figures[figure].source),
        .meaning = meaning};
}

static void publish_terms(struct fw_trace_work *work, const struct fw_sm_result *result,
                          double around)
{
    static const char *const meanings[FW_SM_UNIT_COUNT] = {
        [FW_SM_NONE] = "instructions issued to warps",
        [FW_SM_FMA] = "f32 arithmetic and integer products",
        [FW_SM_ALU] = "integer, logic and comparison",
        [FW_SM_FP16] = "f16 and bf16 arithmetic",
        [FW_SM_FP64] = "f64 arithmetic",
        [FW_SM_XU] = "reciprocals, roots, exponentials, conversions",
        [FW_SM_TENSOR] = "matrix products",
        [FW_SM_MATCH] = "distinct values of lanes that are matched"};
    struct fw_cost_row *rows =
        FW_ARRAY(work->arena, struct fw_cost_row, FW_SM_UNIT_COUNT + FW_SM_SERVER_COUNT + 2);
    double schedulers = fmax(1, fw_trace_figure(work, FW_FIGURE_SCHEDULERS));
    for (int u = 0; u < FW_SM_UNIT_COUNT; u++)
        if (u != FW_SM_LSU)
            add_term(work, rows, fw_sm_unit_text((enum fw_sm_unit)u),
                     fw_sm_unit_figure((enum fw_sm_unit)u), result->busy[u], schedulers,
                     meanings[u]);
    add_term(work, rows, "lsu", FW_FIGURE_SM_CLOCK, result->served[FW_SM_SERVER_LSU], 1,
             "wavefronts of the load-store unit, shared memory included");
    add_term(work, rows, "l2", FW_FIGURE_L2_BANDWIDTH, result->served[FW_SM_SERVER_L2], 1,
             "the multiprocessor's share of L2");
    add_term(work, rows, "l2_stores", FW_FIGURE_L2_STORE_BANDWIDTH,
             result->served[FW_SM_SERVER_STORES], 1,
             "the multiprocessor's share of how L2 takes stores");
    add_term(work, rows, "l2_lines", FW_FIGURE_L2_STORE_BANDWIDTH,
             result->served[FW_SM_SERVER_LINES], 1,
             "the multiprocessor's share of what L2 writes: stores and device memory's data");
    add_term(work, rows, "dram", FW_FIGURE_DRAM_COPY_BANDWIDTH, result->served[FW_SM_SERVER_DRAM],
             1, "the multiprocessor's share of device memory");
    add_term(work, rows, "atomics", FW_FIGURE_ATOMIC_PASSES, result->served[FW_SM_SERVER_ATOMICS],
             1, "the multiprocessor's share of the slices of L2 that execute atomic operations");
    add_term(work, rows, "constant", FW_FIGURE_CONSTANT_REQUESTS,
             result->served[FW_SM_SERVER_CONSTANT], 1, "requests of the nearest constant cache");
    add_term(work, rows, "start_and_end", FW_FIGURE_EMPTY_DURATION, around * work->clock, 1,
             "start of the first block and end of the launch, as of a kernel that does nothing");
    for (size_t t = 0; t < work->to->term_count; t++)
        rows[t].share = rows[t].seconds / rows[0].seconds;
    work->to->terms = rows;
    work->to->limiter = work->to->term_count ? rows[0].name : NULL;
}

/* Cycles that a warp has its place beside those that are simulated, before its first instruction
 * and after its last.  Source: empty kernels in blocks of 1 and 32 warps (`few` in
 * data/h200/stalls, found), whose warps are active for 125 to 145 cycles, where their instructions
 * take 54 to 61. */
static const double COMING_AND_GOING = 75;

/* Warps that are resident in the mean, of those that a multiprocessor can hold: those of the
 * simulated one, which has most blocks, by what all others have in the mean. */
static void publish_achieved(struct fw_trace_work *work, const struct fw_sm_result *result)
{
    const struct fw_occupancy *occupancy = &work->residency.occupancy;
    const double mean = work->grid / work->busy / work->own;
    if (!(result->cycles > 0) || !occupancy->warps)
        return;
    const double others = COMING_AND_GOING * work->own * work->traces.warps;
    double warps = fmin(mean * (result->resident + others) / result->cycles, occupancy->warps);
    work->to->has_achieved_occupancy = true;
    work->to->achieved_occupancy = warps / occupancy->warps * occupancy->share;
}

static void publish_occupancy(struct fw_trace_work *work, const struct fw_sm_result *result)
{
    const struct fw_residency *residency = &work->residency;
    if (!residency->known || !residency->has_waves)
        return;
    work->to->has_occupancy = true;
    work->to->resident_blocks = residency->occupancy.blocks;
    work->to->occupancy = residency->occupancy.share;
    work->to->occupancy_limit = fw_limit_text(residency->occupancy.limit);
    work->to->waves = residency->waves.full;
    publish_achieved(work, result);
}

static void say_what_is_left_out(struct fw_trace_work *work, const struct fw_sm_result *result)
{
    struct fw_arena *arena = work->arena;
    const struct fw_trace_question *question = work->question;
    const char *sentences[16];
    size_t count = 0;
    sentences[count++] = "Caches are taken to hit evenly over an access's executions.";
    sentences[count++] = "Instruction caches hit, but for what launching adds.";
    if (work->missing)
        sentences[count++] = fw_arena_printf(
            arena, "The profile has no %s: what they cost counts as nothing.", work->missing);
    if (work->costs.missing)
        sentences[count++] = fw_arena_printf(
            arena, "The profile has no %s: what they cost counts as nothing.", work->costs.missing);
    if (!fw_device_figure(question->device, FW_FIGURE_ISSUE_ORDER, NULL))
        sentences[count++] =
            fw_arena_printf(arena, "The profile has no issue_order: warps issue by %s.",
                            fw_figure_name(FW_FIGURE_ISSUE_ORDER, FW_ISSUE_ORDER_GREEDY_YOUNGEST));
    if (work->left_out)
        sentences[count++] = "Nobody waits for bulk copies whose mbarriers no mbarrier.init tells.";
    if (fw_debug_caveat(question->kernel))
        sentences[count++] = fw_debug_caveat(question->kernel);
    if (fw_match_caveat(question->kernel))
        sentences[count++] = fw_match_caveat(question->kernel);
    if (!question->kernel->capability)
        sentences[count++] = "There is no machine layer: arithmetic counts as nothing.";
    if (work->traces.blocks_sampled)
        sentences[count++] = "Traces of some blocks stand for those between them.";
    if (work->traces.iterations_sampled)
        sentences[count++] = "Some iterations of a loop whose iterations differ stand for all.";
    if (work->own_lengths)
        sentences[count++] = "Lengths of blocks lie evenly between half and one and a half of "
                             "their mean.";
    if (result->shorter)
        sentences[count++] =
            "Long loops were simulated at two shares of their trips: the rest goes on "
            "as these differ.";
    if (result->cut)
        sentences[count++] = "The simulation was cut off: the rest takes what it asks of the "
                             "busiest unit.";
    fw_model_say(work->to, arena, sentences, count);
}

void fw_trace_publish(struct fw_trace_work *work, const struct fw_sm_result *result, double around)
{
    publish_occupancy(work, result);
    publish_terms(work, result, around);
    publish_stalls(work, result);
    say_what_is_left_out(work, result);
}
