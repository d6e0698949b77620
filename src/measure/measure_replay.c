/* Answers from a recording instead of a device: the row with the same fingerprint gives every trial
 * again, in order. */
#include "measure_backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    double *seconds, *clocks, *temperatures, *throttles;
    size_t count, clock_count, temperature_count, throttle_count, next;
};

struct replay {
    struct fw_growing text;
    const char *setup, *record; /* lines inside `text` */
    const struct fw_configuration *configuration;
    struct row single, pipelined;
    char *energy_note;
};

/* Cuts the text into lines; keeps the first setup.  An unfinished last line is left out. */
static void find_setup(struct replay *replay)
{
    char *line = replay->text.text, *end;
    for (; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        char *kind = fw_json_string(line, "record");
        if (kind && !replay->setup && strcmp(kind, "setup") == 0)
            replay->setup = line;
        free(kind);
    }
    *line = '\0';
}

static bool replay_open(void **session, const struct fw_target *target, struct fw_reason *reason)
{
    struct replay *replay = fw_measure_memory(1, sizeof *replay);
    *session = replay;
    if (!target->recording)
        return fw_reason_set(reason, "replay needs --recording FILE");
    if (!fw_file_read(&replay->text, target->recording, reason))
        return false;
    find_setup(replay);
    if (!replay->setup)
        return fw_reason_set(reason, "%s: no setup line: not a recording", target->recording);
    return fw_json_format_known(replay->setup) ||
           fw_reason_set(reason,
                         "%s: a recording of a format that this program does not know: it knows 1",
                         target->recording);
}

static void text(const struct replay *replay, const char *name, char *to, size_t size)
{
    char *found = fw_json_string(replay->setup, name);
    snprintf(to, size, "%s", found ? found : "");
    free(found);
}

static bool replay_describe(void *session, struct fw_setup *setup, struct fw_reason *reason)
{
    struct replay *replay = session;
    (void)reason;
    text(replay, "device", setup->device, sizeof setup->device);
    text(replay, "driver", setup->driver, sizeof setup->driver);
    text(replay, "bus", setup->bus, sizeof setup->bus);
    setup->memory_bytes = fw_json_number(replay->setup, "memory_bytes", -1);
    setup->cache_bytes = fw_json_number(replay->setup, "cache_bytes", -1);
    setup->clock_top_hertz = fw_json_number(replay->setup, "clock_top_hertz", -1);
    setup->memory_clock_top_hertz = fw_json_number(replay->setup, "memory_clock_top_hertz", -1);
    setup->compute_capability = fw_json_number(replay->setup, "compute_capability", -1);
    setup->power_limit_watts = fw_json_number(replay->setup, "power_limit_watts", -1);
    return true;
}

static bool replay_floor(void *session, double *seconds, struct fw_reason *reason)
{
    struct replay *replay = session;
    (void)reason;
    *seconds = fw_json_number(replay->setup, "timer_floor.median_seconds", 0);
    return true;
}

static void read_row(struct row *row, const char *record, const char *kind)
{
    char path[60];
    snprintf(path, sizeof path, "%s.seconds", kind);
    row->count = fw_json_numbers(record, path, &row->seconds);
    snprintf(path, sizeof path, "%s.clock_hertz", kind);
    row->clock_count = fw_json_numbers(record, path, &row->clocks);
    snprintf(path, sizeof path, "%s.temperature_celsius", kind);
    row->temperature_count = fw_json_numbers(record, path, &row->temperatures);
    snprintf(path, sizeof path, "%s.throttle", kind);
    row->throttle_count = fw_json_numbers(record, path, &row->throttles);
}

/* The last row of a fingerprint: a configuration measured again replaces what failed before. */
static void find_record(struct replay *replay, uint64_t fingerprint)
{
    char wanted[20];
    snprintf(wanted, sizeof wanted, "%016llx", (unsigned long long)fingerprint);
    for (const char *line = replay->text.text; *line; line += strlen(line) + 1) {
        char *found = fw_json_string(line, "fingerprint");
        if (found && strcmp(found, wanted) == 0)
            replay->record = line;
        free(found);
    }
}

static bool replay_load(void *session, const struct fw_configuration *configuration,
                        const char *source, struct fw_resources *resources,
                        struct fw_reason *reason)
{
    struct replay *replay = session;
    replay->configuration = configuration;
    find_record(replay, fw_configuration_fingerprint(configuration, source));
    if (!replay->record)
        return fw_reason_set(reason, "the recording has no row of this configuration");
    char *failure = fw_json_string(replay->record, "reason");
    if (failure) {
        fw_reason_set(reason, "%s", failure);
        free(failure);
        return false;
    }
    read_row(&replay->single, replay->record, "single");
    read_row(&replay->pipelined, replay->record, "pipelined");
    resources->registers = fw_json_number(replay->record, "registers", -1);
    resources->shared_bytes = fw_json_number(replay->record, "static_shared_bytes", -1);
    resources->spill_bytes = fw_json_number(replay->record, "private_bytes", -1);
    return true;
}

static bool replay_allocate(void *session, size_t handle, uint64_t bytes, struct fw_reason *reason)
{
    (void)session, (void)handle, (void)bytes, (void)reason;
    return true;
}

static bool replay_upload(void *session, size_t handle, uint64_t offset, const void *from,
                          uint64_t bytes, struct fw_reason *reason)
{
    (void)session, (void)handle, (void)offset, (void)from, (void)bytes, (void)reason;
    return true;
}

