/* Rules about accesses: other layouts, padded rows, wider accesses, atomics in shared memory. */
#include "advice_internal.h"

#include "warp.h"

#include <string.h>

enum { BANKS_BYTES = 128, WIDEST = 16, SHARED_MOST = 48 * 1024 };

/* ---- coalescing ---- */

/* Sectors that a warp's request needs at least, by the lanes that are active. */
static double least_sectors(const struct advice_access *access, uint32_t bytes)
{
    double lanes = access->warps.lanes / access->warps.warps;
    return fmax(1, lanes * bytes / ADVICE_SECTOR);
}

/* Neighbouring lanes access neighbouring elements: the layout of arrays whose sectors are used in
 * part is turned until they are used whole. */
bool advice_coalesce(struct advice_try *try)
{
    static const double WASTED = 1.5; /* sectors requested, by those that would do */
    double most = 0, used = 1;
    uint32_t worst = FW_NONE, turned = 0;
    for (uint32_t a = 0; a < try->kernel->access_count; a++) {
        const struct advice_access *is = &try->base->accesses[a];
        struct fw_access *access = &try->kernel->accesses[a];
        if (!is->runs || access->space != FW_SPACE_GLOBAL || access->direction > FW_STORE)
            continue;
        double sectors = is->warps.sectors / is->warps.warps;
        double least = least_sectors(is, access->bytes);
        struct advice_address address = is->address;
        if (sectors < WASTED * least || !advice_lanes_first(&address, access->bytes))
            continue;
        access->offset = advice_address_expression(try, &address);
        turned++;
        if (is->executions * (sectors - least) > most) {
            most = is->executions * (sectors - least);
            worst = a;
            used = least / sectors;
        }
    }
    if (worst == FW_NONE)
        return false;
    advice_at_access(try, worst);
    const struct fw_access *access = &try->kernel->accesses[worst];
    /* Lanes are next to each other, but not their elements: these are members of structures. */
    bool members = try->base->accesses[worst].address.parts[0].is_lane;
    try->sentence = fw_arena_printf(
        try->arena, "Each warp's %s of %s uses %.0f %% of the bytes of its sectors%s: %s.",
        access->direction == FW_LOAD ? "load" : "store", advice_array_name(try, worst), 100 * used,
        turned > 1 ? fw_arena_printf(try->arena, " (and of %u accesses more)", turned - 1) : "",
        members ? "let what neighbouring threads access lie side by side, members of structures "
                  "in arrays of their own, each begun at a multiple of 256 bytes"
                : "let neighbouring threads access neighbouring elements, by another layout, "
                  "another index for threadIdx.x, or a tile in shared memory");
    return true;
}

/* ---- bank conflicts ---- */

static double least_passes(const struct advice_access *access, uint32_t bytes)
{
    return fmax(1, ceil(access->warps.lanes / access->warps.warps * bytes / BANKS_BYTES - 1e-9));
}

/* Whether the access conflicts, and how many ways. */
static double conflict_of(const struct advice_try *try, uint32_t a)
{
    const struct advice_access *is = &try->base->accesses[a];
    const struct fw_access *access = &try->base->question->kernel->accesses[a];
    if (!is->runs || access->space != FW_SPACE_SHARED || access->direction > FW_STORE)
        return 1;
    return is->warps.passes / is->warps.warps / least_passes(is, access->bytes);
}

/* Rows that are `from` bytes apart are `to` apart: every stride of whole rows grows with them. */
static void stretch(struct advice_address *address, int64_t from, int64_t to)
{
    for (uint32_t p = 0; p < address->count; p++)
        if (address->parts[p].stride % from == 0)
            address->parts[p].stride = address->parts[p].stride / from * to;
}

/* Lanes side by side, whatever else the address is: no two of them in one bank. */
static fw_expression side_by_side(struct advice_try *try, uint32_t bytes)
{
    struct fw_pool *pool = &try->kernel->pool;
    fw_expression sum = 0;
    int64_t stride = bytes;
    for (uint32_t axis = 0; axis < 3; axis++) {
        fw_expression thread = fw_launch_value(pool, (enum fw_launch_index)(FW_THREAD_X + axis));
        sum = fw_add(pool, sum, fw_scale(pool, thread, stride));
        stride *= try->launch->block[axis];
    }
    return sum;
}

static int64_t lane_stride(const struct advice_address *address)
{
    for (uint32_t p = 0; address->known && p < address->count; p++)
        if (address->parts[p].is_lane)
            return address->parts[p].stride;
    return 0;
}

