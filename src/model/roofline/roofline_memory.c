/* Memory: sectors and passes of each access, and the distinct bytes of each array.
 *
 * What a launch must move to or from device memory is, for each array and direction, the lesser of
 * the sectors that its warps ask for and of the array's extent: the range of its addresses in this
 * launch.  Data that depends on loaded addresses has no extent; it counts as asked for. */
#include "checked.h"
#include "lanes.h"
#include "roofline_internal.h"

#include <math.h>
#include <string.h>

enum { READ, WRITTEN, DIRECTIONS, DEFAULT_SECTOR = 32, DEFAULT_ALIGNMENT = 256 };

/* What one array is asked for in one direction. */
struct demand {
    double asked; /* bytes of the sectors or fetches that warps ask for */
    bool bounded; /* every access has a known range: low to high, in bytes */
    bool any;
    int64_t low, high;
};

struct memory {
    struct roofline_work *work;
    uint32_t sector;
    struct demand *arrays; /* by array (the last: unknown ones), then direction */
    uint32_t fetch;        /* bytes that device memory is read in */
    double *asked;         /* by access, then direction: bytes of whole sectors or fetches */
};

static uint32_t shift_of(const struct roofline_work *work, const struct fw_access *access,
                         uint32_t sector)
{
    const uint32_t *alignments = work->options->alignments;
    uint32_t alignment = DEFAULT_ALIGNMENT;
    if (access->array != FW_NONE && alignments) {
        uint32_t parameter = work->kernel->arrays[access->array].parameter;
        if (parameter != FW_NONE && alignments[parameter])
            alignment = alignments[parameter];
    }
    return alignment % sector;
}

static bool goes_to_device_memory(const struct fw_access *access)
{
    return access->space == FW_SPACE_GLOBAL || access->space == FW_SPACE_GENERIC ||
           access->space == FW_SPACE_LOCAL || access->space == FW_SPACE_TEX;
}

static bool reads(const struct fw_access *access)
{
    return access->direction != FW_STORE;
}

static bool writes(const struct fw_access *access)
{
    return access->direction != FW_LOAD;
}

static void extend(struct demand *demand, bool known, int64_t low, int64_t high)
{
    if (!demand->any) {
        demand->any = true;
        demand->bounded = known;
        demand->low = low;
        demand->high = high;
        return;
    }
    demand->bounded = demand->bounded && known;
    demand->low = low < demand->low ? low : demand->low;
    demand->high = high > demand->high ? high : demand->high;
}

/* A warp's access as a share of a full warp's. */
static double filled(double threads, double warps)
{
    double share = warps > 0 ? threads / (FW_WARP_THREADS * warps) : 1;
    return share < 1 ? share : 1;
}

static void add_shared(struct memory *memory, const struct fw_access *access, double threads,
                       double warps)
{
    struct roofline_work *work = memory->work;
    uint32_t banks = (uint32_t)fw_device_count(work->device, FW_FIGURE_SHARED_BANKS, 32);
    uint32_t width = (uint32_t)fw_device_count(work->device, FW_FIGURE_SHARED_BANK_BYTES, 4);
    struct fw_lanes lanes;
    fw_lanes_find(&lanes, work->bound, work->kernel, access, work->launch->block);
    double row = (double)banks * width, each;
    uint32_t width_of_one = fw_access_machine_bytes(work->kernel, access);
    bool counted = fw_bound_access_bytes(work->bound, access, &each);
    if (!access->bulk && width_of_one == 0)
        return;
    double bytes = threads * (access->bulk ? each : width_of_one);
    if (access->lanes && lanes.count > access->lanes)
        lanes.count = access->lanes;
    if (lanes.known && !access->bulk)
        bytes = warps *
                fw_lanes_passes(&lanes, access->lanes ? access->lane_bytes : width_of_one, banks,
                                width) *
                row;
    else if (!counted || !access->bulk)
        work->unknown_addresses++;
    fw_demand_amounts(&work->demand, access->line)[FW_RESOURCE_SHARED] += bytes;
}

/* Bytes that warps ask for in pieces of `piece` bytes. */
static double bytes_in_pieces(const struct roofline_work *work, const struct fw_access *access,
                              const struct fw_lanes *lanes, uint32_t bytes, uint32_t piece,
                              double threads, double warps)
{
    double full = fw_lanes_sectors(lanes, bytes, piece, shift_of(work, access, piece));
    double share = filled(threads, warps) * FW_WARP_THREADS / lanes->count;
    double pieces = full * (share < 1 ? share : 1);
    return warps * (pieces > 1 ? pieces : 1) * piece;
}

