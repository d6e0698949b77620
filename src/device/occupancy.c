#include "occupancy.h"

static const char *const limit_texts[FW_LIMIT_COUNT] = {
#define X(name, text) text,
    FW_LIMITS(X)
#undef X
};

const char *fw_limit_text(enum fw_limit limit)
{
    return limit_texts[limit];
}

/* The figures that the rules need, as whole numbers. */
struct rules {
    uint64_t warp_size, warps, blocks, threads_per_block;
    uint64_t registers, registers_per_block, registers_per_thread, register_unit, partitions;
    uint64_t shared, shared_per_block, shared_opt_in, shared_reserved, shared_unit;
    uint64_t barriers;                                  /* 0: no limit is known */
    uint64_t ahead_threads, ahead_most, unused_threads; /* 0: not known */
    const struct fw_figure_value *carve_outs;
};

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static enum fw_status missing(const struct fw_device *device, enum fw_figure figure,
                              const struct fw_sink *sink)
{
    fw_report(sink, FW_ERROR, "DEV012", (struct fw_span){0},
              "the profile of %s does not say %s, which occupancy needs (%s)", device->name,
              fw_figure_row(figure)->name, fw_figure_row(figure)->meaning);
    return FW_ERROR_INPUT;
}

static enum fw_status read_rules(struct rules *rules, const struct fw_device *device,
                                 const struct fw_sink *sink)
{
    const struct {
        enum fw_figure figure;
        uint64_t *place;
    } needed[] = {
        {FW_FIGURE_WARP_SIZE, &rules->warp_size},
        {FW_FIGURE_WARPS_PER_SM, &rules->warps},
        {FW_FIGURE_BLOCKS_PER_SM, &rules->blocks},
        {FW_FIGURE_THREADS_PER_BLOCK, &rules->threads_per_block},
        {FW_FIGURE_REGISTERS_PER_SM, &rules->registers},
        {FW_FIGURE_REGISTERS_PER_BLOCK, &rules->registers_per_block},
        {FW_FIGURE_REGISTERS_PER_THREAD, &rules->registers_per_thread},
        {FW_FIGURE_REGISTER_UNIT, &rules->register_unit},
        {FW_FIGURE_SCHEDULERS, &rules->partitions},
        {FW_FIGURE_SHARED_PER_SM, &rules->shared},
        {FW_FIGURE_SHARED_PER_BLOCK, &rules->shared_per_block},
        {FW_FIGURE_SHARED_PER_BLOCK_OPT_IN, &rules->shared_opt_in},
        {FW_FIGURE_SHARED_RESERVED, &rules->shared_reserved},
        {FW_FIGURE_SHARED_UNIT, &rules->shared_unit},
    };
    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        if (!device->figures[needed[i].figure].known)
            return missing(device, needed[i].figure, sink);
        *needed[i].place = fw_device_count(device, needed[i].figure, 0);
    }
    rules->carve_outs = &device->figures[FW_FIGURE_SHARED_CARVE_OUTS];
    if (!rules->carve_outs->known)
        return missing(device, FW_FIGURE_SHARED_CARVE_OUTS, sink);
    rules->barriers = fw_device_count(device, FW_FIGURE_BARRIERS_PER_SM, 0);
    rules->ahead_threads = fw_device_count(device, FW_FIGURE_SHARED_AHEAD_THREADS, 0);
    rules->ahead_most = fw_device_count(device, FW_FIGURE_SHARED_AHEAD_MOST, 0);
    rules->unused_threads = fw_device_count(device, FW_FIGURE_SHARED_UNUSED_THREADS, 0);
    return FW_OK;
}

/* The smallest carve-out of at least `bytes`; 0 when there is none (or 0 is enough). */
static uint64_t carve_out(const struct rules *rules, uint64_t bytes)
{
    for (size_t i = 0; i < rules->carve_outs->count; i++)
        if (rules->carve_outs->list[i] >= (double)bytes)
            return (uint64_t)rules->carve_outs->list[i];
    return 0;
}

static uint32_t limited(uint64_t blocks)
{
    return blocks < FW_UNLIMITED ? (uint32_t)blocks : FW_UNLIMITED;
}

