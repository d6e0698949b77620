/* See probe_plan.h.  A configuration's name says what it is; the analysis finds it by that. */
#include "probe_plan.h"
#include "probe_opencl.h"

#include <math.h>
#include <string.h>

enum { SMALL = 1, NEVER = 2023406813 };

struct planner {
    struct fw_arena *arena;
    struct fw_probe_files *files;
    const struct fw_probe_device *device;
    struct fw_buffer plan;
};

static void add_file(struct planner *planner, const char *name, const struct fw_buffer *text)
{
    struct fw_probe_file file = {fw_arena_text(planner->arena, name, strlen(name)), text->text,
                                 text->length};
    *FW_APPEND(planner->arena, &planner->files->rows) = file;
}

/* ---- the configuration's lines ---- */

struct shape {
    const char *source, *kernel;
    uint64_t grid, block, n, data_bytes;
    unsigned read;  /* u64 of `out` that are read back */
    uint64_t bytes; /* the fifth argument; 0: there is none */
    unsigned trials;
    bool cold, energy, zero;
    unsigned batches;
    double settle;
};

static void configuration(struct planner *planner, const char *name, const struct shape *shape)
{
    struct fw_buffer *plan = &planner->plan;
    unsigned trials = planner->device->small ? 3 : shape->trials;
    fw_buffer_printf(plan,
                     "configuration \"%s\"\n    source %s\n    kernel %s\n    grid %llu\n"
                     "    block %llu\n    trials %u\n    batches %u\n    settle %g\n",
                     name, shape->source, shape->kernel, (unsigned long long)shape->grid,
                     (unsigned long long)shape->block, trials, shape->batches, shape->settle);
    if (shape->cold)
        fw_buffer_printf(plan, "    cache cold\n");
    if (shape->energy)
        fw_buffer_printf(plan, "    energy 3\n");
    fw_buffer_printf(plan, "    buffer out u64 %u zero\n    buffer data u64 %llu %s\n",
                     shape->read > 16 ? shape->read : 16,
                     (unsigned long long)(shape->data_bytes / 8 + 1),
                     shape->zero ? "zero" : "untouched");
    fw_buffer_printf(plan, "    scalar n u32 %llu\n    scalar never u32 %u\n",
                     (unsigned long long)shape->n, (unsigned)NEVER);
    if (shape->bytes)
        fw_buffer_printf(plan, "    scalar bytes u64 %llu\n", (unsigned long long)shape->bytes);
    if (shape->read)
        fw_buffer_printf(plan, "    output out\n    read out %u\n", shape->read);
    fw_buffer_printf(plan, "end\n");
}

/* ---- the sets ---- */

static void plan_plain(struct planner *planner)
{
    static const unsigned grids[] = {1, 16, 128, 1024, 4096, 16384, 65536, 262144, 1048576};
    struct fw_buffer text = fw_buffer_new(planner->arena);
    fw_probe_ptx_plain(&text);
    add_file(planner, "plain.ptx", &text);
    struct shape shape = {.source = "plain.ptx",
                          .kernel = "clocks",
                          .grid = 1,
                          .block = 32,
                          .n = 200000,
                          .data_bytes = 64,
                          .read = 4,
                          .trials = 10,
                          .settle = 0.5};
    configuration(planner, "clocks", &shape);
    shape = (struct shape){.source = "plain.ptx",
                           .kernel = "empty",
                           .block = 256,
                           .n = 1,
                           .data_bytes = 64,
                           .trials = 20,
                           .batches = 10};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        shape.grid = grids[i];
        configuration(planner, fw_arena_printf(planner->arena, "empty %u", grids[i]), &shape);
    }
}

/* Rows whose rate and energy are measured on the whole device. */
static const struct {
    enum fw_probe_operation row;
    uint64_t instances; /* of the pattern, by each warp */
    bool energy;
} whole[] = {
    {FW_PROBE_fma_f32, 262144, true},        {FW_PROBE_fma_f64, 131072, true},
    {FW_PROBE_fma_f16x2, 131072, false},     {FW_PROBE_mad_s32, 131072, true},
    {FW_PROBE_ex2_f32, 65536, true},         {FW_PROBE_mma_bf16, 32768, true},
    {FW_PROBE_mma_int8, 16384, false},       {FW_PROBE_mma_f64_k16, 16384, false},
    {FW_PROBE_load_shared_128, 32768, true}, {FW_PROBE_load_l1_128, 32768, true},
};

