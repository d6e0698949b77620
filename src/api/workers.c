/* Workers, as handles: settings of any version of the header become complete ones. */
#include "session.h"

enum fw_status fw_worker_new(struct fw_worker **worker, const struct fw_program *program,
                             const struct fw_kernel *kernel)
{
    return fw_session_worker_new(worker, program, kernel);
}

void fw_worker_free(struct fw_worker *worker)
{
    fw_session_worker_free(worker);
}

const struct fw_kernel_row *fw_worker_kernel(const struct fw_worker *worker)
{
    return worker->row;
}

/* ---- the launch ---- */

void fw_worker_clear(struct fw_worker *worker)
{
    fw_session_worker_clear(worker);
}

void fw_worker_set_grid(struct fw_worker *worker, uint32_t x, uint32_t y, uint32_t z)
{
    fw_session_worker_set_grid(worker, x, y, z);
}

void fw_worker_set_block(struct fw_worker *worker, uint32_t x, uint32_t y, uint32_t z)
{
    fw_session_worker_set_block(worker, x, y, z);
}

void fw_worker_set_shared(struct fw_worker *worker, uint64_t bytes)
{
    fw_session_worker_set_shared(worker, bytes);
}

enum fw_status fw_worker_set_global(struct fw_worker *worker, uint32_t x, uint32_t y, uint32_t z)
{
    return fw_session_worker_set_global(worker, x, y, z);
}

enum fw_status fw_worker_bind(struct fw_worker *worker, const char *text)
{
    return fw_session_worker_bind(worker, text);
}

enum fw_status fw_worker_bind_integer(struct fw_worker *worker, size_t index, int64_t value)
{
    return fw_session_worker_bind_integer(worker, index, value);
}

enum fw_status fw_worker_bind_number(struct fw_worker *worker, size_t index, double value)
{
    return fw_session_worker_bind_number(worker, index, value);
}

/* ---- questions ---- */

enum fw_status fw_worker_count(const struct fw_answer **answer, struct fw_worker *worker,
                               const struct fw_count_settings *settings)
{
    struct fw_count_settings all;
    fw_session_options(&all, sizeof(all), settings);
    return fw_session_worker_count(answer, worker, &all);
}

enum fw_status fw_worker_predict(const struct fw_answer **answer, struct fw_worker *worker,
                                 const struct fw_device *device,
                                 const struct fw_predict_settings *settings)
{
    struct fw_predict_settings all;
    fw_session_options(&all, sizeof(all), settings);
    return fw_session_worker_predict(answer, worker, device, &all);
}

enum fw_status fw_worker_emulate(const struct fw_answer **answer, struct fw_worker *worker,
                                 const struct fw_emulate_settings *settings)
{
    struct fw_emulate_settings all;
    fw_session_options(&all, sizeof(all), settings);
    return fw_session_worker_emulate(answer, worker, &all);
}
