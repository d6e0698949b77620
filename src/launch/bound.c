/* Bound launches: binding, counting, and the list of what answers leaned on. */
#include "bound_internal.h"
#include "briefly.h"
#include "sampled_walk.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum {
    SCRATCH_BYTES = 120 << 20,
    MOST_STEPS = 12 * 1000 * 1000,
    ROW_STEPS = 48 * 1000,               /* for lengths of rows, at a brief launch */
    MOST_FOLD_STEPS = 500 * 1000,        /* of values that loops carry */
    MOST_GONE_THROUGH = 8 * 1000 * 1000, /* iterations of loops, at one point and another */
    MOST_HARD_COUNTS = 20000,
    MOST_COUNT_STEPS = 2 * 1000 * 1000, /* of the counter */
    MOST_APPLICATIONS = 400 * 1000,
    MOST_LINEAR_STEPS = 6000 * 1000,
    BRIEF_COUNT_STEPS = 8000, /* of the counter, of a brief launch */
    BRIEF = 1000,             /* the part of the others that it may take is one by so much, ... */
    FOR_RATIO = 32 /* ... and that of a launch of whose answer a factor is wanted alone */
};

void fw_launch_forget_branch(struct fw_launch *launch, uint32_t branch)
{
    launch->taken[branch] = launch->warps_taken[branch] = launch->warps_passed[branch] =
        launch->blocks_taken[branch] = launch->blocks_passed[branch] = (double)NAN;
}

struct fw_launch *fw_launch_new(struct fw_arena *arena, const struct fw_kernel *kernel)
{
    struct fw_launch *launch = FW_NEW(arena, struct fw_launch);
    for (int d = 0; d < 3; d++)
        launch->grid[d] = launch->block[d] = 1;
    launch->integers = FW_ARRAY(arena, int64_t, kernel->parameter_count);
    launch->floats = FW_ARRAY(arena, double, kernel->parameter_count);
    launch->is_bound = FW_ARRAY(arena, uint8_t, kernel->parameter_count);
    launch->taken = FW_ARRAY(arena, double, kernel->branch_count);
    launch->trips = FW_ARRAY(arena, double, kernel->loop_count);
    launch->warps_taken = FW_ARRAY(arena, double, kernel->branch_count);
    launch->warps_passed = FW_ARRAY(arena, double, kernel->branch_count);
    launch->blocks_taken = FW_ARRAY(arena, double, kernel->branch_count);
    launch->blocks_passed = FW_ARRAY(arena, double, kernel->branch_count);
    launch->warp_trips = FW_ARRAY(arena, double, kernel->loop_count);
    for (uint32_t b = 0; b < kernel->branch_count; b++)
        fw_launch_forget_branch(launch, b);
    for (uint32_t l = 0; l < kernel->loop_count; l++)
        launch->trips[l] = launch->warp_trips[l] = (double)NAN;
    launch->alignments = FW_ARRAY(arena, uint32_t, kernel->parameter_count + 1);
    launch->spreads = FW_ARRAY(arena, double, kernel->parameter_count + 1);
    launch->sizes = FW_ARRAY(arena, double, kernel->parameter_count + 1);
    launch->lengths = FW_ARRAY(arena, double, kernel->parameter_count + 1);
    launch->displacements = FW_ARRAY(arena, double, kernel->parameter_count + 1);
    for (uint32_t p = 0; p < kernel->parameter_count; p++)
        launch->displacements[p] = (double)NAN;
    launch->kinds = FW_ARRAY(arena, uint8_t, kernel->parameter_count + 1);
    launch->quantities = FW_ARRAY(arena, double, kernel->quantity_count + 1);
    for (uint32_t q = 0; q < kernel->quantity_count; q++)
        launch->quantities[q] = (double)NAN;
    return launch;
}

