/* forewarp: how long a GPU kernel takes, from its source, its launch and a device profile.
 *
 * This is the whole public interface.  A *context* says where data lies and who hears diagnostics.
 * A *program* is one source that was read.  A *kernel* is one function of it.  A *worker* binds a
 * kernel to a launch and answers; it is rebound to any number of launches, at microseconds each.  A
 * *device* is a profile of a GPU.
 *
 * Functions that can fail return enum fw_status, and their results come out through the first
 * parameter (NULL, or untouched, when they fail); what went wrong is told to the context's
 * `message` function: where there is a context, no failure goes without at least one message of an
 * error.  Nothing here prints, exits, or keeps global state.
 *
 * A pointer that is NULL where nothing says that it may be, an empty text, a count without its
 * array and a number that is negative or not finite give FW_ERROR_USAGE.  Functions that give no
 * status do nothing, or give 0 or NULL, when their handle is NULL.  Settings and options may be
 * NULL, for all zero, except where something must be stated (measuring, probing, ranking).
 *
 * Threads: a context is immutable once made and may be used from any number of threads; its
 * `message` function is called from whichever thread works.  A program is used by one thread at a
 * time; the kernels that it gave, and devices, are immutable and may be shared.  A worker, and the
 * answers that it gave, belong to one thread at a time.  Free what is made from something before
 * that something: workers, then programs and devices, then the context.
 *
 * Option structures begin with their own size, `sizeof(struct ...)`: zero the structure, set
 * `size`, then what is wanted; a size of 0 is FW_ERROR_USAGE.  A structure from an older header
 * than the library's is accepted. */
#ifndef FOREWARP_H
#define FOREWARP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef FW_STATUS_DEFINED
#define FW_STATUS_DEFINED
enum fw_status {
    FW_OK = 0,
    FW_ERROR_INPUT = -1, /* the input is at fault */
    FW_ERROR_USAGE = -2, /* the caller is at fault: an argument that is missing or makes no sense */
    FW_ERROR_MACHINE = -3,  /* the machine is at fault: an unreadable file, no compiler */
    FW_ERROR_MEMORY = -4,   /* out of memory, or past a stated limit of memory */
    FW_ERROR_OVERFLOW = -5, /* a number left the range that can be represented */
    FW_ERROR_BUDGET = -6    /* a stated amount of work, or of time, was not enough */
};
#endif

/* The library's version, "0.1.0". */
const char *fw_version(void);

/* ---- contexts ---- */

struct fw_context;
struct fw_program;
struct fw_kernel;
struct fw_worker;
struct fw_device;
struct fw_launch_list;

enum fw_message_severity { FW_MESSAGE_NOTE, FW_MESSAGE_WARNING, FW_MESSAGE_ERROR };

/* One diagnostic; its texts live only during the call. */
struct fw_message {
    enum fw_message_severity severity;
    const char *code;         /* stable: "PTX012" */
    const char *text;         /* one sentence; may hold any bytes of the input */
    const char *file;         /* NULL: no place is known */
    uint32_t line;            /* from 1; 0: the file as a whole, or no place */
    uint32_t column;          /* from 1, in bytes */
    const char *rendered;     /* as compilers show it: place, sentence, source line, caret, notes;
                                 printable (fw_text_printable) */
    const char *const *notes; /* sentences that add to the text */
    size_t note_count;
};

struct fw_answer;

/* A feature of the caller's own, counted where a cost model or a question names it. */
struct fw_own_feature {
    const char *name;        /* "f_...", and no identifier of docs/features.md */
    const char *granularity; /* whose executions are counted; NULL: "launch" */
    const char *unit;        /* NULL: none */
    /* The value at a launch, from its counts: of PTX, or of the kernel language's domains with
     * multiply-adds contracted.  NAN: it cannot be told.  From any thread. */
    double (*value)(void *user, const struct fw_answer *counted);
    void *user;
};

struct fw_context_options {
    size_t size;
    const char *data;    /* folder that holds profiles/; NULL: none but paths can be named */
    const char *headers; /* folder that holds forewarp_cuda.h and forewarp_opencl.h, which clang
                            needs; NULL: none */
    const char *cache;   /* folder for compiled kernels; NULL: nothing is kept */
    size_t memory;       /* bytes that one program or worker may take; 0: 4 GiB */
    void (*message)(void *user, const struct fw_message *message);
    void *user;
    double question_seconds; /* of processor time that the analysis of one kernel may take in one
                                call; 0: 10; negative: no limit.  The time of compilers, which have
                                a limit of their own (compile_seconds), is not part of it;
                                emulation, measuring, and a ranking as a whole have no such
                                limit. */
    double run_seconds; /* of wall time from the making of the context, compilers included, after
                           which every call ends; 0: no limit */
    const struct fw_own_feature *features; /* copied, with their texts */
    size_t feature_count;
};

/* A limit of time never changes an answer: a call gives a whole answer, or FW_ERROR_BUDGET and the
 * message API090.  A program or worker whose call was cut short answers no more, but with the same
 * error: free it. */

/* A new context.  The options (NULL: all zero) are copied. */
enum fw_status fw_context_new(struct fw_context **context,
                              const struct fw_context_options *options);
void fw_context_free(struct fw_context *context);

/* ---- programs and kernels ---- */

enum fw_program_language {
    FW_PROGRAM_BY_SUFFIX, /* .ptx, .cu, .cl, .knl, .json */
    FW_PROGRAM_PTX,
    FW_PROGRAM_CUDA,
    FW_PROGRAM_OPENCL,
    FW_PROGRAM_LOOPS,    /* forewarp's kernel language */
    FW_PROGRAM_ADDRESSES /* JSON with address expressions, for code generators */
};

/* Whether the assembler ptxas, when there is one, tells registers, spills and static shared memory
 * of kernels; else, and when it fails (a warning says so), they are estimated from PTX.  It takes
 * tens of milliseconds, so that by itself it is run where a compiler, which takes longer, was run:
 * for CUDA C++ and OpenCL C.  Its answers are kept in the context's cache. */
enum fw_ptxas_use {
    FW_PTXAS_AUTO,   /* for sources that are compiled */
    FW_PTXAS_ALWAYS, /* for PTX, too */
    FW_PTXAS_NEVER   /* the same answer on every machine */
};

struct fw_program_options {
    size_t size;
    enum fw_program_language language;
    const char *const *defines; /* "NAME" or "NAME=VALUE": macros, for the compiler; of the kernel
                                   language values of its constants ("let NAME = ...") */
    size_t define_count;
    const char *const *includes; /* folders, for the compiler */
    size_t include_count;
    const char *standard;     /* "c++17", "CL1.2"; NULL: the compiler's own */
    unsigned target;          /* compute capability as 10 * major + minor; 0: 90 */
    const char *compiler;     /* a path or a name; NULL: the best that there is */
    unsigned compile_seconds; /* limit; 0: 60 */
    unsigned capability;      /* of the device that machine operations are estimated for; 0: the
                                 PTX's own target */
    enum fw_ptxas_use ptxas;
    uint32_t coarsening[3]; /* points of a thread along each axis: of address expressions, instead
                               of what they state (0: as stated); of code, for a ranking's grids */
};

/* Reads a program from a file, "-" for standard input.  CUDA C++ and OpenCL C are compiled to PTX
 * by a child process first.  Options may be NULL. */
enum fw_status fw_program_read(struct fw_program **program, const struct fw_context *context,
                               const char *path, const struct fw_program_options *options);

/* The same from `length` bytes of text, which are copied; `name` is what diagnostics call it. */
enum fw_status fw_program_parse(struct fw_program **program, const struct fw_context *context,
                                const char *name, const char *text, size_t length,
                                const struct fw_program_options *options);
void fw_program_free(struct fw_program *program);

/* One of many programs. */
struct fw_program_item {
    const char *path;
    const struct fw_program_options *options; /* may be shared; NULL: as for fw_program_read */
    struct fw_program *program;               /* result, to be freed; NULL when it failed */
    enum fw_status status;                    /* result */
};

/* Reads many programs on `workers` threads (0: one a processor): a thousand variants of one source,
 * each with its own definitions, are bounded by the compiler, which runs on every processor. ptxas,
 * where it is asked, runs in the same threads.  FW_OK when all are read; else the first status that
 * is not, and the others are read all the same.  Messages come from all of the threads, in no
 * order. */
enum fw_status fw_program_read_many(struct fw_program_item *items, size_t count,
                                    const struct fw_context *context, unsigned workers);

/* How many kernels there are; the name of each, as PTX has it. */
size_t fw_program_kernel_count(const struct fw_program *program);
const char *fw_program_kernel_name(const struct fw_program *program, size_t index);

