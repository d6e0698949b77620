/* count, predict, features, trace: one launch of one kernel. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

static bool usage(const char *what, const char *value)
{
    return tell_error("CLI003", "%s%s", what, value);
}

static bool set_sizes(const struct session *session, struct fw_worker *worker,
                      enum fw_status *status)
{
    const char *const *values = session->request.values;
    uint32_t at[3];
    uint64_t bytes;
    if (values[OPTION_BLOCK]) {
        if (!options_triple(at, values[OPTION_BLOCK]))
            return usage("-b takes X[,Y[,Z]], whole numbers below 4 G, not ", values[OPTION_BLOCK]);
        fw_worker_set_block(worker, at[0], at[1], at[2]);
    }
    if (values[OPTION_GRID] && values[OPTION_GLOBAL])
        return usage("-g and --global say the same: give one", "");
    if (values[OPTION_GRID]) {
        if (!options_triple(at, values[OPTION_GRID]))
            return usage("-g takes X[,Y[,Z]], whole numbers below 4 G, not ", values[OPTION_GRID]);
        if (!at[0] || !at[1] || !at[2])
            return usage("a grid of no blocks: -g ", values[OPTION_GRID]);
        fw_worker_set_grid(worker, at[0], at[1], at[2]);
    }
    if (values[OPTION_GLOBAL]) {
        if (!options_triple(at, values[OPTION_GLOBAL]))
            return usage("--global takes X[,Y[,Z]], whole numbers below 4 G, not ",
                         values[OPTION_GLOBAL]);
        *status = fw_worker_set_global(worker, at[0], at[1], at[2]);
    }
    if (values[OPTION_SHARED]) {
        if (!options_bytes(&bytes, values[OPTION_SHARED]))
            return usage("--shared takes bytes, K, M or G allowed, not ", values[OPTION_SHARED]);
        fw_worker_set_shared(worker, bytes);
    }
    uint32_t registers;
    bool has_static;
    if (!session_resources(session, &registers, &has_static, &bytes))
        return false;
    const struct fw_launch_item *item = session->request.compiled;
    fw_worker_set_registers(worker, registers);
    if (item)
        fw_worker_set_compiled(worker, item->compiled_registers, item->compiled_spill_bytes);
    if (has_static)
        fw_worker_set_static_shared(worker, bytes);
    return true;
}

enum fw_status session_set_launch(const struct session *session, struct fw_worker *worker)
{
    enum fw_status status = FW_OK;
    if (!set_sizes(session, worker, &status))
        return FW_ERROR_USAGE;
    for (size_t s = 0; s < session->request.set_count && !status; s++)
        status = fw_worker_bind(worker, session->request.set[s]);
    return status;
}

/* Formulas are worked out where they are shown: in JSON, and where numbers are missing. */
static enum fw_status count(const struct session *session, struct fw_worker *worker,
                            const struct fw_answer **result)
{
    struct fw_count_settings settings = {.size = sizeof(settings)};
    const char *const *values = session->request.values;
    bool numbers = values[OPTION_NUMBERS] != NULL;
    settings.subscripts = values[OPTION_SUBSCRIPTS] != NULL;
    settings.contract = values[OPTION_CONTRACT] != NULL;
    settings.symbolic =
        !numbers && (values[OPTION_JSON] || (!values[OPTION_GRID] && !values[OPTION_GLOBAL]));
    settings.assumptions = values[OPTION_ASSUME];
    enum fw_status status = fw_worker_count(result, worker, &settings);
    if (status || settings.symbolic || numbers || (*result)->counts->total.count.known)
        return status;
    settings.symbolic = true;
    return fw_worker_count(result, worker, &settings);
}

enum { TEXT_COLUMNS = 84, PICTURE_COLUMNS = 500 };

