/* Sessions: programs that were read, workers that are bound to launches, and what both share.
 *
 * What stands behind the handles of include/forewarp.h: takes sources, launches, devices and
 * settings, asks front ends, record, launch and models in turn, and gives answers as plain records.
 * src/api hands these functions on to callers; src/sweep asks them for many configurations.  Never
 * renders an answer and never keeps global state. */
#ifndef FW_SESSION_H
#define FW_SESSION_H

#include "address_reader.h"
#include "assemble.h"
#include "compile.h"
#include "device.h"
#include "emulate.h"
#include "ir.h"
#include "launch.h"
#include "model.h"
#include "needs.h"
#include "tally.h"

#include "forewarp.h"

struct fw_input;
struct fw_feature_names;
struct fw_feature_rows;
struct fw_frequency;

struct fw_context {
    struct fw_arena *arena;
    struct fw_sink sink; /* hands diagnostics on as messages */
    void (*message)(void *user, const struct fw_message *message);
    void *user;
    size_t memory;
    double question_seconds; /* of processor time that one question may take; 0: no limit */
    double run_seconds;      /* as stated, and when they are over */
    int64_t run_end;
    const char *data;     /* folder; NULL: none */
    const char *profiles; /* in it; NULL: none */
    const char *headers;
    const char *cache;
    struct fw_session_compilers *compilers;  /* found so far (compilers.c) */
    struct fw_model_states *models;          /* opened so far; these two are all that changes */
    const struct fw_feature_names *features; /* of the caller's own; none: their count is 0 */
};

/* One kernel of a program, made when it is first asked for. */
struct program_kernel {
    struct fw_function *function;        /* NULL: the kernel language's */
    const char *name;                    /* PTX's, or the kernel language's */
    struct fw_kernel *record;            /* NULL before */
    struct loop_source *loops;           /* of the kernel language (input_loops.c) */
    struct fw_address_kernel *addresses; /* NULL: it has code */
    struct fw_kernel_row row;
    bool prepared; /* the passes have run */
};

struct fw_program {
    const struct fw_context *context;
    struct fw_arena *arena;
    const char *file;                  /* as the user named it */
    const struct fw_input *input;      /* the kind that it is of (input.h) */
    uint32_t coarsening[3];            /* of address expressions; 0: as stated */
    struct fw_program_options compile; /* of generated code (kernel language); its definitions are
                                          of the language's constants */
    struct fw_source source;           /* of the PTX */
    struct fw_module *module;          /* NULL: the kernel language's, or address expressions */
    struct fw_compiled *compiled;      /* NULL: it was PTX */
    const char *compiled_name; /* in lines of the PTX, of a text that came without a file; NULL */
    unsigned capability;       /* of the device; 0: the PTX's target */
    enum fw_ptxas_use ptxas;
    unsigned assemble_seconds;    /* limit; 0: the default */
    struct fw_assembly *assembly; /* what ptxas said; NULL before it was asked */
    struct fw_assembly *machine;  /* what Triton's .cubin says; NULL: there is none */
    struct program_kernel *kernels;
    size_t kernel_count;
    /* What Triton's file beside the PTX says (triton.c); 0 and NULL without one: */
    uint32_t usual_threads; /* of a block */
    uint64_t usual_shared;  /* dynamic bytes of a block */
    bool has_usual;
    const char *usual_kernel;
    uint32_t *box_bytes; /* by parameter of the usual kernel: of a tensor's box */
    uint32_t box_count;
    bool late; /* the limit of wall time cut work on it short: it answers no more */
};

