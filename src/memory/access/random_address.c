#include "random_address.h"

#include "random.h"

#include <string.h>

enum { MOST_NESTED = 3, MOST_VISITS = 4096, DRAWN_BITS = 24 };

/* What an atom holds. */
enum { SEEN = 1, UNKNOWN = 2, OF_THREAD = 4 };

struct fw_random_addresses {
    const struct fw_kernel *kernel;
    struct fw_bound *bound;
    uint8_t *holds;   /* by atom */
    uint32_t *loader; /* by opaque value: access + 1; 0: not looked for */
    uint32_t nested;  /* loads whose addresses are being evaluated */
    uint32_t visits;  /* left to an atom's classification */
    uint64_t *keys;   /* by atom, at this point, where `seen_at` is `now` */
    uint32_t *seen_at, now;
};

static uint8_t of_atom(struct fw_random_addresses *drawn, fw_atom atom);

static uint8_t of_expression(struct fw_random_addresses *drawn, fw_expression a)
{
    const struct fw_expression_node *node = &drawn->kernel->pool.expressions.at[a];
    uint8_t holds = 0;
    for (uint32_t t = 0; t < node->term_count; t++)
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++)
            holds |= of_atom(drawn, node->terms[t].atoms[i]);
    return holds;
}

static uint8_t of_condition(struct fw_random_addresses *drawn, fw_condition a)
{
    const struct fw_condition_node *node = &drawn->kernel->pool.conditions.at[a];
    switch ((enum fw_condition_kind)node->kind) {
    case FW_CONDITION_FALSE:
    case FW_CONDITION_TRUE:
    case FW_CONDITION_FLOAT:
        return 0;
    case FW_CONDITION_UNKNOWN:
        return UNKNOWN;
    case FW_CONDITION_POSITIVE:
    case FW_CONDITION_ZERO:
        return of_expression(drawn, node->a);
    case FW_CONDITION_UNSIGNED_LESS:
        return of_expression(drawn, node->a) | of_expression(drawn, node->b);
    case FW_CONDITION_NOT:
        return of_condition(drawn, node->a);
    default:
        return of_condition(drawn, node->a) | of_condition(drawn, node->b);
    }
}

/* Whether an atom depends on what is not known, and whether its value moves with the thread's
 * index: of a choice, that of its alternatives; loops' lengths are taken to be the same for
 * neighbours. */
static uint8_t of_atom(struct fw_random_addresses *drawn, fw_atom atom)
{
    const struct fw_atom_node *node = &drawn->kernel->pool.atoms.at[atom];
    uint8_t holds = SEEN;
    if (drawn->holds[atom] & SEEN)
        return drawn->holds[atom];
    if (drawn->visits == 0)
        return SEEN | UNKNOWN | OF_THREAD;
    drawn->visits--;
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_UNKNOWN:
        holds |= UNKNOWN;
        break;
    case FW_ATOM_LAUNCH:
        holds |= (node->a >= FW_THREAD_X && node->a <= FW_THREAD_Z) || node->a == FW_LANE ||
                         node->a == FW_WARP
                     ? OF_THREAD
                     : 0;
        break;
    case FW_ATOM_TRIPS:
        holds |= drawn->kernel->loops[node->a].data_dependent ? UNKNOWN : 0;
        break;
    case FW_ATOM_PARAMETER:
    case FW_ATOM_ITERATION:
    case FW_ATOM_ARRAY:
        break;
    case FW_ATOM_SELECT:
        holds |= of_condition(drawn, node->c) & UNKNOWN;
        holds |= of_expression(drawn, node->a) | of_expression(drawn, node->b);
        break;
    case FW_ATOM_AT:
    case FW_ATOM_POWER2:
        holds |= of_expression(drawn, node->a);
        break;
    default:
        holds |= of_expression(drawn, node->a) | of_expression(drawn, node->b);
        break;
    }
    return drawn->holds[atom] = holds;
}

static uint64_t mix(uint64_t key, uint64_t value)
{
    struct fw_random random = {key ^ value};
    return fw_random_next(&random);
}

/* A key that no other thread or iteration has. */
static uint64_t key_of_thread(const struct fw_random_addresses *drawn, const struct fw_point *point)
{
    uint64_t key = 1;
    for (uint32_t d = 0; d < 3; d++)
        key = mix(mix(key, point->block[d]), point->thread[d]);
    for (uint32_t l = 0; l < drawn->kernel->loop_count; l++)
        key = mix(key, (uint64_t)point->iterations[l]);
    return key;
}

static const struct fw_access *loader_of(struct fw_random_addresses *drawn, uint32_t opaque)
{
    const struct fw_kernel *kernel = drawn->kernel;
    const struct fw_opaque *value = &kernel->opaques[opaque];
    if (value->kind != FW_OPAQUE_LOADED)
        return NULL;
    for (uint32_t a = 0; a < kernel->access_count && !drawn->loader[opaque]; a++)
        if (kernel->accesses[a].instruction == value->instruction &&
            kernel->accesses[a].direction == FW_LOAD)
            drawn->loader[opaque] = a + 1;
    return drawn->loader[opaque] ? &kernel->accesses[drawn->loader[opaque] - 1] : NULL;
}

