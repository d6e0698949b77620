/* Ranges: between which values an expression lies over a domain of a bound launch.
 *
 * The bound of a linear form over a piece's box is lowered by adding multiples of the piece's rows,
 * each of which is >= 0 and so never makes the bound wrong: descent on the dual of the linear
 * program, one row at a time, each multiple chosen to cancel one variable.  Guards such as block *
 * size + thread < n cancel at once. */
#include "bound_internal.h"
#include "checked.h"
#include "interval.h"

#include <string.h>

/* Bounds compare by how many variables without bound they have, then by value. */
struct bound_value {
    uint32_t endless;
    int64_t value;
};

static struct bound_value upper(const struct fw_piece *piece, const struct fw_linear *form)
{
    struct bound_value bound = {0, form->constant};
    int64_t product;
    for (uint32_t v = 0; v < piece->variables; v++) {
        int64_t c = form->coefficient[v];
        int64_t end = c > 0 ? piece->high[v] : piece->low[v];
        if (!c)
            continue;
        if (end >= FAR || end <= -FAR || fw_multiply_overflows(c, end, &product) ||
            fw_add_overflows(bound.value, product, &bound.value))
            bound.endless++;
    }
    return bound;
}

static bool less(struct bound_value a, struct bound_value b)
{
    return a.endless < b.endless || (a.endless == b.endless && a.value < b.value);
}

/* form += times * row; false on overflow. */
static bool add_row(const struct fw_piece *piece, struct fw_linear *form,
                    const struct fw_linear *row, int64_t times)
{
    int64_t product;
    if (fw_multiply_overflows(row->constant, times, &product) ||
        fw_add_overflows(form->constant, product, &form->constant))
        return false;
    for (uint32_t v = 0; v < piece->variables; v++)
        if (fw_multiply_overflows(row->coefficient[v], times, &product) ||
            fw_add_overflows(form->coefficient[v], product, &form->coefficient[v]))
            return false;
    return true;
}

/* One row tried on the form, once for each variable that it can cancel; true: the bound fell. */
static bool lower_by(const struct fw_piece *piece, const struct fw_piece_row *row,
                     struct fw_linear *form, struct bound_value *best)
{
    bool fell = false;
    for (uint32_t v = 0; v < piece->variables; v++) {
        int64_t c = form->coefficient[v], r = row->form.coefficient[v];
        if (!c || !r || c % r != 0)
            continue;
        int64_t times = -(c / r);
        struct fw_linear trial = *form;
        if (times == 0 || (times < 0 && !row->equality) ||
            !add_row(piece, &trial, &row->form, times))
            continue;
        struct bound_value bound = upper(piece, &trial);
        if (less(bound, *best)) {
            *best = bound;
            *form = trial;
            fell = true;
        }
    }
    return fell;
}

/* An upper bound of the form over the piece; false: there is none. */
static bool greatest(const struct fw_piece *piece, struct fw_linear form, int64_t *value)
{
    enum { MOST_ROUNDS = 8 };
    struct bound_value best = upper(piece, &form);
    bool fell = true;
    for (int round = 0; round < MOST_ROUNDS && fell; round++) {
        fell = false;
        for (uint32_t r = 0; r < piece->row_count; r++)
            fell |= lower_by(piece, &piece->rows[r], &form, &best);
    }
    *value = best.value;
    return best.endless == 0;
}

static bool is_unbound(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    const struct fw_bound *bound = user;
    (void)atom;
    return node->kind == FW_ATOM_PARAMETER && !bound->launch->is_bound[node->a] &&
           !bound->kernel->parameters[node->a].is_pointer;
}

bool fw_bound_range(struct fw_bound *bound, uint32_t domain, fw_expression a, int64_t *low,
                    int64_t *high)
{
    const struct fw_piece_list *pieces = bound_pieces(bound, domain);
    bool any = false;
    if (bound->domains[domain].failed)
        return false;
    for (uint32_t p = 0; p < pieces->count; p++) {
        struct fw_piece *piece = bound_copy_piece(bound, pieces->at[p]);
        struct fw_linear form, minus = {0};
        struct linear_problem problem = {.reason = FW_UNKNOWN_NONAFFINE};
        int64_t least, most;
        enum linear_outcome outcome = bound_linear(bound, piece, a, &form, &problem);
        if (outcome == FAILED && problem.reason == FW_UNKNOWN_ARGUMENT)
            return false; /* what its type holds is no range of a launch */
        if (outcome == LINEAR && add_row(piece, &minus, &form, -1) &&
            greatest(piece, form, &most) && greatest(piece, minus, &least)) {
            least = -least;
        } else { /* selections and the like: over the whole launch */
            struct fw_interval all = fw_bound_interval(bound, a);
            if (!fw_interval_bounded(all) ||
                fw_expression_any(&bound->kernel->pool, a, is_unbound, bound))
                return false;
            least = all.low;
            most = all.high;
        }
        if (least > most) /* the piece is empty */
            continue;
        *low = !any || least < *low ? least : *low;
        *high = !any || most > *high ? most : *high;
        any = true;
    }
    return any;
}
