/* Transformations: the same computation, done otherwise.
 *
 * Takes a finished program (loop.h) and changes it in place; each refuses, with a reason, what
 * would change the results (docs/kernel-language.md says what). */
#ifndef FW_LOOP_TRANSFORM_H
#define FW_LOOP_TRANSFORM_H

#include "loop_edit.h"

/* name becomes factor * name_outer + name_inner, 0 <= name_inner < factor. */
enum fw_status fw_loop_split(struct fw_loop_program *program, const char *name, int64_t factor,
                             struct fw_span span);

/* Gives a loop to a block or thread axis, or has it unrolled.  Refuses to spread iterations that
 * touch each other's elements, unless the caller promises (`unordered`) that any order will do. */
enum fw_status fw_loop_set_tag(struct fw_loop_program *program, const char *name,
                               struct fw_loop_tag tag, bool unordered, struct fw_span span);

/* "block.0", "g.0", "thread.1", "l.1", "unroll", "sequential"; false: none of them. */
bool fw_loop_tag_read(struct fw_loop_tag *tag, const char *text);

/* The parameter has this value from now on: it is no parameter any more. */
enum fw_status fw_loop_fix(struct fw_loop_program *program, const char *name, int64_t value,
                           struct fw_span span);

/* The loop gets the name `to`; or, when `from` is an array, the array. */
enum fw_status fw_loop_rename(struct fw_loop_program *program, const char *from, const char *to,
                              struct fw_span span);

/* The selected statements that stand in loop `name` stand in a loop of their own, `copy`, with the
 * same bounds. */
enum fw_status fw_loop_duplicate(struct fw_loop_program *program, const char *name,
                                 const char *copy, struct fw_loop_selector selector,
                                 struct fw_span span);

/* The selected statements stand in loop `name`, too: they are done again in each of its iterations.
 */
enum fw_status fw_loop_add_loop(struct fw_loop_program *program, const char *name,
                                struct fw_loop_selector selector, struct fw_span span);

/* A private temporary that has a value for each iteration of these loops. */
enum fw_status fw_loop_privatize(struct fw_loop_program *program, const char *array,
                                 const char *const *loops, uint32_t count, struct fw_span span);

/* Loops are nested in this order, outermost first.  Refuses to change what depends on each other,
 * unless the caller promises (`unordered`) that this order will do. */
enum fw_status fw_loop_set_order(struct fw_loop_program *program, const char *const *loops,
                                 uint32_t count, bool unordered, struct fw_span span);

/* `name` runs over outer and inner: name = extent(inner) * outer + inner. */
enum fw_status fw_loop_join(struct fw_loop_program *program, const char *outer, const char *inner,
                            const char *name, struct fw_span span);

/* The array's dimensions lie in memory in this order, slowest first. */
enum fw_status fw_loop_set_axes(struct fw_loop_program *program, const char *array,
                                const uint32_t *axes, uint32_t count, struct fw_span span);

/* Each thread does `factor` iterations of a thread's loop: name becomes
 * (extent / factor) * name_coarse + name, name_coarse in 0 to factor - 1 a sequential loop. */
enum fw_status fw_loop_coarsen(struct fw_loop_program *program, const char *name, int64_t factor,
                               struct fw_span span);

struct fw_loop_prefetch {
    const char *array;
    const char *tag;           /* of the accesses; NULL: all loads of the array */
    const char *const *sweeps; /* the loops whose iterations the fetched piece serves */
    uint32_t sweep_count;
    bool box;         /* fetch the footprint's bounding box */
    bool untagged;    /* leave the fetching loops sequential */
    const char *name; /* of the shared array; NULL: ARRAY_fetch */
};

/* Loads of the array inside of the sweeps read a shared array, which a new statement ARRAY_fetch
 * fills with their footprint; its loops ARRAY_dim_0, ... are given to the thread axes, the fastest
 * dimension to axis 0. */
enum fw_status fw_loop_add_prefetch(struct fw_loop_program *program,
                                    const struct fw_loop_prefetch *prefetch, struct fw_span span);

/* The work remover (Stevens and Kloeckner, algorithm 3): what is left are the loads and stores of
 * global memory other than those of the named arrays, in their loops. */
enum fw_status fw_loop_strip(struct fw_loop_program *program, const char *const *removed,
                             uint32_t count, struct fw_span span);

#endif
