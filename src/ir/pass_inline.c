/* inline: replaces direct calls of functions with a body by that body, callees first.
 *
 * Arguments and results in PTX go through .param variables (st.param, call, ld.param); those stay
 * as memory accesses of the staging variables: the callee's parameter becomes another name of the
 * caller's variable.  Register parameters become moves.  A ret in the body becomes a branch to the
 * instruction after the call, so that counts are those of the calls' ABI-free form. */
#include "passes.h"

#include <string.h>

struct inliner {
    struct fw_arena *arena;
    struct fw_function *into;
    const struct fw_sink *sink;
    uint32_t limit;
    FW_VECTOR(struct fw_instruction) code;
    FW_VECTOR(struct fw_register) registers;
    FW_VECTOR(struct fw_label) labels;
    FW_VECTOR(struct fw_variable *) variables;
    FW_VECTOR(struct fw_call_place) calls;
    bool too_large;
};

/* How names of one copied body map to names of the function that it is copied into. */
struct mapping {
    uint32_t registers; /* added to a register's index */
    uint32_t labels;
    struct fw_map variables; /* a variable's address: its index in `to` */
    FW_VECTOR(struct fw_variable *) to;
    uint32_t call;       /* 1 + the call place of this call; 0: it has none */
    struct fw_map calls; /* of the callee's: 1 + the one that each becomes */
};

static void add_variable(struct inliner *in, struct mapping *map, struct fw_variable *from,
                         struct fw_variable *to)
{
    bool added;
    struct fw_map_entry *entry =
        fw_map_add(&map->variables, (const char *)&from, sizeof(from), &added);
    if (!added) /* the first one holds */
        return;
    entry->value = (uint32_t)map->to.count;
    *FW_APPEND(in->arena, &map->to) = to;
}

static struct fw_variable *map_variable(const struct mapping *map, struct fw_variable *variable)
{
    const struct fw_map_entry *entry =
        variable ? fw_map_find(&map->variables, (const char *)&variable, sizeof(variable)) : NULL;
    return entry ? map->to.at[entry->value] : variable;
}

static void map_operand(struct inliner *in, const struct mapping *map, struct fw_operand *operand)
{
    bool reg = operand->kind == FW_OPERAND_REGISTER || operand->kind == FW_OPERAND_ADDRESS;
    if (reg && operand->index != FW_NO_INDEX)
        operand->index += map->registers;
    if (operand->kind == FW_OPERAND_LABEL)
        operand->index += map->labels;
    operand->variable = map_variable(map, operand->variable);
    if (!operand->count)
        return;
    operand->elements =
        fw_arena_copy(in->arena, operand->elements, operand->count * sizeof(*operand->elements));
    for (uint32_t e = 0; e < operand->count; e++)
        map_operand(in, map, &operand->elements[e]);
}

static struct fw_instruction copy_instruction(struct inliner *in, const struct mapping *map,
                                              const struct fw_instruction *from)
{
    struct fw_instruction to = *from;
    to.operands =
        fw_arena_copy(in->arena, from->operands, from->operand_count * sizeof(*from->operands));
    for (uint32_t o = 0; o < to.operand_count; o++)
        map_operand(in, map, &to.operands[o]);
    if (to.guard != FW_NO_INDEX)
        to.guard += map->registers;
    to.targets =
        fw_arena_copy(in->arena, from->targets, from->target_count * sizeof(*from->targets));
    for (uint32_t t = 0; t < to.target_count; t++)
        to.targets[t] += map->labels;
    return to;
}

/* A call that can be replaced: direct, of a function with a body that is not its own caller,
 * unguarded. */
static bool can_inline(const struct fw_instruction *at)
{
    return at->opcode == FW_OP_CALL && at->callee && at->callee->has_body &&
           !at->callee->is_entry && at->guard == FW_NO_INDEX;
}

static uint32_t add_call(struct inliner *in, uint32_t file, uint32_t line, uint32_t call)
{
    *FW_APPEND(in->arena, &in->calls) = (struct fw_call_place){file, line, call};
    return (uint32_t)in->calls.count;
}

/* What a place becomes that the callee's code was inlined at (1 + it, or 0): outer ones stand
 * before it. */
