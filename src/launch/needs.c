/* Which parameters a domain's count may ask for: a flow from conditions down the graph of domains.
 */
#include "needs.h"

enum { WORD_BITS = 64 };

/* One set under way. */
struct collection {
    const struct fw_kernel *kernel;
    uint64_t *into;
    const uint64_t *loops; /* by loop: what its iterations ask for */
    uint32_t words;
    bool changed;
};

static void unite(struct collection *to, const uint64_t *from)
{
    for (uint32_t w = 0; w < to->words; w++) {
        to->changed |= (from[w] & ~to->into[w]) != 0;
        to->into[w] |= from[w];
    }
}

static void add_parameter(struct collection *to, uint32_t parameter)
{
    uint64_t bit = (uint64_t)1 << parameter % WORD_BITS;
    uint64_t *word = &to->into[parameter / WORD_BITS];
    to->changed |= !(*word & bit);
    *word |= bit;
}

static bool collect(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct collection *to = user;
    (void)atom;
    if (node->kind == FW_ATOM_PARAMETER)
        add_parameter(to, node->a);
    else if (node->kind == FW_ATOM_TRIPS)
        unite(to, to->loops + (size_t)node->a * to->words);
    return false;
}

/* Float comparisons name their parameters in a table of the kernel's. */
static void collect_floats(struct collection *to, fw_condition condition)
{
    const struct fw_kernel *kernel = to->kernel;
    const struct fw_condition_node *node = &kernel->pool.conditions.at[condition];
    switch ((enum fw_condition_kind)node->kind) {
    case FW_CONDITION_AND:
    case FW_CONDITION_OR:
        collect_floats(to, node->b);
        collect_floats(to, node->a);
        break;
    case FW_CONDITION_NOT:
        collect_floats(to, node->a);
        break;
    case FW_CONDITION_FLOAT:
        if (kernel->floats[node->a].left_is_parameter)
            add_parameter(to, kernel->floats[node->a].left_parameter);
        if (kernel->floats[node->a].right_is_parameter)
            add_parameter(to, kernel->floats[node->a].right_parameter);
        break;
    default:
        break;
    }
}

static void collect_condition(struct collection *to, fw_condition condition)
{
    fw_condition_any(&to->kernel->pool, condition, collect, to);
    collect_floats(to, condition);
}

/* Loops may mention each other's trips: to a fixed point. */
static uint64_t *needs_of_loops(struct fw_arena *arena, const struct fw_kernel *kernel,
                                uint32_t words)
{
    uint64_t *loops = FW_ARRAY(arena, uint64_t, (size_t)words * (kernel->loop_count + 1));
    struct collection to = {.kernel = kernel, .loops = loops, .words = words, .changed = true};
    while (to.changed) {
        to.changed = false;
        for (uint32_t l = 0; l < kernel->loop_count; l++) {
            to.into = loops + (size_t)l * words;
            collect_condition(&to, kernel->loops[l].stays);
        }
    }
    return loops;
}

struct fw_needs fw_needs_find(struct fw_arena *arena, const struct fw_kernel *kernel)
{
    const uint32_t words = kernel->parameter_count / WORD_BITS + 1;
    const uint64_t *loops = needs_of_loops(arena, kernel, words);
    struct fw_needs needs = {.words = words};
    needs.domains = FW_ARRAY(arena, uint64_t, (size_t)words * (kernel->domain_count + 1));
    for (uint32_t d = 0; d < kernel->domain_count; d++) {
        const struct fw_domain *domain = &kernel->domains[d];
        struct collection to = {.kernel = kernel,
                                .into = needs.domains + (size_t)d * words,
                                .loops = loops,
                                .words = words};
        if (domain->kind == FW_DOMAIN_LOOP)
            unite(&to, loops + (size_t)domain->loop * words);
        if (domain->kind == FW_DOMAIN_RESTRICT)
            collect_condition(&to, kernel->branches[domain->branch].condition);
        for (uint32_t m = 0; domain->kind == FW_DOMAIN_UNION && m < domain->member_count; m++)
            unite(&to, needs.domains + (size_t)domain->members[m] * words);
        if (domain->kind != FW_DOMAIN_UNION && domain->kind != FW_DOMAIN_ALL &&
            domain->kind != FW_DOMAIN_EMPTY)
            unite(&to, needs.domains + (size_t)domain->parent * words);
    }
    return needs;
}

bool fw_needs_parameter(const struct fw_needs *needs, uint32_t domain, uint32_t parameter)
{
    return needs->domains[(size_t)domain * needs->words + parameter / WORD_BITS] >>
               parameter % WORD_BITS &
           1;
}
