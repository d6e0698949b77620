/* Emulation as the API wires it.
 *
 * Takes a worker's launch and contents of arrays; gives what executed (emulation.c), or what a few
 * blocks show of branches, trip counts and addresses that depend on data, for a prediction
 * (sample.c).  Never predicts. */
#ifndef FW_EMULATION_H
#define FW_EMULATION_H

#include "frequencies.h"
#include "session.h"

/* emulation.c: emulates the worker's launch; the answer's frame is there.  `*emulation` is the
 * caller's to free, on failure too. */
enum fw_status fw_session_emulate(struct fw_worker *worker, struct fw_emulation **emulation);

/* emulation.c: the launch as the emulator takes it, in the worker's results: its sizes,
 * bound numbers, and contents of arrays by the settings.  `given`, by parameter: set where there
 * are contents. */
enum fw_status fw_session_emulate_arguments(struct fw_worker *worker,
                                            const struct fw_emulate_settings *settings,
                                            struct fw_emulate_launch *launch, bool *given);

/* emulation.c: the function of the worker's kernel; what ran, into the answer. */
const struct fw_function *fw_session_function(const struct fw_worker *worker);
void fw_session_publish_emulation(struct fw_worker *worker, const struct fw_emulate_result *result);

/* emulation.c: what was measured of a branch or loop, into its row of unknowns. */
void fw_session_measured_row(struct fw_unknown_row *row, const struct fw_frequency *found,
                             bool is_loop);

#endif
