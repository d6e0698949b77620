/* measure: a campaign on a real device, and its store. */
#include "command.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 4096 };

static bool usage(const char *what, const char *value)
{
    return tell_error("CLI003", "measure: %s%s", what, value);
}

const char *session_store(const struct session *session)
{
    const char *named = session->request.values[OPTION_STORE];
    const char *usual = getenv("FOREWARP_STORE");
    return named ? named : usual && *usual ? usual : "forewarp.db";
}

const char *session_measure_program(char *path, size_t size)
{
    static const char *const places[] = {"forewarp-measure", "../src/measure/forewarp-measure"};
    const char *named = getenv("FOREWARP_MEASURE");
    char own[LONGEST];
    ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
    if (named && *named)
        return named;
    own[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(own, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(path, size, "%s/%s", own, places[i]);
        if (access(path, X_OK) == 0)
            return path;
    }
    snprintf(path, size, "%s/%s", own, places[0]); /* its absence is told when it is started */
    return path;
}

static void show_failure(const struct fw_measure_progress *progress)
{
    fputs("failed: ", stderr);
    tell_printable(stderr, progress->name);
    fputs(": ", stderr);
    tell_printable(stderr, progress->reason);
    fputc('\n', stderr);
}

/* One line that is written over again and again. */
static void show_progress(void *user, const struct fw_measure_progress *progress)
{
    size_t over = progress->done + progress->failed;
    double left = progress->seconds_left;
    (void)user;
    if (progress->reason) {
        fputs("\r\033[K", stderr);
        show_failure(progress);
    }
    fprintf(stderr, "\r\033[K%zu of %zu", over, over + progress->left);
    if (left >= 0)
        fprintf(stderr, ", %s%.0f %s left", progress->left ? "about " : "",
                left < 120 ? left : left / 60, left < 120 ? "s" : "min");
    if (progress->name) {
        char name[52];
        snprintf(name, sizeof(name), "%.50s", progress->name);
        fputs(": ", stderr);
        tell_printable(stderr, name);
    }
    fflush(stderr);
}

/* Where nobody looks at a line that changes: failures alone. */
static void show_failures(void *user, const struct fw_measure_progress *progress)
{
    (void)user;
    if (progress->reason)
        show_failure(progress);
}

static bool seconds(double *value, const struct session *session, int option, const char *name)
{
    const char *text = session->request.values[option];
    char *end;
    *value = 0;
    if (!text)
        return true;
    *value = strtod(text, &end);
    if (!*text || *end || !(*value >= 0 && *value <= 1e6))
        return tell_error("CLI003", "measure: %s is a number of seconds, not %s", name, text);
    return true;
}

static bool number(uint64_t *value, const struct session *session, int option, const char *name)
{
    const char *text = session->request.values[option];
    *value = 0;
    return !text || options_bytes(value, text) || usage(name, text);
}

static bool read_settings(const struct session *session, struct fw_measure_settings *settings)
{
    const char *const *values = session->request.values;
    const char *cache = values[OPTION_CACHE];
    uint64_t trials, bytes, device;
    *settings = (struct fw_measure_settings){.size = sizeof(*settings),
                                             .from = session->request.operands[0],
                                             .store = session_store(session),
                                             .campaign = values[OPTION_CAMPAIGN],
                                             .backend = values[OPTION_BACKEND],
                                             .recording = values[OPTION_RECORDING],
                                             .plan = values[OPTION_PLAN],
                                             .ptx = values[OPTION_PTX],
                                             .sizes = values[OPTION_SIZES],
                                             .kernels = values[OPTION_KERNELS],
                                             .has_settle = values[OPTION_SETTLE] != NULL,
                                             .cold = cache && strcmp(cache, "cold") == 0,
                                             .restore = values[OPTION_RESTORE] != NULL,
                                             .retry = values[OPTION_RETRY] != NULL,
                                             .progress = isatty(STDERR_FILENO) ? show_progress
                                                                               : show_failures};
    if (cache && !settings->cold && strcmp(cache, "warm") != 0)
        return usage("--cache is warm or cold, not ", cache);
    if (!number(&trials, session, OPTION_TRIALS, "--trials is a whole number, not ") ||
        !number(&bytes, session, OPTION_MOST_BYTES, "--most-bytes takes bytes, not ") ||
        !number(&device, session, OPTION_DEVICE, "-d is the device's number, from 0, not ") ||
        !seconds(&settings->settle_seconds, session, OPTION_SETTLE, "--settle") ||
        !seconds(&settings->energy_seconds, session, OPTION_ENERGY, "--energy") ||
        !seconds(&settings->limit_seconds, session, OPTION_TIME_LIMIT, "--time-limit"))
        return false;
    if (trials > 1000000 || device > 999)
        return usage("that is too many: ", trials > 1000000 ? "--trials" : "-d");
    settings->trials = (unsigned)trials;
    settings->device = (unsigned)device;
    settings->most_bytes = (double)bytes;
    return true;
}

/* A string of JSON; names are bytes of the command line or of records. */
static void print_string(const char *text)
{
    putchar('"');
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        if (*at < ' ' || *at == '"' || *at == '\\')
            printf("\\u%04x", *at);
        else
            putchar(*at);
    putchar('"');
}

static void show_campaign(const struct fw_measure_result *result, bool json, bool planned)
{
    if (json) {
        printf("{\"forewarp\": \"%s\", \"format\": 1, \"campaign\": ", fw_version());
        if (planned)
            printf("null");
        else
            print_string(result->campaign);
        printf(", \"configurations\": %zu, \"measured\": %zu, \"failed\": %zu, \"known\": %zu, "
               "\"left_out\": %zu}\n",
               result->configurations, result->done, result->failed, result->known,
               result->left_out);
    } else if (planned) {
        printf("%zu configurations, %zu left out\n", result->configurations, result->left_out);
    } else {
        printf("%s: %zu configurations, %zu measured, %zu failed, %zu in the store before, %zu "
               "left out\n",
               result->campaign, result->configurations, result->done, result->failed,
               result->known, result->left_out);
    }
}

static int campaign(struct session *session)
{
    struct fw_measure_settings settings;
    struct fw_measure_result result;
    char path[2 * LONGEST];
    if (!read_settings(session, &settings))
        return 2;
    signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes is a full disk, not an end */
    settings.program = session_measure_program(path, sizeof(path));
    enum fw_status status = fw_context_measure(&result, session->context, &settings);
    if (isatty(STDERR_FILENO) && result.done + result.failed)
        fputc('\n', stderr);
    if (!status || (!settings.plan && result.done + result.failed))
        show_campaign(&result, session->request.values[OPTION_JSON] != NULL, settings.plan != NULL);
    if (!status && result.failed)
        tell_error("CLI007", "%zu of %zu configurations failed", result.failed,
                   result.failed + result.done);
    return status ? session_exit(status) : result.failed ? 3 : 0;
}

static int show_change(const struct session *session, enum fw_status status,
                       const struct fw_store_change *change, const char *what)
{
    if (status)
        return session_exit(status);
    if (session->request.values[OPTION_JSON]) {
        printf("{\"forewarp\": \"%s\", \"format\": 1, \"measurements\": %zu, \"counters\": %zu, "
               "\"files\": %zu, \"replaced\": %zu, \"known\": %zu}\n",
               fw_version(), change->measurements, change->counters, change->files,
               change->replaced, change->known);
        return 0;
    }
    printf("%s%zu measurements and counters of %zu", what, change->measurements, change->counters);
    if (change->files)
        printf(", %zu file%s", change->files, change->files == 1 ? "" : "s");
    if (change->replaced)
        printf(", %zu replaced", change->replaced);
    if (change->known)
        printf(", %zu known before", change->known);
    printf("\n");
    return 0;
}

static int add_counters(struct session *session, const char *store, const char *path)
{
    const char *const *values = session->request.values;
    struct fw_store_change change;
    if (!values[OPTION_CAMPAIGN]) {
        usage("counters belong to a campaign: --campaign NAME (list shows them)", "");
        return 2;
    }
    return show_change(session,
                       fw_context_store_counters(&change, session->context, store, path,
                                                 values[OPTION_ORDER], values[OPTION_CAMPAIGN]),
                       &change, "taken in: ");
}

int measure_command(struct session *session)
{
    const struct request *request = &session->request;
    const char *store = session_store(session), *name = request->values[OPTION_CAMPAIGN];
    const char *verb = request->operand_count ? request->operands[0] : "";
    const char *path = request->operand_count > 1 ? request->operands[1] : NULL;
    struct fw_store_change change = {0};
    char *text;
    bool two = request->operand_count == 2;
    if (strcmp(verb, "list") == 0 && request->operand_count == 1) {
        enum fw_status status = fw_context_store_list(&text, session->context, store,
                                                      request->values[OPTION_JSON] != NULL);
        return session_print(text, status);
    }
    if (strcmp(verb, "import") == 0 && two)
        return show_change(session,
                           fw_context_store_import(&change, session->context, store, path, name),
                           &change, "taken in: ");
    if (strcmp(verb, "export") == 0 && two)
        return show_change(session,
                           fw_context_store_export(&change, session->context, store, path, name),
                           &change, "written: ");
    if (strcmp(verb, "rebuild") == 0 && two)
        return show_change(session,
                           fw_context_store_rebuild(&change, session->context, store, path),
                           &change, "rebuilt: ");
    if (strcmp(verb, "counters") == 0 && two)
        return add_counters(session, store, path);
    if (request->operand_count == 1)
        return campaign(session);
    tell_error("CLI002", "measure: one FOLDER, LIST or PLAN, or list, import FILE|FOLDER, export "
                         "FOLDER, rebuild FOLDER, counters FILE; see forewarp measure --help");
    return 2;
}