struct fw_bound *fw_bound_new(const struct fw_kernel *kernel)
{
    struct fw_bound *bound = calloc(1, sizeof(*bound));
    if (!bound)
        return NULL;
    bound->kernel = kernel;
    bound->scratch = fw_arena_new((size_t)SCRATCH_BYTES);
    bound->kept = fw_arena_new((size_t)SCRATCH_BYTES);
    bound->counter = fw_counter_new();
    bound->domains = calloc(kernel->domain_count + 1, sizeof(*bound->domains));
    bound->unknown_capacity = kernel->branch_count + kernel->loop_count + kernel->quantity_count +
                              2 * kernel->parameter_count;
    bound->pointer_tests = calloc(kernel->pool.conditions.count + 1, 1);
    bound->unknowns = calloc(bound->unknown_capacity + 1, sizeof(*bound->unknowns));
    bound->loop_variable = bound->lean_branch = FW_NONE;
    bound->role = ENDS_NOTHING;
    bound->leaned_trips = calloc(kernel->loop_count + 1, sizeof(*bound->leaned_trips));
    bound->row_lengths = calloc(kernel->array_count + 1, sizeof(*bound->row_lengths));
    bound->part_branch = FW_NONE;
    if (!bound->scratch || !bound->kept || !bound->counter || !bound->domains || !bound->unknowns ||
        !bound->pointer_tests || !bound->leaned_trips || !bound->row_lengths) {
        fw_bound_free(bound);
        return NULL;
    }
    for (uint32_t d = 0; d < kernel->domain_count; d++) {
        mpz_init(bound->domains[d].count.value);
        mpz_init(bound->domains[d].warps.value);
    }
    mpz_init(bound->part);
    for (int p = 0; p < PART_DEPTH; p++)
        mpz_init(bound->parts[p]);
    return bound;
}

struct fw_bound *fw_bound_new_symbolic(const struct fw_kernel *kernel)
{
    struct fw_bound *bound = fw_bound_new(kernel);
    if (bound)
        bound->symbolic = true;
    return bound;
}

const struct fw_symbol_product *fw_bound_products(const struct fw_bound *bound, uint32_t *count)
{
    *count = bound->product_count;
    return bound->products;
}

void fw_bound_free(struct fw_bound *bound)
{
    if (!bound)
        return;
    fw_bound_free(bound->beside);
    if (bound->domains && bound->unknowns) {
        for (uint32_t d = 0; d < bound->kernel->domain_count; d++) {
            mpz_clear(bound->domains[d].count.value);
            mpz_clear(bound->domains[d].warps.value);
        }
        mpz_clear(bound->part);
        for (int p = 0; p < PART_DEPTH; p++)
            mpz_clear(bound->parts[p]);
    }
    free(bound->trips);
    free(bound->sampled_memo);
    free(bound->atoms);
    free(bound->numbered_atoms);
    free(bound->folds);
    fold_courses_free(bound->courses);
    free(bound->affine_values);
    fixed_values_free(bound->fixed);
    free(bound->never_known);
    fw_arena_free(bound->scratch);
    fw_arena_free(bound->kept);
    fw_counter_free(bound->counter);
    free(bound->domains);
    free(bound->unknowns);
    free(bound->pointer_tests);
    free(bound->asks_data);
    free(bound->leaned_trips);
    free(bound->row_lengths);
    free(bound);
}

/* What may be spent of work that a launch may take so much of. */
static uint64_t allowed(const struct fw_launch *launch, uint64_t most)
{
    return launch->brief ? most / BRIEF : launch->few_samples ? most / FOR_RATIO : most;
}

/* What the binding may spend. */
static void allow(struct fw_bound *bound)
{
    const struct fw_launch *launch = bound->launch;
    bound->steps = allowed(launch, MOST_STEPS);
    bound->row_steps = ROW_STEPS;
    bound->iterations = allowed(launch, MOST_GONE_THROUGH);
    bound->fold_steps = allowed(launch, MOST_FOLD_STEPS);
    bound->hard_counts = allowed(launch, MOST_HARD_COUNTS);
    bound->applications = allowed(launch, MOST_APPLICATIONS);
    bound->linear_steps = allowed(launch, MOST_LINEAR_STEPS);
    bound->memory = SIZE_MAX;
    fw_counter_allow(bound->counter,
                     launch->brief ? BRIEF_COUNT_STEPS : allowed(launch, MOST_COUNT_STEPS));
    fw_counter_hurry(bound->counter, launch->brief);
}

