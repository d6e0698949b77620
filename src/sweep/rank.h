/* Rankings: one kernel over a space of configurations, as the files about it share them.
 *
 * rank_axes.c makes the axes of the space from what the caller states; rank_run.c predicts its
 * points on all processors; rank.c puts both together. */
#ifndef FW_RANK_H
#define FW_RANK_H

#include "input.h"

#include <stdatomic.h>

enum rank_axis_kind { RANK_DEFINES, RANK_COARSENING, RANK_BLOCKS, RANK_ARGUMENT };

struct rank_value {
    const char *text;   /* as shown: "1K" */
    const char *stated; /* DEFINES: "NAME=VALUE" for the compiler; ARGUMENT: for binding */
    uint32_t triple[3]; /* BLOCKS, COARSENING */
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
    FW_VECTOR(struct rank_axis) axes; /* those that need another program first */
    size_t program_axes;              /* how many these are */
    size_t programs, count;           /* variants; configurations */
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

/* The value of an axis at a configuration (the last axis runs fastest). */
const struct rank_value *rank_value_at(const struct rank_plan *plan, size_t axis,
                                       size_t configuration);

/* rank_loops.c: reads the text and its kernel with the constants of the file; checks what varies.
 * FW_ERROR_USAGE, and a message: something varies that the kernel has not. */
enum fw_status rank_read_loops(struct rank_plan *plan);

/* What varies and is no constant of the kernel; told as an error. */
enum fw_status rank_check_constants(const struct rank_plan *plan);

/* The file's own constants make no kernel, and no others did: why, with places. */
enum fw_status rank_tell_loops(const struct rank_plan *plan);

/* rank.c: the options of a variant's program into plan->options: the caller's, with what varies. */
void rank_set_options(struct rank_plan *plan, size_t variant);

/* Arguments that vary, or that the domain is stated with, must be the kernel's. */
enum fw_status rank_check_arguments(const struct rank_plan *plan, const struct fw_kernel *record);

/* rank_run.c: predicts all configurations into the rows. */
struct rank_run {
    const struct rank_plan *plan;
    struct fw_rank_row *rows;
    atomic_size_t next, done;
    atomic_bool late;         /* the limit of time cut a configuration short */
    size_t stride;            /* configurations that a thread takes at a time */
    struct fw_arena **arenas; /* by thread: what rows point to */
    size_t threads;
    const char *model;           /* that times come from */
    const char *const *unknowns; /* of the fastest configuration */
    size_t unknown_count;
    const char *const *not_modelled;
    size_t not_modelled_count;
};
enum fw_status rank_run(struct rank_run *run);

/* The best model that can answer for a configuration, the first for which one can; NULL: none, or
 * the run is late. */
const char *rank_find_model(struct rank_run *run);

/* Keeps the first error of this thread in `failure` from now on, instead of telling it; NULL: tells
 * again. */
struct rank_failure {
    struct fw_arena *arena;
    const char *text; /* NULL: there was none */
    bool late;        /* the limit of time was one */
};
void rank_catch(struct rank_failure *failure);

/* A sink that keeps the first error of the calling thread's configuration and lets messages through
 * when there is none under way. */
struct fw_sink rank_sink(const struct fw_context *context);

#endif
