/* Conditions made simple: isl reads and prints them. */
#include "loop_internal.h"
#include "set_text.h"

#include <string.h>

/* isl's quantified names under names that no program has. */
static char *own_names(struct fw_loop_program *program, char *condition)
{
    for (unsigned i = 0; i < 40; i++) {
        char *name = fw_arena_printf(program->arena, "e%u", i);
        if (!strstr(condition, name))
            continue;
        const char *interned = fw_loop_intern(program, name, strlen(name));
        if (fw_loop_variable(program, interned) || fw_loop_is_parameter(program, interned))
            return NULL;
        char *quantified = fw_arena_printf(program->arena, "e__%u", i);
        /* isl binds "e0" in "exists (e0 = ...": no brackets may stand there. */
        struct fw_buffer buffer = fw_buffer_new(program->arena);
        for (const char *at = condition; *at;) {
            size_t length = fw_loop_word(at);
            if (length == strlen(name) && memcmp(at, name, length) == 0)
                fw_buffer_printf(&buffer, "%s", quantified);
            else
                fw_buffer_add(&buffer, at, length ? length : 1);
            at += length ? length : 1;
        }
        condition = buffer.text;
    }
    return condition;
}

/* ---- what is known ---- */

struct answer {
    enum fw_status status;
    char *text;
    int64_t least, greatest;
    bool flag; /* convex; bounded */
};

struct fw_loop_memo {
    struct fw_arena *arena;
    struct fw_map questions; /* their index + 1 */
    FW_VECTOR(struct answer) answers;
};

struct fw_loop_memo *fw_loop_memo_new(struct fw_arena *arena)
{
    struct fw_loop_memo *memo = FW_NEW(arena, struct fw_loop_memo);
    memo->arena = arena;
    memo->questions = fw_map_new(arena);
    return memo;
}

/* The place for an answer; whether there is one. */
static struct answer *recall(struct fw_loop_memo *memo, const char *question, bool *known)
{
    struct fw_map_entry *entry = fw_map_add(&memo->questions, question, strlen(question), NULL);
    *known = entry->value != 0;
    if (!*known) {
        (void)FW_APPEND(memo->arena, &memo->answers);
        entry->value = (uint32_t)memo->answers.count;
    }
    return &memo->answers.at[entry->value - 1];
}

enum fw_status fw_loop_range(int64_t *least, int64_t *greatest, bool *bounded,
                             struct fw_loop_program *program, const char *set)
{
    bool known;
    struct answer *answer =
        recall(program->memo, fw_arena_printf(program->arena, "range %s", set), &known);
    if (!known) {
        answer->least = answer->greatest = 0;
        answer->status =
            fw_set_text_range(&answer->least, &answer->greatest, &answer->flag, program->poly, set);
    }
    *least = answer->least;
    *greatest = answer->greatest;
    *bounded = answer->flag;
    return answer->status;
}

/* ---- conditions ---- */

/* "(exists (hidden : conditions))" */
static char *quantified(struct fw_loop_program *program, const char *const *kept, uint32_t count,
                        const fw_loop_names *names, const char *conditions)
{
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    for (size_t i = 0; i < names->count; i++)
        if (!fw_loop_has(kept, count, names->at[i]))
            fw_buffer_printf(&buffer, "%s%s", buffer.length ? ", " : "(exists (", names->at[i]);
    fw_buffer_printf(&buffer, buffer.length ? " : %s))" : "(%s)", conditions);
    return buffer.text;
}

char *fw_loop_simplified(struct fw_loop_program *program, const char *const *kept, uint32_t count,
                         const fw_loop_names *names, const char *conditions, bool *convex)
{
    char *condition = NULL, *context = NULL;
    char *set = fw_loop_set_text(program, kept, count, names, conditions, false);
    if (program->assumptions)
        context = fw_arena_printf(program->arena, "%s{ : %s }", fw_loop_prefix(program),
                                  program->assumptions);
    bool known;
    char *question = fw_arena_printf(program->arena, "simplify %s %s", set, context ? context : "");
    struct answer *answer = recall(program->memo, question, &known);
    if (!known)
        answer->status = fw_set_text_simplify(&answer->text, &answer->flag, program->poly,
                                              program->arena, set, context);
    if (convex)
        *convex = answer->flag;
    if (answer->status != FW_OK)
        return quantified(program, kept, count, names, conditions);
    condition = answer->text;
    condition = own_names(program, condition);
    return condition ? fw_arena_printf(program->arena, "(%s)", condition)
                     : quantified(program, kept, count, names, conditions);
}

void fw_loop_simplify_statements(struct fw_loop_program *program)
{
    for (size_t i = 0; i < program->statements.count; i++) {
        struct fw_loop_statement *statement = &program->statements.at[i];
        fw_loop_names names = {0};
        if (statement->points)
            continue;
        for (uint32_t j = 0; j < statement->loop_count; j++)
            fw_loop_names_add(program->arena, &names, statement->loops[j]);
        char *conditions = fw_loop_statement_conditions(program, statement, &names);
        for (size_t j = 0; j < i && !statement->points; j++) {
            /* The same loops without conditions of their own: the same points. */
            const struct fw_loop_statement *other = &program->statements.at[j];
            bool same = other->loop_count == statement->loop_count && !other->condition_count &&
                        !statement->condition_count;
            for (uint32_t k = 0; same && k < statement->loop_count; k++)
                same = fw_loop_has(other->loops, other->loop_count, statement->loops[k]);
            if (same)
                statement->points = other->points;
        }
        if (!statement->points)
            statement->points = fw_loop_simplified(program, statement->loops, statement->loop_count,
                                                   &names, conditions, NULL);
    }
}
