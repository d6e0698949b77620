#include "lane_addresses.h"

#include "warp_request.h"

#include <string.h>

enum { KEPT = 16, MOST_INSTANCES = 512 };

struct fw_kept_lanes {
    const struct fw_expression_node *offset; /* NULL: nothing is kept */
    uint32_t domain, lanes, next;            /* the instance that comes next */
    FW_VECTOR(int64_t) at;
    FW_VECTOR(uint32_t) begins; /* by instance */
};

struct fw_lane_addresses {
    struct fw_arena *arena;
    const struct fw_pool *pool;
    struct fw_kept_lanes kept[KEPT];
    uint32_t oldest;
};

struct fw_lane_addresses *fw_lane_addresses_new(struct fw_arena *arena, const struct fw_pool *pool)
{
    struct fw_lane_addresses *addresses = FW_NEW(arena, struct fw_lane_addresses);
    addresses->arena = arena;
    addresses->pool = pool;
    return addresses;
}

static uint32_t constants_of(const struct fw_expression_node *node)
{
    return node->term_count && node->terms[0].atom_count == 0;
}

/* Whether two expressions differ by a constant at most. */
static bool same_but_constant(const struct fw_expression_node *a,
                              const struct fw_expression_node *b)
{
    const uint32_t i = constants_of(a), j = constants_of(b);
    if (a->term_count - i != b->term_count - j)
        return false;
    for (uint32_t t = 0; t + i < a->term_count; t++) {
        const struct fw_term *x = &a->terms[t + i], *y = &b->terms[t + j];
        if (x->coefficient != y->coefficient || x->atom_count != y->atom_count ||
            memcmp(x->atoms, y->atoms, x->atom_count * sizeof(*x->atoms)) != 0)
            return false;
    }
    return true;
}

struct fw_kept_lanes *fw_lane_addresses_of(struct fw_lane_addresses *addresses, uint32_t domain,
                                           fw_expression offset, uint32_t lanes, int64_t *constant)
{
    const struct fw_expression_node *node = &addresses->pool->expressions.at[offset];
    *constant = constants_of(node) ? node->terms[0].coefficient : 0;
    for (uint32_t k = 0; k < KEPT; k++) {
        struct fw_kept_lanes *kept = &addresses->kept[k];
        if (kept->offset && kept->domain == domain && kept->lanes == lanes &&
            same_but_constant(kept->offset, node))
            return kept;
    }
    struct fw_kept_lanes *kept = &addresses->kept[addresses->oldest++ % KEPT];
    kept->offset = node;
    kept->domain = domain;
    kept->lanes = lanes;
    kept->next = 0;
    kept->at.count = kept->begins.count = 0;
    return kept;
}

const int64_t *fw_kept_lanes_find(const struct fw_kept_lanes *kept, uint32_t i, uint32_t count)
{
    if (i >= kept->next)
        return NULL;
    const size_t begin = kept->begins.at[i];
    const size_t end = i + 1 < kept->next ? kept->begins.at[i + 1] : kept->at.count;
    return end - begin == count ? &kept->at.at[begin] : NULL;
}

void fw_kept_lanes_add(struct fw_lane_addresses *addresses, struct fw_kept_lanes *kept, uint32_t i,
                       const int64_t *at, uint32_t count, int64_t constant)
{
    if (i != kept->next || i >= MOST_INSTANCES)
        return;
    *FW_APPEND(addresses->arena, &kept->begins) = (uint32_t)kept->at.count;
    for (uint32_t l = 0; l < count; l++)
        *FW_APPEND(addresses->arena, &kept->at) = at[l] - constant;
    kept->next++;
}
