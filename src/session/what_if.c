/* What a question states otherwise than profile, compiler or estimate have it; and how long the
 * launch takes where warps issue otherwise: the model that simulates it is asked under each order
 * that a profile may state. */
#include "session.h"

#include <string.h>

/* Changes of the device, the clock, registers, static shared memory. */
enum { OWN_MOST = 3 };

/* NULL: the property is a number. */
static const char *name_of(enum fw_figure figure, double value)
{
    return value >= 0 ? fw_figure_name(figure, (unsigned)value) : NULL;
}

static void add_changes(struct fw_worker *worker, struct fw_what_if_row *rows, size_t *count)
{
    const struct fw_device *device = worker->device;
    for (size_t c = 0; c < device->change_count; c++) {
        const struct fw_device_change *change = &device->changes[c];
        const struct fw_figure_row *row = fw_figure_row(change->figure);
        bool curve = row->shape == FW_FIGURE_SHAPE_POINTS;
        rows[(*count)++] =
            (struct fw_what_if_row){.property = row->name,
                                    .value = change->value,
                                    .unit = curve ? "factor" : row->unit,
                                    .has_instead = change->was_known,
                                    .instead = change->was,
                                    .source = change->was_known ? "profile" : NULL,
                                    .name = name_of(change->figure, change->value),
                                    .instead_name = name_of(change->figure, change->was)};
    }
}

/* A clock that is not the profile's. */
static bool add_clock(struct fw_worker *worker, struct fw_what_if_row *rows, size_t *count)
{
    double usual, stated = worker->predict->clock;
    bool known = fw_device_figure(worker->device, FW_FIGURE_SM_CLOCK, &usual);
    if (!(stated > 0) || (known && usual == stated))
        return false;
    rows[(*count)++] = (struct fw_what_if_row){.property = "sm_clock",
                                               .value = stated,
                                               .unit = "hertz",
                                               .has_instead = known,
                                               .instead = known ? usual : 0,
                                               .source = known ? "profile" : NULL};
    return true;
}

static void add_resources(struct fw_worker *worker, struct fw_what_if_row *rows, size_t *count)
{
    const struct fw_resources *resources = &worker->record->resources;
    bool known = resources->registers > 0;
    bool assembled = resources->assembler && strcmp(resources->registers_source, "ptxas") == 0;
    if (worker->stated_registers && worker->stated_registers != resources->registers)
        rows[(*count)++] =
            (struct fw_what_if_row){.property = "registers",
                                    .value = worker->stated_registers,
                                    .unit = "registers",
                                    .has_instead = known,
                                    .instead = resources->registers,
                                    .source = known ? resources->registers_source : NULL};
    if (worker->static_stated && worker->stated_static != resources->static_shared)
        rows[(*count)++] = (struct fw_what_if_row){.property = "static_shared",
                                                   .value = worker->stated_static,
                                                   .unit = "bytes",
                                                   .has_instead = true,
                                                   .instead = resources->static_shared,
                                                   .source = assembled ? "ptxas" : "declared"};
}

void fw_session_tell_what_if(struct fw_worker *worker)
{
    struct fw_answer *answer = worker->answer;
    struct fw_what_if_row *rows =
        FW_ARRAY(worker->results, struct fw_what_if_row, worker->device->change_count + OWN_MOST);
    struct fw_buffer names = fw_buffer_new(worker->results);
    size_t count = 0;
    add_changes(worker, rows, &count);
    add_clock(worker, rows, &count);
    add_resources(worker, rows, &count);
    if (!count)
        return;
    answer->what_if = rows;
    answer->what_if_count = count;
    for (size_t r = 0; r < count; r++)
        fw_buffer_printf(&names, "%s%s", r ? ", " : "", rows[r].property);
    const char *sentence[] = {fw_arena_printf(
        worker->results, "Unchecked: nothing was measured at the stated %s.", names.text)};
    union { /* made by this worker */
        const struct fw_prediction *from;
        struct fw_prediction *to;
    } predictions = {answer->predictions};
    for (size_t p = 0; p < answer->prediction_count; p++) {
        predictions.to[p].has_interval = false; /* whose coverage was checked without */
        predictions.to[p].has_power_interval = false;
        fw_model_say(&predictions.to[p], worker->results, sentence, 1);
    }
}

/* ---- the order of issue ---- */

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
