/* predict --serve: requests in, replies out, a line each. */
#include "command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A request that is being read; of one that is too long the rest is dropped. */
struct incoming {
    char text[FW_REQUEST_MOST + 1];
    size_t length;
    uint64_t line;
};

static bool is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\r", text[i]) || !text[i])
            return false;
    return true;
}

/* Answers the request that is complete. */
static enum fw_status answer(struct incoming *in, struct fw_service *service)
{
    const char *reply;
    in->line++;
    enum fw_status status = FW_OK;
    if (!is_blank(in->text, in->length)) {
        status = fw_service_ask(&reply, service, in->line, in->text, in->length);
        if (!status)
            fputs(reply, stdout);
    }
    in->length = 0;
    return status;
}

static enum fw_status take(struct incoming *in, struct fw_service *service, const char *bytes,
                           size_t count)
{
    enum fw_status status = FW_OK;
    while (count && !status) {
        const char *stop = memchr(bytes, '\n', count);
        size_t length = stop ? (size_t)(stop - bytes) : count;
        size_t room = sizeof(in->text) - in->length, kept = length < room ? length : room;
        memcpy(in->text + in->length, bytes, kept);
        in->length += kept;
        bytes += length + (stop != NULL);
        count -= length + (stop != NULL);
        if (stop)
            status = answer(in, service);
    }
    return status;
}

/* Replies go out before more is waited for. */
static enum fw_status serve_streams(struct fw_service *service)
{
    struct incoming *in = calloc(1, sizeof(*in));
    char *block = malloc(1 << 16);
    enum fw_status status = in && block ? FW_OK : FW_ERROR_MEMORY;
    ssize_t count = 1;
    while (!status && count > 0 && !ferror(stdout)) {
        count = read(STDIN_FILENO, block, 1 << 16);
        if (count < 0 && errno == EINTR) {
            count = 1;
            continue;
        }
        if (count > 0)
            status = take(in, service, block, (size_t)count);
        fflush(stdout);
    }
    if (!status && count < 0) {
        tell_error("CLI007", "standard input cannot be read: %s", strerror(errno));
        status = FW_ERROR_MACHINE;
    }
    if (!status && in->length)
        status = answer(in, service);
    const char *totals = status ? NULL : fw_service_totals(service);
    if (totals)
        fputs(totals, stdout);
    free(block);
    free(in);
    return status;
}

static int serve(struct session *session, const struct fw_device *device)
{
    const struct request *request = &session->request;
    struct fw_program_options options;
    struct fw_predict_settings predict;
    struct fw_emulate_settings emulate;
    struct fw_service *service = NULL;
    if (!session_program_options(session, &options, device) ||
        !session_predict_settings(session, &predict, &emulate))
        return 2;
    struct fw_service_settings settings = {.size = sizeof(settings),
                                           .options = &options,
                                           .device = device,
                                           .predict = &predict,
                                           .kernel = request->values[OPTION_KERNEL]};
    settings.file = request->operand_count ? request->operands[0] : NULL;
    const char *path = request->values[OPTION_SOCKET];
    enum fw_status status = fw_service_new(&service, session->context, &settings);
    int exit_status = status ? session_exit(status)
                      : path ? serve_socket(service, path)
                             : session_exit(serve_streams(service));
    fw_service_free(service);
    return exit_status;
}

int serve_command(struct session *session)
{
    static const enum option_index others[] = {
        OPTION_LAUNCHES, OPTION_DUMP,      OPTION_GRID,         OPTION_BLOCK,
        OPTION_GLOBAL,   OPTION_SHARED,    OPTION_SET,          OPTION_EMULATE,
        OPTION_VOLUMES,  OPTION_REGISTERS, OPTION_STATIC_SHARED};
    const struct request *request = &session->request;
    struct fw_device *device = NULL;
    if (!request->values[OPTION_SERVE] || request->operand_count > 1) {
        tell_error("CLI002", "%s",
                   request->values[OPTION_SERVE] ? "predict --serve takes one FILE at most"
                                                 : "--socket is for --serve");
        return 2;
    }
    for (size_t o = 0; o < sizeof(others) / sizeof(others[0]); o++)
        if (request->values[others[o]]) {
            tell_error("CLI002", "launches are stated by requests: --serve takes no launch, no "
                                 "list of them, and nothing else than predictions");
            return 2;
        }
    enum fw_status status = session_device(&device, session);
    if (status)
        return session_exit(status);
    int exit_status = serve(session, device);
    fw_context_device_free(device);
    return exit_status;
}
