/* The model trace on devices that there are not.
 *
 * usage: hypothetical-devices ROOT [N]    N: every how many-th launch, 5
 * Slower variants of the profile h200 (longer latencies, less bandwidth, fewer multiprocessors)
 * must not be faster, for example kernels at their sizes; simulations of little more or less work
 * may be off by a small share.  A profile without a property gives an answer that names it, or an
 * error that does, or the same answer; a profile with an impossible value is refused, by the
 * field's name. */
#include "../replay/example_launch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Greedy schedules have anomalies: with less of a resource, warps may happen to fall into a better
 * step.  One launch in so many may be faster by more than the first share, none by more than the
 * second. */
enum { FEW = 20 };
static const double anomaly = 0.02, most_anomaly = 0.1;
/* Blocks of prefix_dot are the longer, the greater their index.  Which of them share a
 * multiprocessor decides its time, and which are simulated, and how far, changes with the device
 * (docs/trace.md, "What it leaves out"). */
static const char *const uneven = "prefix_dot";
/* What a property may change that is in no sentence: the volumes of src/memory have their own.
 * Without a share of L2 that holds data, matmul_wmma asks device memory for another part of them.
 */
static const double small = 0.015;

struct setup {
    struct fw_arena *arena;
    const char *root, *path;
    struct fw_context *context;
    json_t *profile; /* as it is */
    json_t *launches;
    size_t every; /* every how many-th launch */
    unsigned passed, failed;
    char said[4096]; /* the last diagnostic */
};

static void keep(void *user, const struct fw_message *message)
{
    struct setup *setup = user;
    snprintf(setup->said, sizeof(setup->said), "%s", message->text);
}

static void tell(struct setup *setup, bool good, const char *what, const char *where)
{
    setup->passed += good;
    setup->failed += !good;
    if (!good)
        printf("FAIL %s: %s\n", where, what);
}

/* A device by a changed profile; NULL: it is refused. */
static struct fw_device *device_of(struct setup *setup, const json_t *profile)
{
    struct fw_device *device = NULL;
    setup->said[0] = '\0';
    if (json_dump_file(profile, setup->path, 0) != 0 ||
        fw_context_device(&device, setup->context, setup->path))
        return NULL;
    return device;
}

/* Seconds; below 0: there is no answer.  `left_out`: what it does not model. */
static double predict(struct setup *setup, const struct fw_device *device, const json_t *launch,
                      const char **left_out)
{
    struct fw_predict_settings settings = {.size = sizeof(settings), .models = "trace"};
    struct example_launch example;
    const struct fw_answer *answer;
    double seconds = -1;
    settings.brief = true;
    if (example_launch_open(&example, setup->arena, setup->root, setup->context, launch) &&
        fw_worker_predict(&answer, example.worker, device, &settings) == FW_OK) {
        const struct fw_prediction *prediction = &answer->predictions[0];
        seconds = prediction->seconds;
        for (size_t l = 0; left_out && l < prediction->not_modelled_count; l++)
            *left_out = fw_arena_printf(setup->arena, "%s %s", *left_out ? *left_out : "",
                                        prediction->not_modelled[l]);
    }
    example_launch_close(&example);
    return seconds;
}

static json_t *value_of(json_t *profile, const char *figure)
{
    return json_object_get(json_object_get(json_object_get(profile, "figures"), figure), "value");
}

static void multiply(json_t *figure, const char *member, double factor)
{
    const json_t *value = json_object_get(figure, member);
    if (json_is_number(value))
        json_object_set_new(figure, member, json_real(factor * json_number_value(value)));
}

/* The profile with figures whose names begin so multiplied. */
static json_t *scaled(struct setup *setup, const char *const *begins, double factor)
{
    static const char *const members[] = {"value", "low", "high"};
    json_t *profile = json_deep_copy(setup->profile), *figure;
    const char *name;
    json_object_foreach(json_object_get(profile, "figures"), name, figure)
    {
        for (size_t b = 0; begins[b]; b++)
            for (size_t m = 0; m < 3 && strncmp(name, begins[b], strlen(begins[b])) == 0; m++)
                multiply(figure, members[m], factor);
    }
    return profile;
}

static bool is_chosen(const struct setup *setup, const json_t *launch, size_t index)
{
    return index % setup->every == 0 &&
           strcmp(json_string_value(json_object_get(launch, "size")), "large");
}

/* A device that is worse must not be faster. */
static void check_slower(struct setup *setup, const char *what, const char *const *begins,
                         double factor)
{
    json_t *profile = scaled(setup, begins, factor);
    struct fw_device *usual = device_of(setup, setup->profile);
    struct fw_device *slower = device_of(setup, profile);
    size_t slowed = 0, faster = 0, all = 0;
    tell(setup, slower != NULL, setup->said, what);
    for (size_t l = 0; slower && l < json_array_size(setup->launches); l++) {
        const json_t *launch = json_array_get(setup->launches, l);
        if (!is_chosen(setup, launch, l) ||
            !strcmp(json_string_value(json_object_get(launch, "kernel")), uneven))
            continue;
        double before = predict(setup, usual, launch, NULL);
        double after = predict(setup, slower, launch, NULL);
        slowed += after > before * (1 + anomaly);
        faster += after < before * (1 - anomaly);
        all++;
        tell(setup, before > 0 && after >= before * (1 - most_anomaly),
             fw_arena_printf(setup->arena, "%s: %.4g s becomes %.4g s",
                             json_string_value(json_object_get(launch, "kernel")), before, after),
             what);
    }
    if (all >= 2 * FEW) { /* of fewer, one in so many says nothing */
        tell(setup, slowed > 0, "no launch is slower", what);
        tell(setup, faster <= all / FEW, "more than a few launches are faster", what);
    }
    if (slower)
        fw_context_device_free(slower);
    fw_context_device_free(usual);
    json_decref(profile);
}

