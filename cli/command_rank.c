/* rank: one kernel over a space of configurations. */
#include "command.h"
#ifdef FW_HAVE_MPI
#include "rank_mpi.h"
#endif

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
        return usage("-b takes X[,Y[,Z]], whole numbers (--vary block=TILExROWS takes names), not ",
                     values[OPTION_BLOCK]);
    if (values[OPTION_GRID] && !options_triple(settings->grid, values[OPTION_GRID]))
        settings->grid_expression = values[OPTION_GRID];
    if (values[OPTION_GRID] && values[OPTION_DOMAIN])
        return usage("-g states a grid, and --domain what it follows from: give one of them", "");
    if (values[OPTION_SHARED] && !options_bytes(&settings->shared, values[OPTION_SHARED]))
        settings->shared_expression = values[OPTION_SHARED];
    return session_resources(session, &settings->registers, &settings->has_static_shared,
                             &settings->static_shared);
}

/* "2/4" */
static bool set_part(const struct session *session, struct fw_rank_settings *settings)
{
    const char *stated = session->request.values[OPTION_PART];
    char *end = NULL;
    if (!stated)
        return true;
    unsigned long part = *stated >= '1' && *stated <= '9' ? strtoul(stated, &end, 10) : 0;
    if (end && *end == '/' && end[1] >= '1' && end[1] <= '9') {
        settings->part = part;
        settings->parts = strtoul(end + 1, &end, 10);
        if (*end == '\0' && part <= settings->parts && settings->journal)
            return true;
    }
    return settings->journal ? usage("--part takes I/N, I from 1 to N, not ", stated)
                             : usage("--part needs a --journal to put its configurations in", "");
}

/* The ranking, by all processes under mpirun; `*shows` whether this is the one that shows it. */
static enum fw_status predict_all(struct fw_ranking **ranking, bool *shows,
                                  const struct session *session,
                                  const struct fw_rank_settings *settings)
{
    *shows = true;
#ifdef FW_HAVE_MPI
    if (rank_mpi_runs())
        return rank_mpi(ranking, shows, session->context, settings);
#endif
    return fw_context_rank(ranking, session->context, settings);
}

/* What the command line asks to rank, and the texts that its settings point into. */
struct space {
    struct fw_rank_settings settings;
    struct fw_program_options options;
    struct fw_predict_settings predict;
    struct fw_emulate_settings emulate; /* for no ranking */
    const char *parts[MOST_DOMAIN];
    char *domain; /* owned, or NULL */
};

/* Reads the space of `file` off the command line; FW_ERROR_USAGE has been told.  To be closed. */
static enum fw_status space_open(struct space *space, const struct session *session,
                                 const char *file)
{
    const struct request *request = &session->request;
    const char *stated = request->values[OPTION_DOMAIN];
    *space = (struct space){.domain = stated ? strdup(stated) : NULL,
                            .settings = {.size = sizeof(space->settings),
                                         .path = file,
                                         .kernel = request->values[OPTION_KERNEL],
                                         .vary = request->varied,
                                         .vary_count = request->varied_count,
                                         .bindings = request->set,
                                         .binding_count = request->set_count,
                                         .where = request->conditions,
                                         .where_count = request->condition_count,
                                         .best_for = request->values[OPTION_BEST_FOR],
                                         .journal = request->values[OPTION_JOURNAL],
                                         .merge = request->merged,
                                         .merge_count = request->merged_count,
                                         .progress = isatty(STDERR_FILENO) ? show_progress : NULL}};
    if (stated && !space->domain)
        return FW_ERROR_MEMORY;
    bool is_good = set_launch(session, &space->settings) && set_part(session, &space->settings) &&
                   (!stated || split_domain(&space->settings, space->parts, space->domain));
    return is_good ? FW_OK : FW_ERROR_USAGE;
}

static void space_close(struct space *space)
{
    free(space->domain);
}

/* Settles what depends on the device; false: told. */
static bool space_on(struct space *space, struct session *session, const struct fw_device *device)
{
    space->settings.options = &space->options;
    space->settings.predict = &space->predict;
    space->settings.device = device;
    return session_program_options(session, &space->options, device) &&
           session_predict_settings(session, &space->predict, &space->emulate);
}

