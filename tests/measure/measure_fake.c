/* A backend that misbehaves on demand: the kernel's name says how.  Built into the tests' program
 * alone.  Durations are a fixed sequence, so that runs can be compared. */
#include "measure_backend.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct fake {
    const char *kernel;
    unsigned char *buffers[32];
    uint64_t bytes[32];
    uint32_t launches;
};

static bool fake_open(void **session, const struct fw_target *target, struct fw_reason *reason)
{
    const char *gone = getenv("FAKE_GONE");
    (void)target;
    *session = fw_measure_memory(1, sizeof(struct fake));
    if (gone && access(gone, F_OK) == 0)
        return fw_reason_set(reason, "no such device");
    return true;
}

static bool fake_describe(void *session, struct fw_setup *setup, struct fw_reason *reason)
{
    (void)session, (void)reason;
    snprintf(setup->device, sizeof setup->device, "fake \"device\"");
    snprintf(setup->driver, sizeof setup->driver, "fake");
    setup->memory_bytes = 1e6;
    setup->clock_top_hertz = 2e9;
    return true;
}

static bool fake_floor(void *session, double *seconds, struct fw_reason *reason)
{
    (void)session, (void)reason;
    *seconds = 1e-6;
    return true;
}

static bool fake_load(void *session, const struct fw_configuration *configuration,
                      const char *source, struct fw_resources *resources, struct fw_reason *reason)
{
    struct fake *fake = session;
    (void)source;
    fake->kernel = configuration->kernel;
    resources->registers = 12;
    return strcmp(fake->kernel, "unloadable") != 0 || fw_reason_set(reason, "a \"quoted\"\nreason");
}

static bool fake_allocate(void *session, size_t handle, uint64_t bytes, struct fw_reason *reason)
{
    struct fake *fake = session;
    (void)reason;
    fake->buffers[handle] = fw_measure_memory(bytes, 1);
    fake->bytes[handle] = bytes;
    return true;
}

static bool fake_upload(void *session, size_t handle, uint64_t offset, const void *from,
                        uint64_t bytes, struct fw_reason *reason)
{
    struct fake *fake = session;
    (void)reason;
    memcpy(fake->buffers[handle] + offset, from, bytes);
    return true;
}

static bool fake_download(void *session, size_t handle, uint64_t offset, void *to, uint64_t bytes,
                          struct fw_reason *reason)
{
    struct fake *fake = session;
    (void)reason;
    memcpy(to, fake->buffers[handle] + offset, bytes);
    return true;
}

static bool fake_set(void *session, size_t handle, unsigned char byte, uint64_t bytes,
                     struct fw_reason *reason)
{
    struct fake *fake = session;
    (void)reason;
    memset(fake->buffers[handle], byte, bytes);
    return true;
}

static bool fake_copy(void *session, size_t to, size_t from, uint64_t bytes,
                      struct fw_reason *reason)
{
    struct fake *fake = session;
    (void)reason;
    memcpy(fake->buffers[to], fake->buffers[from], bytes);
    return true;
}

/* "raises" fails once its first buffer's first byte is no longer what its fill gave. */
static bool fake_launch(void *session, enum fw_purpose purpose, uint32_t count,
                        const size_t *handles, double *seconds, struct fw_reason *reason)
{
    struct fake *fake = session;
    (void)handles;
    if (strcmp(fake->kernel, "aborts") == 0)
        abort();
    if (strcmp(fake->kernel, "faults") == 0)
        raise(SIGSEGV);
    if (strcmp(fake->kernel, "hangs") == 0)
        for (;;)
            pause();
    if (strcmp(fake->kernel, "vanishes") == 0) {
        FILE *mark = fopen(getenv("FAKE_GONE"), "w");
        if (mark)
            fclose(mark);
        return fw_reason_set(reason, "the device fell off the bus");
    }
    if (strcmp(fake->kernel, "raises") == 0 && fake->buffers[0][0]++ != 0)
        return fw_reason_set(reason, "the buffer was not restored");
    if (strcmp(fake->kernel, "idles") != 0 && strcmp(fake->kernel, "raises") != 0)
        memset(fake->buffers[0], 1, fake->bytes[0]);
    uint32_t number = fake->launches++;
    *seconds = count * (1e-4 + 1e-7 * (number % 7));
    if (purpose == FW_PURPOSE_SINGLE && number % 11 == 5)
        *seconds *= 3; /* an outlier */
    if (purpose == FW_PURPOSE_ENERGY)
        usleep((unsigned)(*seconds * 1e6));
    return true;
}

static bool fake_flush(void *session, struct fw_reason *reason)
{
    (void)session, (void)reason;
    return true;
}

/* A counter that goes on in steps, as NVML's does: 250 W. */
static double stepped_joules(void)
{
    static const double step = 0.25;
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    double seconds = (double)(time.tv_sec % 100000) + (double)time.tv_nsec * 1e-9;
    return 250 * step * (double)(long)(seconds / step);
}

static void fake_sample(void *session, enum fw_purpose purpose, struct fw_sample *sample)
{
    struct fake *fake = session;
    double clock = purpose == FW_PURPOSE_SINGLE && fake->launches % 10 == 3 ? 1.5e9 : 2e9;
    *sample = (struct fw_sample){clock, 40, 0, stepped_joules()};
}

static void fake_reset(void *session)
{
    struct fake *fake = session;
    for (int i = 0; i < 32; i++)
        free(fake->buffers[i]);
    memset(fake->buffers, 0, sizeof fake->buffers);
}

static void fake_close(void *session)
{
    free(session);
}

const struct fw_backend fw_backend_fake = {.name = "fake",
                                           .open = fake_open,
                                           .describe = fake_describe,
                                           .floor = fake_floor,
                                           .floored = true,
                                           .load = fake_load,
                                           .allocate = fake_allocate,
                                           .upload = fake_upload,
                                           .download = fake_download,
                                           .set = fake_set,
                                           .copy = fake_copy,
                                           .launch = fake_launch,
                                           .flush = fake_flush,
                                           .sample = fake_sample,
                                           .reset = fake_reset,
                                           .close = fake_close};
