/* Predictions of kernel-language programs where their code cannot be compiled, from the domains:
 * the roofline of what the mathematics asks for.  There are no instructions: what a compiler adds
 * (index arithmetic, loops, moves) is left out, and said to be. */
#include "model.h"
#include "roofline_internal.h"
#include "warp.h"

#include <math.h>
#include <string.h>

enum { SECTOR = 32 };

struct asking {
    const struct fw_model_question *question;
    struct fw_demand demand;
    double footprint;
    bool expanded, unknown_strides, unknown_footprints, shared;
};

static double *line_of(struct asking *asking, uint32_t line)
{
    return fw_demand_amounts(&asking->demand, line);
}

/* All lanes of a warp are busy, whichever threads have work. */
static void add_operation(struct asking *asking, const struct fw_operation_row *row)
{
    double *amounts = line_of(asking, 0), warps = row->count.value, lanes = FW_WARP_THREADS * warps;
    bool real = row->type[0] == 'f' || strncmp(row->type, "bf", 2) == 0;
    bool product = strcmp(row->operation, "mul") == 0 || strcmp(row->operation, "madd") == 0;
    bool plain = product || strcmp(row->operation, "add") == 0 ||
                 strcmp(row->operation, "func:fma") == 0 ||
                 strcmp(row->operation, "func:min") == 0 || strcmp(row->operation, "func:max") == 0;
    amounts[FW_RESOURCE_ISSUE] += warps;
    if (!real)
        amounts[product ? FW_RESOURCE_INTEGER_MULTIPLY : FW_RESOURCE_INTEGER] += lanes;
    else if (strcmp(row->type, "f64") == 0)
        amounts[FW_RESOURCE_F64] += lanes;
    else if (!plain)
        amounts[FW_RESOURCE_SPECIAL] += lanes;
    else
        amounts[strcmp(row->type, "f32") == 0 ? FW_RESOURCE_F32 : FW_RESOURCE_F16] += lanes;
    asking->expanded |= strcmp(row->operation, "div") == 0 || strcmp(row->operation, "pow") == 0 ||
                        (real && !plain && strcmp(row->type, "f64") == 0);
}

/* Sectors that a warp's access touches: its threads lie along x, then along y. */
static double sectors_of(const struct asking *asking, const struct fw_memory_row *row)
{
    const uint32_t *block = asking->question->counted->block;
    double along = block[0] < FW_WARP_THREADS ? block[0] : FW_WARP_THREADS;
    double across = block[0] < FW_WARP_THREADS && block[1] > 1 ? FW_WARP_THREADS / along : 1;
    double step = fabs((double)row->thread_strides[0]) * row->bytes;
    double sectors = step >= SECTOR ? along : ceil(((along - 1) * step + row->bytes) / SECTOR);
    if (row->thread_strides[1] != 0 && across > 1)
        sectors *= across;
    return sectors < FW_WARP_THREADS ? sectors : FW_WARP_THREADS;
}

static void add_access(struct asking *asking, const struct fw_memory_row *row)
{
    double *amounts = line_of(asking, row->line);
    bool by_warps = strcmp(row->granularity, "warp") == 0;
    double warps = by_warps ? row->count.value : row->count.value / FW_WARP_THREADS;
    amounts[FW_RESOURCE_ISSUE] += warps;
    amounts[FW_RESOURCE_LOAD_STORE] += FW_WARP_THREADS * warps;
    if (strcmp(row->space, "shared") == 0) {
        amounts[FW_RESOURCE_SHARED] += FW_WARP_THREADS * warps * (row->bytes < 4 ? 4 : row->bytes);
        asking->shared = true;
        return;
    }
    asking->unknown_strides |= !row->has_thread_strides;
    double sectors = by_warps                  ? 1
                     : row->has_thread_strides ? sectors_of(asking, row)
                                               : FW_WARP_THREADS;
    amounts[FW_RESOURCE_L1] += warps * sectors * SECTOR;
}

/* Distinct bytes come from device memory once; where they are not known, each access does. */
static void add_footprint(struct asking *asking, const struct fw_footprint_row *row,
                          const struct fw_counts *counts)
{
    bool global = false;
    uint32_t line = 0;
    for (size_t r = 0; r < counts->memory_count; r++)
        if (strcmp(counts->memory[r].array, row->array) == 0 &&
            strcmp(counts->memory[r].direction, row->direction) == 0) {
            global = strcmp(counts->memory[r].space, "global") == 0;
            line = counts->memory[r].line;
        }
    if (!global)
        return;
    bool known = row->elements.known;
    double bytes = (known ? row->elements.value : row->accesses.value) * row->bytes;
    line_of(asking, line)[FW_RESOURCE_DRAM] += bytes;
    asking->footprint += bytes;
    asking->unknown_footprints |= !known;
}

static const char **sentences_of(const struct asking *asking, uint32_t *count)
{
    const char **sentences = FW_ARRAY(asking->question->arena, const char *, 9);
    *count = 0;
    sentences[(*count)++] =
        "Counts come from the domains, before any compiler: index arithmetic, loops, barriers and "
        "what else becomes instructions is not in them.";
    if (asking->question->no_code)
        sentences[(*count)++] = fw_arena_printf(asking->question->arena,
                                                "Generated code could not be asked instead: %s.",
                                                asking->question->no_code);
    if (asking->expanded)
        sentences[(*count)++] = "A division, a power, and any f64 function, counts as one "
                                "operation: the device takes about ten to twenty.";
    if (asking->shared)
        sentences[(*count)++] = "Bank conflicts of shared memory are not counted.";
    if (asking->unknown_strides)
        sentences[(*count)++] = "Accesses of unknown strides are taken to touch a sector a thread.";
    if (asking->unknown_footprints)
        sentences[(*count)++] =
            "Elements of arrays whose subscripts are not affine count as asked for once each time.";
    if (asking->question->counted->unknown_count)
        sentences[(*count)++] = "Conditions that are not known are taken to hold everywhere.";
    return sentences;
}

enum fw_status roofline_of_domains(struct fw_roofline **roofline,
                                   const struct fw_model_question *question,
                                   const struct fw_roofline_options *options)
{
    const struct fw_answer *answer = question->counted;
    const struct fw_counts *counts = answer->counts;
    struct asking asking = {.question = question, .demand = {.arena = question->arena}};
    struct fw_resources resources = {.registers = answer->kernel->registers,
                                     .registers_source = "stated", /* domains have none */
                                     .static_shared = answer->kernel->static_shared};
    struct fw_launch launch = {.shared = answer->shared};
    struct fw_roofline_request request = {.resources = &resources, .launch = &launch};
    for (size_t r = 0; r < counts->operation_count; r++)
        add_operation(&asking, &counts->operations[r]);
    for (size_t r = 0; r < counts->memory_count; r++)
        add_access(&asking, &counts->memory[r]);
    for (size_t r = 0; r < counts->footprint_count; r++)
        add_footprint(&asking, &counts->footprints[r], counts);
    memcpy(launch.grid, answer->grid, sizeof(launch.grid));
    memcpy(launch.block, answer->block, sizeof(launch.block));
    request.demand = asking.demand;
    request.footprint = asking.footprint;
    request.not_modelled = sentences_of(&asking, &request.not_modelled_count);
    return fw_roofline_from_demand(roofline, &request, question->device, options, question->sink);
}
