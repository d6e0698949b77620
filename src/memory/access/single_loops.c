#include "single_loops.h"

#include "checked.h"

#include <string.h>

/* Loops around the accesses of a record's access. */
static uint32_t depth_of(const struct fw_kernel *kernel, const struct fw_affine_access *access)
{
    const uint32_t domain = kernel->accesses[access->kernel_access].domain;
    const uint32_t innermost = kernel->domains[domain].innermost;
    return innermost == FW_NONE ? 0 : kernel->loops[innermost].depth;
}

/* The loop in `outer` that an access is in. */
static uint32_t loop_inside(const struct fw_kernel *kernel, const struct fw_affine_access *access,
                            uint32_t outer)
{
    const uint32_t domain = kernel->accesses[access->kernel_access].domain;
    uint32_t loop = kernel->domains[domain].innermost;
    while (kernel->loops[loop].parent != outer)
        loop = kernel->loops[loop].parent;
    return loop;
}

/* Whether the outermost loop of an access, `outside` others that were taken off, goes round once:
 * all of it, and not one iteration of several that are accesses of their own.  What other loops
 * have of its iterations must not be lost. */
static bool goes_round_once(const struct fw_kernel *kernel, const struct fw_affine_access *access)
{
    const uint32_t outside = kernel->loops[access->outer_loop].depth - 1;
    return access->trips[0] == 1 && access->start == 0 && access->split == 0 && !access->tiles &&
           access->nested.loop == 0 && !(access->ragged.any && access->ragged.loop == 0) &&
           depth_of(kernel, access) == access->loops + outside;
}

/* Takes off the outermost loop: a floor of its only iteration is a constant. */
static void take_off(struct fw_affine_access *access, const struct fw_kernel *kernel)
{
    uint32_t kept = 0;
    access->base += fw_affine_moved(access, FW_FLOOR_OF_LOOP, 0, 0, 0);
    for (uint32_t f = 0; f < access->floor_count; f++) {
        struct fw_affine_floor floor = access->floors[f];
        if (floor.of == FW_FLOOR_OF_LOOP && floor.index == 0)
            continue;
        floor.index -= floor.of == FW_FLOOR_OF_LOOP;
        access->floors[kept++] = floor;
    }
    access->floor_count = kept;
    if (access->ragged.any)
        access->ragged.loop--;
    access->loops--;
    memmove(access->trips, access->trips + 1, access->loops * sizeof(*access->trips));
    memmove(access->loop_stride, access->loop_stride + 1,
            access->loops * sizeof(*access->loop_stride));
    access->outer_loop = access->loops ? loop_inside(kernel, access, access->outer_loop) : 0;
}

/* Finds the loops that all accesses in them go round once, and that contain a loop of more
 * iterations.  False: there is none. */
static bool find_single(bool *single, bool *contains, const struct fw_affine_accesses *accesses,
                        const struct fw_kernel *kernel)
{
    bool any = false;
    for (uint32_t r = 0; r < kernel->loop_count; r++) {
        single[r] = true;
        contains[r] = false;
    }
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        if (access->loops == 0)
            continue;
        single[access->outer_loop] &= goes_round_once(kernel, access);
        for (uint32_t l = 1; l < access->loops; l++)
            contains[access->outer_loop] |= access->trips[l] > 1;
    }
    for (uint32_t r = 0; r < kernel->loop_count; r++)
        any |= single[r] &= contains[r];
    return any;
}

void fw_affine_open_single_loops(struct fw_affine_accesses *accesses,
                                 const struct fw_kernel *kernel, struct fw_arena *arena)
{
    bool *single = FW_ARRAY(arena, bool, 2 * (size_t)kernel->loop_count + 1);
    while (find_single(single, single + kernel->loop_count, accesses, kernel))
        for (uint32_t i = 0; i < accesses->count; i++)
            if (accesses->at[i].loops && single[accesses->at[i].outer_loop])
                take_off(&accesses->at[i], kernel);
}
