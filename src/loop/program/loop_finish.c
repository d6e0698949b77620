/* Completing a program: what every name is, the loops around each statement, types, spaces. */
#include "deadline.h"
#include "loop_internal.h"
#include "loop_space.h"

#include <string.h>

/* ---- names ---- */

/* The array that the expression names, made when there is none; NULL with a diagnostic. */
static struct fw_loop_array *array_of(struct fw_loop_program *program,
                                      struct fw_loop_expression *expression)
{
    struct fw_loop_array *array = fw_loop_find_array(program, expression->name);
    if (!array) {
        array = fw_loop_add_array(program, expression->name, expression->span);
        if (!array)
            return NULL;
    }
    if (!array->ranked) {
        array->ranked = true;
        array->rank = expression->operand_count;
    }
    if (array->rank != expression->operand_count) {
        fw_loop_refuse(program, "LOOP011", expression->span,
                       "'%s' has %u subscripts here and %u elsewhere", array->name,
                       expression->operand_count, array->rank);
        return NULL;
    }
    if (array->rank > FW_LOOP_RANK_MOST) {
        fw_loop_refuse(program, "LOOP012", expression->span, "'%s' has more than %d subscripts",
                       array->name, FW_LOOP_RANK_MOST);
        return NULL;
    }
    return array;
}

static enum fw_status check_reduction(struct fw_loop_program *program,
                                      const struct fw_loop_expression *expression)
{
    for (uint32_t i = 0; i < expression->loop_count; i++)
        if (!fw_loop_variable(program, expression->loops[i]))
            return fw_loop_refuse(program, "LOOP013", expression->span,
                                  "'%s' is no loop name of a domain", expression->loops[i]);
    return FW_OK;
}

static enum fw_status resolve(struct fw_loop_program *program,
                              struct fw_loop_expression *expression)
{
    enum fw_status status = FW_OK;
    if (expression->kind == FW_LOOP_NAME && !fw_loop_variable(program, expression->name) &&
        !fw_loop_is_parameter(program, expression->name))
        expression->kind = FW_LOOP_ACCESS;
    if (expression->kind == FW_LOOP_ACCESS && !array_of(program, expression))
        return FW_ERROR_INPUT;
    if (expression->kind == FW_LOOP_REDUCE)
        status = check_reduction(program, expression);
    for (uint32_t i = 0; status == FW_OK && i < expression->operand_count; i++)
        status = resolve(program, expression->operands[i]);
    return status;
}

