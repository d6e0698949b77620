/* Addresses as strides over indices of the launch, and other layouts of them. */
#include "advice_internal.h"

#include <stdlib.h>
#include <string.h>

/* The axis along which neighbouring lanes lie. */
static uint32_t lane_axis(const uint32_t block[3])
{
    return block[0] > 1 ? 0 : block[1] > 1 ? 1 : 2;
}

static void add(struct advice_address *address, struct advice_part part)
{
    if (part.stride == 0 || part.extent <= 1)
        return;
    if (address->count == ADVICE_PARTS || part.stride < 0) {
        address->known = false;
        return;
    }
    uint32_t at = address->count++;
    for (; at > 0 && address->parts[at - 1].stride > part.stride; at--)
        address->parts[at] = address->parts[at - 1];
    address->parts[at] = part;
}

static int64_t coefficient(const struct fw_shape *shape, uint32_t launch_index)
{
    int8_t variable = shape->launch_variable[launch_index];
    return variable < 0 ? 0 : shape->coefficient[variable];
}

/* Threads of the grid along an axis that conditions let through: n of `i < n`. */
static int64_t threads_within(const struct fw_shape *shape, const struct fw_launch *launch,
                              uint32_t axis)
{
    const int8_t block = shape->launch_variable[FW_BLOCK_X + axis],
                 thread = shape->launch_variable[FW_THREAD_X + axis];
    int64_t threads = (int64_t)launch->block[axis] * launch->grid[axis];
    for (uint32_t r = 0; r < shape->row_count && thread >= 0; r++) {
        const int64_t *by = shape->rows[r].coefficient, step = -by[thread];
        bool alone = step > 0 && (block < 0 || by[block] == -step * launch->block[axis]);
        for (uint32_t v = 0; v < shape->variables; v++)
            alone &= (int)v == block || (int)v == thread || by[v] == 0;
        if (alone && !shape->rows[r].equality && !shape->rows[r].definition &&
            shape->rows[r].constant >= 0 && shape->rows[r].constant / step + 1 < threads)
            threads = shape->rows[r].constant / step + 1;
    }
    return threads;
}

static void add_axis(struct advice_address *address, const struct fw_shape *shape,
                     const struct fw_launch *launch, uint32_t axis)
{
    int64_t block = coefficient(shape, FW_BLOCK_X + axis);
    int64_t thread = coefficient(shape, FW_THREAD_X + axis), size = launch->block[axis];
    bool is_lane = axis == lane_axis(launch->block);
    struct advice_part of_thread = {ADVICE_THREAD, axis, thread, size, is_lane};
    struct advice_part of_block = {ADVICE_BLOCK, axis, block, launch->grid[axis], false};
    if (thread != 0 && block == thread * size) {
        of_thread.of = ADVICE_GRID_THREAD;
        of_thread.extent = threads_within(shape, launch, axis);
        add(address, of_thread);
        return;
    }
    add(address, of_thread);
    add(address, of_block);
}

static struct advice_address of_shape(const struct fw_shape *shape, const struct fw_launch *launch)
{
    struct advice_address address = {.known = shape->linear, .constant = shape->constant};
    for (uint32_t axis = 0; axis < 3 && address.known; axis++)
        add_axis(&address, shape, launch, axis);
    for (uint32_t v = 0; v < shape->variables && address.known; v++) {
        bool of_launch = false;
        for (int l = 0; l < 6; l++)
            of_launch |= shape->launch_variable[l] == (int)v;
        if (of_launch || shape->coefficient[v] == 0)
            continue;
        if (shape->quotient[v] || shape->loop_of[v] == FW_NONE)
            address.known = false;
        else
            add(&address,
                (struct advice_part){ADVICE_LOOP, shape->loop_of[v], shape->coefficient[v],
                                     shape->high[v] - shape->low[v] + 1, false});
    }
    return address;
}

