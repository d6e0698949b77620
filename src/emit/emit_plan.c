/* From a schedule to isl: domains, bands, sequences.
 *
 * On devices the axes of the launch are parameters; in plain C they are loops: blocks around
 * everything, threads around each piece of the tree without barriers. */
#include "emit_internal.h"

#include "checked.h"

#include <inttypes.h>
#include <string.h>

enum { COPIES_MOST = 4096, WRITTEN_MOST = 512 };

struct planning {
    struct emitter *emitter;
    struct fw_loop_program *program;
    const char *parameters; /* "[n, block__0] -> " */
    fw_loop_names *dims;    /* of each statement, then of each barrier */
    bool loops;             /* axes are loops */
};

static const char *tuple_name(const struct planning *planning, size_t index)
{
    size_t statements = planning->program->statements.count;
    return index < statements
               ? fw_arena_printf(planning->emitter->arena, "S%zu", index)
               : fw_arena_printf(planning->emitter->arena, "B%zu", index - statements);
}

static void add_tuple(const struct planning *planning, struct fw_buffer *buffer, size_t index)
{
    const fw_loop_names *dims = &planning->dims[index];
    fw_buffer_printf(buffer, "%s[", tuple_name(planning, index));
    for (size_t i = 0; i < dims->count; i++)
        fw_buffer_printf(buffer, "%s%s", i ? ", " : "", dims->at[i]);
    fw_buffer_printf(buffer, "]");
}

/* ---- domains ---- */

static void find_dims(struct planning *planning, const struct fw_loop_node *node,
                      const fw_loop_names *around)
{
    struct fw_arena *arena = planning->emitter->arena;
    const struct fw_loop_launch *launch = planning->emitter->launch;
    fw_loop_names loops = {0};
    for (size_t i = 0; i < around->count; i++)
        *FW_APPEND(arena, &loops) = around->at[i];
    if (node->kind == FW_LOOP_NODE_LOOP)
        *FW_APPEND(arena, &loops) = node->loop;
    for (size_t i = 0; i < node->children.count; i++)
        find_dims(planning, node->children.at[i], &loops);
    if (node->kind != FW_LOOP_NODE_STATEMENT && node->kind != FW_LOOP_NODE_BARRIER)
        return;
    size_t index = node->index;
    if (node->kind == FW_LOOP_NODE_BARRIER)
        index += planning->program->statements.count;
    fw_loop_names *dims = &planning->dims[index];
    for (unsigned side = 0; planning->loops && side < FW_LOOP_SIDES; side++)
        for (unsigned a = FW_LOOP_AXES; a-- > 0;)
            if (launch->axes[side][a].used)
                *FW_APPEND(arena, dims) = launch->axes[side][a].name;
    for (size_t i = 0; i < loops.count; i++)
        *FW_APPEND(arena, dims) = loops.at[i];
}

/* "S0[k] : exists (i, ... : conditions)" */
static void add_domain(struct planning *planning, struct fw_buffer *buffer, uint32_t index)
{
    struct fw_loop_program *program = planning->program;
    const struct fw_loop_statement *statement = &program->statements.at[index];
    const struct fw_loop_launch *launch = planning->emitter->launch;
    fw_loop_names names = {0};
    bool first = true;
    for (uint32_t i = 0; i < statement->loop_count; i++)
        fw_loop_names_add(program->arena, &names, statement->loops[i]);
    char *conditions = fw_loop_statement_conditions(program, statement, &names);
    char *axes =
        fw_loop_axis_conditions(launch, program, statement->loops, statement->loop_count, "");
    add_tuple(planning, buffer, index);
    fw_buffer_printf(buffer, " : ");
    for (size_t i = 0; i < names.count; i++)
        if (!fw_loop_has(planning->dims[index].at, (uint32_t)planning->dims[index].count,
                         names.at[i])) {
            fw_buffer_printf(buffer, "%s%s", first ? "exists (" : ", ", names.at[i]);
            first = false;
        }
    fw_buffer_printf(buffer, "%s%s and %s%s", first ? "" : " : ", conditions, axes,
                     first ? "" : ")");
    for (unsigned side = 0; planning->loops && side < FW_LOOP_SIDES; side++)
        for (unsigned a = 0; a < FW_LOOP_AXES; a++)
            if (launch->axes[side][a].used)
                fw_buffer_printf(buffer, " and (%s)", launch->axes[side][a].points);
}

