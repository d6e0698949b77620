/* Warps in step: how much longer the last of them takes than one by itself.
 *
 * Takes what one warp asks of units and servers, from when on and for how long, in its order.  All
 * warps that were in step at one moment, with as much to do, ask the same: of any run of requests
 * to one unit, the last warp has its last result no sooner than the unit has worked for all of
 * them, and what comes ahead of the run and behind it takes as long as for one warp by itself (the
 * bound of one machine of a flow shop).  Gives the most of all runs beyond the time of one warp, as
 * requests come; knows no operations. */
#ifndef FW_IN_STEP_H
#define FW_IN_STEP_H

#include <stdint.h>

enum { FW_IN_STEP_ASKED = 32 /* units and servers, at most */ };

struct fw_in_step {
    double beyond; /* cycles by which the last warp is later, so far: the most of all runs */
    struct {
        double beyond; /* of the run that ends now; at least 0 */
        double end;    /* of the last request, in the time of one warp */
    } runs[FW_IN_STEP_ASKED];
};

/* Warps are in step at a moment. */
void fw_in_step_begin(struct fw_in_step *step, double now);

/* A warp asks for `work` cycles of a unit or server, which so many warps ask for the same. */
void fw_in_step_ask(struct fw_in_step *step, uint32_t asked, double warps, double from,
                    double work);

/* The warp's requests come later by so many cycles: nothing is asked meanwhile. */
void fw_in_step_shift(struct fw_in_step *step, double cycles);

/* What was asked since `before` is asked so many times, one after the other. */
void fw_in_step_multiply(struct fw_in_step *step, const struct fw_in_step *before, double times);

/* What was asked since `before` takes so many cycles more for one warp, too. */
void fw_in_step_lengthen(struct fw_in_step *step, const struct fw_in_step *before, double cycles);

#endif
