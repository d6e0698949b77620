/* train, evaluate: the model forest from measured launches, and what it is off by. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

enum { PATHS_MOST = 64 };

/* Parts a text by its commas, in place; their number, 0 for too many. */
static size_t part(const char *paths[PATHS_MOST], char *text)
{
    size_t count = 0;
    for (char *rest, *path = strtok_r(text, ",", &rest); path; path = strtok_r(NULL, ",", &rest)) {
        if (count == PATHS_MOST)
            return 0;
        paths[count++] = path;
    }
    return count;
}

static int train(struct session *session, const struct fw_train_settings *settings)
{
    const char *output = session->request.values[OPTION_OUTPUT];
    char *forest;
    size_t length;
    if (!output) {
        tell_error("CLI002", "train: -o FILE is needed, for the forest");
        return 2;
    }
    enum fw_status status = fw_context_train(&forest, &length, session->context, settings);
    limit_end();
    int code = status ? 0 : session_write_file(output, forest, length);
    fw_text_free(forest);
    if (code)
        tell_error_in("CLI005", output, 0, "cannot be written: %s", strerror(code));
    return status ? session_exit(status) : code ? 3 : 0;
}

/* Writes a text, where it and a path are, and frees it. */
static int write_text(const char *path, char *text)
{
    int code = path && text ? session_write_file(path, text, strlen(text)) : 0;
    if (code)
        tell_error_in("CLI005", path, 0, "cannot be written: %s", strerror(code));
    fw_text_free(text);
    return code ? 3 : 0;
}

static int evaluate(struct session *session, struct fw_train_settings *settings)
{
    const char *rows_path = session->request.values[OPTION_ROWS];
    const char *plot_path = session->request.values[OPTION_PLOT];
    char *text, *rows = NULL, *plot = NULL;
    settings->rows = rows_path ? &rows : NULL;
    settings->plot = plot_path ? &plot : NULL;
    enum fw_status status = fw_context_evaluate_forest(&text, session->context, settings);
    limit_end();
    int written = write_text(rows_path, rows), drawn = write_text(plot_path, plot);
    int printed = session_print(text, status);
    return printed ? printed : written ? written : drawn;
}

int train_command(struct session *session)
{
    const struct request *request = &session->request;
    const char *measured[PATHS_MOST], *judged[PATHS_MOST];
    const char *stated = request->values[OPTION_MEASURED], *trees = request->values[OPTION_TREES];
    const char *kept = request->values[OPTION_JUDGED];
    const char *output = request->values[OPTION_OUTPUT];
    const char *suffix = output ? strrchr(output, '.') : NULL;
    const char *iterations = request->values[OPTION_NESTED];
    uint64_t count = 0, nested = 0;
    struct fw_device *device = NULL;
    if (request->operand_count || !request->launch_count || !stated ||
        !request->values[OPTION_DEVICE]) {
        tell_error("CLI002",
                   "%s: --launches LIST, --measured RECORDS and -d DEVICE are needed, "
                   "and nothing else",
                   request->subcommand->text);
        return 2;
    }
    if (trees && (!options_bytes(&count, trees) || count < 1 || count > 4096)) {
        tell_error("CLI003", "--trees is a whole number from 1 to 4096, not %s", trees);
        return 2;
    }
    if (iterations && (!options_bytes(&nested, iterations) || nested < 1 || nested > 100)) {
        tell_error("CLI003", "--nested is a whole number from 1 to 100, not %s", iterations);
        return 2;
    }
    if (request->values[OPTION_NESTED_ONLY] && !iterations) {
        tell_error("CLI002", "--nested-only needs --nested N");
        return 2;
    }
    enum fw_status status = session_device(&device, session);
    if (status)
        return session_exit(status);
    char *measured_text = strdup(stated), *judged_text = strdup(kept ? kept : "");
    struct fw_train_settings settings = {
        .size = sizeof(settings),
        .launches = request->launches,
        .launch_count = request->launch_count,
        .measured = measured,
        .measured_count = measured_text ? part(measured, measured_text) : 0,
        .judged = judged,
        .judged_count = judged_text ? part(judged, judged_text) : 0,
        .device = device,
        .trees = (unsigned)count,
        .nested = (unsigned)nested,
        .nested_only = request->values[OPTION_NESTED_ONLY] != NULL,
        .absolute = request->values[OPTION_ABSOLUTE] != NULL,
        .ratio_to = request->values[OPTION_RATIO_TO],
        .c = suffix && strcmp(suffix, ".c") == 0,
        .json = request->values[OPTION_JSON] != NULL,
        .model = request->values[OPTION_MODEL]};
    int exit_status = request->subcommand->bit == ON_TRAIN ? train(session, &settings)
                                                           : evaluate(session, &settings);
    free(measured_text);
    free(judged_text);
    fw_context_device_free(device);
    return exit_status;
}
