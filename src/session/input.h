/* Kinds of input: one struct of functions each, so that nothing else tells languages apart.
 *
 * A kind reads a program's text into kernels, makes a kernel's record, sets a launch up and answers
 * its questions.  Adding a kind is adding a file with such a struct and a line in input.c. */
#ifndef FW_INPUT_H
#define FW_INPUT_H

#include "session.h"

/* A program under way. */
struct fw_input_reading {
    struct fw_program *program;
    struct fw_program_options options;
    const char *path;
    const char *text; /* NULL: it is read from the path */
    size_t length;
    bool from_file;   /* the text was read from the path */
    const char *name; /* of the text, where it stands inside the file; NULL: the file's */
};

struct fw_input {
    enum fw_program_language language;
    const char *name;    /* in answers: "cuda" */
    const char *suffix;  /* ".cu" */
    bool compiled;       /* a compiler reads the file by itself */
    bool has_defines;    /* -DNAME means something: macros, constants */
    bool launch_follows; /* grid and block follow from the program, whose constants vary */
    bool has_coarsening; /* it states at how many points a thread works */
    const char *dumps;   /* what can be shown of it, for messages; NULL: nothing */

    /* Reads the program's text (in `reading`, or by a compiler from its path) into its kernels. */
    enum fw_status (*read)(struct fw_input_reading *reading);

    /* Makes a kernel's record. */
    enum fw_status (*make)(struct fw_program *program, struct program_kernel *kernel);

    /* What is shown under a name; NULL: there is no such thing.  `kernel` has its record, but for
     * "ptx". */
    char *(*dump)(struct fw_arena *arena, const struct fw_program *program,
                  const struct program_kernel *kernel, const char *what);

    /* A worker's own things, beyond what all have (NULL: there are none), and their end. */
    enum fw_status (*open)(struct fw_worker *worker, const struct program_kernel *kernel);
    void (*close)(struct fw_worker *worker);

    /* What the input states of launches, into one that was cleared (NULL: nothing). */
    void (*clear)(struct fw_worker *worker);

    /* Checks and binds the worker's launch and begins the answer; without a grid it is an error
     * where one is needed. */
    enum fw_status (*begin)(struct fw_worker *worker, bool grid_needed);

    /* Questions about the launch: each begins the answer, and fills it. */
    enum fw_status (*count)(struct fw_worker *worker);
    enum fw_status (*predict)(struct fw_worker *worker);
    enum fw_status (*emulate)(struct fw_worker *worker);
    enum fw_status (*features)(struct fw_worker *worker);
    enum fw_status (*trace)(struct fw_worker *worker);

    /* Frees what no worker has taken over (NULL: nothing). */
    void (*forget)(struct fw_program *program);
};

/* The kind of a language, or of a path's suffix where none is stated; NULL: it is not known. */
const struct fw_input *fw_input_find(enum fw_program_language language, const char *path);

/* program.c: options kept for generated code, and values of constants. */
void fw_input_keep_options(struct fw_program *program, const struct fw_program_options *options);

/* worker.c: whether the kernel allows the launch's block; the launch bound, when there is a grid
 * (an error where it is needed); the answer's frame: kernel, launch, arguments. */
enum fw_status fw_input_check_block(const struct fw_worker *worker);
enum fw_status fw_input_bind_launch(struct fw_worker *worker, bool grid_needed);
void fw_input_begin_answer(struct fw_worker *worker);

/* input.c: counts, predictions, features and traces from a record with a schedule. */
enum fw_status fw_input_count(struct fw_worker *worker);
enum fw_status fw_input_predict(struct fw_worker *worker);
enum fw_status fw_input_features(struct fw_worker *worker);
enum fw_status fw_input_trace(struct fw_worker *worker);

/* input.c: "record" and "domains" of a kernel, as text; NULL: neither is asked for. */
char *fw_input_dump_record(struct fw_arena *arena, const struct fw_kernel *record,
                           const char *what);

#endif
