/* What the parts of src/loop/schedule share with nobody else. */
#ifndef FW_LOOP_SCHEDULE_INTERNAL_H
#define FW_LOOP_SCHEDULE_INTERNAL_H

#include "loop_dependence.h"
#include "loop_tree.h"

/* A square of truth values. */
struct fw_loop_relation {
    size_t size;
    bool *at;
};
bool *fw_loop_related(const struct fw_loop_relation *relation, size_t a, size_t b);

/* Whether the loop is one that a thread goes through. */
bool fw_loop_is_sequential(const struct fw_loop_program *program, const char *name);

/* Statements that come before others (closed). */
enum fw_status fw_loop_order_statements(struct fw_loop_relation *before,
                                        struct fw_loop_program *program);

/* A total order of all loops: `rank` by variable. */
enum fw_status fw_loop_order_loops(uint32_t **rank, struct fw_loop_program *program);

/* Refuses orders in which a reader comes before the only store of what it reads, and dependences
 * between threads or blocks that no barrier can order. */
enum fw_status fw_loop_check_schedule(struct fw_loop_schedule *schedule);

#endif
