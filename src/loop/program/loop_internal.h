/* What the parts of src/loop/program share with nobody else. */
#ifndef FW_LOOP_INTERNAL_H
#define FW_LOOP_INTERNAL_H

#include "loop_edit.h"
#include "loop_points.h"

/* Refuses statements that wait for themselves. */
enum fw_status fw_loop_check_circles(struct fw_loop_program *program);

/* What was asked about sets, and answered: transformations ask the same again and again. */
struct fw_loop_memo;
struct fw_loop_memo *fw_loop_memo_new(struct fw_arena *arena, const struct fw_sink *sink);

#endif
