#include "tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct memory {
    struct fw_tally tally;
    struct fw_arena *arena;
};

/* A row whose terms are being added: few are looked through, many are found by name. */
enum { LOOKED_THROUGH = 16 };

struct term_names {
    struct fw_arena *arena;
    struct fw_map terms; /* row, domain and share: the index of the term */
};

/* The term of a row for a domain and a share of executions; its index is term_count: there is none
 * yet. */
static uint32_t find_term(struct term_names *names, const struct fw_tally_row *row, uint32_t domain,
                          uint8_t every)
{
    uint32_t t = 0, count = row->term_count;
    while (t < count && t < LOOKED_THROUGH &&
           !(row->domains[t] == domain && (row->every ? row->every[t] : 1) == every))
        t++;
    if (t < count && t < LOOKED_THROUGH)
        return t;
    if (count < LOOKED_THROUGH)
        return count;
    uint64_t key[3] = {(uint64_t)(uintptr_t)row, domain, every};
    bool added;
    struct fw_map_entry *entry = fw_map_add(&names->terms, (const char *)key, sizeof(key), &added);
    if (added)
        entry->value = count;
    return entry->value;
}

static void add_shared_term(struct term_names *names, struct fw_tally_row *row, uint32_t domain,
                            uint32_t times, uint8_t every)
{
    struct fw_arena *arena = names->arena;
    if (times == 0)
        return;
    uint32_t found = find_term(names, row, domain, every);
    if (found < row->term_count) {
        row->times[found] += times;
        return;
    }
    if ((row->term_count & (row->term_count - 1)) == 0) { /* full at 0 and at powers of two */
        uint32_t room = 2 * row->term_count + 1;
        uint32_t *domains = FW_ARRAY(arena, uint32_t, room), *all = FW_ARRAY(arena, uint32_t, room);
        uint8_t *shared = row->machine ? FW_ARRAY(arena, uint8_t, room) : NULL;
        if (row->term_count) {
            memcpy(domains, row->domains, row->term_count * sizeof(*domains));
            memcpy(all, row->times, row->term_count * sizeof(*all));
            if (shared)
                memcpy(shared, row->every, row->term_count * sizeof(*shared));
        }
        row->domains = domains;
        row->times = all;
        row->every = shared;
    }
    if (row->every)
        row->every[row->term_count] = every;
    row->domains[row->term_count] = domain;
    row->times[row->term_count++] = times;
}

static void add_term(struct term_names *names, struct fw_tally_row *row, uint32_t domain,
                     uint32_t times)
{
    add_shared_term(names, row, domain, times, 1);
}

/* Rows of which no term is shared by several executions have sums that are formulas. */
static void settle_shares(struct fw_tally_row *row)
{
    bool shared = false;
    for (uint32_t t = 0; row->every && t < row->term_count; t++)
        shared |= row->every[t] > 1;
    if (!shared)
        row->every = NULL;
}

static struct fw_tally_row *find_row(struct fw_tally_row *rows, uint32_t *count,
                                     const char *operation, enum fw_type type, bool collective)
{
    for (uint32_t r = 0; r < *count; r++)
        if (rows[r].type == type && rows[r].collective == collective &&
            strcmp(rows[r].operation, operation) == 0)
            return &rows[r];
    rows[*count].operation = operation;
    rows[*count].type = type;
    rows[*count].collective = collective;
    return &rows[(*count)++];
}

static struct fw_tally_row *find_machine(struct fw_tally_row *rows, uint32_t *count,
                                         const struct fw_machine_operation *op)
{
    for (uint32_t r = 0; r < *count; r++)
        if (rows[r].type == op->type && rows[r].guarded == op->guarded &&
            strcmp(rows[r].machine, op->name) == 0)
            return &rows[r];
    rows[*count].operation = op->operation;
    rows[*count].machine = op->name;
    rows[*count].pipe = op->pipe;
    rows[*count].guarded = op->guarded;
    rows[*count].type = op->type;
    return &rows[(*count)++];
}

static bool is_operation(const struct fw_scheduled *at)
{
    return at->group != FW_GROUP_MEMORY && at->group != FW_GROUP_CONTROL &&
           at->group != FW_GROUP_SYNC;
}

static void make_rows(struct fw_tally *tally, struct fw_arena *arena)
{
    const struct fw_kernel *kernel = tally->kernel;
    struct term_names names = {arena, fw_map_new(arena)};
    uint32_t machine = 0;
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        machine += kernel->schedule[i].machine_count;
    tally->operations = FW_ARRAY(arena, struct fw_tally_row, kernel->schedule_count);
    tally->machine = FW_ARRAY(arena, struct fw_tally_row, machine);
    tally->accesses = FW_ARRAY(arena, struct fw_tally_row, kernel->access_count);
    tally->access_count = kernel->access_count;
    for (uint32_t a = 0; a < kernel->access_count; a++)
        add_term(&names, &tally->accesses[a], kernel->accesses[a].domain, 1);
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *at = &kernel->schedule[i];
        if (at->unreachable)
            continue;
        add_term(&names, &tally->total, at->domain, 1);
        add_term(&names, &tally->groups[at->group], at->domain, 1);
        if (at->is_barrier)
            add_term(&names, &tally->barriers, at->domain, 1);
        for (uint32_t m = 0; m < at->machine_count; m++) {
            const struct fw_machine_operation *op = &at->machine[m];
            struct fw_tally_row *row = find_machine(tally->machine, &tally->machine_count, op);
            add_shared_term(&names, row, at->domain, op->times, op->every ? op->every : 1);
        }
        if (!is_operation(at))
            continue;
        struct fw_tally_row *row = find_row(tally->operations, &tally->operation_count,
                                            at->operation, at->type, at->collective);
        row->group = at->group;
        row->together = at->together;
        if (at->collective)
            row->flops = fw_type_class(at->type) == 'f';
        else
            row->flops = at->flops > row->flops ? at->flops : row->flops;
        add_term(&names, row, at->domain, at->collective ? at->flops : 1);
    }
    for (uint32_t r = 0; r < tally->machine_count; r++)
        settle_shares(&tally->machine[r]);
}

