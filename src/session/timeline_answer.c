/* The timeline of a worker's launch, which is bound. */
#include "session.h"
#include "trace_timeline.h"

enum { MOST_COLUMNS = 4096 };

enum fw_status fw_session_timeline(struct fw_worker *worker, struct fw_trace_answer *answer)
{
    const struct fw_predict_settings usual = {.size = sizeof(usual)};
    uint32_t columns =
        worker->trace->columns < MOST_COLUMNS ? worker->trace->columns : MOST_COLUMNS;
    if (!worker->device) {
        fw_session_error(worker->program->context, "API095",
                         "a timeline is of a device: none is given (-d)");
        return FW_ERROR_USAGE;
    }
    worker->predict = &usual;
    struct fw_model_question question = fw_session_question(worker);
    enum fw_status status = fw_session_check_device(worker);
    if (!status)
        status = fw_session_limit_block(&question, worker);
    worker->predict = NULL;
    if (status)
        return status;
    question.bound = worker->bound;
    question.sink = &worker->program->context->sink;
    struct fw_timeline *timeline = FW_NEW(worker->results, struct fw_timeline);
    status = fw_trace_timeline(timeline, &question, columns);
    if (!status)
        answer->timeline = timeline;
    return status;
}
