/* Values in another iteration of a loop than the one they were computed for: in the one before, or
 * in the last one. */
#include "record_internal.h"

enum { DEEPEST_TRIPS = 16 };

struct dependence {
    struct builder *b;
    uint32_t loop;
    unsigned depth;
};

static bool depends(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct dependence *d = user;
    struct builder *b = d->b;
    (void)atom;
    if (node->kind == FW_ATOM_ITERATION)
        return node->a == d->loop;
    if (node->kind == FW_ATOM_UNKNOWN) /* a placeholder's value is not known yet */
        return node->a != FW_TOO_DEEP && node->a & PLACEHOLDER_FLAG;
    if (node->kind != FW_ATOM_TRIPS)
        return false;
    const struct loop_memo *memo = &b->loops[node->a];
    bool found = ++d->depth > DEEPEST_TRIPS || memo->state != 2 ||
                 fw_condition_any(b->pool, memo->stays, depends, d);
    d->depth--;
    return found;
}

/* Whether the trips of a loop may differ from one iteration of another loop to the next. */
static bool trips_depend_on(struct builder *b, uint32_t trips, uint32_t loop)
{
    struct dependence d = {b, loop, 0};
    const struct fw_atom_node node = {.kind = FW_ATOM_TRIPS, .a = trips};
    return depends(&d, 0, &node);
}

/* An atom TRIPS or AT with what its parts state replaced; the loops whose iterations are stated in
 * it, and the loop whose trips it is about. */
struct trips_atom {
    fw_expression expression;
    uint32_t loop;
    uint32_t stated[DEEPEST_TRIPS];
    uint32_t stated_count;
};

static bool read_trips(struct builder *b, const struct fw_replacement *with,
                       const struct fw_atom_node *node, struct trips_atom *to)
{
    if (node->kind == FW_ATOM_TRIPS) {
        to->loop = node->a;
        to->expression = fw_atom_new(b->pool, FW_ATOM_TRIPS, node->a, 0, 0);
        return true;
    }
    if (node->kind != FW_ATOM_AT || to->stated_count == DEEPEST_TRIPS)
        return false;
    uint32_t loop = node->c;
    to->stated[to->stated_count++] = loop;
    fw_atom inner = b->pool->expressions.at[node->a].terms[0].atoms[0];
    const struct fw_atom_node inner_node = b->pool->atoms.at[inner];
    fw_expression value = fw_expression_replace(b->pool, node->b, with);
    if (!read_trips(b, with, &inner_node, to))
        return false;
    to->expression = fw_atom_new(b->pool, FW_ATOM_AT, to->expression, value, loop);
    return true;
}

/* States the iteration of one loop more, unless that makes no difference. */
static void state(struct builder *b, struct trips_atom *atom, uint32_t loop, fw_expression value)
{
    for (uint32_t s = 0; s < atom->stated_count; s++)
        if (atom->stated[s] == loop)
            return;
    if (trips_depend_on(b, atom->loop, loop))
        atom->expression = fw_atom_new(b->pool, FW_ATOM_AT, atom->expression, value, loop);
}

static fw_expression too_deep(struct builder *b)
{
    return fw_atom_new(b->pool, FW_ATOM_UNKNOWN, FW_TOO_DEEP, (uint32_t)b->pool->atoms.count, 0);
}

struct preceding {
    struct builder *b;
    uint32_t loop;
    struct fw_replacement with;
};

static fw_expression one_less(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct preceding *p = user;
    struct builder *b = p->b;
    fw_expression iteration = fw_atom_new(b->pool, FW_ATOM_ITERATION, p->loop, 0, 0);
    fw_expression before = fw_subtract(b->pool, iteration, fw_constant(b->pool, 1));
    (void)atom;
    if (node->kind == FW_ATOM_ITERATION)
        return node->a == p->loop ? before : FW_NO_EXPRESSION;
    if (node->kind != FW_ATOM_TRIPS && node->kind != FW_ATOM_AT)
        return FW_NO_EXPRESSION;
    struct trips_atom trips = {0};
    const struct fw_atom_node copy = *node;
    if (!read_trips(b, &p->with, &copy, &trips))
        return too_deep(b);
    if (trips.loop != p->loop && record_loop_inside(b, trips.loop, p->loop))
        state(b, &trips, p->loop, before);
    return trips.expression;
}

fw_expression record_iteration_before(struct builder *b, fw_expression a, uint32_t loop)
{
    struct preceding p = {.b = b, .loop = loop};
    p.with = (struct fw_replacement){.replace = one_less, .user = &p};
    return fw_expression_replace(b->pool, a, &p.with);
}

fw_condition record_condition_before(struct builder *b, fw_condition a, uint32_t loop)
{
    struct preceding p = {.b = b, .loop = loop};
    p.with = (struct fw_replacement){.replace = one_less, .user = &p};
    return fw_condition_replace(b->pool, a, &p.with);
}

/* Loops whose trips name each other's iterations are not followed for ever. */
enum { MOST_LEFT = 64, MOST_REPLACED = 1 << 16 };

struct leaving {
    struct builder *b;
    uint32_t where;
    unsigned left;     /* loops that are being left, one in what another hangs on */
    uint32_t replaced; /* iterations so far */
    struct fw_replacement with;
};

static fw_expression last_of(struct builder *b, uint32_t loop)
{
    return fw_subtract(b->pool, record_trips(b, loop), fw_constant(b->pool, 1));
}

static fw_expression last_iteration(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct leaving *leaving = user;
    struct builder *b = leaving->b;
    const struct fw_function *function = b->function;
    (void)atom;
    if (node->kind == FW_ATOM_ITERATION) {
        /* How often a loop runs may hang on the iterations of loops around it, left as well. */
        if (fw_block_in_loop(function, leaving->where, node->a))
            return FW_NO_EXPRESSION;
        if (leaving->left == MOST_LEFT || leaving->replaced++ == MOST_REPLACED)
            return too_deep(b);
        leaving->left++;
        fw_expression last = fw_expression_replace(b->pool, last_of(b, node->a), &leaving->with);
        leaving->left--;
        return last;
    }
    if (node->kind != FW_ATOM_TRIPS && node->kind != FW_ATOM_AT)
        return FW_NO_EXPRESSION;
    struct trips_atom trips = {0};
    const struct fw_atom_node copy = *node;
    if (!read_trips(b, &leaving->with, &copy, &trips))
        return too_deep(b);
    for (uint32_t l = function->loops[trips.loop].parent; l != FW_NO_INDEX;
         l = function->loops[l].parent)
        if (!fw_block_in_loop(function, leaving->where, l))
            state(b, &trips, l, last_of(b, l));
    return trips.expression;
}

fw_expression record_last_iteration(struct builder *b, fw_expression a, uint32_t where)
{
    struct leaving leaving = {.b = b, .where = where};
    leaving.with = (struct fw_replacement){.replace = last_iteration, .user = &leaving};
    return fw_expression_replace(b->pool, a, &leaving.with);
}

fw_condition record_at_end(struct builder *b, fw_condition condition, uint32_t where)
{
    struct leaving leaving = {.b = b, .where = where};
    leaving.with = (struct fw_replacement){.replace = last_iteration, .user = &leaving};
    return fw_condition_replace(b->pool, condition, &leaving.with);
}
