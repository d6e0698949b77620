/* forewarp-measure: runs a plan on a device and appends records.  The campaign, in `campaign`,
 * never touches a driver: every configuration is measured by a child, which is this program again.
 */
#include "measure_child.h"
#include "measure_records.h"
#include "measure_trials.h"

#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DONE = 0, INPUT = 1, USAGE = 2, MACHINE = 3 };
enum { SETUP_SECONDS = 120 };

struct command {
    const char *program, *plan, *backend, *output, *child, *skip;
    struct fw_target target;
    unsigned part,
        parts; /* only configurations whose index leaves `part` when divided by `parts` */
    bool retry, check, list, setup;
};

struct campaign {
    const struct command *command;
    struct fw_plan plan;
    struct fw_records records;
    struct fw_child child; /* that measures configurations which share a process */
    size_t measured, failed, skipped;
};

static const struct option options[] = {
    {"backend", required_argument, NULL, 'b'},
    {"device", required_argument, NULL, 'd'},
    {"recording", required_argument, NULL, 'r'},
    {"output", required_argument, NULL, 'o'},
    {"retry", no_argument, NULL, 'R'},
    {"check", no_argument, NULL, 'c'},
    {"list", no_argument, NULL, 'l'},
    {"setup", no_argument, NULL, 's'},
    {"skip", required_argument, NULL, 'S'},
    {"part", required_argument, NULL, 'p'},
    {"help", no_argument, NULL, 'h'},
    {"child", required_argument, NULL, 'C'},
    {NULL, 0, NULL, 0},
};

static void usage(FILE *to)
{
    fprintf(
        to,
        "usage: forewarp-measure PLAN -b %s -o RECORDS [-d NUMBER] [-r FILE] [--retry]\n"
        "       forewarp-measure PLAN --check | --list\n"
        "       forewarp-measure --setup -b BACKEND [-d NUMBER]\n"
        "Runs the plan's kernels on a device and appends one record a configuration.\n"
        "  -b, --backend NAME    how to reach the device\n"
        "  -d, --device NUMBER   which device, from 0 (0)\n"
        "  -r, --recording FILE  what replay answers from\n"
        "  -o, --output FILE     records; configurations that it holds are skipped\n"
        "      --retry           those that failed run again\n"
        "      --skip FILE       fingerprints, one a line, of configurations to leave out\n"
        "      --part I/N        only every N-th configuration, from the I-th (0 to N-1): a plan\n"
        "                        shared by several devices\n"
        "      --check           reads the plan and its sources, and runs nothing\n"
        "      --list            the same, and shows each fingerprint and name\n"
        "      --setup           shows what the device says of itself, and runs nothing\n"
        "Exit status: 0 all measured; 1 the plan is at fault; 2 usage; 3 the machine, the device\n"
        "or a configuration is.\n",
        fw_backend_names());
}

static int complain(int status, const char *text)
{
    fputs("forewarp-measure: ", stderr);
    fw_text_show(stderr, text);
    fputc('\n', stderr);
    return status;
}

/* The plan, read and parsed. */
static bool read_plan(struct fw_plan *plan, const char *path, struct fw_reason *reason)
{
    struct fw_growing text = {0};
    bool good = fw_file_read(&text, path, reason);
    if (good && strlen(text.text) != text.length)
        good = fw_reason_set(reason, "%s:1:1: holds a zero byte: not a plan", path);
    good = good && fw_plan_read(plan, path, text.text, reason);
    free(text.text);
    return good;
}

static bool read_source(const struct fw_plan *plan, const struct fw_configuration *configuration,
                        struct fw_growing *source, struct fw_reason *reason)
{
    char *path = fw_plan_source(plan, configuration);
    bool good = fw_file_read(source, path, reason);
    free(path);
    return good;
}

/* The child: one line on the descriptor that the parent reads. */

static void answer(struct fw_growing *record)
{
    fw_growing_add(record, "\n");
    for (size_t done = 0; done < record->length;) {
        ssize_t some = write(FW_CHILD_DESCRIPTOR, record->text + done, record->length - done);
        if (some <= 0)
            _exit(MACHINE);
        done += (size_t)some;
    }
}

