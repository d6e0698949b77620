#include "training_rows.h"

#include "forest_quick.h"
#include "session.h"

#include <math.h>
#include <string.h>

#define SHORT_SECONDS 10e-6
#define BURSTS_VARY   1.02 /* by hardly more than this */

struct adding {
    struct fw_training_rows *rows;
    struct fw_context context; /* without a sink: what is refused is counted */
    const struct fw_launch_items *launches;
    const struct fw_training_measured *measured;
    const struct fw_device *device;
    bool judged;
    const struct fw_launch_item *last; /* whose program and worker are open */
    struct fw_program *program;
    struct fw_worker *worker;
};

static void silence(void *user, const struct fw_diagnostic *diagnostic)
{
    (void)user;
    (void)diagnostic;
}

static void close_program(struct adding *adding)
{
    fw_session_worker_free(adding->worker);
    fw_session_program_free(adding->program);
    adding->worker = NULL;
    adding->program = NULL;
    adding->last = NULL;
}

/* Opens the launch's kernel, unless it is that of the launch before. */
static enum fw_status open_kernel(struct adding *adding, const struct fw_launch_item *item)
{
    const struct fw_program_options options = {
        .size = sizeof(options), .defines = item->defines, .define_count = item->define_count};
    const struct fw_launch_item *last = adding->last;
    const struct fw_kernel *kernel;
    if (last && strcmp(last->file, item->file) == 0 && last->kernel && item->kernel &&
        strcmp(last->kernel, item->kernel) == 0 && !last->define_count && !item->define_count)
        return FW_OK;
    close_program(adding);
    enum fw_status status =
        fw_session_program_read(&adding->program, &adding->context, item->file, &options);
    if (!status)
        status = fw_session_program_kernel(&kernel, adding->program, item->kernel);
    if (!status)
        status = fw_session_worker_new(&adding->worker, adding->program, kernel);
    if (!status)
        adding->last = item;
    return status;
}

static void find_quick(struct fw_training_row *row, const struct fw_model_question *question)
{
    const struct fw_sink silent = {silence, NULL};
    struct fw_model_question quiet = *question;
    quiet.sink = &silent;
    if (fw_forest_quick_find(&row->quick, NULL, &quiet))
        row->quick = (struct fw_forest_basis){0};
    fw_forest_basis_limit(&row->quick, question->device);
}

static enum fw_status predict(struct fw_training_row *row, struct adding *adding,
                              const struct fw_launch_item *item)
{
    static const struct fw_predict_settings settings = {.size = sizeof(settings),
                                                        .models = "traffic,trace"};
    const struct fw_answer *answer;
    if (!item->file)
        return FW_ERROR_INPUT;
    enum fw_status status = open_kernel(adding, item);
    if (status)
        return status;
    struct fw_worker *worker = adding->worker;
    fw_session_worker_clear(worker);
    fw_session_worker_set_block(worker, item->block[0], item->block[1], item->block[2]);
    fw_session_worker_set_grid(worker, item->grid[0], item->grid[1], item->grid[2]);
    fw_session_worker_set_shared(worker, item->shared);
    fw_session_worker_set_compiled(worker, item->compiled_registers, item->compiled_spill_bytes);
    for (size_t b = 0; b < item->binding_count && !status; b++)
        status = fw_session_worker_bind(worker, item->bindings[b]);
    if (!status)
        status = fw_session_worker_predict(&answer, worker, adding->device, &settings);
    if (status)
        return status;
    const struct fw_prediction *all = answer->predictions;
    if (!answer->prediction_count || strcmp(all[0].model, "traffic") != 0 || !(all[0].seconds > 0))
        return FW_ERROR_INPUT;
    const struct fw_prediction *trace = answer->prediction_count > 1 ? &all[1] : NULL;
    fw_forest_basis_find(&row->basis, worker->record, worker->bound, worker->launch, &all[0],
                         trace);
    fw_forest_basis_limit(&row->basis, adding->device);
    fw_blend_launch_find(&row->launch, worker->record, worker->bound, &all[0]);
    fw_blend_launch_limit(&row->launch, adding->device);
    row->longer = fw_blend_longer_by_traffic(&all[0]);
    const struct fw_model_question question = {.arena = worker->results,
                                               .kernel = worker->record,
                                               .bound = worker->bound,
                                               .launch = worker->launch,
                                               .device = adding->device,
                                               .alignments = worker->alignments};
    uint32_t unknown_count;
    const struct fw_unknown *unknowns = fw_bound_unknowns(worker->bound, &unknown_count);
    fw_blend_ends_find(&row->launch, &question, unknowns, unknown_count, &all[0]);
    find_quick(row, &question);
    row->traffic = all[0].seconds;
    row->trace = trace ? trace->seconds : 0;
    return FW_OK;
}

