/* How much the time of a launch depends on the order in which warps issue: the model that simulates
 * it is asked under each order that a profile may state. */
#include "session.h"

#include <string.h>

/* The device as it is, or with another order in place of its own. */
static const struct fw_device *device_with(struct fw_worker *worker, unsigned own, unsigned order)
{
    if (order == own)
        return worker->device;
    struct fw_device *changed = FW_NEW(worker->results, struct fw_device);
    *changed = *worker->device;
    fw_device_set(changed, worker->results, FW_FIGURE_ISSUE_ORDER, order, FW_SOURCE_STATED,
                  "asked for beside the profile's");
    return changed;
}

enum fw_status fw_session_issue_orders(struct fw_worker *worker,
                                       const struct fw_model_question *question)
{
    static const char name[] = "trace";
    const struct fw_model *model = fw_model_find(name, strlen(name));
    const unsigned own = (unsigned)fw_device_count(worker->device, FW_FIGURE_ISSUE_ORDER,
                                                   FW_ISSUE_ORDER_GREEDY_YOUNGEST);
    struct fw_issue_order_row *rows =
        FW_ARRAY(worker->results, struct fw_issue_order_row, FW_ISSUE_ORDER_COUNT);
    struct fw_model_question asked = *question;
    enum fw_status status = FW_OK;
    if (!question->bound) {
        fw_session_error(worker->program->context, "API096",
                         "warps issue instructions of compiled code, and there is none of %s: %s",
                         worker->answer->kernel->name, question->no_code);
        return FW_ERROR_USAGE;
    }
    asked.brief = true;
    asked.sink = &worker->program->context->sink;
    for (unsigned order = 0; order < FW_ISSUE_ORDER_COUNT && !status; order++) {
        struct fw_prediction prediction = {.model = model->name};
        asked.device = device_with(worker, own, order);
        status = fw_model_ask(&prediction, model, NULL, &asked);
        rows[order] = (struct fw_issue_order_row){
            .name = fw_figure_name(FW_FIGURE_ISSUE_ORDER, order),
            .meaning = fw_figure_name_meaning(FW_FIGURE_ISSUE_ORDER, order),
            .seconds = prediction.seconds,
            .own = order == own};
    }
    if (status)
        return status;
    worker->answer->issue_orders = rows;
    worker->answer->issue_order_count = FW_ISSUE_ORDER_COUNT;
    return FW_OK;
}
