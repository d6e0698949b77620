/* Sweeps: one kernel over a space of configurations, predicted on all processors, best first.
 *
 * Takes a source, what varies and a device (struct fw_rank_settings); gives a ranking as plain
 * records.  Reads each variant once and predicts configurations by src/session, a worker a thread.
 * Never renders. */
#ifndef FW_SWEEP_H
#define FW_SWEEP_H

#include "session.h"

/* See fw_context_rank; settings as the caller's header has them. */
enum fw_status fw_sweep_rank(struct fw_ranking **ranking, const struct fw_context *context,
                             const struct fw_rank_settings *settings);
void fw_sweep_free(struct fw_ranking *ranking);

#endif
