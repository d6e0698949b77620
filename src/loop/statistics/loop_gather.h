/* What the parts of statistics share. */
#ifndef FW_LOOP_GATHER_H
#define FW_LOOP_GATHER_H

#include "loop_points.h"
#include "loop_statistics.h"

/* A sum in the making: counts (by index) times factors. */
struct sum_terms {
    FW_VECTOR(uint32_t) counts;
    FW_VECTOR(int64_t) factors;
};

struct gather {
    struct fw_loop_program *program;
    const struct fw_loop_statistics_options *options;
    struct fw_loop_statistics *statistics;
    struct fw_arena *arena;
    struct fw_set *assumptions; /* NULL: none */
    struct fw_set *live;        /* a union in the making, to be freed should memory end */
    struct fw_map known;        /* set's text to index + 1 of `counts` */
    FW_VECTOR(struct fw_count *) counts;
    FW_VECTOR(struct sum_terms) operation_terms;
    FW_VECTOR(struct sum_terms) memory_terms;
    struct sum_terms flop_terms;
    bool leans; /* the statement at hand does, on a condition that is not affine */
    int64_t threads[FW_LOOP_AXES];             /* 0: no such axis */
    const char *blocks[FW_LOOP_AXES];          /* a condition on axis_name; NULL: no such axis */
    int64_t warps;                             /* of a block */
    const struct fw_loop_statement *statement; /* the one at hand */
    enum fw_status status;
};

/* The count of a set of ours; the gather keeps it. */
enum fw_status fw_gather_count(struct gather *gather, uint32_t *index, const char *text,
                               struct fw_span span);

/* Adds `times` executions at every point of the domain of the gather's statement with these loops;
 * axes of the launch that are not among them do the same work redundantly, unless `unique`. */
void fw_gather_points(struct gather *gather, struct sum_terms *terms, const fw_loop_names *loops,
                      enum fw_loop_granularity granularity, int64_t times);

/* A name that no program has: for the value of block axis `axis`. */
const char *fw_gather_axis_name(struct fw_arena *arena, unsigned axis);

/* Extents of the launch's axes. */
enum fw_status fw_gather_launch(struct gather *gather);

/* The loop of `loops` on that axis, or NULL. */
const char *fw_gather_axis(const struct fw_loop_program *program, const fw_loop_names *loops,
                           enum fw_loop_tag_kind kind, unsigned axis);

/* The strides of an access along all axes into the row. */
void fw_gather_strides(struct gather *gather, struct fw_loop_memory_row *row,
                       const struct fw_loop_expression *access, const fw_loop_names *loops);

/* Extents of the arrays that have memory rows; footprints. */
void fw_gather_extents(struct gather *gather);
enum fw_status fw_gather_footprints(struct gather *gather);

/* Barriers, where the program has an order. */
void fw_gather_barriers(struct gather *gather);

#endif
