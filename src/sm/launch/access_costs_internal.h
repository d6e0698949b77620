/* What the rooms of access costs share: what is known of a launch's accesses while costs are found.
 */
#ifndef FW_ACCESS_COSTS_INTERNAL_H
#define FW_ACCESS_COSTS_INTERNAL_H

#include "trace_work.h"

#include "local_volumes.h"
#include "sampled_warps.h"

#include <math.h>

/* Of lines anywhere in L2, the share that is in a far part, of two. */
static const double COSTING_FAR_SHARE = 0.5;

/* Requests of one execution by a warp, in the mean. */
struct one_request {
    bool known;
    double sectors, lines, partial, wavefronts, passes, atomic_passes;
};

struct costing {
    struct fw_trace_work *work;
    struct fw_sampling sampling;
    struct one_request *requests; /* by access of the record */
    double *warps;                /* that execute it, in the launch */
    double sector;
    double load_wavefronts, store_wavefronts; /* of src/memory, by those of `requests` */
    struct l1_misses {
        double share, part;    /* of executions by a warp; of the sectors of one of these */
        double fetched;        /* of these, the share that loads before have not brought to L2 */
        double comes, sharers; /* share of executions that come to lines new to the warp; warps
                                  of a block that ask for the same ones */
        const uint8_t *leader; /* fw_trace_line_leaders */
    } * l1;                    /* by access */
    const bool *first;         /* by access: loads of a warp's first batch */
    const struct fw_load_order *order; /* by affine access */
    double asked;                 /* of loads that miss in L1, the share that L2 is asked for */
    double l2_miss;               /* of loads from L2, for a weight of 1 */
    double written;               /* share of stored bytes that go on to device memory */
    double filled;                /* bytes read to complete sectors, by those written */
    double read_time, write_time; /* of device memory, by what the bytes take at its bandwidth */
    double sent;                  /* stored bytes that L1 sends to L2, by those of requests */
    double store_taken;           /* bytes that L2 takes stores as, by those of taken_bytes() */
    double store_bytes;           /* the same by passed_bytes() */
    double atomic_pass;           /* seconds of the device */
    struct fw_local_volumes local;
    double local_miss; /* of local loads' sectors, in L1 */
};

/* a / b, from 0 to 1; 0 where b is nothing. */
static inline double costing_ratio(double a, double b)
{
    return b > 0 ? fmin(1, fmax(0, a / b)) : 0;
}

/* Whether an access goes to device memory through L1 and L2. */
static inline bool costing_is_global(const struct fw_access *access)
{
    return access->space != FW_SPACE_SHARED && access->space != FW_SPACE_PARAM &&
           access->space != FW_SPACE_CONST && access->space != FW_SPACE_LOCAL;
}

/* Whether the volumes of affine accesses have the load. */
bool costing_is_affine_load(const struct costing *c, uint32_t access);

/* The share of an access's requests to L2 that miss there, relative to others'. */
double costing_miss_weight(const struct costing *c, uint32_t access);

/* like_requests.c: sets an access's requests to those of a known one that is the same but for where
 * it begins: by a multiple of what requests depend on, or if `exactly` is false and there is none
 * such, anywhere.  False: there is none. */
bool costing_find_like(const struct costing *c, uint32_t index, bool exactly);

/* like_requests.c: whether two loads come to sectors that are new to their warp at the same
 * executions: they are the same but for where they begin, by whole sectors. */
bool costing_walk_in_step(const struct costing *c, uint32_t one, uint32_t other);

/* atomic_tries.c: whether an instruction is an atomic operation of shared memory that is a loop of
 * others; the rounds that a warp goes through in it, where what one of them takes is set in `to`.
 */
bool costing_is_tried(const struct costing *c, uint32_t instruction);
double costing_tries(struct costing *c, struct fw_sm_access *to, uint32_t instruction);

/* access_misses.c: finds the share of lines in the far part of L2. */
void costing_find_far_share(struct fw_trace_work *work);

/* The shares of loads and stores that go on from level to level, so that volumes come out. */
void costing_find_misses(struct costing *c);

#endif
