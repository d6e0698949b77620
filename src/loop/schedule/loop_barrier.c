/* Barriers: where threads of a block wait for each other; and what no barrier can order. */
#include "loop_schedule_internal.h"
#include "set_text.h"

#include <inttypes.h>
#include <string.h>

/* Statements of a subtree that can be reached from its start, or reach its end, without waiting. */
struct reach {
    bool *head, *tail;
    bool waits; /* nobody gets through without waiting */
};

struct placing {
    struct fw_loop_schedule *schedule;
    struct fw_loop_program *program;
    fw_loop_sites sites;
    struct fw_loop_node **places; /* of statements */
    char *elsewhere;              /* another thread of the same block; NULL: there is one thread */
    enum fw_status status;
};

/* ---- places in the tree ---- */

static struct fw_loop_node *find_place(struct fw_loop_node *node, uint32_t statement)
{
    if (node->kind == FW_LOOP_NODE_STATEMENT && node->index == statement)
        return node;
    for (size_t i = 0; i < node->children.count; i++) {
        struct fw_loop_node *found = find_place(node->children.at[i], statement);
        if (found)
            return found;
    }
    return NULL;
}

/* The loops around a node, outermost first. */
static fw_loop_names loops_around(struct fw_arena *arena, const struct fw_loop_node *node)
{
    fw_loop_names inward = {0}, outward = {0};
    for (; node; node = node->parent)
        if (node->kind == FW_LOOP_NODE_LOOP)
            *FW_APPEND(arena, &inward) = node->loop;
    for (size_t i = inward.count; i-- > 0;)
        *FW_APPEND(arena, &outward) = inward.at[i];
    return outward;
}

/* 1: x comes first when all common loops are equal; 0: the same; -1: y does. */
static int walk_order(const struct fw_loop_node *node, uint32_t x, uint32_t y)
{
    if (x == y)
        return 0;
    if (node->kind == FW_LOOP_NODE_STATEMENT)
        return node->index == x ? 1 : node->index == y ? -1 : 0;
    int found = 0;
    for (size_t i = 0; i < node->children.count && !found; i++)
        found = walk_order(node->children.at[i], x, y);
    return found;
}

static size_t common_loops(const fw_loop_names *a, const fw_loop_names *b)
{
    size_t common = 0;
    while (common < a->count && common < b->count && a->at[common] == b->at[common])
        common++;
    return common;
}

/* "c1 = c1 and ... c_level < c_level": the loop at `level` carries it. */
static void add_carried(struct fw_buffer *buffer, const fw_loop_names *loops, size_t level)
{
    for (size_t i = 0; i < level; i++)
        fw_buffer_printf(buffer, "%s%s__x = %s__y", i ? " and " : "", loops->at[i], loops->at[i]);
    if (level < loops->count)
        fw_buffer_printf(buffer, "%s%s__x < %s__y", level ? " and " : "", loops->at[level],
                         loops->at[level]);
    else if (level == 0)
        fw_buffer_printf(buffer, "0 = 0");
}

char *fw_loop_done_before(const struct fw_loop_schedule *schedule, uint32_t x, uint32_t y)
{
    struct fw_arena *arena = schedule->program->arena;
    struct fw_buffer buffer = fw_buffer_new(arena);
    fw_loop_names one = loops_around(arena, find_place(schedule->root, x));
    fw_loop_names two = loops_around(arena, find_place(schedule->root, y));
    one.count = common_loops(&one, &two);
    fw_buffer_printf(&buffer, "(1 = 0");
    for (size_t level = 0; level < one.count; level++) {
        fw_buffer_printf(&buffer, " or (");
        add_carried(&buffer, &one, level);
        fw_buffer_printf(&buffer, ")");
    }
    if (walk_order(schedule->root, x, y) > 0) {
        fw_buffer_printf(&buffer, " or (");
        add_carried(&buffer, &one, one.count);
        fw_buffer_printf(&buffer, ")");
    }
    fw_buffer_printf(&buffer, ")");
    return buffer.text;
}

char *fw_loop_done_after(const struct fw_loop_schedule *schedule, uint32_t x, uint32_t y)
{
    struct fw_loop_program *program = schedule->program;
    char *text = fw_loop_done_before(schedule, y, x);
    /* There y has the suffix __x. */
    for (size_t i = 0; i < program->variables.count; i++) {
        const char *name = program->variables.at[i].name;
        char *one = fw_arena_printf(program->arena, "%s__x", name);
        char *two = fw_arena_printf(program->arena, "%s__y", name);
        char *swap = fw_arena_printf(program->arena, "%s__z", name);
        if (!strstr(text, one))
            continue;
        text = fw_loop_replace(program, text, one, swap);
        text = fw_loop_replace(program, text, two, one);
        text = fw_loop_replace(program, text, swap, two);
    }
    return text;
}