uint64_t fw_probe_iterations(const struct fw_probe_row *row)
{
    return (uint64_t)(4096 / row->unroll);
}

uint64_t fw_probe_whole_instances(enum fw_probe_operation operation)
{
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (whole[i].row == operation)
            return whole[i].instances;
    return 0;
}

static void plan_operations(struct planner *planner)
{
    struct fw_arena *arena = planner->arena;
    for (int i = 0; i < FW_PROBE_OPERATION_COUNT; i++) {
        const struct fw_probe_row *row = &fw_probe_rows[i];
        if ((unsigned)row->target > planner->device->capability)
            continue;
        struct fw_buffer text = fw_buffer_new(arena);
        fw_probe_ptx_operation(&text, row);
        const char *source = fw_arena_printf(arena, "%s.ptx", row->name);
        add_file(planner, source, &text);
        struct shape shape = {.source = source,
                              .grid = 1,
                              .block = 1024,
                              .n = fw_probe_iterations(row),
                              .data_bytes = 1 << 20,
                              .read = FW_PROBE_WARP_POINTS * FW_PROBE_LENGTHS,
                              .trials = 7};
        shape.kernel = "dependent";
        configuration(planner, fw_arena_printf(arena, "dependent %s", row->name), &shape);
        shape.kernel = "independent";
        configuration(planner, fw_arena_printf(arena, "independent %s", row->name), &shape);
    }
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        const struct fw_probe_row *row = &fw_probe_rows[whole[i].row];
        if ((unsigned)row->target > planner->device->capability)
            continue;
        struct shape shape = {.source = fw_arena_printf(arena, "%s.ptx", row->name),
                              .kernel = "rate",
                              .grid = 4 * planner->device->multiprocessors,
                              .block = 512,
                              .n = whole[i].instances / (uint64_t)row->unroll,
                              .data_bytes = 1 << 20,
                              .trials = 10,
                              .energy = whole[i].energy && planner->device->energy};
        configuration(planner, fw_arena_printf(arena, "rate %s", row->name), &shape);
    }
}

static void plan_wgmma(struct planner *planner)
{
    if (planner->device->capability != 90)
        return;
    struct fw_buffer text = fw_buffer_new(planner->arena);
    fw_probe_ptx_wgmma(&text);
    add_file(planner, "wgmma.ptx", &text);
    unsigned grid = 2 * planner->device->multiprocessors;
    struct shape shape = {.source = "wgmma.ptx",
                          .grid = grid,
                          .block = 128,
                          .n = FW_PROBE_WGMMA_ITERATIONS,
                          .data_bytes = 64,
                          .read = grid,
                          .trials = 7};
    for (int i = 0; i < FW_PROBE_PRODUCTS; i++) {
        shape.kernel = fw_probe_products[i].name;
        shape.energy = i == 0 && planner->device->energy;
        configuration(planner, fw_arena_printf(planner->arena, "rate %s", shape.kernel), &shape);
    }
}

static const char *const chase_names[FW_CHASE_COUNT] = {"sizes", "strides", "pages"};

const char *fw_probe_chase_name(enum fw_probe_chase chase)
{
    return chase_names[chase];
}

static const unsigned strides[] = {32, 64, 96, 128, 160, 192, 256, 384, 512};
static const uint64_t page_stride = (2 << 20) + 4224;

static size_t append_points(struct fw_probe_point *points, size_t count, double low, double high,
                            double each_octave, uint64_t stride, uint64_t steps)
{
    uint64_t last = 0;
    for (double at = low; at <= high * 1.0001; at *= exp2(1 / each_octave)) {
        uint64_t number = (uint64_t)(at + 0.5);
        if (number > last)
            points[count++] = (struct fw_probe_point){number, stride, steps};
        last = number;
    }
    return count;
}

size_t fw_probe_chase_points(struct fw_probe_point **points, struct fw_arena *arena,
                             enum fw_probe_chase chase, uint64_t memory_bytes)
{
    enum { MOST = 512 };
    struct fw_probe_point *at = FW_ARRAY(arena, struct fw_probe_point, MOST);
    size_t count = 0;
    double quarter = (double)memory_bytes / 4;
    double most = fmin(1 << 30, quarter);
    *points = at;
    if (chase == FW_CHASE_SIZES)
        return append_points(at, 0, 16, most / 128, 12, 128, 4096);
    if (chase == FW_CHASE_PAGES)
        return append_points(at, 0, 8, fmin(1e11, 2 * quarter) / (double)page_stride, 4,
                             page_stride, 2048);
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++)
        count = append_points(at, count, 256, 16384, 6, strides[i], 2048);
    return count;
}

