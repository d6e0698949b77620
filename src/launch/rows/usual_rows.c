/* Usual rows: how branches and loops go that depend on the lengths of rows.
 *
 * A ragged array (a sparse matrix, a graph, sequences of a batch) gives each thread, warp or block
 * a row of entries, from one loaded number to the next, or as many as a loaded number says.  Takes
 * a bound launch; supposes rows of a usual length in the mean (row_length.c), from half to one and
 * a half of that, equally often, and evaluates the conditions for each length.  So an unrolled
 * loop, the one for what is left over, a loop over the parts of a row and those inside of it, and
 * the branches around all agree with each other.  Where threads share a row, and each begins at an
 * entry of its own, threads of a block are asked, each for some of the lengths.  Where a condition
 * asks for how far loops around it have come, each point is at an iteration of theirs, and weighs
 * as many as they have. */
#include "rows_internal.h"

#include <math.h>
#include <string.h>

enum { THREADS = 8, NESTED = 4, MOST_DOMAINS = 32 };

static const double golden = 0.6180339887498949;

/* Thread number `n` of an even choice from a block: steps that share no factor with a block of a
 * power of two come to all lanes of a warp and of its parts alike. */
static void choose_thread(const struct fw_bound *bound, uint64_t n, struct fw_point *point)
{
    const uint32_t *block = bound->launch->block;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    uint64_t step = (uint64_t)(golden * (double)threads) | 1, thread = n * step % threads;
    point->thread[0] = (uint32_t)(thread % block[0]);
    point->thread[1] = (uint32_t)(thread / block[0] % block[1]);
    point->thread[2] = (uint32_t)(thread / block[0] / block[1]);
}

/* The domain of the points that come to a branch or loop; FW_NONE: none is told. */
static uint32_t reached_domain(const struct fw_kernel *kernel, bool is_loop, uint32_t index)
{
    for (uint32_t d = 0; d < kernel->domain_count; d++) {
        const struct fw_domain *domain = &kernel->domains[d];
        if (is_loop ? domain->kind == FW_DOMAIN_LOOP && domain->loop == index
                    : domain->kind == FW_DOMAIN_RESTRICT && domain->branch == index)
            return domain->parent;
    }
    return FW_NONE;
}

/* Whether a point comes to a domain, as far as the branches before it are known for these rows. */
static bool comes_to(struct fw_bound *bound, uint32_t domain, const struct fw_point *point)
{
    const struct fw_kernel *kernel = bound->kernel;
    for (uint32_t step = 0; domain != FW_NONE && step < MOST_DOMAINS; step++) {
        const struct fw_domain *at = &kernel->domains[domain];
        bool known = true;
        if (at->kind != FW_DOMAIN_RESTRICT && at->kind != FW_DOMAIN_LOOP)
            return true;
        bool holds = at->kind == FW_DOMAIN_LOOP ||
                     bound_holds_at(bound, kernel->branches[at->branch].condition, point, &known);
        if (at->kind == FW_DOMAIN_RESTRICT && known && holds != at->truth)
            return false;
        domain = at->parent;
    }
    return true;
}

/* What is asked of one branch or loop. */
struct usual {
    struct fw_bound *bound;
    bool is_loop;
    fw_condition condition; /* of the branch */
    struct row_ends ends;   /* of the loop */
    struct row_asked asked; /* by either */
    struct row_ends
        outer[NESTED]; /* loops around it, where it asks for them, the innermost first */
    uint32_t outer_count;
    struct row_supposed supposed;
    struct fw_point point;
    int64_t *iterations;
    uint32_t reached; /* domain; FW_NONE */
    bool unreached;   /* no length that is supposed comes there */
};

/* The loop that a branch or a loop is in; FW_NONE. */
static uint32_t loop_around(const struct fw_kernel *kernel, bool is_loop, uint32_t index,
                            uint32_t reached)
{
    if (is_loop)
        return kernel->loops[index].parent;
    for (uint32_t d = reached; d != FW_NONE && d; d = kernel->domains[d].parent) {
        if (kernel->domains[d].kind == FW_DOMAIN_LOOP)
            return kernel->domains[d].loop;
        if (kernel->domains[d].kind == FW_DOMAIN_UNION)
            return FW_NONE;
    }
    return FW_NONE;
}

