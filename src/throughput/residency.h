/* Residency: how many blocks of a launch a multiprocessor holds at one time, and in how many waves
 * the launch runs.
 *
 * Takes what a block needs (kernel.h's resources), a launch and a profile; gives the occupancy that
 * the device's rules allow (occupancy.h). */
#ifndef FW_RESIDENCY_H
#define FW_RESIDENCY_H

#include "launch.h"
#include "occupancy.h"

struct fw_residency {
    bool known; /* false: the profile lacks figures that the rules of occupancy need */
    struct fw_occupancy occupancy;
    bool has_waves;
    struct fw_waves waves;
};

/* FW_ERROR_USAGE (MOD002): such a block cannot run on the device. */
enum fw_status fw_residency_find(struct fw_residency *residency,
                                 const struct fw_resources *resources,
                                 const struct fw_launch *launch, const struct fw_device *device,
                                 const struct fw_sink *sink);

/* Registers of a thread without which something is spilled: those that are estimated or known, but
 * of estimated ones not what loads in flight fill. */
uint32_t fw_residency_needed(const struct fw_resources *resources);

/* What a thread can have of the registers that are estimated for it: as many as the device gives a
 * thread, as let one block of the launch run, and as the kernel's directives leave (.maxnreg,
 * .maxntid with .minnctapersm).  An estimate refuses no kernel.  `resources` gets the kernel's,
 * limited so; what is needed stands in wanted_registers where it is more. */
void fw_residency_limit(struct fw_resources *resources, const struct fw_kernel *kernel,
                        const struct fw_launch *launch, const struct fw_device *device);

/* Sentences about what occupancy leans on: registers that are estimated, spills.  Registers that
 * are not known at all, each model has its own words for.  `counted`: the model counts what is
 * spilled.  Ends with NULL. */
const char *const *fw_residency_caveats(struct fw_arena *arena, bool counted,
                                        const struct fw_resources *resources);

#endif