enum fw_status fw_bound_set(struct fw_bound *bound, const struct fw_launch *launch)
{
    uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    for (int d = 0; d < 3; d++)
        if ((launch->grid[d] == 0 && !bound->symbolic) || launch->block[d] == 0 ||
            launch->block[d] > 1024 || launch->grid[d] > (d == 0 ? (uint32_t)INT32_MAX : 65535u))
            return FW_ERROR_USAGE;
    if (threads > 1024)
        return FW_ERROR_USAGE;
    bound->launch = launch;
    bound->cut = common_warps_cut(launch->block);
    bound->binding++;
    fw_arena_reset(bound->scratch);
    fw_arena_reset(bound->kept);
    bound->unknown_count = 0;
    memset(bound->leaned_trips, 0, bound->kernel->loop_count * sizeof(*bound->leaned_trips));
    fw_bound_suppose(bound, NULL, NULL);
    row_lengths_forget(bound);
    trips_memo_forget(bound);
    sampled_memo_forget(bound->sampled_memo);
    bound->folding = NULL;
    allow(bound);
    for (uint32_t d = 0; d < bound->kernel->domain_count; d++) {
        struct domain_memo *memo = &bound->domains[d];
        memo->built = memo->counted = memo->warps_counted = memo->failed = memo->splits = false;
        memo->pieces = (struct fw_piece_list){0};
    }
    return FW_OK;
}

bool bound_add_to_system(struct fw_bound *bound, const struct fw_piece *piece,
                         const uint32_t *place, uint32_t unbounded)
{
    struct fw_system *system = &bound->system;
    for (uint32_t v = 0; v < piece->variables; v++) {
        if (piece->fixed[v] || piece->quotient[v] || v == unbounded)
            continue;
        /* Rows end iterations; ranges alone tell a brief launch what holds little. */
        bool both = piece->loop_of[v] == FW_NONE || piece->closed[v] || bound->launch->brief;
        for (int upper = 0; upper < (both && piece->high[v] < FAR ? 2 : 1); upper++) {
            struct fw_row *row = &system->rows[system->row_count++];
            memset(row, 0, sizeof(*row));
            row->constant = upper ? piece->high[v] : -piece->low[v];
            row->coefficient[place[v]] = upper ? -1 : 1;
        }
    }
    for (uint32_t r = 0; r < piece->row_count; r++) {
        const struct fw_piece_row *from = &piece->rows[r];
        struct fw_row *row = &system->rows[system->row_count];
        bool constant = true;
        if (system->row_count == FW_SYSTEM_ROWS)
            return true;
        memset(row, 0, sizeof(*row));
        row->constant = from->form.constant;
        row->equality = from->equality;
        for (uint32_t v = 0; v < piece->variables; v++)
            if (from->form.coefficient[v]) {
                row->coefficient[place[v]] = from->form.coefficient[v];
                constant = false;
            }
        if (!constant)
            system->row_count++;
        else if (row->constant < 0 || (row->equality && row->constant != 0))
            return false;
    }
    return true;
}

static uint32_t place_all(const struct fw_piece *piece, uint32_t *place)
{
    uint32_t columns = 0;
    for (uint32_t v = 0; v < piece->variables; v++)
        place[v] = piece->fixed[v] ? FW_NONE : columns++;
    return columns;
}

