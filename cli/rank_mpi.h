/* rank by several processes, under mpirun: in programs that are built with MPI. */
#ifndef FW_RANK_MPI_H
#define FW_RANK_MPI_H

#include "forewarp.h"

#include <stdbool.h>

/* Whether a launcher of MPI started this process. */
bool rank_mpi_runs(void);

/* Ranks with all processes, once in a process's life; only the first one gets the ranking (NULL
 * elsewhere), and has to show it. */
enum fw_status rank_mpi(struct fw_ranking **ranking, bool *first, const struct fw_context *context,
                        const struct fw_rank_settings *settings);

#endif
