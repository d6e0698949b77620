/* Features of a worker's launch: those that are named, or all that the kernel has. */
#include "feature_value.h"
#include "session.h"

#include <string.h>

typedef FW_VECTOR(const char *) identifiers;

struct asked {
    struct fw_worker *worker;
    struct fw_arena *arena;
    struct fw_feature_source *source;
    const struct fw_sink *sink;
};

/* ---- all that a kernel has ---- */

/* "float32" of f32, as the paper writes types. */
static const char *type_name(struct fw_arena *arena, enum fw_type type)
{
    const char *text = fw_type_text(type);
    static const char *const longer[] = {"float", "uint", "int"};
    static const char shorter[] = "fus";
    const char *found = *text ? strchr(shorter, *text) : NULL;
    bool plain = found && text[1] >= '0' && text[1] <= '9' && !strchr(text, 'x');
    return plain ? fw_arena_printf(arena, "%s%s", longer[found - shorter], text + 1) : text;
}

static void add_name(struct fw_arena *arena, identifiers *all, const char *name)
{
    for (size_t n = 0; n < all->count; n++)
        if (strcmp(all->at[n], name) == 0)
            return;
    *FW_APPEND(arena, all) = name;
}

static void add_strides(struct fw_buffer *to, const char *word, bool known,
                        const int64_t strides[3])
{
    if (!known)
        return;
    fw_buffer_printf(to, "_%s:{", word);
    for (int d = 0; d < (strides[2] ? 3 : 2); d++)
        fw_buffer_printf(to, "%s%d:%lld", d ? ";" : "", d, (long long)strides[d]);
    fw_buffer_printf(to, "}");
}

static const char *access_name(struct fw_arena *arena, const struct fw_feature_access *row)
{
    static const char *const directions[] = {[FW_LOAD] = "load",
                                             [FW_STORE] = "store",
                                             [FW_ATOMIC] = "atomic",
                                             [FW_REDUCTION] = "atomic"};
    struct fw_buffer name = fw_buffer_new(arena);
    fw_buffer_printf(&name, "f_mem_access_%s_%s_%s", fw_space_text(row->space),
                     type_name(arena, row->type), directions[row->direction]);
    add_strides(&name, "lstrides", row->has_thread_strides, row->thread_strides);
    add_strides(&name, "gstrides", row->has_block_strides, row->block_strides);
    return name.text;
}

static bool has_space(enum fw_space space)
{
    return space == FW_SPACE_GLOBAL || space == FW_SPACE_SHARED || space == FW_SPACE_CONST;
}

static void all_names(identifiers *all, const struct asked *asked)
{
    static const char *const launch[] = {"f_sync_barrier_local",
                                         "f_sync_kernel_launch",
                                         "f_thread_groups",
                                         "f_sub_groups",
                                         "f_threads",
                                         "f_flops"};
    static const char *const code[] = {"f_issued", "f_chain", "f_chain_load", "f_chain_shared",
                                       "f_registers"};
    static const char *const device[] = {
        "f_sectors_load",   "f_sectors_store",  "f_sectors_part",      "f_lines_load",
        "f_lines_store",    "f_atomic_passes",  "f_wavefronts_global", "f_wavefronts_shared",
        "f_bytes_l2_to_l1", "f_bytes_l1_to_l2", "f_bytes_dram_read",   "f_bytes_dram_write",
        "f_occupancy",      "f_waves"};
    const struct fw_feature_source *source = asked->source;
    const struct fw_feature_rows *rows = source->rows;
    for (size_t r = 0; r < rows->operations.count; r++)
        if (rows->operations.at[r].arithmetic)
            add_name(asked->arena, all,
                     fw_arena_printf(asked->arena, "f_op_%s_%s",
                                     type_name(asked->arena, rows->operations.at[r].type),
                                     rows->operations.at[r].name));
    for (size_t r = 0; r < rows->accesses.count; r++) {
        const struct fw_feature_access *row = &rows->accesses.at[r];
        if (has_space(row->space))
            add_name(asked->arena, all, access_name(asked->arena, row));
        if (row->tag)
            add_name(asked->arena, all,
                     fw_arena_printf(asked->arena, "f_mem_access_tag:%s", row->tag));
    }
    for (size_t n = 0; n < sizeof(launch) / sizeof(*launch); n++)
        add_name(asked->arena, all, launch[n]);
    for (size_t n = 0; n < sizeof(code) / sizeof(*code) && source->bound; n++)
        if (strcmp(code[n], "f_issued") != 0 || source->kernel->capability)
            add_name(asked->arena, all, code[n]);
    for (size_t n = 0; n < sizeof(device) / sizeof(*device) && source->bound && source->device; n++)
        add_name(asked->arena, all, device[n]);
}

/* ---- values ---- */

/* Whether the number is of operations, accesses or barriers: the rows say of which layer. */
static bool is_of_rows(enum fw_feature_kind kind)
{
    return kind == FW_FEATURE_OPERATION || kind == FW_FEATURE_MEMORY ||
           kind == FW_FEATURE_BARRIER || kind == FW_FEATURE_FLOPS;
}

/* Device memory is counted by threads, what is uniform or shared by warps. */
static const char *granularity_of(const struct fw_feature *feature,
                                  const struct fw_feature_names *names)
{
    if (feature->kind == FW_FEATURE_MEMORY && feature->space == FW_SPACE_SHARED)
        return "warp";
    if (feature->kind == FW_FEATURE_OWN)
        return names->own[feature->own].granularity;
    return fw_feature_about(feature->kind)->granularity;
}

