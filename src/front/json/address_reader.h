/* Address expressions: a kernel as a code generator states it, before there is any code.
 *
 * Takes JSON (docs/traffic-json.md): sizes, fields, the domain of points, loads and stores as
 * expressions in named coordinates, operations a point.  Gives a kernel record as every front end
 * does, with the launch that the text states.  Several points of a thread (coarsening) become as
 * many copies of the accesses, less the loads whose address an earlier point of the thread has
 * loaded already.  Never guesses: unknown members, expressions that are not affine and addresses
 * outside of their field are errors with a place. */
#ifndef FW_ADDRESS_READER_H
#define FW_ADDRESS_READER_H

#include "diagnostic.h"
#include "launch.h"

enum { FW_ADDRESS_AXES = 3, FW_ADDRESS_FORMAT = 1 };

/* A kernel and what its text says of launches.  Immutable once read. */
struct fw_address_kernel {
    struct fw_kernel *record;
    uint32_t axes; /* coordinates: 1 to 3 */
    const char *coordinates[FW_ADDRESS_AXES];
    fw_expression first[FW_ADDRESS_AXES];  /* coordinate of a thread's first point */
    fw_expression points[FW_ADDRESS_AXES]; /* of the domain; from sizes alone */
    struct fw_span point_spans[FW_ADDRESS_AXES];
    uint32_t coarsening[3];                 /* points of a thread along each axis */
    uint32_t block[3];                      /* 0: not stated */
    uint32_t grid[3];                       /* 0: it follows from the domain */
    uint64_t shared;                        /* dynamic bytes of a block */
    bool states_chain, states_instructions; /* somewhere */
    const int64_t *usual;                   /* by parameter: sizes as stated */
    const uint8_t *is_size;                 /* by parameter */
    const fw_expression
        *spreads; /* by parameter: bytes that addresses are drawn over; FW_NO_EXPRESSION */
    const fw_expression *bytes;  /* by access: its field's; FW_NO_EXPRESSION: no shape is stated */
    const int64_t *begins;       /* by access: bytes from the array's begin to its field's */
    const char *const *fields;   /* by access: its field's name */
    const struct fw_span *spans; /* by access */
};

/* Reads a text; all memory is the arena's, `source` must live as long.  `coarsening` replaces what
 * the text says where it is not 0.  FW_ERROR_INPUT (ADR...): see above. */
enum fw_status fw_address_read(struct fw_address_kernel **kernel, struct fw_arena *arena,
                               const struct fw_source *source, const uint32_t coarsening[3],
                               const struct fw_sink *sink);

/* The grid that covers the domain with the launch's blocks, for sizes as bound.  `bound` is bound
 * to something else afterwards.  FW_ERROR_INPUT: the domain is empty or too large, a size is not
 * bound. */
enum fw_status fw_address_grid(uint32_t grid[3], const struct fw_address_kernel *kernel,
                               struct fw_bound *bound, const struct fw_launch *launch,
                               const struct fw_sink *sink);

/* Over how many bytes the launch's drawn addresses spread, into its `spreads` where the caller has
 * said nothing (0).  `bound` is bound to it. */
enum fw_status fw_address_spread(const struct fw_address_kernel *kernel, struct fw_bound *bound,
                                 struct fw_launch *launch, const struct fw_sink *sink);

/* Whether all accesses of the launch that `bound` is bound to stay in their fields, at the corners
 * of the domain (where a domain is cut by conditions that are no box, at those that remain).
 * FW_ERROR_INPUT: one does not; the message says which, by how much and where. */
enum fw_status fw_address_check(const struct fw_address_kernel *kernel, struct fw_bound *bound,
                                const struct fw_launch *launch, const struct fw_sink *sink);

#endif
