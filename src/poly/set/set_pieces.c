/* Pieces, contexts and regions: what counting asks of isl's objects. */
#include "set_pieces.h"
#include "set_internal.h"

#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES_MOST = 64 };

struct fw_pieces {
    struct fw_poly *poly;
    isl_set *assumptions; /* NULL: none */
    isl_set *sets[PIECES_MOST];
    isl_qpolynomial *weights[PIECES_MOST];
    uint32_t count;
    bool weighted;
};

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

static isl_set *parameters_of(const struct fw_set *assumptions)
{
    isl_set *set = assumptions ? isl_set_copy(assumptions->set) : NULL;
    return !set || isl_set_is_params(set) == isl_bool_true ? set : isl_set_params(set);
}

static struct fw_pieces *pieces_new(struct fw_poly *poly, const struct fw_set *assumptions)
{
    struct fw_pieces *pieces = calloc(1, sizeof(*pieces));
    if (pieces) {
        pieces->poly = poly;
        pieces->assumptions = parameters_of(assumptions);
    }
    return pieces;
}

void fw_pieces_free(struct fw_pieces *pieces)
{
    if (!pieces)
        return;
    for (uint32_t i = 0; i < pieces->count; i++) {
        isl_set_free(pieces->sets[i]);
        isl_qpolynomial_free(pieces->weights[i]);
    }
    isl_set_free(pieces->assumptions);
    free(pieces);
}

/* The assumptions over the set's parameters, and the set over the assumptions'. */
static bool align(isl_set **set, isl_set **assumptions)
{
    if (!*assumptions)
        return *set;
    *set = isl_set_align_params(*set, isl_set_get_space(*assumptions));
    *assumptions = isl_set_align_params(*assumptions, isl_set_get_space(*set));
    return *set && *assumptions;
}

enum fw_status fw_pieces_of_set(struct fw_pieces **pieces, const struct fw_set *set,
                                const struct fw_set *assumptions, const struct fw_sink *sink)
{
    fw_isl_begin(set->poly);
    struct fw_pieces *made = *pieces = pieces_new(set->poly, assumptions);
    if (!made)
        return FW_ERROR_MEMORY;
    made->sets[made->count++] = prepared(isl_set_copy(set->set));
    if (!align(&made->sets[0], &made->assumptions))
        return fw_isl_failed(set->poly, sink, (struct fw_span){0}, "counting the set");
    return FW_OK;
}

static isl_stat collect_piece(isl_set *set, isl_qpolynomial *weight, void *user)
{
    struct fw_pieces *pieces = user;
    if (pieces->count == PIECES_MOST) {
        isl_set_free(set);
        isl_qpolynomial_free(weight);
        return isl_stat_error;
    }
    pieces->sets[pieces->count] = prepared(set);
    pieces->weights[pieces->count++] = weight;
    return isl_stat_ok;
}

/* The pieces and the assumptions over the same parameters. */
static bool align_pieces(struct fw_pieces *pieces)
{
    if (!pieces->assumptions || !pieces->count)
        return true;
    pieces->assumptions =
        isl_set_align_params(pieces->assumptions, isl_set_get_space(pieces->sets[0]));
    bool good = pieces->assumptions;
    for (uint32_t i = 0; i < pieces->count; i++) {
        isl_space *space = isl_set_get_space(pieces->assumptions);
        pieces->sets[i] = isl_set_align_params(pieces->sets[i], isl_space_copy(space));
        pieces->weights[i] = isl_qpolynomial_align_params(pieces->weights[i], space);
        good = good && pieces->sets[i] && pieces->weights[i];
    }
    return good;
}

enum fw_status fw_pieces_read(struct fw_pieces **pieces, struct fw_poly *poly,
                              const struct fw_source *source, const struct fw_set *assumptions,
                              const struct fw_sink *sink)
{
    struct isl_read read;
    *pieces = NULL;
    enum fw_status status = fw_isl_read(&read, poly, source, TEXT_SUM, sink);
    if (status != FW_OK)
        return status;
    fw_isl_begin(poly);
    struct fw_pieces *made = *pieces = pieces_new(poly, assumptions);
    if (!made) {
        fw_isl_read_free(&read);
        return FW_ERROR_MEMORY;
    }
    made->weighted = true;
    if (isl_pw_qpolynomial_foreach_piece(read.sum, collect_piece, made) != isl_stat_ok ||
        !align_pieces(made))
        status = fw_isl_failed(poly, sink, (struct fw_span){0}, "the sum");
    fw_isl_read_free(&read);
    return status;
}

struct fw_poly *fw_pieces_workplace(const struct fw_pieces *pieces)
{
    return pieces->poly;
}

