/* Counts: made from sets through a summation, added, freed. */
#include "set_internal.h"

#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_BUDGET = 400000, BITS_MOST = 1 << 14 };
static const size_t count_most = (size_t)1 << 28;

void fw_work_init(struct work *work, struct fw_arena *arena, uint64_t budget)
{
    work->arena = arena;
    work->steps = 0;
    work->step_budget = budget;
    work->bit_budget = BITS_MOST;
    work->status = FW_ERROR_BUDGET;
    for (unsigned i = 0; i < 3; i++)
        mpz_init(work->scratch[i]);
    fw_arena_on_exhausted(arena, &work->failure);
}

void fw_work_clear(struct work *work)
{
    for (unsigned i = 0; i < 3; i++)
        mpz_clear(work->scratch[i]);
}

struct line *fw_line_map(struct work *work, const struct line *line, const uint16_t *map)
{
    unsigned width = 1;
    for (unsigned column = 0; column < line->width; column++)
        if (!integer_is_zero(line->at[column]) && map[column] >= width)
            width = map[column] + 1u;
    struct line *result = fw_line_new(work, width, line->equality);
    for (unsigned column = 0; column < line->width; column++)
        if (!integer_is_zero(line->at[column]))
            result->at[map[column]] = fw_integer_copy(work, line->at[column]);
    fw_line_finish(result);
    return result;
}

struct fw_count *fw_count_new(const char *const *parameters, size_t parameter_count)
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

size_t fw_count_leaf_count(const struct fw_count *count)
{
    return count->leaf_count;
}

void fw_count_take(struct fw_count *count, struct work *work, const struct summation *s)
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

void fw_count_keep(struct fw_count *count, struct work *work, const struct domain *domain)
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
                                 isl_set *assumptions, uint64_t budget)
{
    struct work *work = &poly->work;
    struct summation *s = &poly->summation;
    work->steps = 0;
    work->step_budget = budget;
    work->status = FW_ERROR_BUDGET;
    if (setjmp(work->failure))
        return work->status;
    fw_summation_init(s, work, domain->variables, domain->parameters);
    if (assumptions && fw_context_extract(s, assumptions) != FW_OK)
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
        fw_count_take(count, &work, &poly->summation);
    else
        fw_count_keep(count, &work, domain);
    if (assumptions)
        count->assumptions = fw_arena_text(count->arena, assumptions, strlen(assumptions));
    fw_count_compile(count);
    fw_arena_on_exhausted(count->arena, NULL);
    fw_work_clear(&work);
    return FW_OK;
}

/* The domain of sets and weights in the workplace's scratch. */
static enum fw_status extract(struct domain *domain, struct fw_poly *poly, isl_set *const *sets,
                              isl_qpolynomial *const *weights, uint32_t count)
{
    fw_poly_begin(poly, UINT64_MAX);
    if (setjmp(poly->work.failure))
        return poly->work.status;
    enum fw_status status = fw_domain_extract(domain, &poly->work, sets, weights, count);
    return status == FW_ERROR_INPUT ? fw_isl_status(poly) : status;
}

static enum fw_status report(struct fw_poly *poly, enum fw_status status,
                             const struct fw_sink *sink)
{
    (void)poly;
    if (status == FW_ERROR_INPUT)
        fw_report(sink, FW_ERROR, "SET003", (struct fw_span){0}, "the set is unbounded");
    else if (status == FW_ERROR_OVERFLOW)
        fw_report(sink, FW_ERROR, "SET004", (struct fw_span){0}, "the set's numbers are too large");
    else if (status == FW_ERROR_BUDGET)
        fw_report(sink, FW_ERROR, "SET005", (struct fw_span){0},
                  "the set takes more work than is allowed");
    return status;
}

/* Counts sets with weights; takes the sets (not the weights) and `assumptions`. */
static enum fw_status count_sets(struct fw_count **result, struct fw_poly *poly, isl_set **sets,
                                 isl_qpolynomial *const *weights, uint32_t set_count,
                                 isl_set *assumptions, uint64_t budget, const struct fw_sink *sink)
{
    struct domain domain = {0};
    enum fw_status status = FW_OK;
    const char *names[256];
    unsigned parameters = set_count ? (unsigned)isl_set_dim(sets[0], isl_dim_param) : 0;
    for (unsigned i = 0; i < parameters && i < 256; i++)
        names[i] = isl_set_get_dim_name(sets[0], isl_dim_param, i);
    if (parameters > 128) {
        fw_report(sink, FW_ERROR, "SET006", (struct fw_span){0}, "too many parameters");
        return FW_ERROR_INPUT;
    }
    if (set_count)
        status = extract(&domain, poly, sets, weights, set_count);
    if (status != FW_OK) {
        if (status != FW_ERROR_INPUT)
            return report(poly, status, sink);
        return fw_isl_failed(poly, sink, (struct fw_span){0}, "counting the set");
    }
    status = set_count ? sum_domain(poly, &domain, assumptions, budget) : FW_OK;
    if (!set_count)
        fw_summation_init(&poly->summation, &poly->work, 0, 0);
    if (status != FW_OK && status != FW_ERROR_BUDGET)
        return report(poly, status, sink);
    *result = fw_count_new(names, parameters);
    if (!*result)
        return FW_ERROR_MEMORY;
    char *text = assumptions ? isl_set_to_str(assumptions) : NULL;
    status = fill(*result, poly, &domain, status == FW_OK, text);
    free(text);
    if (status != FW_OK) {
        fw_count_free(*result);
        *result = NULL;
    }
    return status;
}

