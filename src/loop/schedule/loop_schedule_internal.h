/* What the parts of scheduling share. */
#ifndef FW_LOOP_SCHEDULE_INTERNAL_H
#define FW_LOOP_SCHEDULE_INTERNAL_H

#include "loop_dependence.h"
#include "loop_schedule.h"

/* A square of truth values. */
struct fw_loop_relation {
    size_t size;
    bool *at;
};
struct fw_loop_relation fw_loop_relation_new(struct fw_arena *arena, size_t size);
bool *fw_loop_related(const struct fw_loop_relation *relation, size_t a, size_t b);
void fw_loop_relation_close(struct fw_loop_relation *relation);

/* The tree alone: no checks, no barriers. */
enum fw_status fw_loop_schedule_tree(struct fw_loop_schedule **schedule,
                                     struct fw_loop_program *program);

/* Whether the loop is one that a thread goes through. */
bool fw_loop_is_sequential(const struct fw_loop_program *program, const char *name);

/* Statements that come before others (closed). */
enum fw_status fw_loop_order_statements(struct fw_loop_relation *before,
                                        struct fw_loop_program *program);

/* A total order of all loops: `rank` by variable. */
enum fw_status fw_loop_order_loops(uint32_t **rank, struct fw_loop_program *program);

/* Puts barriers into the tree. */
enum fw_status fw_loop_place_barriers(struct fw_loop_schedule *schedule);

/* Whether x is done before y by one thread, as a condition on names with __x and __y; the loops
 * that both stand in and their place in the tree decide. */
char *fw_loop_done_before(const struct fw_loop_schedule *schedule, uint32_t x, uint32_t y);

/* Whether x is done after y. */
char *fw_loop_done_after(const struct fw_loop_schedule *schedule, uint32_t x, uint32_t y);

/* Refuses, when a tree of the program `after` does dependent executions in another order than one
 * of `before` did.  Both have the same statements; `mapped` names of `after` are, in the statements
 * of `before`, the texts beside them.  A program that had no order has none to keep. */
struct fw_loop_mapping {
    const char *name; /* a loop of `after`; NULL: none */
    const char *with; /* "16*i%s + j%s": each %s is the suffix */
};
enum fw_status fw_loop_check_order(struct fw_loop_program *before, struct fw_loop_program *after,
                                   const struct fw_loop_mapping *mapping, struct fw_span span);

/* Whether the statements and loops can be put in order at all. */
bool fw_loop_has_order(struct fw_loop_program *program);

/* Refuses orders in which a reader comes before the only store of what it reads, and dependences
 * between threads or blocks that no barrier can order. */
enum fw_status fw_loop_check_schedule(struct fw_loop_schedule *schedule);

#endif
