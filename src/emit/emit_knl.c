/* Loop programs in their own language: what the transformations made of one, as a text that reads
 * back as the same program. */
#include "emit_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct writer {
    struct fw_loop_program *program;
    struct fw_buffer text;
};

static void add_expression(struct writer *writer, const struct fw_loop_expression *expression,
                           unsigned least);

static const char *trimmed(struct fw_arena *arena, const char *text)
{
    size_t length = strlen(text + strspn(text, " "));
    text += strspn(text, " ");
    while (length && text[length - 1] == ' ')
        length--;
    return fw_arena_text(arena, text, length);
}

static void add_names(struct writer *writer, const char *const *names, uint32_t count,
                      const char *between)
{
    for (uint32_t i = 0; i < count; i++)
        fw_buffer_printf(&writer->text, "%s%s", i ? between : "", names[i]);
}

static void add_operands(struct writer *writer, const struct fw_loop_expression *expression)
{
    for (uint32_t i = 0; i < expression->operand_count; i++) {
        fw_buffer_printf(&writer->text, "%s", i ? ", " : "");
        add_expression(writer, expression->operands[i], 0);
    }
}

/* Seventeen digits read back as the same number; a point makes it a real one. */
static void add_real(struct writer *writer, const struct fw_loop_expression *expression)
{
    const char *suffix = expression->type == FW_TYPE_F32   ? "f"
                         : expression->type == FW_TYPE_F16 ? "h"
                         : expression->type == FW_TYPE_F64 ? "d"
                                                           : "";
    struct fw_buffer digits = fw_buffer_new(writer->program->arena);
    fw_buffer_printf(&digits, "%.6g", expression->real);
    if (strtod(digits.text, NULL) != expression->real) {
        digits = fw_buffer_new(writer->program->arena);
        fw_buffer_printf(&digits, "%.17g", expression->real);
    }
    fw_buffer_printf(&writer->text, "%s%s%s", digits.text, strpbrk(digits.text, ".e") ? "" : ".0",
                     suffix);
}

static const struct {
    const char *text;
    unsigned precedence;
} operators[FW_LOOP_KIND_COUNT] = {
#define X(name, text, precedence, counted) [FW_LOOP_##name] = {text, precedence},
    FW_LOOP_OPERATORS(X)
#undef X
};

/* Words of the operator's precedence: "not" and signs before, the others between. */
static void add_operation(struct writer *writer, const struct fw_loop_expression *expression)
{
    const char *text = operators[expression->kind].text;
    unsigned precedence = operators[expression->kind].precedence;
    bool right = expression->kind == FW_LOOP_POWER;
    bool tight = precedence >= operators[FW_LOOP_MULTIPLY].precedence;
    if (expression->operand_count == 1) {
        fw_buffer_printf(&writer->text, "%s%s", text, expression->kind == FW_LOOP_NOT ? " " : "");
        add_expression(writer, expression->operands[0], precedence + 1);
        return;
    }
    add_expression(writer, expression->operands[0], right ? precedence + 1 : precedence);
    fw_buffer_printf(&writer->text, tight ? "%s" : " %s ", text);
    add_expression(writer, expression->operands[1], right ? precedence : precedence + 1);
}

static void add_expression(struct writer *writer, const struct fw_loop_expression *expression,
                           unsigned least)
{
    struct fw_buffer *text = &writer->text;
    bool negative = expression->kind == FW_LOOP_INTEGER && expression->integer < 0;
    bool brackets = negative || (operators[expression->kind].text &&
                                 operators[expression->kind].precedence < least);
    fw_buffer_printf(text, "%s", brackets ? "(" : "");
    switch (expression->kind) {
    case FW_LOOP_INTEGER:
        fw_buffer_printf(text, "%" PRId64, expression->integer);
        break;
    case FW_LOOP_REAL:
        add_real(writer, expression);
        break;
    case FW_LOOP_NAME:
    case FW_LOOP_ACCESS:
        fw_buffer_printf(text, "%s%s%s", expression->name, expression->tag ? "$" : "",
                         expression->tag ? expression->tag : "");
        if (expression->operand_count) {
            fw_buffer_printf(text, "[");
            add_operands(writer, expression);
            fw_buffer_printf(text, "]");
        }
        break;
    case FW_LOOP_IF:
    case FW_LOOP_CALL:
        fw_buffer_printf(text, "%s(", expression->kind == FW_LOOP_IF ? "if" : expression->name);
        add_operands(writer, expression);
        fw_buffer_printf(text, ")");
        break;
    case FW_LOOP_REDUCE:
        fw_buffer_printf(text, "reduce(%s, [", expression->name);
        add_names(writer, expression->loops, expression->loop_count, ", ");
        fw_buffer_printf(text, "], ");
        add_operands(writer, expression);
        fw_buffer_printf(text, ")");
        break;
    case FW_LOOP_CAST:
        fw_buffer_printf(text, "cast(%s, ", expression->name);
        add_operands(writer, expression);
        fw_buffer_printf(text, ")");
        break;
    default:
        add_operation(writer, expression);
        break;
    }
    fw_buffer_printf(text, "%s", brackets ? ")" : "");
}

