/* What the files of the roofline model share. */
#ifndef FW_ROOFLINE_INTERNAL_H
#define FW_ROOFLINE_INTERNAL_H

#include "roofline.h"

struct roofline_work {
    struct fw_arena *arena;
    const struct fw_kernel *kernel; /* NULL: of a request */
    const struct fw_resources *resources;
    const struct fw_roofline_request *request; /* NULL: of a kernel */
    struct fw_bound *bound;
    const struct fw_launch *launch;
    const struct fw_device *device;
    const struct fw_roofline_options *options;
    struct fw_demand demand;
    double footprint;           /* distinct bytes of global memory */
    uint32_t unknown_addresses; /* accesses whose address depends on data */
    uint32_t unknown_extents;
};

/* roofline_memory.c: adds what shared memory, L1, L2 and device memory are asked for. */
void roofline_memory(struct roofline_work *work);

/* roofline_domain.c: the roofline of a kernel-language program where its code cannot be compiled,
 * from counts over its domains (`question->counted`). */
struct fw_model_question;
enum fw_status roofline_of_domains(struct fw_roofline **roofline,
                                   const struct fw_model_question *question,
                                   const struct fw_roofline_options *options);

#endif
