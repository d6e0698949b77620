/* Models: what turns a kernel, a launch and a device into a prediction, all behind one struct.
 *
 * A model is a folder beside this file and a line in models.c; its name on the command line, in
 * JSON and in help is its folder's.  It takes a question (a kernel at a launch, a device,
 * conditions) and gives one `struct fw_prediction` of the public interface: seconds, watts, terms,
 * quantities of its own, and sentences about what it does not model.  Models never include each
 * other: what two of them need stands below them (src/throughput, src/memory). */
#ifndef FW_MODEL_H
#define FW_MODEL_H

#include "device.h"
#include "launch.h"
#include "resource_term.h"

#include "forewarp.h"

struct fw_feature_names;
struct fw_feature_rows;
struct fw_launch_volumes_kept;
struct fw_measured_volumes;
struct fw_model_answers;
struct fw_sequence;

/* What a model is asked. */
struct fw_model_question {
    struct fw_arena *arena; /* results live in it */
    const struct fw_kernel *kernel;
    struct fw_bound *bound; /* NULL: the kernel has no schedule, `counted` stands for it */
    const struct fw_launch *launch;
    const struct fw_answer *counted; /* counts from the domains alone; NULL */
    const char *no_code;             /* then: why there is no compiled code, part of a sentence */
    const struct fw_device *device;
    bool cold;                    /* caches flushed before the launch */
    struct fw_sequence *sequence; /* other launches ran before, in place of `cold`; NULL */
    double clock;                 /* hertz; 0: the profile's */
    const uint32_t *alignments;   /* bytes, by parameter */
    const struct fw_measured_volumes *measured; /* counters in place of volumes; NULL */
    const double *own_features; /* values of the caller's own, by number; NULL: there are none */
    const struct fw_feature_rows
        *domain_rows;                 /* of the kernel language's domains; NULL: not of it */
    bool unstated_instructions;       /* a code generator stated accesses and operations alone */
    bool keep_order;                  /* instructions issue in the order of PTX */
    bool brief;                       /* no account of the time is asked for */
    bool parts;                       /* though brief, one of stall reasons without lines is */
    bool side_work;                   /* another thread may work on it, too (side_work.h) */
    bool unstated_chain;              /* and not which of them wait for each other */
    struct fw_model_answers *answers; /* keeps what models answer to this question; NULL: nothing */
    const struct fw_sink *sink;
};

enum fw_model_needs {
    FW_MODEL_NEEDS_SCHEDULE = 1, /* compiled code, or stated instructions: not domains alone */
    FW_MODEL_NEEDS_FEATURES = 2  /* rows of features, of the kernel language's domains */
};

/* Where models find their parameters. */
struct fw_model_files {
    const char *data;                        /* folder with models/; NULL: there is none */
    const char *calibration;                 /* file that the user names instead; NULL: none */
    const struct fw_feature_names *features; /* of the caller's own; NULL: none */
};

struct fw_model {
    const char *name;
    const char *summary;    /* one line of help */
    unsigned needs;         /* enum fw_model_needs, or 0 */
    bool takes_measured;    /* a profiler's counters in place of predicted volumes */
    const char *of_changes; /* the model that says what a change of the kernel or the launch does,
                               where this one was trained on kernels as they are; NULL: this one */

    const char *first; /* the model that this one asks first in any case, the same question: it may
                          answer while this one opens; NULL */

    /* What the model reads before its first answer for a device (NULL: nothing): its parameters.
     * Called once a context, device and calibration.  Its diagnostic says why not: the file is
     * absent, damaged, for another device or version. */
    enum fw_status (*open)(void **state, const struct fw_model_files *files,
                           const struct fw_device *device, const struct fw_sink *sink);
    void (*close)(void *state); /* NULL: nothing to free */

    /* Whether what was opened asks for more of a kernel-language program than its domains (NULL: it
     * does): where it does not, no compiler is needed. */
    bool (*needs_code)(const void *state);

    /* Fills the prediction (zeroed but for `model`, `cache`).  Several threads may ask at one time.
     * FW_ERROR_INPUT: the profile lacks what the model needs; another model may answer.
     * FW_ERROR_USAGE: the launch cannot run, whichever model is asked. */
    enum fw_status (*predict)(struct fw_prediction *prediction, void *state,
                              const struct fw_model_question *question);
};

/* The table, the best model first; NULL past the last. */
const struct fw_model *fw_model_at(size_t index);

/* By the first `length` characters of a name; NULL: there is none. */
const struct fw_model *fw_model_find(const char *name, size_t length);

/* The models' names, "traffic, roofline", into the arena. */
const char *fw_model_names(struct fw_arena *arena);

/* What models have opened, each when it is first asked for a device; used from any thread.
 * `features` (the caller's own; NULL: none) must outlive it. */
struct fw_model_states;
FW_GIVE struct fw_model_states *fw_model_states_new(const char *data,
                                                    const struct fw_feature_names *features);
