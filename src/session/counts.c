/* Counts: the tally of a bound launch as rows of the public interface. */
#include "session.h"
#include "checked.h"
#include "lanes.h"
#include "min_max.h"
#include "symbolic.h"
#include "warp.h"

#include <math.h>
#include <string.h>

struct counting {
    struct fw_worker *worker;
    struct fw_arena *arena;
    struct fw_symbolic *symbolic;             /* NULL: not asked for */
    bool bound;                               /* there is a grid: numbers */
    const struct fw_emulate_result *emulated; /* NULL: numbers are counted */
};

static void set_number(struct counting *counting, struct fw_number *number, mpz_srcptr value,
                       double estimate, bool exact)
{
    number->value = estimate;
    number->exact = exact;
    number->known = true;
    if (mpz_fits_slong_p(value))
        number->integer = mpz_get_si(value);
    else {
        char *digits = fw_arena_alloc(counting->arena, mpz_sizeinbase(value, 10) + 2);
        number->digits = mpz_get_str(digits, 10, value);
    }
}

/* The arguments that rows need and that are not bound: of a row that is not exact. */
static const char *const *missing(struct counting *counting, const struct fw_tally_row *row,
                                  size_t *count)
{
    const struct fw_worker *worker = counting->worker;
    const struct fw_kernel *record = worker->record;
    FW_VECTOR(const char *) names = {0};
    if (!counting->bound)
        *FW_APPEND(counting->arena, &names) = "the grid (-g)";
    for (uint32_t p = 0; p < record->parameter_count; p++) {
        bool needed = false;
        for (uint32_t t = 0; t < row->term_count && !needed; t++)
            needed = fw_needs_parameter(&worker->needs, row->domains[t], p);
        if (needed && !worker->launch->is_bound[p] && !record->parameters[p].is_pointer)
            *FW_APPEND(counting->arena, &names) = record->parameters[p].name;
    }
    *count = names.count;
    return names.at;
}

static void fill_number(struct counting *counting, const struct fw_tally_row *row,
                        struct fw_number *number, const char *const **needs, size_t *need_count)
{
    bool exact = counting->bound && row->threads.exact;
    if (counting->bound)
        set_number(counting, number, row->threads.value, row->threads.estimate, exact);
    if (!exact && !counting->emulated)
        *needs = missing(counting, row, need_count);
    number->known = counting->bound && (exact || *need_count == 0);
}

/* The texts of a row's formula, where formulas are asked for. */
static void fill_formula(struct counting *counting, const struct fw_tally_row *row,
                         const char **symbolic, const char **formula, const char **why)
{
    static const char *const names[] = {[FW_SYMBOLIC_DERIVED] = NULL,
                                        [FW_SYMBOLIC_DATA] = "data",
                                        [FW_SYMBOLIC_SHARED] = "shared",
                                        [FW_SYMBOLIC_BUDGET] = "budget"};
    if (!counting->symbolic)
        return;
    struct fw_symbolic_text text = fw_symbolic_row(counting->symbolic, row, counting->arena);
    *symbolic = text.isl;
    *formula = text.formula;
    *why = names[text.reason];
}

static void fill_row(struct counting *counting, struct fw_operation_row *to,
                     const struct fw_tally_row *from)
{
    to->operation = from->operation;
    to->type = fw_type_text(from->type);
    to->granularity = "thread";
    to->machine = from->machine;
    to->pipe = from->pipe;
    to->guarded = from->guarded;
    fill_number(counting, from, &to->count, &to->needs, &to->need_count);
    fill_formula(counting, from, &to->symbolic, &to->formula, &to->no_formula);
    if (from->collective)
        to->granularity = from->together == 4 * FW_WARP_THREADS ? "warpgroup"
                          : from->together == FW_WARP_THREADS   ? "warp"
                                                                : "block";
}

static struct fw_operation_row *fill_rows(struct counting *counting,
                                          const struct fw_tally_row *from, size_t count)
{
    struct fw_operation_row *rows = FW_ARRAY(counting->arena, struct fw_operation_row, count + 1);
    for (size_t r = 0; r < count; r++)
        fill_row(counting, &rows[r], &from[r]);
    return rows;
}

