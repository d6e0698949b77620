/* Counts: made from sets through a summation, added, freed. */
#include "count_internal.h"
#include "leaves.h"
#include "set_pieces.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_BUDGET = 400000 };
static const size_t count_most = (size_t)1 << 28;

/* A new count in an arena of its own, without leaves.  NULL without memory. */
static struct fw_count *count_new(const char *const *parameters, size_t parameter_count)
{
    struct fw_count *count = calloc(1, sizeof(*count));
    struct fw_arena *arena = fw_arena_new(count_most);
    if (!count || !arena) {
        fw_arena_free(arena);
        free(count);
        return NULL;
    }
    count->arena = arena;
    count->parameter_count = (unsigned)parameter_count;
    count->parameters = FW_ARRAY(arena, const char *, parameter_count + 1);
    for (size_t i = 0; i < parameter_count; i++)
        count->parameters[i] = fw_arena_text(arena, parameters[i], strlen(parameters[i]));
    return count;
}

void fw_count_free(struct fw_count *count)
{
    if (!count)
        return;
    fw_arena_free(count->arena);
    free(count);
}

size_t fw_count_parameter_count(const struct fw_count *count)
{
    return count->parameter_count;
}

const char *fw_count_parameter(const struct fw_count *count, size_t index)
{
    return count->parameters[index];
}

bool fw_count_is_symbolic(const struct fw_count *count)
{
    return !count->kept;
}

bool fw_count_leaves(struct fw_leaves *leaves, const struct fw_count *count)
{
    *leaves = (struct fw_leaves){count->parameters,  count->parameter_count, count->floors,
                                 count->floor_count, count->leaves,          count->leaf_count};
    return !count->kept;
}

size_t fw_count_leaf_count(const struct fw_count *count)
{
    return count->leaf_count;
}

/* Copies the summation's floors and leaves into the count, whose parameters are the summation's.
 * Unwinds through `work`, whose arena is the count's. */
static void count_take(struct fw_count *count, struct work *work, const struct summation *s)
{
    uint16_t map[COLUMNS_MOST + 2] = {0};
    unsigned shift = s->variables;
    for (unsigned column = 1 + shift; column < COLUMNS_MOST + 2; column++)
        map[column] = (uint16_t)(column - shift);
    count->floor_count = s->floor_count;
    count->floors = FW_ARRAY(work->arena, struct floor_column, s->floor_count + 1);
    for (unsigned i = 0; i < s->floor_count; i++) {
        struct floor_column *floor = &count->floors[i];
        floor->numerator = fw_line_map(work, s->floors[i].numerator, map);
        floor->divisor = fw_integer_copy(work, s->floors[i].divisor);
        floor->low = fw_line_map(work, s->floors[i].low, map);
        floor->high = fw_line_map(work, s->floors[i].high, map);
    }
    count->leaves = FW_ARRAY(work->arena, struct leaf, s->leaves.count + 1);
    if (s->numeric && !polynomial_is_zero(s->total))
        count->leaves[count->leaf_count++].value = fw_polynomial_map(work, s->total, map);
    for (size_t i = 0; i < s->leaves.count; i++) {
        const struct leaf *from = &s->leaves.at[i];
        if (polynomial_is_zero(from->value))
            continue;
        struct leaf *leaf = &count->leaves[count->leaf_count++];
        leaf->guard_count = from->guard_count;
        leaf->guards = FW_ARRAY(work->arena, struct line *, from->guard_count + 1);
        for (uint32_t j = 0; j < from->guard_count; j++)
            leaf->guards[j] = fw_line_map(work, from->guards[j], map);
        leaf->value = fw_polynomial_map(work, from->value, map);
    }
}

/* A copy of a domain with its parameters in other columns. */
static struct kept *copy_domain(struct work *work, const struct domain *domain, const uint16_t *map,
                                unsigned parameters)
{
    struct kept *kept = FW_NEW(work->arena, struct kept);
    struct domain *copy = &kept->domain;
    copy->variables = domain->variables;
    copy->parameters = parameters;
    copy->part_count = domain->part_count;
    copy->parts = FW_ARRAY(work->arena, struct part, domain->part_count + 1);
    copy->definitions =
        fw_arena_array(work->arena, domain->variables + 2, sizeof(*copy->definitions));
    for (unsigned column = 1; column <= domain->variables; column++)
        for (unsigned i = 0; i < 2; i++)
            if (domain->definitions[column][i])
                copy->definitions[column][i] =
                    fw_line_map(work, domain->definitions[column][i], map);
    for (uint32_t p = 0; p < domain->part_count; p++) {
        const struct part *from = &domain->parts[p];
        struct part *part = &copy->parts[p];
        part->weight = fw_polynomial_map(work, from->weight, map);
        part->basic_count = from->basic_count;
        part->basics = FW_ARRAY(work->arena, struct basic, from->basic_count + 1);
        for (uint32_t b = 0; b < from->basic_count; b++) {
            struct basic *basic = &part->basics[b];
            basic->used = from->basics[b].used;
            basic->count = from->basics[b].count;
            basic->lines = FW_ARRAY(work->arena, struct line *, basic->count + 1);
            for (uint32_t i = 0; i < basic->count; i++)
                basic->lines[i] = fw_line_map(work, from->basics[b].lines[i], map);
        }
    }
    return kept;
}