void fw_model_states_free(FW_TAKE struct fw_model_states *states);

/* Opens a model for a device, or finds it open; `calibration`: a file of parameters that the user
 * names, or NULL.  One that failed once fails again, with the same diagnostic. */
enum fw_status fw_model_open(void **state, struct fw_model_states *states,
                             const struct fw_model *model, const struct fw_device *device,
                             const char *calibration, const struct fw_sink *sink);

/* Whether it was opened for a device, or could not be. */
bool fw_model_is_open(struct fw_model_states *states, const struct fw_model *model,
                      const struct fw_device *device, const char *calibration);

/* trained_file.c: reads models/KIND/DEVICE.KIND of the data's folder, of at most so many bytes. The
 * device's name, in the arena; NULL: there is no such file. */
const char *fw_model_trained_file(struct fw_source *source, struct fw_arena *arena,
                                  const struct fw_model_files *files, const char *kind,
                                  const char *device, size_t most);

/* The same for a device or, where it has no such file, for the similar one that its profile names:
 * whose file it is. */
const char *fw_model_trained_for(struct fw_source *source, struct fw_arena *arena,
                                 const struct fw_model_files *files, const char *kind,
                                 const struct fw_device *device, size_t most);

/* What a model opened, in an arena of its own: the first member of its state. */
struct fw_model_opened {
    struct fw_arena *arena;
};

/* How a model's `open` makes its state. */
struct fw_model_opening {
    size_t size;   /* bytes of the state */
    size_t memory; /* the most that its arena may take; 0: no limit */
    /* Fills the state, which is zeroed but for its arena.  Not FW_OK, or out of memory (MOD004):
     * `close` frees what it has come to. */
    enum fw_status (*read)(void *state, const struct fw_model_files *files,
                           const struct fw_device *device, const struct fw_sink *sink);
    void (*close)(void *state);
};

/* trained_file.c: a model's `open`, by its opening; and a `close` where the arena holds all. */
enum fw_status fw_model_open_parameters(void **state, const struct fw_model_opening *opening,
                                        const struct fw_model_files *files,
                                        const struct fw_device *device, const struct fw_sink *sink);
void fw_model_close_parameters(void *state);

/* answers.c: what models have answered to the questions of one launch, each model once.  Memory is
 * the arena's, which answers must live in as well. */
struct fw_model_answers *fw_model_answers_new(struct fw_arena *arena);

/* Asks a model, or takes its answer from `question->answers`: one to the same kernel, launch and
 * device at the same conditions, with an account where the question is not brief, or asks for its
 * parts.  Models that open parameters and launches in a sequence are asked each time.  Status: as
 * `predict`. */
enum fw_status fw_model_ask(struct fw_prediction *prediction, const struct fw_model *model,
                            void *state, const struct fw_model_question *question);

/* What a model has answered to the question; NULL: it has not been asked. */
const struct fw_prediction *fw_model_answered(const struct fw_model *model,
                                              const struct fw_model_question *question);

/* Where the volumes of a question's launch stay, which several models ask for (launch_volumes.h);
 * NULL: nowhere. */
struct fw_launch_volumes_kept **fw_model_volumes(const struct fw_model_question *question);

/* Adds sentences to what a prediction says it does not model: `count` of them; those up to NULL. */
void fw_model_say(struct fw_prediction *prediction, struct fw_arena *arena,
                  const char *const *sentences, size_t count);
void fw_model_say_all(struct fw_prediction *prediction, struct fw_arena *arena,
                      const char *const *sentences);

/* Adds what a code generator did not state. */
void fw_model_say_unstated(struct fw_prediction *prediction,
                           const struct fw_model_question *question, bool uses_chain);

/* What a prediction says beside its model's own answer, which any model has that predicts what it
 * takes.  The account of a prediction without one: its seconds, divided over its terms: the start
 * and the end, then the limiter, then what the other terms do not overlap, by their seconds. */
void fw_model_account(struct fw_prediction *prediction, struct fw_arena *arena);

/* terms_lines.c: the calls that a line was inlined at, the innermost first; `call`: as in
 * fw_scheduled. */
void fw_model_called_at(struct fw_code_row *row, const struct fw_kernel *kernel, uint32_t call,
                        struct fw_arena *arena);

/* terms_lines.c: the same of an account by terms, by lines of the source. */
void fw_model_lines(struct fw_prediction *prediction, const struct fw_model_question *question);

/* peaks.c: percentages of peak and hit rates, where the prediction has volumes, and achieved
 * occupancy, where it has that. */
void fw_model_peaks(struct fw_prediction *prediction, const struct fw_model_question *question);

/* Terms of resources as rows of the public interface. */
struct fw_cost_row *fw_model_costs(struct fw_arena *arena, const struct fw_resource_term *terms,
                                   uint32_t count, const struct fw_device *device);

#endif
