#include "random_address.h"

#include "random.h"

#include <string.h>

enum { MAX_NESTED = 3, MAX_VISITS = 4096, RANDOM_BITS = 24 };

/* What the value of an atom depends on. */
enum { CLASSIFIED = 1, UNKNOWN = 2, OF_THREAD = 4 };

struct fw_random_addresses {
    const struct fw_kernel *kernel;
    struct fw_data_addresses *data;
    struct fw_bound *bound;
    uint8_t *dependence; /* by atom */
    uint32_t
        *loader; /* by opaque value: index of the load that produces it + 1; 0: not looked up yet */
    uint32_t nested; /* depth of loads whose addresses are being evaluated */
    uint32_t visits; /* atoms that may still be classified at this point */
    uint64_t *keys;  /* by atom; valid where `seen_at` equals `now` */
    uint32_t *seen_at, now;
};

static uint8_t dependence_of_atom(struct fw_random_addresses *addresses, fw_atom atom);

static uint8_t dependence_of_expression(struct fw_random_addresses *addresses, fw_expression a)
{
    const struct fw_expression_node *node = &addresses->kernel->pool.expressions.at[a];
    uint8_t dependence = 0;
    for (uint32_t t = 0; t < node->term_count; t++)
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++)
            dependence |= dependence_of_atom(addresses, node->terms[t].atoms[i]);
    return dependence;
}

static uint8_t dependence_of_condition(struct fw_random_addresses *addresses, fw_condition a)
{
    const struct fw_condition_node *node = &addresses->kernel->pool.conditions.at[a];
    switch ((enum fw_condition_kind)node->kind) {
    case FW_CONDITION_FALSE:
    case FW_CONDITION_TRUE:
    case FW_CONDITION_FLOAT:
        return 0;
    case FW_CONDITION_UNKNOWN:
        return UNKNOWN;
    case FW_CONDITION_POSITIVE:
    case FW_CONDITION_ZERO:
        return dependence_of_expression(addresses, node->a);
    case FW_CONDITION_UNSIGNED_LESS:
        return dependence_of_expression(addresses, node->a) |
               dependence_of_expression(addresses, node->b);
    case FW_CONDITION_NOT:
        return dependence_of_condition(addresses, node->a);
    default:
        return dependence_of_condition(addresses, node->a) |
               dependence_of_condition(addresses, node->b);
    }
}

/* Classifies an atom: does it depend on loaded data, and does it change with the thread index?  A
 * select counts as its alternatives.  Neighbouring threads are taken to run a loop equally often.
 */
static uint8_t dependence_of_atom(struct fw_random_addresses *addresses, fw_atom atom)
{
    const struct fw_atom_node *node = &addresses->kernel->pool.atoms.at[atom];
    uint8_t dependence = CLASSIFIED;
    if (addresses->dependence[atom] & CLASSIFIED)
        return addresses->dependence[atom];
    if (addresses->visits == 0)
        return CLASSIFIED | UNKNOWN | OF_THREAD;
    addresses->visits--;
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_UNKNOWN:
        dependence |= UNKNOWN;
        break;
    case FW_ATOM_LAUNCH:
        dependence |= (node->a >= FW_THREAD_X && node->a <= FW_THREAD_Z) || node->a == FW_LANE ||
                              node->a == FW_WARP
                          ? OF_THREAD
                          : 0;
        break;
    case FW_ATOM_TRIPS:
        dependence |= addresses->kernel->loops[node->a].data_dependent ? UNKNOWN : 0;
        break;
    case FW_ATOM_PARAMETER:
    case FW_ATOM_ITERATION:
    case FW_ATOM_ARRAY:
    case FW_ATOM_CARRIED:
        break;
    case FW_ATOM_SELECT:
        dependence |= dependence_of_condition(addresses, node->c) & UNKNOWN;
        dependence |= dependence_of_expression(addresses, node->a) |
                      dependence_of_expression(addresses, node->b);
        break;
    case FW_ATOM_AT:
    case FW_ATOM_POWER2:
        dependence |= dependence_of_expression(addresses, node->a);
        break;
    default:
        dependence |= dependence_of_expression(addresses, node->a) |
                      dependence_of_expression(addresses, node->b);
        break;
    }
    return addresses->dependence[atom] = dependence;
}