/* The kernel called `name` (NULL: the only one): its PTX name, or the name that the source gave it.
 * Made on the first call, immutable and owned by the program.  FW_ERROR_USAGE: none, or several
 * when one must be named; the message lists them. */
enum fw_status fw_program_kernel(const struct fw_kernel **kernel, struct fw_program *program,
                                 const char *name);

/* What a pass or the record says, as text to be freed with fw_text_free.  `what`: one of
 * cfg, ssa, loops, uniformity, record, domains, ptx, or several between commas, each then below a
 * line that names it.  FW_ERROR_USAGE: no such thing. */
enum fw_status fw_program_dump(char **text, struct fw_program *program, const char *name,
                               const char *what);

struct fw_emit_settings {
    size_t size;
    const char *target;          /* "opencl", "cuda", "c", or "knl": the kernel itself, as its
                                    transformations left it; NULL: opencl, of strip knl */
    const char *const *bindings; /* "n=1024": parameters that have this value from now on */
    size_t binding_count;
    bool strip; /* leave memory traffic alone: the work remover of docs/kernel-language.md */
    const char *const *removed; /* arrays whose accesses of global memory go, too */
    size_t removed_count;
    bool json; /* with launch and arguments */
};

/* A kernel of the kernel language as code, as text to be freed with fw_text_free.  FW_ERROR_USAGE:
 * the program is in another language, or there is no such target or parameter. */
enum fw_status fw_program_emit(char **text, struct fw_program *program, const char *name,
                               const struct fw_emit_settings *settings);

/* A text of an input (a file's name, a kernel's, a message's `text`) as a terminal may show it, to
 * be freed with fw_text_free: control characters, what turns the direction of writing, and bytes
 * that are no UTF-8 become \x1b, \u202e; with `lines`, newlines and tabs stay.  Texts that the
 * functions here render are printable already. */
enum fw_status fw_text_printable(char **printable, const char *text, bool lines);

/* Frees a text that one of these functions gave.  NULL is allowed. */
void fw_text_free(char *text);

/* ---- devices ---- */

/* The device called `name`: a profile's name, or the path of one (anything with a '/' or that ends
 * in .json).  Behind it may stand what is otherwise than in the profile, by value or by factor:
 * "h200:multiprocessors=66,dram_copy_bandwidth=2x,l2_bytes=96MiB" (docs/what-if.md).
 * FW_ERROR_USAGE: there is no such device (the message lists those that there are), property or
 * unit, or there can be none; the message has the place in the name. */
enum fw_status fw_context_device(struct fw_device **device, const struct fw_context *context,
                                 const char *name);
void fw_context_device_free(struct fw_device *device);

/* Several of them, "h200,a100:l2_bytes=2x,v100", at most 64; the items are the list's. */
struct fw_devices;
enum fw_status fw_context_devices(struct fw_devices **devices, const struct fw_context *context,
                                  const char *names);
void fw_devices_free(struct fw_devices *devices);
size_t fw_devices_count(const struct fw_devices *devices);
const struct fw_device *fw_devices_item(const struct fw_devices *devices, size_t index);

/* The device's name, with its changes: "h200:multiprocessors=66". */
const char *fw_context_device_name(const struct fw_device *device);

/* A device of which nothing is known but a name: a black box, for calibrated models. */
enum fw_status fw_context_device_blank(struct fw_device **device, const struct fw_context *context,
                                       const char *name);

/* The device's compute capability as 10 * major + minor; 0: its profile does not say. */
unsigned fw_context_device_capability(const struct fw_device *device);

/* The profiles that there are, or one of them with every figure, its unit, source and meaning, as
 * text or JSON to be freed with fw_text_free.  A profile that cannot be read is told and left out
 * of the list: its status comes beside the text. */
enum fw_status fw_context_device_list(char **text, const struct fw_context *context, bool json);
enum fw_status fw_context_device_show(char **text, const struct fw_context *context,
                                      const struct fw_device *device, bool json);

/* ---- probing ---- */

struct fw_probe_settings {
    size_t size;
    const char *recording; /* path of a file of records; for a plan its setup record alone counts */
    const char *name;      /* of the profile; NULL: made of the device's own */
    const struct fw_device *compare; /* figures beside this device's; NULL: none */
    bool json;                       /* the profile itself instead of a text for people */
    bool quick;                   /* few trials, small sizes and no power: to see that all works */
    const struct fw_device *like; /* of the same compute capability: figures that no recording tells
                                     are this device's; NULL: they are absent */
};

/* What to run on the device that a recording's setup record describes: a plan for forewarp-measure
 * ("probe.plan") and its sources, handed to `take` one by one.  FW_ERROR_INPUT: no such record, or
 * it lacks what a plan needs. */
enum fw_status
fw_context_probe_plan(const struct fw_context *context, const struct fw_probe_settings *settings,
                      void (*take)(void *user, const char *name, const char *text, size_t length),
                      void *user);

/* What the plan's recording tells: a profile as JSON, or a text with what could not be determined;
 * to be freed with fw_text_free.  FW_ERROR_INPUT: the recording is damaged or empty, or `like` is
 * of another compute capability (PRB007). */
enum fw_status fw_context_probe_profile(char **text, const struct fw_context *context,
                                        const struct fw_probe_settings *settings);

/* ---- features ---- */

/* The kinds of features that there are, as text or JSON to be freed with fw_text_free. */
enum fw_status fw_context_feature_list(char **text, const struct fw_context *context, bool json);

struct fw_feature_table_settings {
    size_t size;
    const char *const *launches; /* paths of lists of launches, or of folders with launches.json */
    size_t launch_count;
    const char *const *features; /* identifiers of the columns */
    size_t feature_count;
    const char *cost;     /* path of a cost model: its features and its output instead; NULL */
    const char *output;   /* identifier of what was measured; NULL: no such column */
    const char *measured; /* path of records (docs/forewarp-measure.md); NULL: the store's */
    const char *store;    /* path of a store; NULL: none */
    const char *campaign; /* of the store; NULL: the only one */
    const struct fw_device *device; /* for features that need a profile; NULL: none */
};

/* Features of many launches as CSV, a row a launch, to be freed with fw_text_free: the table that
 * cost models are fitted to.  With `measured` or `store`, launches that were not measured have no
 * row, which a warning tells. */
enum fw_status fw_context_feature_table(char **text, const struct fw_context *context,
                                        const struct fw_feature_table_settings *settings);

/* ---- calibrating ---- */

struct fw_calibrate_settings {
    size_t size;
    const char *model;           /* path of a cost model, or of a calibration to evaluate */
    const char *table;           /* path of a table, CSV or JSON: kernels by features */
    const char *const *held_out; /* names of rows that are not fitted; * and ? stand for others */
    size_t held_out_count;
    const char *overlap; /* "none", "full", "partial" or "auto"; NULL: as the model states */
    const char *device;  /* which device was measured, for the calibration; the name or path of a
                            profile, where features of `launches` need one; NULL: not known */
    unsigned starts;     /* of the search, where the model is not linear; 0: up to 8 */
    bool non_negative;   /* parameters without bounds of their own are not below 0 */
    bool json;
    /* Instead of a table: the features of these launches, and what was measured of them, as in
     * struct fw_feature_table_settings. */
    const char *const *launches;
    size_t launch_count;
    const char *measured, *store, *campaign;
};

/* Fits a cost model's parameters to a table of measurements.  The answer, to be freed with
 * fw_text_free, and the calibration as a text that stands alone (NULL: not wanted), likewise.
 * FW_ERROR_INPUT: the model or the table is at fault, or the data do not allow the fit. */
enum fw_status fw_context_calibrate(char **text, char **calibration,
                                    const struct fw_context *context,
                                    const struct fw_calibrate_settings *settings);

/* Predicts the rows of a table by a calibration (the settings' `model`), to be freed with
 * fw_text_free; beside measurements where the table has them. */
enum fw_status fw_context_evaluate_calibration(char **text, const struct fw_context *context,
                                               const struct fw_calibrate_settings *settings);

struct fw_train_settings {
    size_t size;
    const char *const *launches; /* paths of lists of launches; a file of kernels is a family */
    size_t launch_count;
    const char *const *measured; /* paths of records of forewarp-measure, or exported campaigns */
    size_t measured_count;
    const char *const *judged; /* lists of launches that are predicted and never trained on */
    size_t judged_count;
    const struct fw_device *device;
    unsigned trees;  /* of a forest; 0: 64 */
    bool c;          /* train: C without dependencies instead of the file */
    bool json;       /* evaluate */
    unsigned nested; /* evaluate: iterations of nested cross-validation; 0: none */
    /* evaluate, where they are not NULL; to be freed with fw_text_free: */
    char **rows; /* CSV: for each launch that is not judged what it was measured with, predicted
                    without its family, and its features */
    char **plot; /* SVG: predicted over measured, distribution of errors, importance of features */
    const char *model; /* "forest" or "blend"; NULL: forest */
    bool nested_only;  /* evaluate: the folds of `nested`, and nothing else */
    bool absolute;     /* train, forest: trees predict seconds and watts themselves, from counts */
    const char *ratio_to; /* train, forest: what trees predict the ratio to, "roofline" (with what
                             warps wait for) or NULL: the models traffic and trace */
};

