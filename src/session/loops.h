/* Kernel-language programs as the API wires them: see loops.c. */
#ifndef FW_SESSION_LOOPS_H
#define FW_SESSION_LOOPS_H

#include "session.h"

/* The kernels of a .knl text, by name; each is read when it is asked for. */
enum fw_status fw_session_loop_list(struct fw_program *program);

/* Reads a kernel: its record has arguments and nothing else. */
enum fw_status fw_session_loop_kernel(struct fw_program *program, struct program_kernel *kernel);

/* Frees what no worker has taken over. */
void fw_session_loop_forget(struct fw_program *program);

/* The worker's own copy of the kernel, and its end. */
enum fw_status fw_session_loop_open(struct fw_worker *worker);
void fw_session_loop_close(struct loop_work *work);

/* Grid and block of the answer, from the tags and the bound parameters.  FW_ERROR_USAGE: another
 * launch was stated. */
enum fw_status fw_session_loop_launch(struct fw_worker *worker);

/* The answer's counts, straight from the domains. */
enum fw_status fw_session_loop_count(struct fw_worker *worker);

/* Runs the generated code's PTX, for the answer's launch. */
enum fw_status fw_session_loop_emulate_code(struct fw_worker *worker);

/* The answer's prediction: of the generated code where that can be compiled, else from the domains;
 * the kernel's layer says which.  FW_ERROR_USAGE: a parameter is not bound. */
enum fw_status fw_session_loop_predict(struct fw_worker *worker);

#endif
