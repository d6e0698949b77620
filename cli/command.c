#include "command.h"
#include "fit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where data lies in the source tree of a build that is not installed. */
#ifndef FW_INSTALLED_DATA
#define FW_INSTALLED_DATA ""
#endif
#ifndef FW_SOURCE_TREE
#define FW_SOURCE_TREE ""
#endif

enum { LONGEST_PATH = 4096 };

int session_exit(enum fw_status status)
{
    switch (status) {
    case FW_OK:
        return 0;
    case FW_ERROR_USAGE:
        return 2;
    case FW_ERROR_MACHINE:
    case FW_ERROR_MEMORY:
        return 3;
    case FW_ERROR_INPUT:
    case FW_ERROR_OVERFLOW:
    case FW_ERROR_BUDGET:
        return 1;
    }
    return 3;
}

int session_print_drawn(char *text, enum fw_status status)
{
    limit_end();
    if (text)
        fputs(text, stdout); /* tell_end sees whether it was written */
    fw_text_free(text);
    return session_exit(status);
}

int session_print(char *text, enum fw_status status)
{
    unsigned columns = text && !tell_is_json() ? fit_columns(STDOUT_FILENO) : 0;
    if (!columns)
        return session_print_drawn(text, status);
    limit_end();
    fit_print(stdout, text, columns);
    fw_text_free(text);
    return session_exit(status);
}

int session_print_code(char *text, enum fw_status status)
{
    char *printable;
    if (status || !isatty(STDOUT_FILENO))
        return session_print_drawn(text, status);
    status = fw_text_printable(&printable, text, true);
    fw_text_free(text);
    return session_print_drawn(printable, status);
}

/* Into what is there and is no regular file: a device, a pipe, a terminal.  A named pipe that
 * nobody reads is refused, not waited for. */
static int write_into(const char *path, const char *text, size_t length)
{
    int file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    int code = file < 0 ? errno : 0;
    if (!code && fcntl(file, F_SETFL, 0) != 0)
        code = errno;
    for (size_t done = 0; !code && done < length;) {
        ssize_t some = write(file, text + done, length - done);
        if (some > 0)
            done += (size_t)some;
        else if (some == 0 || errno != EINTR)
            code = some == 0 ? ENOSPC : errno;
    }
    if (file >= 0 && close(file) != 0 && !code)
        code = errno;
    return code;
}

