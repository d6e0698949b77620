/* The trace model: one multiprocessor simulated over the traces of its warps.
 *
 * Takes a kernel at a bound launch and a profile; asks src/sm/launch for traces and for what each
 * access takes of the load-store unit, of L2 and of device memory, and src/sm for the pipeline.
 * docs/trace.md says what it models and leaves out.
 */
#include "trace_model_internal.h"

struct fw_trace_question fw_trace_ask(const struct fw_model_question *question)
{
    return (struct fw_trace_question){.kernel = question->kernel,
                                      .bound = question->bound,
                                      .launch = question->launch,
                                      .device = question->device,
                                      .alignments = question->alignments,
                                      .cold = question->cold,
                                      .sequence = question->sequence,
                                      .clock = question->clock,
                                      .keep_order = question->keep_order,
                                      .side_work = question->side_work,
                                      .kept = fw_model_volumes(question),
                                      .sink = question->sink};
}

static enum fw_status predict(struct fw_prediction *prediction, void *state,
                              const struct fw_model_question *question)
{
    const struct fw_trace_question ask = fw_trace_ask(question);
    struct fw_trace_work work = {.question = &ask, .arena = question->arena, .to = prediction};
    struct fw_sm_result result;
    (void)state;
    enum fw_status status = fw_trace_prepare(&work);
    if (status)
        return status;
    if (!question->brief || question->parts)
        fw_trace_open_account(&work, !question->brief);
    fw_trace_simulate(&work, &result, FW_TRACE_MOST_ISSUES);
    double around = fw_trace_figure(&work, FW_FIGURE_EMPTY_DURATION);
    prediction->clock = work.clock;
    prediction->seconds = result.cycles / work.clock + around;
    prediction->has_overhead = fw_launch_overhead(&prediction->overhead_seconds, question->device);
    fw_trace_publish(&work, &result, around);
    if (work.account)
        fw_trace_publish_account(&work, &result, around);
    return FW_OK;
}

const struct fw_model fw_model_trace = {.name = "trace",
                                        .summary = "a multiprocessor simulated over the traces of "
                                                   "its warps: what waits for what; see "
                                                   "docs/trace.md",
                                        .needs = FW_MODEL_NEEDS_SCHEDULE,
                                        .predict = predict};