/* Finds the lengths of rows that a condition asks for: none is looked for while others are
 * supposed.
 */
static void find_lengths(struct usual *usual, const struct row_asked *asked)
{
    for (uint32_t a = 0; a < asked->array_count; a++)
        row_length_of(usual->bound, asked->arrays[a]);
    usual->asked.thread |= asked->thread;
}

/* Likewise those that the branches before a domain ask for. */
static void find_lengths_before(struct usual *usual, uint32_t domain)
{
    const struct fw_kernel *kernel = usual->bound->kernel;
    for (uint32_t step = 0; domain != FW_NONE && step < MOST_DOMAINS; step++) {
        const struct fw_domain *at = &kernel->domains[domain];
        struct row_asked asked = {.array_count = 0};
        if (at->kind != FW_DOMAIN_RESTRICT && at->kind != FW_DOMAIN_LOOP)
            return;
        if (at->kind == FW_DOMAIN_RESTRICT)
            row_asks(&asked, usual->bound, kernel->branches[at->branch].condition, FW_NONE);
        for (uint32_t a = 0; a < asked.array_count; a++)
            row_length_of(usual->bound, asked.arrays[a]);
        domain = at->parent;
    }
}

/* Finds what a condition asks for, and of the loops around it; false: for more than can be
 * supposed. */
static bool prepare(struct usual *usual, uint32_t index)
{
    struct fw_bound *bound = usual->bound;
    const struct fw_kernel *kernel = bound->kernel;
    if (usual->is_loop && !row_ends_find(&usual->ends, bound, index, false))
        return false;
    if (usual->is_loop)
        usual->asked = usual->ends.asked;
    else
        row_asks(&usual->asked, bound, usual->condition, FW_NONE);
    if (usual->asked.more || usual->asked.array_count == 0)
        return false;
    usual->reached = reached_domain(kernel, usual->is_loop, index);
    uint32_t outer = usual->asked.iterations
                         ? loop_around(kernel, usual->is_loop, index, usual->reached)
                         : FW_NONE;
    if (usual->asked.iterations && outer == FW_NONE)
        return false;
    for (; outer != FW_NONE; outer = kernel->loops[outer].parent)
        if (usual->outer_count == NESTED ||
            !row_ends_find(&usual->outer[usual->outer_count++], bound, outer, true))
            return false;
    find_lengths(usual, &usual->asked);
    for (uint32_t l = 0; l < usual->outer_count; l++)
        find_lengths(usual, &usual->outer[l].asked);
    find_lengths_before(usual, usual->reached);
    return true;
}

/* Sets the iterations of the loops around, drawn evenly; how many they have together, 0: it is not
 * known. */
static double enter_loops(struct usual *usual, uint32_t n)
{
    double together = 1, part = fmod((n + 1) * golden, 1);
    for (uint32_t l = usual->outer_count; l-- > 0;) {
        int64_t trips;
        if (!row_trips_at(usual->bound, &usual->outer[l], &usual->point, usual->iterations, &trips))
            return 0;
        double place = part * (double)trips;
        usual->iterations[usual->outer[l].loop] = (int64_t)place;
        part = place - floor(place);
        together *= (double)trips;
    }
    return together;
}

