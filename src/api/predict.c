/* Predictions: the models asked in turn, and their answers as rows of the public interface. */
#include "api_internal.h"

#include <stdlib.h>
#include <string.h>

/* Arguments that a prediction leaned on for want of a value: it is not made without. */
static enum fw_status check_arguments(const struct fw_worker *worker)
{
    enum { MOST = 32 };
    const char *notes[MOST];
    size_t count = 0;
    const struct fw_answer *answer = worker->answer;
    for (size_t u = 0; u < answer->unknown_count; u++) {
        const char *name = answer->unknowns[u].argument;
        bool told = name == NULL;
        for (size_t a = 0; a < answer->kernel->argument_count && !told; a++) {
            const struct fw_argument_row *row = &answer->kernel->arguments[a];
            if (strcmp(row->name, name) != 0)
                continue;
            const char *text = fw_arena_printf(worker->results, "-s %s=VALUE  (argument %u, %s)",
                                               name, row->position, row->type);
            for (size_t n = 0; n < count && !told; n++)
                told = strcmp(notes[n], text) == 0;
            if (!told && count < MOST)
                notes[count++] = text;
            told = true;
        }
    }
    if (!count)
        return FW_OK;
    fw_report_notes(&worker->program->context->sink, FW_ERROR, "API030", (struct fw_span){0}, notes,
                    count, "how often %s runs what depends on arguments that are not given",
                    answer->kernel->name);
    return FW_ERROR_USAGE;
}

/* The device's limits on a launch. */
enum fw_status api_check_device(const struct fw_worker *worker)
{
    static const enum fw_figure limits[] = {
        FW_FIGURE_BLOCK_X, FW_FIGURE_BLOCK_Y, FW_FIGURE_BLOCK_Z,          FW_FIGURE_GRID_X,
        FW_FIGURE_GRID_Y,  FW_FIGURE_GRID_Z,  FW_FIGURE_THREADS_PER_BLOCK};
    const struct fw_answer *launch = worker->answer; /* its grid and block */
    const uint64_t sizes[] = {launch->block[0],
                              launch->block[1],
                              launch->block[2],
                              launch->grid[0],
                              launch->grid[1],
                              launch->grid[2],
                              (uint64_t)launch->block[0] * launch->block[1] * launch->block[2]};
    for (size_t l = 0; l < sizeof(limits) / sizeof(limits[0]); l++) {
        uint64_t most = fw_device_count(worker->device, limits[l], UINT64_MAX);
        if (sizes[l] <= most)
            continue;
        api_error(worker->program->context, "API031", "%s allows %s of %llu at most, not %llu",
                  worker->device->name, fw_figure_row(limits[l])->name, (unsigned long long)most,
                  (unsigned long long)sizes[l]);
        return FW_ERROR_USAGE;
    }
    return FW_OK;
}

enum fw_status api_choose_models(struct api_models *models, const struct fw_worker *worker)
{
    const char *at = worker->predict->models ? worker->predict->models : "roofline";
    *models = (struct api_models){0};
    while (*at) {
        size_t length = strcspn(at, ",");
        if (length == 8 && strncmp(at, "roofline", 8) == 0)
            models->roofline = true;
        else if (length == 7 && strncmp(at, "traffic", 7) == 0)
            models->traffic = true;
        else
            break;
        at += length + (at[length] == ',');
    }
    if (*at == '\0' && worker->predict->volumes && !models->traffic) {
        api_error(worker->program->context, "API071",
                  "measured volumes (--volumes) are for the model traffic: -m traffic");
        return FW_ERROR_USAGE;
    }
    if (*at == '\0' && (models->roofline || models->traffic))
        return FW_OK;
    api_error(worker->program->context, "API032",
              "there is no model %s: there are roofline and traffic", at);
    return FW_ERROR_USAGE;
}