struct advice_address advice_address_of(const struct advice_base *base, uint32_t access)
{
    const struct fw_model_question *question = base->question;
    const struct fw_access *of = &question->kernel->accesses[access];
    uint32_t count;
    const struct fw_shape *shapes =
        fw_bound_shapes(question->bound, of->domain, of->offset, base->arena, &count);
    struct advice_address first = {.known = false};
    for (uint32_t s = 0; s < count; s++) {
        first = of_shape(&shapes[s], question->launch);
        if (first.known)
            return first;
    }
    return first;
}

int64_t advice_threads_used(const struct advice_base *base, uint32_t axis)
{
    const struct fw_model_question *question = base->question;
    const struct fw_kernel *kernel = question->kernel;
    const int64_t all = (int64_t)question->launch->grid[axis] * question->launch->block[axis];
    int64_t used = 0;
    for (uint32_t a = 0; a < kernel->access_count && used < all; a++) {
        const struct fw_access *of = &kernel->accesses[a];
        uint32_t count;
        if (of->space == FW_SPACE_PARAM)
            continue;
        const struct fw_shape *shapes =
            fw_bound_shapes(question->bound, of->domain, of->offset, base->arena, &count);
        used = count ? used : all; /* nothing is known of it */
        for (uint32_t s = 0; s < count; s++) {
            int64_t within = threads_within(&shapes[s], question->launch, axis);
            used = shapes[s].pruned ? all : within > used ? within : used;
        }
    }
    return used ? used : all;
}

/* Whether each index moves the address past all that the ones before it reach, but for what is
 * rounded up to whole blocks: then the parts are the digits of a position. */
static bool is_positional(const struct advice_address *address)
{
    for (uint32_t p = 1; p < address->count; p++) {
        const struct advice_part *before = &address->parts[p - 1], *part = &address->parts[p];
        if (part->stride == before->stride || part->stride < before->stride * before->extent / 2)
            return false;
    }
    return true;
}

bool advice_lanes_first(struct advice_address *address, uint32_t bytes)
{
    uint32_t lane = 0;
    if (!address->known || !address->count || !is_positional(address))
        return false;
    while (lane < address->count && !address->parts[lane].is_lane)
        lane++;
    if (lane == address->count || address->parts[lane].stride == bytes)
        return false;
    int64_t least = address->parts[0].stride, field = address->constant % least;
    struct advice_part first = address->parts[lane];
    memmove(&address->parts[1], &address->parts[0], lane * sizeof(first));
    address->parts[0] = first;
    int64_t stride = bytes;
    for (uint32_t p = 0; p < address->count; p++) {
        address->parts[p].stride = stride;
        if (address->parts[p].extent > ((int64_t)1 << 50) / stride)
            return false;
        stride *= address->parts[p].extent;
    }
    /* Members of a structure become arrays of their own, aligned as if allocated one by one. */
    const int64_t whole = (stride + 255) / 256 * 256;
    if (field > 0 && whole > ((int64_t)1 << 50) / (field / bytes + 1))
        return false;
    address->constant = field / bytes * whole;
    return true;
}

fw_expression advice_address_expression(struct advice_try *try,
                                        const struct advice_address *address)
{
    struct fw_pool *pool = &try->kernel->pool;
    fw_expression sum = fw_constant(pool, address->constant);
    for (uint32_t p = 0; p < address->count; p++) {
        const struct advice_part *part = &address->parts[p];
        fw_expression index = 0;
        if (part->of == ADVICE_LOOP)
            index = fw_atom_new(pool, FW_ATOM_ITERATION, part->index, 0, 0);
        if (part->of == ADVICE_BLOCK || part->of == ADVICE_GRID_THREAD)
            index = fw_launch_value(pool, (enum fw_launch_index)(FW_BLOCK_X + part->index));
        if (part->of == ADVICE_GRID_THREAD)
            index = fw_scale(pool, index, try->launch->block[part->index]);
        if (part->of == ADVICE_THREAD || part->of == ADVICE_GRID_THREAD)
            index =
                fw_add(pool, index,
                       fw_launch_value(pool, (enum fw_launch_index)(FW_THREAD_X + part->index)));
        sum = fw_add(pool, sum, fw_scale(pool, index, part->stride));
    }
    return sum;
}
