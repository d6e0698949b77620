/* Schedules by their parts, for those who compare orders or count barriers: the tree without
 * checks, its barriers, and which executions come first. */
#ifndef FW_LOOP_TREE_H
#define FW_LOOP_TREE_H

#include "loop_schedule.h"

/* The tree alone: no checks, no barriers. */
enum fw_status fw_loop_schedule_tree(struct fw_loop_schedule **schedule,
                                     struct fw_loop_program *program);

/* Puts barriers into the tree. */
enum fw_status fw_loop_place_barriers(struct fw_loop_schedule *schedule);

/* Whether x is done before y by one thread, as a condition on names with __x and __y; the loops
 * that both stand in and their place in the tree decide. */
char *fw_loop_done_before(const struct fw_loop_schedule *schedule, uint32_t x, uint32_t y);

/* Whether x is done after y. */
char *fw_loop_done_after(const struct fw_loop_schedule *schedule, uint32_t x, uint32_t y);

#endif