uint32_t fw_pieces_count(const struct fw_pieces *pieces)
{
    return pieces->count;
}

unsigned fw_pieces_parameters(const struct fw_pieces *pieces, const char **names, unsigned most)
{
    unsigned count = pieces->count ? (unsigned)isl_set_dim(pieces->sets[0], isl_dim_param) : 0;
    for (unsigned i = 0; i < count && count <= most; i++)
        names[i] = isl_set_get_dim_name(pieces->sets[0], isl_dim_param, i);
    return count;
}

/* In a function of its own: what it has does not change behind the failure point. */
static enum fw_status extract(struct domain *domain, const struct fw_pieces *pieces)
{
    struct work *work = &pieces->poly->work;
    fw_poly_begin(pieces->poly, UINT64_MAX);
    if (setjmp(work->failure))
        return work->status;
    enum fw_status status = fw_domain_extract(
        domain, work, pieces->sets, pieces->weighted ? pieces->weights : NULL, pieces->count);
    return status == FW_ERROR_INPUT ? fw_isl_status(pieces->poly) : status;
}

enum fw_status fw_pieces_extract(struct domain *domain, const struct fw_pieces *pieces,
                                 const struct fw_sink *sink)
{
    enum fw_status status = extract(domain, pieces);
    if (status != FW_ERROR_INPUT)
        return status;
    return fw_isl_failed(pieces->poly, sink, (struct fw_span){0}, "counting the set");
}

enum fw_status fw_pieces_context(struct summation *summation, const struct fw_pieces *pieces)
{
    return pieces->assumptions ? fw_context_extract(summation, pieces->assumptions) : FW_OK;
}

char *fw_pieces_assumptions(const struct fw_pieces *pieces)
{
    return pieces->assumptions ? isl_set_to_str(pieces->assumptions) : NULL;
}

/* ---- contexts ---- */

static enum fw_status context_of(struct summation *summation, isl_set *assumptions)
{
    summation->work->steps = 0;
    if (setjmp(summation->work->failure))
        return FW_ERROR_BUDGET;
    return fw_context_extract(summation, assumptions);
}

enum fw_status fw_assumptions_context(struct summation *summation, const struct fw_set *assumptions,
                                      const char *const *parameters)
{
    isl_set *set = parameters_of(assumptions);
    isl_space *space = isl_space_params_alloc(isl_set_get_ctx(set), summation->parameters);
    for (unsigned p = 0; p < summation->parameters; p++)
        space = isl_space_set_dim_name(space, isl_dim_param, p, parameters[p]);
    set = isl_set_align_params(set, space);
    /* A parameter that the summation does not have makes one more. */
    bool good = set && isl_set_dim(set, isl_dim_param) == (isl_size)summation->parameters;
    enum fw_status status = good ? context_of(summation, set) : FW_ERROR_INPUT;
    isl_set_free(set);
    return status;
}

/* ---- regions ---- */

enum fw_status fw_known_read(struct fw_set **known, struct fw_poly *poly, const char *text)
{
    isl_set *set = isl_set_read_from_str(poly->isl, text);
    *known = NULL;
    return set ? fw_set_of_isl(known, poly, set) : fw_isl_status(poly);
}

enum fw_status fw_known_context(struct summation *summation, const struct fw_set *known)
{
    return fw_context_extract(summation, known->set);
}

/* What isl writes between ": " and " }". */
static char *condition_of(const char *text)
{
    char *condition = NULL;
    const char *open = strchr(text, '{');
    const char *colon = open ? strchr(open, ':') : NULL;
    const char *end = strrchr(text, '}');
    if (colon && end && end > colon + 2) {
        while (end > colon && end[-1] == ' ')
            end--;
        condition = strndup(colon + 2, (size_t)(end - colon - 2));
    }
    return condition;
}

enum fw_status fw_region_simplify(char **condition, bool *empty, struct fw_poly *poly,
                                  const char *region, const struct fw_set *known)
{
    *condition = NULL;
    *empty = false;
    isl_set *set = fw_isl_coalesce(isl_set_read_from_str(poly->isl, region));
    if (known && set) {
        isl_set *context = isl_set_align_params(isl_set_copy(known->set), isl_set_get_space(set));
        set = isl_set_intersect(set, isl_set_copy(context));
        set = isl_set_gist(fw_isl_coalesce(set), context);
    }
    bool good = set;
    *empty = isl_set_is_empty(set) == isl_bool_true;
    if (good && !*empty && isl_set_plain_is_universe(set) != isl_bool_true) {
        char *text = isl_set_to_str(set);
        good = text;
        if (text)
            *condition = condition_of(text);
        free(text);
    }
    isl_set_free(set);
    return good ? FW_OK : fw_isl_status(poly);
}
