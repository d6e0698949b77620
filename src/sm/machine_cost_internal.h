/* Shared by the files that find what machine operations cost. */
#ifndef FW_MACHINE_COST_INTERNAL_H
#define FW_MACHINE_COST_INTERNAL_H

#include "machine_cost.h"

struct costing {
    struct fw_arena *arena;
    const struct fw_kernel *kernel;
    const struct fw_device *device;
    double schedulers;
    bool products; /* the kernel orders asynchronous ones */
    bool turned;   /* the last operation of two halves was one of the FMA unit */
    FW_VECTOR(struct fw_sm_operation) operations;
    FW_VECTOR(enum fw_figure) missing;
};

/* A property of the device; 0, and it is noted, where the profile lacks it. */
double costing_figure(struct costing *c, enum fw_figure figure);

/* Cycles for which a warp takes one scheduler's part of a unit that makes so many results a cycle
 * in the whole multiprocessor. */
double costing_interval(struct costing *c, enum fw_figure rate, double results);

/* two_forms.c: which half of the FMA unit an operation takes, for how long: that which multiplies
 * integers in so many passes, or, of 0, whichever is free. */
void forms_halve(struct costing *c, struct fw_sm_operation *to, double passes);

/* The form of a product or sum of two halves; of a conversion to f32. */
void forms_choose_half(struct costing *c, struct fw_sm_operation *to, bool converts);

/* The unit of each operation of the kernel that has a form on two. */
void forms_give(struct costing *c, const struct fw_sm_costs *costs);

#endif