/* Beside `path` first, then in its place. */
static int replace(const char *path, const char *text, size_t length)
{
    enum { SUFFIX = 32 };
    size_t size = strlen(path) + SUFFIX;
    char *fresh = malloc(size);
    if (!fresh)
        return ENOMEM;
    snprintf(fresh, size, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(fresh, "w");
    bool good = file && fwrite(text, 1, length, file) == length && fflush(file) == 0 &&
                fsync(fileno(file)) == 0;
    int code = errno;
    if (file && fclose(file) != 0 && good) {
        good = false;
        code = errno;
    }
    if (good && rename(fresh, path) != 0) {
        good = false;
        code = errno;
    }
    if (!good && file)
        unlink(fresh);
    free(fresh);
    return good ? 0 : code;
}

int session_write_file(const char *path, const char *text, size_t length)
{
    struct stat there;
    if (stat(path, &there) != 0)
        return replace(path, text, length);
    if (S_ISDIR(there.st_mode))
        return EISDIR;
    if (!S_ISREG(there.st_mode))
        return write_into(path, text, length);
    char *target = realpath(path, NULL); /* of a link: the file that it names */
    int code = target ? replace(target, text, length) : errno;
    free(target);
    return code;
}

static void show_message(void *user, const struct fw_message *message)
{
    struct session *session = user;
    if (message->severity == FW_MESSAGE_ERROR) {
        tell_counted();
        if (!session->failure[0])
            snprintf(session->failure, sizeof(session->failure), "%s%s%s",
                     message->file && !message->line ? message->file : "",
                     message->file && !message->line ? ": " : "", message->text);
    }
    if (message->severity == FW_MESSAGE_NOTE)
        return;
    if (tell_is_json())
        tell_json_line(message->severity == FW_MESSAGE_ERROR ? "error" : "warning", message->code,
                       message->text, message->file, message->line, message->column, message->notes,
                       message->note_count);
    else
        fputs(message->rendered, stderr);
}

static char *joined(const char *folder, const char *rest)
{
    size_t length = strlen(folder) + strlen(rest) + 1;
    char *path = malloc(length);
    if (path)
        snprintf(path, length, "%s%s", folder, rest);
    return path;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return path && stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* The folder that the program stands in. */
static bool own_folder(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

static char *folder_if_there(const char *base, const char *rest)
{
    char *path = joined(base, rest);
    if (is_folder(path))
        return path;
    free(path);
    return NULL;
}

/* Data of an installation: profiles and models, and headers for compilers in a folder of them. */
static bool find_installed(struct session *session, const char *base, const char *rest)
{
    char *data = joined(base, rest), *profiles = data ? folder_if_there(data, "/profiles") : NULL;
    if (profiles && !session->headers)
        session->headers = folder_if_there(data, "/compile");
    bool found = profiles != NULL;
    free(profiles);
    if (found && !session->data)
        session->data = data;
    else
        free(data);
    return found;
}

/* $FOREWARP_DATA; else what is installed beside the program; else the source tree; else what is
 * installed where the build was told to, for a program that does not know where it stands (a
 * system without /proc). */
static void find_data(struct session *session)
{
    const char *stated = getenv("FOREWARP_DATA");
    char own[LONGEST_PATH];
    if (stated && *stated) {
        session->data = joined(stated, "");
        session->headers = folder_if_there(stated, "/compile");
        if (!session->headers)
            session->headers = folder_if_there(stated, "/data/compile");
        if (session->headers)
            return;
    }
    if (own_folder(own, sizeof(own)) && find_installed(session, own, "/../share/forewarp"))
        return;
    if (!is_folder(FW_SOURCE_TREE "/profiles") && find_installed(session, FW_INSTALLED_DATA, ""))
        return;
    if (!session->data)
        session->data = joined(FW_SOURCE_TREE, "");
    session->headers = folder_if_there(FW_SOURCE_TREE, "/data/compile");
}

static char *find_cache(void)
{
    const char *base = getenv("XDG_CACHE_HOME");
    if (base && *base == '/')
        return joined(base, "/forewarp");
    base = getenv("HOME");
    return base && *base == '/' ? joined(base, "/.cache/forewarp") : NULL;
}

int session_open(struct session *session)
{
    find_data(session);
    session->cache = find_cache();
    struct fw_context_options options = {.size = sizeof(options),
                                         .data = session->data,
                                         .headers = session->headers,
                                         .cache = session->cache,
                                         .message = show_message,
                                         .user = session,
                                         .run_seconds = session->request.limit};
    if (options.run_seconds > 0) {
        options.question_seconds = -1;
        limit_begin(options.run_seconds);
    }
    return session_exit(fw_context_new(&session->context, &options));
}

void session_close(struct session *session)
{
    fw_context_free(session->context);
    free(session->data);
    free(session->headers);
    free(session->cache);
}

/* What --ptxas says.  What is emulated needs no registers. */
static bool ptxas_use(const struct session *session, enum fw_ptxas_use *use)
{
    static const char *const words[] = {
        [FW_PTXAS_AUTO] = "auto", [FW_PTXAS_ALWAYS] = "always", [FW_PTXAS_NEVER] = "never"};
    const char *stated = session->request.values[OPTION_PTXAS];
    *use = session->request.subcommand->bit == ON_EMULATE ? FW_PTXAS_NEVER : FW_PTXAS_AUTO;
    for (size_t w = 0; stated && w < sizeof(words) / sizeof(words[0]); w++) {
        if (strcmp(words[w], stated) == 0) {
            *use = (enum fw_ptxas_use)w;
            return true;
        }
    }
    if (stated)
        tell_error("CLI003", "--ptxas is auto, always or never, not %s", stated);
    return !stated;
}

bool session_program_options(const struct session *session, struct fw_program_options *options,
                             const struct fw_device *device)
{
    enum { OLDEST_TARGET = 80 }; /* that every compiler of today still knows */
    static const struct {
        const char *name;
        enum fw_program_language language;
    } languages[] = {{"ptx", FW_PROGRAM_PTX},
                     {"cu", FW_PROGRAM_CUDA},
                     {"cl", FW_PROGRAM_OPENCL},
                     {"knl", FW_PROGRAM_LOOPS},
                     {"json", FW_PROGRAM_ADDRESSES}};
    const struct request *request = &session->request;
    const char *stated = request->values[OPTION_LANGUAGE];
    *options = (struct fw_program_options){.size = sizeof(*options),
                                           .defines = request->defines,
                                           .define_count = request->define_count,
                                           .includes = request->includes,
                                           .include_count = request->include_count,
                                           .standard = request->values[OPTION_STANDARD],
                                           .compiler = request->values[OPTION_COMPILER]};
    options->capability = device ? fw_context_device_capability(device) : 0;
    options->target = options->capability >= OLDEST_TARGET ? options->capability : 0;
    for (size_t l = 0; l < sizeof(languages) / sizeof(languages[0]) && stated; l++)
        if (strcmp(languages[l].name, stated) == 0)
            options->language = languages[l].language;
    if (!ptxas_use(session, &options->ptxas))
        return false;
    const char *points = request->values[OPTION_COARSENING];
    if (points && (!options_triple(options->coarsening, points) || !options->coarsening[0] ||
                   !options->coarsening[1] || !options->coarsening[2]))
        return tell_error("CLI003", "--coarsening takes X[,Y[,Z]], whole numbers, not %s", points);
    if (!stated || options->language != FW_PROGRAM_BY_SUFFIX)
        return true;
    return tell_error("CLI003", "there is no language %s; there are ptx, cu, cl, knl and json",
                      stated);
}

static bool whole(uint64_t *value, const struct session *session, enum option_index option,
                  const char *name)
{
    const char *text = session->request.values[option];
    *value = 0;
    return !text || options_bytes(value, text) ||
           tell_error("CLI003", "%s is a whole number, not %s", name, text);
}

bool session_emulate_settings(const struct session *session, struct fw_emulate_settings *settings)
{
    const struct request *request = &session->request;
    *settings = (struct fw_emulate_settings){.size = sizeof(*settings),
                                             .arguments = request->contents,
                                             .argument_count = request->content_count};
    if (!whole(&settings->every, session, OPTION_EVERY, "--every") ||
        !whole(&settings->blocks, session, OPTION_BLOCKS, "--blocks") ||
        !whole(&settings->limit, session, OPTION_INSTRUCTIONS, "--instructions") ||
        !whole(&settings->seed, session, OPTION_SEED, "--seed"))
        return false;
    if (settings->every && settings->blocks)
        return tell_error("CLI003", "--every and --blocks say the same: give one");
    return true;
}

/* What is said of emulated blocks makes no sense where none are. */
static bool check_emulating(const struct session *session)
{
    static const struct {
        enum option_index option;
        const char *name;
    } needing[] = {{OPTION_ARG, "--arg"},
                   {OPTION_BLOCKS, "--blocks"},
                   {OPTION_INSTRUCTIONS, "--instructions"},
                   {OPTION_SEED, "--seed"}};
    for (size_t n = 0; n < sizeof(needing) / sizeof(needing[0]); n++)
        if (session->request.values[needing[n].option])
            return tell_error("CLI003", "%s is for --emulate", needing[n].name);
    return true;
}

enum fw_status session_device(struct fw_device **device, const struct session *session)
{
    const char *name = session->request.values[OPTION_DEVICE];
    *device = NULL;
    if (name)
        return fw_context_device(device, session->context, name);
    if (session->request.values[OPTION_CALIBRATION])
        return fw_context_device_blank(device, session->context, "black-box");
    return FW_OK;
}

bool session_follows(const struct session *session)
{
    const char *cache = session->request.values[OPTION_CACHE];
    return session->request.values[OPTION_LAUNCHES] &&
           session->request.subcommand->bit == ON_PREDICT && cache &&
           strcmp(cache, "sequence") == 0;
}

bool session_cold(bool *cold, const char *cache)
{
    *cold = cache && strcmp(cache, "cold") == 0;
    if (cache && !*cold && strcmp(cache, "warm") != 0)
        return tell_error("CLI003",
                          "--cache is warm or cold (of predict --launches also sequence), not %s",
                          cache);
    return true;
}

/* "1500", MHz, or a number with its unit: "1.5GHz". */
static bool read_clock(double *hertz, const char *text)
{
    static const struct {
        const char *text;
        double factor;
    } units[] = {{"", 1e6}, {"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}};
    char *end = NULL;
    double number = text ? strtod(text, &end) : 0;
    *hertz = 0;
    for (size_t u = 0; text && u < sizeof(units) / sizeof(units[0]); u++)
        if (end != text && strcmp(end, units[u].text) == 0)
            *hertz = number * units[u].factor;
    if (text && !(*hertz >= 1e6 && *hertz <= 1e11))
        return tell_error("CLI003",
                          "--clock is a number of MHz, or one with its unit (1.5GHz), from 1 MHz "
                          "to 100 GHz, not %s",
                          text);
    return true;
}

bool session_predict_settings(const struct session *session, struct fw_predict_settings *settings,
                              struct fw_emulate_settings *emulate)
{
    const struct request *request = &session->request;
    const char *cache = request->values[OPTION_CACHE], *clock = request->values[OPTION_CLOCK];
    *settings = (struct fw_predict_settings){.size = sizeof(*settings),
                                             .models = request->values[OPTION_MODEL],
                                             .calibration = request->values[OPTION_CALIBRATION],
                                             .volumes = request->values[OPTION_VOLUMES]};
    if (request->subcommand->bit == ON_TRAFFIC)
        settings->models = "traffic";
    if (!session_follows(session) && !session_cold(&settings->cold, cache))
        return false;
    if (!request->values[OPTION_EMULATE] && !check_emulating(session))
        return false;
    if (request->values[OPTION_EMULATE] && !session_emulate_settings(session, emulate))
        return false;
    settings->advice = request->values[OPTION_ADVICE] != NULL;
    settings->issue_orders = request->values[OPTION_ISSUE_ORDERS] != NULL;
    settings->emulate = request->values[OPTION_EMULATE] ? emulate : NULL;
    return read_clock(&settings->clock, clock);
}

bool session_resources(const struct session *session, uint32_t *registers, bool *has_static,
                       uint64_t *bytes)
{
    const char *stated = session->request.values[OPTION_REGISTERS];
    const char *size = session->request.values[OPTION_STATIC_SHARED];
    uint64_t number = 0;
    if (stated && (!options_bytes(&number, stated) || number < 1 || number > UINT16_MAX))
        return tell_error("CLI003", "--registers is a whole number above 0, not %s", stated);
    *registers = (uint32_t)number;
    *has_static = size != NULL;
    *bytes = 0;
    if (size && !options_bytes(bytes, size))
        return tell_error("CLI003", "--static-shared takes bytes, K, M or G allowed, not %s", size);
    return true;
}

struct fw_render_options session_render_options(const struct session *session)
{
    const char *plain = getenv("NO_COLOR");
    return (struct fw_render_options){
        .size = sizeof(struct fw_render_options),
        .format = session->request.values[OPTION_JSON] ? FW_FORMAT_JSON : FW_FORMAT_TEXT,
        .colour = isatty(STDOUT_FILENO) && !(plain && *plain),
        .quantities_first = session->request.subcommand->bit == ON_TRAFFIC,
        .all_lines = session->request.values[OPTION_LINES] != NULL,
        .metrics = session->request.values[OPTION_METRICS] != NULL};
}