static bool replay_download(void *session, size_t handle, uint64_t offset, void *to, uint64_t bytes,
                            struct fw_reason *reason)
{
    (void)session, (void)handle, (void)offset, (void)to, (void)bytes;
    return fw_reason_set(reason, "a recording has no buffers");
}

static bool replay_set(void *session, size_t handle, unsigned char byte, uint64_t bytes,
                       struct fw_reason *reason)
{
    (void)session, (void)handle, (void)byte, (void)bytes, (void)reason;
    return true;
}

static bool replay_copy(void *session, size_t to, size_t from, uint64_t bytes,
                        struct fw_reason *reason)
{
    (void)session, (void)to, (void)from, (void)bytes, (void)reason;
    return true;
}

static bool replay_flush(void *session, struct fw_reason *reason)
{
    (void)session, (void)reason;
    return true;
}

static struct row *row_of(struct replay *replay, enum fw_purpose purpose)
{
    return purpose == FW_PURPOSE_SINGLE      ? &replay->single
           : purpose == FW_PURPOSE_PIPELINED ? &replay->pipelined
                                             : NULL;
}

static bool replay_launch(void *session, enum fw_purpose purpose, uint32_t count,
                          const size_t *handles, double *seconds, struct fw_reason *reason)
{
    struct row *row = row_of(session, purpose);
    (void)handles;
    *seconds = 0;
    if (!row)
        return true;
    if (row->next >= row->count)
        return fw_reason_set(reason, "the recording has only %zu trials", row->count);
    *seconds = row->seconds[row->next++] * count;
    return true;
}

/* One number stands for all trials. */
static double one_of(const double *values, size_t count, size_t index)
{
    return count == 1 ? values[0] : index < count ? values[index] : -1;
}

static void replay_sample(void *session, enum fw_purpose purpose, struct fw_sample *sample)
{
    struct row *row = row_of(session, purpose);
    *sample = (struct fw_sample){-1, -1, -1, -1};
    if (!row || row->next == 0)
        return;
    size_t index = row->next - 1;
    sample->clock_hertz = one_of(row->clocks, row->clock_count, index);
    sample->temperature_celsius = one_of(row->temperatures, row->temperature_count, index);
    sample->throttle = one_of(row->throttles, row->throttle_count, index);
}

static bool replay_written(void *session, size_t index)
{
    struct replay *replay = session;
    const char *outputs = fw_json_find(replay->record, "outputs_changed");
    struct fw_growing quoted = {0};
    fw_growing_quote(&quoted, replay->configuration->arguments[index].name);
    fw_growing_add(&quoted, ": true");
    const char *end = outputs ? strchr(outputs, '}') : NULL;
    const char *found = outputs ? strstr(outputs, quoted.text) : NULL;
    free(quoted.text);
    return found && end && found < end;
}

static double replay_recorded_floor(void *session)
{
    return fw_json_number(((struct replay *)session)->record, "single.floor_seconds", -1);
}

static bool replay_energy(void *session, struct fw_energy *energy)
{
    struct replay *replay = session;
    *energy = (struct fw_energy){
        .window_seconds = fw_json_number(replay->record, "energy.window_seconds", -1),
        .joules = fw_json_number(replay->record, "energy.joules", -1),
        .busy_seconds = fw_json_number(replay->record, "energy.busy_seconds", -1),
        .launches = fw_json_number(replay->record, "energy.launches", -1),
        .clock_hertz = fw_json_number(replay->record, "energy.clock_hertz", -1),
        .throttle = fw_json_number(replay->record, "energy.throttle", -1)};
    energy->note = replay->energy_note = fw_json_string(replay->record, "energy_note");
    return energy->window_seconds > 0;
}

static const char *replay_recall(void *session, size_t *length)
{
    struct replay *replay = session;
    const char *found = fw_json_find(replay->record, "read");
    const char *end = found ? strchr(found, '}') : NULL; /* lists of numbers alone stand inside */
    *length = end ? (size_t)(end + 1 - found) : 0;
    return end ? found : NULL;
}

static void free_row(struct row *row)
{
    free(row->seconds);
    free(row->clocks);
    free(row->temperatures);
    free(row->throttles);
    memset(row, 0, sizeof *row);
}

static void replay_reset(void *session)
{
    struct replay *replay = session;
    free_row(&replay->single);
    free_row(&replay->pipelined);
    free(replay->energy_note);
    replay->energy_note = NULL;
    replay->record = NULL;
}

static void replay_close(void *session)
{
    struct replay *replay = session;
    replay_reset(session);
    free(replay->text.text);
    free(replay);
}

const struct fw_backend fw_backend_replay = {.name = "replay",
                                             .open = replay_open,
                                             .describe = replay_describe,
                                             .floor = replay_floor,
                                             .recorded_floor = replay_recorded_floor,
                                             .load = replay_load,
                                             .allocate = replay_allocate,
                                             .upload = replay_upload,
                                             .download = replay_download,
                                             .set = replay_set,
                                             .copy = replay_copy,
                                             .launch = replay_launch,
                                             .flush = replay_flush,
                                             .sample = replay_sample,
                                             .written = replay_written,
                                             .energy = replay_energy,
                                             .recall = replay_recall,
                                             .reset = replay_reset,
                                             .close = replay_close};
