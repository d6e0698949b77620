/* rank: one kernel over a space of configurations. */
#include "command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_SHOWN = 20, MOST_DOMAIN = 3 };

static bool usage(const char *what, const char *value)
{
    return tell_error("CLI003", "rank: %s%s", what, value);
}

static void show_progress(void *user, size_t done, size_t all)
{
    (void)user;
    fprintf(stderr, "\r%zu of %zu%s", done, all, done == all ? "\r\033[K" : "");
}

/* "X[,Y[,Z]]", each a number or an argument, as separate texts in `copy`. */
static bool split_domain(struct fw_rank_settings *settings, const char **parts, char *copy)
{
    for (char *at = strtok(copy, ","); at; at = strtok(NULL, ",")) {
        if (settings->domain_count == MOST_DOMAIN)
            return usage("--domain takes X[,Y[,Z]]", "");
        parts[settings->domain_count++] = at;
    }
    settings->domain = parts;
    return settings->domain_count > 0 || usage("--domain takes X[,Y[,Z]]", "");
}

static bool set_launch(const struct session *session, struct fw_rank_settings *settings)
{
    const char *const *values = session->request.values;
    if (values[OPTION_BLOCK] && !options_triple(settings->block, values[OPTION_BLOCK]))
        return usage("-b takes X[,Y[,Z]], whole numbers, not ", values[OPTION_BLOCK]);
    if (values[OPTION_GRID] && !options_triple(settings->grid, values[OPTION_GRID]))
        return usage("-g takes X[,Y[,Z]], whole numbers, not ", values[OPTION_GRID]);
    if (values[OPTION_GRID] && values[OPTION_DOMAIN])
        return usage("a grid (-g), or one that follows from the --domain: give one", "");
    if (values[OPTION_SHARED] && !options_bytes(&settings->shared, values[OPTION_SHARED]))
        return usage("--shared takes bytes, K, M or G allowed, not ", values[OPTION_SHARED]);
    return true;
}

static int rank(struct session *session, const struct fw_device *device, char *domain)
{
    const struct request *request = &session->request;
    const char *parts[MOST_DOMAIN];
    struct fw_program_options options;
    struct fw_emulate_settings emulate; /* for no ranking */
    struct fw_predict_settings predict;
    struct fw_rank_settings settings = {.size = sizeof(settings),
                                        .path = request->operands[0],
                                        .options = &options,
                                        .kernel = request->values[OPTION_KERNEL],
                                        .vary = request->varied,
                                        .vary_count = request->varied_count,
                                        .bindings = request->set,
                                        .binding_count = request->set_count,
                                        .device = device,
                                        .predict = &predict};
    struct fw_ranking *ranking;
    struct fw_render_options how = session_render_options(session);
    uint64_t most = USUAL_SHOWN;
    char *text = NULL;
    if (!session_program_options(session, &options, device) ||
        !session_predict_settings(session, &predict, &emulate) || !set_launch(session, &settings) ||
        (domain && !split_domain(&settings, parts, domain)))
        return 2;
    if (request->values[OPTION_TOP] && !options_bytes(&most, request->values[OPTION_TOP])) {
        usage("--top is a whole number, not ", request->values[OPTION_TOP]);
        return 2;
    }
    if (isatty(STDERR_FILENO))
        settings.progress = show_progress;
    enum fw_status status = fw_context_rank(&ranking, session->context, &settings);
    if (!status)
        status = fw_ranking_render(&text, ranking, (size_t)most, &how);
    fw_ranking_free(ranking);
    return session_print(text, status);
}

int rank_command(struct session *session)
{
    const struct request *request = &session->request;
    struct fw_device *device = NULL;
    if (request->operand_count != 1 ||
        (!request->values[OPTION_DEVICE] && !request->values[OPTION_CALIBRATION])) {
        tell_error("CLI002", "rank: %s; see forewarp rank --help",
                   request->operand_count == 1 ? "a device is needed (-d)" : "one FILE is needed");
        return 2;
    }
    enum fw_status status = session_device(&device, session);
    if (status)
        return session_exit(status);
    const char *stated = request->values[OPTION_DOMAIN];
    char *domain = stated ? strdup(stated) : NULL;
    int exit_status = rank(session, device, domain);
    free(domain);
    fw_context_device_free(device);
    return exit_status;
}