static char *domains_text(struct planning *planning)
{
    struct fw_buffer buffer = fw_buffer_new(planning->emitter->arena);
    const struct fw_loop_schedule *schedule = planning->emitter->schedule;
    size_t statements = planning->program->statements.count;
    fw_buffer_printf(&buffer, "%s{ ", planning->parameters);
    for (size_t i = 0; i < statements; i++) {
        fw_buffer_printf(&buffer, "%s", i ? "; " : "");
        add_domain(planning, &buffer, (uint32_t)i);
    }
    for (size_t i = 0; !planning->loops && i < schedule->barriers.count; i++) {
        fw_buffer_printf(&buffer, "; ");
        add_tuple(planning, &buffer, statements + i);
        fw_buffer_printf(&buffer, " : %s", schedule->barriers.at[i].points);
    }
    fw_buffer_printf(&buffer, " }");
    return buffer.text;
}

static char *context_text(struct planning *planning)
{
    struct fw_buffer buffer = fw_buffer_new(planning->emitter->arena);
    const struct fw_loop_launch *launch = planning->emitter->launch;
    fw_buffer_printf(&buffer, "%s{ : %s", planning->parameters,
                     planning->program->assumptions ? planning->program->assumptions : "0 = 0");
    for (unsigned side = 0; !planning->loops && side < FW_LOOP_SIDES; side++)
        for (unsigned a = 0; a < FW_LOOP_AXES; a++)
            if (launch->axes[side][a].used)
                fw_buffer_printf(&buffer, " and (%s)", launch->axes[side][a].points);
    fw_buffer_printf(&buffer, " }");
    return buffer.text;
}

/* ---- plans ---- */

static void collect(const struct planning *planning, const struct fw_loop_node *node, bool *members)
{
    size_t statements = planning->program->statements.count;
    if (node->kind == FW_LOOP_NODE_STATEMENT)
        members[node->index] = true;
    if (node->kind == FW_LOOP_NODE_BARRIER && !planning->loops)
        members[statements + node->index] = true;
    for (size_t i = 0; i < node->children.count; i++)
        collect(planning, node->children.at[i], members);
}

static bool *members_new(const struct planning *planning)
{
    return FW_ARRAY(planning->emitter->arena, bool,
                    planning->program->statements.count +
                        planning->emitter->schedule->barriers.count + 1);
}

static size_t member_count(const struct planning *planning)
{
    return planning->program->statements.count + planning->emitter->schedule->barriers.count;
}

static struct fw_ast_plan *plan_new(const struct planning *planning, enum fw_ast_plan_kind kind,
                                    size_t children)
{
    struct fw_ast_plan *plan = FW_NEW(planning->emitter->arena, struct fw_ast_plan);
    plan->kind = kind;
    plan->children = FW_ARRAY(planning->emitter->arena, struct fw_ast_plan *, children + 1);
    plan->filters = FW_ARRAY(planning->emitter->arena, const char *, children + 1);
    plan->count = (uint32_t)children;
    return plan;
}

/* A loop over `name` of all members. */
static struct fw_ast_plan *plan_loop(const struct planning *planning, const bool *members,
                                     const char *name, bool unroll, struct fw_ast_plan *body)
{
    struct fw_ast_plan *plan = plan_new(planning, FW_AST_PLAN_LOOP, 1);
    struct fw_buffer value = fw_buffer_new(planning->emitter->arena);
    bool first = true;
    fw_buffer_printf(&value, "%s[{ ", planning->parameters);
    for (size_t i = 0; i < member_count(planning); i++) {
        if (!members[i])
            continue;
        fw_buffer_printf(&value, "%s", first ? "" : "; ");
        add_tuple(planning, &value, i);
        fw_buffer_printf(&value, " -> [(%s)]", name);
        first = false;
    }
    fw_buffer_printf(&value, " }]");
    plan->name = name;
    plan->value = value.text;
    plan->unroll = unroll;
    plan->children[0] = body;
    return plan;
}