/* Copies a domain into the count, to be counted at each point. */
static void count_keep(struct fw_count *count, struct work *work, const struct domain *domain)
{
    uint16_t map[COLUMNS_MOST + 2];
    for (unsigned column = 0; column < COLUMNS_MOST + 2; column++)
        map[column] = (uint16_t)column;
    struct kept *kept = copy_domain(work, domain, map, domain->parameters);
    kept->next = count->kept;
    count->kept = kept;
}

/* Runs the summation in the workplace's scratch; its status. */
static enum fw_status sum_domain(struct fw_poly *poly, const struct domain *domain,
                                 const struct fw_pieces *pieces, uint64_t budget)
{
    struct work *work = &poly->work;
    struct summation *s = &poly->summation;
    work->steps = 0;
    work->step_budget = budget;
    work->status = FW_ERROR_BUDGET;
    if (setjmp(work->failure))
        return work->status;
    fw_summation_init(s, work, domain->variables, domain->parameters);
    if (fw_pieces_context(s, pieces) != FW_OK)
        return FW_ERROR_BUDGET;
    fw_domain_sum(s, domain);
    return FW_OK;
}

/* Fills the new count from what the summation found, or keeps the domain where it gave up. */
static enum fw_status fill(struct fw_count *count, struct fw_poly *poly,
                           const struct domain *domain, bool symbolic, const char *assumptions)
{
    struct work work;
    fw_work_init(&work, count->arena, UINT64_MAX);
    if (setjmp(work.failure)) {
        fw_work_clear(&work);
        return work.status;
    }
    if (symbolic)
        count_take(count, &work, &poly->summation);
    else
        count_keep(count, &work, domain);
    if (assumptions)
        count->assumptions = fw_arena_text(count->arena, assumptions, strlen(assumptions));
    fw_count_compile(count);
    fw_arena_on_exhausted(count->arena, NULL);
    fw_work_clear(&work);
    return FW_OK;
}

static enum fw_status report(enum fw_status status, const struct fw_sink *sink)
{
    if (status == FW_ERROR_INPUT)
        fw_report(sink, FW_ERROR, "SET003", (struct fw_span){0}, "the set is unbounded");
    else if (status == FW_ERROR_OVERFLOW)
        fw_report(sink, FW_ERROR, "SET004", (struct fw_span){0}, "the set's numbers are too large");
    else if (status == FW_ERROR_BUDGET)
        fw_report(sink, FW_ERROR, "SET005", (struct fw_span){0},
                  "the set takes more work than is allowed");
    return status;
}

/* Counts what the pieces have. */
static enum fw_status count_pieces(struct fw_count **result, struct fw_poly *poly,
                                   const struct fw_pieces *pieces, uint64_t budget,
                                   const struct fw_sink *sink)
{
    enum { PARAMETERS_MOST = 128 };
    struct domain domain = {0};
    enum fw_status status = FW_OK;
    const char *names[PARAMETERS_MOST];
    unsigned parameters = fw_pieces_parameters(pieces, names, PARAMETERS_MOST);
    bool some = fw_pieces_count(pieces) > 0;
    if (parameters > PARAMETERS_MOST) {
        fw_report(sink, FW_ERROR, "SET006", (struct fw_span){0}, "too many parameters");
        return FW_ERROR_INPUT;
    }
    if (some) {
        status = fw_pieces_extract(&domain, pieces, sink);
        if (status == FW_ERROR_INPUT)
            return status;
        if (status != FW_OK)
            return report(status, sink);
    }
    status = some ? sum_domain(poly, &domain, pieces, budget) : FW_OK;
    if (!some)
        fw_summation_init(&poly->summation, &poly->work, 0, 0);
    if (status != FW_OK && status != FW_ERROR_BUDGET)
        return report(status, sink);
    *result = count_new(names, parameters);
    if (!*result)
        return FW_ERROR_MEMORY;
    char *text = fw_pieces_assumptions(pieces);
    status = fill(*result, poly, &domain, status == FW_OK, text);
    free(text);
    if (status != FW_OK) {
        fw_count_free(*result);
        *result = NULL;
    }
    return status;
}

static uint64_t budget_of(const struct fw_count_options *options)
{
    return options && options->budget ? options->budget : DEFAULT_BUDGET;
}

static const struct fw_set *assumptions_of(const struct fw_count_options *options)
{
    return options ? options->assumptions : NULL;
}

enum fw_status fw_set_count(struct fw_count **count, const struct fw_set *set,
                            const struct fw_count_options *options, const struct fw_sink *sink)
{
    struct fw_pieces *pieces;
    *count = NULL;
    enum fw_status status = fw_pieces_of_set(&pieces, set, assumptions_of(options), sink);
    if (status == FW_OK)
        status = count_pieces(count, fw_pieces_workplace(pieces), pieces, budget_of(options), sink);
    fw_pieces_free(pieces);
    return status;
}