static void plan_chases(struct planner *planner)
{
    for (int i = 0; i < FW_CHASE_COUNT; i++) {
        struct fw_probe_point *points;
        struct fw_buffer text = fw_buffer_new(planner->arena);
        size_t count = fw_probe_chase_points(&points, planner->arena, (enum fw_probe_chase)i,
                                             planner->device->memory_bytes);
        uint64_t most = 0;
        for (size_t p = 0; p < count; p++)
            most = points[p].count * points[p].stride > most ? points[p].count * points[p].stride
                                                             : most;
        fw_probe_ptx_chase(&text, points, count, 16384, i == FW_CHASE_PAGES);
        const char *source = fw_arena_printf(planner->arena, "chase_%s.ptx", chase_names[i]);
        add_file(planner, source, &text);
        struct shape shape = {.source = source,
                              .kernel = "chase",
                              .grid = 1,
                              .block = 1024,
                              .n = 1,
                              .data_bytes = most + 4096,
                              .read = (unsigned)count,
                              .trials = 5};
        configuration(planner, fw_arena_printf(planner->arena, "chase %s", chase_names[i]), &shape);
    }
}

/* As many lines a block as a launch can report of. */
static void plan_partitions(struct planner *planner)
{
    enum { MOST_READ = 65536 };
    unsigned grid = planner->device->multiprocessors;
    unsigned lines = grid ? MOST_READ / 3 / grid : 0;
    struct fw_buffer text = fw_buffer_new(planner->arena);
    if (lines > FW_PROBE_PARTITION_LINES)
        lines = FW_PROBE_PARTITION_LINES;
    if (lines < 2)
        return;
    fw_probe_ptx_partitions(&text);
    add_file(planner, "partitions.ptx", &text);
    struct shape shape = {.source = "partitions.ptx",
                          .kernel = "partitions",
                          .grid = grid,
                          .block = 256,
                          .n = lines,
                          .data_bytes = (uint64_t)grid * lines * 256,
                          .read = grid * lines * 3,
                          .trials = 7,
                          .cold = true};
    configuration(planner, fw_arena_printf(planner->arena, "partitions %u", lines), &shape);
}

static void plan_granules(struct planner *planner)
{
    struct fw_buffer lines = fw_buffer_new(planner->arena);
    struct fw_buffer fetch = fw_buffer_new(planner->arena);
    struct fw_buffer constant = fw_buffer_new(planner->arena);
    fw_probe_ptx_lines(&lines);
    fw_probe_ptx_fetch(&fetch);
    fw_probe_ptx_constant(&constant);
    add_file(planner, "lines.ptx", &lines);
    add_file(planner, "fetch.ptx", &fetch);
    add_file(planner, "constant.ptx", &constant);
    struct shape shape = {.source = "lines.ptx",
                          .kernel = "lines",
                          .grid = 1,
                          .block = 32,
                          .n = 1,
                          .data_bytes = 4 << 20,
                          .read = 2 * FW_PROBE_LINES,
                          .trials = 7};
    configuration(planner, "lines", &shape);
    plan_partitions(planner);
    shape.source = "fetch.ptx";
    shape.read = FW_PROBE_OFFSETS * FW_PROBE_FETCHES;
    shape.data_bytes = 16 << 20;
    shape.kernel = "fetch_l1";
    configuration(planner, "fetch l1", &shape);
    shape.kernel = "fetch_l2";
    shape.cold = true;
    configuration(planner, "fetch l2", &shape);
    shape = (struct shape){.source = "constant.ptx",
                           .kernel = "constant",
                           .grid = 1,
                           .block = 32,
                           .n = 1,
                           .data_bytes = 64,
                           .read = FW_PROBE_CONSTANT_SIZES,
                           .trials = 7};
    configuration(planner, "constant", &shape);
}

/* ---- units beside loads and stores ---- */