static void pad_array(struct advice_try *try, uint32_t array, int64_t row, int64_t padded)
{
    struct fw_array *of = &try->kernel->arrays[array];
    uint64_t bytes = of->bytes / (uint64_t)row * (uint64_t)padded;
    if (of->bytes && try->kernel->resources.static_shared != UINT32_MAX)
        try->kernel->resources.static_shared += (uint32_t)(bytes - of->bytes);
    for (uint32_t a = 0; a < try->kernel->access_count; a++) {
        struct fw_access *access = &try->kernel->accesses[a];
        struct advice_address address = try->base->accesses[a].address;
        if (access->array != array || !try->base->accesses[a].runs || !address.known)
            continue;
        stretch(&address, row, padded);
        access->offset = advice_address_expression(try, &address);
    }
}

bool advice_pad_shared(struct advice_try *try)
{
    static const double WAYS = 1.3;
    double most = 0;
    uint32_t worst = FW_NONE;
    for (uint32_t a = 0; a < try->kernel->access_count; a++) {
        double extra = conflict_of(try, a) - 1;
        if (extra > WAYS - 1 && try->base->accesses[a].executions * extra > most) {
            most = try->base->accesses[a].executions * extra;
            worst = a;
        }
    }
    if (worst == FW_NONE)
        return false;
    const struct fw_access access = try->kernel->accesses[worst];
    int64_t row = lane_stride(&try->base->accesses[worst].address);
    int64_t pad = access.bytes > 4 ? access.bytes : 4;
    double ways = conflict_of(try, worst);
    bool rows = row > access.bytes && access.array != FW_NONE;
    advice_at_access(try, worst);
    if (rows)
        pad_array(try, access.array, row, row + pad);
    for (uint32_t a = 0; a < try->kernel->access_count; a++)
        if (conflict_of(try, a) > WAYS && (!rows || try->kernel->accesses[a].array != access.array))
            try->kernel->accesses[a].offset = side_by_side(try, try->kernel->accesses[a].bytes);
    try->at_most = !rows;
    const char *name = advice_array_name(try, worst);
    try->sentence =
        rows ? fw_arena_printf(try->arena,
                               "A warp's accesses to %s in shared memory have a %.0f-way bank "
                               "conflict: its lanes are %lld bytes apart. Pad each row by %lld "
                               "bytes.",
                               name, ways, (long long)row, (long long)pad)
             : fw_arena_printf(try->arena,
                               "A warp's accesses to %s in shared memory have a %.1f-way bank "
                               "conflict: let its lanes lie in different banks.",
                               name, ways);
    return true;
}

/* ---- wider accesses ---- */

struct widening {
    struct fw_pool *pool;
    int64_t times;
};

/* The place along x times as many: a thread has so many elements side by side. */
static fw_expression many_times(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    const struct widening *widening = user;
    (void)atom;
    if (node->kind != FW_ATOM_LAUNCH || (node->a != FW_BLOCK_X && node->a != FW_THREAD_X))
        return FW_NO_EXPRESSION;
    return fw_scale(widening->pool, fw_launch_value(widening->pool, (enum fw_launch_index)node->a),
                    widening->times);
}

/* Accesses that lie side by side along x, aligned for so many elements at once. */
static bool can_widen(const struct advice_try *try, int64_t times)
{
    bool any = false;
    for (uint32_t a = 0; a < try->kernel->access_count; a++) {
        const struct fw_access *access = &try->kernel->accesses[a];
        const struct advice_access *is = &try->base->accesses[a];
        if (access->space == FW_SPACE_PARAM)
            continue;
        int64_t wide = times * access->bytes;
        if (!is->runs || !is->address.known || access->space != FW_SPACE_GLOBAL ||
            access->direction > FW_STORE || wide > WIDEST || is->address.constant % wide)
            return false;
        for (uint32_t p = 0; p < is->address.count; p++) {
            const struct advice_part *part = &is->address.parts[p];
            bool along = part->of == ADVICE_GRID_THREAD && part->index == 0;
            if (along ? part->stride != access->bytes : part->stride % wide != 0)
                return false;
            any |= along;
        }
    }
    return any;
}

/* What works on loaded values, once an element: the rest is addresses and conditions. */
static void repeat_work(struct advice_try *try, uint32_t times)
{
    const struct fw_kernel *kernel = try->kernel;
    bool *of_data = FW_ARRAY(try->arena, bool, kernel->schedule_count + 1);
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *at = &kernel->schedule[i];
        bool is_access = at->access_count > 0;
        for (uint32_t w = 0; w < at->wait_count; w++)
            of_data[i] |= of_data[at->waits_for[w]];
        if (is_access)
            of_data[i] = kernel->accesses[at->access].space == FW_SPACE_GLOBAL &&
                         kernel->accesses[at->access].direction == FW_LOAD;
        else if (of_data[i])
            for (uint32_t o = 0; o < at->machine_count; o++)
                advice_own_machine(try, i)[o].times *= times;
    }
}