enum fw_status bound_count_piece(struct fw_bound *bound, const struct fw_piece *piece,
                                 mpz_ptr result)
{
    uint32_t place[FW_PIECE_VARIABLES] = {0}, columns = place_all(piece, place);
    mpz_set_ui(result, 0);
    if (columns > FW_SYSTEM_VARIABLES || piece->row_count + 2 * columns > FW_SYSTEM_ROWS)
        return FW_ERROR_BUDGET;
    bound->system.variables = columns;
    bound->system.row_count = 0;
    if (!bound_add_to_system(bound, piece, place, FW_NONE))
        return FW_OK;
    if (columns == 0) {
        mpz_set_ui(result, 1);
        return FW_OK;
    }
    return fw_system_count(result, bound->counter, &bound->system);
}

/* The variable with the fewest values, but more than one; FW_NONE: all have too many. */
static uint32_t fewest_values(const struct fw_piece *piece)
{
    enum { MOST_VALUES = 1024 };
    uint32_t best = FW_NONE;
    for (uint32_t v = 0; v < piece->variables; v++)
        if (!piece->fixed[v] && !piece->quotient[v] && piece->low[v] > -FAR &&
            piece->high[v] < FAR && piece->high[v] - piece->low[v] < MOST_VALUES &&
            (best == FW_NONE ||
             piece->high[v] - piece->low[v] < piece->high[best] - piece->low[best]))
            best = v;
    return best;
}

/* A piece that takes too much work as a whole is counted value by value of its smallest index. */
static enum fw_status count_in_parts(struct fw_bound *bound, const struct fw_piece *piece,
                                     mpz_ptr result, unsigned depth)
{
    enum { FAILURE = 400 }; /* counts that one that fails is worth */
    enum fw_status status = bound_count_piece(bound, piece, result);
    if (status == FW_ERROR_BUDGET)
        bound->hard_counts -= bound->hard_counts < FAILURE ? bound->hard_counts : FAILURE;
    uint32_t v = status == FW_ERROR_BUDGET && depth < PART_DEPTH ? fewest_values(piece) : FW_NONE;
    if (v == FW_NONE || bound->hard_counts == 0)
        return status;
    mpz_set_ui(result, 0);
    status = FW_OK;
    for (int64_t value = piece->low[v]; value <= piece->high[v] && status == FW_OK; value++) {
        struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
        struct fw_piece *fixed;
        if (bound->hard_counts == 0 || !bound_fix(bound, piece, v, value, &fixed)) {
            status = FW_ERROR_BUDGET;
        } else if (fixed) {
            bound->hard_counts--;
            status = count_in_parts(bound, fixed, bound->parts[depth], depth + 1);
            mpz_add(result, result, bound->parts[depth]);
        }
        fw_arena_release(bound->scratch, mark);
    }
    return status;
}

enum fw_status bound_count_guarded(struct fw_bound *bound, const struct fw_piece *piece,
                                   mpz_ptr result)
{
    struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
    jmp_buf exhausted, *before = fw_arena_on_exhausted(bound->scratch, &exhausted);
    volatile enum fw_status status = FW_ERROR_BUDGET;
    if (setjmp(exhausted) == 0)
        status = count_in_parts(bound, piece, result, 0);
    else
        fw_arena_release(bound->scratch, mark);
    fw_arena_on_exhausted(bound->scratch, before);
    return status;
}

bool bound_piece_empty(struct fw_bound *bound, const struct fw_piece *piece)
{
    /* Unbounded pieces are not empty. */
    return bound_count_piece(bound, piece, bound->part) == FW_OK && mpz_sgn(bound->part) == 0;
}

void bound_add_part(struct fw_total *count, double weight, mpz_srcptr part)
{
    if (weight == 1) {
        mpz_add(count->value, count->value, part);
        return;
    }
    count->exact = false;
    count->estimate += weight * mpz_get_d(part);
}

void bound_add_estimate(struct fw_total *count, const struct fw_piece *piece, double points,
                        bool exact)
{
    if (exact && piece->weight == 1 && !piece->estimate) {
        mpz_t whole;
        mpz_init_set_d(whole, points);
        mpz_add(count->value, count->value, whole);
        mpz_clear(whole);
        return;
    }
    count->exact = false;
    count->estimate += piece->weight * points;
}