static double mean_of(struct usual *usual)
{
    struct fw_bound *bound = usual->bound;
    double sum = 0, whole = 0, points = 0;
    usual->unreached = true;
    uint32_t threads = usual->asked.thread ? THREADS : 1;
    for (uint32_t n = 0; n < ROW_LENGTHS * threads; n++) {
        bool known = true;
        int64_t trips = 0;
        usual->supposed.number = n / threads;
        if (usual->asked.thread)
            choose_thread(bound, n, &usual->point);
        double weight = enter_loops(usual, n);
        bool comes = weight > 0 && comes_to(bound, usual->reached, &usual->point);
        usual->unreached = usual->unreached && weight > 0 && !comes;
        if (!comes)
            known = false;
        else if (usual->is_loop)
            known = row_trips_at(bound, &usual->ends, &usual->point, usual->iterations, &trips);
        else
            trips = bound_holds_at(bound, usual->condition, &usual->point, &known);
        for (uint32_t l = 0; l < usual->outer_count; l++)
            usual->iterations[usual->outer[l].loop] = 0;
        sum += known ? weight * (double)trips : 0;
        whole += known ? weight : 0;
        points += known;
    }
    if (!(points > 0))
        return (double)NAN;
    /* Of a share, the rule of succession: what no length showed may be nevertheless. */
    return usual->is_loop ? sum / whole : (sum / whole * points + 0.5) / (points + 1);
}

/* What rows make of a branch or loop; NAN: that is not known.  One that no supposed length comes to
 * is gone through once where it is, or as often as not: a mean only of such rows as hardly reach
 * it. */
static double usual_of(struct fw_bound *bound, bool is_loop, uint32_t index, uint32_t *array,
                       bool *stated, bool unreached)
{
    struct usual usual = {.bound = bound,
                          .is_loop = is_loop,
                          .condition = is_loop ? 0 : bound->kernel->branches[index].condition,
                          .supposed = {.bound = bound, .by_mean = true}};
    struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
    double mean = (double)NAN;
    usual.iterations = FW_ARRAY(bound->scratch, int64_t, bound->kernel->loop_count + 1);
    usual.point.iterations = usual.iterations;
    for (uint32_t d = 0; d < 3; d++)
        usual.point.block[d] = bound->launch->grid[d] / 2;
    if (prepare(&usual, index)) {
        fw_bound_suppose(bound, row_suppose, &usual.supposed);
        mean = mean_of(&usual);
        if (isnan(mean)) { /* rows may end before the middle of the grid */
            memset(usual.point.block, 0, sizeof(usual.point.block));
            mean = mean_of(&usual);
        }
        /* The middle may lie on a border of planes, as the first block does. */
        for (double place = golden; isnan(mean) && place > 0.3; place *= golden) {
            for (uint32_t d = 0; d < 3; d++)
                usual.point.block[d] = (uint32_t)(place * bound->launch->grid[d]);
            mean = mean_of(&usual);
        }
        fw_bound_suppose(bound, NULL, NULL);
        if (isnan(mean) && unreached && usual.unreached)
            mean = is_loop ? 1 : 0.5;
    }
    fw_arena_release(bound->scratch, mark);
    if (isnan(mean))
        return mean;
    *array = usual.asked.arrays[0];
    *stated = true;
    for (uint32_t a = 0; a < usual.asked.array_count; a++) {
        const struct row_length *length = row_length_of(bound, usual.asked.arrays[a]);
        *stated = *stated && length->stated;
        if (usual.asked.arrays[a] != FW_NONE)
            bound_note_length(bound, usual.asked.arrays[a], length);
    }
    return mean;
}

/* Copies of one branch or loop, which have one name, have one value: that of a copy which rows come
 * to, if there is any. */
double bound_usual_rows(struct fw_bound *bound, bool is_loop, uint32_t index, uint32_t *array,
                        bool *stated)
{
    const struct fw_kernel *kernel = bound->kernel;
    uint32_t count = is_loop ? kernel->loop_count : kernel->branch_count;
    const char *name = is_loop ? kernel->loops[index].name : kernel->branches[index].name;
    const uint64_t others = bound->steps;
    if (bound->launch->brief)
        bound->steps = bound->row_steps;
    double usual = usual_of(bound, is_loop, index, array, stated, false);
    for (uint32_t i = 0; i < count && isnan(usual); i++)
        if (i != index && (is_loop ? kernel->loops[i].name : kernel->branches[i].name) == name)
            usual = usual_of(bound, is_loop, i, array, stated, false);
    if (isnan(usual))
        usual = usual_of(bound, is_loop, index, array, stated, true);
    if (bound->launch->brief) {
        bound->row_steps = bound->steps;
        bound->steps = others;
    }
    return usual;
}