/* Watts without the gaps in which the device waited for the host, at idle power (as the probe has
 * it). */
static double busy_watts(const struct fw_measurement *found, const struct fw_device *device)
{
    double idle, gaps = found->idle_share;
    if (!(gaps > 0) || !(gaps < 0.5) || !fw_device_figure(device, FW_FIGURE_IDLE_POWER, &idle))
        return found->watts;
    return fmax(idle, (found->watts - gaps * idle) / (1 - gaps));
}

/* Of the launches that watts are of, without gaps. */
static double seconds_with_watts(const struct fw_measurement *found)
{
    double gaps = found->idle_share > 0 ? found->idle_share : 0;
    return (1 - gaps) * found->joules / found->watts;
}

/* How much longer a launch took while its watts were measured than in the bursts of the same
 * recording.  Of shorter launches that is what lies between them. */
static double stretched_by(const struct fw_measurement *found)
{
    const double seconds = seconds_with_watts(found);
    return found->net_seconds >= SHORT_SECONDS && seconds > 0
               ? fmax(1, seconds / found->net_seconds)
               : 1;
}

/* The dynamic part of the watts is that of a launch which took longer than at the clock that it is
 * predicted at, by at most as much as the clock was lower; the trace model says how long it takes
 * there, since the clock is lower in bursts, too.  A launch that took no longer than in bursts was
 * not held up by its clock, but by device memory.  That voltage falls with the clock is not known.
 */
static void find_unlimited(struct fw_training_row *row, const struct fw_measurement *found,
                           const struct fw_device *device)
{
    double idle, full, watts = row->measured[FW_FOREST_WATTS];
    if (!fw_device_figure(device, FW_FIGURE_IDLE_POWER, &idle) ||
        !fw_device_figure(device, FW_FIGURE_SM_CLOCK, &full) || !(found->clock > 0) ||
        !(row->trace > 0) || !(watts > idle) || !(row->stretched > BURSTS_VARY))
        return;
    const double slower = fmin(seconds_with_watts(found) / row->trace, full / found->clock);
    row->unlimited = slower > 1 ? idle + slower * (watts - idle) : 0;
}

double fw_training_taught(const struct fw_training_row *row, enum fw_forest_target target)
{
    return target == FW_FOREST_WATTS && row->unlimited > 0 ? row->unlimited : row->measured[target];
}

/* False: nobody measured its time. */
static bool find_measured(struct fw_training_row *row, const struct fw_measurement **power,
                          const struct adding *adding, const char *name)
{
    double *measured = row->measured;
    *power = NULL;
    measured[FW_FOREST_SECONDS] = measured[FW_FOREST_WATTS] = (double)NAN;
    for (size_t m = 0; m < adding->measured->count; m++) {
        const struct fw_measurement *found = fw_measurements_find(&adding->measured->at[m], name);
        if (!found || found->failed)
            continue;
        double seconds = found->net_seconds;
        if (seconds < SHORT_SECONDS && found->duration > 0 && found->duration < seconds)
            seconds = found->duration; /* a longer one is of a clock that had gone down */
        if (isnan(measured[FW_FOREST_SECONDS]) && seconds > 0)
            measured[FW_FOREST_SECONDS] = seconds;
        if (isnan(measured[FW_FOREST_WATTS]) && found->watts > 0) {
            measured[FW_FOREST_WATTS] = busy_watts(found, adding->device);
            row->stretched = stretched_by(found);
            *power = found;
        }
    }
    return measured[FW_FOREST_SECONDS] > 0;
}

