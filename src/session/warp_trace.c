/* The trace of one warp of a worker's launch, as rows; its statistics; classes of warps. */
#include "session.h"
#include "trace.h"
#include "warp.h"

#include <string.h>

enum { MOST_ROWS = 2000 };

struct flattening {
    struct fw_arena *arena;
    const struct fw_kernel *kernel;
    const struct fw_traces *traces;
    FW_VECTOR(struct fw_trace_row) rows;
    bool cut;
};

/* "fma.f32". */
static const char *instruction_name(struct fw_arena *arena, const struct fw_scheduled *at)
{
    const char *type = fw_type_text(at->type);
    return *type ? fw_arena_printf(arena, "%s.%s", at->operation, type) : at->operation;
}

static void flatten_run(struct flattening *to, const struct fw_trace_node *node,
                        struct fw_trace_row *row)
{
    const char **names = FW_ARRAY(to->arena, const char *, node->count);
    for (uint32_t i = 0; i < node->count; i++) {
        const struct fw_scheduled *at = &to->kernel->schedule[to->traces->order[node->first + i]];
        names[i] = instruction_name(to->arena, at);
        if (at->line && (!row->line || at->line < row->line))
            row->line = at->line;
        if (at->line > row->last_line)
            row->last_line = at->line;
    }
    row->instructions = names;
    row->instruction_count = node->count;
}

static void flatten(struct flattening *to, const struct fw_trace *trace, uint32_t depth)
{
    for (uint32_t n = 0; n < trace->count; n++) {
        const struct fw_trace_node *node = &trace->nodes[n];
        if (to->rows.count == MOST_ROWS) {
            to->cut = true;
            return;
        }
        struct fw_trace_row *row = FW_APPEND(to->arena, &to->rows);
        *row = (struct fw_trace_row){
            .depth = depth, .is_loop = node->is_loop, .share = node->share, .lanes = node->lanes};
        if (!node->is_loop) {
            flatten_run(to, node, row);
            continue;
        }
        row->loop = to->kernel->loops[node->loop].name;
        row->line = to->kernel->loops[node->loop].line;
        row->enters = node->enters;
        row->trips = node->trips;
        row->step = node->step;
        flatten(to, node->body, depth + 1);
    }
}

/* Sums over the instructions of one warp. */
struct sums {
    double issued, threads, groups[FW_INSTRUCTION_GROUP_COUNT];
};

static struct sums sum_up(struct fw_arena *arena, const struct fw_kernel *kernel,
                          const struct fw_traces *traces, const struct fw_trace *trace)
{
    struct sums sums = {0};
    double *issues = FW_ARRAY(arena, double, kernel->schedule_count + 1);
    double *threads = FW_ARRAY(arena, double, kernel->schedule_count + 1);
    fw_trace_count(traces, trace, 1, issues, threads);
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        sums.issued += issues[i];
        sums.threads += threads[i];
        sums.groups[kernel->schedule[i].group] += issues[i];
    }
    return sums;
}

/* Instructions that fewer threads execute than the warp has. */
static double partial_in(const struct fw_trace *trace, double weight, double trips, double whole)
{
    double sum = 0;
    for (uint32_t n = 0; n < trace->count; n++) {
        const struct fw_trace_node *node = &trace->nodes[n];
        double here = weight * node->share;
        if (node->is_loop)
            sum += partial_in(node->body, here * (node->trips + node->step * (trips - 1) / 2),
                              node->trips, whole);
        else if (node->lanes < whole)
            sum += here * node->count;
    }
    return sum;
}

static uint32_t threads_of(const struct fw_launch *launch, uint32_t warp)
{
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    uint32_t left = threads - warp * FW_WARP_THREADS;
    return left < FW_WARP_THREADS ? left : FW_WARP_THREADS;
}

static void add_classes(struct fw_trace_answer *answer, struct fw_worker *worker,
                        const struct fw_traces *traces)
{
    struct fw_trace_class_row *rows =
        FW_ARRAY(worker->results, struct fw_trace_class_row, traces->class_count + 1);
    for (uint32_t k = 0; k < traces->class_count; k++) {
        const struct fw_trace_class *from = &traces->classes[k];
        struct fw_arena_mark mark = fw_arena_mark(worker->results);
        struct sums sums = sum_up(worker->results, worker->record, traces, from->trace);
        fw_arena_release(worker->results, mark);
        rows[k] = (struct fw_trace_class_row){.warps = from->warps,
                                              .warp = from->warp,
                                              .issued = sums.issued,
                                              .threads = sums.threads};
        memcpy(rows[k].block, from->block, sizeof(rows[k].block));
        answer->warps += from->warps;
    }
    answer->has_classes = true;
    answer->classes = rows;
    answer->class_count = traces->class_count;
    answer->traced_blocks = traces->traced_blocks;
    answer->blocks_sampled = traces->blocks_sampled;
}

enum fw_status fw_session_trace(struct fw_worker *worker)
{
    const struct fw_trace_settings *settings = worker->trace;
    const struct fw_kernel *kernel = worker->record;
    struct fw_trace_options options = {.one_warp = settings->one_warp, .warp = settings->warp};
    struct fw_traces traces;
    memcpy(options.block, settings->block, sizeof(options.block));
    enum fw_status status =
        fw_traces_find(&traces, worker->results, kernel, worker->bound, worker->launch, &options,
                       &worker->program->context->sink);
    if (status)
        return status;
    struct fw_trace_answer *answer = FW_NEW(worker->results, struct fw_trace_answer);
    const struct fw_trace_class *shown = &traces.classes[0];
    struct flattening to = {worker->results, kernel, &traces, {0}, false};
    struct sums sums = sum_up(worker->results, kernel, &traces, shown->trace);
    flatten(&to, shown->trace, 0);
    memcpy(answer->block, shown->block, sizeof(answer->block));
    answer->warp = shown->warp;
    answer->rows = to.rows.at;
    answer->row_count = to.rows.count;
    answer->cut = to.cut;
    answer->issued = sums.issued;
    answer->threads = sums.threads;
    memcpy(answer->groups, sums.groups, sizeof(answer->groups));
    answer->warp_threads = threads_of(worker->launch, shown->warp);
    answer->partial = partial_in(shown->trace, 1, 1, answer->warp_threads);
    if (traces.iterations_sampled)
        answer->sampled_loop = kernel->loops[traces.sampled_loop].name;
    if (!settings->one_warp)
        add_classes(answer, worker, &traces);
    worker->answer->trace = answer;
    if (settings->columns)
        status = fw_session_timeline(worker, answer);
    if (status)
        return status;
    if (worker->device) {
        worker->answer->device = worker->device->name;
        worker->answer->device_title = worker->device->title;
    }
    fw_session_unknowns(worker);
    return fw_session_check_arguments(worker);
}
