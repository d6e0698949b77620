/* Rankings: one kernel over a space of configurations, as the files about it share them.
 *
 * rank_axes.c makes the axes of the space from what the caller states, and rank_points.c its
 * points, restricted; rank_run.c predicts them on all processors, by rank_launch.c; rank_groups.c
 * compares equal work alone; rank.c puts these together. */
#ifndef FW_RANK_H
#define FW_RANK_H

#include "input.h"
#include "rank_expression.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum rank_axis_kind { RANK_DEFINES, RANK_COARSENING, RANK_BLOCKS, RANK_ARGUMENT };

struct rank_value {
    const char *text;   /* as shown: "1K" */
    const char *stated; /* DEFINES: "NAME=VALUE" for the compiler; ARGUMENT: for binding */
    uint32_t triple[3]; /* BLOCKS, COARSENING */
    /* BLOCKS: sides as expressions ("TILExROWS"); 0: `triple` has them. */
    const char *sides[3];
    size_t side_lengths[3], side_count;
};

struct rank_axis {
    enum rank_axis_kind kind;
    const char *name;
    FW_VECTOR(struct rank_value) values;
};

/* Points of the domain along one axis: a number, or an argument plus a number. */
struct rank_extent {
    const char *argument; /* NULL: `value` alone */
    int64_t value;
};

struct rank_plan {
    struct fw_arena *arena;
    const struct fw_context *context;
    const struct fw_rank_settings *settings;
    FW_VECTOR(struct rank_axis) axes;   /* those that need another program first */
    size_t program_axes;                /* how many these are */
    size_t variants, points;            /* combinations of what varies; of the program axes alone */
    size_t *chosen;                     /* points that restrictions leave, ascending */
    size_t count;                       /* how many these are: configurations */
    size_t *variant_of;                 /* by configuration: its variant's place in `programs` */
    size_t programs, *program_variants; /* variants that configurations have, ascending */
    size_t restricted;                  /* points that restrictions leave out */
    size_t parts;                       /* 1 and less: all configurations are ranked here */
    struct fw_rank_row sample;          /* of a prediction that was made: its kinds of quantities */
    bool has_domain;
    struct rank_extent domain[3];
    const struct fw_input *input; /* the kind of the source */
    struct fw_context *quiet;     /* the context, with the sink of rank_run.c */
    /* Of the kernel language: the text, read once, and its kernel with the file's own constants
     * (NULL: that is none).  Variants are made by the threads that predict them. */
    struct fw_program *base;
    const struct fw_kernel *base_kernel;
    /* By variant: */
    struct fw_program_item *items;
    struct fw_program_options *options;
    const struct fw_kernel **kernels;
};

/* rank_axes.c: the axes, from the settings.  FW_ERROR_USAGE, and a message. */
enum fw_status rank_axes(struct rank_plan *plan);

/* The value of an axis at a point (the last axis runs fastest). */
const struct rank_value *rank_value_at(const struct rank_plan *plan, size_t axis, size_t point);

/* rank_points.c: the points that --where leaves, and their variants.  FW_ERROR_USAGE, and a
 * message: an expression makes no sense, nothing is left, or too much is. */
enum fw_status rank_points(struct rank_plan *plan);

/* What names in expressions stand for: values that vary, definitions, bindings, sides of a block
 * (block_x, block_y, block_z, threads; NULL: none yet), and a worker's bound arguments (NULL). */
struct rank_scope {
    const struct rank_plan *plan;
    size_t point;
    const uint32_t *block;
    const struct fw_worker *worker;
};

/* The value of an expression (`length` bytes) at a scope; false, and a problem: it has none. */
bool rank_evaluate(struct rank_number *value, const struct rank_scope *scope, const char *text,
                   size_t length, struct rank_problem *problem);

/* The block that is stated for a point; all 0: none is.  False, and a problem: a side is no whole
 * number above 0. */
bool rank_block_at(uint32_t block[3], const struct rank_plan *plan, size_t point,
                   struct rank_problem *problem);

/* Where a text's part of bytes `from` on ends: at a comma outside of brackets, or at its end. */
size_t rank_part_end(const char *text, size_t from);

/* rank_launch.c: binds the worker to a point's launch.  Failures are told. */
enum fw_status rank_bind(const struct rank_plan *plan, struct fw_worker *worker, size_t point);

/* Points of a thread, as the caller says: code does not tell. */
uint32_t rank_points_of_thread(const struct rank_plan *plan, int axis);

/* rank_work.c: what the launch that a worker is bound to does, whatever its time: bytes that it
 * writes, each once, and floating-point operations; into the row. */
void rank_measure_work(struct fw_rank_row *row, struct fw_worker *worker);

