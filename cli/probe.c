/* device probe: runs the probe's plan through forewarp-measure, or takes a recording, and shows the
 * profile. */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST = 4096, FILES_MOST = 256 };

struct probing {
    struct session *session;
    char program[LONGEST]; /* of forewarp-measure */
    const char *measure;
    char folder[LONGEST]; /* of the plan */
    char *files[FILES_MOST];
    size_t file_count;
    bool failed; /* a file could not be written */
};

static int complain(const char *what, const char *detail)
{
    tell_error("CLI007", "probe: %s%s", what, detail);
    return 3;
}

static void take_file(void *user, const char *name, const char *text, size_t length)
{
    struct probing *probing = user;
    char path[LONGEST + 80];
    snprintf(path, sizeof(path), "%s/%.70s", probing->folder, name);
    int code = session_write_file(path, text, length);
    if (probing->file_count < FILES_MOST)
        probing->files[probing->file_count++] = strdup(path);
    if (code && !probing->failed)
        tell_error_in("CLI005", path, 0, "cannot be written: %s", strerror(code));
    probing->failed |= code != 0;
}

/* Starts forewarp-measure; its standard output comes back as a stream. */
static FILE *start(const struct probing *probing, const char *const *arguments, pid_t *child)
{
    int ends[2];
    if (pipe(ends) != 0)
        return NULL;
    *child = fork();
    if (*child == 0) {
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        char *copies[16];
        memcpy(copies, arguments, sizeof(copies)); /* execv's argument lacks a const */
        execv(probing->measure, copies);
        tell_error("CLI007", "probe: cannot start %s: %s", probing->measure, strerror(errno));
        _exit(3);
    }
    close(ends[1]);
    FILE *stream = *child > 0 ? fdopen(ends[0], "r") : NULL;
    if (!stream)
        close(ends[0]);
    return stream;
}

static int finish(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 3;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}

/* What the device says of itself, into a file of its own. */
static int ask(struct probing *probing, const char *backend, const char *device)
{
    const char *arguments[16] = {"forewarp-measure", "--setup", "--backend", backend,
                                 "--device",         device,    NULL};
    char line[16384];
    pid_t child;
    FILE *answer = start(probing, arguments, &child);
    if (!answer)
        return complain("cannot start forewarp-measure: ", strerror(errno));
    size_t length = fread(line, 1, sizeof(line) - 1, answer);
    fclose(answer);
    int status = finish(child);
    if (status == 0)
        take_file(probing, "setup.txt", line, length);
    return status;
}

static void show_line(size_t done, const char *line)
{
    char start[64];
    snprintf(start, sizeof(start), "%.60s", line);
    fprintf(stderr, "\r\033[K%zu: ", done);
    tell_printable(stderr, start);
}

/* Runs the plan; one line that is written over again and again where somebody looks. */
static int measure(struct probing *probing, const char *backend, const char *device,
                   const char *output)
{
    char plan[LONGEST + 20], line[512];
    const char *arguments[16] = {
        "forewarp-measure", plan,   "--backend", backend, "--device", device,
        "--output",         output, NULL};
    bool watched = isatty(2);
    size_t done = 0;
    pid_t child;
    snprintf(plan, sizeof(plan), "%s/probe.plan", probing->folder);
    FILE *progress = start(probing, arguments, &child);
    if (!progress)
        return complain("cannot start forewarp-measure: ", strerror(errno));
    while (fgets(line, sizeof(line), progress)) {
        line[strcspn(line, "\n")] = '\0';
        if (watched)
            show_line(++done, line);
    }
    if (watched)
        fprintf(stderr, "\n");
    fclose(progress);
    return finish(child);
}

static int make_plan(struct probing *probing, const char *recording)
{
    struct fw_probe_settings settings = {.size = sizeof(settings),
                                         .recording = recording,
                                         .quick = probing->session->request.values[OPTION_QUICK] !=
                                                  NULL};
    int status = session_exit(
        fw_context_probe_plan(probing->session->context, &settings, take_file, probing));
    return status ? status : probing->failed ? 3 : 0;
}