/* Trains the model forest of a device (docs/forest.md), or the model blend (docs/blend.md), whose
 * forests did not see the family that they predict: the bytes of its file, to be freed with
 * fw_text_free.  FW_ERROR_INPUT: lists or measurements are at fault, or of less than two files. */
enum fw_status fw_context_train(char **forest, size_t *length, const struct fw_context *context,
                                const struct fw_train_settings *settings);

/* What forests that did not see a family of kernels are off by for its launches, to be freed with
 * fw_text_free. */
enum fw_status fw_context_evaluate_forest(char **text, const struct fw_context *context,
                                          const struct fw_train_settings *settings);

struct fw_calibrate_for_settings {
    size_t size;
    const char *model;           /* path of a cost model */
    const char *file;            /* path of a kernel in the kernel language */
    const char *kernel;          /* its name; NULL: the only one */
    const char *const *bindings; /* "n=2K,3K": each parameter with its values */
    size_t binding_count;
    const char *output; /* write kernels and launches.json to this new folder; NULL: only say */
    bool whole; /* also the whole kernel ("all") and all of its traffic ("traffic"), from which a
                   calibration tells how much on-chip work is hidden */
};

/* Which accesses of a kernel the model's features do not count and, for these, measurement kernels
 * with the work remover: the kernel with the accesses of one array alone.  The answer as text, to
 * be freed with fw_text_free. */
enum fw_status fw_context_calibrate_for(char **text, const struct fw_context *context,
                                        const struct fw_calibrate_for_settings *settings);

/* ---- results ---- */

/* A number of executions. */
struct fw_number {
    double value;
    int64_t integer;    /* the same, when `digits` is NULL */
    const char *digits; /* decimal digits, when it does not fit 63 bits */
    bool exact;         /* false: it leans on an unknown, or is an upper bound */
    bool known;         /* false: arguments are missing, see `needs` */
};

struct fw_operation_row {
    const char *operation;   /* "fma" */
    const char *type;        /* "f32" */
    const char *granularity; /* whose executions are counted: "thread", "warp" */
    const char *machine;     /* rows of the machine layer: the device's name, "FFMA"; else NULL */
    const char *pipe;        /* where that issues; else NULL */
    bool guarded;            /* issued under a predicate that is false on ordinary data */
    struct fw_number count;
    const char *symbolic; /* in isl's syntax; NULL: there is none, or it has too many pieces */
    const char *const *needs;
    size_t need_count;
    const char *formula;    /* for people: with min, max, mod and ceil; NULL: there is none */
    const char *no_formula; /* why: "data", "shared" (several executions of a loop that the
                               assembler unrolls share it), "budget" (not derived in time) */
};

struct fw_memory_row {
    const char *space;     /* "global", "shared", ... */
    const char *direction; /* "load", "store", "atomic", "reduction" */
    const char *type;      /* of one element */
    uint32_t bytes;        /* of one thread's access */
    const char *cache;     /* cache operators as written; "" for none */
    const char *array;     /* what the address is based on; NULL: not known */
    struct fw_number count;
    const char *symbolic;
    const char *const *needs;
    size_t need_count;
    bool has_thread_strides;
    int64_t thread_strides[3]; /* in elements, for x, y and z */
    bool has_block_strides;
    int64_t block_strides[3];
    bool has_extent;
    int64_t low, high; /* first byte and last byte + 1, from where the array begins */
    bool has_footprint;
    uint64_t footprint_bytes; /* distinct bytes, when known */
    bool asynchronous;        /* the thread does not wait for it: cp.async, bulk copies */
    uint32_t instructions;    /* PTX instructions that this row sums up */
    const char *file;
    uint32_t line;       /* 0: not known */
    const char *formula; /* as in fw_operation_row */
    const char *no_formula;
    const char *granularity;        /* whose executions are counted: "thread", "warp" */
    const char *tag;                /* that the kernel language gave the access; NULL: none */
    const char *thread_formulas[3]; /* strides of layer "domain" as functions of the parameters; */
    const char *block_formulas[3];  /* NULL: not known, or not asked for */
};

/* The distinct elements that all loads or all stores of an array touch. */
struct fw_footprint_row {
    const char *array;
    const char *direction; /* "load", "store" */
    const char *type;
    uint32_t bytes; /* of an element */
    struct fw_number elements;
    const char *symbolic;
    const char *const *needs;
    size_t need_count;
    struct fw_number accesses; /* by all threads; over `elements`: how often one is touched */
    const char *formula;       /* as in fw_operation_row */
};

/* What an answer leaned on that is not static. */
struct fw_unknown_row {
    const char *name;     /* "taken@file:line", "trips@file:line", "bytes@file:line",
                             "array.length"; of what was emulated also "array.spread" */
    const char *kind;     /* "taken", "trips", "bytes", "operations", "length": the mean of the
                             lengths of rows or lists that an array tells; or "pointer": an argument
                             that is tested (for null, its alignment) and not given */
    const char *reason;   /* "data", "argument", "nonaffine", "endless", "budget", "wait": a loop
                             that waits for copies, taken to run once; "unstated": a number that
                             no instruction states; "called": the instructions of a function whose
                             code is not there (through a pointer, recursive, another module's);
                             "pointer",
                             "sampled": evaluated at some points of many; "approximate": indices
                             and arguments decide it, through an operation such as sqrt.approx */
    const char *meaning;  /* a sentence for people */
    const char *argument; /* reason "argument": which; else NULL */
    bool has_value;
    double value; /* that was used; kind "pointer": the alignment in bytes */
    bool is_default;
    double points;         /* reason "sampled": points that were evaluated; else 0 */
    double standard_error; /* reason "sampled": of the value */
    uint32_t line;
    const char *source;    /* of the value: "default", "stated", "emulated" */
    uint64_t observations; /* emulated: threads that came to the branch, entries of the loop, or
                              requests of warps to the array; else 0 */
    uint64_t blocks;       /* emulated: that came by */
    double low, high;      /* emulated: the least and the greatest mean of one block */
    bool has_warps;        /* emulated: what warps do is known, too: */
    double warps;      /* the share of them with a thread that takes the branch; trips of a warp */
    double warps_both; /* the share of them with a thread that takes it and one that does not */
    double sectors;    /* emulated, of an array: sectors that a request asks for; else 0 */
    const char *kept;  /* why emulating did not replace the default: a sentence; NULL */
    const char *follows; /* from this unknown, an array's length: a default moves with it; NULL */
};

struct fw_argument_row {
    const char *name;
    const char *type;
    uint32_t position; /* from 0 */
    uint32_t bytes;
    bool is_pointer;
    bool is_bound;
    bool is_float;
    int64_t integer; /* the value, when bound */
    double number;
    uint32_t alignment; /* of what a pointer points to */
};

/* A constant of the kernel language, "let TILE = 16", and what it stands for. */
struct fw_constant_row {
    const char *name;
    int64_t value;
};

struct fw_kernel_row {
    const char *name;     /* the source's */
    const char *entry;    /* PTX's: mangled for C++ */
    const char *file;     /* that was given */
    const char *language; /* "ptx", "cuda", "opencl", "knl", "json" */
    const char *layer;    /* where the counts come from: "ptx", "domain" */
    const char *compiler; /* NULL: nothing was compiled */
    const char *command;
    const char *confinement;      /* how the compiler was: "landlock", "namespace", "none" */
    const char *target;           /* "sm_90" */
    uint32_t registers;           /* of a thread; 0: not known */
    const char *registers_source; /* "ptxas", "machine code" (Triton's), or "liveness": estimated
                                     from PTX */
    uint32_t static_shared;       /* bytes of a block */
    bool dynamic_shared;
    uint32_t local_bytes; /* of a thread */
    uint32_t required_block[3];
    uint32_t max_block[3];
    const struct fw_argument_row *arguments;
    size_t argument_count;
    const char *assembler;      /* "ptxas 13.0.88", "machine code"; NULL: none told, and what
                                   follows is 0 */
    uint32_t stack_bytes;       /* of a thread */
    uint32_t spill_store_bytes; /* of a thread: registers that did not fit, to local memory */
    uint32_t spill_load_bytes;
    const struct fw_constant_row *constants; /* of the kernel language */
    size_t constant_count;
};

