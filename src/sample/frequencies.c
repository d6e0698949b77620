#include "frequencies.h"

#include "block_sectors.h"
#include "granule_counts.h"
#include "passes.h"
#include "working_set.h"

#include <math.h>
#include <string.h>

/* Sums over blocks of one branch or loop; a mean is one of the first three over one of the others.
 */
struct sums {
    double threads, warps, warps_passed;
    double of_threads, of_warps;
    double blocks_taken, blocks_passed, of_blocks;
};

/* The first and the last block of the grid, and those between. */
enum { ENDS, BETWEEN, CLASSES };

struct item {
    struct sums sums[CLASSES];
    double squares, products, of_squares; /* of blocks' `threads` and `of_threads` */
    struct fw_frequency found;
};

/* Every `each`-th request of an access. */
struct kept {
    struct fw_seen_request *at; /* FW_MOST_SEEN */
    uint32_t count;
    uint64_t each, seen;
    uint64_t sectors, fresh; /* that all ask for, and of these new ones of their block */
};

struct fw_frequency_counter {
    struct fw_arena *arena;
    const struct fw_kernel *record;
    const struct fw_function *function;
    const struct fw_emulate_launch *launch;
    bool sampled;
    uint32_t *loop_of; /* by loop of the record: the function's; FW_NO_INDEX */
    struct item *branches, *loops;
    uint32_t *array_of;  /* by instruction, plus 1; 0: no access whose address depends on data */
    uint32_t *access_of; /* by instruction of `array_of` */
    struct kept *kept;   /* by access */
    struct fw_block_sectors *sectors;    /* NULL: no access was seen */
    uint64_t *lines;                     /* by array: new ones of their block, over all blocks */
    struct fw_working_set **sets;        /* by array; NULL: no such access was seen */
    struct fw_granule_counts **granules; /* by array; NULL: no such atomic operation was seen */
    bool *even;                          /* by array: not all of its atomics have such addresses */
    uint64_t granule;                    /* bytes; 0: not counted */
    bool any_access;
    uint32_t blocks[CLASSES]; /* that ran */
    struct fw_frequencies result;
};

/* ---- branches and loops ---- */

static void count_branch(struct sums *sums, const struct fw_frequency_counter *counter,
                         const struct fw_emulate_count *counts, uint32_t branch)
{
    const uint32_t at = counter->record->branches[branch].instruction;
    const struct fw_emulate_count *count = &counts[at];
    if (counter->function->instructions[at].opcode == FW_OP_BRX)
        return;
    sums->threads = (double)count->threads;
    sums->of_threads = (double)count->active;
    sums->warps = (double)count->warps;
    sums->of_warps = (double)count->issued;
    /* Of an instruction that only runs under a predicate nobody notes which warps split. */
    sums->warps_passed = fw_instruction_is_terminator(&counter->function->instructions[at])
                             ? (double)(count->issued - count->warps + count->divergent)
                             : (double)NAN;
    sums->of_blocks = 1;
    sums->blocks_taken = sums->warps > 0;
    sums->blocks_passed = isnan(sums->warps_passed) ? (double)NAN : sums->warps_passed > 0;
}

/* Adds how often a block went on to its successor `s`, by threads and by warps. */
static void add_edge(double back[2], const struct fw_function *function,
                     const struct fw_emulate_count *counts, uint32_t block, uint32_t s)
{
    const struct fw_block *from = &function->blocks[block];
    const struct fw_emulate_count *last = &counts[from->end - 1];
    if (from->successor_count == 1) {
        back[0] += (double)last->active;
        back[1] += (double)last->issued;
    } else if (from->successor_count != 2) {
        back[0] = back[1] = (double)NAN;
    } else {
        back[0] += (double)(s == 0 ? last->threads : last->active - last->threads);
        back[1] += (double)(s == 0 ? last->warps : last->issued - last->warps + last->divergent);
    }
}

/* Header executions, and those that came from outside of the loop. */
static void count_loop(struct sums *sums, const struct fw_frequency_counter *counter,
                       const struct fw_emulate_count *counts, uint32_t loop)
{
    const struct fw_function *function = counter->function;
    double back[2] = {0, 0};
    if (counter->loop_of[loop] == FW_NO_INDEX)
        return;
    const struct fw_loop_info *info = &function->loops[counter->loop_of[loop]];
    const struct fw_emulate_count *header = &counts[function->blocks[info->header].first];
    for (uint32_t l = 0; l < info->latch_count; l++) {
        const struct fw_block *latch = &function->blocks[info->latches[l]];
        for (uint32_t s = 0; s < latch->successor_count; s++)
            if (latch->successors[s] == info->header)
                add_edge(back, function, counts, info->latches[l], s);
    }
    sums->threads = (double)header->active;
    sums->of_threads = sums->threads - back[0];
    sums->warps = (double)header->issued;
    sums->of_warps = sums->warps - back[1];
}

