/* The orders of statements and of loops that a schedule keeps to. */
#include "loop_edit.h"
#include "loop_schedule_internal.h"

#include <stdio.h>
#include <string.h>

static struct fw_loop_relation relation_new(struct fw_arena *arena, size_t size)
{
    return (struct fw_loop_relation){size, FW_ARRAY(arena, bool, size *size)};
}

bool *fw_loop_related(const struct fw_loop_relation *relation, size_t a, size_t b)
{
    return &relation->at[a * relation->size + b];
}

static void relation_close(struct fw_loop_relation *relation)
{
    size_t size = relation->size;
    for (size_t k = 0; k < size; k++)
        for (size_t i = 0; i < size; i++)
            for (size_t j = 0; relation->at[i * size + k] && j < size; j++)
                relation->at[i * size + j] |= relation->at[k * size + j];
}

/* For a closure of a relation, n^3 of the simplest steps at worst. */
static void spend_closing(struct fw_loop_program *program, const struct fw_loop_relation *relation)
{
    uint64_t size = relation->size;
    fw_loop_spend(program, 1 + size * size / 1000 * size / 4);
}

bool fw_loop_is_sequential(const struct fw_loop_program *program, const char *name)
{
    enum fw_loop_tag_kind kind = fw_loop_variable(program, name)->tag.kind;
    return kind != FW_LOOP_BLOCK && kind != FW_LOOP_THREAD;
}

/* ---- statements ---- */

static const char *name_of(const struct fw_loop_statement *statement)
{
    return statement->id ? statement->id : statement->target->name;
}

/* The array is a temporary with one writer. */
static bool has_one_writer(const struct fw_loop_program *program, const char *name)
{
    unsigned writers = 0;
    for (size_t i = 0; i < program->statements.count; i++)
        writers += program->statements.at[i].target->name == name;
    return writers == 1 && fw_loop_find_array(program, name)->temporary;
}

/* 1: s comes before t, which stands below it; -1: after it; 0: nothing is shared. */
static int compare(const struct fw_loop_program *program, const struct fw_loop_statement *s,
                   const struct fw_loop_statement *t)
{
    const char *stored_above = s->target->name, *stored_below = t->target->name;
    if (stored_above == stored_below || fw_loop_statement_reads(t, stored_above))
        return 1;
    if (!fw_loop_statement_reads(s, stored_below))
        return 0;
    return has_one_writer(program, stored_below) ? -1 : 1;
}

static enum fw_status check_circle(const struct fw_loop_program *program,
                                   const struct fw_loop_relation *before)
{
    for (size_t i = 0; i < before->size; i++)
        for (size_t j = 0; j < before->size && *fw_loop_related(before, i, i); j++)
            if (j != i && *fw_loop_related(before, i, j) && *fw_loop_related(before, j, i))
                return fw_loop_refuse(program, "LOOP052", program->statements.at[i].span,
                                      "'%s' and '%s' depend on each other in a circle",
                                      name_of(&program->statements.at[i]),
                                      name_of(&program->statements.at[j]));
    return FW_OK;
}

enum fw_status fw_loop_order_statements(struct fw_loop_relation *before,
                                        struct fw_loop_program *program)
{
    size_t count = program->statements.count;
    const struct fw_loop_statement *at = program->statements.at;
    struct fw_loop_relation stated = relation_new(program->arena, count);
    for (size_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < at[i].after_count; j++)
            for (size_t k = 0; k < count; k++)
                if (at[k].id == at[i].after[j] && k != i)
                    *fw_loop_related(&stated, k, i) = true;
                else if (at[k].id == at[i].after[j])
                    return fw_loop_refuse(program, "LOOP052", at[i].span, "'%s' depends on itself",
                                          name_of(&at[i]));
    relation_close(&stated);
    *before = relation_new(program->arena, count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            *fw_loop_related(before, i, j) = *fw_loop_related(&stated, i, j);
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            if (*fw_loop_related(&stated, i, j) || *fw_loop_related(&stated, j, i))
                continue;
            int way = compare(program, &at[i], &at[j]);
            if (way > 0)
                *fw_loop_related(before, i, j) = true;
            else if (way < 0)
                *fw_loop_related(before, j, i) = true;
        }
    spend_closing(program, before);
    relation_close(before);
    return check_circle(program, before);
}

/* ---- loops ---- */

static bool stands_in(const struct fw_loop_statement *statement, const char *name)
{
    return fw_loop_has(statement->loops, statement->loop_count, name);
}

/* How two loops share their statements. */
struct sharing {
    bool both, only_a, only_b;
    size_t example_a, example_b;
};

static struct sharing share(const struct fw_loop_program *program, const char *a, const char *b)
{
    struct sharing sharing = {0};
    for (size_t i = 0; i < program->statements.count; i++) {
        bool in_a = stands_in(&program->statements.at[i], a);
        bool in_b = stands_in(&program->statements.at[i], b);
        sharing.both |= in_a && in_b;
        if (in_a && !in_b && !sharing.only_a) {
            sharing.only_a = true;
            sharing.example_a = i;
        }
        if (in_b && !in_a && !sharing.only_b) {
            sharing.only_b = true;
            sharing.example_b = i;
        }
    }
    return sharing;
}