bool advice_widen(struct advice_try *try)
{
    enum { MOST = 4, LESS = 2 };
    struct fw_kernel *kernel = try->kernel;
    if (kernel->loop_count || !advice_any_block(try))
        return false;
    const uint32_t times = can_widen(try, MOST) ? MOST : LESS;
    const struct widening widening = {&kernel->pool, times};
    const struct fw_replacement with = {.replace = many_times,
                                        .user = (void *)(uintptr_t)&widening};
    if (try->launch->grid[0] < 2 * times || !can_widen(try, times))
        return false;
    uint32_t wide = 0, first = FW_NONE;
    for (uint32_t b = 0; b < kernel->branch_count; b++) {
        if (kernel->branches[b].data_dependent)
            return false;
        kernel->branches[b].condition =
            fw_condition_replace(&kernel->pool, kernel->branches[b].condition, &with);
    }
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        struct fw_access *access = &kernel->accesses[a];
        if (access->space == FW_SPACE_PARAM)
            continue;
        access->offset = fw_expression_replace(&kernel->pool, access->offset, &with);
        access->vector *= times;
        access->bytes *= times;
        wide += access->direction == FW_LOAD;
        first = first == FW_NONE ? a : first;
    }
    if (first == FW_NONE)
        return false;
    repeat_work(try, times);
    if (kernel->resources.registers)
        kernel->resources.registers += wide * (times - 1);
    try->launch->grid[0] = (try->launch->grid[0] + times - 1) / times;
    advice_at_access(try, first);
    try->sentence = fw_arena_printf(
        try->arena,
        "A thread moves %u bytes at a time: let it move %u neighbouring elements by accesses of "
        "%u bytes (float4 and the like), with a grid of %u blocks.",
        kernel->accesses[first].bytes / times, times, kernel->accesses[first].bytes,
        try->launch->grid[0]);
    return true;
}

/* ---- atomics ---- */

/* Bytes that atomics to an array reach: of the variable, or by the range of the address; 0: not
 * known. */
static uint64_t reach_of(const struct advice_try *try, const struct fw_access *access)
{
    const struct fw_model_question *question = try->base->question;
    int64_t low, high;
    if (access->array != FW_NONE && try->kernel->arrays[access->array].bytes)
        return try->kernel->arrays[access->array].bytes;
    if (fw_bound_range(question->bound, access->domain, access->offset, &low, &high))
        return high >= low ? (uint64_t)(high - low) + access->bytes : 0;
    if (!access->data || access->data->part_count != 1)
        return 0;
    const struct fw_data_part *part = &access->data->parts[0];
    int64_t coefficient, lowest, highest;
    const struct fw_pool *pool = &try->kernel->pool;
    if (!fw_expression_constant(pool, part->coefficient, &coefficient) ||
        part->low == FW_NO_EXPRESSION || part->high == FW_NO_EXPRESSION ||
        !fw_expression_constant(pool, part->low, &lowest) ||
        !fw_expression_constant(pool, part->high, &highest) || highest < lowest ||
        coefficient <= 0 || (highest - lowest) > SHARED_MOST / coefficient)
        return 0;
    return (uint64_t)((highest - lowest) * coefficient) + access->bytes;
}

/* Atomics to few addresses: each block counts in shared memory, and adds up once. */
bool advice_privatize(struct advice_try *try)
{
    struct fw_kernel *kernel = try->kernel;
    uint64_t shared = 0;
    uint32_t first = FW_NONE;
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        struct fw_access *access = &kernel->accesses[a];
        if (access->space != FW_SPACE_GLOBAL || access->direction <= FW_STORE || access->returns)
            continue;
        uint64_t reach = reach_of(try, access);
        const double *executions = (const double[]){
            fw_bound_count_warps(try->base->question->bound, access->domain)->estimate};
        const uint32_t *grid = try->launch->grid;
        double blocks = (double)grid[0] * grid[1] * grid[2];
        /* What a block adds up at its end must be less than what it adds at once. */
        double merged = blocks * (double)reach / access->bytes / FW_WARP_THREADS;
        if (!reach || reach > SHARED_MOST || merged * 4 > *executions)
            continue;
        access->space = FW_SPACE_SHARED;
        shared += reach;
        first = first == FW_NONE ? a : first;
    }
    if (first == FW_NONE || kernel->resources.static_shared == UINT32_MAX)
        return false;
    kernel->resources.static_shared += (uint32_t)shared;
    advice_at_access(try, first);
    try->sentence = fw_arena_printf(
        try->arena,
        "Atomic operations of all blocks meet at %llu bytes of %s: let each block add up in shared "
        "memory, and to device memory once at its end.",
        (unsigned long long)shared, advice_array_name(try, first));
    return true;
}
