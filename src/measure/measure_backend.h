/* A backend runs kernels on a device, or answers from a recording: one struct of functions.
 *
 * Every function but `close` gives false with a reason on failure and may be called only after
 * those before it gave true: open, describe; then load, allocate; then the rest.  A backend serves
 * one configuration, or several with `reset` between, in one process, and is free to crash: the
 * process is a child of the campaign's.
 */
#ifndef FW_MEASURE_BACKEND_H
#define FW_MEASURE_BACKEND_H

#include "measure_plan.h"

/* What a driver tells of its device beside what every setup holds: a name and a number. */
struct fw_attribute {
    const char *name;
    double value;
};

enum { FW_ATTRIBUTES_MOST = 32 };

/* A device as found; properties that are not known are -1, text is never NULL. */
struct fw_setup {
    char device[200], driver[200], bus[64]; /* bus: which one of its kind */
    double memory_bytes, cache_bytes;
    double clock_top_hertz, memory_clock_top_hertz, power_limit_watts;
    struct fw_attribute attributes[FW_ATTRIBUTES_MOST];
    size_t attribute_count;
    double compute_capability; /* CUDA's, as 90 for 9.0 */
};

/* What the device told between trials; -1 where it tells nothing. */
struct fw_sample {
    double clock_hertz, temperature_celsius;
    double throttle; /* NVML's reasons as a bit set; idle (bit 0) left out */
    double joules;   /* counter since the driver was loaded */
};

/* What a launch is for: a recording answers each from its own row. */
enum fw_purpose {
    FW_PURPOSE_CHECK,
    FW_PURPOSE_WARMUP,
    FW_PURPOSE_SINGLE,
    FW_PURPOSE_PIPELINED,
    FW_PURPOSE_ENERGY
};

/* Raw readings of the energy loop, over one window between two changes of the counter. */
struct fw_energy {
    double window_seconds, joules, busy_seconds; /* busy: sum of event times of the batches */
    double launches;
    double clock_hertz; /* the lowest that was seen meanwhile; -1: not known */
    double throttle;    /* all reasons that were seen meanwhile, as in a sample; -1: not known */
    const char *note;   /* why there is none; NULL: not known */
};

struct fw_target {
    int device;            /* ordinal among the backend's devices */
    const char *recording; /* for replay: the file's path */
};

/* What loading a kernel told; -1: not known. */
struct fw_resources {
    double registers, shared_bytes, spill_bytes;
};

struct fw_backend {
    const char *name;
    bool (*open)(void **session, const struct fw_target *target, struct fw_reason *reason);
    bool (*describe)(void *session, struct fw_setup *setup, struct fw_reason *reason);
    /* Seconds between two events with nothing between them. */
    bool (*floor)(void *session, double *seconds, struct fw_reason *reason);
    /* Compiles the source and finds the kernel. */
    bool (*load)(void *session, const struct fw_configuration *configuration, const char *source,
                 struct fw_resources *resources, struct fw_reason *reason);
    /* Allocates a buffer on the device under `handle`; handles count up from 0. */
    bool (*allocate)(void *session, size_t handle, uint64_t bytes, struct fw_reason *reason);
    /* Copies in and out, from `offset` bytes of the buffer on. */
    bool (*upload)(void *session, size_t handle, uint64_t offset, const void *from, uint64_t bytes,
                   struct fw_reason *reason);
    bool (*download)(void *session, size_t handle, uint64_t offset, void *to, uint64_t bytes,
                     struct fw_reason *reason);
    /* Fills the whole buffer with one byte. */
    bool (*set)(void *session, size_t handle, unsigned char byte, uint64_t bytes,
                struct fw_reason *reason);
    bool (*copy)(void *session, size_t to, size_t from, uint64_t bytes, struct fw_reason *reason);
    /* `count` launches back to back; seconds from the first's start to the last's end by the
     * device's events.  Argument i that is a buffer is handle `handles[i]`. */
    bool (*launch)(void *session, enum fw_purpose purpose, uint32_t count, const size_t *handles,
                   double *seconds, struct fw_reason *reason);
    /* Writes a buffer of the device that is several times its last cache. */
    bool (*flush)(void *session, struct fw_reason *reason);
    void (*sample)(void *session, enum fw_purpose purpose, struct fw_sample *sample);
    /* A single launch lies between two such events, so that their floor is in its time; else the
     * device itself tells when a kernel began and ended. */
    bool floored;
    /* NULL: the floor is measured.  Else what was recorded beside the trials; -1: nothing was. */
    double (*recorded_floor)(void *session);
    /* NULL: outputs are looked at.  Else what was recorded of argument `index`: written or not; and
     * no buffer is filled at all. */
    bool (*written)(void *session, size_t index);
    /* NULL: the energy loop is run with `launch` and `sample`.  False: none recorded. */
    bool (*energy)(void *session, struct fw_energy *energy);
    /* NULL: buffers are read back.  Else the JSON object of what was read, as recorded; NULL when
     * nothing was.  It lives as long as the session. */
    const char *(*recall)(void *session, size_t *length);
    /* Makes a session that measured a configuration ready to load another: what the configuration
     * took is given back. */
    void (*reset)(void *session);
    void (*close)(void *session);
};

extern const struct fw_backend fw_backend_opencl, fw_backend_cuda, fw_backend_replay;
/* Misbehaves on demand; linked into the tests' program alone (FW_MEASURE_FAKE). */
extern const struct fw_backend fw_backend_fake;

/* The backend of a name, or NULL. */
const struct fw_backend *fw_backend_find(const char *name);
/* All names, separated by a bar. */
const char *fw_backend_names(void);

/* NVML, when it is there: clocks, temperature, throttling, energy. */
struct fw_nvml;
/* The device with this PCI bus address; with NULL the only one there is.  NULL when there is no
 * NVML or no such device. */
struct fw_nvml *fw_nvml_open(const char *bus);
void fw_nvml_describe(struct fw_nvml *nvml, struct fw_setup *setup);
/* With `energy` the counter alone: each question takes a millisecond or so, in which a device
 * idles. */
void fw_nvml_sample(struct fw_nvml *nvml, bool energy, struct fw_sample *sample);
void fw_nvml_close(struct fw_nvml *nvml);

/* The symbol of a library into a function pointer: dlsym gives a data pointer, which ISO C does not
 * convert. */
bool fw_symbol_load(void *library, const char *name, void *function, size_t size,
                    struct fw_reason *reason);

#endif