static enum fw_status fill(struct fw_feature_row *row, const struct asked *asked, const char *name)
{
    struct fw_feature feature;
    const struct fw_span nowhere = {0};
    enum fw_status status =
        fw_feature_find(&feature, asked->arena, name, asked->worker->program->context->features,
                        nowhere, asked->sink);
    if (status)
        return status;
    const struct fw_feature_about *about = fw_feature_about(feature.kind);
    const struct fw_feature_names *own = asked->worker->program->context->features;
    *row = (struct fw_feature_row){
        .name = feature.name,
        .granularity = granularity_of(&feature, own),
        .unit = feature.kind == FW_FEATURE_OWN ? own->own[feature.own].unit : about->unit,
        .layer = is_of_rows(feature.kind) ? asked->source->rows->layer : about->layer};
    return fw_feature_value(&row->value, &feature, asked->source, nowhere, asked->sink);
}

static enum fw_status answer_features(struct asked *asked)
{
    struct fw_worker *worker = asked->worker;
    const struct fw_feature_settings *settings = worker->features;
    identifiers all = {0};
    for (size_t n = 0; n < settings->count; n++)
        *FW_APPEND(asked->arena, &all) = settings->names[n];
    if (!settings->count)
        all_names(&all, asked);
    struct fw_feature_row *rows = FW_ARRAY(asked->arena, struct fw_feature_row, all.count + 1);
    enum fw_status status = FW_OK;
    for (size_t n = 0; n < all.count && !status; n++)
        status = fill(&rows[n], asked, all.at[n]);
    worker->answer->features = rows;
    worker->answer->feature_count = all.count;
    if (worker->device) {
        worker->answer->device = worker->device->name;
        worker->answer->device_title = worker->device->title;
    }
    return status;
}

static struct asked begin(struct fw_worker *worker, struct fw_feature_source *source)
{
    *source = (struct fw_feature_source){.arena = worker->results,
                                         .device = worker->device,
                                         .alignments = worker->alignments,
                                         .cold = worker->predict->cold,
                                         .line = FW_FEATURE_ALL_LINES};
    return (struct asked){worker, worker->results, source, &worker->program->context->sink};
}

uint32_t fw_session_warp(const struct fw_device *device)
{
    enum { USUAL = 32 };
    uint64_t warp = device ? fw_device_count(device, FW_FIGURE_WARP_SIZE, USUAL) : USUAL;
    return (uint32_t)warp;
}

/* ---- the caller's own ---- */

const double *fw_session_own_features(const struct fw_worker *worker,
                                      const struct fw_answer *counted)
{
    const struct fw_feature_names *names = worker->program->context->features;
    if (!names->count)
        return NULL;
    double *values = FW_ARRAY(worker->results, double, names->count);
    for (size_t n = 0; n < names->count; n++)
        values[n] = names->own[n].value(names->own[n].user, counted);
    return values;
}

enum fw_status fw_session_own_features_of_code(const double **values, struct fw_worker *worker)
{
    const struct fw_count_settings settings = {.size = sizeof(settings)};
    *values = worker->domain_own;
    if (worker->domain_rows || !worker->program->context->features->count)
        return FW_OK;
    worker->settings = &settings;
    enum fw_status status = fw_session_count(worker, NULL);
    worker->settings = NULL;
    if (!status)
        *values = fw_session_own_features(worker, worker->answer);
    worker->answer->counts = NULL;
    return status;
}

enum fw_status fw_session_features(struct fw_worker *worker)
{
    struct fw_feature_source source;
    struct fw_feature_rows rows;
    struct fw_model_question question = fw_session_question(worker);
    struct asked asked = begin(worker, &source);
    enum fw_status status = FW_OK;
    if (worker->device)
        status = fw_session_check_device(worker);
    if (worker->device && !status)
        status = fw_session_limit_block(&question, worker);
    if (status)
        return status;
    source.kernel = question.kernel;
    source.bound = worker->bound;
    source.launch = worker->launch;
    source.rows = worker->domain_rows;
    if (!source.rows) {
        fw_feature_rows_of_record(&rows, worker->results, source.kernel, worker->bound,
                                  worker->launch, fw_session_warp(worker->device),
                                  FW_FEATURE_ALL_LINES);
        source.rows = &rows;
    }
    status = fw_session_own_features_of_code(&source.own, worker);
    if (!status)
        status = answer_features(&asked);
    if (status)
        return status;
    fw_session_unknowns(worker);
    return fw_session_check_arguments(worker);
}

enum fw_status fw_session_domain_features(struct fw_worker *worker,
                                          const struct fw_feature_rows *rows, const double *own,
                                          const char *no_code)
{
    struct fw_feature_source source;
    struct asked asked = begin(worker, &source);
    source.rows = rows;
    source.own = own;
    source.no_code = no_code;
    return answer_features(&asked);
}

enum fw_status fw_session_features_need_code(bool *needed, struct fw_worker *worker)
{
    const struct fw_feature_settings *settings = worker->features;
    const struct fw_span nowhere = {0};
    *needed = !settings->count && worker->device;
    for (size_t n = 0; n < settings->count; n++) {
        struct fw_feature feature;
        enum fw_status status = fw_feature_find(&feature, worker->results, settings->names[n],
                                                worker->program->context->features, nowhere,
                                                &worker->program->context->sink);
        if (status)
            return status;
        *needed |= fw_feature_needs_code(feature.kind);
    }
    return FW_OK;
}
