/* Usual rows: how branches and loops go that depend on the begins and ends of rows alone.
 *
 * A ragged array (a sparse matrix, a graph) gives each thread a row of entries, from one loaded
 * number to the next.  Takes a bound launch; supposes rows of FW_DEFAULT_TRIPS entries in the mean,
 * from half to one and a half of that, equally often, and evaluates the conditions for each length.
 * So an unrolled loop, the one for what is left over, and the branches around both agree with each
 * other.  Where threads share a row, and each begins at an entry of its own, threads of a block are
 * asked, each for some of the lengths. */
#include "bound_internal.h"

#include <math.h>

enum { LENGTHS = 17, THREADS = 8, MOST_TRIPS = 64, MOST_VISITS = 1000 };

/* The length of the rows that are supposed, and whether a condition asks for anything else. */
struct supposed_rows {
    struct fw_bound *bound;
    uint32_t loop; /* whose trips are asked for; FW_NONE */
    int64_t length;
    bool asks_rows, asks_thread, asks_more;
    uint32_t visits;
};

static bool look(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct supposed_rows *rows = user;
    const struct fw_kernel *kernel = rows->bound->kernel;
    bool row = node->kind == FW_ATOM_UNKNOWN && node->a < kernel->opaque_count &&
               kernel->opaques[node->a].row != 0;
    (void)atom;
    rows->asks_rows |= row;
    rows->asks_thread |= node->kind == FW_ATOM_LAUNCH;
    rows->asks_more |= !row && (node->kind == FW_ATOM_UNKNOWN || node->kind == FW_ATOM_PARAMETER ||
                                (node->kind == FW_ATOM_ITERATION && node->a != rows->loop));
    rows->asks_more |= ++rows->visits > MOST_VISITS;
    return rows->asks_more;
}

static bool suppose(void *user, fw_atom atom, const struct fw_point *point, int64_t *value)
{
    const struct supposed_rows *rows = user;
    const struct fw_kernel *kernel = rows->bound->kernel;
    const struct fw_atom_node *node = &kernel->pool.atoms.at[atom];
    (void)point;
    if (node->kind != FW_ATOM_UNKNOWN || node->a >= kernel->opaque_count)
        return false;
    uint32_t row = kernel->opaques[node->a].row;
    *value = (int64_t)row * rows->length;
    return row != 0;
}

/* Thread number `n` of an even choice from a block: steps that share no factor with a block of a
 * power of two come to all lanes of a warp and of its parts alike. */
static void choose_thread(const struct fw_bound *bound, uint64_t n, struct fw_point *point)
{
    const double golden = 0.6180339887498949;
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
    enum { MOST_DOMAINS = 32 };
    for (uint32_t step = 0; domain != FW_NONE && step < MOST_DOMAINS; step++) {
        const struct fw_domain *at = &kernel->domains[domain];
        bool known = true;
        if (at->kind != FW_DOMAIN_RESTRICT)
            return true;
        bool holds =
            bound_holds_at(bound, kernel->branches[at->branch].condition, point, &known) != 0;
        if (known && holds != at->truth)
            return false;
        domain = at->parent;
    }
    return true;
}

static double usual_of(struct fw_bound *bound, bool is_loop, uint32_t index)
{
    const struct fw_kernel *kernel = bound->kernel;
    const struct fw_launch *launch = bound->launch;
    struct supposed_rows rows = {.bound = bound, .loop = is_loop ? index : FW_NONE};
    fw_condition condition =
        is_loop ? kernel->loops[index].stays : kernel->branches[index].condition;
    fw_condition_any(&kernel->pool, condition, look, &rows);
    if (!rows.asks_rows || rows.asks_more)
        return (double)NAN;
    struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
    int64_t *iterations = FW_ARRAY(bound->scratch, int64_t, kernel->loop_count + 1);
    struct fw_point point = {{0}, {0}, iterations};
    double sum = 0, usual = FW_DEFAULT_TRIPS;
    uint32_t count = 0;
    for (uint32_t d = 0; d < 3; d++)
        point.block[d] = launch->grid[d] / 2;
    fw_bound_suppose(bound, suppose, &rows);
    uint32_t threads = rows.asks_thread ? THREADS : 1;
    uint32_t reached = rows.asks_thread ? reached_domain(kernel, is_loop, index) : FW_NONE;
    for (uint32_t n = 0; n < LENGTHS * threads; n++) {
        bool known = true;
        int64_t trips = 0;
        uint64_t iterations_left = bound->iterations;
        rows.length = (int64_t)(usual / 2) + (int64_t)(n / threads * usual / (double)(LENGTHS - 1));
        if (rows.asks_thread)
            choose_thread(bound, n, &point);
        trips_memo_forget(bound);
        if (bound->iterations > MOST_TRIPS) /* rows that do not enter the loop do not end it */
            bound->iterations = MOST_TRIPS;
        if (!comes_to(bound, reached, &point))
            known = false;
        else if (is_loop)
            known = bound_trips_at(bound, index, &point, &trips);
        else
            trips = bound_holds_at(bound, condition, &point, &known);
        bound->iterations = iterations_left;
        sum += known ? (double)trips : 0;
        count += known;
    }
    fw_bound_suppose(bound, NULL, NULL);
    trips_memo_forget(bound);
    fw_arena_release(bound->scratch, mark);
    if (!count)
        return (double)NAN;
    /* Of a share, the rule of succession: what no length showed may be nevertheless. */
    return is_loop ? sum / count : (sum + 0.5) / (count + 1);
}

/* Copies of one branch or loop, which have one name, have one value. */
double bound_usual_rows(struct fw_bound *bound, bool is_loop, uint32_t index)
{
    const struct fw_kernel *kernel = bound->kernel;
    uint32_t count = is_loop ? kernel->loop_count : kernel->branch_count;
    const char *name = is_loop ? kernel->loops[index].name : kernel->branches[index].name;
    double usual = usual_of(bound, is_loop, index);
    for (uint32_t i = 0; i < count && isnan(usual); i++)
        if (i != index && (is_loop ? kernel->loops[i].name : kernel->branches[i].name) == name)
            usual = usual_of(bound, is_loop, i);
    return usual;
}
