/* Lengths that differ from block to block: which loops go round for longer in some blocks.
 *
 * A list of a tile or a sequence of a batch belongs to a block as a whole: all of its threads load
 * the length from one place, and other blocks from other places.  Takes a binding whose counts are
 * there; says along which axes of the grid lengths differ, and by how much trips do between the
 * ends of what is supposed of them (usual_rows.c). */
#include "rows_internal.h"

#include <math.h>

/* Notes the axes along which blocks load a length from places of their own; false: threads of a
 * block do, or it is not known where from. */
static bool note_axes(struct fw_bound *bound, const struct fw_access *access, int64_t *iterations,
                      bool along[3])
{
    const uint32_t *block = bound->launch->block, *grid = bound->launch->grid;
    struct fw_point point = {{0}, {0}, iterations};
    int64_t first, other;
    if (!bound_expression_at(bound, access->offset, &point, &first))
        return false;
    for (int d = 0; d < 3; d++) {
        point.thread[d] = block[d] - 1;
        if (!bound_expression_at(bound, access->offset, &point, &other) || other != first)
            return false;
        point.thread[d] = 0;
    }
    for (int d = 0; d < 3; d++) {
        point.block[d] = grid[d] - 1;
        if (!bound_expression_at(bound, access->offset, &point, &other))
            return false;
        along[d] |= other != first;
        point.block[d] = 0;
    }
    return true;
}

/* Whether each block has a length of its own of an array's, and along which axes. */
static bool is_of_blocks(struct fw_bound *bound, uint32_t array, int64_t *iterations, bool along[3])
{
    const struct fw_kernel *kernel = bound->kernel;
    bool loaded = false;
    for (uint32_t o = 0; o < kernel->opaque_count; o++) {
        const struct fw_opaque *opaque = &kernel->opaques[o];
        if (opaque->array != array || (!opaque->row && !opaque->is_length))
            continue;
        for (uint32_t a = 0; a < kernel->access_count; a++) {
            const struct fw_access *access = &kernel->accesses[a];
            if (access->instruction != opaque->instruction || access->direction != FW_LOAD)
                continue;
            loaded = true;
            if (!note_axes(bound, access, iterations, along))
                return false;
        }
    }
    return loaded && (along[0] || along[1] || along[2]);
}

/* Trips of the first thread of a block in the middle, by one of the lengths that are supposed. */
static bool trips_by(struct fw_bound *bound, const struct row_ends *ends, int64_t *iterations,
                     uint32_t number, int64_t *trips)
{
    const uint32_t *grid = bound->launch->grid;
    struct row_supposed supposed = {.bound = bound, .by_mean = true, .number = number};
    struct fw_point point = {{grid[0] / 2, grid[1] / 2, grid[2] / 2}, {0}, iterations};
    fw_bound_suppose(bound, row_suppose, &supposed);
    bool known = row_trips_at(bound, ends, &point, iterations, trips);
    fw_bound_suppose(bound, NULL, NULL);
    return known;
}

/* The share by which a loop's trips differ from their mean at the ends; 0: they do not, or blocks
 * do not. */
static double spread_of(struct fw_bound *bound, uint32_t loop, int64_t *iterations, bool along[3])
{
    struct row_ends ends;
    bool axes[3] = {false, false, false};
    int64_t least, most;
    if (!row_ends_find(&ends, bound, loop, false))
        return 0;
    for (uint32_t a = 0; a < ends.asked.array_count; a++)
        if (!is_of_blocks(bound, ends.asked.arrays[a], iterations, axes))
            return 0;
    if (!trips_by(bound, &ends, iterations, 0, &least) ||
        !trips_by(bound, &ends, iterations, ROW_LENGTHS - 1, &most) || most <= least || least < 0)
        return 0;
    for (int d = 0; d < 3; d++)
        along[d] |= axes[d];
    return (double)(most - least) / (double)(most + least);
}

bool fw_bound_block_lengths(struct fw_block_lengths *lengths, struct fw_arena *arena,
                            struct fw_bound *bound)
{
    const struct fw_kernel *kernel = bound->kernel;
    bool any = false;
    *lengths = (struct fw_block_lengths){.spread = NULL};
    for (uint32_t u = 0; u < bound->unknown_count; u++) {
        const struct fw_unknown *unknown = &bound->unknowns[u];
        if (!unknown->is_loop || !unknown->of_rows ||
            kernel->loops[unknown->index].parent != FW_NONE)
            continue;
        struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
        int64_t *iterations = FW_ARRAY(bound->scratch, int64_t, kernel->loop_count + 1);
        double spread = spread_of(bound, unknown->index, iterations, lengths->along);
        fw_arena_release(bound->scratch, mark);
        if (spread > 0 && !lengths->spread)
            lengths->spread = FW_ARRAY(arena, double, kernel->loop_count + 1);
        if (spread > 0)
            lengths->spread[unknown->index] = spread;
        any |= spread > 0;
    }
    return any;
}