/* X(name, text) */
#define FW_INSTRUCTION_GROUPS(X)                                                                   \
    X(ARITHMETIC, "arithmetic")                                                                    \
    X(SPECIAL, "special")                                                                          \
    X(LOGIC, "logic")                                                                              \
    X(CONTROL, "control")                                                                          \
    X(SYNC, "sync")                                                                                \
    X(MEMORY, "memory")                                                                            \
    X(OTHER, "other")

enum { FW_INSTRUCTION_GROUP_COUNT = 7 };

struct fw_counts {
    const struct fw_operation_row *operations;
    size_t operation_count;
    const struct fw_operation_row *machine;
    size_t machine_count;
    const struct fw_memory_row *memory;
    size_t memory_count;
    struct fw_operation_row barriers; /* executions by threads of block-wide barriers */
    struct fw_operation_row groups[FW_INSTRUCTION_GROUP_COUNT];
    struct fw_operation_row total; /* executed thread-instructions */
    struct fw_number flops;        /* floating-point operations */
    const char *assumptions; /* under which symbolic counts hold, a set in isl's notation; NULL */
    const struct fw_footprint_row *footprints; /* of layer "domain" alone */
    size_t footprint_count;
};

struct fw_cost_row {
    const char *name; /* of the resource: "dram", "f32" */
    double seconds;
    double share;  /* of the slowest term: 0 to 1.  A line's: of its resource's whole */
    double amount; /* in `unit` */
    const char *unit;
    double rate;        /* of the whole device, `unit` a second */
    const char *figure; /* the profile's figure that the rate comes from */
    const char *source; /* that figure's source: "measured" */
    uint32_t line;      /* 0: of the whole kernel */
    const char *meaning;
};

/* What a model knows of a number of its own: one table a model. */
struct fw_quantity_kind {
    const char *key;   /* in JSON: "dram_read_bytes" */
    const char *title; /* for people; NULL: it is for programs alone */
    const char *unit;  /* "bytes", "sectors", ... */
    const char *meaning;
    const char *group;          /* the heading that it stands under for people */
    const char *part_keys[3];   /* in JSON, under KEY_parts; NULL: no further part */
    const char *part_titles[3]; /* for people */
    bool hidden_when_zero;      /* for people */
    bool ranked;                /* a ranking's JSON has it, too */
    const char *column;         /* heading of its column in a ranking; NULL: it has none */
};

/* A number that a model found beside the time, and the parts that it is the sum of. */
struct fw_quantity_row {
    const struct fw_quantity_kind *kind;
    double value; /* of the whole launch */
    double parts[3];
};

/* A quantity of a model beside a profiler's counter. */
struct fw_measured_row {
    const char *key;    /* "dram_read_bytes" */
    const char *metric; /* Nsight Compute's: "dram__bytes_read.sum" */
    const char *unit;
    double predicted;
    bool is_measured;
    double measured; /* in the unit of `key` */
};

/* A part of the predicted time, by Nsight Compute's stall reasons. */
struct fw_account_row {
    const char *name;    /* "long_scoreboard.dram": reason and part, "barrier" */
    const char *stall;   /* "long_scoreboard"; "launch", "tail", "start_and_end" are ours */
    const char *meaning; /* what is waited for, or done */
    double seconds;
    double share; /* of the time */
};

/* A line of source, and the parts of the time that its instructions issue or wait in. */
struct fw_code_row {
    const char *file; /* as the code names it; NULL: what belongs to no instruction, or to those
                         without a line */
    uint32_t line;
    const char *text; /* of the line, without blanks around it; NULL: the file was not found */
    double seconds;
    double share;        /* of the time */
    const double *parts; /* seconds, by row of the account */
};

/* How busy a part of the device is, as Nsight Compute's speed-of-light page has it; achieved
 * occupancy; hit rates. */
struct fw_peak_row {
    const char *name; /* for people: "DRAM"; NULL: it is no part of that page */
    const char
        *metric;    /* Nsight Compute's: "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed" */
    double percent; /* of its peak, in the mean over the time; 0 to 100 */
};

/* What the time would be at the ends of what data usually decide. */
struct fw_data_end_row {
    const char *name; /* of the one unknown that is moved; NULL: several are, together */
    const char *kind; /* "length": lengths, and trips that follow from none; "trips", "taken";
                         "displacement": of places that data move from threads' own */
    double low, high; /* its value; of several lengths and trips, by their defaults; of
                         displacements, elements */
    double low_seconds, high_seconds;
};

struct fw_prediction {
    const char *model;
    double seconds;
    bool has_overhead;
    double overhead_seconds;
    const char *no_overhead; /* what is said where it is not known; NULL: the profile lacks it */
    bool has_interval;
    double low, high;
    bool has_watts;
    double watts, joules; /* of the launch repeated back to back */
    bool has_power_interval;
    double watts_low, watts_high, joules_low, joules_high;
    const char *limiter;
    const struct fw_cost_row *terms; /* slowest first */
    size_t term_count;
    const struct fw_cost_row *lines; /* of the slowest resource that lines ask for, most first */
    size_t line_count;
    double clock;      /* hertz that it is predicted at */
    const char *cache; /* "warm", "cold" */
    bool has_occupancy;
    uint32_t resident_blocks; /* of a multiprocessor */
    double occupancy;         /* 0 to 1 */
    const char *occupancy_limit;
    double waves;
    const char *const *not_modelled; /* sentences: what the model does not know */
    size_t not_modelled_count;
    const struct fw_quantity_row *quantities; /* what else the model found */
    size_t quantity_count;
    const struct fw_measured_row *measured; /* quantities beside a profiler's counters */
    size_t measured_count;                  /* 0: no measured volumes were given */
    /* Parts of the time, whose sum it is, the longest first: by stall reasons where the model
     * follows the time, else by terms; and, where it follows it, the same by lines of the source.
     */
    const struct fw_account_row *account;
    size_t account_count;
    struct fw_code_row *code;
    size_t code_count;
    bool has_code_lines; /* instructions have lines: else the code was made without -lineinfo */
    const struct fw_peak_row *peaks; /* of models that predict volumes or follow the time */
    size_t peak_count;
    bool has_achieved_occupancy;        /* of models that follow the time */
    double achieved_occupancy;          /* warps resident in the mean over the cycles in which a
                                           multiprocessor has any, of those that it can hold: 0 to 1 */
    const struct fw_data_end_row *ends; /* of models that give intervals */
    size_t end_count;
};

/* What to change, and what a model predicts then (docs/advice.md). */
struct fw_advice_row {
    const char *rule;     /* "coalescing": the rule's name */
    const char *sentence; /* what is found, and what to do */
    const char *file;     /* place in the source, as the code names it; NULL: none */
    uint32_t line;        /* 0: none */
    double seconds;       /* of the launch with the change, by the first model's answer */
    double gain;          /* share of the time that it saves: 0 to 1 */
    bool at_most;         /* it saves so much at most: a bound, not a prediction */
};

/* The time of a launch where warps issue in an order, by the model trace (docs/trace.md). */
struct fw_issue_order_row {
    const char *name; /* "greedy_oldest": as a profile states it */
    const char *meaning;
    double seconds;
    bool own; /* it is the device's */
};

/* What the emulator ran. */
struct fw_emulation_row {
    uint64_t blocks;     /* of the launch */
    uint64_t blocks_run; /* of these; counts are scaled up from them, and a prediction's unknowns
                            taken from them */
    uint64_t thread_instructions;
    uint64_t warp_instructions;
    bool assumed_memory; /* pointers that nothing was said about read as zeros */
};

/* A feature's value at a launch. */
struct fw_feature_row {
    const char *name; /* the identifier, docs/features.md */
    double value;
    const char *granularity; /* whose executions are counted: "thread", "warp", "launch" */
    const char *unit;        /* "operations", "B"; "" for a share */
    const char *layer;       /* where the number comes from: "domain", "ptx", "machine", ... */
};

/* A node of a warp's trace, depth first: instructions that run one after the other with the same
 * threads, or a loop, whose body are the rows behind it that are deeper.  docs/trace.md. */
struct fw_trace_row {
    uint32_t depth; /* 0: in no loop */
    bool is_loop;
    double share;       /* of the executions of what it stands in; below 1 where data decide it */
    double lanes;       /* threads of the warp, in the mean */
    uint32_t line;      /* the first of its instructions, or the loop's; 0: not known */
    uint32_t last_line; /* of its instructions */
    const char *loop;   /* a loop's name: "trips@file:line"; else NULL */
    bool enters;        /* a loop: false, it goes on with the iterations of the row before */
    double trips;       /* a loop: iterations */
    double step;        /* a loop: so many more in each iteration of what it stands in */
    const char *const *instructions; /* else: as PTX calls them, "fma.f32", in order */
    size_t instruction_count;
};

/* Warps of a launch whose traces are equal. */
struct fw_trace_class_row {
    double warps;
    uint32_t block[3]; /* of one of them */
    uint32_t warp;     /* and its number in the block */
    double issued;     /* instructions of one of them */
    double threads;    /* and by threads */
};