struct fw_worker {
    const struct fw_program *program;
    const struct fw_kernel *record;
    const struct fw_kernel_row *row;
    struct fw_arena *arena;   /* lives as long as the worker */
    struct fw_arena *results; /* of the last question */
    struct fw_bound *bound;
    struct fw_tally *tally;
    struct fw_launch *launch;
    struct fw_argument_row *arguments;
    uint32_t *alignments;  /* by parameter; 0: the default */
    uint8_t *kinds;        /* by parameter, as stated: enum fw_index_kind */
    double *spreads;       /* by parameter, as stated; 0: nothing was */
    const char **names;    /* of arrays in a sequence of launches, likewise; NULL: nothing was */
    struct fw_needs needs; /* of the domains' counts */
    const struct brief_rows *brief; /* counts.c; NULL before */
    mpz_t sum;
    bool sum_made;
    const struct fw_count_settings *settings;
    struct loop_work *loops;                   /* of the kernel language; NULL: PTX */
    const struct fw_address_kernel *addresses; /* NULL: PTX or the kernel language */
    bool shared_stated;                        /* by the caller, or beside the PTX */
    uint32_t stated_registers;                 /* 0: as the record has them */
    uint32_t compiled_registers; /* by the compiler, as the caller says; 0: not said */
    uint32_t compiled_spill_bytes;
    bool static_stated;
    uint32_t stated_static;         /* bytes */
    bool grid_follows;              /* from the domain of address expressions */
    const struct fw_device *device; /* of the question */
    const struct fw_predict_settings *predict;
    const struct fw_emulate_settings *emulate;
    const struct fw_feature_settings *features;
    const struct fw_trace_settings *trace;
    const double *domain_own;                  /* own features by the domains, likewise */
    const struct fw_feature_rows *domain_rows; /* of the kernel language's domains, where this
                                                  worker's code was generated from them; NULL */
    struct fw_emulation *emulation;            /* of the question under way */
    struct fw_sample *sample; /* what a prediction's emulated blocks showed; NULL: none ran */
    struct fw_answer *answer;
    struct fw_model_answers *answers; /* of models, to the questions that results are of; NULL */
    bool kept;                        /* results of questions stay beside each other */
    bool late; /* the limit of wall time cut a question short: it answers no more */
};

/* What work is for, for its limit of wall time: what it does ("counting"), which source it is about
 * (NULL: none), a flag that stays true once the limit has cut work short (NULL: none; else nothing
 * is done any more when it is true), and whether it is many questions, which share the limit of the
 * whole run alone. */
struct fw_session_limit {
    const char *doing;
    const struct fw_source *source;
    bool *late;
    bool many;
};

/* Calls `work(user)` with the arenas' exhaustion caught (arenas may be NULL): FW_ERROR_MEMORY then,
 * with a message.  Past the context's limits of wall time it gives FW_ERROR_BUDGET, with a message,
 * whatever came of the work. */
enum fw_status fw_session_guard_within(const struct fw_context *context,
                                       const struct fw_session_limit *limit, struct fw_arena *arena,
                                       struct fw_arena *other, enum fw_status (*work)(void *user),
                                       void *user);

/* The same for a question that needs no name. */
enum fw_status fw_session_guard(const struct fw_context *context, struct fw_arena *arena,
                                struct fw_arena *other, enum fw_status (*work)(void *user),
                                void *user);

/* To be called for each error that this thread tells: a guard that fails without one tells that,
 * API008, so that no failure is silent. */
void fw_session_told_error(void);

/* Copies the option structure that a caller gave (its first member is its size; NULL: all zero)
 * into `size` zeroed bytes. */
void fw_session_options(void *into, size_t size, const void *from);

/* A text that the caller frees with fw_text_free; NULL without memory. */
char *fw_session_text(const char *text);

/* An error of the question, which has no place in an input. */
#define fw_session_error(context, code, ...)                                                       \
    fw_report(&(context)->sink, FW_ERROR, code, (struct fw_span){0}, __VA_ARGS__)

/* An error of a program as a whole: its place is the program's file. */
#define fw_session_file_error(program, code, ...)                                                  \
    fw_report_file(&(program)->context->sink, FW_ERROR, code, (program)->file, __VA_ARGS__)

/* files.c: texts of lines of code, from the file that the user named or one beside it. */
void fw_session_add_code_texts(struct fw_worker *worker, struct fw_code_row *rows, size_t count);
/* A file's text ("-": standard input) into the arena, at most 256 MiB and without zero bytes. */
enum fw_status fw_session_read_file(struct fw_source *source, struct fw_arena *arena,
                                    const struct fw_context *context, const char *path);
/* The same of any bytes. */
enum fw_status fw_session_read_bytes(struct fw_source *source, struct fw_arena *arena,
                                     const struct fw_context *context, const char *path);
