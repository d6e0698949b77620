/* Any bytes are a file of records: forewarp-measure goes on behind its last whole line, or leaves
 * the file as it is; and the backend that replays takes it for a recording. */
#include "fuzzing.h"
#include "measure_backend.h"
#include "measure_records.h"

#include <sys/stat.h>

static const char *const plan_text =
    "plan 1\ntrials 5\nconfiguration k\nsource k.cl\nkernel k\ngrid 2\nblock 32\n"
    "buffer a f32 100 zero\noutput a\nend\n";

static void go_on(const char *path, const uint8_t *data, size_t size)
{
    struct fw_records records;
    struct fw_reason reason = {""};
    struct fw_growing after = {0};
    uint64_t dropped;
    static const char line[] = "{\"record\": \"measurement\"}";
    bool good = fw_records_open(&records, path, &dropped, &reason);
    if (good && !fw_records_append(&records, line, &reason))
        fail("nothing can be appended");
    fw_records_has(&records, 0xcbf29ce484222325, true);
    fw_records_close(&records);
    if (!fw_file_read(&after, path, &reason))
        fail("the file is gone");
    uint64_t kept = good ? size - dropped : size;
    if (after.length != kept + (good ? sizeof(line) : 0) || memcmp(after.text, data, kept) != 0)
        fail("whole lines are not as they were");
    free(after.text);
}

static void replay(const char *path, const struct fw_configuration *configuration)
{
    const struct fw_backend *backend = &fw_backend_replay;
    const struct fw_target target = {0, path};
    const size_t handles[] = {0};
    struct fw_reason reason = {""};
    struct fw_resources resources = {-1, -1, -1};
    struct fw_setup setup;
    struct fw_energy energy;
    struct fw_sample sample;
    void *session;
    double seconds;
    size_t length;
    bool good = backend->open(&session, &target, &reason);
    memset(&setup, 0, sizeof(setup));
    if (good && backend->describe(session, &setup, &reason) &&
        backend->floor(session, &seconds, &reason) &&
        backend->load(session, configuration, "source", &resources, &reason)) {
        for (int i = 0; i < 8; i++) {
            enum fw_purpose purpose = i % 2 ? FW_PURPOSE_SINGLE : FW_PURPOSE_PIPELINED;
            backend->sample(session, purpose, &sample);
            backend->launch(session, purpose, 1, handles, &seconds, &reason);
        }
        backend->recorded_floor(session);
        backend->written(session, 0);
        backend->energy(session, &energy);
        backend->recall(session, &length);
        backend->reset(session);
    }
    backend->close(session);
}

/* Lines that say "0000000000000000" have the fingerprint of the plan's configuration. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_plan plan;
    struct fw_reason reason;
    char fingerprint[20];
    char *copy = malloc(size + 1);
    if (!copy || !fw_plan_read(&plan, "plan", plan_text, &reason))
        fail("there is no plan");
    go_on(fuzz_file("records", data, size), data, size);
    memcpy(copy, data, size);
    copy[size] = '\0';
    snprintf(fingerprint, sizeof(fingerprint), "%016llx",
             (unsigned long long)fw_configuration_fingerprint(&plan.configurations[0], "source"));
    for (char *at = copy; (at = strstr(at, "0000000000000000")) != NULL;)
        memcpy(at, fingerprint, 16);
    replay(fuzz_file("recording", copy, size), &plan.configurations[0]);
    fw_plan_free(&plan);
    free(copy);
    return 0;
}