enum fw_status fw_count_read_sum(struct fw_count **count, struct fw_poly *poly,
                                 const struct fw_source *source,
                                 const struct fw_count_options *options, const struct fw_sink *sink)
{
    struct fw_pieces *pieces;
    *count = NULL;
    enum fw_status status = fw_pieces_read(&pieces, poly, source, assumptions_of(options), sink);
    if (status == FW_OK)
        status = count_pieces(count, poly, pieces, budget_of(options), sink);
    fw_pieces_free(pieces);
    return status;
}

/* ---- sums of counts ---- */

static unsigned find_parameter(const struct fw_count *count, const char *name)
{
    unsigned i = 0;
    while (i < count->parameter_count && strcmp(count->parameters[i], name) != 0)
        i++;
    return i;
}

/* All parameters of all counts, each once. */
static size_t gather_parameters(const struct fw_count *const *counts, size_t count,
                                const char **names, size_t most)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        for (unsigned p = 0; p < counts[i]->parameter_count; p++) {
            size_t at = 0;
            while (at < known && strcmp(names[at], counts[i]->parameters[p]) != 0)
                at++;
            if (at < known)
                continue;
            if (known == most)
                return most + 1;
            names[known++] = counts[i]->parameters[p];
        }
    return known;
}

/* Adds one count, times a factor, to the summation and to the kept sets of the sum. */
static void add_one(struct fw_count *sum, struct summation *s, struct work *work,
                    const struct fw_count *count, int64_t factor)
{
    uint16_t map[COLUMNS_MOST + 2] = {0};
    integer scale = integer_of(work, factor);
    for (unsigned p = 0; p < count->parameter_count; p++)
        map[1 + p] = (uint16_t)(1 + find_parameter(sum, count->parameters[p]));
    /* Each floor becomes a column of the sum; its line has one entry. */
    for (unsigned i = 0; i < count->floor_count; i++) {
        struct line *numerator = fw_line_map(work, count->floors[i].numerator, map);
        unsigned column =
            fw_floor_column(s, numerator, fw_integer_copy(work, count->floors[i].divisor));
        map[1 + count->parameter_count + i] = (uint16_t)column;
    }
    for (size_t i = 0; i < count->leaf_count; i++) {
        const struct leaf *leaf = &count->leaves[i];
        struct polynomial *value = fw_polynomial_map(work, leaf->value, map);
        struct state state =
            fw_state_new(work, leaf->guard_count + 4, 0,
                         fw_polynomial_scale(work, value, scale, integer_constant(1)));
        for (uint32_t j = 0; j < leaf->guard_count; j++)
            state.lines[state.count++] = fw_line_map(work, leaf->guards[j], map);
        fw_summation_add(s, &state);
    }
    for (const struct kept *kept = count->kept; kept; kept = kept->next) {
        uint16_t columns[COLUMNS_MOST + 2];
        for (unsigned c = 0; c < COLUMNS_MOST + 2; c++)
            columns[c] = (uint16_t)c;
        for (unsigned p = 0; p < count->parameter_count; p++)
            columns[1 + kept->domain.variables + p] =
                (uint16_t)(kept->domain.variables + map[1 + p]);
        struct kept *copy = copy_domain(work, &kept->domain, columns, sum->parameter_count);
        for (uint32_t p = 0; p < copy->domain.part_count; p++)
            copy->domain.parts[p].weight =
                fw_polynomial_scale(work, copy->domain.parts[p].weight, scale, integer_constant(1));
        copy->next = sum->kept;
        sum->kept = copy;
    }
}

/* Fills the sum in; unwinds through the work. */
static void add_all(struct fw_count *sum, struct summation *s, struct work *work,
                    const struct fw_count *const *counts, const int64_t *factors, size_t count)
{
    fw_summation_init(s, work, 0, sum->parameter_count);
    for (size_t i = 0; i < count; i++)
        add_one(sum, s, work, counts[i], factors[i]);
    count_take(sum, work, s);
    fw_count_compile(sum);
}

enum fw_status fw_count_add(struct fw_count **sum, const struct fw_count *const *counts,
                            const int64_t *factors, size_t count)
{
    const char *names[100];
    *sum = NULL;
    size_t parameters = gather_parameters(counts, count, names, 100);
    if (parameters > 100)
        return FW_ERROR_BUDGET;
    struct fw_count *result = count_new(names, parameters);
    struct work *work = calloc(1, sizeof(*work));
    struct summation *s = calloc(1, sizeof(*s));
    if (!result || !work || !s) {
        fw_count_free(result);
        free(work);
        free(s);
        return FW_ERROR_MEMORY;
    }
    fw_work_init(work, result->arena, UINT64_MAX);
    volatile enum fw_status status = FW_OK;
    if (setjmp(work->failure))
        status = work->status;
    else
        add_all(result, s, work, counts, factors, count);
    fw_arena_on_exhausted(result->arena, NULL);
    fw_work_clear(work);
    free(work);
    free(s);
    if (status == FW_OK)
        *sum = result;
    else
        fw_count_free(result);
    return status;
}
