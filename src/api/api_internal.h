/* What the files of the API share: the handles of include/forewarp.h. */
#ifndef FW_API_INTERNAL_H
#define FW_API_INTERNAL_H

#include "address_reader.h"
#include "assemble.h"
#include "compile.h"
#include "device.h"
#include "emulate.h"
#include "ir.h"
#include "launch.h"
#include "model.h"
#include "tally.h"

#include "forewarp.h"

struct fw_context {
    struct fw_arena *arena;
    struct fw_sink sink; /* hands diagnostics on as messages */
    void (*message)(void *user, const struct fw_message *message);
    void *user;
    size_t memory;
    const char *profiles; /* folder; NULL: none */
    const char *headers;
    const char *cache;
    struct api_compilers *compilers; /* found so far (programs.c) */
    struct fw_model_states *models;  /* opened so far; these two are all that changes */
};

/* One kernel of a program, made when it is first asked for. */
struct program_kernel {
    struct fw_function *function;        /* NULL: the kernel language's */
    const char *name;                    /* PTX's, or the kernel language's */
    struct fw_kernel *record;            /* NULL before */
    struct loop_source *loops;           /* of the kernel language (loops.c) */
    struct fw_address_kernel *addresses; /* NULL: it has code */
    struct fw_kernel_row row;
    bool prepared; /* the passes have run */
};

struct fw_program {
    const struct fw_context *context;
    struct fw_arena *arena;
    const char *file; /* as the user named it */
    const char *language;
    uint32_t coarsening[3];            /* of address expressions; 0: as stated */
    struct fw_program_options compile; /* of generated code (kernel language); its definitions are
                                          of the language's constants */
    struct fw_source source;           /* of the PTX */
    struct fw_module *module;          /* NULL: the kernel language's, or address expressions */
    struct fw_compiled *compiled;      /* NULL: it was PTX */
    unsigned capability;               /* of the device; 0: the PTX's target */
    enum fw_ptxas_use ptxas;
    unsigned assemble_seconds;    /* limit; 0: the default */
    struct fw_assembly *assembly; /* what ptxas said; NULL before it was asked */
    struct program_kernel *kernels;
    size_t kernel_count;
    /* What Triton's file beside the PTX says (triton.c); 0 and NULL without one: */
    uint32_t usual_threads; /* of a block */
    uint64_t usual_shared;  /* dynamic bytes of a block */
    const char *usual_kernel;
    uint32_t *box_bytes; /* by parameter of the usual kernel: of a tensor's box */
    uint32_t box_count;
};

/* Words of a set of parameters. */
typedef uint64_t parameter_word;
enum { PARAMETER_WORD_BITS = 64 };

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
    uint32_t *alignments;           /* by parameter; 0: the default */
    double *spreads;                /* by parameter, as stated; 0: nothing was */
    parameter_word *needs;          /* by domain: the parameters that its count may ask for */
    uint32_t need_words;            /* a domain */
    const struct brief_rows *brief; /* counts.c; NULL before */
    mpz_t sum;
    bool sum_made;
    const struct fw_count_settings *settings;
    struct loop_work *loops;                   /* of the kernel language; NULL: PTX */
    const struct fw_address_kernel *addresses; /* NULL: PTX or the kernel language */
    bool grid_follows;                         /* from the domain of address expressions */
    const struct fw_device *device;            /* of the question */
    const struct fw_predict_settings *predict;
    const struct fw_emulate_settings *emulate;
    struct fw_emulation *emulation; /* of the question under way */
    struct fw_answer *answer;
};

/* Calls `work(user)` with the arenas' exhaustion caught (arenas may be NULL): FW_ERROR_MEMORY then,
 * with a message. */
enum fw_status api_guard(const struct fw_context *context, struct fw_arena *arena,
                         struct fw_arena *other, enum fw_status (*work)(void *user), void *user);

/* Copies the option structure that a caller gave (its first member is its size; NULL: all zero)
 * into `size` zeroed bytes. */
