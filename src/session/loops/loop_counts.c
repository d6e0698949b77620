/* Kernel-language programs: counts straight from the domains, as rows of the public interface. */
#include "loop_space.h"
#include "loop_work.h"

#include <stdio.h>
#include <string.h>

static enum fw_status statistics_of(const struct fw_loop_statistics **statistics,
                                    struct fw_worker *worker)
{
    struct loop_work *work = worker->loops;
    const struct fw_count_settings *settings = worker->settings;
    bool subscripts = settings && settings->subscripts, contract = settings && settings->contract;
    int way = work->launch_alone ? LOOP_LAUNCH
              : work->warp       ? LOOP_WARPS
                                 : (subscripts ? 2 : 0) + (contract ? 1 : 0);
    struct fw_loop_statistics **kept = &work->statistics[way];
    const struct fw_loop_statistics_options options = {.warp_size = work->warp,
                                                       .subscripts = subscripts,
                                                       .contract = contract,
                                                       .footprints = true,
                                                       .barriers = true,
                                                       .launch = work->launch_alone};
    enum fw_status status = FW_OK;
    if (way == LOOP_WARPS && work->counted_warp != work->warp) {
        fw_loop_statistics_free(*kept);
        *kept = NULL;
        work->counted_warp = work->warp;
    }
    if (!*kept)
        status = fw_loop_statistics_new(kept, work->program, &options);
    *statistics = *kept;
    return status;
}

/* ---- numbers ---- */

static void collect_bound(struct fw_worker *worker)
{
    struct loop_work *work = worker->loops;
    work->bound = 0;
    for (uint32_t p = 0; p < worker->record->parameter_count; p++)
        if (worker->launch->is_bound[p] &&
            fw_type_class(worker->record->parameters[p].type) != 'f') {
            work->names[work->bound] = worker->record->parameters[p].name;
            work->values[work->bound++] = worker->launch->integers[p];
        }
}

static bool is_bound(const struct loop_work *work, const char *name)
{
    for (size_t b = 0; b < work->bound; b++)
        if (strcmp(work->names[b], name) == 0)
            return true;
    return false;
}

/* A count's value where its parameters are bound; else which are not. */
static enum fw_status number_of(struct fw_worker *worker, struct fw_number *number,
                                const char *const **needs, size_t *need_count,
                                const struct fw_count *count, bool exact)
{
    struct loop_work *work = worker->loops;
    FW_VECTOR(const char *) missing = {0};
    for (size_t p = 0; p < fw_count_parameter_count(count); p++)
        if (!is_bound(work, fw_count_parameter(count, p)))
            *FW_APPEND(worker->results, &missing) = fw_count_parameter(count, p);
    if (needs) {
        *needs = missing.at;
        *need_count = missing.count;
    }
    number->known = missing.count == 0;
    number->exact = exact;
    if (missing.count)
        return FW_OK;
    enum fw_status status =
        fw_loop_evaluate(work->value, count, work->poly, work->names, work->values, work->bound);
    if (status) {
        number->known = false;
        return status == FW_ERROR_BUDGET ? FW_OK : status;
    }
    number->value = mpz_get_d(work->value);
    if (mpz_fits_slong_p(work->value))
        number->integer = mpz_get_si(work->value);
    else
        number->digits = mpz_get_str(
            fw_arena_alloc(worker->results, mpz_sizeinbase(work->value, 10) + 2), 10, work->value);
    return FW_OK;
}

static const char *formula_of(struct fw_worker *worker, const struct fw_count *count)
{
    char *text = NULL;
    if (!worker->settings || !worker->settings->symbolic)
        return NULL;
    return fw_count_print(&text, count, worker->loops->poly, worker->results) == FW_OK ? text
                                                                                       : NULL;
}

/* ---- the launch ---- */

static enum fw_status wrong_launch(const struct fw_worker *worker, const char *what)
{
    fw_session_error(
        worker->program->context, "API014",
        "the %s of a .knl kernel follows from its tags and parameters: leave out -g, -b and "
        "--global",
        what);
    return FW_ERROR_USAGE;
}

/* Bytes of shared arrays, where their extents are numbers. */
static uint32_t shared_bytes(struct fw_worker *worker, const struct fw_loop_statistics *statistics)
{
    const struct fw_loop_program *loops = worker->loops->program;
    uint64_t sum = 0;
    for (size_t a = 0; a < loops->arrays.count; a++) {
        const struct fw_loop_array *array = &loops->arrays.at[a];
        if (fw_loop_space(loops, array) != FW_SPACE_SHARED)
            continue;
        uint64_t bytes = fw_type_bytes(array->type);
        for (uint32_t d = 0; d < array->rank && bytes; d++) {
            const struct fw_count *extent = statistics->extents[a * FW_LOOP_RANK_MOST + d];
            struct fw_number number = {0};
            if (extent)
                number_of(worker, &number, NULL, NULL, extent, true);
            bool fits =
                number.known && !number.digits && number.integer > 0 && number.integer < UINT32_MAX;
            bytes = fits && bytes < UINT32_MAX ? bytes * (uint64_t)number.integer : 0;
        }
        sum += bytes;
    }
    return sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
}