/* What a warp does in a part of its time: issues ("selected"), or waits for something. */
struct fw_timeline_part {
    const char *name; /* as in the account of a prediction: "long_scoreboard.dram" */
    const char *meaning;
};

struct fw_timeline_span {
    double from, until; /* cycles */
    uint32_t block;     /* place of a block on the multiprocessor */
};

/* The warps of one multiprocessor over time, by the model trace, in columns of equal length. */
struct fw_timeline {
    double cycles; /* until the last simulated block has ended */
    double clock;  /* hertz */
    uint32_t columns;
    uint32_t warps;       /* places: of the blocks that are resident at one time */
    uint32_t block_warps; /* of a block: place of block times this, plus warp in the block */
    double blocks;        /* that are shown, */
    double own_blocks;    /* of those of the multiprocessor: the rest goes on like them */
    const struct fw_timeline_part *parts;
    size_t part_count;
    /* By warp and column: the part of a column that one fills; columns of several show parts so
     * that each warp has them in their shares.  And the line of the source that the warp is at for
     * the longest stretch (0: not known). */
    const unsigned char *states;
    const uint32_t *lines;
    const double *shares; /* by column and part: of the time of all warps */
    const struct fw_timeline_span
        *skips; /* iterations that were not simulated: like those before */
    size_t skip_count;
    const struct fw_timeline_span *barriers; /* when a barrier let a block go on: the first ones */
    size_t barrier_count;
    size_t all_barriers;
};

struct fw_trace_answer {
    uint32_t block[3]; /* the warp whose trace it is */
    uint32_t warp;
    const struct fw_trace_row *rows;
    size_t row_count;
    bool cut;       /* there are more rows than are given */
    double issued;  /* instructions of the warp */
    double threads; /* executions by its threads */
    double partial; /* of the issued: by fewer threads than the warp has */
    double groups[FW_INSTRUCTION_GROUP_COUNT]; /* of the issued */
    uint32_t warp_threads;
    bool has_classes;                         /* of the launch; false: one warp was asked for */
    const struct fw_trace_class_row *classes; /* most warps first */
    size_t class_count;
    double warps;             /* of the launch */
    uint32_t traced_blocks;   /* that were evaluated */
    bool blocks_sampled;      /* others are taken to be like those between which they lie */
    const char *sampled_loop; /* of which some iterations stand for all; NULL: of none */
    const struct fw_timeline *timeline; /* NULL: not asked for */
};

/* What is stated otherwise than profile, compiler or estimate have it. */
struct fw_what_if_row {
    const char *property; /* "multiprocessors", "sm_clock", "registers", "static_shared" */
    double value;
    const char *unit; /* "1": none; "factor": of a curve */
    bool has_instead;
    double instead;     /* what profile, compiler or estimate say */
    const char *source; /* of `instead`: "measured", "ptxas", "liveness"; NULL: it is not known */
    const char *name, *instead_name; /* of a property whose value is a name ("issue_order"): in
                                        place of both numbers; NULL: it is a number */
};

/* All that one question is answered with.  Owned by the worker, until its next question. */
struct fw_answer {
    const struct fw_kernel_row *kernel;
    uint32_t grid[3];
    uint32_t block[3];
    uint64_t shared;          /* dynamic bytes of a block */
    const char *device;       /* NULL: none was asked about */
    const char *device_title; /* for people */
    const struct fw_unknown_row *unknowns;
    size_t unknown_count;
    uint32_t wraps;      /* 32-bit values that may wrap around, which counting takes not to */
    uint32_t wraps_line; /* of the first; 0: not known */
    const struct fw_counts *counts;          /* NULL: not asked for */
    const struct fw_prediction *predictions; /* the best first */
    size_t prediction_count;
    const struct fw_emulation_row *emulation; /* NULL: counts are static */
    const struct fw_feature_row *features;    /* that were asked for */
    size_t feature_count;
    const struct fw_trace_answer *trace;  /* NULL: not asked for */
    const struct fw_what_if_row *what_if; /* of a prediction: no measurement checks it then */
    size_t what_if_count;
    const struct fw_advice_row *advice; /* that was asked for, the largest gain first */
    size_t advice_count;
    bool has_advice;                               /* it was asked for, though there may be none */
    const struct fw_issue_order_row *issue_orders; /* that were asked for, the greedy ones first */
    size_t issue_order_count;
};

enum fw_format { FW_FORMAT_TEXT, FW_FORMAT_JSON };

struct fw_render_options {
    size_t size;
    enum fw_format format;
    bool colour;           /* of text: ANSI escapes */
    bool quantities_first; /* of text: what models found beside the time stands before it */
    bool all_lines;        /* of text: all lines of the source that take time, not the first ones */
    bool metrics;          /* of text: percentages of peak by Nsight Compute's names of metrics */
};

/* The answer as text for people or as JSON for programs, to be freed with fw_text_free. */
enum fw_status fw_answer_render(char **text, const struct fw_answer *answer,
                                const struct fw_render_options *options);

/* The timeline of a trace's answer as SVG, to be freed with fw_text_free.  FW_ERROR_USAGE: it has
 * none. */
enum fw_status fw_answer_timeline_svg(char **svg, const struct fw_answer *answer);

/* A row of a comparison of devices. */
struct fw_device_answer {
    const char *device;             /* as asked for */
    const struct fw_answer *answer; /* NULL: there is none, */
    const char *failure;            /* and why */
};

/* The predictions of one launch on several devices, the fastest first by each one's first
 * prediction, a row a device, those without an answer last; to be freed with fw_text_free. */
enum fw_status fw_answers_render(char **text, const struct fw_device_answer *answers, size_t count,
                                 const struct fw_render_options *options);

/* ---- differences ---- */

/* One of the sides that are compared. */
struct fw_diff_input {
    const char *name; /* for people */
    const char *const
        *answers; /* of count, predict or traffic, as JSON; what several say is joined */
    size_t answer_count;
    const char *path; /* file of a recorded answer; NULL: none */
    const char *code; /* path of the source that lines are of, so that lines are followed from one
                         version of it to another; NULL: lines of one number are the same */
};

/* What changed between answers, as text or JSON (docs/schema/diff.json) to be freed with
 * fw_text_free: launches, kernels, times, limiters, volumes and counts, by line where lines are
 * known.  At most 26 sides, each compared with the first.  FW_ERROR_INPUT: not such an answer. */
enum fw_status fw_context_diff(char **text, const struct fw_context *context,
                               const struct fw_diff_input *inputs, size_t count,
                               const struct fw_render_options *options);

/* Whether a file is a recorded answer, and not a kernel as address expressions. */
enum fw_status fw_context_is_answer(bool *is, const struct fw_context *context, const char *path);

/* ---- workers ---- */

/* A worker for a kernel of `program`, both of which must outlive it. */
enum fw_status fw_worker_new(struct fw_worker **worker, const struct fw_program *program,
                             const struct fw_kernel *kernel);
void fw_worker_free(struct fw_worker *worker);

/* What is known of the kernel. */
const struct fw_kernel_row *fw_worker_kernel(const struct fw_worker *worker);

/* Forgets the launch: nothing is bound, a grid must be set; the block is what the kernel requires
 * or what Triton's NAME.json beside NAME.ptx says, which states dynamic shared memory too.  Address
 * expressions state sizes, a block and what it takes; their grid follows from the domain. */
void fw_worker_clear(struct fw_worker *worker);

/* Blocks of the grid, threads of a block, dynamic shared bytes of a block.  A prediction of a
 * kernel that uses dynamic shared memory needs them (0 is a size, too). */
void fw_worker_set_grid(struct fw_worker *worker, uint32_t x, uint32_t y, uint32_t z);
void fw_worker_set_block(struct fw_worker *worker, uint32_t x, uint32_t y, uint32_t z);
void fw_worker_set_shared(struct fw_worker *worker, uint64_t bytes);

/* Registers of a thread, and static shared bytes of a block, instead of what the compiler or the
 * estimate says: for predictions.  Registers that the estimate needs beyond them count as spilled.
 * 0 registers: as they are. */
void fw_worker_set_registers(struct fw_worker *worker, uint32_t registers);
void fw_worker_set_static_shared(struct fw_worker *worker, uint64_t bytes);

/* What a compiler gave the kernel, instead of what ptxas or the estimate says: registers of a
 * thread, and bytes of a thread that it spilled to local memory, each stored and loaded once where
 * they are.  No more is spilled, whatever the estimate needs, and the prediction keeps its
 * interval. 0 registers: nothing is stated.  fw_worker_set_registers goes before it. */
void fw_worker_set_compiled(struct fw_worker *worker, uint32_t registers, uint32_t spill_bytes);

