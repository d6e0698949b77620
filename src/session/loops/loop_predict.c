/* Kernel-language programs predicted: their generated code is asked; where it cannot be compiled,
 * models that can do with counts from the domains. */
#include "feature_rows.h"
#include "loop_work.h"
#include "warp.h"

#include <string.h>

/* Every parameter that a count needs must be bound. */
static enum fw_status check_bound(const struct fw_worker *worker)
{
    const struct fw_kernel_row *kernel = worker->answer->kernel;
    const char **notes = FW_ARRAY(worker->results, const char *, kernel->argument_count + 1);
    size_t count = 0;
    for (size_t a = 0; a < kernel->argument_count; a++) {
        const struct fw_argument_row *row = &kernel->arguments[a];
        bool needed = false;
        for (size_t r = 0; r < worker->answer->counts->operation_count && !needed; r++)
            for (size_t n = 0; n < worker->answer->counts->operations[r].need_count; n++)
                needed |= strcmp(worker->answer->counts->operations[r].needs[n], row->name) == 0;
        for (size_t r = 0; r < worker->answer->counts->memory_count && !needed; r++)
            for (size_t n = 0; n < worker->answer->counts->memory[r].need_count; n++)
                needed |= strcmp(worker->answer->counts->memory[r].needs[n], row->name) == 0;
        if (needed)
            notes[count++] = fw_arena_printf(worker->results, "-s %s=VALUE  (argument %u, %s)",
                                             row->name, row->position, row->type);
    }
    if (!count)
        return FW_OK;
    fw_report_notes(&worker->program->context->sink, FW_ERROR, "API030", (struct fw_span){0}, notes,
                    count, "how often %s runs what depends on parameters that are not given",
                    kernel->name);
    return FW_ERROR_USAGE;
}

static enum fw_status count_domains(struct fw_worker *worker)
{
    const struct fw_count_settings settings = {.size = sizeof(settings), .contract = true};
    worker->settings = &settings;
    enum fw_status status = fw_session_loop_launch(worker);
    if (!status)
        status = fw_session_loop_count(worker);
    worker->settings = NULL;
    return status;
}

/* The launch without any count: code that is asked counts for itself. */
static enum fw_status find_launch(struct fw_worker *worker)
{
    worker->loops->launch_alone = true;
    enum fw_status status = fw_session_loop_launch(worker);
    worker->loops->launch_alone = false;
    return status;
}

/* The rows that features are chosen from, by the domains. */
static enum fw_status domain_rows(struct fw_feature_rows *rows, const double **own,
                                  struct fw_worker *worker)
{
    uint32_t warp = fw_session_warp(worker->device);
    worker->loops->warp = warp == FW_WARP_THREADS ? 0 : warp;
    enum fw_status status = count_domains(worker);
    worker->loops->warp = 0;
    if (!status)
        status = check_bound(worker);
    if (!status)
        fw_feature_rows_of_counts(rows, worker->results, worker->answer, warp);
    *own = status ? NULL : fw_session_own_features(worker, worker->answer);
    worker->answer->counts = NULL;
    return status;
}

/* Whether what is asked needs nothing but the domains. */
static bool domains_suffice(const struct fw_session_models *models, const struct fw_worker *worker)
{
    bool any = false;
    if (worker->predict->issue_orders)
        return false;
    for (size_t m = 0; m < FW_SESSION_MODELS_MOST && fw_model_at(m); m++) {
        const struct fw_model *model = fw_model_at(m);
        void *state;
        if (!models->asked[m])
            continue;
        any = true;
        if (!model->needs_code ||
            fw_model_open(&state, worker->program->context->models, model, worker->device,
                          worker->predict->calibration, NULL) != FW_OK ||
            model->needs_code(state))
            return false;
    }
    return any;
}

enum fw_status fw_session_loop_predict(struct fw_worker *worker)
{
    struct fw_feature_rows *rows = NULL;
    const double *own = NULL;
    struct fw_model_question question = fw_session_question(worker);
    struct fw_session_models models;
    enum fw_status status = fw_session_choose_models(&models, worker);
    if (!status)
        status = find_launch(worker);
    if (!status && fw_session_asks_features(&models)) {
        rows = FW_NEW(worker->results, struct fw_feature_rows);
        status = domain_rows(rows, &own, worker);
    }
    if (status)
        return status;
    question.no_code = "the domains suffice";
    if (!domains_suffice(&models, worker) &&
        fw_session_loop_predict_code(worker, rows, own, &question.no_code))
        return FW_OK;
    if (worker->predict->emulate) {
        fw_session_file_error(worker->program, "API015",
                              "blocks are emulated of PTX, and this cannot be made into it: %s",
                              question.no_code);
        return FW_ERROR_INPUT;
    }
    status = count_domains(worker);
    if (!status)
        status = check_bound(worker);
    if (!status)
        status = fw_session_check_device(worker);
    if (!status)
        status = fw_session_limit_block(&question, worker);
    if (status)
        return status;
    question.counted = worker->answer;
    question.domain_rows = rows;
    question.own_features = own;
    status = fw_session_ask_models(worker, &models, &question);
    if (!status && worker->predict->issue_orders)
        status = fw_session_issue_orders(worker, &question);
    worker->answer->counts = NULL; /* as for PTX: a prediction shows its terms */
    return status;
}

enum fw_status fw_session_loop_features(struct fw_worker *worker)
{
    struct fw_feature_rows *rows = FW_NEW(worker->results, struct fw_feature_rows);
    const char *why = NULL;
    const double *own;
    bool needed = false;
    enum fw_status status = fw_session_features_need_code(&needed, worker);
    if (!status)
        status = domain_rows(rows, &own, worker);
    if (status || (needed && fw_session_loop_features_of_code(worker, rows, own, &status, &why)))
        return status;
    return fw_session_domain_features(worker, rows, own, why);
}