const struct fw_forest_basis *fw_training_basis(const struct fw_training_row *row,
                                                enum fw_forest_ratio ratio)
{
    return ratio == FW_FOREST_TO_QUICK ? &row->quick : &row->basis;
}

bool fw_training_works_on_outputs(const struct fw_kernel *kernel, struct fw_arena *scratch)
{
    struct fw_arena_mark mark = fw_arena_mark(scratch);
    bool *reads = FW_ARRAY(scratch, bool, kernel->array_count + 1);
    bool *writes = FW_ARRAY(scratch, bool, kernel->array_count + 1), both = false;
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        if (access->array == FW_NONE || kernel->arrays[access->array].parameter == FW_NONE)
            continue;
        reads[access->array] |= access->direction != FW_STORE;
        writes[access->array] |= access->direction != FW_LOAD;
        both |= reads[access->array] && writes[access->array];
    }
    fw_arena_release(scratch, mark);
    return both;
}

static uint32_t number_of(struct fw_map *map, const char *name)
{
    bool added;
    struct fw_map_entry *entry = fw_map_add(map, name, strlen(name), &added);
    if (added)
        entry->value = (uint32_t)map->count - 1;
    return entry->value;
}

/* Finds the family, a file if the list states none, and the kernel in it. */
static void find_family(struct fw_training_row *row, struct fw_training_rows *rows,
                        const struct fw_launch_item *item)
{
    const char *slash = strrchr(item->file, '/'), *file = slash ? slash + 1 : item->file;
    row->family = number_of(&rows->families, item->family ? item->family : file);
    row->kernel = number_of(&rows->kernels, fw_arena_printf(rows->arena, "%s %s", file,
                                                            item->kernel ? item->kernel : ""));
}

static enum fw_status add_all(void *user)
{
    struct adding *adding = user;
    struct fw_training_rows *rows = adding->rows;
    for (size_t i = 0; i < adding->launches->count; i++) {
        const struct fw_launch_item *item = &adding->launches->at[i];
        struct fw_training_row row = {.judged = adding->judged, .list = rows->list};
        const struct fw_measurement *power; /* what its watts are of; NULL: there are none */
        if (!find_measured(&row, &power, adding, item->name)) {
            rows->unmeasured++;
            continue;
        }
        enum fw_status status = predict(&row, adding, item);
        if (status == FW_ERROR_MEMORY)
            return status;
        if (status) {
            rows->refused++;
            close_program(adding);
            continue;
        }
        if (power)
            find_unlimited(&row, power, adding->device);
        if (fw_training_works_on_outputs(adding->worker->record, rows->arena))
            row.measured[FW_FOREST_WATTS] = (double)NAN;
        row.name = fw_arena_text(rows->arena, item->name, strlen(item->name));
        find_family(&row, rows, item);
        *FW_APPEND(rows->arena, &rows->rows) = row;
    }
    return FW_OK;
}

static void close_adding(void *user)
{
    close_program(user);
}

enum fw_status fw_training_rows_add(struct fw_training_rows *rows, const struct fw_context *context,
                                    const struct fw_launch_items *launches,
                                    const struct fw_training_measured *measured,
                                    const struct fw_device *device, bool judged)
{
    struct adding adding = {.rows = rows,
                            .context = *context,
                            .launches = launches,
                            .measured = measured,
                            .device = device,
                            .judged = judged};
    adding.context.sink = (struct fw_sink){silence, NULL};
    return fw_arena_finally(rows->arena, add_all, close_adding, &adding);
}