static uint64_t mix(uint64_t key, uint64_t value)
{
    struct fw_random random = {key ^ value};
    return fw_random_next(&random);
}

/* A key that no other thread or iteration has. */
static uint64_t key_of_thread(const struct fw_random_addresses *addresses,
                              const struct fw_point *point)
{
    uint64_t key = 1;
    for (uint32_t d = 0; d < 3; d++)
        key = mix(mix(key, point->block[d]), point->thread[d]);
    for (uint32_t l = 0; l < addresses->kernel->loop_count; l++)
        key = mix(key, (uint64_t)point->iterations[l]);
    return key;
}

static const struct fw_access *loader_of(struct fw_random_addresses *addresses, uint32_t opaque)
{
    const struct fw_kernel *kernel = addresses->kernel;
    const struct fw_opaque *value = &kernel->opaques[opaque];
    if (value->kind != FW_OPAQUE_LOADED)
        return NULL;
    for (uint32_t a = 0; a < kernel->access_count && !addresses->loader[opaque]; a++)
        if (kernel->accesses[a].instruction == value->instruction &&
            kernel->accesses[a].direction == FW_LOAD)
            addresses->loader[opaque] = a + 1;
    return addresses->loader[opaque] ? &kernel->accesses[addresses->loader[opaque] - 1] : NULL;
}

/* A key of the place that a value was loaded from; the thread's own key if the place is not known.
 */
static uint64_t key_of_opaque(struct fw_random_addresses *addresses, uint32_t opaque,
                              const struct fw_point *point)
{
    const struct fw_access *loader = NULL;
    int64_t address;
    if (opaque < addresses->kernel->opaque_count && addresses->nested < MAX_NESTED)
        loader = loader_of(addresses, opaque);
    if (!loader)
        return mix(key_of_thread(addresses, point), opaque);
    addresses->nested++;
    bool known = fw_bound_evaluate(addresses->bound, loader->offset, point, &address);
    addresses->nested--;
    return known ? mix(mix(loader->instruction, loader->array), (uint64_t)address)
                 : mix(key_of_thread(addresses, point), opaque);
}

static uint64_t key_of_atom(struct fw_random_addresses *addresses, fw_atom atom,
                            const struct fw_point *point);

static uint64_t key_of_expression(struct fw_random_addresses *addresses, fw_expression a,
                                  const struct fw_point *point)
{
    const struct fw_expression_node *node = &addresses->kernel->pool.expressions.at[a];
    uint64_t key = a;
    for (uint32_t t = 0; t < node->term_count; t++)
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++)
            if (dependence_of_atom(addresses, node->terms[t].atoms[i]) & UNKNOWN)
                key = mix(key, key_of_atom(addresses, node->terms[t].atoms[i], point));
    return key;
}

static uint64_t find_key(struct fw_random_addresses *addresses, fw_atom atom,
                         const struct fw_point *point)
{
    const struct fw_atom_node *node = &addresses->kernel->pool.atoms.at[atom];
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_UNKNOWN:
        return key_of_opaque(addresses, node->a, point);
    case FW_ATOM_TRIPS:
        return mix(2, atom); /* neighbouring threads run the loop equally often */
    case FW_ATOM_AT:
    case FW_ATOM_POWER2:
        return key_of_expression(addresses, node->a, point);
    default:
        return mix(key_of_expression(addresses, node->a, point),
                   key_of_expression(addresses, node->b, point));
    }
}

/* A key of everything that an atom's value depends on: equal keys mean equal values.  Computed once
 * per point, because values share subexpressions. */
