/* The roofline model: the least time that each resource of a device needs for what a launch asks of
 * it; the slowest is the prediction.
 *
 * Takes a kernel at a bound launch, or a demand that somebody else has counted, and a device
 * profile.  Gives one term a resource (resource_term.h), the same work by source line, the overhead
 * of launching, and how blocks fill the device.  Uses exact counts and the profile's figures alone:
 * a resource whose figure is missing has no term, and is named.  Knows no latencies, no caches
 * beyond their size and no overlap of resources short of perfect: `not_modelled` says all that. */
#ifndef FW_ROOFLINE_H
#define FW_ROOFLINE_H

#include "residency.h"
#include "resource_term.h"

struct fw_roofline_options {
    bool cold;                  /* caches flushed before the launch */
    double clock;               /* hertz; 0: the profile's */
    const uint32_t *alignments; /* bytes, by parameter; NULL: 256 for all */
};

struct fw_roofline {
    double seconds;
    bool has_overhead;
    double overhead_seconds;
    double clock;
    struct fw_resource_terms terms;
    struct fw_resource_term *lines; /* of the slowest resource that lines ask for, most first */
    uint32_t line_count;
    struct fw_residency residency;
    const char **not_modelled; /* sentences */
    uint32_t not_modelled_count;
};

/* What a launch asks for, when somebody else has counted it. */
struct fw_roofline_request {
    const struct fw_resources *resources;
    const struct fw_launch *launch; /* grid, block, dynamic shared bytes */
    struct fw_demand demand;
    double footprint;                /* distinct bytes of global memory */
    const char *const *not_modelled; /* sentences about the counts */
    uint32_t not_modelled_count;
};

/* Predicts from such a request; all results live in the demand's arena.  Errors as below. */
enum fw_status fw_roofline_from_demand(struct fw_roofline **prediction,
                                       const struct fw_roofline_request *request,
                                       const struct fw_device *device,
                                       const struct fw_roofline_options *options,
                                       const struct fw_sink *sink);

/* Predicts the launch that `bound` is bound to; all results live in the arena.  FW_ERROR_INPUT
 * (MOD001): the profile lacks the multiprocessors or their clock.  FW_ERROR_USAGE (MOD002): such a
 * block cannot run. */
enum fw_status fw_roofline_predict(struct fw_roofline **prediction, struct fw_arena *arena,
                                   const struct fw_kernel *kernel, struct fw_bound *bound,
                                   const struct fw_launch *launch, const struct fw_device *device,
                                   const struct fw_roofline_options *options,
                                   const struct fw_sink *sink);

#endif