/* `*failed`: there is a record, and it says that the configuration could not be measured. */
static bool child_measure_one(const struct fw_plan *plan, size_t index,
                              const struct fw_backend *backend, void *session,
                              struct fw_growing *record, bool *failed, struct fw_reason *reason)
{
    struct fw_growing source = {0};
    if (index >= plan->count)
        return fw_reason_set(reason, "the plan changed while it ran");
    const struct fw_configuration *one = &plan->configurations[index];
    if (!read_source(plan, one, &source, reason))
        return false;
    *failed = !fw_trials_run(backend, session, one, source.text, record, reason);
    if (*failed) {
        record->length = 0;
        fw_trials_failed(one, fw_configuration_fingerprint(one, source.text), reason->text, record);
    }
    free(source.text);
    return true;
}

static bool child_measure(const struct command *command, const struct fw_backend *backend,
                          void *session, struct fw_growing *record, struct fw_reason *reason)
{
    struct fw_plan plan;
    bool failed;
    if (!read_plan(&plan, command->plan, reason))
        return false;
    bool good = child_measure_one(&plan, strtoul(command->child, NULL, 10), backend, session,
                                  record, &failed, reason);
    fw_plan_free(&plan);
    return good;
}

/* Measures what it is asked to, a number a line on standard input, until there is no more.  After a
 * failure the session may be unusable: another process goes on. */
static bool child_serve(const struct command *command, const struct fw_backend *backend,
                        void *session, struct fw_reason *reason)
{
    struct fw_plan plan;
    char line[40];
    bool failed = false;
    if (!read_plan(&plan, command->plan, reason))
        return false;
    while (!failed && fgets(line, sizeof line, stdin)) {
        struct fw_growing record = {0};
        if (!child_measure_one(&plan, strtoul(line, NULL, 10), backend, session, &record, &failed,
                               reason))
            return false;
        answer(&record);
        free(record.text);
        backend->reset(session);
    }
    fw_plan_free(&plan);
    return true;
}

static int child(const struct command *command, const struct fw_backend *backend)
{
    struct fw_growing record = {0};
    struct fw_reason reason = {""};
    void *session = NULL;
    fcntl(FW_CHILD_DESCRIPTOR, F_SETFD, FD_CLOEXEC);
    bool good = backend->open(&session, &command->target, &reason);
    if (good && strcmp(command->child, "setup") == 0)
        good = fw_trials_setup(backend, session, &command->target, &record, &reason);
    else if (good && strcmp(command->child, "serve") == 0 &&
             child_serve(command, backend, session, &reason))
        _exit(DONE);
    else if (good && strcmp(command->child, "serve") == 0)
        good = false;
    else if (good)
        good = child_measure(command, backend, session, &record, &reason);
    if (!good) { /* neither a record nor a setup: the parent tells */
        record.length = 0;
        fw_growing_add(&record, "{\"record\": \"trouble\", \"reason\": ");
        fw_growing_quote(&record, reason.text);
        fw_growing_add(&record, "}");
    }
    answer(&record);
    /* A driver's own tidying at exit can hang or crash; the answer is given, so none is awaited. */
    _exit(good ? DONE : MACHINE);
}

/* The parent. */

enum { CHILD_WORDS = 11 };

/* This program's arguments as a child; `device` holds the number's text. */
static void child_arguments(char *copies[CHILD_WORDS], const struct command *command,
                            const char *what, char device[20])
{
    snprintf(device, 20, "%d", command->target.device);
    const char *arguments[CHILD_WORDS] = {command->program,
                                          command->plan,
                                          "--child",
                                          what,
                                          "--backend",
                                          command->backend,
                                          "--device",
                                          device,
                                          command->target.recording ? "--recording" : NULL,
                                          command->target.recording,
                                          NULL};
    memcpy(copies, arguments, sizeof arguments);
}

