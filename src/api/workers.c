/* Workers, as handles: settings of any version of the header become complete ones. */
#include "api_check.h"
#include "sequence.h"

/* The context of a worker, which may be missing. */
static const struct fw_context *context_of(const struct fw_worker *worker)
{
    return worker ? worker->program->context : NULL;
}

enum fw_status fw_worker_new(struct fw_worker **worker, const struct fw_program *program,
                             const struct fw_kernel *kernel)
{
    struct api_check check = api_check_begin(program ? program->context : NULL, __func__);
    bool own = false;
    if (worker)
        *worker = NULL;
    api_check_pointer(&check, worker, "the result");
    api_check_pointer(&check, kernel, "the kernel");
    for (size_t k = 0; k < (program ? program->kernel_count : 0); k++)
        own = own || program->kernels[k].record == kernel;
    api_check_pointer(&check, own ? kernel : NULL, "the kernel, as one of the program's,");
    return check.status ? check.status : fw_session_worker_new(worker, program, kernel);
}

void fw_worker_free(struct fw_worker *worker)
{
    fw_session_worker_free(worker);
}

const struct fw_kernel_row *fw_worker_kernel(const struct fw_worker *worker)
{
    return worker ? worker->row : NULL;
}

/* ---- what launches leave in the caches ---- */

enum fw_status fw_cache_state_new(struct fw_cache_state **state)
{
    if (!state)
        return FW_ERROR_USAGE;
    *state = fw_sequence_state_new();
    return *state ? FW_OK : FW_ERROR_MEMORY;
}

void fw_cache_state_free(struct fw_cache_state *state)
{
    fw_sequence_state_free(state);
}

/* ---- the launch ---- */

void fw_worker_clear(struct fw_worker *worker)
{
    if (worker)
        fw_session_worker_clear(worker);
}

void fw_worker_set_grid(struct fw_worker *worker, uint32_t x, uint32_t y, uint32_t z)
{
    if (worker)
        fw_session_worker_set_grid(worker, x, y, z);
}

void fw_worker_set_block(struct fw_worker *worker, uint32_t x, uint32_t y, uint32_t z)
{
    if (worker)
        fw_session_worker_set_block(worker, x, y, z);
}

void fw_worker_set_shared(struct fw_worker *worker, uint64_t bytes)
{
    if (worker)
        fw_session_worker_set_shared(worker, bytes);
}

void fw_worker_set_registers(struct fw_worker *worker, uint32_t registers)
{
    if (worker)
        fw_session_worker_set_registers(worker, registers);
}

void fw_worker_set_compiled(struct fw_worker *worker, uint32_t registers, uint32_t spill_bytes)
{
    if (worker)
        fw_session_worker_set_compiled(worker, registers, spill_bytes);
}

void fw_worker_set_static_shared(struct fw_worker *worker, uint64_t bytes)
{
    if (worker)
        fw_session_worker_set_static_shared(worker, bytes);
}

enum fw_status fw_worker_set_global(struct fw_worker *worker, uint32_t x, uint32_t y, uint32_t z)
{
    struct api_check check = api_check_begin(context_of(worker), __func__);
    return check.status ? check.status : fw_session_worker_set_global(worker, x, y, z);
}

enum fw_status fw_worker_bind(struct fw_worker *worker, const char *text)
{
    struct api_check check = api_check_begin(context_of(worker), __func__);
    api_check_text(&check, text, "the text");
    return check.status ? check.status : fw_session_worker_bind(worker, text);
}

enum fw_status fw_worker_bind_integer(struct fw_worker *worker, size_t index, int64_t value)
{
    struct api_check check = api_check_begin(context_of(worker), __func__);
    return check.status ? check.status : fw_session_worker_bind_integer(worker, index, value);
}

enum fw_status fw_worker_bind_number(struct fw_worker *worker, size_t index, double value)
{
    struct api_check check = api_check_begin(context_of(worker), __func__);
    return check.status ? check.status : fw_session_worker_bind_number(worker, index, value);
}

/* ---- questions ---- */

static struct api_check check_question(const struct fw_answer **answer,
                                       const struct fw_worker *worker, const char *function,
                                       const void *settings)
{
    struct api_check check = api_check_begin(context_of(worker), function);
    if (answer)
        *answer = NULL;
    api_check_pointer(&check, answer, "the result");
    api_check_size(&check, settings, "the settings");
    return check;
}

enum fw_status fw_worker_count(const struct fw_answer **answer, struct fw_worker *worker,
                               const struct fw_count_settings *settings)
{
    struct fw_count_settings all;
    struct api_check check = check_question(answer, worker, __func__, settings);
    fw_session_options(&all, sizeof(all), settings);
    api_check_optional(&check, all.assumptions, "assumptions");
    return check.status ? check.status : fw_session_worker_count(answer, worker, &all);
}

enum fw_status fw_worker_predict(const struct fw_answer **answer, struct fw_worker *worker,
                                 const struct fw_device *device,
                                 const struct fw_predict_settings *settings)
{
    struct fw_predict_settings all;
    struct api_check check = check_question(answer, worker, __func__, settings);
    fw_session_options(&all, sizeof(all), settings);
    api_check_pointer(&check, device, "the device");
    api_check_predict(&check, settings);
    return check.status ? check.status : fw_session_worker_predict(answer, worker, device, &all);
}

enum fw_status fw_worker_emulate(const struct fw_answer **answer, struct fw_worker *worker,
                                 const struct fw_emulate_settings *settings)
{
    struct fw_emulate_settings all;
    struct api_check check = check_question(answer, worker, __func__, settings);
    fw_session_options(&all, sizeof(all), settings);
    api_check_emulate(&check, settings);
    return check.status ? check.status : fw_session_worker_emulate(answer, worker, &all);
}

enum fw_status fw_worker_features(const struct fw_answer **answer, struct fw_worker *worker,
                                  const struct fw_device *device,
                                  const struct fw_feature_settings *settings)
{
    struct fw_feature_settings all;
    struct api_check check = check_question(answer, worker, __func__, settings);
    fw_session_options(&all, sizeof(all), settings);
    api_check_texts(&check, all.names, all.count, "names");
    return check.status ? check.status : fw_session_worker_features(answer, worker, device, &all);
}

enum fw_status fw_worker_trace(const struct fw_answer **answer, struct fw_worker *worker,
                               const struct fw_device *device,
                               const struct fw_trace_settings *settings)
{
    struct fw_trace_settings all;
    struct api_check check = check_question(answer, worker, __func__, settings);
    fw_session_options(&all, sizeof(all), settings);
    return check.status ? check.status : fw_session_worker_trace(answer, worker, device, &all);
}