/* Each property left out in turn. */
static void check_missing(struct setup *setup, const json_t *launch)
{
    struct fw_device *usual = device_of(setup, setup->profile);
    double before = predict(setup, usual, launch, NULL);
    const char *name;
    json_t *figure;
    json_object_foreach(json_object_get(setup->profile, "figures"), name, figure)
    {
        json_t *profile = json_deep_copy(setup->profile);
        const char *left_out = NULL;
        json_object_del(json_object_get(profile, "figures"), name);
        struct fw_device *device = device_of(setup, profile);
        double after = device ? predict(setup, device, launch, &left_out) : -1;
        bool same = fabs(after - before) <= small * before;
        bool named = (left_out && strstr(left_out, name)) || strstr(setup->said, name);
        tell(setup, after < 0 ? named : isfinite(after) && after > 0 && (same || named),
             fw_arena_printf(setup->arena, "%.4g s becomes %.4g s, and it is not named (%s)",
                             before, after, setup->said),
             fw_arena_printf(setup->arena, "without %s", name));
        if (device)
            fw_context_device_free(device);
        json_decref(profile);
    }
    fw_context_device_free(usual);
}

/* Numbers that no device has. */
static void check_impossible(struct setup *setup)
{
    static const double impossible[] = {-1, 1e300};
    const char *name;
    json_t *figure;
    json_object_foreach(json_object_get(setup->profile, "figures"), name, figure)
    {
        if (!json_is_number(value_of(setup->profile, name)))
            continue;
        for (size_t i = 0; i < 2; i++) {
            json_t *profile = json_deep_copy(setup->profile);
            json_object_set_new(json_object_get(json_object_get(profile, "figures"), name), "value",
                                json_real(impossible[i]));
            struct fw_device *device = device_of(setup, profile);
            tell(setup, !device && strstr(setup->said, name), device ? "it is taken" : setup->said,
                 fw_arena_printf(setup->arena, "%s = %g", name, impossible[i]));
            if (device)
                fw_context_device_free(device);
            json_decref(profile);
        }
    }
}

int main(int argc, char **argv)
{
    static const char *const latencies[] = {"latency_", NULL};
    static const char *const dram[] = {"dram_bandwidth", "dram_copy", "dram_read", "dram_write",
                                       NULL};
    static const char *const l2[] = {"l2_bandwidth", "l2_store_bandwidth", NULL};
    static const char *const lanes[] = {"lanes_", NULL};
    static const char *const size[] = {"multiprocessors", NULL};
    char path[] = "/tmp/forewarp-device-XXXXXX.json";
    struct setup setup = {.path = path};
    if (argc < 2)
        return 2;
    setup.root = argv[1];
    setup.every = argc > 2 ? strtoul(argv[2], NULL, 10) : 5;
    if (setup.every == 0)
        return 2;
    setup.arena = fw_arena_new(0);
    struct fw_context_options options = {
        .size = sizeof(options), .data = argv[1], .message = keep, .user = &setup};
    setup.launches =
        json_load_file(fw_arena_printf(setup.arena, "%s/kernels/launches.json", argv[1]), 0, NULL);
    setup.profile =
        json_load_file(fw_arena_printf(setup.arena, "%s/profiles/h200.json", argv[1]), 0, NULL);
    if (!setup.launches || !setup.profile || fw_context_new(&setup.context, &options))
        return 2;
    close(mkstemps(path, 5));
    check_slower(&setup, "latencies half as long again", latencies, 1.5);
    check_slower(&setup, "device memory at two thirds", dram, 2.0 / 3);
    check_slower(&setup, "L2 at half its bandwidth", l2, 0.5);
    check_slower(&setup, "half of the units", lanes, 0.5);
    check_slower(&setup, "half of the multiprocessors", size, 0.5);
    for (size_t l = 0; l < json_array_size(setup.launches); l++) {
        const json_t *launch = json_array_get(setup.launches, l);
        const char *kernel = json_string_value(json_object_get(launch, "kernel"));
        if (strcmp(json_string_value(json_object_get(launch, "size")), "medium") == 0 &&
            (strcmp(kernel, "transpose") == 0 || strcmp(kernel, "reduce") == 0))
            check_missing(&setup, launch);
    }
    check_impossible(&setup);
    remove(path);
    json_decref(setup.launches);
    json_decref(setup.profile);
    fw_context_free(setup.context);
    fw_arena_free(setup.arena);
    printf("%u passed, %u failed\n", setup.passed, setup.failed);
    return setup.failed || !setup.passed ? 1 : 0;
}