/* ---- conflicts between threads ---- */

static bool in_memory(const struct fw_loop_site *site)
{
    return site->space == FW_SPACE_SHARED || site->space == FW_SPACE_GLOBAL;
}

/* Whether a thread in statement a and another in b may touch one element, one of them storing,
 * `relation` holding. */
static bool conflict(struct placing *placing, uint32_t a, uint32_t b, const char *relation,
                     bool *global)
{
    bool found = false;
    for (size_t i = 0; i < placing->sites.count && placing->elsewhere; i++) {
        const struct fw_loop_site *x = &placing->sites.at[i];
        if (x->statement != a || !in_memory(x))
            continue;
        for (size_t j = 0; j < placing->sites.count; j++) {
            const struct fw_loop_site *y = &placing->sites.at[j];
            if (y->statement != b || y->array != x->array || (!x->store && !y->store) ||
                (found && (*global || x->space != FW_SPACE_GLOBAL)))
                continue;
            char *both =
                fw_arena_printf(placing->program->arena, "%s and %s", relation, placing->elsewhere);
            if (fw_loop_may_meet(placing->program, placing->schedule->launch, x, y, both)) {
                found = true;
                *global |= x->space == FW_SPACE_GLOBAL;
            }
        }
    }
    return found;
}

/* Whether some statement of `tail` and one of `head` conflict; the loops around `node` are equal,
 * or (`carried`) the innermost of them is later for the second. */
static bool any_conflict(struct placing *placing, const struct fw_loop_node *node, const bool *tail,
                         const bool *head, bool carried, bool *global)
{
    struct fw_arena *arena = placing->program->arena;
    fw_loop_names loops = loops_around(arena, node);
    struct fw_buffer relation = fw_buffer_new(arena);
    bool found = false;
    add_carried(&relation, &loops, carried ? loops.count - 1 : loops.count);
    for (uint32_t a = 0; a < placing->program->statements.count; a++)
        for (uint32_t b = 0; tail[a] && b < placing->program->statements.count; b++)
            if (head[b] && (!found || !*global))
                found |= conflict(placing, a, b, relation.text, global);
    return found;
}

/* ---- when a loop's body is reached ---- */

static void collect(const struct fw_loop_node *node, bool *statements)
{
    if (node->kind == FW_LOOP_NODE_STATEMENT)
        statements[node->index] = true;
    for (size_t i = 0; i < node->children.count; i++)
        collect(node->children.at[i], statements);
}

/* "(exists (...))" for the points of `loops` at which the statement happens, by any thread. */
static char *points_of(struct placing *placing, uint32_t index, const fw_loop_names *loops)
{
    struct fw_loop_program *program = placing->program;
    const struct fw_loop_statement *statement = &program->statements.at[index];
    const struct fw_loop_launch *launch = placing->schedule->launch;
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    fw_loop_names names = {0};
    for (uint32_t i = 0; i < statement->loop_count; i++)
        fw_loop_names_add(program->arena, &names, statement->loops[i]);
    char *conditions = fw_loop_statement_conditions(program, statement, &names);
    char *axes =
        fw_loop_axis_conditions(launch, program, statement->loops, statement->loop_count, "");
    for (unsigned a = 0; a < FW_LOOP_AXES; a++)
        if (launch->axes[FW_LOOP_OF_THREADS][a].used)
            fw_loop_names_add(program->arena, &names, launch->axes[FW_LOOP_OF_THREADS][a].name);
    for (size_t i = 0; i < names.count; i++)
        if (!fw_loop_has(loops->at, (uint32_t)loops->count, names.at[i]))
            fw_buffer_printf(&buffer, "%s%s", buffer.length ? ", " : "(exists (", names.at[i]);
    bool hidden = buffer.length > 0;
    fw_buffer_printf(&buffer, hidden ? " : %s and %s))" : "(%s and %s)", conditions, axes);
    return buffer.text;
}