/* --warp: two to four numbers, the last of which is the warp. */
static bool trace_settings(const struct session *session, struct fw_trace_settings *settings)
{
    const char *text = session->request.values[OPTION_WARP];
    uint32_t numbers[4];
    size_t count = 0;
    *settings = (struct fw_trace_settings){.size = sizeof(*settings), .one_warp = text != NULL};
    for (const char *at = text; at && count < 4; count++) {
        char *end;
        unsigned long number = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : UINT32_MAX;
        if (number >= UINT32_MAX || (*end && *end != ',') || (*end == ',' && count == 3))
            return tell_error("CLI003", "--warp takes X[,Y[,Z]],WARP, whole numbers, not %s", text);
        numbers[count] = (uint32_t)number;
        at = *end ? end + 1 : NULL;
    }
    if (text && count < 2)
        return tell_error("CLI003", "--warp takes X[,Y[,Z]],WARP, whole numbers, not %s", text);
    for (size_t d = 0; d + 1 < count; d++)
        settings->block[d] = numbers[d];
    settings->warp = count ? numbers[count - 1] : 0;
    settings->columns = session->request.values[OPTION_SVG]        ? PICTURE_COLUMNS
                        : session->request.values[OPTION_TIMELINE] ? TEXT_COLUMNS
                                                                   : 0;
    return true;
}

/* --svg: the picture into its file. */
static enum fw_status write_timeline(const struct session *session, const struct fw_answer *answer)
{
    char *svg;
    const char *path = session->request.values[OPTION_SVG];
    enum fw_status status = fw_answer_timeline_svg(&svg, answer);
    int code = status ? 0 : session_write_file(path, svg, strlen(svg));
    if (code)
        tell_error_in("CLI005", path, 0, "cannot be written: %s", strerror(code));
    fw_text_free(svg);
    return code ? FW_ERROR_MACHINE : status;
}

/* The trace; where a picture is asked for as well as text, each has columns of its own. */
static enum fw_status trace(const struct session *session, struct fw_worker *worker,
                            const struct fw_device *device, const struct fw_answer **result)
{
    struct fw_trace_settings settings;
    if (!trace_settings(session, &settings))
        return FW_ERROR_USAGE;
    enum fw_status status = fw_worker_trace(result, worker, device, &settings);
    if (status || !session->request.values[OPTION_SVG])
        return status;
    status = write_timeline(session, *result);
    settings.columns = session->request.values[OPTION_TIMELINE] ? TEXT_COLUMNS : 0;
    return status ? status : fw_worker_trace(result, worker, device, &settings);
}

static enum fw_status answer(const struct session *session, struct fw_worker *worker,
                             const struct fw_device *device, char **text)
{
    const struct fw_answer *result;
    enum fw_status status = session_set_launch(session, worker);
    if (status)
        return status;
    if (session->request.subcommand->bit == ON_FEATURES) {
        const char *cache = session->request.values[OPTION_CACHE];
        struct fw_feature_settings settings = {.size = sizeof(settings),
                                               .names = session->request.features,
                                               .count = session->request.feature_count};
        if (!session_cold(&settings.cold, cache))
            return FW_ERROR_USAGE;
        status = fw_worker_features(&result, worker, device, &settings);
    } else if (session->request.subcommand->bit == ON_TRACE) {
        status = trace(session, worker, device, &result);
    } else if (device) {
        struct fw_predict_settings settings;
        struct fw_emulate_settings emulate;
        if (!session_predict_settings(session, &settings, &emulate))
            return FW_ERROR_USAGE;
        settings.side_work = true;
        status = fw_worker_predict(&result, worker, device, &settings);
    } else if (session->request.subcommand->bit == ON_EMULATE) {
        struct fw_emulate_settings settings;
        if (!session_emulate_settings(session, &settings))
            return FW_ERROR_USAGE;
        status = fw_worker_emulate(&result, worker, &settings);
    } else {
        status = count(session, worker, &result);
    }
    if (status)
        return status;
    struct fw_render_options options = session_render_options(session);
    return fw_answer_render(text, result, &options);
}

