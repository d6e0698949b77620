/* From IR to the kernel record.
 *
 * Takes a kernel function after the passes inline, cfg, dominators, loops and ssa and builds the
 * record that kernel.h describes: integer values as expressions in closed form over iterations
 * (scalar evolution), conditions of branches and loops, the graph of domains, accesses, schedule.
 * It runs nothing and guesses nothing: what it cannot express is an opaque value, and what depends
 * on one is a named unknown. */
#ifndef FW_RECORD_H
#define FW_RECORD_H

#include "ir.h"
#include "kernel.h"

/* A tensor copy whose box nobody states is taken to move a tile of 128 by 64 halves. */
#define FW_USUAL_BOX_BYTES 16384

/* A structure's parts, as a source declares them. */
struct fw_record_members {
    const struct fw_record_member {
        const char *name; /* of the whole argument and the part: "p.w" */
        uint32_t offset, bytes;
    } * at;
    uint32_t count, bytes;
};

/* Names of the source's arguments, in order; `names` NULL or entries NULL: PTX's are kept. */
struct fw_record_options {
    const char *const *names;
    uint32_t name_count;
    /* By PTX parameter, as many as names: the source's names of a structure's parts, and its size,
     * which decides whether they are right.  NULL: of none. */
    const struct fw_record_members *members;
    const uint32_t *box_bytes; /* by PTX parameter: bytes of one box of the tensor that it
                                  describes; 0 where that is not known */
    uint32_t box_count;
    uint32_t capability; /* of the device, for the machine layer; 0: the module's target */
};

/* Builds the record of `function` in `arena`.  Reports what could not be followed as notes.
 * FW_ERROR_INPUT: the function has no body or calls what cannot be inlined. */
enum fw_status fw_record_build(struct fw_kernel **kernel, struct fw_arena *arena,
                               const struct fw_function *function,
                               const struct fw_record_options *options, const struct fw_sink *sink);

#endif