/* ---- domains ---- */

/* A condition without brackets around all of it, which reading puts there. */
static const char *bare(struct fw_arena *arena, const char *condition)
{
    condition = trimmed(arena, condition);
    size_t length = strlen(condition);
    unsigned depth = 0;
    if (length < 2 || *condition != '(')
        return condition;
    for (size_t i = 0; i < length; i++) {
        depth += condition[i] == '(';
        depth -= condition[i] == ')';
        if (!depth && i + 1 < length)
            return condition;
    }
    return bare(arena, fw_arena_text(arena, condition + 1, length - 2));
}

static bool says(const char *condition, const char *name)
{
    for (const char *at = condition; *at;) {
        size_t length = fw_loop_word(at);
        if (length && strlen(name) == length && memcmp(name, at, length) == 0)
            return true;
        at += length ? length : 1;
    }
    return false;
}

static bool mentions(const char *condition, const struct fw_loop_domain *domain)
{
    for (uint32_t i = 0; i < domain->name_count; i++)
        if (says(condition, domain->names[i]))
            return true;
    return false;
}

/* "(0 = 0 and ( ... ))", the form of fw_loop_simplified, without its beginning. */
static const char *bare_end(struct fw_arena *arena, const char *text)
{
    static const char head[] = "(0 = 0 and ";
    return bare(arena, fw_arena_text(arena, text + sizeof(head) - 1, strlen(text) - sizeof(head)));
}

/* Its condition as isl makes it simple, where it is one of its own loops and those it mentions. */
static const char *simplified(struct writer *writer, const struct fw_loop_domain *domain)
{
    struct fw_loop_program *program = writer->program;
    fw_loop_names names = {0};
    bool convex = false;
    for (uint32_t i = 0; i < domain->name_count; i++)
        fw_loop_names_add(program->arena, &names, domain->names[i]);
    for (size_t j = 0; j < program->domains.count; j++)
        for (uint32_t i = 0; i < program->domains.at[j].name_count; i++) {
            const char *name = program->domains.at[j].names[i];
            if (&program->domains.at[j] != domain && says(domain->condition, name))
                fw_loop_names_add(program->arena, &names, name);
        }
    char *text = fw_loop_simplified(program, names.at, (uint32_t)names.count, &names,
                                    domain->condition, &convex);
    return convex && strncmp(text, "(0 = 0 and (", 12) == 0 ? bare_end(program->arena, text)
                                                            : domain->condition;
}

/* The first has all parameters: kernels take them in this order. */
static void add_domain(struct writer *writer, const struct fw_loop_domain *domain, bool first)
{
    const struct fw_loop_program *program = writer->program;
    fw_buffer_printf(&writer->text, "domain ");
    if (first && program->parameters.count) {
        fw_buffer_printf(&writer->text, "[");
        add_names(writer, program->parameters.at, (uint32_t)program->parameters.count, ", ");
        fw_buffer_printf(&writer->text, "] -> ");
    }
    fw_buffer_printf(&writer->text, "{[");
    add_names(writer, domain->names, domain->name_count, ", ");
    fw_buffer_printf(&writer->text, "]: %s}\n", bare(program->arena, simplified(writer, domain)));
}

/* A domain stands below those whose loops it mentions. */
static void add_domains(struct writer *writer)
{
    const struct fw_loop_program *program = writer->program;
    size_t count = program->domains.count, added = 0;
    bool *done = FW_ARRAY(program->arena, bool, count + 1);
    for (bool any = true; any;) {
        any = false;
        for (size_t i = 0; i < count; i++) {
            bool ready = !done[i];
            for (size_t j = 0; ready && j < count; j++)
                ready = done[j] || j == i ||
                        !mentions(program->domains.at[i].condition, &program->domains.at[j]);
            if (ready)
                add_domain(writer, &program->domains.at[i], added++ == 0);
            done[i] |= ready;
            any |= ready;
        }
    }
}

/* ---- arrays ---- */