/* Formulas hold where the assumptions do. */
static enum fw_status check_values(const struct fw_worker *worker)
{
    const struct loop_work *work = worker->loops;
    struct fw_buffer text = fw_buffer_new(worker->results);
    mpz_ptr value = worker->loops->value;
    if (!work->program->assumptions)
        return FW_OK;
    if (work->assumed && fw_loop_evaluate(value, work->assumed, work->poly, work->names,
                                          work->values, work->bound) == FW_OK) {
        if (mpz_sgn(value) != 0)
            return FW_OK;
    } else if (fw_loop_allows(work->program, work->names, work->values, work->bound)) {
        return FW_OK;
    }
    for (size_t b = 0; b < work->bound; b++)
        fw_buffer_printf(&text, "%s%s = %lld", b ? ", " : "", work->names[b],
                         (long long)work->values[b]);
    fw_session_error(worker->program->context, "API016", "%s: not what the kernel assumes, %s",
                     text.text, work->program->assumptions);
    return FW_ERROR_USAGE;
}

enum fw_status fw_session_loop_launch(struct fw_worker *worker)
{
    const struct fw_loop_statistics *statistics;
    const uint32_t *grid = worker->launch->grid, *block = worker->launch->block;
    struct fw_answer *answer = worker->answer;
    collect_bound(worker);
    enum fw_status status = check_values(worker);
    if (!status)
        status = statistics_of(&statistics, worker);
    bool known = true;
    for (int d = 0; d < FW_LOOP_AXES && !status; d++) {
        struct fw_number blocks = {.integer = 1, .known = true};
        if (statistics->blocks[d])
            status = number_of(worker, &blocks, NULL, NULL, statistics->blocks[d], true);
        known = known && blocks.known && !blocks.digits && blocks.integer <= UINT32_MAX;
        answer->grid[d] = known ? (uint32_t)blocks.integer : 0;
        answer->block[d] = statistics->threads[d] ? (uint32_t)statistics->threads[d] : 1;
        if (!status && block[d] && block[d] != answer->block[d])
            status = wrong_launch(worker, "block");
        if (!status && grid[d] && (!known || grid[d] != answer->grid[d]))
            status = wrong_launch(worker, "grid");
    }
    if (!known)
        memset(answer->grid, 0, sizeof(answer->grid));
    if (!status) {
        struct fw_kernel_row *row = FW_NEW(worker->results, struct fw_kernel_row);
        *row = *answer->kernel;
        row->static_shared = shared_bytes(worker, statistics);
        answer->kernel = row;
    }
    return status;
}

/* ---- rows ---- */

static const char *short_space(enum fw_space space)
{
    return space == FW_SPACE_REG ? "private" : fw_space_text(space);
}

static enum fw_status fill_operations(struct fw_worker *worker, struct fw_counts *counts,
                                      const struct fw_loop_statistics *statistics)
{
    size_t count = statistics->operations.count;
    struct fw_operation_row *rows = FW_ARRAY(worker->results, struct fw_operation_row, count + 1);
    enum fw_status status = FW_OK;
    for (size_t r = 0; r < count && !status; r++) {
        const struct fw_loop_operation_row *from = &statistics->operations.at[r];
        struct fw_operation_row *to = &rows[r];
        to->operation = from->operation;
        to->type = fw_type_text(from->type);
        to->granularity = fw_loop_granularity_text(from->granularity);
        to->symbolic = formula_of(worker, from->count);
        to->formula = fw_session_loop_formula(worker, from->count);
        status =
            number_of(worker, &to->count, &to->needs, &to->need_count, from->count, !from->leans);
    }
    counts->operations = rows;
    counts->operation_count = count;
    return status;
}

static bool strides_of(struct fw_worker *worker, const struct fw_loop_statistics *statistics,
                       const struct fw_loop_memory_row *row, const struct fw_loop_stride *strides,
                       int64_t at[3])
{
    struct loop_work *work = worker->loops;
    for (int d = 0; d < FW_LOOP_AXES; d++) {
        if (fw_loop_stride_evaluate(work->value, statistics, work->program, row, &strides[d],
                                    work->names, work->values, work->bound) != FW_OK ||
            !mpz_fits_slong_p(work->value))
            return false;
        at[d] = mpz_get_si(work->value);
    }
    return true;
}