enum fw_status session_rank(struct fw_ranking **ranking, struct session *session,
                            const struct fw_device *device, const char *file)
{
    struct space space;
    *ranking = NULL;
    enum fw_status status = space_open(&space, session, file);
    if (!status && !space_on(&space, session, device))
        status = FW_ERROR_USAGE;
    if (!status)
        status = fw_context_rank(ranking, session->context, &space.settings);
    space_close(&space);
    return status;
}

/* Ranks on one device, and prints; the exit status. */
static int rank_on(struct session *session, const struct fw_device *device, struct space *space,
                   size_t most)
{
    struct fw_render_options how = session_render_options(session);
    struct fw_ranking *ranking;
    char *text = NULL;
    if (!space_on(space, session, device))
        return 2;
    bool shows = true;
    enum fw_status status = predict_all(&ranking, &shows, session, &space->settings);
    if (!shows)
        return session_exit(status);
    if (!status)
        status = fw_ranking_render(&text, ranking, most, &how);
    bool none = !status && ranking->failed == ranking->row_count;
    if (none)
        tell_error("CLI007", "rank: none of %zu configurations can be predicted; the first: %s",
                   ranking->row_count, ranking->rows[0].failure);
    fw_ranking_free(ranking);
    int exit_status = session_print(text, status);
    return none ? 2 : exit_status;
}

/* One device after the other; JSON as an array in an object. */
static int rank_on_all(struct session *session, const struct fw_devices *devices,
                       struct space *space, size_t most)
{
    size_t count = fw_devices_count(devices);
    bool several = count > 1, json = session->request.values[OPTION_JSON] != NULL;
    int worst = 0;
    if (several && strcmp(space->settings.path, "-") == 0) {
        usage("several devices need a FILE that can be read for each, not -", "");
        return 2;
    }
#ifdef FW_HAVE_MPI
    if (several && rank_mpi_runs()) {
        usage("under MPI one device at a time", "");
        return 2;
    }
#endif
    if (several && space->settings.journal) {
        usage("a --journal is of one device", "");
        return 2;
    }
    if (several && json)
        printf("{\"forewarp\": \"%s\", \"format\": 1, \"rankings\": [\n", fw_version());
    for (size_t d = 0; d < count; d++) {
        if (d)
            fputs(json ? ",\n" : "\n", stdout);
        int exit_status = rank_on(session, fw_devices_item(devices, d), space, most);
        if (exit_status && several && json)
            fputs("null\n", stdout);
        worst = exit_status > worst ? exit_status : worst;
    }
    if (several && json)
        fputs("]}\n", stdout);
    return worst;
}

static int rank(struct session *session, const struct fw_devices *devices,
                const struct fw_device *device)
{
    const struct request *request = &session->request;
    struct space space;
    uint64_t most = USUAL_SHOWN;
    if (request->values[OPTION_TOP] && !options_bytes(&most, request->values[OPTION_TOP])) {
        usage("--top is a whole number, not ", request->values[OPTION_TOP]);
        return 2;
    }
    enum fw_status status = space_open(&space, session, request->operands[0]);
    int exit_status = status    ? session_exit(status)
                      : devices ? rank_on_all(session, devices, &space, (size_t)most)
                                : rank_on(session, device, &space, (size_t)most);
    space_close(&space);
    return exit_status;
}

int rank_command(struct session *session)
{
    const struct request *request = &session->request;
    const char *name = request->values[OPTION_DEVICE];
    struct fw_devices *devices = NULL;
    struct fw_device *device = NULL;
    if (request->operand_count != 1 || (!name && !request->values[OPTION_CALIBRATION])) {
        tell_error("CLI002", "rank: %s; see forewarp rank --help",
                   request->operand_count == 1 ? "a device is needed (-d)" : "one FILE is needed");
        return 2;
    }
    enum fw_status status = name ? fw_context_devices(&devices, session->context, name)
                                 : session_device(&device, session);
    if (status)
        return session_exit(status);
    int exit_status = rank(session, devices, device);
    fw_devices_free(devices);
    fw_context_device_free(device);
    return exit_status;
}