/* OpenCL's global size instead of a grid: threads in each direction.  The block must be set first.
 * FW_ERROR_USAGE: not a multiple of the block. */
enum fw_status fw_worker_set_global(struct fw_worker *worker, uint32_t x, uint32_t y, uint32_t z);

/* Binds by text: "n=4096", "3=4K" (position from 0), "alpha=2.5", "p.align=16",
 * "p.array=image", "taken@f.cu:12=0.3", "trips@f.cu:12=80".  FW_ERROR_USAGE: no such argument, or
 * no such value. */
enum fw_status fw_worker_bind(struct fw_worker *worker, const char *text);

/* Binds the argument at `index` of the kernel's arguments: the quick way for many launches. */
enum fw_status fw_worker_bind_integer(struct fw_worker *worker, size_t index, int64_t value);
enum fw_status fw_worker_bind_number(struct fw_worker *worker, size_t index, double value);

struct fw_count_settings {
    size_t size;
    bool brief;      /* no strides and no extents of accesses: quicker */
    bool symbolic;   /* counts as functions of the arguments too; without a grid, they alone */
    bool subscripts; /* kernel language: arithmetic in subscripts is counted too */
    bool contract;   /* kernel language: an add that takes a product is one "madd" with it */
    const char *assumptions; /* what is known of arguments and grid sizes, a condition in isl's
                                notation ("n mod 16 = 0 and n >= 16"), for simpler formulas; NULL */
};

/* Counts of the launch.  FW_ERROR_USAGE: the launch is not one (no grid, a block of 2000 threads,
 * not what the kernel requires). */
enum fw_status fw_worker_count(const struct fw_answer **answer, struct fw_worker *worker,
                               const struct fw_count_settings *settings);

/* The models that there are, the best first: what -m takes, and a line about each.  NULL past the
 * last. */
const char *fw_model_name(size_t index);
const char *fw_model_summary(size_t index);

struct fw_emulate_settings {
    size_t size;
    const char *const *arguments; /* what pointers point to: "p=f32[1M]:random", see forewarp(1) */
    size_t argument_count;
    uint64_t every;    /* run every k-th block only; 0: all */
    uint64_t limit;    /* warp instructions in all; 0: 2e10, for a prediction 1e8 */
    uint64_t seed;     /* of random fills; 0: 1 */
    uint64_t blocks;   /* run so many blocks: the first, the last and others spread evenly between
                          them; 0: as `every` says, for a prediction 64, fewer where blocks take long.
                          Not together with `every` */
    bool written_only; /* a load of shared memory that no thread of its block has written before
                          ends the run (EMU021); not for a prediction */
};

struct fw_predict_settings {
    size_t size;
    const char *models;  /* comma-separated names (fw_model_name); NULL: the best that can answer */
    bool cold;           /* caches flushed before the launch */
    double clock;        /* hertz; 0: the profile's */
    const char *volumes; /* for a model that takes them: a file with measured counters of this
                            launch, in place of predicted volumes: a JSON object by Nsight Compute's
                            names, or its CSV; NULL */
    /* Not NULL: a few blocks of the launch are emulated first, with these contents of arrays, and
     * what they show of branches, trip counts and addresses that depend on data is used in place of
     * defaults; not in place of what is bound by fw_worker_bind.  What depends on the contents of
     * an array that no argument here describes keeps its default.  Numbers need values, as for
     * fw_worker_emulate. */
    const struct fw_emulate_settings *emulate;
    const char *calibration; /* of the model cost: path of a calibration (docs/calibrate.md); with
                                it and no `models`, that model answers.  NULL: the device's in
                                models/ */
    bool keep_order; /* for studies: instructions issue in the order of PTX, not in one that an
                        assembler might choose */
    bool brief;      /* no account of the time, no lines of code, no wraps: quicker */
    bool advice;     /* what to change, too: by the model that answers first, asked again for each
                        change (docs/advice.md) */
    struct fw_cache_state *state; /* not NULL, in place of `cold`: the caches are as the launches
                                     that were predicted with it before have left them; this one is
                                     added to them */
    bool issue_orders; /* also the time under each order in which warps may issue, by the model
                          trace; FW_ERROR_USAGE where there is no compiled code */
    bool side_work;    /* another thread may work on the answer, too, where the machine has a
                          processor for it: quicker where one question is asked at a time.  The
                          answer is the same */
};

/* What a sequence of launches leaves in the caches, from one to the next: arrays by the names that
 * fw_worker_bind gave them ("p.array=image").  It begins with empty caches.  To be freed.  One
 * thread uses it at a time. */
struct fw_cache_state;
enum fw_status fw_cache_state_new(struct fw_cache_state **state);
void fw_cache_state_free(struct fw_cache_state *state);

/* A prediction for the launch on `device`, and the counts it rests on.  FW_ERROR_USAGE also: an
 * argument that a count needs is not bound, or the device cannot run such blocks.  With `emulate`
 * also what fw_worker_emulate fails with, and FW_ERROR_INPUT: blocks wait for other blocks, so that
 * a few of them cannot run by themselves. */
enum fw_status fw_worker_predict(const struct fw_answer **answer, struct fw_worker *worker,
                                 const struct fw_device *device,
                                 const struct fw_predict_settings *settings);

struct fw_feature_settings {
    size_t size;
    const char *const *names; /* identifiers (docs/features.md); none: all that the kernel has */
    size_t count;
    bool cold; /* caches flushed before the launch, for volumes */
};

/* Values of features at the launch, in the order of their names.  Without a device (NULL) those
 * that need a profile are an error where they are named, and left out where none are.
 * FW_ERROR_INPUT: an identifier that names none (FEAT001), or one that cannot be told of this
 * kernel. */
enum fw_status fw_worker_features(const struct fw_answer **answer, struct fw_worker *worker,
                                  const struct fw_device *device,
                                  const struct fw_feature_settings *settings);

struct fw_trace_settings {
    size_t size;
    bool one_warp; /* the trace of warp `warp` of block `block`; else of the first warp of the
                      largest class */
    uint32_t block[3];
    uint32_t warp;
    uint32_t columns; /* of the timeline of one multiprocessor of `device`; 0: none */
};

/* What a warp of the launch executes, in order, and which warps execute the same.  `device` may be
 * NULL where no timeline is asked for.  FW_ERROR_USAGE (TRC002): the launch has no such warp;
 * FW_ERROR_BUDGET (TRC001): the traces take too much work. */
enum fw_status fw_worker_trace(const struct fw_answer **answer, struct fw_worker *worker,
                               const struct fw_device *device,
                               const struct fw_trace_settings *settings);

/* Runs the launch on this CPU and counts what executed.  Arguments that are bound are as stated;
 * pointers that no argument describes read as zeros.  The answer's unknowns hold measured shares
 * and trips.  FW_ERROR_INPUT: the kernel does what cannot be run, or goes astray; FW_ERROR_BUDGET:
 * the limit was reached. */
enum fw_status fw_worker_emulate(const struct fw_answer **answer, struct fw_worker *worker,
                                 const struct fw_emulate_settings *settings);

/* ---- many launches of a kernel in one call ---- */

enum { FW_LIMITER_BYTES = 32 };

/* Values of one argument, one a launch; one of the two arrays is NULL. */
struct fw_batch_column {
    size_t argument; /* index of the kernel's arguments */
    const int64_t *integers;
    const double *numbers; /* of an argument that is a floating-point number */
};

/* A table of launches, a row each: what is not in it is as the worker's launch has it. */
struct fw_batch_settings {
    size_t size;
    size_t count;           /* rows */
    const uint32_t *grids;  /* x, y, z of each row; NULL: not in the table */
    const uint32_t *blocks; /* likewise */
    const uint64_t *shared; /* dynamic bytes of a block; likewise */
    const struct fw_batch_column *columns;
    size_t column_count;
    const struct fw_predict_settings *predict; /* NULL: the best model, caches warm */
    const char *const *quantities; /* keys of what models find beside the time: "dram_read_bytes" */
    size_t quantity_count;
};

/* Arrays of the caller's with `count` elements, which are filled; NULL: not wanted.  What there is
 * not of a row is NAN. */
struct fw_batch_results {
    size_t size;
    int32_t *statuses; /* enum fw_status of each row */
    double *seconds, *overhead_seconds;
    double *low, *high; /* of the interval */
    double *watts, *joules;
    double *occupancy, *waves;
    char *limiters;     /* FW_LIMITER_BYTES of each row, cut off or filled up with zeros */
    double *quantities; /* by row, then by quantity of the settings */
};

/* The first prediction of each launch of a table, as fw_worker_predict gives it.  FW_OK when all
 * rows have one; else the first status that is not, and the others are answered all the same: but
 * after FW_ERROR_BUDGET and FW_ERROR_MEMORY a worker answers no more, and the rest has that status.
 * The worker keeps the last launch; answers that it gave before are lost. */