/* An extent's formula where it is one piece: "m", "16"; NULL otherwise. */
static const char *extent_formula(struct fw_worker *worker, const struct fw_count *extent)
{
    char *text = NULL;
    if (!extent || fw_count_print(&text, extent, worker->loops->poly, worker->results) != FW_OK ||
        !text)
        return NULL;
    char *begin = strstr(text, "{ "), *end = begin ? strpbrk(begin, ":;}") : NULL;
    if (!end || strchr(text, ';'))
        return NULL;
    begin += 2;
    while (end > begin && end[-1] == ' ')
        end--;
    *end = '\0';
    return strpbrk(begin, "+-/ ") ? fw_arena_printf(worker->results, "(%s)", begin) : begin;
}

/* "16*m", "ell + 1"; NULL when it is not known or no short formula. */
static const char *stride_formula(struct fw_worker *worker,
                                  const struct fw_loop_statistics *statistics,
                                  const struct fw_loop_memory_row *row,
                                  const struct fw_loop_stride *stride)
{
    const struct fw_loop_program *loops = worker->loops->program;
    const struct fw_loop_array *array = fw_loop_find_array(loops, row->array);
    struct fw_buffer text = fw_buffer_new(worker->results);
    if (!stride->known)
        return NULL;
    if (stride->term_count == 0)
        return "0";
    for (uint32_t t = 0; t < stride->term_count; t++) {
        bool one = stride->factors[t] == 1 && stride->inner[t];
        fw_buffer_printf(&text, "%s", t ? " + " : "");
        if (!one)
            fw_buffer_printf(&text, "%lld", (long long)stride->factors[t]);
        for (uint32_t d = 0; d < array->rank; d++) {
            size_t at = (size_t)(array - loops->arrays.at) * FW_LOOP_RANK_MOST + d;
            if (!(stride->inner[t] >> d & 1))
                continue;
            const char *extent = extent_formula(worker, statistics->extents[at]);
            if (!extent)
                return NULL;
            fw_buffer_printf(&text, "%s%s", one ? "" : "*", extent);
            one = false;
        }
    }
    return text.text;
}

static void fill_stride_formulas(struct fw_worker *worker, struct fw_memory_row *to,
                                 const struct fw_loop_statistics *statistics,
                                 const struct fw_loop_memory_row *from)
{
    if (!worker->settings->symbolic)
        return;
    for (int d = 0; d < FW_LOOP_AXES; d++) {
        to->thread_formulas[d] = stride_formula(worker, statistics, from, &from->thread_strides[d]);
        to->block_formulas[d] = stride_formula(worker, statistics, from, &from->block_strides[d]);
    }
}

/* The elements that all accesses of the row's kind touch: of the array, not of the row alone. */
static void add_footprint(struct fw_worker *worker, struct fw_memory_row *to,
                          const struct fw_loop_statistics *statistics,
                          const struct fw_loop_memory_row *from)
{
    for (size_t f = 0; f < statistics->footprints.count; f++) {
        const struct fw_loop_footprint_row *row = &statistics->footprints.at[f];
        struct fw_number elements = {0};
        if (row->array != from->array || row->store != from->store || !row->count)
            continue;
        number_of(worker, &elements, NULL, NULL, row->count, true);
        to->has_footprint = elements.known && !elements.digits;
        to->footprint_bytes = (uint64_t)elements.integer * to->bytes;
    }
}

static enum fw_status fill_memory(struct fw_worker *worker, struct fw_counts *counts,
                                  const struct fw_loop_statistics *statistics)
{
    size_t count = statistics->memory.count;
    struct fw_memory_row *rows = FW_ARRAY(worker->results, struct fw_memory_row, count + 1);
    enum fw_status status = FW_OK;
    for (size_t r = 0; r < count && !status; r++) {
        const struct fw_loop_memory_row *from = &statistics->memory.at[r];
        struct fw_memory_row *to = &rows[r];
        to->space = short_space(from->space);
        to->direction = from->store ? "store" : "load";
        to->type = fw_type_text(from->type);
        to->bytes = fw_type_bytes(from->type);
        to->cache = "";
        to->array = from->array;
        to->tag = from->tag;
        to->granularity = fw_loop_granularity_text(from->granularity);
        to->file = worker->record->file;
        to->line = from->span.source ? fw_span_position(from->span).line : 0;
        to->symbolic = formula_of(worker, from->count);
        to->formula = fw_session_loop_formula(worker, from->count);
        status =
            number_of(worker, &to->count, &to->needs, &to->need_count, from->count, !from->leans);
        if (worker->settings->brief)
            continue;
        to->has_thread_strides =
            strides_of(worker, statistics, from, from->thread_strides, to->thread_strides);
        to->has_block_strides =
            strides_of(worker, statistics, from, from->block_strides, to->block_strides);
        fill_stride_formulas(worker, to, statistics, from);
        add_footprint(worker, to, statistics, from);
    }
    counts->memory = rows;
    counts->memory_count = count;
    return status;
}