void bound_finish(struct fw_total *count)
{
    count->estimate += mpz_get_d(count->value);
    if (!count->exact)
        mpz_set_d(count->value, isfinite(count->estimate) ? nearbyint(count->estimate) : 0);
}

/* The branch or loop that a domain comes from; NULL: there is none. */
static const struct fw_domain *decided_by(const struct fw_bound *bound, uint32_t domain)
{
    const struct fw_domain *at = &bound->kernel->domains[domain];
    while (at->kind != FW_DOMAIN_RESTRICT && at->kind != FW_DOMAIN_LOOP &&
           at->kind != FW_DOMAIN_ALL && at->kind != FW_DOMAIN_EMPTY)
        at = &bound->kernel->domains[at->parent];
    return at->kind == FW_DOMAIN_RESTRICT || at->kind == FW_DOMAIN_LOOP ? at : NULL;
}

/* Names the branch or loop that a domain which is too much work comes from. */
static void passed_budget(struct fw_bound *bound, uint32_t domain)
{
    const struct fw_domain *at = decided_by(bound, domain);
    bool is_loop = at && at->kind == FW_DOMAIN_LOOP;
    if (at)
        bound_note_budget(bound, is_loop, is_loop ? at->loop : at->branch);
}

/* Names the branch or loop that a domain comes from whose points were sampled, of its pieces. */
static void note_rows_sampled(struct fw_bound *bound, uint32_t domain, double error, double points)
{
    const struct fw_domain *at = decided_by(bound, domain);
    if (!at || !(points > 0))
        return;
    bool is_loop = at->kind == FW_DOMAIN_LOOP;
    double part = fw_bound_count(bound, (uint32_t)(at - bound->kernel->domains))->estimate;
    double whole = fw_bound_count(bound, at->parent)->estimate;
    if (!is_loop && !at->truth)
        part = whole - part;
    bound_note_sampled(bound, is_loop, is_loop ? at->loop : at->branch, part, whole, error, points);
}

const struct fw_total *fw_bound_count(struct fw_bound *bound, uint32_t domain)
{
    struct domain_memo *memo = &bound->domains[domain];
    struct fw_total *count = &memo->count;
    if (memo->counted)
        return count;
    const struct fw_piece_list *pieces = bound_pieces(bound, domain);
    memo->counted = true;
    mpz_set_ui(count->value, 0);
    count->estimate = 0;
    count->exact = !memo->failed;
    double error = 0, points = 0, evaluated;
    if (memo->failed)
        passed_budget(bound, domain);
    struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
    const struct brief_count *briefly = bound_count_briefly(bound, pieces, bound_count_piece);
    for (uint32_t p = 0; p < pieces->count; p++) {
        if (briefly && briefly[p].known) {
            bound_add_estimate(count, pieces->at[p], briefly[p].points, !(briefly[p].most > 0));
            continue;
        }
        if (pieces->at[p]->sampled_count) {
            const struct fw_estimate *estimate = sampled_estimate(bound, pieces->at[p]);
            bound_add_estimate(count, pieces->at[p], estimate->threads, estimate->every);
            continue;
        }
        if (bound_count_guarded(bound, pieces->at[p], bound->part) != FW_OK) {
            double more;
            const struct fw_estimate *rows = sampled_rows(bound, pieces->at[p], &more, &evaluated);
            if (!rows) {
                count->exact = false;
                passed_budget(bound, domain);
                continue;
            }
            bound_add_estimate(count, pieces->at[p], rows->threads, rows->every);
            error = sqrt(error * error + more * more);
            points += rows->every ? 0 : evaluated;
            continue;
        }
        bound_add_part(count, pieces->at[p]->weight, bound->part);
        count->exact = count->exact && !pieces->at[p]->estimate;
    }
    if (briefly)
        fw_arena_release(bound->scratch, mark);
    bound_finish(count);
    note_rows_sampled(bound, domain, error, points);
    return count;
}

struct fw_arena *fw_bound_arena(struct fw_bound *bound)
{
    return bound->scratch;
}