/* ---- memory ---- */

static const char *const directions[] = {"load", "store", "atomic", "reduction"};

static void describe_access(struct counting *counting, struct fw_memory_row *row,
                            const struct fw_access *access)
{
    struct fw_worker *worker = counting->worker;
    const struct fw_kernel *record = worker->record;
    uint32_t element = fw_type_bytes(access->type);
    struct fw_strides strides;
    row->space = fw_space_text(access->space);
    row->direction = directions[access->direction];
    row->type = fw_type_text(access->type);
    row->bytes = access->bytes;
    row->asynchronous = access->asynchronous;
    if (counting->bound && access->bulk) {
        double bytes;
        fw_bound_access_bytes(worker->bound, access, &bytes);
        row->bytes =
            (uint32_t)fw_min(fw_max(fw_saturated_integer(nearbyint(bytes)), 0), UINT32_MAX);
    }
    row->granularity = "thread";
    row->cache = access->cache ? access->cache : "";
    row->array = access->array == FW_NONE
                     ? NULL
                     : fw_text_variable(counting->arena, record->arrays[access->array].name);
    row->file = record->file;
    row->line = access->line;
    row->instructions = 1;
    if (!counting->bound || worker->settings->brief)
        return;
    fw_strides_of_threads(&strides, worker->bound, record, access);
    row->has_thread_strides = fw_strides_in_elements(&strides, element, row->thread_strides);
    fw_strides_of_blocks(&strides, worker->bound, record, access);
    row->has_block_strides = fw_strides_in_elements(&strides, element, row->block_strides);
    row->has_extent =
        row->array && !access->bulk &&
        fw_bound_range(worker->bound, access->domain, access->offset, &row->low, &row->high);
    row->high = fw_saturated_add(row->high, row->has_extent ? access->bytes : 0);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_row(const struct fw_memory_row *a, const struct fw_memory_row *b)
{
    return a->space == b->space && a->direction == b->direction && a->type == b->type &&
           same_text(a->array, b->array) && a->bytes == b->bytes && a->line == b->line &&
           a->has_thread_strides == b->has_thread_strides &&
           a->has_block_strides == b->has_block_strides && a->has_extent == b->has_extent &&
           strcmp(a->cache, b->cache) == 0 &&
           memcmp(a->thread_strides, b->thread_strides, sizeof(a->thread_strides)) == 0 &&
           memcmp(a->block_strides, b->block_strides, sizeof(a->block_strides)) == 0;
}

static uint64_t row_hash(const struct fw_memory_row *row)
{
    uint64_t key[12] = {(uint64_t)(uintptr_t)row->space,
                        (uint64_t)(uintptr_t)row->direction,
                        (uint64_t)(uintptr_t)row->type,
                        row->array ? fw_hash(row->array, strlen(row->array)) : 0,
                        row->bytes,
                        row->line};
    memcpy(key + 6, row->thread_strides, sizeof(row->thread_strides));
    memcpy(key + 9, row->block_strides, sizeof(row->block_strides));
    return fw_hash(key, sizeof(key));
}

/* Rows of equal accesses (those of an unrolled loop) become one: open addressing over the rows. */
struct merging {
    struct fw_map terms; /* row and domain: the index of its term in the row's sum */
    struct fw_memory_row *rows;
    struct fw_tally_row *sums; /* by row: the terms of all its accesses */
    uint64_t *executed;        /* by row: by the emulator's count */
    size_t count;
    uint32_t *table;
    size_t mask;
};

/* Without strides, rows are the same for every launch: they are made once a worker. */
struct brief_rows {
    struct fw_memory_row *rows;
    struct fw_tally_row *sums;
    size_t count;
};

static size_t place_row(struct merging *merging, const struct fw_memory_row *row, bool *is_new)
{
    size_t at = row_hash(row) & merging->mask;
    for (; merging->table[at]; at = (at + 1) & merging->mask)
        if (same_row(&merging->rows[merging->table[at] - 1], row)) {
            *is_new = false;
            return merging->table[at] - 1;
        }
    merging->rows[merging->count] = *row;
    merging->table[at] = (uint32_t)++merging->count;
    *is_new = true;
    return merging->count - 1;
}

/* Adds the terms of one access to those of its row: one a domain, in the order of their coming. */
static void add_terms(struct counting *counting, struct merging *merging, size_t row,
                      const struct fw_tally_row *part)
{
    struct fw_tally_row *sum = &merging->sums[row];
    for (uint32_t t = 0; t < part->term_count; t++) {
        uint64_t key[2] = {row, part->domains[t]};
        bool added;
        struct fw_map_entry *entry =
            fw_map_add(&merging->terms, (const char *)key, sizeof(key), &added);
        if (added && (sum->term_count & (sum->term_count - 1)) == 0) { /* full at powers of two */
            uint32_t room = 2 * sum->term_count + 1;
            uint32_t *domains = FW_ARRAY(counting->arena, uint32_t, room);
            uint32_t *times = FW_ARRAY(counting->arena, uint32_t, room);
            for (uint32_t i = 0; i < sum->term_count; i++) {
                domains[i] = sum->domains[i];
                times[i] = sum->times[i];
            }
            sum->domains = domains;
            sum->times = times;
        }
        if (added) {
            entry->value = sum->term_count;
            sum->domains[sum->term_count++] = part->domains[t];
        }
        sum->times[entry->value] += part->times[t];
    }
}

/* The number of a merged row: counts of domains, as the tally adds them. */
static void number_row(struct counting *counting, struct fw_memory_row *row,
                       const struct fw_tally_row *sum)
{
    struct fw_worker *worker = counting->worker;
    struct fw_tally_row total = *sum;
    double estimate = 0;
    bool exact = true;
    mpz_set_ui(worker->sum, 0);
    for (uint32_t t = 0; t < sum->term_count && counting->bound; t++) {
        const struct fw_total *part = fw_bound_count(worker->bound, sum->domains[t]);
        mpz_addmul_ui(worker->sum, part->value, sum->times[t]);
        estimate += part->estimate * sum->times[t];
        exact = exact && part->exact;
    }
    memcpy(&total.threads.value, worker->sum, sizeof(mpz_t)); /* borrowed, read only */
    total.threads.estimate = estimate;
    total.threads.exact = exact;
    fill_number(counting, &total, &row->count, &row->needs, &row->need_count);
    fill_formula(counting, sum, &row->symbolic, &row->formula, &row->no_formula);
}

static void set_executed(struct counting *counting, struct fw_number *number, uint64_t threads)
{
    const struct fw_emulate_result *result = counting->emulated;
    mpz_ptr sum = counting->worker->sum;
    mpz_set_ui(sum, threads);
    if (result->blocks_run && result->blocks_run != result->grid_blocks) {
        mpz_mul_ui(sum, sum, result->grid_blocks);
        mpz_fdiv_q_ui(sum, sum, result->blocks_run);
    }
    set_number(counting, number, sum, mpz_get_d(sum), result->blocks_run == result->grid_blocks);
}

static void merge_accesses(struct counting *counting, struct merging *merging)
{
    const struct fw_worker *worker = counting->worker;
    const struct fw_kernel *record = worker->record;
    size_t room = 8;
    while (room < 2 * (size_t)record->access_count + 2)
        room *= 2;
    *merging = (struct merging){
        .rows = FW_ARRAY(counting->arena, struct fw_memory_row, record->access_count + 1),
        .sums = FW_ARRAY(counting->arena, struct fw_tally_row, record->access_count + 1),
        .executed = FW_ARRAY(counting->arena, uint64_t, record->access_count + 1),
        .table = FW_ARRAY(counting->arena, uint32_t, room),
        .terms = fw_map_new(counting->arena),
        .mask = room - 1};
    for (uint32_t a = 0; a < record->access_count; a++) {
        struct fw_memory_row row = {0};
        bool is_new;
        describe_access(counting, &row, &record->accesses[a]);
        size_t at = place_row(merging, &row, &is_new);
        struct fw_memory_row *into = &merging->rows[at];
        if (!is_new) {
            into->instructions++;
            into->low = row.low < into->low ? row.low : into->low;
            into->high = row.high > into->high ? row.high : into->high;
        }
        add_terms(counting, merging, at, &worker->tally->accesses[a]);
        if (counting->emulated)
            merging->executed[at] +=
                counting->emulated->instructions[record->accesses[a].instruction].threads;
    }
}

static const struct brief_rows *brief_rows(struct counting *counting)
{
    struct fw_worker *worker = counting->worker;
    if (!worker->brief) {
        struct counting lasting = *counting;
        struct merging merging;
        lasting.arena = worker->arena;
        merge_accesses(&lasting, &merging);
        struct brief_rows *brief = FW_NEW(worker->arena, struct brief_rows);
        *brief = (struct brief_rows){merging.rows, merging.sums, merging.count};
        worker->brief = brief;
    }
    return worker->brief;
}

static void count_memory(struct counting *counting, struct fw_counts *counts)
{
    struct merging merging;
    if (counting->worker->settings->brief && !counting->emulated) {
        const struct brief_rows *brief = brief_rows(counting);
        merging = (struct merging){.sums = brief->sums, .count = brief->count};
        merging.rows =
            fw_arena_copy(counting->arena, brief->rows, brief->count * sizeof(*brief->rows));
    } else {
        merge_accesses(counting, &merging);
    }
    for (size_t r = 0; r < merging.count; r++)
        if (counting->emulated)
            set_executed(counting, &merging.rows[r].count, merging.executed[r]);
        else
            number_row(counting, &merging.rows[r], &merging.sums[r]);
    counts->memory = merging.rows;
    counts->memory_count = merging.count;
}

/* ---- numbers of the emulator ---- */

/* The tally's rows as the emulator counted them: an instruction's index is its place in the
 * schedule. */
static void add_executed(struct fw_tally_row *row, uint64_t threads)
{
    mpz_add_ui(row->threads.value, row->threads.value, threads);
}

static void find_executed(struct fw_tally_row *rows, uint32_t count, const char *operation,
                          const char *machine, enum fw_type type, bool guarded, uint64_t threads)
{
    for (uint32_t r = 0; r < count; r++)
        if (rows[r].type == type && strcmp(rows[r].operation, operation) == 0 &&
            (!machine || (rows[r].guarded == guarded && strcmp(rows[r].machine, machine) == 0))) {
            add_executed(&rows[r], threads);
            return;
        }
}

static void scale_row(struct fw_tally_row *row, const struct fw_emulate_result *result)
{
    bool all = result->blocks_run == result->grid_blocks;
    if (!all && result->blocks_run) {
        mpz_mul_ui(row->threads.value, row->threads.value, result->grid_blocks);
        mpz_fdiv_q_ui(row->threads.value, row->threads.value, result->blocks_run);
    }
    row->threads.exact = all;
    row->threads.estimate = mpz_get_d(row->threads.value);
}

static void each_row(struct fw_tally *tally, const struct fw_emulate_result *result,
                     void (*visit)(struct fw_tally_row *row,
                                   const struct fw_emulate_result *result))
{
    for (uint32_t r = 0; r < tally->operation_count; r++)
        visit(&tally->operations[r], result);
    for (uint32_t r = 0; r < tally->machine_count; r++)
        visit(&tally->machine[r], result);
    for (int g = 0; g < FW_GROUP_COUNT; g++)
        visit(&tally->groups[g], result);
    visit(&tally->total, result);
    visit(&tally->barriers, result);
}

static void clear_row(struct fw_tally_row *row, const struct fw_emulate_result *result)
{
    (void)result;
    mpz_set_ui(row->threads.value, 0);
}

static void fill_from_emulation(struct fw_tally *tally, const struct fw_emulate_result *result)
{
    const struct fw_kernel *record = tally->kernel;
    each_row(tally, result, clear_row);
    for (uint32_t i = 0; i < record->schedule_count; i++) {
        const struct fw_scheduled *at = &record->schedule[i];
        /* A branch is executed by those too that do not take it. */
        uint64_t threads = at->group == FW_GROUP_CONTROL ? result->instructions[i].active
                                                         : result->instructions[i].threads;
        if (!threads)
            continue;
        add_executed(&tally->total, threads);
        add_executed(&tally->groups[at->group], threads);
        if (at->is_barrier)
            add_executed(&tally->barriers, threads);
        find_executed(tally->operations, tally->operation_count, at->operation, NULL, at->type,
                      false, at->collective ? threads * at->flops : threads);
        for (uint32_t m = 0; m < at->machine_count; m++)
            find_executed(tally->machine, tally->machine_count, at->machine[m].operation,
                          at->machine[m].name, at->machine[m].type, at->machine[m].guarded,
                          threads * at->machine[m].times / at->machine[m].every);
    }
    each_row(tally, result, scale_row);
    tally->flops = 0;
    for (uint32_t r = 0; r < tally->operation_count; r++)
        tally->flops += tally->operations[r].flops * tally->operations[r].threads.estimate;
}

static void count_flops(struct counting *counting, struct fw_counts *counts)
{
    const struct fw_tally *tally = counting->worker->tally;
    mpz_ptr sum = counting->worker->sum;
    mpz_set_ui(sum, 0);
    counts->flops = (struct fw_number){.exact = !tally->calls, .known = counting->bound};
    for (uint32_t r = 0; r < tally->operation_count && counting->bound; r++) {
        const struct fw_tally_row *row = &tally->operations[r];
        if (!row->flops)
            continue;
        counts->flops.exact = counts->flops.exact && row->threads.exact;
        counts->flops.known = counts->flops.known && counts->operations[r].count.known;
        mpz_addmul_ui(sum, row->threads.value, row->flops);
    }
    if (counts->flops.known)
        set_number(counting, &counts->flops, sum, tally->flops, counts->flops.exact);
}

static void count_all(struct counting *counting)
{
    struct fw_worker *worker = counting->worker;
    struct fw_tally *tally = worker->tally;
    struct fw_counts *counts = FW_NEW(counting->arena, struct fw_counts);
    if (counting->emulated)
        fill_from_emulation(tally, counting->emulated);
    else if (counting->bound)
        fw_tally_fill(tally, worker->bound, false);
    counts->operations = fill_rows(counting, tally->operations, tally->operation_count);
    counts->operation_count = tally->operation_count;
    counts->machine = fill_rows(counting, tally->machine, tally->machine_count);
    counts->machine_count = tally->machine_count;
    count_memory(counting, counts);
    fill_row(counting, &counts->barriers, &tally->barriers);
    fill_row(counting, &counts->total, &tally->total);
    counts->barriers.operation = counts->total.operation = NULL;
    for (int g = 0; g < FW_GROUP_COUNT; g++) {
        fill_row(counting, &counts->groups[g], &tally->groups[g]);
        counts->groups[g].operation = NULL;
    }
    count_flops(counting, counts);
    if (counting->bound && !counting->emulated)
        fw_session_unknowns(worker);
    if (counting->symbolic)
        counts->assumptions =
            fw_arena_printf(counting->arena, "%s", fw_symbolic_assumptions(counting->symbolic));
    worker->answer->counts = counts;
}

/* isl's memory is not an arena's: it is given back on every way out. */
static enum fw_status count_in_workplace(void *user)
{
    count_all(user);
    return FW_OK;
}

static enum fw_status guard_answer(void *user)
{
    const struct counting *counting = user;
    const struct fw_worker *worker = counting->worker;
    return fw_session_guard(worker->program->context, worker->results,
                            fw_bound_arena(worker->bound), count_in_workplace, user);
}

enum fw_status fw_session_count(struct fw_worker *worker, const struct fw_emulate_result *emulated)
{
    const uint32_t *grid = worker->launch->grid;
    struct counting counting = {.worker = worker,
                                .arena = worker->results,
                                .emulated = emulated,
                                .bound = grid[0] || grid[1] || grid[2]};
    struct fw_poly *poly = NULL;
    enum fw_status status = FW_OK;
    if (worker->settings->symbolic && (poly = fw_poly_new()) != NULL)
        status = fw_symbolic_new(&counting.symbolic, worker->record, worker->launch, poly,
                                 worker->settings->assumptions, &worker->program->context->sink);
    if (!status || !worker->settings->assumptions)
        status = fw_session_guard(worker->program->context, worker->arena, NULL, guard_answer,
                                  &counting);
    fw_symbolic_free(counting.symbolic);
    fw_poly_free(poly);
    return status;
}
