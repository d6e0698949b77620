/* See measure_trials.h.  The order: compile, fill, check outputs, fill again, warm up, single
 * launches, pipelined launches, energy. */
#include "measure_trials.h"

#include "measure_buffers.h"
#include "measure_energy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

enum { FLOOR_PAIRS = 60, BATCH_LEAST = 5, BATCH_MOST = 200 };

/* A pipelined trial lasts about so long, unless the plan says how many launches it has. */
static const double batch_seconds = 2e-3;
/* A batch of the energy loop: the device idles for tens of microseconds between two. */
static const double energy_batch_seconds = 100e-3;
/* Warming up ends, clock at its top or not. */
static const double settle_most_seconds = 2;

struct run {
    const struct fw_backend *backend;
    void *session;
    const struct fw_configuration *configuration;
    struct fw_setup setup;
    struct fw_resources resources;
    struct fw_buffers buffers;
    struct fw_series single, pipelined;
    double floor; /* of the timer, in every single trial; -1: it is not */
    uint32_t batch;
    struct fw_energy energy;
    bool has_energy;
    const char *energy_note;
    struct fw_growing *read; /* of each argument: the lists of its trials, JSON */
    struct fw_reason *reason;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool launch(struct run *run, enum fw_purpose purpose, uint32_t count, double *seconds)
{
    return run->backend->launch(run->session, purpose, count, run->buffers.handles, seconds,
                                run->reason);
}

static bool warm_up(struct run *run)
{
    const struct fw_protocol *protocol = &run->configuration->protocol;
    double begin = now(), seconds, top = run->setup.clock_top_hertz;
    if (run->backend->written)
        return true; /* a recording is warm */
    for (uint32_t i = 0;; i++) {
        struct fw_sample sample = {-1, -1, -1, -1};
        double passed = now() - begin;
        if (i >= protocol->warmup && passed >= protocol->settle_seconds) {
            run->backend->sample(run->session, FW_PURPOSE_WARMUP, &sample);
            bool risen = sample.clock_hertz < 0 || top < 0 || sample.clock_hertz >= top;
            if (risen || protocol->settle_seconds == 0 || passed >= settle_most_seconds)
                return true;
        }
        if ((run->buffers.restores && !fw_buffers_restore(&run->buffers, run->reason)) ||
            !launch(run, FW_PURPOSE_WARMUP, 1, &seconds))
            return false;
    }
}

/* Adds what a trial left at the begin of each buffer that the plan names. */
static bool read_back(struct run *run)
{
    const struct fw_configuration *one = run->configuration;
    for (size_t i = 0; i < one->argument_count; i++) {
        const struct fw_argument *argument = &one->arguments[i];
        uint64_t size = fw_element_bytes(argument->element);
        if (!argument->read || run->backend->recall)
            continue;
        unsigned char *bytes = fw_measure_memory(argument->read, size);
        bool good =
            run->backend->download(run->session, i, 0, bytes, argument->read * size, run->reason);
        fw_growing_add(&run->read[i], "%s", run->read[i].length ? ", [" : "[");
        for (uint64_t j = 0; good && j < argument->read; j++) {
            double value = fw_element_load(argument->element, bytes + j * size);
            fw_growing_add(&run->read[i], j ? ", " : "");
            fw_growing_add(&run->read[i], isfinite(value) ? "%.15g" : "null", value);
        }
        fw_growing_add(&run->read[i], "]");
        free(bytes);
        if (!good)
            return false;
    }
    return true;
}

/* The time between two events with nothing between them, again and again. */
static bool measure_floor(struct fw_series *floors, const struct fw_backend *backend, void *session,
                          struct fw_reason *reason)
{
    struct fw_sample none = {-1, -1, -1, -1};
    for (int i = 0; i < FLOOR_PAIRS + 3; i++) {
        double floor;
        if (!backend->floor(session, &floor, reason))
            return false;
        if (i >= 3) /* the first few wake the device */
            fw_series_add(floors, floor, &none);
    }
    return true;
}

/* Here and now, beside the trials: it differs by machine, and with the device's clock. */
static bool find_floor(struct run *run)
{
    struct fw_series floors = {0};
    const struct fw_backend *backend = run->backend;
    run->floor = backend->recorded_floor ? backend->recorded_floor(run->session) : -1;
    if (!backend->floored)
        return true;
    bool good = measure_floor(&floors, backend, run->session, run->reason);
    if (good)
        run->floor = fw_figure_round(fw_series_statistics(&floors).median);
    fw_series_free(&floors);
    return good;
}

static bool single_trials(struct run *run)
{
    const struct fw_protocol *protocol = &run->configuration->protocol;
    for (uint32_t i = 0; i < protocol->trials; i++) {
        struct fw_sample sample;
        double seconds;
        if ((run->buffers.restores && !fw_buffers_restore(&run->buffers, run->reason)) ||
            (protocol->cold && !run->backend->flush(run->session, run->reason)) ||
            !launch(run, FW_PURPOSE_SINGLE, 1, &seconds))
            return false;
        run->backend->sample(run->session, FW_PURPOSE_SINGLE, &sample);
        fw_series_add(&run->single, seconds, &sample);
        if (!read_back(run))
            return false;
    }
    return true;
}

/* Launches that last `seconds` together. */
static uint32_t launches_for(double seconds, double one, uint32_t least, uint32_t most)
{
    double count = one > 0 ? seconds / one + 1 : most;
    return count < least ? least : count > most ? most : (uint32_t)count;
}

static bool pipelined_trials(struct run *run)
{
    const struct fw_protocol *protocol = &run->configuration->protocol;
    double median = fw_series_statistics(&run->single).median;
    run->batch = protocol->batch ? protocol->batch
                                 : launches_for(batch_seconds, median, BATCH_LEAST, BATCH_MOST);
    if (run->buffers.restores || protocol->cold)
        return true;
    for (uint32_t i = 0; i < protocol->batches; i++) {
        struct fw_sample sample;
        double seconds;
        if (!launch(run, FW_PURPOSE_PIPELINED, run->batch, &seconds))
            return false;
        run->backend->sample(run->session, FW_PURPOSE_PIPELINED, &sample);
        fw_series_add(&run->pipelined, seconds / run->batch, &sample);
    }
    return true;
}

/* Clock and throttling, now and then: each question costs idle time. */
static void see_state(struct run *run, struct fw_energy *seen)
{
    struct fw_sample sample = {-1, -1, -1, -1};
    run->backend->sample(run->session, FW_PURPOSE_WARMUP, &sample);
    if (sample.clock_hertz >= 0 &&
        (seen->clock_hertz < 0 || sample.clock_hertz < seen->clock_hertz))
        seen->clock_hertz = sample.clock_hertz;
    if (sample.throttle >= 0)
        seen->throttle = (double)((uint64_t)sample.throttle |
                                  (seen->throttle < 0 ? 0 : (uint64_t)seen->throttle));
}

/* Launches in batches until the counter's steps span the asked time.  False: a launch failed. */
static bool launch_and_watch(struct run *run, double wanted, struct fw_energy_watch *watch)
{
    enum { LOOKS_A_STATE = 5 };
    double one = fw_series_statistics(&run->single).median, begin = now();
    uint32_t count = launches_for(energy_batch_seconds, one, 1, 100000);
    for (uint32_t batches = 1; now() - begin < 3 * wanted + 10; batches++) {
        double seconds;
        if (!launch(run, FW_PURPOSE_ENERGY, count, &seconds))
            return false;
        run->energy.busy_seconds += seconds;
        run->energy.launches += count;
        if (fw_energy_watch_window(watch) >= wanted)
            break;
        if (batches % LOOKS_A_STATE == 0)
            see_state(run, &run->energy);
    }
    run->energy.window_seconds = now() - begin;
    return true;
}

/* What was launched, scaled from the whole loop to the time between two steps of the counter. */
static bool run_energy_loop(struct run *run, double wanted)
{
    struct fw_sample sample;
    double window, joules;
    run->backend->sample(run->session, FW_PURPOSE_ENERGY, &sample);
    if (sample.joules < 0) {
        run->energy_note = "the device has no energy counter";
        return true;
    }
    struct fw_energy_watch *watch = fw_energy_watch_start(run->backend, run->session);
    if (!watch) {
        run->energy_note = "no thread to look at the energy counter";
        return true;
    }
    run->energy = (struct fw_energy){.clock_hertz = -1, .throttle = -1};
    bool good = launch_and_watch(run, wanted, watch);
    run->has_energy = fw_energy_watch_end(watch, &window, &joules) && window >= wanted && good;
    if (!run->has_energy) {
        run->energy_note = "the energy counter did not move";
        return good;
    }
    double share = window / run->energy.window_seconds;
    run->energy.joules = joules;
    run->energy.window_seconds = window;
    run->energy.busy_seconds *= share;
    run->energy.launches = fmax(1, round(run->energy.launches * share));
    return true;
}

static bool measure_energy(struct run *run)
{
    const struct fw_protocol *protocol = &run->configuration->protocol;
    if (!protocol->energy) {
        run->energy_note = "not asked for";
    } else if (run->buffers.restores || protocol->cold) {
        run->energy_note = "not measured back to back: buffers are restored or caches flushed";
    } else if (run->backend->energy) {
        run->has_energy = run->backend->energy(run->session, &run->energy);
        run->energy_note = run->energy.note ? run->energy.note : "none recorded";
    } else {
        return run_energy_loop(run, protocol->energy_seconds);
    }
    return true;
}

static void write_head(const struct fw_configuration *one, uint64_t fingerprint, const char *status,
                       struct fw_growing *record)
{
    fw_growing_add(record, "{\"record\": \"measurement\", \"name\": ");
    fw_growing_quote(record, one->name);
    fw_growing_add(record, ", \"fingerprint\": \"%016llx\", \"status\": \"%s\"",
                   (unsigned long long)fingerprint, status);
    fw_growing_add(record, ", \"source\": ");
    fw_growing_quote(record, one->source);
    fw_growing_add(record, ", \"kernel\": ");
    fw_growing_quote(record, one->kernel);
    fw_growing_add(
        record, ", \"grid\": [%llu, %llu, %llu], \"block\": [%llu, %llu, %llu], \"shared\": %llu",
        (unsigned long long)one->grid[0], (unsigned long long)one->grid[1],
        (unsigned long long)one->grid[2], (unsigned long long)one->block[0],
        (unsigned long long)one->block[1], (unsigned long long)one->block[2],
        (unsigned long long)one->shared);
}

static void write_resources(const struct run *run, struct fw_growing *record)
{
    fw_growing_add(record, ", \"cache\": \"%s\", \"registers\": ",
                   run->configuration->protocol.cold ? "cold" : "warm");
    fw_figure_write(record, run->resources.registers);
    fw_growing_add(record, ", \"static_shared_bytes\": ");
    fw_figure_write(record, run->resources.shared_bytes);
    fw_growing_add(record, ", \"private_bytes\": ");
    fw_figure_write(record, run->resources.spill_bytes);
    fw_growing_add(record, ", \"outputs_changed\": {");
    const char *separator = "";
    for (size_t i = 0; i < run->configuration->argument_count; i++)
        if (run->configuration->arguments[i].output) {
            fw_growing_add(record, "%s", separator);
            fw_growing_quote(record, run->configuration->arguments[i].name);
            fw_growing_add(record, ": %s", run->buffers.written[i] ? "true" : "false");
            separator = ", ";
        }
    fw_growing_add(record, "}");
}

static void write_energy(const struct run *run, struct fw_growing *record)
{
    const struct fw_energy *energy = &run->energy;
    if (!run->has_energy) {
        fw_growing_add(record, ", \"energy\": null, \"energy_note\": ");
        fw_growing_quote(record, run->energy_note);
        return;
    }
    struct fw_energy seen = {.window_seconds = fw_figure_round(energy->window_seconds),
                             .joules = fw_figure_round(energy->joules),
                             .busy_seconds = fw_figure_round(energy->busy_seconds),
                             .launches = energy->launches};
    fw_growing_add(record,
                   ", \"energy\": {\"watts\": %.6g, \"joules_per_launch\": %.6g, "
                   "\"idle_share\": %.4g, \"window_seconds\": %.9g, \"joules\": %.9g, "
                   "\"busy_seconds\": %.9g, \"launches\": %.0f, \"clock_hertz\": ",
                   seen.joules / seen.window_seconds, seen.joules / seen.launches,
                   1 - seen.busy_seconds / seen.window_seconds, seen.window_seconds, seen.joules,
                   seen.busy_seconds, seen.launches);
    fw_figure_write(record, energy->clock_hertz);
    fw_growing_add(record, ", \"throttle\": ");
    fw_figure_write(record, energy->throttle);
    fw_growing_add(record, "}");
}

/* {"NAME": [[first trial], ...]}; nothing when the plan reads nothing. */
static void write_read(const struct run *run, struct fw_growing *record)
{
    const struct fw_configuration *one = run->configuration;
    size_t length = 0;
    bool any = false;
    if (run->backend->recall) {
        const char *recorded = run->backend->recall(run->session, &length);
        if (recorded) {
            fw_growing_add(record, ", \"read\": ");
            fw_growing_bytes(record, recorded, length);
        }
        return;
    }
    for (size_t i = 0; i < one->argument_count; i++) {
        if (!one->arguments[i].read)
            continue;
        fw_growing_add(record, any ? ", " : ", \"read\": {");
        fw_growing_quote(record, one->arguments[i].name);
        fw_growing_add(record, ": [%s]", run->read[i].text ? run->read[i].text : "");
        any = true;
    }
    fw_growing_add(record, any ? "}" : "");
}

static void write_record(const struct run *run, uint64_t fingerprint, struct fw_growing *record)
{
    double top = run->setup.clock_top_hertz;
    write_head(run->configuration, fingerprint, "done", record);
    write_resources(run, record);
    fw_growing_add(record, ", \"single\": ");
    fw_series_write(&run->single, top, run->floor, record);
    fw_growing_add(record, ", \"pipelined_launches\": %u, \"pipelined\": ", run->batch);
    if (run->pipelined.count)
        fw_series_write(&run->pipelined, top, -1, record);
    else
        fw_growing_add(record, "null");
    write_energy(run, record);
    write_read(run, record);
    fw_growing_add(record, "}");
}

bool fw_trials_run(const struct fw_backend *backend, void *session,
                   const struct fw_configuration *configuration, const char *source,
                   struct fw_growing *record, struct fw_reason *reason)
{
    struct run run = {
        .backend = backend, .session = session, .configuration = configuration, .reason = reason};
    run.setup.clock_top_hertz = -1;
    run.resources = (struct fw_resources){-1, -1, -1};
    run.setup.memory_bytes = -1;
    run.buffers =
        (struct fw_buffers){.backend = backend, .session = session, .configuration = configuration};
    run.read = fw_measure_memory(configuration->argument_count, sizeof *run.read);
    bool good = backend->describe(session, &run.setup, reason) &&
                backend->load(session, configuration, source, &run.resources, reason) &&
                fw_buffers_make(&run.buffers, run.setup.memory_bytes, reason) &&
                fw_buffers_check(&run.buffers, reason) && warm_up(&run) && find_floor(&run) &&
                single_trials(&run) && pipelined_trials(&run) && measure_energy(&run);
    if (good)
        write_record(&run, fw_configuration_fingerprint(configuration, source), record);
    fw_series_free(&run.single);
    fw_series_free(&run.pipelined);
    for (size_t i = 0; i < configuration->argument_count; i++)
        free(run.read[i].text);
    free(run.read);
    fw_buffers_free(&run.buffers);
    return good;
}

void fw_trials_failed(const struct fw_configuration *configuration, uint64_t fingerprint,
                      const char *reason, struct fw_growing *record)
{
    write_head(configuration, fingerprint, "failed", record);
    fw_growing_add(record, ", \"reason\": ");
    fw_growing_quote(record, reason);
    fw_growing_add(record, "}");
}

static void write_named(struct fw_growing *record, const char *name, double value)
{
    fw_growing_add(record, ", \"%s\": ", name);
    fw_figure_write(record, value);
}

bool fw_trials_setup(const struct fw_backend *backend, void *session,
                     const struct fw_target *target, struct fw_growing *record,
                     struct fw_reason *reason)
{
    struct fw_setup setup = {.memory_bytes = -1,
                             .cache_bytes = -1,
                             .clock_top_hertz = -1,
                             .memory_clock_top_hertz = -1,
                             .power_limit_watts = -1,
                             .compute_capability = -1};
    struct fw_series floors = {0};
    struct utsname host;
    char date[40];
    time_t seconds = time(NULL);
    struct tm calendar;
    if (!backend->describe(session, &setup, reason))
        return false;
    if (!measure_floor(&floors, backend, session, reason))
        return false;
    struct fw_statistics floor = fw_series_statistics(&floors);
    fw_series_free(&floors);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &calendar));
    fw_growing_add(
        record,
        "{\"record\": \"setup\", \"format\": 1, \"backend\": \"%s\", \"device\": ", backend->name);
    fw_growing_quote(record, setup.device);
    fw_growing_add(record, ", \"driver\": ");
    fw_growing_quote(record, setup.driver);
    fw_growing_add(record, ", \"bus\": ");
    if (setup.bus[0])
        fw_growing_quote(record, setup.bus);
    else
        fw_growing_add(record, "null");
    write_named(record, "memory_bytes", setup.memory_bytes);
    write_named(record, "cache_bytes", setup.cache_bytes);
    write_named(record, "clock_top_hertz", setup.clock_top_hertz);
    write_named(record, "memory_clock_top_hertz", setup.memory_clock_top_hertz);
    write_named(record, "power_limit_watts", setup.power_limit_watts);
    for (size_t i = 0; i < setup.attribute_count; i++) {
        fw_growing_add(record, i ? ", " : ", \"attributes\": {");
        fw_growing_quote(record, setup.attributes[i].name);
        fw_growing_add(record, ": %.15g", setup.attributes[i].value);
    }
    fw_growing_add(record, setup.attribute_count ? "}" : "");
    write_named(record, "compute_capability", setup.compute_capability);
    fw_growing_add(record, ", \"timer_floor\": {\"pairs\": %d", FLOOR_PAIRS);
    write_named(record, "median_seconds", floor.median);
    write_named(record, "minimum_seconds", floor.minimum);
    write_named(record, "maximum_seconds", floor.maximum);
    fw_growing_add(record, "}, \"replay_of\": ");
    if (target->recording)
        fw_growing_quote(record, target->recording);
    else
        fw_growing_add(record, "null");
    uname(&host);
    fw_growing_add(record, ", \"host\": \"%s %s %s\", \"date\": \"%s\"}", host.sysname,
                   host.release, host.machine, date);
    return true;
}