enum fw_status fw_worker_predict_many(const struct fw_batch_results *results,
                                      struct fw_worker *worker, const struct fw_device *device,
                                      const struct fw_batch_settings *settings);

/* Values of features at each launch of a table, by row, then by name; the features are named.
 * `statuses` (NULL: not wanted) and the result are as for fw_worker_predict_many, device (NULL:
 * none) and errors as for fw_worker_features. */
enum fw_status fw_worker_features_many(double *values, int32_t *statuses, struct fw_worker *worker,
                                       const struct fw_device *device,
                                       const struct fw_batch_settings *settings,
                                       const struct fw_feature_settings *features);

/* ---- rankings ---- */

/* One configuration. */
struct fw_rank_row {
    size_t number; /* in the order of what varies, the last fastest */
    uint32_t grid[3], block[3];
    uint32_t coarsening[3];    /* points of a thread; 1 along each axis where the code decides */
    const char *const *values; /* of the ranking's names */
    double seconds;            /* by the first of the models */
    const char *model; /* of a ranking in stages: whose time it is, scaled to the ranking's where it
                          is another; NULL: the ranking has none */
    const char *limiter;
    bool has_overhead;
    double overhead_seconds;
    bool has_occupancy;
    uint32_t resident_blocks; /* of a multiprocessor */
    double occupancy, waves;
    bool has_watts;
    double watts, joules; /* of the launch repeated back to back */
    const struct fw_quantity_row *quantities;
    size_t quantity_count;
    const struct fw_cost_row *terms; /* slowest first */
    size_t term_count;
    const char *failure;  /* why there is no prediction; NULL: there is one */
    bool has_work;        /* what it does, whatever its time, is known: */
    double written_bytes; /* of device memory, each byte once; of scattered stores, as executed */
    double operations;    /* in floating point */
    size_t group;         /* of configurations that do the same */
    bool checked;         /* a block of it was emulated */
};

/* Configurations that do the same work: their times can be compared. */
struct fw_rank_group {
    const struct fw_rank_row *rows; /* the fastest first */
    size_t count;
    bool has_work;
    double written_bytes, operations; /* of its fastest */
    bool other_work;                  /* it is not the first group of its size */
    const char *differs; /* by what from that: "written_bytes", "operations", "unknown"; or NULL */
};

/* Configurations by groups of equal work (of each size of `best_for`, the largest group first), in
 * each the fastest first; those that failed last. */
struct fw_ranking {
    const char *kernel, *file, *language;
    const char *device, *device_title;
    const char *model;        /* that times come from */
    const char *cache;        /* "warm", "cold" */
    const char *const *names; /* of arguments, macros and constants ("-DNAME") that vary */
    size_t name_count;
    bool coarsening_varies;
    const struct fw_rank_row *rows;
    size_t row_count, failed;
    size_t refined; /* rows of the ranking's model, those that may be the fastest, where the times
                       of the others are a quicker model's; 0: all are of one model */
    const char *const *unknowns; /* names of what predictions leaned on */
    size_t unknown_count;
    const char *const *not_modelled; /* sentences */
    size_t not_modelled_count;
    double seconds; /* that predicting took; compiling left out, but of the kernel language, whose
                       configurations are each transformed, made code and compiled */
    const struct fw_rank_group *groups;
    size_t group_count;
    const bool *best_for; /* by name: the best are asked for each of its values */
    size_t best_for_count;
    size_t restricted; /* combinations that restrictions leave out */
};

struct fw_rank_settings {
    size_t size;
    const char *path;                         /* of the source */
    const struct fw_program_options *options; /* NULL: as for fw_program_read */
    const char *kernel;                       /* NULL: the only one */
    /* What varies: "block=256x1x1,32x8x1", "threads=256,512" (all shapes of so many threads, in
     * powers of two), "coarsening=1x1x1,1x2x1" (address expressions), "-DNAME=16,32" (a macro, or a
     * constant of the kernel language), "n=1K,2K".  None: threads=256,512,1024; of the kernel
     * language, whose blocks follow from its loops, something must. */
    const char *const *vary;
    size_t vary_count;
    const char *const *bindings; /* "n=1K", for all */
    size_t binding_count;
    /* Points of the domain, numbers or arguments ("640", "nx", "nx-8"), that the grid follows from:
     * ceil(points / (block * coarsening)).  NULL: the grid is `grid`, or the kernel's own. */
    const char *const *domain;
    size_t domain_count;
    uint32_t grid[3], block[3]; /* 0: not stated */
    uint64_t shared;
    const struct fw_device *device;
    const struct fw_predict_settings *predict; /* NULL: the best model, caches warm */
    unsigned workers;                          /* threads; 0: one a processor */
    size_t most;                               /* configurations; 0: 200,000 */
    void (*progress)(void *user, size_t done, size_t all);
    void *user;
    uint32_t registers;     /* as fw_worker_set_registers; 0: as they are */
    bool has_static_shared; /* as fw_worker_set_static_shared */
    uint64_t static_shared;
    /* Expressions over values that vary, -s and -D by name, block_x, block_y, block_z and threads
     * (docs/ranking.md).  Conditions that all configurations meet; the grid, "ceil(n/TILE),m";
     * dynamic shared memory.  NULL: not stated. */
    const char *const *where;
    size_t where_count;
    const char *grid_expression, *shared_expression;
    const char *best_for; /* "n,m": the best for each of their values; NULL: of all */
    /* A file that configurations are added to as they are done, and that those are taken from which
     * an earlier call of the same question put there; files that they are only taken from; and, of
     * `parts` machines that share the configurations, which one this is, from 1 (0: none do). */
    const char *journal;
    const char *const *merge;
    size_t merge_count;
    size_t part, parts;
    /* Gives the next configurations to predict, first <= c < last in their order, instead of all
     * (NULL); at an end beyond their number this call is done.  Those that it did not get have a
     * failure. */
    void (*take)(void *user, size_t *first, size_t *last);
    void *take_user;
};

/* Predicts one kernel over all combinations of what varies; to be freed.  Configurations that the
 * kernel or the device cannot run have a failure, maybe all of them.  FW_ERROR_USAGE: what varies
 * makes no sense. */
enum fw_status fw_context_rank(struct fw_ranking **ranking, const struct fw_context *context,
                               const struct fw_rank_settings *settings);
void fw_ranking_free(struct fw_ranking *ranking);

/* A ranking as text (the `most` fastest; 0: all) or JSON (all), to be freed with fw_text_free. */
enum fw_status fw_ranking_render(char **text, const struct fw_ranking *ranking, size_t most,
                                 const struct fw_render_options *options);

/* ---- pages ---- */

/* One HTML page of kernels and rankings, in the order in which they are added; it refers to nothing
 * outside of itself.  One thread uses a page at a time. */
struct fw_page;

/* A new page with a title (NULL: the usual), to be freed. */
enum fw_status fw_page_new(struct fw_page **page, const struct fw_context *context,
                           const char *title);
void fw_page_free(struct fw_page *page);

/* Adds the worker's launch on `device`: its prediction by these settings (NULL: the best model),
 * advice, account of the time, memory, roofline, occupancy and timeline, as far as models tell
 * them. `name` is how the page calls it.  Fails as fw_worker_predict does; the page is as before
 * then. */
enum fw_status fw_page_add(struct fw_page *page, struct fw_worker *worker,
                           const struct fw_device *device, const char *name,
                           const struct fw_predict_settings *settings);

/* Adds a ranking. */
enum fw_status fw_page_add_ranking(struct fw_page *page, const struct fw_ranking *ranking);

/* The page as text, to be freed with fw_text_free. */
enum fw_status fw_page_render(char **html, struct fw_page *page);

/* ---- answering requests ---- */

struct fw_service_settings {
    size_t size;
    const struct fw_program_options *options;  /* how programs are read; a request's definitions
                                                  stand behind these, and its device says for which
                                                  compute capability */
    const struct fw_device *device;            /* where a request names none; NULL: it must */
    const struct fw_predict_settings *predict; /* likewise models, caches, clock; NULL: the usual */
    const char *file, *kernel;                 /* likewise; NULL: requests must */
};

/* Answers launches one after the other, a line of JSON each (docs/serving.md,
 * docs/schema/serve-request.json and serve-reply.json).  Programs, bound kernels, devices and
 * answers are kept, in bounded number.  One thread uses a service at a time; what the settings
 * point to must outlive it. */
struct fw_service;
enum fw_status fw_service_new(struct fw_service **service, const struct fw_context *context,
                              const struct fw_service_settings *settings);
void fw_service_free(struct fw_service *service);

/* The reply to one request of `length` bytes, FW_REQUEST_MOST at most: a line of JSON, with its
 * newline, that lives until the next call; it names the request by its "id" and by `line`, a number
 * of the caller's.  A request at fault has a reply that says so; nothing is told to the context's
 * `message`.  FW_ERROR_MEMORY: there is no reply. */