/* Whether the text is the pattern's, "*" being any text. */
static bool matches(const char *pattern, const char *text)
{
    const char *star = NULL, *from = text;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            from = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) { /* the star takes one more */
            pattern = star + 1;
            text = ++from;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

/* "*" and the like become the ids that they stand for; statements without one get one. */
static void expand_patterns(struct fw_loop_program *program, struct fw_loop_statement *statement)
{
    fw_loop_names after = {0};
    bool any = false;
    for (uint32_t i = 0; i < statement->after_count; i++)
        any = any || strchr(statement->after[i], '*');
    for (size_t i = 0; any && i < program->statements.count; i++)
        if (!program->statements.at[i].id) {
            const char *id = fw_arena_printf(program->arena, "statement_%zu", i + 1);
            program->statements.at[i].id = fw_loop_intern(program, id, strlen(id));
        }
    for (uint32_t i = 0; any && i < statement->after_count; i++) {
        bool pattern = strchr(statement->after[i], '*') != NULL;
        if (!pattern)
            fw_loop_names_add(program->arena, &after, statement->after[i]);
        for (size_t j = 0; pattern && j < program->statements.count; j++)
            if (program->statements.at[j].id != statement->id &&
                matches(statement->after[i], program->statements.at[j].id))
                fw_loop_names_add(program->arena, &after, program->statements.at[j].id);
    }
    if (any) {
        statement->after = after.at;
        statement->after_count = (uint32_t)after.count;
    }
}

static enum fw_status resolve_statement(struct fw_loop_program *program,
                                        struct fw_loop_statement *statement)
{
    enum fw_status status = resolve(program, statement->target);
    if (status == FW_OK && statement->target->kind != FW_LOOP_ACCESS)
        return fw_loop_refuse(program, "LOOP014", statement->target->span,
                              "a loop name or parameter cannot be assigned to");
    if (status == FW_OK)
        status = resolve(program, statement->value);
    for (uint32_t i = 0; status == FW_OK && i < statement->condition_count; i++)
        status = resolve(program, statement->conditions[i]);
    if (status == FW_OK)
        expand_patterns(program, statement);
    for (uint32_t i = 0; status == FW_OK && i < statement->after_count; i++) {
        bool found = false;
        for (size_t j = 0; j < program->statements.count; j++)
            found |= program->statements.at[j].id == statement->after[i];
        if (!found)
            status = fw_loop_refuse(program, "LOOP015", statement->span,
                                    "no statement has the id '%s'", statement->after[i]);
    }
    return status;
}

/* ---- loops ---- */

/* Adds the loops that a name's bounds mention: they are around its loop. */
static void add_outer(struct fw_loop_program *program, fw_loop_names *loops)
{
    for (size_t i = 0; i < loops->count; i++) {
        uint32_t index = fw_loop_variable(program, loops->at[i])->domain;
        const char *at = program->domains.at[index].condition;
        while (*at) {
            size_t length = fw_loop_word(at);
            if (length) {
                const char *word = fw_loop_intern(program, at, length);
                const struct fw_loop_variable *outer = fw_loop_variable(program, word);
                if (outer && outer->domain != index)
                    fw_loop_names_add(program->arena, loops, word);
            }
            at += length ? length : 1;
        }
    }
}

static enum fw_status find_loops(struct fw_loop_program *program,
                                 struct fw_loop_statement *statement)
{
    fw_loop_names loops = {0}, words = {0};
    for (uint32_t i = 0; i < statement->loop_count; i++) {
        if (!fw_loop_variable(program, statement->loops[i]))
            return fw_loop_refuse(program, "LOOP013", statement->span,
                                  "'%s' is no loop name of a domain", statement->loops[i]);
        fw_loop_names_add(program->arena, &loops, statement->loops[i]);
    }
    fw_loop_mentioned(program, &words, statement->target);
    fw_loop_mentioned(program, &words, statement->value);
    for (uint32_t i = 0; i < statement->condition_count; i++)
        fw_loop_mentioned(program, &words, statement->conditions[i]);
    for (size_t i = 0; i < words.count; i++)
        if (fw_loop_variable(program, words.at[i]))
            fw_loop_names_add(program->arena, &loops, words.at[i]);
    add_outer(program, &loops);
    statement->loops = loops.at;
    statement->loop_count = (uint32_t)loops.count;
    return FW_OK;
}

/* Who sets scalar temporaries, in the order of the statements. */
struct setters {
    FW_VECTOR(struct setter {
        uint32_t statement;
        const char *scalar;
    })
    at;
};

static struct setters find_setters(const struct fw_loop_program *program)
{
    struct setters setters = {0};
    for (size_t i = 0; i < program->statements.count; i++) {
        const char *name = program->statements.at[i].target->name;
        const struct fw_loop_array *array = fw_loop_find_array(program, name);
        if (array->temporary && array->rank == 0)
            *FW_APPEND(program->arena, &setters.at) = (struct setter){(uint32_t)i, array->name};
    }
    return setters;
}

/* The names of what an expression reads. */
static void add_read(struct fw_arena *arena, fw_loop_names *names,
                     const struct fw_loop_expression *expression)
{
    if (expression->kind == FW_LOOP_ACCESS)
        fw_loop_names_add(arena, names, expression->name);
    for (uint32_t i = 0; i < expression->operand_count; i++)
        add_read(arena, names, expression->operands[i]);
}

/* The reader of a scalar temporary stands in the loops of its writer; whether any was added. */
static bool inherit_loops(struct fw_loop_program *program, const struct setters *setters,
                          struct fw_loop_statement *reader)
{
    fw_loop_names read = {0}, loops = {0};
    if (reader->loops_given || !setters->at.count)
        return false;
    add_read(program->arena, &read, reader->value);
    for (uint32_t i = 0; i < reader->condition_count; i++)
        add_read(program->arena, &read, reader->conditions[i]);
    fw_loop_spend(program, setters->at.count * read.count / 500);
    for (size_t s = 0; s < setters->at.count; s++) {
        const struct setter *setter = &setters->at.at[s];
        const struct fw_loop_statement *writer = &program->statements.at[setter->statement];
        if (writer == reader || !fw_loop_has(read.at, (uint32_t)read.count, setter->scalar))
            continue;
        for (uint32_t i = 0; i < reader->loop_count; i++)
            fw_loop_names_add(program->arena, &loops, reader->loops[i]);
        for (uint32_t i = 0; i < writer->loop_count; i++)
            fw_loop_names_add(program->arena, &loops, writer->loops[i]);
    }
    if (loops.count <= reader->loop_count)
        return false;
    reader->loops = loops.at;
    reader->loop_count = (uint32_t)loops.count;
    return true;
}

/* A reduction's loop is not around it. */
static enum fw_status check_reduced(struct fw_loop_program *program,
                                    const struct fw_loop_statement *statement,
                                    const struct fw_loop_expression *expression)
{
    for (uint32_t i = 0; expression->kind == FW_LOOP_REDUCE && i < expression->loop_count; i++)
        if (fw_loop_has(statement->loops, statement->loop_count, expression->loops[i]))
            return fw_loop_refuse(program, "LOOP016", expression->span,
                                  "'%s' is reduced over and used outside of the reduction",
                                  expression->loops[i]);
    for (uint32_t i = 0; i < expression->operand_count; i++) {
        enum fw_status status = check_reduced(program, statement, expression->operands[i]);
        if (status != FW_OK)
            return status;
    }
    return FW_OK;
}

static enum fw_status settle_loops(struct fw_loop_program *program)
{
    enum fw_status status = FW_OK;
    for (size_t i = 0; status == FW_OK && i < program->statements.count; i++)
        status = find_loops(program, &program->statements.at[i]);
    struct setters setters = {0};
    if (status == FW_OK)
        setters = find_setters(program);
    for (bool changed = true; status == FW_OK && changed;) {
        changed = false;
        for (size_t i = 0; i < program->statements.count; i++)
            changed |= inherit_loops(program, &setters, &program->statements.at[i]);
    }
    for (size_t i = 0; status == FW_OK && i < program->statements.count; i++) {
        const struct fw_loop_statement *statement = &program->statements.at[i];
        status = check_reduced(program, statement, statement->value);
    }
    return status;
}

/* ---- types ---- */

/* A type in the making: a bare number takes the type of what it meets. */
enum weakness { FIRM, BARE_INTEGER, BARE_REAL, BARE_QUOTIENT };
struct typed {
    enum fw_type type; /* NONE and FIRM: not known yet */
    enum weakness weakness;
};

static bool is_float(enum fw_type type)
{
    return fw_type_class(type) == 'f';
}

static enum fw_type settled(struct typed typed)
{
    if (typed.weakness == FIRM)
        return typed.type;
    return typed.weakness == BARE_INTEGER ? FW_TYPE_S32
           : typed.weakness == BARE_REAL  ? FW_TYPE_F32
                                          : FW_TYPE_F64; /* as other quotients of integers */
}

static enum fw_type signed_of(unsigned bits)
{
    return bits <= 8    ? FW_TYPE_S8
           : bits <= 16 ? FW_TYPE_S16
           : bits <= 32 ? FW_TYPE_S32
                        : FW_TYPE_S64;
}

/* A floating-point type that holds the integers; f32 is enough for s32. */
static enum fw_type join_real(enum fw_type real, enum fw_type integer)
{
    unsigned bits = fw_type_bits(integer);
    enum fw_type least = bits <= 8                                       ? real
                         : bits <= 16                                    ? FW_TYPE_F32
                         : real == FW_TYPE_F32 && integer == FW_TYPE_S32 ? FW_TYPE_F32
                                                                         : FW_TYPE_F64;
    return fw_type_bits(least) > fw_type_bits(real) ? least : real;
}

/* NumPy's promotion (numpy.promote_types) but for f32 with s32, which it makes f64, and for u64
 * with signed types, which it makes f64, too. */
enum fw_type fw_loop_joined(enum fw_type a, enum fw_type b)
{
    if (a == b || b == FW_TYPE_NONE)
        return a;
    if (a == FW_TYPE_NONE)
        return b;
    if (is_float(a) != is_float(b))
        return is_float(a) ? join_real(a, b) : join_real(b, a);
    unsigned wide_a = fw_type_bits(a), wide_b = fw_type_bits(b);
    if (is_float(a) && wide_a == wide_b)
        return FW_TYPE_F32; /* f16 and bf16 */
    bool mixed = !is_float(a) && fw_type_class(a) != fw_type_class(b);
    unsigned wide_unsigned = fw_type_class(a) == 'u' ? wide_a : wide_b;
    unsigned wide_signed = fw_type_class(a) == 'u' ? wide_b : wide_a;
    if (mixed && wide_unsigned == 64)
        return FW_TYPE_U64;
    if (mixed && wide_signed <= wide_unsigned)
        return signed_of(2 * wide_unsigned);
    return wide_a > wide_b ? a : b;
}

static struct typed join(struct typed a, struct typed b)
{
    if (a.weakness != FIRM && b.weakness != FIRM)
        return a.weakness > b.weakness ? a : b;
    if (a.weakness != FIRM) {
        struct typed swap = a;
        a = b;
        b = swap;
    }
    if (b.weakness == FIRM)
        return (struct typed){fw_loop_joined(a.type, b.type), FIRM};
    if (a.type == FW_TYPE_NONE)
        return b;
    if (a.type == FW_TYPE_PRED)
        return (struct typed){settled(b), FIRM};
    if (b.weakness >= BARE_REAL)
        return (struct typed){is_float(a.type) ? a.type : fw_loop_joined(settled(b), a.type), FIRM};
    return a;
}

struct types {
    struct fw_loop_program *program;
    struct typed *arrays;
};

static struct typed type_of(struct types *types, struct fw_loop_expression *expression);

static struct typed type_of_call(const struct fw_loop_expression *expression, struct typed typed)
{
    static const char *const keeping[] = {"abs", "min", "max", "sign"};
    for (size_t i = 0; i < sizeof(keeping) / sizeof(*keeping); i++)
        if (strcmp(expression->name, keeping[i]) == 0)
            return typed;
    if (typed.weakness != FIRM || (typed.type != FW_TYPE_NONE && !is_float(typed.type)))
        return (struct typed){FW_TYPE_F32, FIRM};
    return typed;
}

/* "/" of integers is a real number, f64 ("//" rounds down and stays an integer). */
static struct typed quotient(struct typed typed)
{
    if (typed.weakness == BARE_INTEGER)
        return (struct typed){FW_TYPE_NONE, BARE_QUOTIENT};
    if (typed.weakness == FIRM && typed.type != FW_TYPE_NONE && !is_float(typed.type))
        return (struct typed){FW_TYPE_F64, FIRM};
    return typed;
}

/* Without the expression's own note of it. */
static struct typed find_type(struct types *types, struct fw_loop_expression *expression)
{
    struct typed typed = {FW_TYPE_NONE, FIRM};
    enum fw_loop_kind kind = expression->kind;
    for (uint32_t i = 0; i < expression->operand_count; i++) {
        struct typed one = type_of(types, expression->operands[i]);
        if (kind != FW_LOOP_IF || i > 0)
            typed = join(typed, one);
    }
    if (kind == FW_LOOP_CAST)
        return (struct typed){fw_type_find(expression->name, (unsigned)strlen(expression->name)),
                              FIRM};
    if (kind == FW_LOOP_INTEGER)
        return (struct typed){FW_TYPE_NONE, BARE_INTEGER};
    if (kind == FW_LOOP_REAL)
        return (struct typed){expression->type, expression->type ? FIRM : BARE_REAL};
    if (kind == FW_LOOP_NAME)
        return (struct typed){FW_TYPE_S32, FIRM};
    if (kind == FW_LOOP_ACCESS)
        return types->arrays[fw_loop_find_array(types->program, expression->name) -
                             types->program->arrays.at];
    if (kind == FW_LOOP_CALL)
        return type_of_call(expression, typed);
    if (kind == FW_LOOP_REDUCE && typed.weakness != FIRM) /* what is added to has a type */
        return (struct typed){settled(typed), FIRM};
    if (kind >= FW_LOOP_OR && kind <= FW_LOOP_UNEQUAL)
        return (struct typed){FW_TYPE_PRED, FIRM};
    if (kind == FW_LOOP_DIVIDE)
        return quotient(typed);
    return typed;
}

static struct typed type_of(struct types *types, struct fw_loop_expression *expression)
{
    struct typed typed = find_type(types, expression);
    if (expression->kind != FW_LOOP_REAL)
        expression->type = settled(typed);
    return typed;
}

/* One round over the statements; whether an array's type changed. */
static bool infer(struct types *types)
{
    struct fw_loop_program *program = types->program;
    bool changed = false;
    fw_loop_spend(program, program->statements.count * (1 + program->arrays.count / 500));
    for (size_t i = 0; i < program->statements.count; i++) {
        struct fw_loop_statement *statement = &program->statements.at[i];
        struct typed value = type_of(types, statement->value);
        type_of(types, statement->target);
        for (uint32_t j = 0; j < statement->condition_count; j++)
            type_of(types, statement->conditions[j]);
        struct fw_loop_array *array = fw_loop_find_array(program, statement->target->name);
        struct typed *typed = &types->arrays[array - program->arrays.at];
        if (array->type)
            continue;
        struct typed joined = join(*typed, value);
        changed |= joined.type != typed->type || joined.weakness != typed->weakness;
        *typed = joined;
    }
    return changed;
}

static enum fw_status infer_types(struct fw_loop_program *program)
{
    struct types types = {program, FW_ARRAY(program->arena, struct typed, program->arrays.count)};
    for (size_t i = 0; i < program->arrays.count; i++)
        types.arrays[i] = (struct typed){program->arrays.at[i].type, FIRM};
    /* Types only widen: each array's can change a few times. */
    for (size_t round = 0; round < 8 * (program->arrays.count + 1) && infer(&types); round++)
        ;
    for (size_t i = 0; i < program->arrays.count; i++) {
        struct fw_loop_array *array = &program->arrays.at[i];
        array->type = settled(types.arrays[i]);
        types.arrays[i] = (struct typed){array->type, FIRM};
        if (array->type == FW_TYPE_NONE)
            return fw_loop_refuse(program, "LOOP017", array->span,
                                  array->rank ? "the type of '%s' is not known: declare it"
                                              : "'%s' is no loop name of a domain, and as a scalar "
                                                "its type is not known: declare it",
                                  array->name);
    }
    infer(&types);
    return FW_OK;
}

enum fw_status fw_loop_finish(struct fw_loop_program *program)
{
    enum fw_status status = FW_OK;
    /* Every change of a program comes by here. */
    fw_deadline_check(program->arena);
    fw_loop_spend(program, 10 + program->statements.count + program->arrays.count);
    for (size_t i = 0; status == FW_OK && i < program->statements.count; i++)
        status = resolve_statement(program, &program->statements.at[i]);
    if (status == FW_OK)
        status = fw_loop_check_circles(program);
    if (status == FW_OK)
        status = settle_loops(program);
    if (status == FW_OK)
        status = infer_types(program);
    return status;
}

/* ---- spaces ---- */

static void see_tags(const struct fw_loop_program *program,
                     const struct fw_loop_expression *expression, const char *name, bool *thread,
                     bool *block)
{
    if (expression->kind == FW_LOOP_ACCESS && expression->name == name) {
        fw_loop_names words = {0};
        for (uint32_t i = 0; i < expression->operand_count; i++)
            fw_loop_mentioned(program, &words, expression->operands[i]);
        for (size_t i = 0; i < words.count; i++) {
            const struct fw_loop_variable *variable = fw_loop_variable(program, words.at[i]);
            *thread |= variable && variable->tag.kind == FW_LOOP_THREAD;
            *block |= variable && variable->tag.kind == FW_LOOP_BLOCK;
        }
    }
    for (uint32_t i = 0; i < expression->operand_count; i++)
        see_tags(program, expression->operands[i], name, thread, block);
}

enum fw_space fw_loop_space(const struct fw_loop_program *program,
                            const struct fw_loop_array *array)
{
    bool thread = false, block = false;
    if (array->space != FW_SPACE_NONE)
        return array->space;
    if (!array->temporary) {
        /* A scalar that is only read is an argument's value. */
        bool written = array->rank > 0;
        for (size_t i = 0; i < program->statements.count; i++)
            written |= program->statements.at[i].target->name == array->name;
        return written ? FW_SPACE_GLOBAL : FW_SPACE_PARAM;
    }
    for (size_t i = 0; i < program->statements.count; i++) {
        see_tags(program, program->statements.at[i].target, array->name, &thread, &block);
        see_tags(program, program->statements.at[i].value, array->name, &thread, &block);
    }
    if (block)
        return FW_SPACE_GLOBAL;
    return thread ? FW_SPACE_SHARED : FW_SPACE_REG;
}