static void add_block(struct item *item, const struct sums *own, int which)
{
    struct sums *to = &item->sums[which];
    struct fw_frequency *found = &item->found;
    if (!(own->of_threads > 0))
        return;
    const double mean = own->threads / own->of_threads;
    found->low = found->blocks && found->low < mean ? found->low : mean;
    found->high = found->blocks && found->high > mean ? found->high : mean;
    found->blocks++;
    found->observations += (uint64_t)own->of_threads;
    item->squares += own->threads * own->threads;
    item->products += own->threads * own->of_threads;
    item->of_squares += own->of_threads * own->of_threads;
    to->threads += own->threads;
    to->of_threads += own->of_threads;
    to->warps += own->warps;
    to->warps_passed += own->warps_passed;
    to->of_warps += own->of_warps;
    to->blocks_taken += own->blocks_taken;
    to->blocks_passed += own->blocks_passed;
    to->of_blocks += own->of_blocks;
}

static void block_done(void *user, const uint32_t block[3], const struct fw_emulate_count *counts)
{
    struct fw_frequency_counter *counter = user;
    const uint32_t *grid = counter->launch->grid;
    bool first = true, last = true;
    for (int d = 0; d < 3; d++) {
        first = first && block[d] == 0;
        last = last && block[d] == grid[d] - 1;
    }
    const int which = counter->sampled && (first || last) ? ENDS : BETWEEN;
    counter->blocks[which]++;
    for (uint32_t b = 0; b < counter->record->branch_count; b++) {
        struct sums own = {0};
        count_branch(&own, counter, counts, b);
        add_block(&counter->branches[b], &own, which);
    }
    for (uint32_t l = 0; l < counter->record->loop_count; l++) {
        struct sums own = {0};
        count_loop(&own, counter, counts, l);
        add_block(&counter->loops[l], &own, which);
    }
}

/* ---- addresses ---- */

enum { SECTOR_BYTES = 32, LINE_SECTORS = 4 };

/* Keeps every so many-th request of an access: where there is no place for more, every second one
 * of those that are kept goes, and half as many come from there on. */
static void keep(struct fw_frequency_counter *counter, const struct fw_emulate_access *access)
{
    struct kept *kept = &counter->kept[counter->access_of[access->instruction]];
    if (!kept->at) {
        kept->at = FW_ARRAY(counter->arena, struct fw_seen_request, FW_MOST_SEEN);
        kept->each = 1;
    }
    if (kept->seen++ % kept->each)
        return;
    if (kept->count == FW_MOST_SEEN) {
        kept->count /= 2;
        kept->each *= 2;
        for (uint32_t i = 0; i < kept->count; i++)
            kept->at[i] = kept->at[2 * i];
    }
    struct fw_seen_request *to = &kept->at[kept->count++];
    to->mask = access->mask;
    memcpy(to->at, access->addresses, sizeof(to->at));
}

static bool is_atomic(const struct fw_access *access)
{
    return access->direction == FW_ATOMIC || access->direction == FW_REDUCTION;
}

static double blocks_of(const struct fw_frequency_counter *counter)
{
    const uint32_t *grid = counter->launch->grid;
    return (double)grid[0] * grid[1] * grid[2];
}

static void see_atomic(struct fw_frequency_counter *counter, const struct fw_emulate_access *access,
                       uint32_t array)
{
    struct fw_granule_counts **counts = &counter->granules[array];
    if (!counter->granule || counter->even[array] ||
        !is_atomic(&counter->record->accesses[counter->access_of[access->instruction]]))
        return;
    *counts = *counts ? *counts
                      : fw_granule_counts_new(counter->arena, counter->granule, blocks_of(counter));
    fw_granule_counts_see(*counts, access->block, access->mask, access->addresses, access->bytes);
}

/* Counts which of a request's sectors, and of their lines, are the first ones of their block. */
static void see_sectors(struct fw_frequency_counter *counter,
                        const struct fw_emulate_access *access, uint32_t array,
                        const uint64_t *sectors, uint32_t count)
{
    struct kept *kept = &counter->kept[counter->access_of[access->instruction]];
    if (!counter->sectors)
        counter->sectors = fw_block_sectors_new(counter->arena);
    kept->sectors += count;
    for (uint32_t i = 0; i < count; i++) {
        if (!fw_block_sectors_is_new(counter->sectors, access->block, 2 * sectors[i]))
            continue;
        kept->fresh++;
        counter->lines[array] += fw_block_sectors_is_new(counter->sectors, access->block,
                                                         2 * (sectors[i] / LINE_SECTORS) + 1);
    }
}