static char *points_below(struct placing *placing, const struct fw_loop_node *node)
{
    struct fw_arena *arena = placing->program->arena;
    fw_loop_names loops = loops_around(arena, node), seen = {0};
    bool *statements = FW_ARRAY(arena, bool, placing->program->statements.count + 1);
    struct fw_buffer buffer = fw_buffer_new(arena);
    if (!loops.count)
        return fw_arena_printf(arena, "0 = 0");
    collect(node, statements);
    for (uint32_t i = 0; i < placing->program->statements.count; i++) {
        if (!statements[i])
            continue;
        const char *points = points_of(placing, i, &loops);
        bool known = false;
        for (size_t j = 0; j < seen.count; j++)
            known |= strcmp(seen.at[j], points) == 0;
        if (known)
            continue;
        *FW_APPEND(arena, &seen) = points;
        fw_buffer_printf(&buffer, "%s%s", buffer.length ? " or " : "(", points);
    }
    fw_buffer_printf(&buffer, ")");
    /* The blocks' indices stay, too. */
    for (unsigned a = 0; a < FW_LOOP_AXES; a++)
        if (placing->schedule->launch->axes[FW_LOOP_OF_BLOCKS][a].used)
            *FW_APPEND(arena, &loops) = placing->schedule->launch->axes[FW_LOOP_OF_BLOCKS][a].name;
    fw_loop_names none = {0};
    return fw_loop_simplified(placing->program, loops.at, (uint32_t)loops.count, &none, buffer.text,
                              NULL);
}

/* "[n] -> { [loops] : exists (blocks : points) and assumptions }", the last `hidden` loops
 * existential, too. */
static char *reached_set(struct placing *placing, const fw_loop_names *loops, size_t hidden,
                         const char *points)
{
    struct fw_loop_program *program = placing->program;
    const struct fw_loop_launch *launch = placing->schedule->launch;
    struct fw_buffer buffer = fw_buffer_new(program->arena), ranges = fw_buffer_new(program->arena);
    bool first = true;
    fw_buffer_printf(&buffer, "%s{ [", fw_loop_prefix(program));
    for (size_t i = 0; i + hidden < loops->count; i++)
        fw_buffer_printf(&buffer, "%s%s", i ? ", " : "", loops->at[i]);
    fw_buffer_printf(&buffer, "] : ");
    for (size_t i = loops->count - hidden; i < loops->count; i++) {
        fw_buffer_printf(&buffer, "%s%s", first ? "exists (" : ", ", loops->at[i]);
        first = false;
    }
    for (unsigned a = 0; a < FW_LOOP_AXES; a++) {
        const struct fw_loop_axis *axis = &launch->axes[FW_LOOP_OF_BLOCKS][a];
        if (!axis->used)
            continue;
        fw_buffer_printf(&buffer, "%s%s", first ? "exists (" : ", ", axis->name);
        fw_buffer_printf(&ranges, " and (%s)", axis->points);
        first = false;
    }
    fw_buffer_printf(&buffer, "%s%s%s", first ? "" : " : ", points,
                     ranges.length ? ranges.text : "");
    if (program->assumptions)
        fw_buffer_printf(&buffer, " and %s", program->assumptions);
    fw_buffer_printf(&buffer, first ? " }" : ") }");
    return buffer.text;
}

/* Whether the loop has an iteration wherever its outer loops have one. */
static bool surely_runs(struct placing *placing, const struct fw_loop_node *loop)
{
    struct fw_arena *arena = placing->program->arena;
    const struct fw_loop_node *outer = loop->parent;
    while (outer->parent && outer->kind != FW_LOOP_NODE_LOOP)
        outer = outer->parent;
    fw_loop_names loops = loops_around(arena, loop), around = loops_around(arena, outer);
    char *reached = reached_set(placing, &around, 0, points_below(placing, outer));
    char *inside = reached_set(placing, &loops, 1, points_below(placing, loop));
    bool subset = false;
    return fw_loop_subset(&subset, placing->program, reached, inside) == FW_OK && subset;
}

/* ---- placing ---- */

static void insert_barrier(struct placing *placing, struct fw_loop_node *sequence, size_t at,
                           bool global)
{
    struct fw_arena *arena = placing->program->arena;
    struct fw_loop_node *node = FW_NEW(arena, struct fw_loop_node);
    fw_loop_names loops = loops_around(arena, sequence);
    const struct fw_loop_node *outer = sequence;
    while (outer->parent && outer->kind != FW_LOOP_NODE_LOOP)
        outer = outer->parent;
    node->kind = FW_LOOP_NODE_BARRIER;
    node->parent = sequence;
    node->index = (uint32_t)placing->schedule->barriers.count;
    struct fw_loop_barrier *barrier = FW_APPEND(arena, &placing->schedule->barriers);
    barrier->loops = loops.at;
    barrier->loop_count = (uint32_t)loops.count;
    barrier->global = global;
    barrier->points = points_below(placing, outer);
    barrier->set = reached_set(placing, &loops, 0, barrier->points);
    (void)FW_APPEND(arena, &sequence->children);
    struct fw_loop_node **place = &sequence->children.at[at];
    memmove(place + 1, place, (sequence->children.count - 1 - at) * sizeof(struct fw_loop_node *));
    *place = node;
}