void api_options(void *into, size_t size, const void *from);

/* A text that the caller frees with fw_text_free; NULL without memory. */
char *api_text(const char *text);

/* An error without a place. */
#define api_error(context, code, ...)                                                              \
    fw_report(&(context)->sink, FW_ERROR, code, (struct fw_span){0}, __VA_ARGS__)

/* files.c: a file's text ("-": standard input) into the arena, at most 256 MiB and without zero
 * bytes. */
enum fw_status api_read_file(struct fw_source *source, struct fw_arena *arena,
                             const struct fw_context *context, const char *path);
/* Whether there is such a file, for a compiler that will read it by itself; what is not plain (a
 * pipe) is read for it. */
enum fw_status api_check_file(bool *is_plain, const struct fw_context *context, const char *path);
enum fw_status api_check_text(const struct fw_context *context, const struct fw_source *source);

/* triton.c: takes the launch's defaults from the .json beside a .ptx, if it is Triton's. */
void api_read_triton(struct fw_program *program, const char *path);

/* binding.c: an argument's index by name or position; PTX's own names without the kernel's too.
 * FW_NONE: there is none. */
uint32_t api_find_argument(const struct fw_kernel *record, const char *name);

/* resources.c: registers, spills and static shared memory from ptxas into the record, as far as the
 * program's options want it; else the record stays as it is. */
void api_resources(struct fw_program *program, struct fw_kernel *record);

/* Asks ptxas, once, when the program's options want it; told are warnings alone. */
void api_assemble(struct fw_program *program);

/* program.c: the program's name of the kernel called `name` (NULL: the only one); told otherwise. */
enum fw_status api_kernel_name(const char **found, const struct fw_program *program,
                               const char *name);

/* loops.c: reads a kernel of the program's text, with the values of its constants; `name`: the
 * program's own. */
struct fw_loop_program;
struct fw_poly;
enum fw_status api_loop_read(struct fw_loop_program **loops, struct fw_arena *arena,
                             struct fw_poly *poly, const struct fw_program *program,
                             const char *name, const struct fw_sink *sink);

/* programs.c: the compiler for the options' language and name, looked for once in a context's life,
 * from any thread.  The result belongs to the context. */
struct api_compilers *api_compilers_new(void);
void api_compilers_free(struct api_compilers *compilers);
enum fw_status api_find_compiler(const struct fw_compiler **compiler,
                                 const struct fw_context *context,
                                 const struct fw_compile_options *options);

/* counts.c: fills the answer's counts and unknowns, after the launch was bound.  What is missing is
 * in the rows.  With `emulated` the numbers are those of the emulator. */
enum fw_status api_count(struct fw_worker *worker, const struct fw_emulate_result *emulated);

/* counts.c: the unknowns that answers since the binding leaned on, into the answer. */
void api_unknowns(struct fw_worker *worker);

/* predict.c */
enum fw_status api_predict(struct fw_worker *worker);
/* The models asked for; FW_ERROR_USAGE: one is not there.  Whether the device can run the answer's
 * launch. */
enum { API_MODELS_MOST = 16 };
struct api_models {
    bool any; /* the best that can answer */
    bool asked[API_MODELS_MOST];
};
enum fw_status api_choose_models(struct api_models *models, const struct fw_worker *worker);
enum fw_status api_check_device(const struct fw_worker *worker);
/* The question as far as the worker states it; the models' answers to it into the answer. */
struct fw_model_question api_question(const struct fw_worker *worker);
enum fw_status api_ask_models(struct fw_worker *worker, const struct api_models *models,
                              struct fw_model_question *question);

/* measured_volumes.c: the counters of the answer's kernel and launch in a file, into the results.
 * FW_ERROR_INPUT (API070): unreadable, or none of the model's volumes is in it. */
struct fw_traffic_measured;
enum fw_status api_read_measured(const struct fw_traffic_measured **measured,
                                 struct fw_worker *worker, const char *path);

#endif