static void see(void *user, const struct fw_emulate_access *access)
{
    struct fw_frequency_counter *counter = user;
    const uint32_t array = counter->array_of[access->instruction];
    uint64_t seen[2 * 32 + 2];
    uint32_t count = 0;
    if (!array)
        return;
    struct fw_array_use *use = &counter->result.arrays[array - 1];
    if (!access->mask)
        return;
    keep(counter, access);
    use->requests++;
    struct fw_working_set **set = &counter->sets[array - 1];
    const uint32_t block = counter->blocks[ENDS] + counter->blocks[BETWEEN];
    *set = *set ? *set : fw_working_set_new(counter->arena);
    see_atomic(counter, access, array - 1);
    for (uint32_t lanes = access->mask; lanes; lanes &= lanes - 1) {
        const uint64_t at = access->addresses[__builtin_ctz(lanes)], end = at + access->bytes;
        use->low = use->high && use->low < at ? use->low : at;
        use->high = use->high > end ? use->high : end;
        fw_working_set_see(*set, at, block);
        for (uint64_t s = at / SECTOR_BYTES; s <= (end - 1) / SECTOR_BYTES; s++) {
            uint32_t i = count;
            while (i > 0 && seen[i - 1] != s)
                i--;
            if (i == 0 && count < sizeof(seen) / sizeof(seen[0]))
                seen[count++] = s;
        }
    }
    use->sectors += count;
    see_sectors(counter, access, array - 1, seen, count);
}

/* ---- all ---- */

static uint32_t find_loop(const struct fw_function *function, uint32_t header)
{
    for (uint32_t l = 0; l < function->loop_count; l++)
        if (function->blocks[function->loops[l].header].first == header)
            return l;
    return FW_NO_INDEX;
}

struct fw_frequency_counter *fw_frequency_counter_new(struct fw_arena *arena,
                                                      const struct fw_kernel *record,
                                                      const struct fw_function *function,
                                                      const struct fw_emulate_launch *launch,
                                                      bool sampled, uint64_t granule)
{
    struct fw_frequency_counter *counter = FW_NEW(arena, struct fw_frequency_counter);
    *counter = (struct fw_frequency_counter){
        .arena = arena,
        .record = record,
        .function = function,
        .launch = launch,
        .sampled = sampled,
        .loop_of = FW_ARRAY(arena, uint32_t, record->loop_count + 1),
        .branches = FW_ARRAY(arena, struct item, record->branch_count + 1),
        .loops = FW_ARRAY(arena, struct item, record->loop_count + 1),
        .array_of = FW_ARRAY(arena, uint32_t, function->instruction_count + 1),
        .access_of = FW_ARRAY(arena, uint32_t, function->instruction_count + 1),
        .kept = FW_ARRAY(arena, struct kept, record->access_count + 1),
        .sets = FW_ARRAY(arena, struct fw_working_set *, record->array_count + 1),
        .granules = FW_ARRAY(arena, struct fw_granule_counts *, record->array_count + 1),
        .lines = FW_ARRAY(arena, uint64_t, record->array_count + 1),
        .even = FW_ARRAY(arena, bool, record->array_count + 1),
        .granule = granule};
    counter->result = (struct fw_frequencies){
        .branches = FW_ARRAY(arena, struct fw_frequency, record->branch_count + 1),
        .loops = FW_ARRAY(arena, struct fw_frequency, record->loop_count + 1),
        .arrays = FW_ARRAY(arena, struct fw_array_use, record->array_count + 1),
        .requests = FW_ARRAY(arena, struct fw_seen_requests, record->access_count + 1)};
    for (uint32_t l = 0; l < record->loop_count; l++)
        counter->loop_of[l] = find_loop(function, record->loops[l].instruction);
    for (uint32_t a = 0; a < record->access_count; a++) {
        const struct fw_access *access = &record->accesses[a];
        if (access->array != FW_NONE && is_atomic(access) && !access->data_dependent)
            counter->even[access->array] = true;
        if (!access->data_dependent || access->array == FW_NONE ||
            record->arrays[access->array].parameter == FW_NONE)
            continue;
        counter->array_of[access->instruction] = access->array + 1;
        counter->access_of[access->instruction] = a;
        counter->any_access = true;
    }
    return counter;
}

void fw_frequency_counter_listen(struct fw_frequency_counter *counter,
                                 struct fw_emulate_options *options)
{
    options->access = counter->any_access ? see : NULL;
    options->block_done = block_done;
    options->user = counter;
}

static double mean(double sum, double of, double weight, double sum_ends, double of_ends)
{
    const double all = weight * of + of_ends;
    return all > 0 ? (weight * sum + sum_ends) / all : (double)NAN;
}