/* Calls `visit` for every row of the tally. */
static void each_row(struct fw_tally *tally, void (*visit)(struct fw_tally_row *row, void *user),
                     void *user)
{
    for (uint32_t r = 0; r < tally->operation_count; r++)
        visit(&tally->operations[r], user);
    for (uint32_t r = 0; r < tally->machine_count; r++)
        visit(&tally->machine[r], user);
    for (uint32_t r = 0; r < tally->access_count; r++)
        visit(&tally->accesses[r], user);
    for (uint32_t g = 0; g < FW_GROUP_COUNT; g++)
        visit(&tally->groups[g], user);
    visit(&tally->total, user);
    visit(&tally->barriers, user);
}

static void start_row(struct fw_tally_row *row, void *user)
{
    (void)user;
    mpz_init(row->threads.value);
    mpz_init(row->warps.value);
}

static void end_row(struct fw_tally_row *row, void *user)
{
    (void)user;
    mpz_clear(row->threads.value);
    mpz_clear(row->warps.value);
}

struct fw_tally *fw_tally_new(const struct fw_kernel *kernel)
{
    struct fw_arena *arena = fw_arena_new(0);
    if (!arena)
        return NULL;
    struct memory *memory = FW_NEW(arena, struct memory);
    memory->arena = arena;
    memory->tally.kernel = kernel;
    make_rows(&memory->tally, arena);
    each_row(&memory->tally, start_row, NULL);
    return &memory->tally;
}

void fw_tally_free(struct fw_tally *tally)
{
    if (!tally)
        return;
    struct memory *memory = (struct memory *)(void *)tally; /* the tally is its first member */
    each_row(tally, end_row, NULL);
    fw_arena_free(memory->arena);
}

/* Sums of rows with shared terms are kept in these parts of one: each `every` divides it. */
enum { SHARES = 4 };

struct filling {
    struct fw_bound *bound;
    bool warps;
};

static void sum(struct fw_total *into, const struct fw_tally_row *row, struct fw_bound *bound,
                const struct fw_total *(*count)(struct fw_bound *bound, uint32_t domain))
{
    mpz_set_ui(into->value, 0);
    into->estimate = 0;
    into->exact = true;
    for (uint32_t t = 0; t < row->term_count; t++) {
        const struct fw_total *part = count(bound, row->domains[t]);
        uint8_t every = row->every ? row->every[t] : 1;
        into->exact = into->exact && part->exact;
        into->estimate += part->estimate * row->times[t] / every;
        mpz_addmul_ui(into->value, part->value,
                      (unsigned long)row->times[t] *
                          (row->every ? (unsigned long)SHARES / every : 1UL));
    }
    if (row->every)
        mpz_fdiv_q_ui(into->value, into->value, SHARES);
}

static void fill_row(struct fw_tally_row *row, void *user)
{
    const struct filling *filling = user;
    sum(&row->threads, row, filling->bound, fw_bound_count);
    if (filling->warps)
        sum(&row->warps, row, filling->bound, fw_bound_count_warps);
}

/* A call of code that is not there: as many instructions as was said, else none. */
static void add_call(struct fw_tally *tally, struct fw_bound *bound, const struct fw_scheduled *at)
{
    const struct fw_total *count = fw_bound_count(bound, at->domain);
    if (!(count->estimate > 0))
        return;
    tally->calls = true;
    tally->total.threads.estimate += fw_bound_quantity(bound, at->quantity) * count->estimate;
    tally->total.threads.exact = false;
    mpz_set_d(tally->total.threads.value, tally->total.threads.estimate);
}

/* Matrix products whose shape no instruction states: as many operations as was said or is usual. */
static void add_quantities(struct fw_tally *tally, struct fw_bound *bound)
{
    for (uint32_t i = 0; i < tally->kernel->schedule_count; i++) {
        const struct fw_scheduled *at = &tally->kernel->schedule[i];
        if (at->quantity == FW_NONE || at->unreachable)
            continue;
        if (tally->kernel->quantities[at->quantity].called) {
            add_call(tally, bound, at);
            continue;
        }
        double times = fw_bound_quantity(bound, at->quantity);
        const struct fw_total *count = fw_bound_count(bound, at->domain);
        struct fw_tally_row *row =
            find_row(tally->operations, &tally->operation_count, at->operation, at->type, true);
        row->threads.estimate += times * count->estimate;
        row->threads.exact = false;
        mpz_set_d(row->threads.value, row->threads.estimate);
    }
}

void fw_tally_fill(struct fw_tally *tally, struct fw_bound *bound, bool warps)
{
    struct filling filling = {bound, warps};
    each_row(tally, fill_row, &filling);
    tally->calls = false;
    add_quantities(tally, bound);
    tally->flops = 0;
    for (uint32_t r = 0; r < tally->operation_count; r++) {
        const struct fw_tally_row *row = &tally->operations[r];
        tally->flops += row->flops * row->threads.estimate;
    }
}
