/* Trips of loops over rows of supposed lengths.
 *
 * Takes the condition of a loop, whose parts each end it.  Those parts that ask for nothing but
 * lengths, indices and arguments are evaluated at one iteration and another, until the first is
 * found at which one fails: by doubling, and by halving between. */
#include "rows_internal.h"

enum { MOST_VISITS = 1000, MOST_DEPTH = 8 };

struct asking {
    const struct fw_bound *bound;
    uint32_t loop, visits;
    struct row_asked *asked;
};

static void note_array(struct row_asked *asked, uint32_t array)
{
    for (uint32_t a = 0; a < asked->array_count; a++)
        if (asked->arrays[a] == array)
            return;
    if (asked->array_count == ROW_ARRAYS)
        asked->more = true;
    else
        asked->arrays[asked->array_count++] = array;
}

static bool look(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct asking *asking = user;
    struct row_asked *asked = asking->asked;
    const struct fw_kernel *kernel = asking->bound->kernel;
    (void)atom;
    if (node->kind == FW_ATOM_UNKNOWN) {
        const struct fw_opaque *opaque =
            node->a < kernel->opaque_count ? &kernel->opaques[node->a] : NULL;
        if (opaque && (opaque->row || opaque->is_length))
            note_array(asked, opaque->array);
        else
            asked->more = true;
    }
    asked->thread |= node->kind == FW_ATOM_LAUNCH;
    asked->iterations |= node->kind == FW_ATOM_ITERATION && node->a != asking->loop;
    asked->more |= ++asking->visits > MOST_VISITS;
    return asked->more;
}

void row_asks(struct row_asked *asked, const struct fw_bound *bound, fw_condition condition,
              uint32_t loop)
{
    struct asking asking = {bound, loop, 0, asked};
    fw_condition_any(&bound->kernel->pool, condition, look, &asking);
}

/* Adds the parts of a condition that must all hold. */
static void add_ends(struct row_ends *ends, const struct fw_bound *bound, fw_condition condition,
                     unsigned depth)
{
    const struct fw_condition_node *node = &bound->kernel->pool.conditions.at[condition];
    struct row_asked asked = {.array_count = 0};
    if (node->kind == FW_CONDITION_AND) {
        if (depth < MOST_DEPTH) {
            add_ends(ends, bound, node->a, depth + 1);
            add_ends(ends, bound, node->b, depth + 1);
        }
        return;
    }
    row_asks(&asked, bound, condition, ends->loop);
    if (asked.more || ends->count == ROW_ENDS)
        return;
    for (uint32_t a = 0; a < asked.array_count; a++)
        note_array(&ends->asked, asked.arrays[a]);
    ends->asked.thread |= asked.thread;
    ends->asked.iterations |= asked.iterations;
    ends->at[ends->count++] = condition;
}

bool row_ends_find(struct row_ends *ends, const struct fw_bound *bound, uint32_t loop, bool any)
{
    *ends = (struct row_ends){.loop = loop};
    add_ends(ends, bound, bound->kernel->loops[loop].stays, 0);
    return ends->count > 0 && !ends->asked.more && (any || ends->asked.array_count > 0);
}

bool row_suppose(void *user, fw_atom atom, const struct fw_point *point, int64_t *value)
{
    const struct row_supposed *supposed = user;
    const struct fw_kernel *kernel = supposed->bound->kernel;
    const struct fw_atom_node *node = &kernel->pool.atoms.at[atom];
    (void)point;
    if (node->kind != FW_ATOM_UNKNOWN || node->a >= kernel->opaque_count)
        return false;
    const struct fw_opaque *opaque = &kernel->opaques[node->a];
    if (!opaque->row && !opaque->is_length)
        return false;
    int64_t length = supposed->length;
    if (supposed->by_mean) {
        const struct row_length *known =
            &supposed->bound
                 ->row_lengths[opaque->array == FW_NONE ? kernel->array_count : opaque->array];
        if (!known->known)
            return false;
        double mean = known->usual;
        length = (int64_t)(mean * (0.5 + supposed->number / (double)(ROW_LENGTHS - 1)) + 0.5);
    }
    *value = opaque->row ? (int64_t)opaque->row * length : length;
    return true;
}

/* Whether an expression has not come to 0 since the first iteration: it moves one way. */
static bool keeps_sign(struct fw_bound *bound, fw_expression a, struct fw_point *point,
                       int64_t *iteration, bool *known)
{
    int64_t now = 0, first = 0, at = *iteration;
    *known = bound_expression_at(bound, a, point, &now);
    *iteration = 1;
    *known = *known && bound_expression_at(bound, a, point, &first);
    *iteration = at;
    return first > 0 ? now > 0 : first < 0 && now < 0;
}

static bool stays(struct fw_bound *bound, const struct row_ends *ends, struct fw_point *point,
                  int64_t *iteration, bool *known)
{
    const struct fw_pool *pool = &bound->kernel->pool;
    for (uint32_t e = 0; e < ends->count; e++) {
        const struct fw_condition_node *node = &pool->conditions.at[ends->at[e]];
        const struct fw_condition_node *inner =
            node->kind == FW_CONDITION_NOT ? &pool->conditions.at[node->a] : node;
        bool holds = node != inner && inner->kind == FW_CONDITION_ZERO
                         ? keeps_sign(bound, inner->a, point, iteration, known)
                         : bound_holds_at(bound, ends->at[e], point, known);
        if (!*known || !holds)
            return false;
    }
    *known = true;
    return true;
}

bool row_trips_at(struct fw_bound *bound, const struct row_ends *ends, struct fw_point *point,
                  int64_t *iterations, int64_t *trips)
{
    const int64_t most = INT64_C(1) << 32;
    int64_t *iteration = &iterations[ends->loop], before = *iteration, low = 0, high = 1;
    bool known = true;
    for (*iteration = high; high < most && stays(bound, ends, point, iteration, &known);
         *iteration = high) {
        low = high;
        high *= 2;
    }
    while (known && high < most && high - low > 1) {
        *iteration = low + (high - low) / 2;
        bool more = stays(bound, ends, point, iteration, &known);
        *(more ? &low : &high) = *iteration;
    }
    *iteration = before;
    *trips = high;
    return known && high < most;
}
