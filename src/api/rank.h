/* Rankings: one kernel over a space of configurations, as the files about it share them.
 *
 * rank_axes.c makes the axes of the space from what the caller states; rank_run.c predicts its
 * points on all processors; rank.c puts both together. */
#ifndef FW_API_RANK_H
#define FW_API_RANK_H

#include "api_internal.h"

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
    bool addresses; /* the program is address expressions */
    bool compiled;  /* a compiler reads it, and its macros */
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

/* rank_run.c: predicts all configurations into the rows. */
struct rank_run {
    const struct rank_plan *plan;
    struct fw_rank_row *rows;
    atomic_size_t next, done;
    struct fw_arena **arenas; /* by thread: what rows point to */
    size_t threads;
    const char *const *unknowns; /* of the fastest configuration */
    size_t unknown_count;
    const char *const *left_out;
    size_t left_out_count;
};
enum fw_status rank_run(struct rank_run *run);

/* A sink that keeps the first error of the calling thread's configuration and lets messages through
 * when there is none under way. */
struct fw_sink rank_sink(const struct fw_context *context);

#endif
