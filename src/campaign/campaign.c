/* One campaign, from its list to the store.  See campaign.h. */
#include "campaign_internal.h"
#include "deadline.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct session {
    struct campaign_run run;
    struct fw_store *store;
    struct campaign_work work;
    const char *plan;
    size_t taken; /* bytes of the records that are in the store */
    double begin;
    struct fw_campaign_progress progress;
    bool lost; /* records could not be taken in: the files must stay */
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* "NVIDIA H200" and "cuda": "nvidia-h200-cuda". */
static const char *name_of(struct fw_arena *arena, const char *device, const char *backend)
{
    struct fw_buffer name = fw_buffer_new(arena);
    for (const char *at = device; *at && name.length < 60; at++) {
        char letter = (char)tolower((unsigned char)*at);
        if (isalnum((unsigned char)letter))
            fw_buffer_add(&name, &letter, 1);
        else if (name.length && name.text[name.length - 1] != '-')
            fw_buffer_add(&name, "-", 1);
    }
    while (name.length && name.text[name.length - 1] == '-')
        name.length--;
    return fw_arena_printf(arena, "%.*s-%s", (int)name.length, name.length ? name.text : "",
                           backend);
}

/* Asks one backend's device who it is. */
static enum fw_status ask(struct session *session, const char *backend, bool quiet)
{
    struct campaign_run *run = &session->run;
    const struct fw_campaign *campaign = run->campaign;
    struct campaign_child child;
    const char *number = fw_arena_printf(run->arena, "%u", campaign->device);
    const char *arguments[] = {
        "--setup",           "-b", backend, "-d", number, campaign->recording ? "-r" : NULL,
        campaign->recording, NULL};
    int code;
    enum fw_status status = campaign_child_start(run, &child, arguments, session->work.errors);
    if (status)
        return status;
    const char *line = campaign_child_line(run, &child);
    status = campaign_child_end(run, &child, session->work.errors, quiet, &code);
    if (status)
        return status;
    json_t *setup = line ? json_loads(line, 0, NULL) : NULL;
    const char *device = json_string_value(json_object_get(setup, "device"));
    if (device) {
        run->backend = backend;
        run->target = (unsigned)json_number_value(json_object_get(setup, "compute_capability"));
        run->result->name = campaign->name ? campaign->name : name_of(run->arena, device, backend);
    } else {
        CAMPAIGN_ERROR(run, "CAM004", "forewarp-measure says nothing of the device");
        status = FW_ERROR_MACHINE;
    }
    json_decref(setup);
    return status;
}

static enum fw_status find_device(struct session *session)
{
    const char *stated = session->run.campaign->backend;
    if (stated)
        return ask(session, stated, false);
    if (ask(session, "cuda", true) == FW_OK)
        return FW_OK;
    return ask(session, "opencl", false);
}

/* Shows the plan's configurations and writes down which of them the store has. */
static enum fw_status compare(struct session *session)
{
    struct campaign_run *run = &session->run;
    const char *arguments[] = {session->plan, "--list", NULL};
    struct campaign_child child;
    struct fw_buffer known = fw_buffer_new(run->arena);
    size_t count = 0;
    int code;
    enum fw_status status = campaign_child_start(run, &child, arguments, session->work.errors),
                   told;
    if (status)
        return status;
    for (const char *line; !status && (line = campaign_child_line(run, &child)); count++) {
        bool has = false;
        const char *fingerprint = fw_arena_text(run->arena, line, strcspn(line, " "));
        status = fw_store_has(&has, session->store, run->result->name, fingerprint,
                              run->campaign->retry);
        if (has) {
            fw_buffer_printf(&known, "%s\n", fingerprint);
            run->result->known++;
        }
    }
    told = campaign_child_end(run, &child, session->work.errors, status != FW_OK, &code);
    status = status ? status : told;
    run->result->configurations = count;
    session->progress.left = count - run->result->known;
    return status ? status
                  : campaign_file_write(run, session->work.skip, known.length ? known.text : "",
                                        known.length);
}

/* The setup line of the records, and what came behind `session->taken`. */
static enum fw_status read_new(struct session *session, struct fw_buffer *text, size_t *end)
{
    char piece[8192];
    size_t got;
    FILE *file = fopen(session->work.records, "rb");
    if (file) {
        while (session->taken && fgets(piece, sizeof(piece), file)) {
            fw_buffer_add(text, piece, strlen(piece));
            if (text->text[text->length - 1] == '\n')
                break;
        }
        fseek(file, (long)session->taken, SEEK_SET);
        *end = session->taken;
        for (; (got = fread(piece, 1, sizeof(piece), file)) > 0; *end += got)
            fw_buffer_add(text, piece, got);
        /* The child may be in the middle of its next line. */
        for (; text->length && text->text[text->length - 1] != '\n'; --*end)
            text->length--;
    }
    if (file && !ferror(file) && fclose(file) == 0)
        return FW_OK;
    fw_report_file(session->run.sink, FW_ERROR, "CAM002", session->work.records, "%s",
                   strerror(errno));
    return FW_ERROR_MACHINE;
}

/* Takes the records that are new into the store: once this is done, they survive all but the disk.
 */
static enum fw_status take_in(struct session *session)
{
    struct campaign_run *run = &session->run;
    struct fw_store_outcome outcome = {0};
    struct fw_buffer text = fw_buffer_new(run->arena);
    size_t end = 0;
    enum fw_status status = read_new(session, &text, &end);
    if (!status)
        status = fw_store_add(&outcome, session->store, run->result->name, session->work.records,
                              text.text, text.length);
    if (!status)
        session->taken = end;
    session->lost = session->lost || status != FW_OK;
    return status;
}