/* Of a ratio of two sums over `blocks` of `all` blocks, by how far blocks are from it (Cochran
 * 1977, 6.4). */
static double error_of(const struct item *item, double all)
{
    const double blocks = item->found.blocks;
    const double threads = item->sums[ENDS].threads + item->sums[BETWEEN].threads;
    const double of = item->sums[ENDS].of_threads + item->sums[BETWEEN].of_threads;
    const double ratio = threads / of;
    const double squares =
        item->squares - 2 * ratio * item->products + ratio * ratio * item->of_squares;
    if (blocks < 2)
        return blocks < all ? (double)INFINITY : 0;
    return sqrt(fmax(0, squares) * fmax(0, 1 - blocks / all) * blocks / (blocks - 1)) / of;
}

static struct fw_frequency finished(const struct item *item, double weight, double all)
{
    const struct sums *ends = &item->sums[ENDS], *between = &item->sums[BETWEEN];
    struct fw_frequency found = item->found;
    found.value =
        mean(between->threads, between->of_threads, weight, ends->threads, ends->of_threads);
    found.warps = mean(between->warps, between->of_warps, weight, ends->warps, ends->of_warps);
    found.warps_passed =
        mean(between->warps_passed, between->of_warps, weight, ends->warps_passed, ends->of_warps);
    found.blocks_taken = mean(between->blocks_taken, between->of_blocks, weight, ends->blocks_taken,
                              ends->of_blocks);
    found.blocks_passed = mean(between->blocks_passed, between->of_blocks, weight,
                               ends->blocks_passed, ends->of_blocks);
    found.error = error_of(item, all);
    return found;
}

static struct fw_seen_requests seen_of(const struct fw_frequency_counter *counter, uint32_t access,
                                       double blocks)
{
    const struct kept *kept = &counter->kept[access];
    const uint32_t array = counter->record->accesses[access].array;
    struct fw_seen_requests seen = {.at = kept->at, .count = kept->count};
    if (kept->sectors) {
        seen.fresh = (double)kept->fresh / (double)kept->sectors;
        seen.lines = (double)counter->lines[array] / blocks;
    }
    return seen;
}

struct fw_frequencies *fw_frequency_counter_result(struct fw_frequency_counter *counter)
{
    const uint32_t *ran = counter->blocks;
    const double all = blocks_of(counter);
    const double weight = counter->sampled && ran[BETWEEN] ? (all - ran[ENDS]) / ran[BETWEEN] : 1;
    for (uint32_t b = 0; b < counter->record->branch_count; b++)
        counter->result.branches[b] = finished(&counter->branches[b], weight, all);
    for (uint32_t l = 0; l < counter->record->loop_count; l++)
        counter->result.loops[l] = finished(&counter->loops[l], weight, all);
    for (uint32_t a = 0; a < counter->record->access_count; a++)
        counter->result.requests[a] = seen_of(counter, a, ran[ENDS] + ran[BETWEEN]);
    for (uint32_t a = 0; a < counter->record->array_count; a++)
        if (counter->sets[a])
            counter->result.arrays[a].touched = fw_working_set_bytes(
                counter->sets[a], ran[ENDS] + ran[BETWEEN], ran[ENDS] + ran[BETWEEN] >= all);
    for (uint32_t a = 0; a < counter->record->array_count; a++)
        if (counter->granules[a])
            counter->result.arrays[a].loads = fw_granule_counts_loads(
                counter->granules[a], counter->arena, ran[ENDS] + ran[BETWEEN]);
    return &counter->result;
}

struct fw_frequency fw_frequency_of_copies(const struct fw_frequencies *found,
                                           const struct fw_kernel *record, bool is_loop,
                                           uint32_t index)
{
    const uint32_t count = is_loop ? record->loop_count : record->branch_count;
    const char *name = is_loop ? record->loops[index].name : record->branches[index].name;
    struct fw_frequency all = {.value = 0};
    for (uint32_t i = 0; i < count; i++) {
        const struct fw_frequency *one = is_loop ? &found->loops[i] : &found->branches[i];
        const double weight = (double)one->observations;
        if ((is_loop ? record->loops[i].name : record->branches[i].name) != name ||
            isnan(one->value))
            continue;
        all.low = all.blocks ? fmin(all.low, one->low) : one->low;
        all.high = all.blocks ? fmax(all.high, one->high) : one->high;
        all.blocks = one->blocks > all.blocks ? one->blocks : all.blocks;
        all.observations += one->observations;
        all.value += weight * one->value;
        all.warps += weight * one->warps;
        all.warps_passed += weight * one->warps_passed;
    }
    const double of = all.observations ? (double)all.observations : (double)NAN;
    all.value /= of;
    all.warps /= of;
    all.warps_passed /= of;
    return all;
}
