/* Machine costs: which unit of a multiprocessor each machine operation takes, for how long, and
 * when its result is there.
 *
 * Takes a record with a machine layer and a device profile.  Gives for each instruction of the
 * schedule its operations with initiation intervals and latencies in cycles, all from the profile;
 * properties that the profile lacks are named, and count as nothing. */
#ifndef FW_MACHINE_COST_H
#define FW_MACHINE_COST_H

#include "device.h"
#include "kernel.h"

/* Units of a scheduler's partition, but for LSU, which all of a multiprocessor share.  An
 * operation without a unit takes an issue slot alone.  X(NAME, text, property of its rate) */
#define FW_SM_UNITS(X)                                                                             \
    X(NONE, "issue", SCHEDULERS)                                                                   \
    X(FMA, "fma", LANES_F32)                                                                       \
    X(ALU, "alu", LANES_INT32)                                                                     \
    X(FP16, "fp16", LANES_F16)                                                                     \
    X(FP64, "fp64", LANES_F64)                                                                     \
    X(XU, "xu", LANES_SPECIAL)                                                                     \
    X(TENSOR, "tensor", TENSOR_F16)                                                                \
    X(MATCH, "match", MATCH_VALUES)                                                                \
    X(LSU, "lsu", LANES_LOAD_STORE)

enum fw_sm_unit {
#define X(name, ...) FW_SM_##name,
    FW_SM_UNITS(X)
#undef X
        FW_SM_UNIT_COUNT
};

/* "fma", and the property that says how many lanes the unit has. */
const char *fw_sm_unit_text(enum fw_sm_unit unit);
enum fw_figure fw_sm_unit_figure(enum fw_sm_unit unit);

/* What waits for a result waits for a reason, by its producer: Nsight Compute's stall reasons. */
enum fw_sm_wait {
    FW_SM_WAIT_FIXED, /* fixed latency: "wait" */
    FW_SM_WAIT_SHORT, /* shared memory, special functions, shuffles: "short_scoreboard" */
    FW_SM_WAIT_LONG   /* device memory: "long_scoreboard" */
};

struct fw_sm_operation {
    enum fw_sm_unit unit;
    bool queued;     /* it waits for its unit in its scheduler's queue, as requests of memory do */
    bool meets;      /* a barrier where ways of a branch meet */
    bool indexed;    /* a branch through a table */
    bool memory;     /* it is the request of the instruction's access */
    bool compares;   /* it makes a predicate */
    bool guarded;    /* it issues under a predicate of its instruction */
    bool off_chain;  /* it copies an operand or selects, beside the chain to the result */
    bool brings;     /* it brings a constant to a request of memory, and waits for nothing */
    bool parts;      /* its instruction has a branch of its own, across which nothing moves */
    bool product;    /* asynchronous (wgmma): steps PRODUCTS wait for it */
    uint8_t every;   /* it issues in one of so many executions */
    double reading;  /* cycles beyond one in which its scheduler issues nothing more, as registers
                        are read, or it is a load or a wide product */
    bool heavy;      /* of the FMA unit's halves it takes the one that multiplies integers */
    double interval; /* cycles of the unit */
    double holds;    /* of the FMA unit: cycles of the half that it takes; 0: it has no halves */
    double latency;  /* cycles to the next operation that needs its result */
    double
        completes;   /* of a product: cycles from its end in the unit until a wait for it is over */
    double delivery; /* of a product: share of shared memory's cycles that its factors take */
    double beside;   /* so many times the interval while the tensor core works on such a product; 0:
                        the same */
    enum fw_sm_wait wait;
};

struct fw_sm_costs {
    const struct fw_sm_operation *operations;
    uint32_t *first;      /* by instruction, and one more */
    const double *rounds; /* by instruction: rounds of the loop that it is (an atomic operation that
                             the machine has none for), as a launch's accesses tell; 0: it is none;
                             NULL: no instruction is */
    uint32_t slot;        /* an operation of no instruction: an issue slot alone */
    uint32_t idle;        /* a request under a predicate that holds for no lane: one wavefront */
    uint32_t place; /* an operation of no instruction: what a scheduler does between two places of a
                       branch through a table, where threads part */
    double indexed; /* cycles from such a branch to the next issue of its warp, beyond one */
    double parted;  /* and between two places, beyond those of a branch and of `place` */
    const char *missing; /* properties, between commas; NULL: none */
};

/* What the kernel's machine operations cost on the device; memory is the arena's. */
void fw_sm_costs_find(struct fw_sm_costs *costs, struct fw_arena *arena,
                      const struct fw_kernel *kernel, const struct fw_device *device);

#endif
