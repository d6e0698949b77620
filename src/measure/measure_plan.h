/* Plans of forewarp-measure: which kernels to run, with what launch and data, and what to measure.
 *
 * Takes the line-based text that docs/forewarp-measure.md describes; gives configurations in order.
 * It never reads a plan in part: the first error is told with its line and column. */
#ifndef FW_MEASURE_PLAN_H
#define FW_MEASURE_PLAN_H

#include "measure_text.h"

enum fw_element {
    FW_ELEMENT_F16,
    FW_ELEMENT_BF16,
    FW_ELEMENT_F32,
    FW_ELEMENT_F64,
    FW_ELEMENT_S8,
    FW_ELEMENT_U8,
    FW_ELEMENT_S16,
    FW_ELEMENT_U16,
    FW_ELEMENT_S32,
    FW_ELEMENT_U32,
    FW_ELEMENT_S64,
    FW_ELEMENT_U64,
    FW_ELEMENT_COUNT
};

/* What a buffer holds at first; kernels/README.md defines each. */
enum fw_fill {
    FW_FILL_ZERO,
    FW_FILL_RANDOM,
    FW_FILL_RAMP,
    FW_FILL_PERMUTATION,
    FW_FILL_CYCLE,
    FW_FILL_UNTOUCHED, /* what the device's memory happens to hold */
    FW_FILL_COUNT
};

enum fw_argument_kind { FW_ARGUMENT_SCALAR, FW_ARGUMENT_BUFFER, FW_ARGUMENT_LOCAL };

struct fw_argument {
    enum fw_argument_kind kind;
    char *name;
    enum fw_element element;
    unsigned char scalar[8]; /* the value, in the machine's byte order */
    enum fw_fill fill;
    uint64_t count;   /* elements of a buffer */
    uint64_t bytes;   /* of the scalar, the buffer or the local memory */
    double low, high; /* random: half-open range; ramp: low alone */
    double step;
    uint64_t jitter;
    bool output;   /* must be seen to change */
    bool poison;   /* is overwritten with a pattern before that check */
    bool restore;  /* gets its fill back before every single trial */
    uint64_t read; /* so many first elements are recorded after every single trial */
};

/* How to measure; directives before the first configuration are every configuration's defaults. */
struct fw_protocol {
    uint32_t trials;       /* single launches; also floors of the timer */
    uint32_t warmup;       /* launches before the first trial, at least */
    double settle_seconds; /* and at least so long, so that clocks have risen */
    uint32_t batch;        /* back-to-back launches of a pipelined trial; 0: chosen by their time */
    uint32_t batches;      /* pipelined trials */
    bool cold;             /* caches flushed before every single trial */
    bool energy;
    double energy_seconds; /* the window of the energy measurement, at least */
    double limit_seconds;  /* for one configuration's process */
    double pause_seconds;  /* before it nothing runs for so long; not of the fingerprint */
    bool together;         /* in one process with its neighbours that say the same */
};

struct fw_configuration {
    char *name;
    char *source; /* path, relative to the plan's folder */
    char *kernel;
    char *options; /* for the OpenCL compiler; "" */
    uint64_t grid[3], block[3], shared;
    struct fw_protocol protocol;
    struct fw_argument *arguments;
    size_t argument_count;
    uint32_t line; /* of its opening line */
};

struct fw_plan {
    struct fw_configuration *configurations;
    size_t count;
    char *folder; /* of the plan file, "." when it has none */
};

/* Reads a plan's text.  `path` names it in messages and gives the folder of its sources.  False
 * with a reason "PATH:LINE:COLUMN: ..."; the plan is then empty. */
bool fw_plan_read(struct fw_plan *plan, const char *path, const char *text,
                  struct fw_reason *reason);
void fw_plan_free(struct fw_plan *plan);

/* Bytes of an element, and its name. */
uint64_t fw_element_bytes(enum fw_element element);
const char *fw_element_name(enum fw_element element);
bool fw_element_is_float(enum fw_element element);
/* A number in an element's bytes: `value` for floats, rounded to nearest, ties to even; `number`
 * for integers, cut to their width. */
void fw_element_store(enum fw_element element, double value, int64_t number, unsigned char *to);

/* The number in an element's bytes; NaN for the half types. */
double fw_element_load(enum fw_element element, const unsigned char *from);

/* The path of a configuration's source.  The caller frees. */
char *fw_plan_source(const struct fw_plan *plan, const struct fw_configuration *configuration);

/* FNV-1a (64 bits) over everything that makes a configuration what it is: launch, data, protocol
 * and the source's text.  A record carries it, and is taken up again only while it is the same. */
uint64_t fw_configuration_fingerprint(const struct fw_configuration *configuration,
                                      const char *source);

/* Fills `bytes` with a buffer's first content.  `position`: the argument's place, from 0. */
void fw_buffer_fill(const struct fw_argument *argument, uint64_t position, void *bytes);
/* A shuffle or a cycle: an element depends on all before it, so that there are no parts. */
bool fw_buffer_has_order(const struct fw_argument *argument);
/* The same for `count` elements from `first` on, on all processors; not for those with an order. */
void fw_buffer_fill_part(const struct fw_argument *argument, uint64_t position, uint64_t first,
                         uint64_t count, void *bytes);

#endif