/* The line that a child gave: a record, or why there is none. */
static bool understood(struct fw_growing *line, struct fw_reason *reason)
{
    line->text[--line->length] = '\0';
    char *kind = fw_json_string(line->text, "record");
    char *trouble = fw_json_string(line->text, "reason");
    bool good = kind && strcmp(kind, "trouble") != 0;
    if (!good)
        fw_reason_set(reason, "%s", trouble ? trouble : "the process gave no record");
    free(kind);
    free(trouble);
    return good;
}

static bool run_child(const struct command *command, const char *what, double limit,
                      struct fw_growing *line, struct fw_reason *reason)
{
    char device[20], *arguments[CHILD_WORDS];
    child_arguments(arguments, command, what, device);
    return fw_child_run(arguments, limit, line, reason) == FW_CHILD_ANSWERED &&
           understood(line, reason);
}

/* The same by the process that the configurations before it had, if that is still there. */
static bool ask_child(struct campaign *campaign, const char *what, double limit,
                      struct fw_growing *line, struct fw_reason *reason)
{
    char device[20], *arguments[CHILD_WORDS];
    child_arguments(arguments, campaign->command, "serve", device);
    return (campaign->child.process || fw_child_start(&campaign->child, arguments, reason)) &&
           fw_child_ask(&campaign->child, what, limit, line, reason) == FW_CHILD_ANSWERED &&
           understood(line, reason);
}

static bool same(const char *left, const char *right)
{
    return left && right && strcmp(left, right) == 0;
}

/* Asks the device who it is, and writes that down. */
static bool set_up(struct campaign *campaign, struct fw_reason *reason)
{
    struct fw_growing line = {0};
    struct fw_records *records = &campaign->records;
    bool good = run_child(campaign->command, "setup", SETUP_SECONDS, &line, reason);
    if (good && records->device) {
        char *device = fw_json_string(line.text, "device");
        char *driver = fw_json_string(line.text, "driver");
        char *backend = fw_json_string(line.text, "backend");
        if (!same(device, records->device) || !same(driver, records->driver) ||
            !same(backend, records->backend))
            good = fw_reason_set(reason,
                                 "%s holds records of %s (%s, %s), and this is %s (%s, %s): give "
                                 "another file",
                                 records->path, records->device, records->driver, records->backend,
                                 device, driver, backend);
        free(device);
        free(driver);
        free(backend);
    }
    good = good && fw_records_append(records, line.text, reason);
    free(line.text);
    return good;
}

static bool device_is_there(struct campaign *campaign, struct fw_reason *reason)
{
    struct fw_growing line = {0};
    bool good = run_child(campaign->command, "setup", SETUP_SECONDS, &line, reason);
    free(line.text);
    return good;
}

/* Measures one configuration.  False: the campaign cannot go on. */
static bool measure(struct campaign *campaign, size_t index, uint64_t fingerprint,
                    struct fw_reason *reason)
{
    const struct fw_configuration *one = &campaign->plan.configurations[index];
    struct fw_growing line = {0};
    struct fw_reason failure = {""};
    char number[30];
    snprintf(number, sizeof number, "%zu", index);
    bool together = one->protocol.together;
    if (!together)
        fw_child_stop(&campaign->child);
    if (together
            ? !ask_child(campaign, number, one->protocol.limit_seconds, &line, &failure)
            : !run_child(campaign->command, number, one->protocol.limit_seconds, &line, &failure)) {
        line.length = 0;
        fw_trials_failed(one, fingerprint, failure.text, &line);
    }
    char *status = fw_json_string(line.text, "status");
    char *said = fw_json_string(line.text, "fingerprint");
    char *why = fw_json_string(line.text, "reason");
    bool failed = !same(status, "done"), good = true;
    if (failed)
        fw_child_stop(&campaign->child);
    if (!said || strtoull(said, NULL, 16) != fingerprint)
        good =
            fw_reason_set(reason, "%s: plan or source changed while the campaign ran", one->name);
    /* A failure with the device gone is not the configuration's: it is not recorded, and runs
     * again. */
    if (good && failed && !device_is_there(campaign, &failure))
        good = fw_reason_set(reason, "the device is gone (%.200s), seen after %.100s: %.200s",
                             failure.text, one->name, why ? why : "");
    good = good && fw_records_append(&campaign->records, line.text, reason);
    if (good) {
        campaign->measured += !failed;
        campaign->failed += failed;
        if (failed) {
            fputs("failed: ", stderr);
            fw_text_show(stderr, one->name);
            fputs(": ", stderr);
            fw_text_show(stderr, why ? why : "");
            fputc('\n', stderr);
        }
        printf("%s %s\n", failed ? "failed" : "done", one->name);
        fflush(stdout);
    }
    free(status);
    free(said);
    free(why);
    free(line.text);
    return good;
}

