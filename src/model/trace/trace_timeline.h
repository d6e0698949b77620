/* The timeline of one multiprocessor of a launch, by the trace model.
 *
 * Simulates twice: the first time tells how long the simulated blocks take. */
#ifndef FW_TRACE_TIMELINE_H
#define FW_TRACE_TIMELINE_H

#include "model.h"

/* Answers the question by the model, as a timeline of so many columns; the result, in the
 * question's arena, is what include/forewarp.h says.  Errors are the model's. */
enum fw_status fw_trace_timeline(struct fw_timeline *timeline,
                                 const struct fw_model_question *question, uint32_t columns);

#endif
