/* Random wait: how long a warp waits for a load at random addresses.
 *
 * Takes where its lines are found and the latencies of the levels.  Gives the wait for the last of
 * them.  Never knows of turns and bytes: models queue the requests. */
#ifndef FW_RANDOM_WAIT_H
#define FW_RANDOM_WAIT_H

#include "random_access.h"

/* Cycles that a level takes. */
struct fw_level_latencies {
    double l1, l2, dram;
    double spread; /* mean by which a request to device memory takes longer than the least */
};

/* Expected cycles until the last of the lines that a warp's load requests is there; each is found
 * in L1, L2 or device memory by its chance, independently of the others.  Requests to device memory
 * take longer than the least by exponentially distributed times, so that the last of n takes
 * spread * (1/2 + ... + 1/n) longer than one ("Loads of a batch" in docs/memory-traffic.md). */
double fw_random_wait(const struct fw_random_hits *hits, const struct fw_level_latencies *latency);

#endif