/* Fingerprints that are recorded elsewhere count as recorded here. */
static bool read_skipped(struct fw_growing *skip, const char *path, struct fw_reason *reason)
{
    return !path || fw_file_read(skip, path, reason);
}

static bool is_skipped(const struct fw_growing *skip, uint64_t fingerprint)
{
    char wanted[20];
    snprintf(wanted, sizeof wanted, "%016llx", (unsigned long long)fingerprint);
    return skip->text && strstr(skip->text, wanted) != NULL;
}

/* Lets the device cool; a recording has nothing to cool. */
static void rest(const struct fw_protocol *protocol, const struct command *command)
{
    double whole = floor(protocol->pause_seconds);
    struct timespec time = {(time_t)whole, (long)((protocol->pause_seconds - whole) * 1e9)};
    if (protocol->pause_seconds > 0 && strcmp(command->backend, "replay") != 0)
        nanosleep(&time, NULL);
}

static bool run_all(struct campaign *campaign, const struct fw_growing *skip,
                    struct fw_reason *reason)
{
    struct fw_plan *plan = &campaign->plan;
    const struct command *command = campaign->command;
    bool ready = false;
    for (size_t i = 0; i < plan->count; i++) {
        if (command->parts && i % command->parts != command->part) {
            campaign->skipped++;
            continue;
        }
        struct fw_growing source = {0};
        if (!read_source(plan, &plan->configurations[i], &source, reason))
            return false;
        uint64_t fingerprint = fw_configuration_fingerprint(&plan->configurations[i], source.text);
        free(source.text);
        if (is_skipped(skip, fingerprint) ||
            fw_records_has(&campaign->records, fingerprint, command->retry)) {
            campaign->skipped++;
            continue;
        }
        if (!ready && !set_up(campaign, reason))
            return false;
        ready = true;
        rest(&plan->configurations[i].protocol, command);
        if (!measure(campaign, i, fingerprint, reason))
            return false;
    }
    return true;
}

/* Every source is there before anything runs.  `list`: shows what there is. */
static bool check_sources(const struct fw_plan *plan, bool list, struct fw_reason *reason)
{
    for (size_t i = 0; i < plan->count; i++) {
        struct fw_growing source = {0};
        struct fw_reason why;
        if (!read_source(plan, &plan->configurations[i], &source, &why))
            return fw_reason_set(reason, "line %u, configuration %.100s: %.400s",
                                 plan->configurations[i].line, plan->configurations[i].name,
                                 why.text);
        if (list)
            printf("%016llx %s\n",
                   (unsigned long long)fw_configuration_fingerprint(&plan->configurations[i],
                                                                    source.text),
                   plan->configurations[i].name);
        free(source.text);
    }
    return true;
}

static int show_setup(const struct command *command)
{
    struct fw_growing line = {0};
    struct fw_reason reason = {""};
    bool good = run_child(command, "setup", SETUP_SECONDS, &line, &reason);
    if (good)
        printf("%s\n", line.text);
    free(line.text);
    return good ? DONE : complain(MACHINE, reason.text);
}