static uint32_t by_registers(struct fw_occupancy *occupancy, const struct rules *rules,
                             uint64_t registers)
{
    if (registers > rules->registers_per_thread) /* which also bounds the products below */
        return 0;
    uint64_t warp = round_up(registers * rules->warp_size, rules->register_unit);
    occupancy->block_registers = warp * occupancy->block_warps;
    /* The hardware's check of a block takes all sub-partitions as filled alike. */
    if (warp * round_up(occupancy->block_warps, rules->partitions) > rules->registers_per_block)
        return 0;
    if (warp == 0)
        return FW_UNLIMITED;
    uint64_t warps = rules->registers / rules->partitions / warp * rules->partitions;
    return limited(warps / occupancy->block_warps);
}

/* Blocks that shared memory allows; `preferred` becomes the carve-out that the preference gives. */
static uint32_t by_shared(struct fw_occupancy *occupancy, const struct rules *rules,
                          const struct fw_block_needs *needs, uint64_t *preferred)
{
    uint64_t share =
        needs->carve_out < 0 ? rules->shared : (uint64_t)needs->carve_out * rules->shared / 100;
    uint64_t most = needs->no_opt_in ? rules->shared_per_block : rules->shared_opt_in;
    *preferred = carve_out(rules, share);
    /* Sums of two sizes near 2^64 would wrap: past the device's memory nothing runs anyway. */
    if (needs->shared_static > rules->shared || needs->shared_dynamic > rules->shared) {
        occupancy->block_shared = UINT64_MAX;
        return 0;
    }
    uint64_t bytes = needs->shared_static + needs->shared_dynamic + rules->shared_reserved;
    uint64_t block = round_up(bytes, rules->shared_unit);
    occupancy->block_shared = block;
    if (block > most + rules->shared_reserved)
        return 0;
    if (block == 0)
        return FW_UNLIMITED;
    uint64_t available = *preferred >= block ? *preferred : carve_out(rules, block);
    return limited(available / block);
}

