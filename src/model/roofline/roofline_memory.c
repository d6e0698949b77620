/* Memory: sectors and passes of each access, and the distinct bytes of each array.
 *
 * What a launch must move to or from device memory is, for each array and direction, the lesser of
 * the sectors that its warps ask for and of the array's extent: the range of its addresses in this
 * launch.  Data that depends on loaded addresses has no extent; it counts as asked for. */
#include "lanes.h"
#include "roofline_internal.h"

#include <string.h>

enum { READ, WRITTEN, DIRECTIONS, DEFAULT_SECTOR = 32, DEFAULT_ALIGNMENT = 256 };

/* What one array is asked for in one direction. */
struct demand {
    double asked; /* bytes of the sectors that warps ask for */
    bool bounded; /* every access has a known range: low to high, in bytes */
    bool any;
    int64_t low, high;
};

struct memory {
    struct roofline_work *work;
    uint32_t sector;
    struct demand *arrays; /* by array (the last: unknown ones), then direction */
    double *asked;         /* by access: bytes of sectors */
};

static uint32_t shift_of(const struct roofline_work *work, const struct fw_access *access,
                         uint32_t sector)
{
    const uint32_t *alignments = work->options ? work->options->alignments : NULL;
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

/* Bytes of a thread's access as the machine does it: neighbours may be one wide access.  0: another
 * instruction's access does it. */
static uint32_t bytes_of(const struct fw_kernel *kernel, const struct fw_access *access)
{
    const struct fw_scheduled *at = &kernel->schedule[access->instruction];
    uint32_t bytes = access->bytes;
    if (!kernel->capability)
        return bytes;
    for (uint32_t m = 0; m < at->machine_count; m++) {
        uint32_t wide = strstr(at->machine[m].name, ".128")  ? 16
                        : strstr(at->machine[m].name, ".64") ? 8
                                                             : 0;
        bytes = wide > bytes ? wide : bytes;
    }
    return at->machine_count ? bytes : 0;
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
    double row = (double)banks * width;
    uint32_t width_of_one = bytes_of(work->kernel, access);
    double bytes = threads * width_of_one;
    if (width_of_one == 0)
        return;
    if (lanes.known)
        bytes = warps * fw_lanes_passes(&lanes, width_of_one, banks, width) * row;
    else
        work->unknown_addresses++;
    roofline_line(work, access->line)[FW_ROOFLINE_SHARED] += bytes;
}

static void add_global(struct memory *memory, uint32_t index, double threads, double warps)
{
    struct roofline_work *work = memory->work;
    const struct fw_access *access = &work->kernel->accesses[index];
    uint32_t array = access->array == FW_NONE ? work->kernel->array_count : access->array;
    struct fw_lanes lanes;
    int64_t low = 0, high = 0;
    fw_lanes_find(&lanes, work->bound, work->kernel, access, work->launch->block);
    uint32_t bytes = bytes_of(work->kernel, access);
    double asked = threads * bytes;
    if (bytes == 0) {
        asked = 0;
    } else if (lanes.known && lanes.count) {
        uint32_t shift = shift_of(work, access, memory->sector);
        double full = fw_lanes_sectors(&lanes, bytes, memory->sector, shift);
        double share = filled(threads, warps) * FW_WARP_THREADS / lanes.count;
        double sectors = full * (share < 1 ? share : 1);
        asked = warps * (sectors > 1 ? sectors : 1) * memory->sector;
    } else {
        work->unknown_addresses++;
    }
    bool known = array < work->kernel->array_count &&
                 fw_bound_range(work->bound, access->domain, access->offset, &low, &high);
    work->unknown_extents += !known;
    memory->asked[index] = asked;
    roofline_line(work, access->line)[FW_ROOFLINE_L1] += asked;
    for (int d = 0; d < DIRECTIONS; d++) {
        if (d == READ ? !reads(access) : !writes(access))
            continue;
        struct demand *demand = &memory->arrays[array * DIRECTIONS + (uint32_t)d];
        demand->asked += asked;
        extend(demand, known, low, high + access->bytes);
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
        if (!(memory->asked[a] > 0))
            continue;
        uint32_t array = access->array == FW_NONE ? kernel->array_count : access->array;
        for (int d = 0; d < DIRECTIONS; d++) {
            const struct demand *demand = &memory->arrays[array * DIRECTIONS + (uint32_t)d];
            if (d == READ ? !reads(access) : !writes(access))
                continue;
            roofline_line(work, access->line)[FW_ROOFLINE_DRAM] +=
                moved(demand) * memory->asked[a] / demand->asked;
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
        .asked = FW_ARRAY(work->arena, double, kernel->access_count + 1)};
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        double threads = fw_bound_count(work->bound, access->domain)->estimate;
        double warps = fw_bound_count_warps(work->bound, access->domain)->estimate;
        bool shared = access->space == FW_SPACE_SHARED;
        if (!(threads > 0) || (!shared && !goes_to_device_memory(access)))
            continue;
        if (bytes_of(kernel, access))
            roofline_line(work, access->line)[FW_ROOFLINE_LOAD_STORE] += threads;
        if (shared)
            add_shared(&memory, access, threads, warps);
        else
            add_global(&memory, a, threads, warps);
    }
    share_out(&memory);
}