/* Whether a file begins as a fat binary or as an ELF file; false where it cannot be read. */
bool fw_session_is_fatbin(const char *path);
/* Whether there is such a file, for a compiler that will read it by itself; what is not plain (a
 * pipe) is read for it. */
enum fw_status fw_session_check_file(bool *is_plain, const struct fw_context *context,
                                     const char *path);
/* Bytes that were read as a text: a byte order mark is left out; FW_ERROR_INPUT (API003): there are
 * zero bytes in it. */
enum fw_status fw_session_take_text(const struct fw_context *context, struct fw_source *source);

/* triton.c: takes the launch's defaults from the .json beside a .ptx, if it is Triton's, and what
 * the kernels' machine code takes of a multiprocessor from the .cubin. */
void fw_session_read_triton(struct fw_program *program, const char *path);

/* binding.c: what an argument is called: of PTX's own names, KERNEL_param_3, the end alone. */
const char *fw_session_short_name(const struct fw_kernel *record, const char *name);
/* Bytes of the whole argument's name in that of a parameter: 1 of "p.w" and of "p+8". */
size_t fw_session_whole_length(const struct fw_parameter *parameter);
/* An argument's index by name, short name or position; a part of a structure by position and
 * offset, 0+8.  FW_NONE: there is none. */
uint32_t fw_session_find_argument(const struct fw_kernel *record, const char *name);

/* resources.c: registers, spills and static shared memory from ptxas into the record, as far as the
 * program's options want it; else registers and spills from machine code beside the PTX, if there
 * is some; else the record stays as it is. */
void fw_session_resources(struct fw_program *program, struct fw_kernel *record);

/* kernel_names.c: whether `stated` names the kernel with this name of PTX as the source does, with
 * template arguments ("axpy<float,4>") or with all of its signature.  Scratch is the arena's. */
bool fw_session_is_called(struct fw_arena *arena, const char *entry, const char *stated);
/* The kernel's name as the source has it, with template arguments; NULL: PTX's is the source's. */
const char *fw_session_full_name(struct fw_arena *arena, const char *entry);
/* A sentence for a kernel that is not there because a template is not instantiated; NULL: it is
 * not that.  `stated` NULL: any. */
const char *fw_session_template_hint(const struct fw_program *program, const char *stated);

/* Asks ptxas, once, when the program's options want it; told are warnings alone. */
void fw_session_assemble(struct fw_program *program);

/* program.c: the program's name of the kernel called `name` (NULL: the only one); told otherwise.
 */
enum fw_status fw_session_kernel_name(const char **found, const struct fw_program *program,
                                      const char *name);

/* input_loops.c: reads a kernel of the program's text, with the values of its constants; `name`:
 * the program's own. */
struct fw_loop_program;
struct fw_poly;
enum fw_status fw_session_loop_read(struct fw_loop_program **loops, struct fw_arena *arena,
                                    struct fw_poly *poly, const struct fw_program *program,
                                    const char *name, const struct fw_sink *sink);

/* compilers.c: the compiler for the options' language and name, looked for once in a context's
 * life, from any thread.  The result belongs to the context. */
struct fw_session_compilers *fw_session_compilers_new(void);
void fw_session_compilers_free(struct fw_session_compilers *compilers);
enum fw_status fw_session_find_compiler(const struct fw_compiler **compiler,
                                        const struct fw_context *context,
                                        const struct fw_compile_options *options);

/* counts.c: fills the answer's counts and unknowns, after the launch was bound.  What is missing is
 * in the rows.  With `emulated` the numbers are those of the emulator. */
enum fw_status fw_session_count(struct fw_worker *worker, const struct fw_emulate_result *emulated);

/* counts.c: the unknowns that answers since the binding leaned on, into the answer. */
void fw_session_unknowns(struct fw_worker *worker);

/* emulation.c: emulates the worker's launch; the answer's frame is there.  `*emulation` is the
 * caller's to free, on failure too. */
enum fw_status fw_session_emulate(struct fw_worker *worker, struct fw_emulation **emulation);

/* emulation.c: the launch as the emulator takes it, in the worker's results: its sizes,
 * bound numbers, and contents of arrays by the settings.  `given`, by parameter: set where there
 * are contents. */