/* Whether the bounds of loop b, in another domain, mention a. */
static bool bounds_mention(const struct fw_loop_program *program, const struct fw_loop_variable *a,
                           const struct fw_loop_variable *b)
{
    const char *at = program->domains.at[b->domain].condition;
    size_t size = strlen(a->name);
    while (a->domain != b->domain && *at) {
        size_t length = fw_loop_word(at);
        if (length == size && memcmp(at, a->name, size) == 0)
            return true;
        at += length ? length : 1;
    }
    return false;
}

/* Where the loop stands among the domains. */
static size_t place_of(const struct fw_loop_program *program,
                       const struct fw_loop_variable *variable)
{
    const struct fw_loop_domain *domain = &program->domains.at[variable->domain];
    size_t place = 0;
    while (place < domain->name_count && domain->names[place] != variable->name)
        place++;
    return ((size_t)variable->domain << 20) + place;
}

static enum fw_status relate_loops(struct fw_loop_relation *around, struct fw_loop_program *program)
{
    for (size_t i = 0; i < around->size; i++)
        for (size_t j = 0; j < around->size; j++) {
            const struct fw_loop_variable *a = &program->variables.at[i];
            const struct fw_loop_variable *b = &program->variables.at[j];
            if (i == j || !fw_loop_is_sequential(program, a->name) ||
                !fw_loop_is_sequential(program, b->name))
                continue;
            struct sharing sharing = share(program, a->name, b->name);
            if (!sharing.both)
                continue;
            if (sharing.only_a && sharing.only_b)
                return fw_loop_refuse(
                    program, "LOOP053", program->statements.at[sharing.example_a].span,
                    "neither of the loops '%s' and '%s' can be inside the other: '%s' stands in "
                    "the first alone, '%s' in the second alone; duplicate one, or add a loop",
                    a->name, b->name, name_of(&program->statements.at[sharing.example_a]),
                    name_of(&program->statements.at[sharing.example_b]));
            if (sharing.only_a || bounds_mention(program, a, b))
                *fw_loop_related(around, i, j) = true;
        }
    return FW_OK;
}

static enum fw_status relate_orders(struct fw_loop_relation *around,
                                    struct fw_loop_program *program)
{
    for (size_t o = 0; o < program->orders.count; o++) {
        const struct fw_loop_order *order = &program->orders.at[o];
        for (uint32_t i = 0; i < order->count; i++)
            for (uint32_t j = i + 1; j < order->count; j++) {
                const struct fw_loop_variable *a = fw_loop_variable(program, order->loops[i]);
                const struct fw_loop_variable *b = fw_loop_variable(program, order->loops[j]);
                fw_loop_spend(program, 1);
                if (!a || !b || a == b)
                    continue;
                size_t from = (size_t)(a - program->variables.at);
                size_t to = (size_t)(b - program->variables.at);
                if (*fw_loop_related(around, from, to) || !share(program, a->name, b->name).both)
                    continue;
                spend_closing(program, around);
                *fw_loop_related(around, from, to) = true;
                relation_close(around);
                if (*fw_loop_related(around, to, from))
                    return fw_loop_refuse(program, "LOOP054", order->span,
                                          "'%s' cannot be around '%s': its statements, its bounds "
                                          "or another order want it inside",
                                          a->name, b->name);
            }
    }
    return FW_OK;
}

enum fw_status fw_loop_order_loops(uint32_t **rank, struct fw_loop_program *program)
{
    size_t count = program->variables.count;
    struct fw_loop_relation around = relation_new(program->arena, count);
    bool *done = FW_ARRAY(program->arena, bool, count);
    *rank = FW_ARRAY(program->arena, uint32_t, count);
    enum fw_status status = relate_loops(&around, program);
    if (status != FW_OK)
        return status;
    spend_closing(program, &around);
    relation_close(&around);
    for (size_t i = 0; i < count; i++)
        if (*fw_loop_related(&around, i, i))
            return fw_loop_refuse(program, "LOOP053", (struct fw_span){0},
                                  "the loop '%s' would have to be inside itself: the bounds and "
                                  "the statements of loops want opposite orders",
                                  program->variables.at[i].name);
    status = relate_orders(&around, program);
    for (uint32_t place = 0; status == FW_OK && place < count; place++) {
        size_t best = count;
        for (size_t i = 0; i < count; i++) {
            bool ready = !done[i];
            for (size_t j = 0; j < count && ready; j++)
                ready = done[j] || !*fw_loop_related(&around, j, i);
            if (ready && (best == count || place_of(program, &program->variables.at[i]) <
                                               place_of(program, &program->variables.at[best])))
                best = i;
        }
        done[best] = true;
        (*rank)[best] = place;
    }
    return status;
}