static enum fw_status fill_footprints(struct fw_worker *worker, struct fw_counts *counts,
                                      const struct fw_loop_statistics *statistics)
{
    size_t count = statistics->footprints.count;
    struct fw_footprint_row *rows = FW_ARRAY(worker->results, struct fw_footprint_row, count + 1);
    enum fw_status status = FW_OK;
    for (size_t r = 0; r < count && !status; r++) {
        const struct fw_loop_footprint_row *from = &statistics->footprints.at[r];
        struct fw_footprint_row *to = &rows[r];
        to->array = from->array;
        to->direction = from->store ? "store" : "load";
        to->type = fw_type_text(from->type);
        to->bytes = fw_type_bytes(from->type);
        if (from->count) {
            to->symbolic = formula_of(worker, from->count);
            to->formula = fw_session_loop_formula(worker, from->count);
            status =
                number_of(worker, &to->elements, &to->needs, &to->need_count, from->count, true);
        }
        if (!status)
            status = number_of(worker, &to->accesses, NULL, NULL, from->accesses, true);
    }
    counts->footprints = rows;
    counts->footprint_count = count;
    return status;
}

/* Executions by all threads; not known where the program has no order of statements. */
static enum fw_status fill_barriers(struct fw_worker *worker, struct fw_counts *counts,
                                    const struct fw_loop_statistics *statistics)
{
    struct fw_operation_row *to = &counts->barriers;
    to->granularity = "thread";
    to->type = "";
    if (!statistics->scheduled)
        return FW_OK;
    to->count = (struct fw_number){.known = true, .exact = true};
    to->symbolic = worker->settings->symbolic ? "{ 0 }" : NULL;
    if (!statistics->barriers)
        return FW_OK;
    to->symbolic = formula_of(worker, statistics->barriers);
    to->formula = fw_session_loop_formula(worker, statistics->barriers);
    return number_of(worker, &to->count, &to->needs, &to->need_count, statistics->barriers,
                     !statistics->data_dependent);
}

/* Conditions that are not affine: taken to hold. */
static void fill_unknowns(struct fw_worker *worker, const struct fw_loop_statistics *statistics)
{
    size_t count = statistics->taken.count;
    struct fw_unknown_row *rows = FW_ARRAY(worker->results, struct fw_unknown_row, count + 1);
    for (size_t u = 0; u < count; u++) {
        uint32_t line =
            statistics->taken.at[u].source ? fw_span_position(statistics->taken.at[u]).line : 0;
        rows[u] = (struct fw_unknown_row){
            .source = "default",
            .name = fw_arena_printf(worker->results, "taken@%s:%u", worker->record->file, line),
            .kind = "taken",
            .reason = "data",
            .meaning = "depends on data or is not affine; counted as if it held everywhere",
            .has_value = true,
            .value = 1,
            .is_default = true,
            .line = line};
    }
    worker->answer->unknowns = rows;
    worker->answer->unknown_count = count;
}

enum fw_status fw_session_loop_count(struct fw_worker *worker)
{
    const struct fw_loop_statistics *statistics;
    struct fw_counts *counts = FW_NEW(worker->results, struct fw_counts);
    enum fw_status status = statistics_of(&statistics, worker);
    if (!status)
        status = fill_operations(worker, counts, statistics);
    if (!status)
        status = fill_memory(worker, counts, statistics);
    if (!status && !worker->settings->brief)
        status = fill_footprints(worker, counts, statistics);
    if (!status)
        status = number_of(worker, &counts->flops, NULL, NULL, statistics->flops,
                           !statistics->data_dependent);
    if (status)
        return status;
    status = fill_barriers(worker, counts, statistics);
    if (status)
        return status;
    counts->total.granularity = "thread";
    counts->total.type = "";
    for (int g = 0; g < FW_INSTRUCTION_GROUP_COUNT; g++) {
        counts->groups[g].granularity = "thread";
        counts->groups[g].type = "";
    }
    if (worker->loops->program->assumptions && worker->settings->symbolic)
        counts->assumptions =
            fw_arena_printf(worker->results, "{ : %s }", worker->loops->program->assumptions);
    fill_unknowns(worker, statistics);
    worker->answer->counts = counts;
    return FW_OK;
}