static char *filter_text(const struct planning *planning, const bool *members)
{
    struct fw_buffer buffer = fw_buffer_new(planning->emitter->arena);
    bool first = true;
    fw_buffer_printf(&buffer, "%s{ ", planning->parameters);
    for (size_t i = 0; i < member_count(planning); i++) {
        if (!members[i])
            continue;
        fw_buffer_printf(&buffer, "%s", first ? "" : "; ");
        add_tuple(planning, &buffer, i);
        first = false;
    }
    fw_buffer_printf(&buffer, " }");
    return buffer.text;
}

static bool has_barrier(const struct fw_loop_node *node)
{
    bool found = node->kind == FW_LOOP_NODE_BARRIER;
    for (size_t i = 0; i < node->children.count && !found; i++)
        found = has_barrier(node->children.at[i]);
    return found;
}

static struct fw_ast_plan *plan_axes(const struct planning *planning, const bool *members,
                                     enum fw_loop_side side, struct fw_ast_plan *body)
{
    const struct fw_loop_launch *launch = planning->emitter->launch;
    for (unsigned a = 0; a < FW_LOOP_AXES; a++)
        if (launch->axes[side][a].used)
            body = plan_loop(planning, members, launch->axes[side][a].name, false, body);
    return body;
}

/* `inside`: of the threads' loops (always on devices). */
static struct fw_ast_plan *plan_node(const struct planning *planning,
                                     const struct fw_loop_node *node, bool inside);

/* Nodes that follow each other; barriers are left out in plain C.  NULL: nothing is left. */
static struct fw_ast_plan *plan_run(const struct planning *planning,
                                    struct fw_loop_node *const *nodes, size_t count, bool inside)
{
    struct fw_ast_plan *plan = plan_new(planning, FW_AST_PLAN_SEQUENCE, count);
    plan->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (nodes[i]->kind == FW_LOOP_NODE_BARRIER && planning->loops)
            continue;
        bool *members = members_new(planning);
        collect(planning, nodes[i], members);
        plan->filters[plan->count] = filter_text(planning, members);
        plan->children[plan->count++] = plan_node(planning, nodes[i], inside);
    }
    if (plan->count == 1)
        return plan->children[0];
    return plan->count ? plan : NULL;
}

/* Pieces without barriers, each in the threads' loops. */
static struct fw_ast_plan *plan_phases(const struct planning *planning,
                                       const struct fw_loop_node *sequence)
{
    size_t count = sequence->children.count;
    struct fw_ast_plan *plan = plan_new(planning, FW_AST_PLAN_SEQUENCE, count);
    plan->count = 0;
    for (size_t i = 0; i < count;) {
        struct fw_loop_node *const *from = &sequence->children.at[i];
        size_t length = 0;
        bool *members = members_new(planning);
        while (i + length < count && !has_barrier(from[length]))
            collect(planning, from[length++], members);
        struct fw_ast_plan *child;
        if (length) {
            child = plan_axes(planning, members, FW_LOOP_OF_THREADS,
                              plan_run(planning, from, length, true));
        } else {
            length = 1;
            collect(planning, from[0], members);
            child =
                from[0]->kind == FW_LOOP_NODE_BARRIER ? NULL : plan_node(planning, from[0], false);
        }
        i += length;
        if (!child)
            continue;
        plan->filters[plan->count] = filter_text(planning, members);
        plan->children[plan->count++] = child;
    }
    return plan->count == 1 ? plan->children[0] : plan;
}

static struct fw_ast_plan *plan_node(const struct planning *planning,
                                     const struct fw_loop_node *node, bool inside)
{
    if (node->kind == FW_LOOP_NODE_SEQUENCE)
        return inside ? plan_run(planning, node->children.at, node->children.count, true)
                      : plan_phases(planning, node);
    if (node->kind != FW_LOOP_NODE_LOOP)
        return plan_new(planning, FW_AST_PLAN_LEAF, 0);
    bool *members = members_new(planning);
    collect(planning, node, members);
    const struct fw_loop_variable *variable = fw_loop_variable(planning->program, node->loop);
    enum fw_loop_tag_kind kind = variable->tag.kind;
    return plan_loop(planning, members, node->loop,
                     (kind == FW_LOOP_UNROLL || kind == FW_LOOP_VECTOR) &&
                         !planning->emitter->pragma[variable - planning->program->variables.at],
                     plan_node(planning, node->children.at[0], inside));
}