/* L1 works in sectors; device memory is read in fetches, which may be larger. */
static void add_global(struct memory *memory, uint32_t index, double threads, double warps)
{
    struct roofline_work *work = memory->work;
    const struct fw_access *access = &work->kernel->accesses[index];
    uint32_t array = access->array == FW_NONE ? work->kernel->array_count : access->array;
    uint32_t bytes = fw_access_machine_bytes(work->kernel, access);
    double each, asked = threads * bytes, *moved = &memory->asked[index * DIRECTIONS];
    moved[READ] = moved[WRITTEN] = asked;
    struct fw_lanes lanes;
    int64_t low = 0, high = 0;
    fw_lanes_find(&lanes, work->bound, work->kernel, access, work->launch->block);
    fw_bound_access_bytes(work->bound, access, &each);
    if (access->bulk) {
        asked = threads * ceil(each / memory->sector) * memory->sector;
        moved[WRITTEN] = asked;
        moved[READ] = threads * ceil(each / memory->fetch) * memory->fetch;
    } else if (bytes && lanes.known && lanes.count) {
        asked = bytes_in_pieces(work, access, &lanes, bytes, memory->sector, threads, warps);
        moved[WRITTEN] = asked;
        moved[READ] = bytes_in_pieces(work, access, &lanes, bytes, memory->fetch, threads, warps);
    } else {
        work->unknown_addresses += bytes > 0;
    }
    bool known = !access->bulk && array < work->kernel->array_count &&
                 fw_bound_range(work->bound, access->domain, access->offset, &low, &high);
    work->unknown_extents += !known;
    fw_demand_amounts(&work->demand, access->line)[FW_RESOURCE_L1] += asked;
    for (uint32_t d = 0; d < DIRECTIONS; d++) {
        if (d == READ ? !reads(access) : !writes(access))
            continue;
        struct demand *demand = &memory->arrays[array * DIRECTIONS + d];
        demand->asked += moved[d];
        extend(demand, known, low, fw_saturated_add(high, access->bytes));
    }
}

/* Distinct bytes that an array's accesses in one direction move. */
static double moved(const struct demand *demand)
{
    double extent = demand->bounded ? (double)demand->high - (double)demand->low : 0;
    if (!demand->any)
        return 0;
    return demand->bounded && extent < demand->asked ? extent : demand->asked;
}

/* Each access's part of what its array moves, by what it asks for. */
static void share_out(struct memory *memory)
{
    struct roofline_work *work = memory->work;
    const struct fw_kernel *kernel = work->kernel;
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        uint32_t array = access->array == FW_NONE ? kernel->array_count : access->array;
        for (uint32_t d = 0; d < DIRECTIONS; d++) {
            const struct demand *demand = &memory->arrays[array * DIRECTIONS + d];
            double asked = memory->asked[a * DIRECTIONS + d];
            if (!(asked > 0) || (d == READ ? !reads(access) : !writes(access)))
                continue;
            fw_demand_amounts(&work->demand, access->line)[FW_RESOURCE_DRAM] +=
                moved(demand) * asked / demand->asked;
        }
    }
    for (uint32_t array = 0; array <= kernel->array_count; array++) {
        const struct demand *read = &memory->arrays[array * DIRECTIONS];
        const struct demand *written = read + 1;
        double a = moved(read), b = moved(written);
        work->footprint += a > b ? a : b;
    }
}

void roofline_memory(struct roofline_work *work)
{
    const struct fw_kernel *kernel = work->kernel;
    struct memory memory = {
        .work = work,
        .sector = (uint32_t)fw_device_count(work->device, FW_FIGURE_SECTOR_BYTES, DEFAULT_SECTOR),
        .arrays = FW_ARRAY(work->arena, struct demand, (kernel->array_count + 1) * DIRECTIONS),
        .asked = FW_ARRAY(work->arena, double, (kernel->access_count + 1) * DIRECTIONS)};
    memory.fetch =
        (uint32_t)fw_device_count(work->device, FW_FIGURE_DRAM_FETCH_BYTES, memory.sector);
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        double threads = fw_bound_count(work->bound, access->domain)->estimate;
        double warps = fw_bound_count_warps(work->bound, access->domain)->estimate;
        bool shared = access->space == FW_SPACE_SHARED;
        if (!(threads > 0) || (!shared && !goes_to_device_memory(access)))
            continue;
        if (fw_access_machine_bytes(kernel, access))
            fw_demand_amounts(&work->demand, access->line)[FW_RESOURCE_LOAD_STORE] += threads;
        if (shared)
            add_shared(&memory, access, threads, warps);
        else
            add_global(&memory, a, threads, warps);
    }
    share_out(&memory);
}