/* The set with its existentials as floors.  Many conjunctions are joined where they can be; few are
 * not worth it: what isl joins has more sides, and more chambers come of those. */
static isl_set *prepared(isl_set *set)
{
    enum { FEW = 16 };
    if (isl_set_is_params(set) == isl_bool_true)
        set = isl_set_from_params(set);
    set = isl_set_compute_divs(set);
    return isl_set_n_basic_set(set) > FEW ? fw_isl_coalesce(set) : set;
}

/* The assumptions over the set's parameters, and the set over the assumptions'. */
static bool align(isl_set **set, isl_set **assumptions)
{
    if (!*assumptions)
        return true;
    *set = isl_set_align_params(*set, isl_set_get_space(*assumptions));
    *assumptions = isl_set_align_params(*assumptions, isl_set_get_space(*set));
    return *set && *assumptions;
}

static isl_set *assumptions_of(const struct fw_count_options *options)
{
    if (!options || !options->assumptions)
        return NULL;
    isl_set *set = isl_set_copy(options->assumptions->set);
    return isl_set_is_params(set) == isl_bool_true ? set : isl_set_params(set);
}

static uint64_t budget_of(const struct fw_count_options *options)
{
    return options && options->budget ? options->budget : DEFAULT_BUDGET;
}

enum fw_status fw_set_count(struct fw_count **count, const struct fw_set *set,
                            const struct fw_count_options *options, const struct fw_sink *sink)
{
    struct fw_poly *poly = set->poly;
    *count = NULL;
    fw_isl_begin(poly);
    isl_set *assumptions = assumptions_of(options);
    isl_set *own = prepared(isl_set_copy(set->set));
    enum fw_status status;
    if (!align(&own, &assumptions) || !own)
        status = fw_isl_failed(poly, sink, (struct fw_span){0}, "counting the set");
    else
        status = count_sets(count, poly, &own, NULL, 1, assumptions, budget_of(options), sink);
    isl_set_free(own);
    isl_set_free(assumptions);
    return status;
}

/* The pieces of a piecewise quasi-polynomial. */
struct pieces {
    isl_set *sets[64];
    isl_qpolynomial *weights[64];
    uint32_t count;
};

static isl_stat collect_piece(isl_set *set, isl_qpolynomial *weight, void *user)
{
    struct pieces *pieces = user;
    if (pieces->count == 64) {
        isl_set_free(set);
        isl_qpolynomial_free(weight);
        return isl_stat_error;
    }
    pieces->sets[pieces->count] = prepared(set);
    pieces->weights[pieces->count++] = weight;
    return isl_stat_ok;
}

/* The pieces and the assumptions over the same parameters. */
static bool align_pieces(struct pieces *pieces, isl_set **assumptions)
{
    if (!*assumptions || !pieces->count)
        return true;
    *assumptions = isl_set_align_params(*assumptions, isl_set_get_space(pieces->sets[0]));
    bool good = *assumptions;
    for (uint32_t i = 0; i < pieces->count; i++) {
        isl_space *space = isl_set_get_space(*assumptions);
        pieces->sets[i] = isl_set_align_params(pieces->sets[i], isl_space_copy(space));
        pieces->weights[i] = isl_qpolynomial_align_params(pieces->weights[i], space);
        good = good && pieces->sets[i] && pieces->weights[i];
    }
    return good;
}

enum fw_status fw_count_read_sum(struct fw_count **count, struct fw_poly *poly,
                                 const struct fw_source *source,
                                 const struct fw_count_options *options, const struct fw_sink *sink)
{
    struct isl_read read;
    struct pieces pieces = {.count = 0};
    *count = NULL;
    enum fw_status status = fw_isl_read(&read, poly, source, TEXT_SUM, sink);
    if (status != FW_OK)
        return status;
    fw_isl_begin(poly);
    isl_set *assumptions = assumptions_of(options);
    if (isl_pw_qpolynomial_foreach_piece(read.sum, collect_piece, &pieces) != isl_stat_ok ||
        !align_pieces(&pieces, &assumptions))
        status = fw_isl_failed(poly, sink, (struct fw_span){0}, "the sum");
    else
        status = count_sets(count, poly, pieces.sets, pieces.weights, pieces.count, assumptions,
                            budget_of(options), sink);
    for (uint32_t i = 0; i < pieces.count; i++) {
        isl_set_free(pieces.sets[i]);
        isl_qpolynomial_free(pieces.weights[i]);
    }
    isl_set_free(assumptions);
    fw_isl_read_free(&read);
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
    fw_count_take(sum, work, s);
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
    struct fw_count *result = fw_count_new(names, parameters);
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