/* ---- unrolling ---- */

static const struct fw_loop_node *find_statement(const struct fw_loop_node *node,
                                                 uint32_t statement)
{
    const struct fw_loop_node *found = NULL;
    if (node->kind == FW_LOOP_NODE_STATEMENT && node->index == statement)
        return node;
    for (size_t i = 0; i < node->children.count && !found; i++)
        found = find_statement(node->children.at[i], statement);
    return found;
}

/* How many copies an unrolled loop asks for; 1 for others.  FW_ERROR_INPUT: its range is not
 * constant. */
static enum fw_status copies_of(int64_t *copies, struct planning *planning,
                                const struct fw_loop_variable *variable)
{
    struct fw_loop_program *program = planning->program;
    int64_t least = 0, greatest = 0;
    bool bounded = false;
    *copies = 1;
    if (variable->tag.kind != FW_LOOP_UNROLL && variable->tag.kind != FW_LOOP_VECTOR)
        return FW_OK;
    fw_loop_names names = {0};
    fw_loop_names_add(program->arena, &names, variable->name);
    char *conditions = fw_loop_conditions(program, &names);
    char *set = fw_loop_set_text(program, &variable->name, 1, &names, conditions, true);
    enum fw_status status = fw_loop_range(&least, &greatest, &bounded, program, set);
    if (status == FW_ERROR_BUDGET || status == FW_ERROR_MEMORY)
        return fw_loop_undecided(program, status, fw_loop_variable_span(program, variable));
    *copies = greatest - least < COPIES_MOST ? greatest - least + 1 : COPIES_MOST + 1;
    if (bounded)
        return FW_OK;
    emit_refuse(planning->emitter, "EMIT004", fw_loop_variable_span(program, variable),
                "'%s' is to be unrolled, but its range is not constant", variable->name);
    return FW_ERROR_INPUT;
}

/* Of a statement with many copies, the outer unrolled loops are left to the compiler, which is told
 * to unroll them: isl's time grows faster than the number of copies that it writes. */
static void leave_loops(struct planning *planning, const struct fw_loop_statement *statement,
                        const int64_t *copies, int64_t product)
{
    struct fw_loop_program *program = planning->program;
    const struct fw_loop_node *node = find_statement(
        planning->emitter->schedule->root, (uint32_t)(statement - program->statements.at));
    fw_loop_names inward = {0};
    for (; node; node = node->parent)
        if (node->kind == FW_LOOP_NODE_LOOP)
            *FW_APPEND(program->arena, &inward) = node->loop;
    for (size_t l = inward.count; l-- > 0 && product > WRITTEN_MOST;) {
        size_t v = (size_t)(fw_loop_variable(program, inward.at[l]) - program->variables.at);
        planning->emitter->pragma[v] |= copies[v] > 1;
        product /= copies[v];
    }
}

/* Refuses loops whose unrolled copies would have no constant number, or too great a one: of all
 * statements together, each once for every iteration of the unrolled loops around it. */
static enum fw_status check_unrolled(struct planning *planning)
{
    struct fw_loop_program *program = planning->program;
    int64_t *copies = FW_ARRAY(program->arena, int64_t, program->variables.count + 1), all = 0;
    planning->emitter->pragma =
        FW_ARRAY(planning->emitter->arena, bool, program->variables.count + 1);
    enum fw_status status = FW_OK;
    for (size_t v = 0; v < program->variables.count && !status; v++)
        status = copies_of(&copies[v], planning, &program->variables.at[v]);
    for (size_t s = 0; s < program->statements.count && !status; s++) {
        const struct fw_loop_statement *statement = &program->statements.at[s];
        const struct fw_loop_variable *widest = NULL;
        int64_t product = 1, most = 1;
        for (uint32_t l = 0; l < statement->loop_count; l++) {
            const struct fw_loop_variable *variable =
                fw_loop_variable(program, statement->loops[l]);
            int64_t own = copies[variable - program->variables.at];
            product = product <= COPIES_MOST ? product * own : product;
            widest = own > most ? variable : widest;
            most = own > most ? own : most;
        }
        all += widest ? product : 0;
        if (all <= COPIES_MOST) {
            leave_loops(planning, statement, copies, product);
            continue;
        }
        emit_refuse(planning->emitter, "EMIT004", fw_loop_variable_span(program, widest),
                    "'%s' is to be unrolled, but the copies would be too many", widest->name);
        status = FW_ERROR_INPUT;
    }
    return status;
}