size_t fw_probe_atomics(struct fw_probe_atomic **atomics, struct fw_arena *arena)
{
    static const unsigned words[] = {1, 32, 128, 256, 512, 4096, 65536, 1048576};
    static const unsigned offsets[] = {256, 512, 768};
    enum { WORDS = sizeof words / sizeof *words, FEW = 16, MANY = 256, FROM = 4096 };
    struct fw_probe_atomic *at =
        FW_ARRAY(arena, struct fw_probe_atomic,
                 2 * FW_PROBE_ATOMIC_TYPES * FW_PROBE_ATOMIC_PATTERNS * WORDS + sizeof offsets);
    size_t count = 0;
    for (int i = 0; i < FW_PROBE_ATOMIC_TYPES * FW_PROBE_ATOMIC_PATTERNS * WORDS * 2; i++) {
        struct fw_probe_atomic one = {.type = i / 2 % FW_PROBE_ATOMIC_TYPES,
                                      .returns = i % 2,
                                      .words = words[i / 2 / FW_PROBE_ATOMIC_TYPES % WORDS]};
        one.pattern = (enum fw_probe_atomic_pattern)(i / 2 / FW_PROBE_ATOMIC_TYPES / WORDS);
        one.times = one.words < FROM ? FEW : MANY;
        if (one.pattern != FW_PROBE_ATOMIC_ONE && one.words == 1)
            continue; /* the same */
        at[count++] = one;
    }
    for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++) /* 1 KiB elsewhere */
        at[count++] = (struct fw_probe_atomic){
            .pattern = FW_PROBE_ATOMIC_ROW, .words = 256, .offset = offsets[o], .times = FEW};
    *atomics = at;
    return count;
}

const char *fw_probe_atomic_name(struct fw_arena *arena, const struct fw_probe_atomic *atomic)
{
    return fw_arena_printf(arena, "atomic %s_%s_%s %u %u", atomic->returns ? "atom" : "red",
                           fw_probe_atomic_types[atomic->type],
                           fw_probe_atomic_patterns[atomic->pattern], atomic->words,
                           atomic->offset);
}

static void plan_atomics(struct planner *planner)
{
    struct fw_buffer text = fw_buffer_new(planner->arena);
    struct fw_probe_atomic *atomics;
    size_t count = fw_probe_atomics(&atomics, planner->arena);
    fw_probe_ptx_atomics(&text);
    add_file(planner, "atomics.ptx", &text);
    for (size_t i = 0; i < count; i++) {
        const struct fw_probe_atomic *atomic = &atomics[i];
        struct shape shape = {.source = "atomics.ptx",
                              .grid = FW_PROBE_ATOMIC_BLOCKS * planner->device->multiprocessors,
                              .block = FW_PROBE_ATOMIC_THREADS,
                              .n = planner->device->small ? 1 : atomic->times,
                              .data_bytes = (uint64_t)8 << 20,
                              .bytes = (uint64_t)atomic->offset << 32 | atomic->words,
                              .trials = 5,
                              .batches = 2,
                              .zero = true};
        shape.kernel = fw_arena_printf(planner->arena, "%s_%s_%s", atomic->returns ? "atom" : "red",
                                       fw_probe_atomic_types[atomic->type],
                                       fw_probe_atomic_patterns[atomic->pattern]);
        configuration(planner, fw_probe_atomic_name(planner->arena, atomic), &shape);
    }
    struct shape shape = {.source = "atomics.ptx",
                          .grid = 1,
                          .block = 1024,
                          .n = FW_PROBE_UNIT_ITERATIONS,
                          .data_bytes = 64,
                          .read = FW_PROBE_UNIT_LANES,
                          .trials = 7};
    for (int type = 0; type < FW_PROBE_ATOMIC_TYPES; type++) {
        shape.kernel = fw_arena_printf(planner->arena, "shared_%s", fw_probe_atomic_types[type]);
        configuration(planner, shape.kernel, &shape);
    }
}

static void plan_constants(struct planner *planner)
{
    static const char *const kernels[] = {"constant_lanes", "constant_lines", "constant_walk"};
    struct fw_buffer text = fw_buffer_new(planner->arena);
    fw_probe_ptx_constants(&text);
    add_file(planner, "constants.ptx", &text);
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        struct shape shape = {.source = "constants.ptx",
                              .kernel = kernels[k],
                              .grid = 1,
                              .block = 1024,
                              .n = FW_PROBE_UNIT_ITERATIONS,
                              .data_bytes = 64,
                              .read = k == 2 ? FW_PROBE_CONSTANT_SIZES : FW_PROBE_UNIT_LANES,
                              .trials = 7};
        configuration(planner, kernels[k], &shape);
    }
}

/* Regions of all of a kernel: copies have two, mixed three. */
static const struct {
    const char *name;
    unsigned regions;
} streams[] = {{"read", 1}, {"write", 1}, {"copy", 2}, {"mixed", 3}};

