/* What the files of the roofline model share. */
#ifndef FW_ROOFLINE_INTERNAL_H
#define FW_ROOFLINE_INTERNAL_H

#include "roofline.h"
#include "warp.h"

struct roofline_work {
    struct fw_arena *arena;
    const struct fw_kernel *kernel; /* NULL: of a request */
    const struct fw_resources *resources;
    const struct fw_roofline_request *request; /* NULL: of a kernel */
    struct fw_bound *bound;
    const struct fw_launch *launch;
    const struct fw_device *device;
    const struct fw_roofline_options *options;
    FW_VECTOR(struct fw_roofline_work) lines;
    uint32_t newest;            /* line looked up last */
    double footprint;           /* distinct bytes of global memory */
    uint32_t calls;             /* executed calls of code that is not there */
    uint32_t unknown_addresses; /* accesses whose address depends on data */
    uint32_t unknown_extents;
    double expanded; /* executions of divisions and other operations that are many on the machine */
    bool has_mma;
};

/* The amounts of a line, made when it is new. */
double *roofline_line(struct roofline_work *work, uint32_t line);

/* roofline_arithmetic.c: arithmetic and issue. */
void roofline_arithmetic(struct roofline_work *work);

/* roofline_memory.c: shared memory, L1, L2, device memory. */
void roofline_memory(struct roofline_work *work);

#endif