/* A key of what a value was loaded from; the thread's where that is not known. */
static uint64_t key_of_opaque(struct fw_random_addresses *drawn, uint32_t opaque,
                              const struct fw_point *point)
{
    const struct fw_access *loader = NULL;
    int64_t address;
    if (opaque < drawn->kernel->opaque_count && drawn->nested < MOST_NESTED)
        loader = loader_of(drawn, opaque);
    if (!loader)
        return mix(key_of_thread(drawn, point), opaque);
    drawn->nested++;
    bool known = fw_bound_evaluate(drawn->bound, loader->offset, point, &address);
    drawn->nested--;
    return known ? mix(mix(loader->instruction, loader->array), (uint64_t)address)
                 : mix(key_of_thread(drawn, point), opaque);
}

static uint64_t key_of_atom(struct fw_random_addresses *drawn, fw_atom atom,
                            const struct fw_point *point);

static uint64_t key_of_expression(struct fw_random_addresses *drawn, fw_expression a,
                                  const struct fw_point *point)
{
    const struct fw_expression_node *node = &drawn->kernel->pool.expressions.at[a];
    uint64_t key = a;
    for (uint32_t t = 0; t < node->term_count; t++)
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++)
            if (of_atom(drawn, node->terms[t].atoms[i]) & UNKNOWN)
                key = mix(key, key_of_atom(drawn, node->terms[t].atoms[i], point));
    return key;
}

static uint64_t find_key(struct fw_random_addresses *drawn, fw_atom atom,
                         const struct fw_point *point)
{
    const struct fw_atom_node *node = &drawn->kernel->pool.atoms.at[atom];
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_UNKNOWN:
        return key_of_opaque(drawn, node->a, point);
    case FW_ATOM_TRIPS:
        return mix(2, atom); /* neighbours go round as often */
    case FW_ATOM_AT:
    case FW_ATOM_POWER2:
        return key_of_expression(drawn, node->a, point);
    default:
        return mix(key_of_expression(drawn, node->a, point),
                   key_of_expression(drawn, node->b, point));
    }
}

/* A key of all that an atom's value leans on: equal keys, equal values.  Found once a point: values
 * are built of each other many times over. */
static uint64_t key_of_atom(struct fw_random_addresses *drawn, fw_atom atom,
                            const struct fw_point *point)
{
    if (drawn->seen_at[atom] == drawn->now)
        return drawn->keys[atom];
    if (drawn->visits == 0 || (of_atom(drawn, atom) & OF_THREAD))
        return mix(key_of_thread(drawn, point), atom);
    drawn->visits--;
    uint64_t key = find_key(drawn, atom, point);
    drawn->seen_at[atom] = drawn->now;
    return drawn->keys[atom] = key;
}

static bool suppose(void *user, fw_atom atom, const struct fw_point *point, int64_t *value)
{
    struct fw_random_addresses *drawn = user;
    if (!(of_atom(drawn, atom) & UNKNOWN))
        return false;
    *value = (int64_t)(key_of_atom(drawn, atom, point) >> (64 - DRAWN_BITS));
    return true;
}

struct fw_random_addresses *fw_random_addresses_new(struct fw_arena *arena,
                                                    const struct fw_kernel *kernel,
                                                    struct fw_bound *bound)
{
    struct fw_random_addresses *drawn = FW_NEW(arena, struct fw_random_addresses);
    drawn->kernel = kernel;
    drawn->bound = bound;
    drawn->holds = FW_ARRAY(arena, uint8_t, kernel->pool.atoms.count + 1);
    drawn->loader = FW_ARRAY(arena, uint32_t, kernel->opaque_count + 1);
    drawn->keys = FW_ARRAY(arena, uint64_t, kernel->pool.atoms.count + 1);
    drawn->seen_at = FW_ARRAY(arena, uint32_t, kernel->pool.atoms.count + 1);
    return drawn;
}

bool fw_random_address(struct fw_random_addresses *drawn, const struct fw_access *access,
                       const struct fw_point *point, int64_t *address)
{
    drawn->visits = MOST_VISITS;
    drawn->nested = 0;
    drawn->now++;
    fw_bound_suppose(drawn->bound, suppose, drawn);
    bool known = fw_bound_evaluate(drawn->bound, access->offset, point, address);
    fw_bound_suppose(drawn->bound, NULL, NULL);
    uint64_t bytes = access->array == FW_NONE ? 0 : drawn->kernel->arrays[access->array].bytes;
    int64_t all = bytes <= INT64_MAX && access->bytes ? (int64_t)bytes / access->bytes : 0;
    if (known && all > 0) /* within the array */
        *address -= *address / (all * access->bytes) * all * access->bytes;
    return known;
}

bool fw_random_access_stated(const struct fw_kernel *kernel, const struct fw_launch *launch,
                             uint32_t access)
{
    const struct fw_access *at = &kernel->accesses[access];
    if (!at->data_dependent || at->array == FW_NONE || !launch->spreads || at->bulk)
        return false;
    uint32_t parameter = kernel->arrays[at->array].parameter;
    return parameter != FW_NONE && launch->spreads[parameter] > 0;
}
