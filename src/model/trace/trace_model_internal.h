/* Shared by the files of the trace model. */
#ifndef FW_TRACE_MODEL_INTERNAL_H
#define FW_TRACE_MODEL_INTERNAL_H

#include "block_choice.h"
#include "model.h"
#include "trace_work.h"

/* trace_answer.c: occupancy, terms, stall reasons, and what is not modelled.  `around`: seconds
 * that a launch takes beyond what is simulated. */
void fw_trace_publish(struct fw_trace_work *work, const struct fw_sm_result *result, double around);

/* "long_scoreboard.dram". */
const char *fw_trace_part_name(struct fw_arena *arena, enum fw_sm_part part);
/* The line of a place of the account; 0: none. */
uint32_t fw_trace_line(const struct fw_trace_work *work, uint32_t place);
/* time_account.c: lines of the code as places of an account; the account as rows. */
void fw_trace_open_account(struct fw_trace_work *work, bool by_line);
void fw_trace_publish_account(struct fw_trace_work *work, const struct fw_sm_result *result,
                              double around);

/* trace_model.c: what the model asks of a launch. */
struct fw_trace_question fw_trace_ask(const struct fw_model_question *question);

#endif
