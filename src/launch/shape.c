/* Shapes: a domain's pieces and an expression over them, for those who reckon with addresses. */
#include "bound_internal.h"
#include "sampled.h"

#include <string.h>

static void copy(struct fw_shape *shape, const struct fw_piece *piece, const struct fw_linear *form)
{
    shape->variables = piece->variables;
    memcpy(shape->launch_variable, piece->launch_variable, sizeof(shape->launch_variable));
    for (uint32_t v = 0; v < piece->variables; v++) {
        shape->loop_of[v] = piece->loop_of[v];
        shape->quotient[v] = piece->quotient[v];
        shape->low[v] = piece->low[v];
        shape->high[v] = piece->high[v];
        shape->coefficient[v] = form->coefficient[v];
    }
    shape->constant = form->constant;
    shape->weight = piece->weight;
    shape->row_count = piece->row_count < FW_SHAPE_ROWS ? piece->row_count : FW_SHAPE_ROWS;
    for (uint32_t r = 0; r < shape->row_count; r++) {
        shape->rows[r].constant = piece->rows[r].form.constant;
        shape->rows[r].equality = piece->rows[r].equality;
        shape->rows[r].definition = piece->rows[r].definition;
        memcpy(shape->rows[r].coefficient, piece->rows[r].form.coefficient,
               sizeof(shape->rows[r].coefficient));
    }
}

/* Sampled parts are no rows: the shape weighs as much as what is estimated, and a sampled loop ends
 * with its mean. */
static void weigh(struct fw_bound *bound, struct fw_shape *shape, struct fw_piece *piece)
{
    struct fw_piece *closed = bound_copy_piece(bound, piece);
    const struct fw_estimate *estimate = sampled_estimate(bound, piece);
    for (uint32_t p = 0; p < piece->sampled_count; p++) {
        uint32_t v = piece->sampled[p].variable;
        if (piece->sampled[p].loop == FW_NONE)
            continue;
        shape->high[v] = closed->high[v] =
            estimate->most > 1 && estimate->most < FAR ? (int64_t)estimate->most - 1 : 0;
        closed->closed[v] = true;
    }
    if (bound_count_guarded(bound, closed, bound->part) == FW_OK && mpz_sgn(bound->part) > 0)
        shape->weight *= estimate->threads / mpz_get_d(bound->part);
}

struct fw_shape *fw_bound_shapes(struct fw_bound *bound, uint32_t domain, fw_expression a,
                                 struct fw_arena *arena, uint32_t *count)
{
    const struct fw_piece_list *pieces = bound_pieces(bound, domain);
    *count = 0;
    if (bound->domains[domain].failed || pieces->count == 0)
        return NULL;
    struct fw_shape *shapes = FW_ARRAY(arena, struct fw_shape, pieces->count);
    for (uint32_t p = 0; p < pieces->count; p++) {
        struct fw_piece *piece = bound_copy_piece(bound, pieces->at[p]);
        struct fw_linear form = {0};
        struct linear_problem problem = {.reason = FW_UNKNOWN_NONAFFINE};
        bool linear = bound_linear(bound, piece, a, &form, &problem) == LINEAR;
        if (!linear)
            memset(&form, 0, sizeof(form));
        copy(&shapes[*count], piece, &form);
        if (piece->sampled_count)
            weigh(bound, &shapes[*count], pieces->at[p]);
        shapes[(*count)++].linear = linear;
    }
    return shapes;
}