enum fw_status fw_session_emulate_arguments(struct fw_worker *worker,
                                            const struct fw_emulate_settings *settings,
                                            struct fw_emulate_launch *launch, bool *given);

/* emulation.c: the function of the worker's kernel; what ran, into the answer. */
const struct fw_function *fw_session_function(const struct fw_worker *worker);
void fw_session_publish_emulation(struct fw_worker *worker, const struct fw_emulate_result *result);

/* emulation.c: what was measured of a branch or loop, into its row of unknowns. */
void fw_session_measured_row(struct fw_unknown_row *row, const struct fw_frequency *found,
                             bool is_loop);

/* sample.c: emulates a few blocks of the bound launch, as the prediction's settings say, and takes
 * what they show into the worker's launch, which is bound again.  The launch is the user's again
 * after fw_session_forget_sample; both do nothing where no blocks are asked for. */
enum fw_status fw_session_sample(struct fw_worker *worker);
void fw_session_forget_sample(struct fw_worker *worker);
/* Into a row of an unknown branch or loop (`index` of the record): where its value is from. */
void fw_session_explain_unknown(const struct fw_worker *worker, struct fw_unknown_row *row,
                                bool is_loop, uint32_t index);
/* The working sets that the prediction took from the sample, as rows of unknowns; at most one an
 * array. */
size_t fw_session_sampled_spreads(const struct fw_worker *worker, struct fw_unknown_row *rows);

/* predict.c */
enum fw_status fw_session_predict(struct fw_worker *worker);
/* The models asked for; FW_ERROR_USAGE: one is not there.  Whether the device can run the answer's
 * launch. */
enum { FW_SESSION_MODELS_MOST = 16 };
struct fw_session_models {
    bool any; /* the best that can answer */
    bool asked[FW_SESSION_MODELS_MOST];
};
enum fw_status fw_session_choose_models(struct fw_session_models *models,
                                        const struct fw_worker *worker);
enum fw_status fw_session_check_device(const struct fw_worker *worker);
/* Whether a model is asked that tells times from features. */
bool fw_session_asks_features(const struct fw_session_models *models);
/* block_limits.c: FW_ERROR_INPUT (API034): the kernel declares more static shared memory than a
 * block can have; FW_ERROR_USAGE (API034): so much is stated; (API035): dynamic shared memory of a
 * size that is not given; (API036): more registers are stated than a thread can have.  Else the
 * question is of a kernel whose registers a thread can have; where that limits an estimate, it is
 * told. */
enum fw_status fw_session_limit_block(struct fw_model_question *question,
                                      const struct fw_worker *worker);
/* The question as far as the worker states it; the models' answers to it into the answer. */
struct fw_model_question fw_session_question(const struct fw_worker *worker);
enum fw_status fw_session_ask_models(struct fw_worker *worker,
                                     const struct fw_session_models *models,
                                     struct fw_model_question *question);

/* advice_answer.c: advice for the first prediction of the answer, if the settings want it. */
enum fw_status fw_session_advise(struct fw_worker *worker,
                                 const struct fw_model_question *question);

/* what_if.c: the launch's time under each order of issue into the answer.  FW_ERROR_USAGE
 * (API096): there is no compiled code; else as the model trace fails. */
enum fw_status fw_session_issue_orders(struct fw_worker *worker,
                                       const struct fw_model_question *question);

/* What the question states otherwise, into the answer, and into its predictions that no
 * measurement checks them. */
void fw_session_tell_what_if(struct fw_worker *worker);

/* predict.c: FW_ERROR_USAGE (API030): answers leaned on arguments that are not given. */
enum fw_status fw_session_check_arguments(const struct fw_worker *worker);

/* worker_features.c: threads of a warp, 32 where no profile says. */
uint32_t fw_session_warp(const struct fw_device *device);
/* worker_features.c: the answer's features, of a launch that is bound (the worker's own code), or
 * of domains alone (`rows`, and why there is no code). */
enum fw_status fw_session_features(struct fw_worker *worker);
enum fw_status fw_session_domain_features(struct fw_worker *worker,
                                          const struct fw_feature_rows *rows, const double *own,
                                          const char *no_code);
/* Values of the caller's own features by an answer's counts, in the worker's results; NULL: there
 * are none. */