enum { FW_REQUEST_MOST = 65536 };
enum fw_status fw_service_ask(const char **reply, struct fw_service *service, uint64_t line,
                              const char *request, size_t length);

/* What was asked so far, as a line of JSON that lives until the next call: requests, those that
 * failed, and launches with their seconds and joules, repeats included.  NULL: out of memory. */
const char *fw_service_totals(struct fw_service *service);

/* ---- generators of measurement kernels ---- */

struct fw_generate_settings {
    size_t size;
    /* Filter tags (docs/generate.md): "matmul" chooses generators, "dtype:f32,f64" values. */
    const char *const *tags;
    size_t tag_count;
    const char *match;          /* "superset", "subset", "identical", "intersect"; NULL: superset */
    const char *const *folders; /* of further generators, beside those in the context's data */
    size_t folder_count;
    const char *output; /* write kernels and launches.json to this new folder; NULL: write nothing,
                           and make no kernel */
    bool list;          /* describe the generators instead of choosing variants */
    bool json;
};

/* The variants that tags choose, or the generators that match them, as text or JSON to be freed
 * with fw_text_free.  Of the files all are written, or none.  FW_ERROR_USAGE: a tag or value that
 * there is not, no variant, or too many; FW_ERROR_INPUT: a generator makes no sense;
 * FW_ERROR_MACHINE: a folder. */
enum fw_status fw_context_generate(char **text, const struct fw_context *context,
                                   const struct fw_generate_settings *settings);

/* ---- sets ---- */

/* The cardinality of an integer set in isl's notation, "[n] -> { [i] : 0 <= i < n }", as a formula
 * in its parameters and, when the bindings ("n=100") give all of them values, as a number; text or
 * JSON to be freed with fw_text_free.  `path` is a file, "-", or the set itself. */
enum fw_status fw_context_count_set(char **text, const struct fw_context *context, const char *path,
                                    const char *const *bindings, size_t binding_count,
                                    const struct fw_render_options *options);

/* ---- many launches ---- */

/* Launches that stand together in a file and run again and again: all of them, then all of them
 * once more. */
struct fw_launch_loop {
    uint64_t repeats;
    size_t first, end;                   /* its launches: from `first` on, before `end` */
    const struct fw_launch_loop *around; /* the loop that this one stands in; NULL: none */
};

/* One line of a file of launches. */
struct fw_launch_item {
    const char *file; /* as written, taken from the launches file's folder; NULL: not stated */
    const char *kernel;
    uint32_t grid[3];
    uint32_t block[3];
    uint64_t shared;
    const char *const *bindings; /* "name=value", for fw_worker_bind */
    size_t binding_count;
    uint64_t repeats;           /* in all: those of the loops around it are multiplied */
    uint32_t line;              /* on which it begins, from 1 */
    const char *const *defines; /* "NAME=VALUE", for the compiler: a variant of the file */
    size_t define_count;
    const char *name; /* of its measurement: as stated, or file, kernel, size and shape */
    const char *knl;  /* the same kernel in the kernel language; NULL: there is none */
    const struct fw_launch_loop *loop; /* the innermost loop around it; NULL: none */
    const char *const *contents; /* "name=content" of arrays, for fw_emulate_settings; a prediction
                                    with any emulates blocks */
    size_t content_count;
    const char *family; /* of kernels that resemble each other, which training leaves out together;
                           NULL: its file */
    uint32_t compiled_registers;   /* as fw_worker_set_compiled; 0: nothing is stated */
    uint32_t compiled_spill_bytes; /* likewise */
};

/* Reads JSON lines, each {"file": ..., "kernel": ..., "grid": [x, y, z] (0 when it is not stated,
 * as for the kernel language, where it follows from the arguments), "block": [x, y, z], "shared":
 * BYTES, "arguments": {NAME: VALUE}, "contents": {NAME: CONTENT}, whose files are named as seen
 * from the list's folder, "defines": {NAME: VALUE}, "family": NAME, "compiled": {"registers": N,
 * "spills": BYTES} (what the compiler gave a thread; spills need not stand there), "repeats": N};
 * or a loop over such lines, {"repeats": N, "launches": [...]}, up to four deep; "-" is standard
 * input. */
enum fw_status fw_launch_list_read(struct fw_launch_list **list, const struct fw_context *context,
                                   const char *path);
void fw_launch_list_free(struct fw_launch_list *list);
size_t fw_launch_list_count(const struct fw_launch_list *list);
const struct fw_launch_item *fw_launch_list_item(const struct fw_launch_list *list, size_t index);

/* ---- measuring ---- */

/* Told before the first configuration (`name` NULL) and after each. */
struct fw_measure_progress {
    const char *name;    /* measured last */
    const char *reason;  /* why it failed; NULL: it did not */
    size_t done, failed; /* by this call */
    size_t left;
    double seconds_left; /* negative: not known yet */
};

struct fw_measure_settings {
    size_t size;
    const char *from;     /* a folder with launches.json, such a list, or a plan (.plan) */
    const char *program;  /* path of forewarp-measure */
    const char *store;    /* path of the store's database; made when it is missing */
    const char *campaign; /* NULL: named after the device and the backend */
    const char
        *backend; /* "cuda", "opencl", "replay"; NULL: cuda, or opencl without a CUDA device */
    const char *recording; /* what replay answers from */
    const char *plan;      /* write the plan to this path, its sources beside it; measure nothing */
    const char *ptx;       /* folder whose NAME.ptx stands for NAME.cu; NULL: compiled */
    const char *sizes;     /* only launches of these sizes, separated by commas; NULL: all */
    const char *kernels;   /* only these kernels, likewise */
    unsigned device;       /* ordinal among the backend's devices */
    unsigned trials;       /* single launches; 0: 60 */
    bool has_settle;
    double settle_seconds; /* of warming up */
    double energy_seconds; /* of back-to-back launches for power; 0: none */
    double limit_seconds;  /* for one configuration; 0: 120 */
    double most_bytes;     /* of a launch's buffers; 0: no limit */
    bool cold;             /* caches flushed before each trial */
    bool restore;          /* buffers that the kernel reads and writes get their content back */
    bool retry;            /* configurations that failed are measured again */
    void (*progress)(void *user, const struct fw_measure_progress *progress);
    void *user;
};

struct fw_measure_result {
    size_t configurations; /* of the plan */
    size_t done, failed;   /* measured by this call */
    size_t known;          /* that the store had */
    size_t left_out;       /* launches that no configuration could be made of */
    char campaign[256];
};

/* Runs kernels on a real device through forewarp-measure, a program of its own, and takes every
 * record into the store as soon as it is made: a call that was cut off is simply made again.
 * `*result` is filled also when the call fails midway.  FW_ERROR_INPUT: list, plan or sources are
 * at fault, or the store is damaged; FW_ERROR_MACHINE: device, compiler, disk. */
enum fw_status fw_context_measure(struct fw_measure_result *result,
                                  const struct fw_context *context,
                                  const struct fw_measure_settings *settings);

/* What a store was given, or gave. */
struct fw_store_change {
    size_t measurements, counters;
    size_t replaced; /* measurements that had failed, counters that were others */
    size_t known;    /* were there already */
    size_t files;
};

/* Text into a store: a file of records, or a folder's files, each a campaign named by its path in
 * it (`campaign` NULL) or of the name given. */
enum fw_status fw_context_store_import(struct fw_store_change *change,
                                       const struct fw_context *context, const char *store,
                                       const char *path, const char *campaign);

/* Counters of a profiler into a campaign, to its measurements: Nsight Compute's CSV, or JSON lines;
 * `order` (NULL: by kernel, grid, block and number of the launch) is a file of JSON lines with the
 * "name" of each launch. */
enum fw_status fw_context_store_counters(struct fw_store_change *change,
                                         const struct fw_context *context, const char *store,
                                         const char *path, const char *order, const char *campaign);

/* A store's campaigns, or one of them, as text: FOLDER/CAMPAIGN.txt, the same bytes whenever the
 * records are the same. */
enum fw_status fw_context_store_export(struct fw_store_change *change,
                                       const struct fw_context *context, const char *store,
                                       const char *folder, const char *campaign);

/* A new store from a folder of text.  FW_ERROR_USAGE: there is one at that path. */
enum fw_status fw_context_store_rebuild(struct fw_store_change *change,
                                        const struct fw_context *context, const char *store,
                                        const char *folder);

/* What a store holds, campaign by campaign, as text or JSON to be freed with fw_text_free. */
enum fw_status fw_context_store_list(char **text, const struct fw_context *context,
                                     const char *store, bool json);

#ifdef __cplusplus
}
#endif

#endif
