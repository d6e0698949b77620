/* The mean length of the rows or lists whose lengths an array tells.
 *
 * The user's, where it is stated.  Else what the code leaves room for, of which half is supposed:
 * where rows of such lengths lie in another array one behind the other, a fixed step apart, none is
 * longer than that.  Else FW_DEFAULT_TRIPS entries; but where several warps share a row, it is
 * taken to have one entry for each place that they have. */
#include "rows_internal.h"

#include <math.h>
#include <stdlib.h>

/* No length that is looked for is beyond this. */
#define MOST_LENGTH (INT64_C(1) << 31)

/* The offsets of an access in the first iterations of a loop, and their step from one to the next.
 */
struct walked {
    struct fw_bound *bound;
    fw_expression offset;
    struct fw_point point;
    int64_t *iterations;
    int64_t begin, step;
};

static bool offset_at(struct walked *walked, int64_t *offset)
{
    bool known = bound_expression_at(walked->bound, walked->offset, &walked->point, offset);
    *offset -= known ? walked->begin : 0;
    *offset = *offset < 0 ? -*offset : *offset;
    return known;
}

/* Whether the loop moves the access by equal steps. */
static bool walks(struct walked *walked, uint32_t loop)
{
    int64_t second = 0, third = 0;
    bool known = bound_expression_at(walked->bound, walked->offset, &walked->point, &walked->begin);
    walked->iterations[loop] = 1;
    known = known && offset_at(walked, &second);
    walked->iterations[loop] = 2;
    known = known && offset_at(walked, &third);
    walked->iterations[loop] = 0;
    walked->step = second;
    return known && second > 0 && third == 2 * second;
}

/* Along one index: how far places lie apart that are beyond a step, at least (`*room`).  False:
 * rows of neighbouring places run over each other, or that is not known. */
static bool along(struct walked *walked, void *index, bool wide, uint64_t extent, int64_t *room)
{
    int64_t before = 0, apart = 0;
    bool known = true;
    for (uint64_t place = 1; known && place < extent && apart <= walked->step; place *= 2) {
        before = apart;
        if (wide)
            *(int64_t *)index = (int64_t)place;
        else
            *(uint32_t *)index = (uint32_t)place;
        known = offset_at(walked, &apart);
    }
    if (wide)
        *(int64_t *)index = 0;
    else
        *(uint32_t *)index = 0;
    if (apart > walked->step && apart < *room)
        *room = apart;
    return known && (apart <= walked->step || before == 0 || apart != 2 * before);
}

/* How often a loop can run before the rows that an access walks along run over each other; 0: that
 * is not known. */
static int64_t room_of(struct fw_bound *bound, fw_expression offset, uint32_t loop,
                       int64_t *iterations)
{
    struct walked walked = {bound, offset, {{0}, {0}, iterations}, iterations, 0, 0};
    const struct fw_launch *launch = bound->launch;
    const struct fw_kernel *kernel = bound->kernel;
    int64_t room = INT64_MAX;
    if (!walks(&walked, loop))
        return 0;
    for (int d = 0; d < 3; d++)
        if (!along(&walked, &walked.point.block[d], false, launch->grid[d], &room) ||
            !along(&walked, &walked.point.thread[d], false, launch->block[d], &room))
            return 0;
    for (uint32_t outer = kernel->loops[loop].parent; outer != FW_NONE;
         outer = kernel->loops[outer].parent)
        if (!along(&walked, &iterations[outer], true, 3, &room))
            return 0;
    return room == INT64_MAX ? 0 : (room + walked.step - 1) / walked.step;
}

static bool is_in_loop(const struct fw_kernel *kernel, uint32_t domain, uint32_t loop)
{
    for (; domain; domain = kernel->domains[domain].parent) {
        const struct fw_domain *at = &kernel->domains[domain];
        if (at->kind == FW_DOMAIN_LOOP && at->loop == loop)
            return true;
        if (at->kind == FW_DOMAIN_UNION)
            return false;
    }
    return false;
}

/* The least room that accesses leave a loop, in trips, and the array of which; 0: none is known. */
static int64_t least_room(struct fw_bound *bound, uint32_t loop, int64_t *iterations,
                          uint32_t *array)
{
    const struct fw_kernel *kernel = bound->kernel;
    int64_t least = 0;
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        const struct fw_data_address *data = access->data;
        bool progresses = data && data->part_count == 0 && !data->ranked; /* from an earlier loop */
        if ((access->data_dependent && !progresses) || access->array == FW_NONE ||
            access->space == FW_SPACE_SHARED || !is_in_loop(kernel, access->domain, loop))
            continue;
        fw_expression offset = access->data_dependent ? data->rest : access->offset;
        int64_t room = room_of(bound, offset, loop, iterations);
        if (room > 0 && (least == 0 || room < least)) {
            least = room;
            *array = access->array;
        }
    }
    return least;
}

/* How often the first thread runs a loop over a row of so many entries; 0: it does not come to its
 * end. */