/* Bytes of one iteration of all threads: eight accesses of 16 bytes a region. */
static uint64_t stream_step(int kind, uint64_t grid, uint64_t block)
{
    return grid * block * 8 * 16 * streams[kind].regions;
}

static uint64_t stream_iterations(int kind, uint64_t grid, uint64_t block, bool small)
{
    uint64_t total = small ? 1 << 26 : (uint64_t)8 << 30;
    return total / stream_step(kind, grid, block) + 1;
}

static void stream(struct planner *planner, const char *source, int kind, uint64_t bytes,
                   unsigned blocks, unsigned threads, bool energy)
{
    uint64_t each = bytes / streams[kind].regions / 4096 * 4096;
    uint64_t grid = (uint64_t)blocks * planner->device->multiprocessors;
    struct shape shape = {.source = source,
                          .kernel = streams[kind].name,
                          .grid = grid,
                          .block = threads,
                          .n = stream_iterations(kind, grid, threads, planner->device->small),
                          .data_bytes = bytes,
                          .bytes = each,
                          .trials = 7,
                          .energy = energy};
    configuration(planner,
                  fw_arena_printf(planner->arena, "%s %llu %ux%u %llu%s", streams[kind].name,
                                  (unsigned long long)bytes, blocks, threads,
                                  (unsigned long long)(stream_step(kind, grid, threads) * shape.n),
                                  energy ? " energy" : ""),
                  &shape);
}

static const struct {
    const char *name;
    unsigned accesses, threads;
} passes[] = {{"pass1", 1, 256},  {"pass1", 1, 1024}, {"pass4", 4, 128},  {"pass4", 4, 256},
              {"pass4", 4, 1024}, {"pass4s", 4, 256}, {"pass4s", 4, 512}, {"pass8", 8, 256}};

/* A copy of half of `bytes` to the other half, once, by as many blocks as it has pieces. */
static void pass(struct planner *planner, size_t index, uint64_t bytes)
{
    uint64_t piece = (uint64_t)passes[index].accesses * passes[index].threads * 16;
    struct shape shape = {.source = "stream.ptx",
                          .kernel = passes[index].name,
                          .grid = bytes / 2 / piece,
                          .block = passes[index].threads,
                          .n = 1,
                          .data_bytes = bytes,
                          .bytes = bytes / 2,
                          .trials = 10};
    configuration(planner,
                  fw_arena_printf(planner->arena, "pass %llu %s %u", (unsigned long long)bytes,
                                  passes[index].name, passes[index].threads),
                  &shape);
}