static void add_array(struct writer *writer, const struct fw_loop_array *array)
{
    struct fw_buffer *text = &writer->text;
    static const char *const spaces[] = {[FW_SPACE_GLOBAL] = " global",
                                         [FW_SPACE_SHARED] = " shared",
                                         [FW_SPACE_REG] = " private",
                                         [FW_SPACE_CONST] = " const"};
    fw_buffer_printf(text, "%s %s", array->temporary ? "temporary" : "array", array->name);
    if (array->type)
        fw_buffer_printf(text, ": %s", fw_type_text(array->type));
    if (array->extents && array->rank) {
        fw_buffer_printf(text, "[");
        for (uint32_t d = 0; d < array->rank; d++)
            fw_buffer_printf(text, "%s%s", d ? ", " : "",
                             trimmed(writer->program->arena, array->extents[d]));
        fw_buffer_printf(text, "]");
    }
    if (array->layout == FW_LOOP_COLUMN_MAJOR)
        fw_buffer_printf(text, " column");
    if (array->by_thread)
        fw_buffer_printf(text, " thread");
    else if ((size_t)array->space < sizeof(spaces) / sizeof(*spaces) && spaces[array->space])
        fw_buffer_printf(text, "%s", spaces[array->space]);
    fw_buffer_printf(text, "\n");
}

/* ---- statements ---- */

static void add_option(struct writer *writer, bool *any, const char *key, const char *const *names,
                       uint32_t count)
{
    fw_buffer_printf(&writer->text, "%s%s=", *any ? ", " : " {", key);
    add_names(writer, names, count, ":");
    *any = true;
}

static void add_statement(struct writer *writer, const struct fw_loop_statement *statement)
{
    bool any = false;
    for (uint32_t i = 0; i < statement->condition_count; i++) {
        fw_buffer_printf(&writer->text, "if ");
        add_expression(writer, statement->conditions[i], 0);
        fw_buffer_printf(&writer->text, "\n");
    }
    add_expression(writer, statement->target, 0);
    fw_buffer_printf(&writer->text, " = ");
    add_expression(writer, statement->value, 0);
    if (statement->id)
        add_option(writer, &any, "id", &statement->id, 1);
    if (statement->after_count)
        add_option(writer, &any, "dep", statement->after, statement->after_count);
    if (statement->tag_count)
        add_option(writer, &any, "tags", statement->tags, statement->tag_count);
    add_option(writer, &any, "inames", statement->loops, statement->loop_count);
    fw_buffer_printf(&writer->text, "}\n");
    for (uint32_t i = 0; i < statement->condition_count; i++)
        fw_buffer_printf(&writer->text, "end\n");
}

/* ---- loops ---- */

static void add_tag(struct writer *writer, const struct fw_loop_variable *variable)
{
    static const char *const kinds[] = {[FW_LOOP_BLOCK] = "block",
                                        [FW_LOOP_THREAD] = "thread",
                                        [FW_LOOP_UNROLL] = "unroll",
                                        [FW_LOOP_VECTOR] = "vector"};
    if (variable->tag.kind == FW_LOOP_SEQUENTIAL)
        return;
    fw_buffer_printf(&writer->text, "tag %s %s", variable->name, kinds[variable->tag.kind]);
    bool axis = variable->tag.kind == FW_LOOP_BLOCK || variable->tag.kind == FW_LOOP_THREAD;
    if (axis)
        fw_buffer_printf(&writer->text, ".%u", variable->tag.axis);
    /* What was allowed once need not be shown again. */
    if (axis || variable->tag.kind == FW_LOOP_VECTOR)
        fw_buffer_printf(&writer->text, " unordered");
    fw_buffer_printf(&writer->text, "\n");
}

static void add_axes(struct writer *writer, const struct fw_loop_array *array)
{
    if (!array->axes)
        return;
    fw_buffer_printf(&writer->text, "axes %s", array->name);
    for (uint32_t d = 0; d < array->rank; d++)
        fw_buffer_printf(&writer->text, "%s%" PRIu32, d ? ", " : " ", array->axes[d]);
    fw_buffer_printf(&writer->text, "\n");
}

char *fw_emit_knl(struct fw_loop_program *program)
{
    struct writer writer = {program, fw_buffer_new(program->arena)};
    if (program->name)
        fw_buffer_printf(&writer.text, "kernel %s\n", program->name);
    add_domains(&writer);
    if (program->assumptions)
        fw_buffer_printf(&writer.text, "assume %s\n", bare(program->arena, program->assumptions));
    for (size_t i = 0; i < program->arrays.count; i++)
        add_array(&writer, &program->arrays.at[i]);
    for (size_t i = 0; i < program->statements.count; i++)
        add_statement(&writer, &program->statements.at[i]);
    for (size_t i = 0; i < program->domains.count; i++)
        for (uint32_t j = 0; j < program->domains.at[i].name_count; j++)
            add_tag(&writer, fw_loop_variable(program, program->domains.at[i].names[j]));
    for (size_t i = 0; i < program->orders.count; i++) {
        fw_buffer_printf(&writer.text, "order ");
        add_names(&writer, program->orders.at[i].loops, program->orders.at[i].count, ", ");
        fw_buffer_printf(&writer.text, " unordered\n");
    }
    for (size_t i = 0; i < program->arrays.count; i++)
        add_axes(&writer, &program->arrays.at[i]);
    return writer.text.text;
}