static uint32_t map_call(struct inliner *in, struct mapping *map, const struct fw_function *callee,
                         uint32_t call, unsigned depth)
{
    enum { DEEPEST = 64 };
    if (!call || depth > DEEPEST)
        return map->call;
    const struct fw_map_entry *known = fw_map_find(&map->calls, (const char *)&call, sizeof(call));
    if (known)
        return known->value;
    const struct fw_call_place *at = &callee->calls[call - 1];
    const uint32_t made =
        add_call(in, at->file, at->line, map_call(in, map, callee, at->call, depth + 1));
    fw_map_add(&map->calls, (const char *)&call, sizeof(call), NULL)->value = made;
    return made;
}

static const struct fw_operand *call_list(const struct fw_instruction *call, bool results)
{
    bool passed_callee = false;
    for (uint32_t o = 0; o < call->operand_count; o++) {
        const struct fw_operand *operand = &call->operands[o];
        if (operand->kind == FW_OPERAND_FUNCTION)
            passed_callee = true;
        if (operand->kind == FW_OPERAND_LIST && passed_callee != results)
            return operand;
    }
    return NULL;
}

static struct fw_instruction *emit(struct inliner *in)
{
    if (in->code.count >= in->limit)
        in->too_large = true;
    if (in->too_large)
        in->code.count = 0; /* nothing of it is used */
    return FW_APPEND(in->arena, &in->code);
}

static void emit_move(struct inliner *in, const struct fw_instruction *call, struct fw_operand to,
                      struct fw_operand from, enum fw_type type)
{
    struct fw_operand *operands = FW_ARRAY(in->arena, struct fw_operand, 2);
    operands[0] = to;
    operands[1] = from;
    *emit(in) = (struct fw_instruction){.opcode = FW_OP_MOV,
                                        .types = {(uint8_t)type},
                                        .type_count = 1,
                                        .vector = 1,
                                        .destinations = 1,
                                        .name = "mov",
                                        .operand_count = 2,
                                        .operands = operands,
                                        .guard = FW_NO_INDEX,
                                        .span = call->span,
                                        .file = call->file,
                                        .line = call->line,
                                        .call = call->call};
}

static struct fw_operand register_operand(uint32_t index)
{
    return (struct fw_operand){.kind = FW_OPERAND_REGISTER, .index = index, .value = FW_NO_INDEX};
}

/* Register parameters and results are moved; .param ones are renamed in the mapping. */
static void pass_arguments(struct inliner *in, const struct fw_instruction *call,
                           struct mapping *map, bool results, bool before)
{
    const struct fw_function *callee = call->callee;
    const struct fw_operand *list = call_list(call, results);
    const struct fw_variable *formal = results ? callee->results : callee->parameters;
    uint32_t count = results ? callee->result_count : callee->parameter_count;
    for (uint32_t p = 0; list && p < count && p < list->count; p++) {
        struct fw_operand actual = list->elements[p];
        if (formal[p].space == FW_SPACE_REG && before != results) {
            struct fw_operand own = register_operand(formal[p].reg + map->registers);
            if (results)
                emit_move(in, call, actual, own, formal[p].type);
            else
                emit_move(in, call, own, actual, formal[p].type);
        } else if (formal[p].space != FW_SPACE_REG && before && actual.variable) {
            add_variable(in, map, (results ? callee->results : callee->parameters) + p,
                         actual.variable);
        }
    }
}

static void copy_body(struct inliner *in, const struct fw_instruction *call)
{
    const struct fw_function *callee = call->callee;
    struct mapping map = {.registers = (uint32_t)in->registers.count,
                          .labels = (uint32_t)in->labels.count,
                          .variables = fw_map_new(in->arena),
                          .call = call->line ? add_call(in, call->file, call->line, call->call)
                                             : call->call,
                          .calls = fw_map_new(in->arena)};
    for (uint32_t r = 0; r < callee->register_count; r++)
        *FW_APPEND(in->arena, &in->registers) = callee->registers[r];
    for (uint32_t v = 0; v < callee->variable_count; v++) {
        struct fw_variable *copy =
            fw_arena_copy(in->arena, callee->variables[v], sizeof(*callee->variables[v]));
        add_variable(in, &map, callee->variables[v], copy);
        *FW_APPEND(in->arena, &in->variables) = copy;
    }
    for (uint32_t l = 0; l < callee->label_count; l++)
        *FW_APPEND(in->arena, &in->labels) = callee->labels[l];
    uint32_t after = (uint32_t)in->labels.count;
    *FW_APPEND(in->arena, &in->labels) = (struct fw_label){.name = "$after_call"};
    pass_arguments(in, call, &map, true, true);
    pass_arguments(in, call, &map, false, true);
    uint32_t first = (uint32_t)in->code.count;
    for (uint32_t l = 0; l < callee->label_count; l++)
        in->labels.at[map.labels + l].instruction += first;
    for (uint32_t i = 0; i < callee->instruction_count && !in->too_large; i++) {
        struct fw_instruction copy = copy_instruction(in, &map, &callee->instructions[i]);
        copy.call = map_call(in, &map, callee, copy.call, 0);
        if (copy.opcode == FW_OP_RET) {
            copy.opcode = FW_OP_BRA;
            copy.name = "bra";
            copy.targets = FW_NEW(in->arena, uint32_t);
            copy.targets[0] = after;
            copy.target_count = 1;
        }
        *emit(in) = copy;
    }
    in->labels.at[after].instruction = (uint32_t)in->code.count;
    pass_arguments(in, call, &map, true, false);
}