static uint64_t key_of_atom(struct fw_random_addresses *addresses, fw_atom atom,
                            const struct fw_point *point)
{
    if (addresses->seen_at[atom] == addresses->now)
        return addresses->keys[atom];
    if (addresses->visits == 0 || (dependence_of_atom(addresses, atom) & OF_THREAD))
        return mix(key_of_thread(addresses, point), atom);
    addresses->visits--;
    uint64_t key = find_key(addresses, atom, point);
    addresses->seen_at[atom] = addresses->now;
    return addresses->keys[atom] = key;
}

static bool random_value(void *user, fw_atom atom, const struct fw_point *point, int64_t *value)
{
    struct fw_random_addresses *addresses = user;
    if (!(dependence_of_atom(addresses, atom) & UNKNOWN))
        return false;
    *value = (int64_t)(key_of_atom(addresses, atom, point) >> (64 - RANDOM_BITS));
    return true;
}

struct fw_random_addresses *fw_random_addresses_new(struct fw_arena *arena,
                                                    const struct fw_kernel *kernel,
                                                    struct fw_bound *bound,
                                                    struct fw_data_addresses *data)
{
    struct fw_random_addresses *addresses = FW_NEW(arena, struct fw_random_addresses);
    addresses->kernel = kernel;
    addresses->data = data;
    addresses->bound = bound;
    addresses->dependence = FW_ARRAY(arena, uint8_t, kernel->pool.atoms.count + 1);
    addresses->loader = FW_ARRAY(arena, uint32_t, kernel->opaque_count + 1);
    addresses->keys = FW_ARRAY(arena, uint64_t, kernel->pool.atoms.count + 1);
    addresses->seen_at = FW_ARRAY(arena, uint32_t, kernel->pool.atoms.count + 1);
    return addresses;
}

bool fw_random_address(struct fw_random_addresses *addresses, const struct fw_access *access,
                       const struct fw_point *point, int64_t *address)
{
    bool known =
        access->data &&
        fw_data_address_at(addresses->data, (uint32_t)(access - addresses->kernel->accesses), point,
                           address);
    if (!known) {
        addresses->visits = MAX_VISITS;
        addresses->nested = 0;
        addresses->now++;
        fw_bound_suppose(addresses->bound, random_value, addresses);
        known = fw_bound_evaluate(addresses->bound, access->offset, point, address);
        fw_bound_suppose(addresses->bound, NULL, NULL);
    }
    uint64_t bytes = access->array == FW_NONE ? 0 : addresses->kernel->arrays[access->array].bytes;
    int64_t all = bytes <= INT64_MAX && access->bytes ? (int64_t)bytes / access->bytes : 0;
    if (known && all > 0) /* keeps the address within the array */
        *address -= *address / (all * access->bytes) * all * access->bytes;
    return known;
}

double fw_random_access_extent(const struct fw_kernel *kernel, const struct fw_launch *launch,
                               struct fw_data_addresses *data, uint32_t access)
{
    const struct fw_access *at = &kernel->accesses[access];
    bool here = at->space == FW_SPACE_GLOBAL || at->space == FW_SPACE_GENERIC;
    if (!at->data_dependent || at->array == FW_NONE || at->bulk || !here)
        return 0;
    uint32_t parameter = kernel->arrays[at->array].parameter;
    const struct fw_data_access *taken = fw_data_access(data, access);
    /* Rows that adjoin and indices that are near each other move with the threads, through a
     * working set of any size; rows that labels of blocks choose are as many as it has. */
    const bool in_order =
        taken->rows || taken->labelled || (taken->by_index && taken->kind != FW_INDEX_RANDOM);
    if (parameter != FW_NONE && launch->spreads && launch->spreads[parameter] > 0 &&
        !(in_order && taken->model == FW_DATA_MOVED))
        return launch->spreads[parameter];
    if (taken->within > 0)
        return taken->within;
    if (taken->model == FW_DATA_OPEN && parameter != FW_NONE && launch->sizes)
        return launch->sizes[parameter];
    return taken->model == FW_DATA_DRAWN ? taken->extent : 0;
}
