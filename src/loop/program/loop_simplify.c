/* Conditions made simple: isl reads and prints them. */
#include "deadline.h"
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
    const struct fw_sink *sink; /* for what must be heard though nobody listens to the program */
    uint64_t spent;             /* units of work */
    struct fw_map questions;    /* their index + 1 */
    FW_VECTOR(struct answer) answers;
};

struct fw_loop_memo *fw_loop_memo_new(struct fw_arena *arena, const struct fw_sink *sink)
{
    struct fw_loop_memo *memo = FW_NEW(arena, struct fw_loop_memo);
    memo->arena = arena;
    memo->sink = sink;
    memo->questions = fw_map_new(arena);
    return memo;
}

/* Units of work: for looking up what is known, for asking isl and for each of its operations, and
 * for all that is done to a program in its life. */
enum { LOOKING_UP = 1, ASKING = 50, UNITS_OF_OPERATION = 6, UNITS_MOST = 10000000 };

void fw_loop_spend(struct fw_loop_program *program, uint64_t units)
{
    struct fw_loop_memo *memo = program->memo;
    memo->spent += units;
    if (memo->spent <= UNITS_MOST)
        return;
    memo->spent = 0; /* what is told once unwinds once */
    struct fw_span span =
        program->statements.count ? program->statements.at[0].span : (struct fw_span){0};
    fw_report(program->sink ? program->sink : memo->sink, FW_ERROR, "LOOP118", span,
              "the kernel takes more work than is allowed: it has too many statements, accesses or "
              "transformations that depend on each other");
    fw_arena_give_up(program->arena, FW_ERROR_BUDGET);
}

/* The place for an answer; whether there is one. */
static struct answer *recall(struct fw_loop_program *program, const char *question, bool *known)
{
    struct fw_loop_memo *memo = program->memo;
    fw_deadline_check(program->arena);
    fw_loop_spend(program, LOOKING_UP);
    struct fw_map_entry *entry = fw_map_add(&memo->questions, question, strlen(question), NULL);
    *known = entry->value != 0;
    if (!*known) {
        (void)FW_APPEND(memo->arena, &memo->answers);
        entry->value = (uint32_t)memo->answers.count;
    }
    return &memo->answers.at[entry->value - 1];
}

enum fw_status fw_loop_ask(struct fw_loop_program *program, enum fw_status (*ask)(void *user),
                           void *user)
{
    fw_loop_spend(program, ASKING);
    enum fw_status status = ask(user);
    /* Whether that was too much is seen next time: what was given here is in the caller's hands. */
    program->memo->spent += UNITS_OF_OPERATION * fw_set_text_spent(program->poly);
    return status;
}

struct question {
    struct fw_loop_program *program;
    const char *set, *other;
    struct answer *answer;
};

static enum fw_status ask_empty(void *user)
{
    struct question *question = user;
    return fw_set_text_empty(&question->answer->flag, question->program->poly, question->set);
}

static enum fw_status ask_subset(void *user)
{
    struct question *question = user;
    return fw_set_text_subset(&question->answer->flag, question->program->poly, question->set,
                              question->other);
}

static enum fw_status ask_range(void *user)
{
    struct question *question = user;
    struct answer *answer = question->answer;
    answer->least = answer->greatest = 0;
    return fw_set_text_range(&answer->least, &answer->greatest, &answer->flag,
                             question->program->poly, question->set);
}

static enum fw_status ask_simple(void *user)
{
    struct question *question = user;
    struct fw_loop_program *program = question->program;
    return fw_set_text_simplify(&question->answer->text, &question->answer->flag, program->poly,
                                program->arena, question->set, question->other);
}

/* The answer of `ask`, remembered under its kind and texts. */
static struct answer *answer_of(struct fw_loop_program *program, const char *kind, const char *set,
                                const char *other, enum fw_status (*ask)(void *user))
{
    bool known;
    struct answer *place =
        recall(program, fw_arena_printf(program->arena, "%s %s %s", kind, set, other ? other : ""),
               &known);
    if (known)
        return place;
    size_t index = (size_t)(place - program->memo->answers.at);
    struct answer answer = {FW_ERROR_BUDGET, NULL, 0, 0, false};
    struct question question = {program, set, other, &answer};
    answer.status = fw_loop_ask(program, ask, &question);
    program->memo->answers.at[index] = answer;
    return &program->memo->answers.at[index];
}

uint32_t fw_loop_number(struct fw_loop_program *program, const char *text)
{
    bool known;
    return (uint32_t)(recall(program, text, &known) - program->memo->answers.at);
}

bool fw_loop_recall(bool **answer, struct fw_loop_program *program, const char *question)
{
    bool known;
    *answer = &recall(program, question, &known)->flag;
    return known;
}

enum fw_status fw_loop_empty(bool *empty, struct fw_loop_program *program, const char *set)
{
    const struct answer *answer = answer_of(program, "empty", set, NULL, ask_empty);
    *empty = answer->flag;
    return answer->status;
}

enum fw_status fw_loop_subset(bool *subset, struct fw_loop_program *program, const char *a,
                              const char *b)
{
    const struct answer *answer = answer_of(program, "subset", a, b, ask_subset);
    *subset = answer->flag;
    return answer->status;
}

enum fw_status fw_loop_range(int64_t *least, int64_t *greatest, bool *bounded,
                             struct fw_loop_program *program, const char *set)
{
    const struct answer *answer = answer_of(program, "range", set, NULL, ask_range);
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
    const struct answer *answer = answer_of(program, "simplify", set, context, ask_simple);
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
