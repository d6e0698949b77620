/* Kernel-language programs as sessions ask them: see input_loops.c and loop_counts.c. */
#ifndef FW_SESSION_LOOPS_H
#define FW_SESSION_LOOPS_H

#include "session.h"

/* Grid and block of the answer, from the tags and the bound parameters.  FW_ERROR_USAGE: another
 * launch was stated. */
enum fw_status fw_session_loop_launch(struct fw_worker *worker);

/* The answer's counts, straight from the domains. */
enum fw_status fw_session_loop_count(struct fw_worker *worker);

/* Runs the generated code's PTX, for the answer's launch. */
enum fw_status fw_session_loop_emulate_code(struct fw_worker *worker);

/* The trace of a warp of the generated code, for the answer's launch. */
enum fw_status fw_session_loop_trace_code(struct fw_worker *worker);

/* The answer's prediction: of the generated code where that can be compiled, else from the domains;
 * the kernel's layer says which.  FW_ERROR_USAGE: a parameter is not bound. */
enum fw_status fw_session_loop_predict(struct fw_worker *worker);

/* The answer's features: from the domains, and of the generated code where only that tells them. */
enum fw_status fw_session_loop_features(struct fw_worker *worker);

#endif
