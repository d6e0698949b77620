/* Forms of stencils for the traffic tests and benchmarks. */
#ifndef TRAFFIC_CASES_H
#define TRAFFIC_CASES_H

#include "volume.h"

/* One field of a stencil: elements read (or written) about each point. */
struct traffic_field {
    int64_t dims[3];
    int64_t begin; /* element of the point (0, 0, 0) */
    uint32_t bytes;
    uint32_t count;
    int64_t (*offsets)[3];
};

/* A launch over points[] threads of `fold` points each, reading one field and writing another; all
 * memory is the arena's.  An element that several points of a thread read is read once. */
struct fw_affine_accesses traffic_stencil(struct fw_arena *arena, const struct traffic_field *read,
                                          const struct traffic_field *written,
                                          const uint32_t block[3], const int64_t points[3],
                                          const uint32_t fold[3]);

/* The offsets of a star of some range in `dimensions` dimensions. */
struct traffic_field traffic_star(struct fw_arena *arena, uint32_t range, uint32_t dimensions,
                                  uint32_t bytes);

#endif