const double *fw_session_own_features(const struct fw_worker *worker,
                                      const struct fw_answer *counted);
/* The same for code whose launch is bound: by the domains that it was generated from, else by its
 * own counts. */
enum fw_status fw_session_own_features_of_code(const double **values, struct fw_worker *worker);
/* warp_trace.c: the answer's trace, of a launch that is bound. */
enum fw_status fw_session_trace(struct fw_worker *worker);
/* timeline_answer.c: adds the timeline. */
enum fw_status fw_session_timeline(struct fw_worker *worker, struct fw_trace_answer *answer);
/* Whether a feature that the question names can only be told from compiled code. */
enum fw_status fw_session_features_need_code(bool *needed, struct fw_worker *worker);

/* ---- programs: see the functions of the same names in forewarp.h ---- */

/* Options as the caller's header has them (NULL: all zero). */
enum fw_status fw_session_program_read(struct fw_program **program,
                                       const struct fw_context *context, const char *path,
                                       const struct fw_program_options *options);
enum fw_status fw_session_program_parse(struct fw_program **program,
                                        const struct fw_context *context, const char *name,
                                        const char *text, size_t length,
                                        const struct fw_program_options *options);
enum fw_status fw_session_program_read_many(struct fw_program_item *items, size_t count,
                                            const struct fw_context *context, unsigned workers);
void fw_session_program_free(struct fw_program *program);
enum fw_status fw_session_program_kernel(const struct fw_kernel **kernel,
                                         struct fw_program *program, const char *name);
enum fw_status fw_session_program_dump(char **text, struct fw_program *program, const char *name,
                                       const char *what);

/* ---- workers: as in forewarp.h, where the same names without `session` say what they do; settings
 * are complete, of this header's size ---- */

enum fw_status fw_session_worker_new(struct fw_worker **worker, const struct fw_program *program,
                                     const struct fw_kernel *kernel);
void fw_session_worker_free(struct fw_worker *worker);
void fw_session_worker_clear(struct fw_worker *worker);
void fw_session_worker_set_grid(struct fw_worker *worker, uint32_t x, uint32_t y, uint32_t z);
void fw_session_worker_set_block(struct fw_worker *worker, uint32_t x, uint32_t y, uint32_t z);
void fw_session_worker_set_shared(struct fw_worker *worker, uint64_t bytes);
void fw_session_worker_set_registers(struct fw_worker *worker, uint32_t registers);
void fw_session_worker_set_compiled(struct fw_worker *worker, uint32_t registers,
                                    uint32_t spill_bytes);
void fw_session_worker_set_static_shared(struct fw_worker *worker, uint64_t bytes);
enum fw_status fw_session_worker_set_global(struct fw_worker *worker, uint32_t x, uint32_t y,
                                            uint32_t z);
enum fw_status fw_session_worker_bind(struct fw_worker *worker, const char *text);
enum fw_status fw_session_worker_bind_integer(struct fw_worker *worker, size_t index,
                                              int64_t value);
enum fw_status fw_session_worker_bind_number(struct fw_worker *worker, size_t index, double value);
/* From now on results of questions stay beside each other, and a model that has answered to the
 * same is not asked again; or no longer: the next question's results take the place of all. */
void fw_session_worker_keep(struct fw_worker *worker, bool kept);
/* What models have answered to the questions whose results live. */
struct fw_model_answers *fw_session_answers(struct fw_worker *worker);
enum fw_status fw_session_worker_count(const struct fw_answer **answer, struct fw_worker *worker,
                                       const struct fw_count_settings *settings);
enum fw_status fw_session_worker_predict(const struct fw_answer **answer, struct fw_worker *worker,
                                         const struct fw_device *device,
                                         const struct fw_predict_settings *settings);
enum fw_status fw_session_worker_features(const struct fw_answer **answer, struct fw_worker *worker,
                                          const struct fw_device *device,
                                          const struct fw_feature_settings *settings);
enum fw_status fw_session_worker_trace(const struct fw_answer **answer, struct fw_worker *worker,
                                       const struct fw_device *device,
                                       const struct fw_trace_settings *settings);
enum fw_status fw_session_worker_emulate(const struct fw_answer **answer, struct fw_worker *worker,
                                         const struct fw_emulate_settings *settings);

#endif
