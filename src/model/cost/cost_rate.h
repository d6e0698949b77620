/* What a parameter of a cost model means: its unit and the rate that it implies. */
#ifndef FW_COST_RATE_H
#define FW_COST_RATE_H

#include "cost_fit.h"

struct fw_cost_rate {
    const char *work;      /* what the parameter is the cost of, an expression of features */
    const char *unit;      /* of the parameter: "s", "s/op"; "" where it is not known */
    double rate;           /* units of work in a unit of the output; NAN: there is none */
    const char *rate_unit; /* "op/s", "B/s"; NULL: there is no rate */
};

/* The unit of an output feature by its name ("f_cl_wall_time_..." is in "s", power in "W", energy
 * in "J"); "": not known. */
const char *fw_cost_output_unit(const char *output);

/* Texts are the arena's.  Of a memory access whose type is named, the unit of work is a byte; else
 * it is what the feature counts, unless the model states "per N UNIT". */
struct fw_cost_rate fw_cost_rate_of(struct fw_arena *arena, const struct fw_cost_model *model,
                                    const struct fw_cost_estimate *estimate);

#endif