static void plan_streams(struct planner *planner)
{
    static const unsigned shapes[][2] = {{1, 128}, {1, 256}, {1, 512}, {2, 512},
                                         {4, 256}, {4, 512}, {8, 256}, {3, 256}};
    uint64_t large = (uint64_t)4 << 30;
    struct fw_buffer text = fw_buffer_new(planner->arena);
    while (large > planner->device->memory_bytes / 4)
        large /= 2;
    fw_probe_ptx_stream(&text);
    add_file(planner, "stream.ptx", &text);
    for (int kind = 0; kind < 4; kind++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            stream(planner, "stream.ptx", kind, large, shapes[i][0], shapes[i][1], false);
    for (double size = 1 << 20; size <= (double)(large / 2) * 1.001; size *= exp2(1 / 4.0))
        stream(planner, "stream.ptx", 0, (uint64_t)(size + 0.5) / 4096 * 4096, 4, 512, false);
    for (int kind = 1; kind < 4; kind++)
        stream(planner, "stream.ptx", kind, 12 << 20, 4, 512, false);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        stream(planner, "stream.ptx", 0, 12 << 20, shapes[i][0], shapes[i][1], false);
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
        pass(planner, i, large);
    if (!planner->device->energy)
        return;
    stream(planner, "stream.ptx", 0, 12 << 20, 4, 512, true);
    for (int kind = 0; kind < 3; kind++)
        stream(planner, "stream.ptx", kind, large, 4, 512, true);
}

static void plan_power(struct planner *planner)
{
    struct fw_buffer text = fw_buffer_new(planner->arena);
    uint64_t bytes = (uint64_t)1 << 30;
    if (!planner->device->energy)
        return;
    struct shape idle = {.source = "plain.ptx",
                         .kernel = "idle",
                         .grid = 1,
                         .block = 32,
                         .n = 20000,
                         .data_bytes = 64,
                         .trials = 3,
                         .energy = true};
    configuration(planner, "idle", &idle);
    fw_probe_ptx_intensity(&text);
    add_file(planner, "intensity.ptx", &text);
    for (int i = 0; i < FW_PROBE_INTENSITIES; i++) {
        uint64_t grid = 4 * (uint64_t)planner->device->multiprocessors;
        uint64_t iterations = ((uint64_t)4 << 30) / (grid * 512 * 8 * 16);
        struct shape shape = {.source = "intensity.ptx",
                              .kernel = fw_arena_printf(planner->arena, "f%d", i),
                              .grid = grid,
                              .block = 512,
                              .n = iterations / (i > 3 ? 4 : 1) + 1,
                              .data_bytes = bytes,
                              .bytes = bytes,
                              .trials = 5,
                              .energy = true};
        configuration(planner, fw_arena_printf(planner->arena, "intensity %d", fw_probe_flops[i]),
                      &shape);
    }
}

static void open_plan(struct planner *planner)
{
    planner->plan = fw_buffer_new(planner->arena);
    fw_buffer_printf(&planner->plan,
                     "# Written by forewarp device probe; see docs/probing.md.\nplan 1\n"
                     "process together\nwarmup 2\nlimit 60\n\n");
}

/* OpenCL C: launches, operations of the whole device, streams, and a chase by single
 * configurations; events alone tell the time. */
static void plan_opencl(struct planner *planner)
{
    static const unsigned grids[] = {1, 64, 4096, 65536};
    struct fw_arena *arena = planner->arena;
    const struct fw_probe_device *device = planner->device;
    struct fw_buffer text = fw_buffer_new(arena);
    bool small = device->small;
    fw_probe_opencl_source(&text);
    add_file(planner, "probe.cl", &text);
    struct shape shape = {.source = "probe.cl",
                          .kernel = "empty",
                          .block = 64,
                          .n = 1,
                          .data_bytes = 64,
                          .trials = 20,
                          .batches = 10};
    for (size_t i = 0; i < sizeof grids / sizeof *grids - (small ? 1 : 0); i++) {
        shape.grid = grids[i];
        configuration(planner, fw_arena_printf(arena, "empty %u", grids[i]), &shape);
    }
    shape = (struct shape){.source = "probe.cl",
                           .grid = 4 * device->multiprocessors,
                           .block = 256,
                           .n = small ? 16 : 4096,
                           .data_bytes = 64,
                           .trials = 7};
    for (int i = 0; i < FW_PROBE_OPENCL_OPERATIONS; i++) {
        shape.kernel = fw_probe_opencl_operations[i];
        configuration(planner,
                      fw_arena_printf(arena, "opencl %s %llu", shape.kernel,
                                      (unsigned long long)(shape.grid * shape.block * shape.n *
                                                           FW_PROBE_OPENCL_UNROLL)),
                      &shape);
    }
    uint64_t large = small ? (uint64_t)16 << 20 : (uint64_t)1 << 30;
    while (large > device->memory_bytes / 4)
        large /= 2;
    for (int kind = 0; kind < 3; kind++)
        stream(planner, "probe.cl", kind, large, 4, 256, false);
    shape = (struct shape){.source = "probe.cl", .grid = 1, .block = 1, .trials = 7};
    for (uint64_t bytes = 4096; bytes <= large; bytes *= 4) {
        shape.n = small ? 2048 : 65536;
        shape.data_bytes = shape.bytes = bytes;
        shape.kernel = "chase";
        configuration(planner,
                      fw_arena_printf(arena, "walk %llu %llu", (unsigned long long)bytes,
                                      (unsigned long long)shape.n),
                      &shape);
        shape.kernel = "build";
        configuration(planner, fw_arena_printf(arena, "ring %llu", (unsigned long long)bytes),
                      &shape);
    }
}

void fw_probe_plan(struct fw_probe_files *files, struct fw_arena *arena,
                   const struct fw_probe_device *device)
{
    struct planner planner = {.arena = arena, .files = files, .device = device};
    open_plan(&planner);
    if (device->cuda) {
        plan_plain(&planner);
        plan_operations(&planner);
        plan_wgmma(&planner);
        plan_granules(&planner);
        plan_atomics(&planner);
        plan_constants(&planner);
        plan_chases(&planner);
        plan_streams(&planner);
        plan_power(&planner);
    } else {
        plan_opencl(&planner);
    }
    add_file(&planner, "probe.plan", &planner.plan);
}