/* The reason in a configuration's last record, for people. */
static const char *reason_of(struct session *session, const char *name)
{
    struct fw_arena *arena = session->run.arena;
    struct fw_source text;
    const char *found = "";
    if (fw_store_read_file(&text, arena, session->work.records, NULL))
        return found;
    for (const char *at = text.text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        json_t *record = json_loads(at, JSON_DISABLE_EOF_CHECK, NULL);
        const char *whose = json_string_value(json_object_get(record, "name"));
        const char *reason = json_string_value(json_object_get(record, "reason"));
        if (whose && reason && strcmp(whose, name) == 0)
            found = fw_arena_text(arena, reason, strlen(reason));
        json_decref(record);
    }
    return found;
}

static void tell(struct session *session)
{
    const struct fw_campaign *campaign = session->run.campaign;
    struct fw_campaign_progress *progress = &session->progress;
    size_t over = progress->done + progress->failed;
    progress->seconds_left =
        over ? (now() - session->begin) / (double)over * (double)progress->left : -1;
    if (campaign->tell)
        campaign->tell(campaign->user, progress);
}

/* "done NAME" or "failed NAME": its record is on disk, and is now taken into the store. */
static enum fw_status hear(struct session *session, const char *line)
{
    struct fw_campaign_progress *progress = &session->progress;
    bool failed = strncmp(line, "failed ", 7) == 0;
    if (!failed && strncmp(line, "done ", 5) != 0)
        return FW_OK;
    enum fw_status status = take_in(session);
    if (status)
        return status;
    progress->name = line + (failed ? 7 : 5);
    progress->reason = failed ? reason_of(session, progress->name) : NULL;
    progress->done += !failed;
    progress->failed += failed;
    progress->left -= progress->left > 0;
    session->run.result->done = progress->done;
    session->run.result->failed = progress->failed;
    tell(session);
    return FW_OK;
}

static enum fw_status measure(struct session *session)
{
    struct campaign_run *run = &session->run;
    const struct fw_campaign *campaign = run->campaign;
    const char *number = fw_arena_printf(run->arena, "%u", campaign->device);
    const char *arguments[] = {session->plan,
                               "-b",
                               run->backend,
                               "-d",
                               number,
                               "-o",
                               session->work.records,
                               "--skip",
                               session->work.skip,
                               campaign->recording ? "-r" : NULL,
                               campaign->recording,
                               NULL};
    struct campaign_child child;
    int code;
    if (session->progress.left == 0)
        return FW_OK;
    session->begin = now();
    tell(session);
    enum fw_status status = campaign_child_start(run, &child, arguments, session->work.errors);
    if (status)
        return status;
    for (;;) {
        struct fw_arena_mark mark = fw_arena_mark(run->arena);
        const char *line = status ? NULL : campaign_child_line(run, &child);
        if (line)
            status = hear(session, line);
        if (!status && fw_deadline_passed())
            status = FW_ERROR_BUDGET;
        fw_arena_release(run->arena, mark);
        if (!line || status)
            break;
    }
    if (status) /* no store to write to, or no time: what comes after would only be lost */
        kill(child.process, SIGTERM);
    bool all_heard = session->progress.left == 0;
    enum fw_status told =
        campaign_child_end(run, &child, session->work.errors, status || all_heard, &code);
    /* Configurations that failed are recorded, and are no reason to complain. */
    return status ? status : all_heard && code == 3 ? FW_OK : told;
}

static enum fw_status with_store(struct session *session)
{
    struct campaign_run *run = &session->run;
    const struct fw_campaign *campaign = run->campaign;
    size_t length = strlen(campaign->from);
    bool planned = length > 5 && strcmp(campaign->from + length - 5, ".plan") == 0;
    enum fw_status status = campaign_work_open(run, &session->work, session->store);
    if (!status)
        status = find_device(session);
    if (!status)
        status = campaign_work_name(run, &session->work, run->result->name);
    session->plan =
        planned ? campaign->from : fw_arena_printf(run->arena, "%s/plan", session->work.plans);
    if (!status && !planned)
        status = campaign_plan_write(run, session->plan);
    if (!status)
        status = compare(session);
    if (!status)
        status = measure(session);
    campaign_work_close(&session->work, session->lost);
    return status;
}

/* Before a store is made: whether there is what measures, and what is to be measured. */
static enum fw_status check_files(struct campaign_run *run)
{
    const struct fw_campaign *campaign = run->campaign;
    if (access(campaign->program, X_OK) != 0)
        CAMPAIGN_ERROR(run, "CAM003", "cannot run %s: %s", campaign->program, strerror(errno));
    else if (access(campaign->from, R_OK) != 0)
        fw_report_file(run->sink, FW_ERROR, "CAM002", campaign->from, "cannot be read: %s",
                       strerror(errno));
    else
        return FW_OK;
    return FW_ERROR_MACHINE;
}

enum fw_status fw_campaign_run(struct fw_campaign_result *result,
                               const struct fw_campaign *campaign, struct fw_arena *arena,
                               const struct fw_sink *sink)
{
    struct session session = {.run = {campaign, result, arena, sink, campaign->backend, 0},
                              .work = {.lock = -1, .name_lock = -1}};
    *result = (struct fw_campaign_result){.name = campaign->name};
    if (campaign->name && fw_store_check_campaign(campaign->name, sink))
        return FW_ERROR_USAGE;
    if (campaign->plan) {
        if (!campaign->backend)
            session.run.backend = "cuda";
        return campaign_plan_write(&session.run, campaign->plan);
    }
    enum fw_status status = check_files(&session.run);
    if (!status)
        status = fw_store_open(&session.store, campaign->store, sink);
    if (!status)
        status = with_store(&session);
    fw_store_close(session.store);
    return status;
}