static void clean(struct probing *probing, bool keep)
{
    for (size_t i = 0; i < probing->file_count; i++) {
        if (!keep && probing->files[i])
            unlink(probing->files[i]);
        free(probing->files[i]);
    }
    if (!keep && *probing->folder)
        rmdir(probing->folder);
}

static int record(struct probing *probing, const char *output)
{
    const char *const *values = probing->session->request.values;
    const char *backend = values[OPTION_BACKEND], *device = values[OPTION_DEVICE];
    const char *base = getenv("TMPDIR");
    char setup[LONGEST + 20];
    snprintf(probing->folder, sizeof(probing->folder), "%s/forewarp-probe-XXXXXX",
             base && *base ? base : "/tmp");
    if (!mkdtemp(probing->folder)) {
        *probing->folder = '\0';
        return complain("no folder for the plan: ", strerror(errno));
    }
    snprintf(setup, sizeof(setup), "%s/setup.txt", probing->folder);
    int status = ask(probing, backend ? backend : "cuda", device ? device : "0");
    if (status == 3 && !backend) {
        backend = "opencl";
        status = ask(probing, backend, device ? device : "0");
    }
    if (!status)
        status = make_plan(probing, setup);
    if (!status)
        status = measure(probing, backend ? backend : "cuda", device ? device : "0", output);
    return status;
}

/* Where --plan asks for files only. */
static int write_plan(struct probing *probing, const char *folder, const char *recording)
{
    if (!recording)
        return complain("--plan needs --replay with a recording whose setup record says what the "
                        "device is",
                        "") -
               1;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return complain("cannot make the folder: ", strerror(errno));
    snprintf(probing->folder, sizeof(probing->folder), "%s", folder);
    return make_plan(probing, recording);
}

static int show(struct session *session, const char *recording, const struct fw_device *compare,
                const struct fw_device *like)
{
    struct fw_probe_settings settings = {.size = sizeof(settings),
                                         .recording = recording,
                                         .name = session->request.values[OPTION_NAME],
                                         .compare = compare,
                                         .like = like,
                                         .json = session->request.values[OPTION_JSON] != NULL};
    char *text;
    enum fw_status status = fw_context_probe_profile(&text, session->context, &settings);
    return session_print(text, status);
}

static bool plain_name(const char *name)
{
    size_t length =
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
    return length > 0 && !name[length] && length <= 64;
}

/* A profile that an option names; none: NULL. */
static enum fw_status open_profile(struct fw_device **device, struct session *session,
                                   const char *name)
{
    return name ? fw_context_device(device, session->context, name) : FW_OK;
}

int probe_command(struct session *session)
{
    const char *const *values = session->request.values;
    const char *replay = values[OPTION_REPLAY], *output = values[OPTION_OUTPUT];
    struct probing probing = {.session = session};
    struct fw_device *compare = NULL, *like = NULL;
    if ((replay != NULL) == (output != NULL) && !values[OPTION_PLAN]) {
        tell_error("CLI002", "probe: give --output RECORDS to measure, or --replay RECORDS to take "
                             "what was measured");
        return 2;
    }
    if (values[OPTION_NAME] && !plain_name(values[OPTION_NAME])) {
        tell_error("CLI003", "probe: a name is of letters, digits and ._-");
        return 2;
    }
    probing.measure = session_measure_program(probing.program, sizeof(probing.program));
    if (values[OPTION_PLAN]) {
        int status = write_plan(&probing, values[OPTION_PLAN], replay);
        clean(&probing, true);
        return status;
    }
    enum fw_status found = open_profile(&compare, session, values[OPTION_COMPARE]);
    if (!found)
        found = open_profile(&like, session, values[OPTION_LIKE]);
    if (found) {
        fw_context_device_free(compare);
        return session_exit(found);
    }
    int measured = output ? record(&probing, output) : 0;
    clean(&probing, false);
    struct stat about;
    bool some = !output || (stat(output, &about) == 0 && about.st_size > 0);
    int shown = measured == 0 || (measured == 3 && some)
                    ? show(session, output ? output : replay, compare, like)
                    : 0;
    fw_context_device_free(compare);
    fw_context_device_free(like);
    if (measured)
        tell_error("CLI007", "probe: forewarp-measure did not finish (exit status %d)", measured);
    return measured ? measured : shown;
}