static void rebuild(struct inliner *in)
{
    struct fw_function *function = in->into;
    uint32_t *moved = FW_ARRAY(in->arena, uint32_t, function->instruction_count + 1);
    uint32_t own_labels = function->label_count;
    for (uint32_t r = 0; r < function->register_count; r++)
        *FW_APPEND(in->arena, &in->registers) = function->registers[r];
    for (uint32_t l = 0; l < own_labels; l++)
        *FW_APPEND(in->arena, &in->labels) = function->labels[l];
    for (uint32_t v = 0; v < function->variable_count; v++)
        *FW_APPEND(in->arena, &in->variables) = function->variables[v];
    for (uint32_t c = 0; c < function->call_count; c++)
        *FW_APPEND(in->arena, &in->calls) = function->calls[c];
    for (uint32_t i = 0; i < function->instruction_count && !in->too_large; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        moved[i] = (uint32_t)in->code.count;
        if (can_inline(at))
            copy_body(in, at);
        else
            *emit(in) = *at;
    }
    if (in->too_large)
        return;
    moved[function->instruction_count] = (uint32_t)in->code.count;
    for (uint32_t l = 0; l < own_labels; l++)
        in->labels.at[l].instruction = moved[function->labels[l].instruction];
    function->instructions = in->code.at;
    function->instruction_count = (uint32_t)in->code.count;
    function->registers = in->registers.at;
    function->register_count = (uint32_t)in->registers.count;
    function->labels = in->labels.at;
    function->label_count = (uint32_t)in->labels.count;
    function->variables = in->variables.at;
    function->variable_count = (uint32_t)in->variables.count;
    function->calls = in->calls.at;
    function->call_count = (uint32_t)in->calls.count;
}

enum { VISITING = 1, DONE = 2, DEEPEST_CALL = 64 };

static enum fw_status inline_into(struct inliner *shared, struct fw_function *function,
                                  struct fw_map *state, unsigned depth)
{
    bool any = false;
    struct fw_map_entry *own = fw_map_add(state, function->name, strlen(function->name), NULL);
    own->value = VISITING;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        struct fw_instruction *at = &function->instructions[i];
        if (!can_inline(at))
            continue;
        const char *name = at->callee->name;
        uint32_t seen = fw_map_add(state, name, strlen(name), NULL)->value;
        if (seen == VISITING || depth > DEEPEST_CALL) {
            fw_report(shared->sink, FW_WARNING, "IRL002", at->span,
                      "recursive call of %s is not followed", name);
            at->callee = NULL;
            continue;
        }
        if (seen != DONE) {
            enum fw_status status = inline_into(shared, at->callee, state, depth + 1);
            if (status)
                return status;
        }
        any = true;
    }
    fw_map_add(state, function->name, strlen(function->name), NULL)->value = DONE;
    if (!any)
        return FW_OK;
    struct inliner in = {
        .arena = shared->arena, .into = function, .sink = shared->sink, .limit = shared->limit};
    rebuild(&in);
    if (!in.too_large)
        return FW_OK;
    fw_report(shared->sink, FW_ERROR, "IRL001", function->span,
              "%s has more than %u instructions with its calls inlined", function->name,
              shared->limit);
    return FW_ERROR_BUDGET;
}

enum fw_status fw_pass_inline(struct fw_arena *arena, struct fw_function *function, uint32_t limit,
                              const struct fw_sink *sink)
{
    struct inliner shared = {.arena = arena, .sink = sink, .limit = limit};
    struct fw_map state = fw_map_new(arena);
    return inline_into(&shared, function, &state, 0);
}
