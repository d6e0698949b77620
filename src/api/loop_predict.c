/* Predictions of kernel-language programs where their code cannot be compiled, from the domains:
 * the roofline of what the mathematics asks for.  There are no instructions: what a compiler adds
 * (index arithmetic, loops, moves) is left out, and said to be. */
#include "loop_work.h"

#include <math.h>
#include <string.h>

enum { WARP = 32, SECTOR = 32 };

struct asking {
    struct fw_worker *worker;
    FW_VECTOR(struct fw_roofline_work) work;
    double footprint;
    const char *why; /* there is no code that could be asked; NULL: not tried */
    bool expanded, unknown_strides, unknown_footprints, shared;
};

static double *line_of(struct asking *asking, uint32_t line)
{
    struct fw_roofline_work *work = FW_APPEND(asking->worker->results, &asking->work);
    work->line = line;
    return work->amounts;
}

/* All lanes of a warp are busy, whichever threads have work. */
static void add_operation(struct asking *asking, const struct fw_operation_row *row)
{
    double *amounts = line_of(asking, 0), warps = row->count.value, lanes = WARP * warps;
    bool real = row->type[0] == 'f' || strncmp(row->type, "bf", 2) == 0;
    bool product = strcmp(row->operation, "mul") == 0 || strcmp(row->operation, "madd") == 0;
    bool plain = product || strcmp(row->operation, "add") == 0 ||
                 strcmp(row->operation, "func:fma") == 0 ||
                 strcmp(row->operation, "func:min") == 0 || strcmp(row->operation, "func:max") == 0;
    amounts[FW_ROOFLINE_ISSUE] += warps;
    if (!real)
        amounts[product ? FW_ROOFLINE_INTEGER_MULTIPLY : FW_ROOFLINE_INTEGER] += lanes;
    else if (strcmp(row->type, "f64") == 0)
        amounts[FW_ROOFLINE_F64] += lanes;
    else if (!plain)
        amounts[FW_ROOFLINE_SPECIAL] += lanes;
    else
        amounts[strcmp(row->type, "f32") == 0 ? FW_ROOFLINE_F32 : FW_ROOFLINE_F16] += lanes;
    asking->expanded |= strcmp(row->operation, "div") == 0 || strcmp(row->operation, "pow") == 0 ||
                        (real && !plain && strcmp(row->type, "f64") == 0);
}

/* Sectors that a warp's access touches: its threads lie along x, then along y. */
static double sectors_of(const struct asking *asking, const struct fw_memory_row *row)
{
    const uint32_t *block = asking->worker->answer->block;
    double along = block[0] < WARP ? block[0] : WARP;
    double across = block[0] < WARP && block[1] > 1 ? WARP / along : 1;
    double step = fabs((double)row->thread_strides[0]) * row->bytes;
    double sectors = step >= SECTOR ? along : ceil(((along - 1) * step + row->bytes) / SECTOR);
    if (row->thread_strides[1] != 0 && across > 1)
        sectors *= across;
    return sectors < WARP ? sectors : WARP;
}

static void add_access(struct asking *asking, const struct fw_memory_row *row)
{
    double *amounts = line_of(asking, row->line);
    bool by_warps = strcmp(row->granularity, "warp") == 0;
    double warps = by_warps ? row->count.value : row->count.value / WARP;
    amounts[FW_ROOFLINE_ISSUE] += warps;
    amounts[FW_ROOFLINE_LOAD_STORE] += WARP * warps;
    if (strcmp(row->space, "shared") == 0) {
        amounts[FW_ROOFLINE_SHARED] += WARP * warps * (row->bytes < 4 ? 4 : row->bytes);
        asking->shared = true;
        return;
    }
    asking->unknown_strides |= !row->has_thread_strides;
    double sectors = by_warps ? 1 : row->has_thread_strides ? sectors_of(asking, row) : WARP;
    amounts[FW_ROOFLINE_L1] += warps * sectors * SECTOR;
}

/* Distinct bytes come from device memory once; where they are not known, each access does. */
static void add_footprint(struct asking *asking, const struct fw_footprint_row *row,
                          const struct fw_counts *counts)
{
    bool global = false;
    uint32_t line = 0;
    for (size_t r = 0; r < counts->memory_count; r++)
        if (strcmp(counts->memory[r].array, row->array) == 0 &&
            strcmp(counts->memory[r].direction, row->direction) == 0) {
            global = strcmp(counts->memory[r].space, "global") == 0;
            line = counts->memory[r].line;
        }
    if (!global)
        return;
    bool known = row->elements.known;
    double bytes = (known ? row->elements.value : row->accesses.value) * row->bytes;
    line_of(asking, line)[FW_ROOFLINE_DRAM] += bytes;
    asking->footprint += bytes;
    asking->unknown_footprints |= !known;
}

