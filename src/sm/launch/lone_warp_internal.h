/* What the files of one warp by itself share: its state, and its requests. */
#ifndef FW_LONE_WARP_INTERNAL_H
#define FW_LONE_WARP_INTERNAL_H

#include "lone_warp.h"

#include "in_step.h"

enum {
    CHANCES = 3, /* of misses: in L1, in L2; that a line is far */
    COPY_GROUPS = 16,
    HEAVY = FW_SM_UNIT_COUNT, /* halves of the FMA unit, which is free when one of them is */
    LIGHT,
    UNITS
};

enum queue { QUEUE_LG, QUEUE_MIO, QUEUE_TENSOR, QUEUES, NO_QUEUE = QUEUES };

/* When the last ones that took a place of a queue leave it. */
struct places {
    double *leaves; /* a ring */
    uint32_t depth, next;
};

/* A walk over lines that other warps come to, too. */
struct lines_walked {
    double credit; /* of the next line */
    double there;  /* when the data of the last one are */
};

/* The state of the warp; times in cycles. */
struct walk {
    const struct fw_lone_warp *of;
    double now;    /* the next operation issues no sooner */
    double asks;   /* likewise the next request of memory */
    double last;   /* when all that it asked for has come */
    double stored; /* when all that it stored is acknowledged */
    double copies; /* when its copies have; likewise its products */
    double products;
    double groups[COPY_GROUPS], product_groups[COPY_GROUPS];
    uint32_t group_count, product_count;
    double units[UNITS]; /* free from */
    double servers[FW_SM_SERVER_COUNT];
    double busy[UNITS]; /* cycles so far; NONE: issue slots */
    double served[FW_SM_SERVER_COUNT];
    double arrived;         /* of the barrier unit */
    struct fw_in_step step; /* since the block's warps were last in step */
    uint64_t barriers;      /* that it came to */
    uint64_t turns;         /* parts in which warps or blocks take turns */
    bool meets;             /* it is in a loop that has a barrier */
    struct places queues[QUEUES];
    double *slots;              /* when values are there */
    double *round;              /* by depth of loops */
    double *credits;            /* by instruction: of misses in L1 and in L2 */
    struct lines_walked *lines; /* by instruction */
    uint32_t instructions;
    double chance; /* see draw() */
    bool drawn;    /* some requests miss and some do not */
    bool ordered;  /* asynchronous products were, ... */
    double leaves; /* ... which leave this share of shared memory's cycles */
};

/* What in_step.h has of them: units, servers and the barrier unit. */
enum { SERVERS = (int)UNITS, ARRIVALS = SERVERS + (int)FW_SM_SERVER_COUNT };
_Static_assert((int)ARRIVALS < (int)FW_IN_STEP_ASKED, "a place for each");

/* The later one of two moments. */
static inline double later(double a, double b)
{
    return a > b ? a : b;
}

/* The warp asks a unit or server (of in_step.h) from a moment on, as all warps of its block do. */
void lone_ask(struct walk *walk, uint32_t which, double from, double work);

/* Cycles at which the load-store unit is done that is asked from a moment on; of requests of shared
 * memory, products leave a share of it. */
double lone_serve_lsu(struct walk *walk, double from, double cycles, bool of_shared);

/* A request: when its result is there; `*taken`: when the load-store unit takes it. */
double lone_request(struct walk *walk, const struct fw_step *step, double time, double *taken);

#endif