static uint32_t by_barriers(const struct rules *rules, uint32_t barriers)
{
    return rules->barriers ? limited(rules->barriers / (barriers ? barriers : 1)) : FW_UNLIMITED;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The carve-out that the driver chooses for blocks that are resident, from data/h200/carveout: room
 * for twice as many of small blocks, as long as that leaves enough of L1; of blocks without shared
 * memory, room for the reserve of as many as `unused_threads` are. */
static uint64_t driver_carve_out(const struct fw_occupancy *occupancy, const struct rules *rules,
                                 const struct fw_block_needs *needs)
{
    uint64_t used = (uint64_t)occupancy->blocks * occupancy->block_shared, more = 0;
    if (occupancy->blocks == 0)
        return carve_out(rules, 0);
    if (needs->shared_static == 0 && needs->shared_dynamic == 0)
        more = lesser(rules->unused_threads / needs->threads, rules->blocks);
    else if (needs->threads <= rules->ahead_threads)
        more = lesser(2 * (uint64_t)occupancy->blocks, rules->blocks);
    uint64_t ahead = lesser(more * occupancy->block_shared, rules->ahead_most);
    return carve_out(rules, greater(used, ahead));
}

static void finish(struct fw_occupancy *occupancy, const struct rules *rules,
                   const struct fw_block_needs *needs, uint64_t preferred)
{
    occupancy->blocks = FW_UNLIMITED;
    for (size_t i = 0; i < FW_LIMIT_COUNT; i++)
        if (occupancy->allowed[i] < occupancy->blocks)
            occupancy->blocks = occupancy->allowed[i];
    for (size_t i = FW_LIMIT_COUNT; i-- > 0;) {
        if (occupancy->allowed[i] == occupancy->blocks) {
            occupancy->limits |= 1u << i;
            occupancy->limit = (enum fw_limit)i;
        }
    }
    occupancy->warps = occupancy->blocks * occupancy->block_warps;
    occupancy->share = (double)occupancy->warps / (double)rules->warps;
    uint64_t used = occupancy->blocks ? occupancy->block_shared * occupancy->blocks : 0;
    occupancy->carve_out_bytes = needs->carve_out < 0 ? driver_carve_out(occupancy, rules, needs)
                                                      : carve_out(rules, greater(used, preferred));
}

enum fw_status fw_occupancy(struct fw_occupancy *occupancy, const struct fw_device *device,
                            const struct fw_block_needs *needs, const struct fw_sink *sink)
{
    *occupancy = (struct fw_occupancy){0};
    if (needs->threads == 0 || needs->carve_out > 100) {
        fw_report(sink, FW_ERROR, "DEV013", (struct fw_span){0}, "%s",
                  needs->threads ? "a carve-out is at most 100 per cent"
                                 : "a block has at least one thread");
        return FW_ERROR_USAGE;
    }
    struct rules rules;
    enum fw_status status = read_rules(&rules, device, sink);
    if (status)
        return status;
    uint64_t preferred;
    occupancy->block_warps = (uint32_t)((needs->threads + rules.warp_size - 1) / rules.warp_size);
    occupancy->allowed[FW_LIMIT_WARPS] = needs->threads > rules.threads_per_block
                                             ? 0
                                             : limited(rules.warps / occupancy->block_warps);
    occupancy->allowed[FW_LIMIT_REGISTERS] = by_registers(occupancy, &rules, needs->registers);
    occupancy->allowed[FW_LIMIT_SHARED] = by_shared(occupancy, &rules, needs, &preferred);
    occupancy->allowed[FW_LIMIT_BLOCKS] = limited(rules.blocks);
    occupancy->allowed[FW_LIMIT_BARRIERS] = by_barriers(&rules, needs->barriers);
    finish(occupancy, &rules, needs, preferred);
    return FW_OK;
}

enum fw_status fw_occupancy_registers(uint32_t *most, const struct fw_device *device,
                                      uint32_t threads, uint32_t blocks, const struct fw_sink *sink)
{
    struct rules rules;
    *most = 0;
    enum fw_status status = read_rules(&rules, device, sink);
    if (status || threads == 0 || !rules.warp_size || !rules.partitions || !rules.register_unit)
        return status;
    uint64_t warps = (threads + rules.warp_size - 1) / rules.warp_size;
    if (blocks == 0 || blocks > rules.blocks || blocks * warps > rules.warps)
        blocks = 1;
    if (warps > rules.warps)
        return FW_OK;
    uint64_t filled = round_up(warps, rules.partitions); /* as by_registers has it */
    uint64_t per_partition = (blocks * warps + rules.partitions - 1) / rules.partitions;
    uint64_t warp = rules.registers / rules.partitions / per_partition;
    if (warp > rules.registers_per_block / filled)
        warp = rules.registers_per_block / filled;
    uint64_t registers = warp / rules.register_unit * rules.register_unit / rules.warp_size;
    *most =
        limited(registers < rules.registers_per_thread ? registers : rules.registers_per_thread);
    return FW_OK;
}

enum fw_status fw_occupancy_waves(struct fw_waves *waves, const struct fw_device *device,
                                  const struct fw_occupancy *occupancy, uint64_t blocks,
                                  const struct fw_sink *sink)
{
    *waves = (struct fw_waves){0};
    uint64_t multiprocessors = fw_device_count(device, FW_FIGURE_MULTIPROCESSORS, 0);
    if (!multiprocessors)
        return missing(device, FW_FIGURE_MULTIPROCESSORS, sink);
    if (!occupancy->blocks) {
        fw_report(sink, FW_ERROR, "DEV013", (struct fw_span){0},
                  "no block of this kernel fits on %s: too much of %s", device->name,
                  fw_limit_text(occupancy->limit));
        return FW_ERROR_USAGE;
    }
    waves->resident = multiprocessors * occupancy->blocks;
    waves->waves = blocks / waves->resident + (blocks % waves->resident != 0);
    waves->full = (double)blocks / (double)waves->resident;
    waves->last = blocks ? (blocks - 1) % waves->resident + 1 : 0;
    return FW_OK;
}