static const char **sentences_of(const struct asking *asking, uint32_t *count)
{
    const char **sentences = FW_ARRAY(asking->worker->results, const char *, 9);
    *count = 0;
    sentences[(*count)++] =
        "Counts come from the domains, before any compiler: index arithmetic, loops, barriers and "
        "what else becomes instructions is not in them.";
    if (asking->why)
        sentences[(*count)++] = fw_arena_printf(
            asking->worker->results, "Generated code could not be asked instead: %s.", asking->why);
    if (asking->expanded)
        sentences[(*count)++] = "A division, a power, and any f64 function, counts as one "
                                "operation: the device takes about ten to twenty.";
    if (asking->shared)
        sentences[(*count)++] = "Bank conflicts of shared memory are not counted.";
    if (asking->unknown_strides)
        sentences[(*count)++] = "Accesses of unknown strides are taken to touch a sector a thread.";
    if (asking->unknown_footprints)
        sentences[(*count)++] =
            "Elements of arrays whose subscripts are not affine count as asked for once each time.";
    if (asking->worker->answer->unknown_count)
        sentences[(*count)++] = "Conditions that are not known are taken to hold everywhere.";
    return sentences;
}

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

static enum fw_status model(struct fw_worker *worker, struct asking *asking)
{
    const struct fw_answer *answer = worker->answer;
    struct fw_resources resources = {.static_shared = answer->kernel->static_shared};
    struct fw_launch launch = {.shared = answer->shared};
    struct fw_roofline_options options = {.cold = worker->predict->cold,
                                          .clock = worker->predict->clock};
    struct fw_roofline_request request = {.resources = &resources,
                                          .launch = &launch,
                                          .work = asking->work.at,
                                          .work_count = (uint32_t)asking->work.count,
                                          .footprint = asking->footprint};
    struct fw_roofline *roofline;
    memcpy(launch.grid, answer->grid, sizeof(launch.grid));
    memcpy(launch.block, answer->block, sizeof(launch.block));
    request.left_out = sentences_of(asking, &request.left_out_count);
    enum fw_status status =
        fw_roofline_from_work(&roofline, worker->results, &request, worker->device, &options,
                              &worker->program->context->sink);
    if (status)
        return status;
    worker->answer->device = worker->device->name;
    worker->answer->device_title = worker->device->title;
    struct fw_prediction *prediction = FW_NEW(worker->results, struct fw_prediction);
    api_publish(worker, roofline, prediction);
    worker->answer->predictions = prediction;
    worker->answer->prediction_count = 1;
    return FW_OK;
}

static enum fw_status count(struct fw_worker *worker)
{
    const struct fw_count_settings settings = {.size = sizeof(settings), .contract = true};
    worker->settings = &settings;
    enum fw_status status = api_loop_launch(worker);
    if (!status)
        status = api_loop_count(worker);
    worker->settings = NULL;
    return status;
}

/* The launch without any count: code that is asked counts for itself. */
static enum fw_status find_launch(struct fw_worker *worker)
{
    worker->loops->launch_alone = true;
    enum fw_status status = api_loop_launch(worker);
    worker->loops->launch_alone = false;
    return status;
}

enum fw_status api_loop_predict(struct fw_worker *worker)
{
    struct asking asking = {.worker = worker};
    struct api_models models;
    enum fw_status status = api_choose_models(&models, worker);
    if (!status)
        status = find_launch(worker);
    if (status || api_loop_predict_code(worker, &asking.why))
        return status;
    status = count(worker);
    if (!status)
        status = check_bound(worker);
    if (!status)
        status = api_check_device(worker);
    if (status)
        return status;
    if (models.traffic) {
        api_error(worker->program->context, "API045",
                  "the model traffic needs compiled code of %s, and there is none: %s (-m roofline "
                  "asks the domains)",
                  worker->answer->kernel->name, asking.why);
        return FW_ERROR_USAGE;
    }
    const struct fw_counts *counts = worker->answer->counts;
    for (size_t r = 0; r < counts->operation_count; r++)
        add_operation(&asking, &counts->operations[r]);
    for (size_t r = 0; r < counts->memory_count; r++)
        add_access(&asking, &counts->memory[r]);
    for (size_t r = 0; r < counts->footprint_count; r++)
        add_footprint(&asking, &counts->footprints[r], counts);
    worker->answer->counts = NULL; /* as for PTX: a prediction shows its terms */
    return model(worker, &asking);
}