static int run_campaign(const struct command *command)
{
    struct campaign campaign = {.command = command};
    struct fw_reason reason = {""};
    struct fw_growing skip = {0};
    uint64_t dropped = 0;
    if (!read_plan(&campaign.plan, command->plan, &reason))
        return complain(INPUT, reason.text);
    if (!check_sources(&campaign.plan, command->list, &reason)) {
        fw_plan_free(&campaign.plan);
        return complain(INPUT, reason.text);
    }
    if (command->check || command->list) {
        if (!command->list)
            printf("%zu configurations\n", campaign.plan.count);
        fw_plan_free(&campaign.plan);
        return fflush(stdout) == 0 ? DONE : complain(MACHINE, "cannot write the answer");
    }
    signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes is a full disk, not an end */
    signal(SIGPIPE, SIG_IGN); /* a child that is gone is seen when it does not answer */
    bool good = fw_records_open(&campaign.records, command->output, &dropped, &reason);
    if (dropped) {
        fputs("note: ", stderr);
        fw_text_show(stderr, command->output);
        fprintf(stderr, ": an unfinished last line of %llu bytes was dropped\n",
                (unsigned long long)dropped);
    }
    good =
        good && read_skipped(&skip, command->skip, &reason) && run_all(&campaign, &skip, &reason);
    fw_child_stop(&campaign.child);
    if (!good)
        complain(MACHINE, reason.text);
    fprintf(stderr, "%zu measured, %zu failed, %zu recorded before, %zu left\n", campaign.measured,
            campaign.failed, campaign.skipped,
            campaign.plan.count - campaign.measured - campaign.failed - campaign.skipped);
    free(skip.text);
    fw_records_close(&campaign.records);
    fw_plan_free(&campaign.plan);
    return good && !campaign.failed ? DONE : MACHINE;
}

static bool read_device(const char *text, int *device)
{
    char *end;
    long number = strtol(text, &end, 10);
    *device = (int)number;
    return *text && !*end && number >= 0 && number < 1000;
}

static bool read_part(const char *text, struct command *command)
{
    int end = 0;
    return sscanf(text, "%u/%u%n", &command->part, &command->parts, &end) == 2 && !text[end] &&
           command->part < command->parts;
}

/* One option; DONE: go on, -1: help was shown, else the exit status. */
static int read_option(int letter, struct command *command)
{
    switch (letter) {
    case 'b':
        command->backend = optarg;
        break;
    case 'r':
        command->target.recording = optarg;
        break;
    case 'o':
        command->output = optarg;
        break;
    case 'R':
        command->retry = true;
        break;
    case 'c':
        command->check = true;
        break;
    case 'C':
        command->child = optarg;
        break;
    case 'l':
        command->list = true;
        break;
    case 's':
        command->setup = true;
        break;
    case 'S':
        command->skip = optarg;
        break;
    case 'p':
        if (!read_part(optarg, command))
            return complain(USAGE, "a part is I/N, I below N");
        break;
    case 'd':
        if (!read_device(optarg, &command->target.device))
            return complain(USAGE, "a device is a number from 0");
        break;
    case 'h':
        usage(stdout);
        return -1;
    default:
        usage(stderr);
        return USAGE;
    }
    return DONE;
}

int main(int count, char **arguments)
{
    struct command command = {.program = arguments[0]};
    for (int letter; (letter = getopt_long(count, arguments, "b:d:r:o:h", options, NULL)) != -1;) {
        int told = read_option(letter, &command);
        if (told != DONE)
            return told >= 0             ? told
                   : fflush(stdout) == 0 ? DONE
                                         : complain(MACHINE, "cannot write the answer");
    }
    bool reads = command.check || command.list, asks = command.setup && !command.child;
    if (optind + !asks != count || (!reads && !command.backend) ||
        (!reads && !asks && !command.child && !command.output)) {
        usage(stderr);
        return USAGE;
    }
    command.plan = asks ? "-" : arguments[optind];
    const struct fw_backend *backend = command.backend ? fw_backend_find(command.backend) : NULL;
    if (command.backend && !backend)
        return complain(USAGE, "no such backend");
    if (command.child)
        return child(&command, backend);
    return asks ? show_setup(&command) : run_campaign(&command);
}