static struct fw_cost_row *costs(const struct fw_worker *worker,
                                 const struct fw_roofline_term *terms, uint32_t count)
{
    struct fw_cost_row *rows = FW_ARRAY(worker->results, struct fw_cost_row, count + 1);
    for (uint32_t t = 0; t < count; t++)
        rows[t] = (struct fw_cost_row){
            .name = fw_roofline_text(terms[t].resource),
            .seconds = terms[t].seconds,
            .share = terms[t].share,
            .amount = terms[t].amount,
            .unit = fw_roofline_unit(terms[t].resource),
            .rate = terms[t].rate,
            .figure = fw_figure_row(terms[t].figure)->name,
            .source = fw_figure_source_text(worker->device->figures[terms[t].figure].source),
            .line = terms[t].line,
            .meaning = fw_roofline_meaning(terms[t].resource)};
    return rows;
}

void api_publish(const struct fw_worker *worker, const struct fw_roofline *from,
                 struct fw_prediction *to)
{
    *to = (struct fw_prediction){
        .model = "roofline",
        .seconds = from->seconds,
        .has_overhead = from->has_overhead,
        .overhead_seconds = from->overhead_seconds,
        .limiter = from->term_count ? fw_roofline_text(from->terms[0].resource) : NULL,
        .terms = costs(worker, from->terms, from->term_count),
        .term_count = from->term_count,
        .lines = costs(worker, from->lines, from->line_count),
        .line_count = from->line_count,
        .clock = from->clock,
        .cache = worker->predict->cold ? "cold" : "warm",
        .has_occupancy = from->has_occupancy,
        .resident_blocks = from->occupancy.blocks,
        .occupancy = from->occupancy.share,
        .occupancy_limit = fw_limit_text(from->occupancy.limit),
        .waves = from->waves.full,
        .left_out = from->left_out,
        .left_out_count = from->left_out_count};
}

/* What address expressions did not state, and so nothing of which is in a prediction. */
static void say_unstated(const struct fw_worker *worker, struct fw_prediction *prediction)
{
    const struct fw_address_kernel *addresses = worker->addresses;
    bool traffic = strcmp(prediction->model, "traffic") == 0;
    const char **all = FW_ARRAY(worker->results, const char *, prediction->left_out_count + 2);
    size_t count = prediction->left_out_count;
    if (!addresses)
        return;
    for (size_t l = 0; l < count; l++)
        all[l] = prediction->left_out[l];
    if (!addresses->states_instructions)
        all[count++] = "Instructions are the stated loads, stores and operations: \"instructions\", "
                       "with what a compiler adds, is not stated.";
    if (traffic && !addresses->states_chain)
        all[count++] = "No \"chain\" of operations that wait for each other is stated: their results "
                       "are taken to be there at once.";
    prediction->left_out = all;
    prediction->left_out_count = count;
}

enum fw_status api_predict(struct fw_worker *worker)
{
    struct fw_roofline *roofline;
    struct fw_roofline_options options = {.cold = worker->predict->cold,
                                          .clock = worker->predict->clock,
                                          .alignments = worker->alignments};
    struct api_models models;
    struct fw_prediction *all = FW_ARRAY(worker->results, struct fw_prediction, 2);
    size_t count = 0;
    enum fw_status status = api_choose_models(&models, worker);
    if (!status)
        status = api_check_device(worker);
    if (!status)
        status = fw_roofline_predict(&roofline, worker->results, worker->record, worker->bound,
                                     worker->launch, worker->device, &options,
                                     &worker->program->context->sink);
    if (!status && models.traffic)
        status = api_traffic(worker, roofline, &all[count++]);
    if (status)
        return status;
    if (models.roofline)
        api_publish(worker, roofline, &all[count++]);
    for (size_t p = 0; p < count; p++)
        say_unstated(worker, &all[p]);
    api_unknowns(worker);
    status = check_arguments(worker);
    if (status)
        return status;
    worker->answer->device = worker->device->name;
    worker->answer->device_title = worker->device->title;
    worker->answer->predictions = all;
    worker->answer->prediction_count = count;
    return FW_OK;
}