static int64_t runs_for(struct fw_bound *bound, const struct row_ends *ends, int64_t *iterations,
                        int64_t length)
{
    struct row_supposed supposed = {.bound = bound, .length = length};
    struct fw_point point = {{0}, {0}, iterations};
    int64_t trips;
    fw_bound_suppose(bound, row_suppose, &supposed);
    bool known = row_trips_at(bound, ends, &point, iterations, &trips);
    fw_bound_suppose(bound, NULL, NULL);
    return known ? trips : 0;
}

/* The greatest length for which a loop runs so often at most, by the first thread; MOST_LENGTH: for
 * any, as where it goes through a part of a row or through what is left over. */
static int64_t longest(struct fw_bound *bound, const struct row_ends *ends, int64_t *iterations,
                       int64_t trips)
{
    enum { GROWS = 1024 };
    int64_t low = 0, high = MOST_LENGTH;
    if (runs_for(bound, ends, iterations, high) < GROWS)
        return MOST_LENGTH;
    while (high - low > 1) {
        int64_t length = low + (high - low) / 2;
        bool fits = runs_for(bound, ends, iterations, length) <= trips;
        *(fits ? &low : &high) = length;
    }
    return low;
}

static bool asks_array(const struct row_ends *ends, uint32_t array)
{
    for (uint32_t a = 0; a < ends->asked.array_count; a++)
        if (ends->asked.arrays[a] == array)
            return true;
    return false;
}

/* Whether several warps share a row: all threads of a block load its length, or its ends, from one
 * place. */
static bool is_shared(struct fw_bound *bound, uint32_t array, int64_t *iterations)
{
    const struct fw_kernel *kernel = bound->kernel;
    const uint32_t *block = bound->launch->block;
    const struct fw_point first = {{0}, {0}, iterations};
    const struct fw_point last = {{0}, {block[0] - 1, block[1] - 1, block[2] - 1}, iterations};
    bool loaded = false, shared = block[0] * block[1] * block[2] > FW_WARP_THREADS;
    for (uint32_t o = 0; o < kernel->opaque_count && shared; o++) {
        const struct fw_opaque *opaque = &kernel->opaques[o];
        if (opaque->array != array || (!opaque->row && !opaque->is_length))
            continue;
        for (uint32_t a = 0; a < kernel->access_count && shared; a++) {
            const struct fw_access *access = &kernel->accesses[a];
            int64_t begin, end;
            if (access->instruction != opaque->instruction || access->direction != FW_LOAD)
                continue;
            loaded = true;
            shared = bound_expression_at(bound, access->offset, &first, &begin) &&
                     bound_expression_at(bound, access->offset, &last, &end) && begin == end;
        }
    }
    return loaded && shared;
}

/* Finds what loops over rows of an array say of their lengths. */
static void find(struct fw_bound *bound, uint32_t array, struct row_length *length)
{
    const struct fw_kernel *kernel = bound->kernel;
    struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
    int64_t *iterations = FW_ARRAY(bound->scratch, int64_t, kernel->loop_count + 1);
    double shared = (double)INFINITY;
    for (uint32_t l = 0; l < kernel->loop_count; l++) {
        struct row_ends ends, outer;
        uint32_t parent = kernel->loops[l].parent, room_in = FW_NONE;
        if (!kernel->loops[l].data_dependent || !row_ends_find(&ends, bound, l, false) ||
            !asks_array(&ends, array))
            continue;
        int64_t room = least_room(bound, l, iterations, &room_in);
        int64_t most = room ? longest(bound, &ends, iterations, room) : MOST_LENGTH;
        if (most < MOST_LENGTH && (double)most < length->greatest) {
            length->greatest = (double)most;
            length->room = room_in;
        }
        if (parent != FW_NONE && row_ends_find(&outer, bound, parent, false) &&
            asks_array(&outer, array))
            continue; /* it goes through a part of a row */
        shared = fmin(shared, (double)longest(bound, &ends, iterations, 1));
    }
    if (isfinite(length->greatest))
        length->usual = fmax(length->greatest / 2, 1);
    else if (shared > FW_DEFAULT_TRIPS && shared < (double)MOST_LENGTH &&
             is_shared(bound, array, iterations))
        length->usual = shared;
    fw_arena_release(bound->scratch, mark);
}

const struct row_length *row_length_of(struct fw_bound *bound, uint32_t array)
{
    const struct fw_kernel *kernel = bound->kernel;
    uint32_t parameter = array == FW_NONE ? FW_NONE : kernel->arrays[array].parameter;
    struct row_length *length = &bound->row_lengths[array == FW_NONE ? kernel->array_count : array];
    if (length->known)
        return length;
    *length = (struct row_length){
        .known = true, .usual = FW_DEFAULT_TRIPS, .greatest = (double)INFINITY, .room = FW_NONE};
    double stated = parameter == FW_NONE ? 0 : bound->launch->lengths[parameter];
    length->stated = stated > 0;
    if (length->stated)
        length->usual = stated;
    else
        find(bound, array, length);
    return length;
}

void row_lengths_forget(struct fw_bound *bound)
{
    for (uint32_t a = 0; bound->row_lengths && a <= bound->kernel->array_count; a++)
        bound->row_lengths[a].known = false;
}