/* ---- barriers ---- */

/* Whether an expression depends on which thread it is. */
static bool by_thread(const struct fw_ast_expression *expression)
{
    bool found = expression->kind == FW_AST_NAME &&
                 strncmp(expression->name, "thread__", strlen("thread__")) == 0;
    for (uint32_t i = 0; i < expression->operand_count && !found; i++)
        found = by_thread(expression->operands[i]);
    return found;
}

/* Whether some barrier is reached by some threads of a block only. */
static bool diverges(const struct fw_ast_node *node, bool divergent)
{
    if (node->kind == FW_AST_CALL)
        return divergent && node->name[0] == 'B';
    if (node->kind == FW_AST_IF || node->kind == FW_AST_FOR) {
        divergent |= node->condition && by_thread(node->condition);
        divergent |= node->start && by_thread(node->start);
    }
    for (uint32_t i = 0; i < node->count; i++)
        if (diverges(node->children[i], divergent))
            return true;
    return false;
}

enum fw_status emit_tree(struct fw_ast_node **tree, struct emitter *emitter)
{
    struct planning planning = {
        .emitter = emitter, .program = emitter->program, .loops = emitter->target == FW_EMIT_C};
    struct fw_loop_program *program = emitter->program;
    const struct fw_loop_launch *launch = emitter->launch;
    struct fw_buffer parameters = fw_buffer_new(emitter->arena);
    fw_loop_names none = {0};
    fw_buffer_printf(&parameters, "[");
    for (size_t i = 0; i < program->parameters.count; i++)
        fw_buffer_printf(&parameters, "%s%s", i ? ", " : "", program->parameters.at[i]);
    for (unsigned side = 0; !planning.loops && side < FW_LOOP_SIDES; side++)
        for (unsigned a = 0; a < FW_LOOP_AXES; a++)
            if (launch->axes[side][a].used)
                fw_buffer_printf(&parameters, "%s%s", parameters.length > 1 ? ", " : "",
                                 launch->axes[side][a].name);
    /* isl takes "[] -> [{ ... }]" for a list of nothing. */
    planning.parameters =
        parameters.length > 1 ? fw_arena_printf(emitter->arena, "%s] -> ", parameters.text) : "";
    planning.dims = FW_ARRAY(emitter->arena, fw_loop_names, member_count(&planning) + 1);
    find_dims(&planning, emitter->schedule->root, &none);
    enum fw_status status = check_unrolled(&planning);
    if (status != FW_OK)
        return status;
    struct fw_ast_plan *plan = plan_node(&planning, emitter->schedule->root, !planning.loops);
    bool *members = members_new(&planning);
    collect(&planning, emitter->schedule->root, members);
    if (planning.loops)
        plan = plan_axes(&planning, members, FW_LOOP_OF_BLOCKS, plan);
    emitter->context = context_text(&planning);
    status = fw_ast_build(tree, program->poly, emitter->arena, plan, domains_text(&planning),
                          emitter->context);
    if (status == FW_ERROR_INPUT || status == FW_ERROR_OVERFLOW || status == FW_ERROR_BUDGET)
        emit_refuse(emitter, "EMIT005", (struct fw_span){0},
                    "the program's domains are too intricate to generate loops for");
    if (status == FW_OK && diverges(*tree, false)) {
        emit_refuse(emitter, "EMIT006", (struct fw_span){0},
                    "a barrier would be reached by some threads of a block only");
        return FW_ERROR_INPUT;
    }
    return status;
}
