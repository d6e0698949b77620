/* predict for several devices: one launch, a row a device. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

/* What stands behind a row; programs are read for each device, since compilers and the estimate of
 * machine instructions go by its compute capability. */
struct asked {
    struct fw_program *program;
    struct fw_worker *worker;
    char failure[512];
};

/* The kernel at its launch, for one device. */
static enum fw_status make(struct session *session, const struct fw_device *device,
                           struct asked *asked)
{
    const struct request *request = &session->request;
    struct fw_program_options options;
    const struct fw_kernel *kernel;
    if (!session_program_options(session, &options, device))
        return FW_ERROR_USAGE;
    enum fw_status status =
        fw_program_read(&asked->program, session->context, request->operands[0], &options);
    if (!status)
        status = fw_program_kernel(&kernel, asked->program, request->values[OPTION_KERNEL]);
    if (!status)
        status = fw_worker_new(&asked->worker, asked->program, kernel);
    return status ? status : session_set_launch(session, asked->worker);
}

static enum fw_status ask_all(struct session *session, const struct fw_devices *devices,
                              struct asked *asked, struct fw_device_answer *rows)
{
    size_t count = fw_devices_count(devices), good = 0;
    struct fw_predict_settings settings;
    struct fw_emulate_settings emulate;
    enum fw_status first = FW_OK;
    if (!session_predict_settings(session, &settings, &emulate))
        return FW_ERROR_USAGE;
    for (size_t d = 0; d < count; d++) {
        const struct fw_device *device = fw_devices_item(devices, d);
        enum fw_status status = make(session, device, &asked[d]);
        if (status) /* no other device answers either */
            return status;
        session->failure[0] = '\0';
        status = fw_worker_predict(&rows[d].answer, asked[d].worker, device, &settings);
        memcpy(asked[d].failure, session->failure, sizeof(asked[d].failure));
        rows[d].device = fw_context_device_name(device);
        rows[d].failure = asked[d].failure[0] ? asked[d].failure : "it could not be predicted";
        if (status)
            rows[d].answer = NULL;
        good += status == FW_OK;
        first = first ? first : status;
    }
    return good ? FW_OK : first;
}

int devices_command(struct session *session, const struct fw_devices *devices)
{
    size_t count = fw_devices_count(devices);
    struct asked *asked = calloc(count, sizeof(*asked));
    struct fw_device_answer *rows = calloc(count, sizeof(*rows));
    struct fw_render_options options = session_render_options(session);
    enum fw_status status = asked && rows ? FW_OK : FW_ERROR_MEMORY;
    char *text = NULL;
    if (!status && strcmp(session->request.operands[0], "-") == 0) {
        tell_error("CLI003",
                   "predict: several devices need a FILE that can be read for each: not -");
        status = FW_ERROR_USAGE;
    }
    if (!status && session->request.values[OPTION_ISSUE_ORDERS]) {
        tell_error("CLI003", "predict: --issue-orders is of one device: several are stated");
        status = FW_ERROR_USAGE;
    }
    if (!status)
        status = ask_all(session, devices, asked, rows);
    if (!status)
        status = fw_answers_render(&text, rows, count, &options);
    for (size_t d = 0; d < count && asked; d++) {
        fw_worker_free(asked[d].worker);
        fw_program_free(asked[d].program);
    }
    free(asked);
    free(rows);
    return session_print(text, status);
}