static int count_set(const struct session *session)
{
    const struct request *request = &session->request;
    struct fw_render_options options = session_render_options(session);
    char *text;
    enum fw_status status = fw_context_count_set(&text, session->context, request->operands[0],
                                                 request->set, request->set_count, &options);
    return session_print(text, status);
}

static int one_launch(struct session *session, const struct fw_device *device)
{
    struct fw_program_options options;
    struct fw_program *program = NULL;
    struct fw_worker *worker = NULL;
    const struct fw_kernel *kernel;
    const char *name = session->request.values[OPTION_KERNEL];
    const char *what = session->request.values[OPTION_DUMP];
    const bool draws = session->request.values[OPTION_TIMELINE] != NULL;
    char *text = NULL;
    if (!session_program_options(session, &options, device))
        return 2;
    enum fw_status status =
        fw_program_read(&program, session->context, session->request.operands[0], &options);
    if (!status && what)
        status = fw_program_dump(&text, program, name, what);
    if (!status && !what)
        status = fw_program_kernel(&kernel, program, name);
    if (!status && !what)
        status = fw_worker_new(&worker, program, kernel);
    if (!status && !what)
        status = answer(session, worker, device, &text);
    fw_worker_free(worker);
    fw_program_free(program);
    return what    ? session_print_code(text, status)
           : draws ? session_print_drawn(text, status)
                   : session_print(text, status);
}

/* What is told of one launch alone is asked of one. */
static bool check_one_launch(const struct request *request)
{
    const char *const *values = request->values;
    bool many = values[OPTION_LAUNCHES] || values[OPTION_SERVE] || values[OPTION_SOCKET];
    return !many || !values[OPTION_ISSUE_ORDERS] ||
           tell_error("CLI003",
                      "--issue-orders is of one launch: not with --launches, nor with --serve");
}

int kernel_command(struct session *session)
{
    const struct request *request = &session->request;
    bool predicts = (request->subcommand->bit & ON_DEVICES) != 0;
    bool features = request->subcommand->bit == ON_FEATURES;
    bool lists = request->operand_count == 0 && (request->values[OPTION_LAUNCHES] || features);
    struct fw_device *device = NULL;
    if (!check_one_launch(request))
        return 2;
    if (request->values[OPTION_SERVE] || request->values[OPTION_SOCKET])
        return serve_command(session);
    if (request->operand_count != 1 && !lists) {
        tell_error("CLI002", "%s: one FILE is needed%s%s; see forewarp %s --help",
                   request->subcommand->text, request->operand_count > 1 ? ", not also " : "",
                   request->operand_count > 1 ? request->operands[1] : "",
                   request->subcommand->text);
        return 2;
    }
    const char *language = request->values[OPTION_LANGUAGE];
    if (language && strcmp(language, "set") == 0 && request->subcommand->bit == ON_COUNT &&
        request->operand_count == 1)
        return count_set(session);
    if (features && (lists || request->values[OPTION_LAUNCHES]))
        return features_command(session);
    if (predicts && !request->values[OPTION_DEVICE] && !request->values[OPTION_CALIBRATION]) {
        tell_error("CLI002",
                   "%s: a device is needed (-d); forewarp device list shows those that there are",
                   request->subcommand->text);
        return 2;
    }
    if (request->subcommand->bit == ON_PREDICT && request->values[OPTION_DEVICE] &&
        !request->values[OPTION_LAUNCHES] && !request->values[OPTION_DUMP]) {
        struct fw_devices *devices;
        enum fw_status found =
            fw_context_devices(&devices, session->context, request->values[OPTION_DEVICE]);
        if (found)
            return session_exit(found);
        int several = fw_devices_count(devices) > 1
                          ? devices_command(session, devices)
                          : one_launch(session, fw_devices_item(devices, 0));
        fw_devices_free(devices);
        return several;
    }
    enum fw_status status = session_device(&device, session);
    if (status)
        return session_exit(status);
    int exit_status = request->values[OPTION_LAUNCHES] ? launches_command(session, device)
                                                       : one_launch(session, device);
    fw_context_device_free(device);
    return exit_status;
}
