/* Frequencies: what emulated blocks say of branches, loops and addresses that are not static.
 *
 * Takes the counts of each block that ran and each access to memory; gives for every branch and
 * loop of the record the mean over threads and over warps, weighted by the blocks that each
 * emulated one stands for, for every array the bytes over which addresses that depend on data are
 * spread, for every access with such addresses some of its requests, and how uneven atomic
 * operations on such an array are.  Never decides whether a number may be used: see data_origin.h.
 */
#ifndef FW_FREQUENCIES_H
#define FW_FREQUENCIES_H

#include "emulate.h"
#include "ir.h"
#include "kernel.h"
#include "seen_requests.h"

/* One measured number; `value` NAN: no thread came by. */
struct fw_frequency {
    double value;               /* by thread: share of taken branches, trips an entry */
    double warps, warps_passed; /* by warp: share with a thread that takes a branch, and with one
                                   that does not; trips an entry.  NAN: not known */
    double blocks_taken, blocks_passed; /* of a branch, by block that came by: share with a warp of
                                           which a thread takes it, and with one of which one does
                                           not.  NAN: not known */
    double error;                       /* the standard error of `value`, by that of blocks */
    double low, high;                   /* the least and the greatest of a block's own */
    uint64_t observations;              /* threads at the branch; entries of the loop */
    uint32_t blocks;                    /* that came by */
};

/* The addresses of an array that depend on data, in sectors of 32 bytes. */
struct fw_array_use {
    uint64_t low, high; /* first byte and last byte + 1 of those seen; high 0: none */
    uint64_t requests;  /* of warps */
    uint64_t sectors;   /* that these asked for: distinct ones of each request */
    double touched; /* bytes that all blocks of the launch come to, by estimate (working_set.h) */
    struct fw_granule_loads loads; /* of atomic operations; levels 0: none, or others on the
                                      array have addresses that do not depend on data */
};

enum { FW_MOST_SEEN = 512 };

struct fw_frequencies {
    struct fw_frequency *branches, *loops; /* as in the record */
    struct fw_array_use *arrays;
    struct fw_seen_requests *requests; /* by access: at most FW_MOST_SEEN, evenly spread */
};

struct fw_frequency_counter;

/* Starts counting; all memory is the arena's.  `record`, `function` and `launch` must outlive it.
 * With `sampled` the first and the last block of the grid stand for themselves and the others for
 * all the rest; else every block stands for as many.  `granule`: bytes of a granule of an array's
 * atomic operations; 0: they are not followed. */
struct fw_frequency_counter *fw_frequency_counter_new(struct fw_arena *arena,
                                                      const struct fw_kernel *record,
                                                      const struct fw_function *function,
                                                      const struct fw_emulate_launch *launch,
                                                      bool sampled, uint64_t granule);

/* Sets the emulation's options so that it tells the counter. */
void fw_frequency_counter_listen(struct fw_frequency_counter *counter,
                                 struct fw_emulate_options *options);

/* What was counted, in the arena. */
struct fw_frequencies *fw_frequency_counter_result(struct fw_frequency_counter *counter);

/* The same of all copies of a branch or loop of the record that have its name: one unknown.  Means
 * are weighted by observations. */
struct fw_frequency fw_frequency_of_copies(const struct fw_frequencies *found,
                                           const struct fw_kernel *record, bool is_loop,
                                           uint32_t index);

#endif