/* rank_groups.c: sorts the rows, those that failed last, by groups of equal work, the largest group
 * first, in each the fastest first; names the groups.  Of each size (values of the names that
 * `best_for` has) apart. */
void rank_group(struct fw_ranking *ranking, struct fw_rank_row *rows, struct fw_arena *arena);

/* rank_loops.c: reads the text and its kernel with the constants of the file; checks what varies.
 * FW_ERROR_USAGE, and a message: something varies that the kernel has not. */
enum fw_status rank_read_loops(struct rank_plan *plan);

/* What varies and is no constant of the kernel; told as an error. */
enum fw_status rank_check_constants(const struct rank_plan *plan);

/* The file's own constants make no kernel, and no others did: why, with places. */
enum fw_status rank_tell_loops(const struct rank_plan *plan);

/* Arguments that vary, or that the domain is stated with, must be the kernel's. */
enum fw_status rank_check_arguments(const struct rank_plan *plan, const struct fw_kernel *record);

/* What the prediction of a configuration leaned on and leaves out. */
struct rank_sentences {
    size_t number;     /* of the configuration */
    const char *model; /* that times come from */
    const char *const *unknowns;
    size_t unknown_count;
    const char *const *not_modelled;
    size_t not_modelled_count;
};

/* rank_journal.c: configurations that are done, in a file. */
struct rank_journal {
    FILE *file; /* NULL: none is written */
    pthread_mutex_t lock;
    bool failed; /* something could not be written */
};

/* The texts of what varies at a point, by the ranking's names. */
const char *const *rank_values_at(const struct rank_plan *plan, struct fw_arena *arena,
                                  size_t point);

/* rank_run.c: predicts all configurations into the rows. */
struct rank_run {
    const struct rank_plan *plan;
    struct fw_rank_row *rows;
    bool *known;                                /* by row: a journal has it */
    FW_VECTOR(struct rank_sentences) sentences; /* of journals */
    struct rank_journal journal;
    atomic_size_t next, done;
    atomic_bool late;            /* the limit of time cut a configuration short */
    const size_t *order;         /* the configurations that are asked; NULL: all of the plan */
    size_t count;                /* of the order */
    double *low, *high;          /* by configuration: the interval of the time; NULL: not wanted */
    struct rank_sentences *told; /* by configuration; NULL: not wanted */
    size_t refined;              /* configurations that the second stage predicted */
    size_t stride;               /* configurations that a thread takes at a time */
    struct fw_arena **arenas;    /* by thread: what rows point to */
    size_t threads;
    struct rank_sentences best; /* of the fastest configuration */
};
enum fw_status rank_run(struct rank_run *run);

/* Takes the rows of the settings' journals, and opens the one that goes on.  FW_ERROR_INPUT: one is
 * of another ranking, or none.  Adds a row, from any thread; with what it leaned on, where it may
 * turn out the fastest (NULL). */
enum fw_status rank_journal_open(struct rank_journal *journal, struct rank_run *run);
void rank_journal_add(struct rank_journal *journal, struct fw_arena *arena,
                      const struct fw_rank_row *row, const struct rank_sentences *best);
enum fw_status rank_journal_close(struct rank_journal *journal, const struct rank_plan *plan);

/* rank_check.c: runs a block of the fastest configurations of each group that is chosen from in the
 * emulator, and of the first of the other groups.  Those that leave shared memory get a failure,
 * and the rows, sorted by rank_group, are sorted again; so do those that load shared memory which
 * no thread wrote, if others do not.  A warning: all do. */
void rank_check(struct fw_ranking *ranking, const struct rank_plan *plan, struct fw_rank_row *rows);

/* rank_stages.c: whether a ranking by the model (NULL: none) has stages; the model of the first,
 * and the second: after all rows were predicted by the first, those of each group of equal work
 * that may be its fastest by the best model, which `*models` then names, and the times of the
 * others scaled to it.  The ranking has the names that vary. */
bool rank_has_stages(const char *model);
const char *rank_quick_model(void);
enum fw_status rank_refine(struct rank_run *run, const char **models,
                           const struct fw_ranking *ranking);

/* The best model that can answer for a configuration, the first for which one can; NULL: none, or
 * the run is late.  `sample` gets its quantities. */
const char *rank_find_model(struct rank_run *run, struct fw_rank_row *sample);

/* Keeps the first error of this thread in `failure` from now on, instead of telling it; NULL: tells
 * again. */
struct rank_failure {
    struct fw_arena *arena;
    const char *text; /* NULL: there was none */
    const char *code; /* of that error */
    bool late;        /* the limit of time was one */
};
void rank_catch(struct rank_failure *failure);

/* A sink that keeps the first error of the calling thread's configuration and lets messages through
 * when there is none under way. */
struct fw_sink rank_sink(const struct fw_context *context);

#endif