static struct reach place_in(struct placing *placing, struct fw_loop_node *node);

static struct reach reach_new(struct placing *placing)
{
    size_t count = placing->program->statements.count + 1;
    return (struct reach){FW_ARRAY(placing->program->arena, bool, count),
                          FW_ARRAY(placing->program->arena, bool, count), false};
}

static void add_all(const struct placing *placing, bool *to, const bool *from)
{
    for (size_t i = 0; i < placing->program->statements.count; i++)
        to[i] |= from[i];
}

static struct reach place_in_sequence(struct placing *placing, struct fw_loop_node *sequence)
{
    struct reach whole = reach_new(placing);
    size_t size = placing->program->statements.count * sizeof(bool);
    for (size_t i = 0; i < sequence->children.count; i++) {
        struct reach one = place_in(placing, sequence->children.at[i]);
        bool global = false;
        if (any_conflict(placing, sequence, whole.tail, one.head, false, &global)) {
            insert_barrier(placing, sequence, i++, global);
            whole.waits = true;
            memset(whole.tail, 0, size);
        }
        if (!whole.waits)
            add_all(placing, whole.head, one.head);
        if (one.waits) {
            whole.waits = true;
            memset(whole.tail, 0, size);
        }
        add_all(placing, whole.tail, one.tail);
    }
    return whole;
}

static struct reach place_in(struct placing *placing, struct fw_loop_node *node)
{
    if (node->kind == FW_LOOP_NODE_SEQUENCE)
        return place_in_sequence(placing, node);
    struct reach reach = reach_new(placing);
    if (node->kind == FW_LOOP_NODE_STATEMENT) {
        reach.head[node->index] = reach.tail[node->index] = true;
        return reach;
    }
    bool global = false;
    reach = place_in_sequence(placing, node->children.at[0]);
    if (any_conflict(placing, node, reach.tail, reach.head, true, &global)) {
        insert_barrier(placing, node->children.at[0], 0, global);
        memset(reach.head, 0, placing->program->statements.count * sizeof(bool));
        reach.waits = true;
    }
    reach.waits = reach.waits && surely_runs(placing, node);
    return reach;
}

static struct placing placing_of(struct fw_loop_schedule *schedule)
{
    struct fw_loop_program *program = schedule->program;
    struct placing placing = {.schedule = schedule, .program = program};
    placing.sites = fw_loop_find_sites(program);
    char *differ = fw_loop_axes_differ(program, schedule->launch, FW_LOOP_OF_THREADS);
    if (differ && schedule->launch->threads > 1)
        placing.elsewhere =
            fw_arena_printf(program->arena, "%s and %s", differ,
                            fw_loop_axes_equal(program, schedule->launch, FW_LOOP_OF_BLOCKS));
    return placing;
}

enum fw_status fw_loop_place_barriers(struct fw_loop_schedule *schedule)
{
    struct placing placing = placing_of(schedule);
    if (placing.elsewhere)
        place_in(&placing, schedule->root);
    return FW_OK;
}

enum fw_status fw_loop_schedule_barriers(struct fw_count **count,
                                         const struct fw_loop_schedule *schedule)
{
    struct fw_loop_program *program = schedule->program;
    size_t barriers = schedule->barriers.count;
    struct fw_count **counts = FW_ARRAY(program->arena, struct fw_count *, barriers + 1);
    int64_t *factors = FW_ARRAY(program->arena, int64_t, barriers + 1);
    enum fw_status status = FW_OK;
    *count = NULL;
    for (size_t i = 0; status == FW_OK && i < barriers; i++) {
        struct fw_set *set = NULL, *known = NULL;
        struct fw_count_options options = {0};
        factors[i] = 1;
        status = fw_loop_set(&set, program, schedule->barriers.at[i].set, (struct fw_span){0});
        if (status == FW_OK && program->assumptions) {
            char *text = fw_arena_printf(program->arena, "%s{ : %s }", fw_loop_prefix(program),
                                         program->assumptions);
            status = fw_loop_set(&known, program, text, (struct fw_span){0});
            options.assumptions = known;
        }
        if (status == FW_OK)
            status = fw_set_count(&counts[i], set, &options, program->sink);
        fw_set_free(set);
        fw_set_free(known);
    }
    if (status == FW_OK && barriers)
        status = fw_count_add(count, (const struct fw_count *const *)counts, factors, barriers);
    for (size_t i = 0; i < barriers; i++)
        fw_count_free(counts[i]);
    return status;
}
