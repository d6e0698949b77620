/* The text around expressions: heads, declarations, loops, statements. */
#include "emit_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void line(struct emitter *emitter, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void line(struct emitter *emitter, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = fw_arena_vprintf(emitter->arena, format, arguments);
    va_end(arguments);
    fw_buffer_printf(&emitter->text, "%*s%s\n", (int)emitter->depth * 4, "", text);
}

/* The first loop on an axis. */
static const struct fw_loop_variable *loop_of_axis(const struct emitter *emitter,
                                                   const struct fw_loop_axis *axis)
{
    for (size_t i = 0; i < emitter->program->variables.count; i++)
        if (fw_loop_axis_of(emitter->launch, &emitter->program->variables.at[i]) == axis)
            return &emitter->program->variables.at[i];
    return NULL;
}

/* ---- what axes are called ---- */

/* Each axis is called by its first loop when that begins at 0, else by its number. */
static void name_axes(struct emitter *emitter)
{
    for (unsigned side = 0; side < FW_LOOP_SIDES; side++)
        for (unsigned a = 0; a < FW_LOOP_AXES; a++) {
            const struct fw_loop_axis *axis = &emitter->launch->axes[side][a];
            if (!axis->used)
                continue;
            const struct fw_loop_variable *variable = loop_of_axis(emitter, axis);
            struct binding *binding = FW_APPEND(emitter->arena, &emitter->axes);
            struct fw_ast_expression *name = FW_NEW(emitter->arena, struct fw_ast_expression);
            bool zero = emitter->launch->low[variable - emitter->program->variables.at] == 0;
            name->kind = FW_AST_NAME;
            name->name =
                zero ? emit_name(emitter, variable->name)
                     : fw_loop_new_name(
                           emitter->program,
                           fw_arena_printf(emitter->arena, "%s_%u",
                                           side == FW_LOOP_OF_BLOCKS ? "block" : "thread", a));
            binding->loop = axis->name;
            binding->value = name;
        }
}

static const char *axis_name(const struct emitter *emitter, const struct fw_loop_axis *axis)
{
    for (size_t i = 0; i < emitter->axes.count; i++)
        if (emitter->axes.at[i].loop == axis->name)
            return emitter->axes.at[i].value->name;
    return "?";
}

/* ---- heads ---- */

static void add_extents(struct emitter *emitter, struct fw_buffer *buffer, enum fw_loop_side side)
{
    for (unsigned a = 0; a < FW_LOOP_AXES; a++) {
        const char *extent = fw_emission_extent(emitter->emission, side, a);
        fw_buffer_printf(buffer, strchr(extent, ' ') ? "%s(%s)" : "%s%s", a ? " x " : "", extent);
    }
}

static void print_comment(struct emitter *emitter)
{
    struct fw_buffer grid = fw_buffer_new(emitter->arena), block = fw_buffer_new(emitter->arena);
    add_extents(emitter, &grid, FW_LOOP_OF_BLOCKS);
    add_extents(emitter, &block, FW_LOOP_OF_THREADS);
    if (emitter->target == FW_EMIT_C)
        line(emitter, "/* %s: generated. */", emitter->emission->name);
    else
        line(emitter, "/* %s: generated for blocks of %s threads, %s blocks. */",
             emitter->emission->name, block.text, grid.text);
    if (emitter->program->assumptions)
        line(emitter, "/* Assumes %s. */", emitter->program->assumptions);
}

static const char *argument_text(struct emitter *emitter, const struct fw_emit_argument *argument)
{
    static const char *const restricts[] = {"restrict", "__restrict__", "restrict"};
    const char *type = emit_type(emitter, argument->type, (struct fw_span){0});
    if (!argument->array)
        return fw_arena_printf(emitter->arena, "%s %s", type, argument->name);
    return fw_arena_printf(
        emitter->arena, "%s%s%s *%s %s", emitter->target == FW_EMIT_OPENCL ? "__global " : "",
        argument->stored ? "" : "const ", type, restricts[emitter->target], argument->name);
}

static void print_head(struct emitter *emitter)
{
    const struct fw_emission *emission = emitter->emission;
    struct fw_buffer list = fw_buffer_new(emitter->arena);
    const struct fw_loop_launch *launch = emitter->launch;
    int64_t block[3] = {1, 1, 1};
    for (unsigned a = 0; a < FW_LOOP_AXES; a++)
        if (launch->axes[FW_LOOP_OF_THREADS][a].used)
            block[a] = launch->axes[FW_LOOP_OF_THREADS][a].extent;
    for (size_t i = 0; i < emission->arguments.count; i++)
        fw_buffer_printf(&list, "%s%s", i ? ", " : "",
                         argument_text(emitter, &emission->arguments.at[i]));
    fw_buffer_add(&list, "", 0);
    if (emitter->target == FW_EMIT_OPENCL)
        line(emitter,
             "__kernel __attribute__((reqd_work_group_size(%" PRId64 ", %" PRId64 ", %" PRId64
             ")))",
             block[0], block[1], block[2]);
    if (emitter->target == FW_EMIT_CUDA)
        line(emitter, "extern \"C\" __global__ void __launch_bounds__(%" PRId64 ")",
             launch->threads);
    line(emitter, "%s%s(%s)", emitter->target == FW_EMIT_CUDA ? "" : "void ", emission->name,
         list.length                    ? list.text
         : emitter->target == FW_EMIT_C ? "void"
                                        : "");
}

/* ---- declarations ---- */

/* The program's own arrays and scalars. */
static void print_temporaries(struct emitter *emitter)
{
    static const char *const shared[] = {"__local ", "__shared__ ", ""};
    for (size_t i = 0; i < emitter->program->arrays.count; i++) {
        const struct fw_loop_array *array = &emitter->program->arrays.at[i];
        const struct layout *layout = &emitter->layouts[i];
        bool own = layout->space == FW_SPACE_REG;
        struct fw_buffer sizes = fw_buffer_new(emitter->arena);
        if (!own && layout->space != FW_SPACE_SHARED)
            continue;
        bool empty = false;
        for (uint32_t d = 0; d < array->rank; d++)
            empty |= layout->constant[d] == 0;
        if (empty)
            continue; /* nothing touches it */
        for (unsigned a = FW_LOOP_AXES; own && emitter->phased && a-- > 0;)
            if (emitter->launch->axes[FW_LOOP_OF_THREADS][a].used)
                fw_buffer_printf(&sizes, "[%" PRId64 "]",
                                 emitter->launch->axes[FW_LOOP_OF_THREADS][a].extent);
        for (uint32_t d = 0; d < array->rank; d++)
            fw_buffer_printf(&sizes, "[%" PRId64 "]", layout->constant[layout->order[d]]);
        fw_buffer_add(&sizes, "", 0);
        line(emitter, "%s%s %s%s;", own ? "" : shared[emitter->target],
             emit_type(emitter, array->type, array->span), emit_name(emitter, array->name),
             sizes.text);
    }
}

/* "const int i_outer = get_group_id(1);" for every loop on an axis that some statement stands in.
 */
static void print_axes(struct emitter *emitter)
{
    for (size_t i = 0; i < emitter->axes.count && emitter->target != FW_EMIT_C; i++)
        for (unsigned side = 0; side < FW_LOOP_SIDES; side++)
            for (unsigned a = 0; a < FW_LOOP_AXES; a++)
                if (emitter->launch->axes[side][a].name == emitter->axes.at[i].loop)
                    line(emitter, "const int %s = %s;", emitter->axes.at[i].value->name,
                         emit_index(emitter, (enum fw_loop_side)side, a));
    for (size_t v = 0; v < emitter->program->variables.count && emitter->target != FW_EMIT_C; v++) {
        const struct fw_loop_variable *variable = &emitter->program->variables.at[v];
        const struct fw_loop_axis *axis = fw_loop_axis_of(emitter->launch, variable);
        bool used = false;
        for (size_t s = 0; s < emitter->program->statements.count; s++)
            used |= fw_loop_has(emitter->program->statements.at[s].loops,
                                emitter->program->statements.at[s].loop_count, variable->name);
        if (!axis || !used ||
            strcmp(axis_name(emitter, axis), emit_name(emitter, variable->name)) == 0)
            continue;
        int64_t low = emitter->launch->low[v];
        if (low)
            line(emitter, "const int %s = %s %c %" PRId64 ";", emit_name(emitter, variable->name),
                 axis_name(emitter, axis), low < 0 ? '-' : '+', low < 0 ? -low : low);
        else
            line(emitter, "const int %s = %s;", emit_name(emitter, variable->name),
                 axis_name(emitter, axis));
    }
}

/* ---- statements ---- */

/* The values of the statement's loops at this call. */
static void bind_loops(struct emitter *emitter, const struct fw_ast_node *call, uint32_t index,
                       const char *const *dims, uint32_t dim_count)
{
    const struct fw_loop_statement *statement = &emitter->program->statements.at[index];
    emitter->statement = statement;
    emitter->bindings.count = 0;
    for (uint32_t i = 0; i < dim_count && i < call->count; i++) {
        struct binding *binding = FW_APPEND(emitter->arena, &emitter->bindings);
        *binding = (struct binding){dims[i], call->arguments[i], 0};
        if (binding->value->kind == FW_AST_NAME && binding->value->name == dims[i])
            binding->value = NULL;
    }
    if (emitter->target != FW_EMIT_C)
        return;
    for (uint32_t i = 0; i < statement->loop_count; i++) {
        const struct fw_loop_variable *variable =
            fw_loop_variable(emitter->program, statement->loops[i]);
        const struct fw_loop_axis *axis = fw_loop_axis_of(emitter->launch, variable);
        for (uint32_t d = 0; axis && d < dim_count; d++)
            if (dims[d] == axis->name)
                *FW_APPEND(emitter->arena, &emitter->bindings) = (struct binding){
                    variable->name, call->arguments[d],
                    emitter->launch->low[variable - emitter->program->variables.at]};
    }
}

/* The loops around a statement in the order of its tuple: as in emit_plan.c. */
static void find_dims(const struct emitter *emitter, const struct fw_loop_node *node,
                      uint32_t index, fw_loop_names *around, fw_loop_names *dims)
{
    size_t before = around->count;
    if (node->kind == FW_LOOP_NODE_LOOP)
        *FW_APPEND(emitter->arena, around) = node->loop;
    if (node->kind == FW_LOOP_NODE_STATEMENT && node->index == index) {
        for (unsigned side = 0; emitter->target == FW_EMIT_C && side < FW_LOOP_SIDES; side++)
            for (unsigned a = FW_LOOP_AXES; a-- > 0;)
                if (emitter->launch->axes[side][a].used)
                    *FW_APPEND(emitter->arena, dims) = emitter->launch->axes[side][a].name;
        for (size_t i = 0; i < around->count; i++)
            *FW_APPEND(emitter->arena, dims) = around->at[i];
    }
    for (size_t i = 0; i < node->children.count; i++)
        find_dims(emitter, node->children.at[i], index, around, dims);
    around->count = before;
}

static void print_statement(struct emitter *emitter, const struct fw_ast_node *call)
{
    uint32_t index = (uint32_t)strtoul(call->name + 1, NULL, 10);
    const struct fw_loop_statement *statement = &emitter->program->statements.at[index];
    fw_loop_names around = {0}, dims = {0};
    find_dims(emitter, emitter->schedule->root, index, &around, &dims);
    bind_loops(emitter, call, index, dims.at, (uint32_t)dims.count);
    struct fw_buffer condition = fw_buffer_new(emitter->arena);
    struct fw_buffer text = fw_buffer_new(emitter->arena);
    for (uint32_t i = 0; i < statement->condition_count; i++) {
        struct fw_buffer scratch = fw_buffer_new(emitter->arena);
        if (fw_loop_affine_condition(emitter->program, &scratch, statement->conditions[i]))
            continue; /* it bounds the domain */
        fw_buffer_printf(&condition, "%s", condition.length ? " && " : "");
        emit_expression(emitter, &condition, statement->conditions[i], ORDER, FW_TYPE_PRED);
    }
    enum fw_type type = fw_loop_find_array(emitter->program, statement->target->name)->type;
    emit_expression(emitter, &text, statement->target, CHOICE, type);
    fw_buffer_printf(&text, " = ");
    bool half = (type == FW_TYPE_F16 || type == FW_TYPE_BF16) && statement->value->type != type;
    if (half)
        fw_buffer_printf(&text, "(%s)(", emit_type(emitter, type, statement->span));
    emit_expression(emitter, &text, statement->value, CHOICE, type);
    fw_buffer_printf(&text, half ? ");" : ";");
    if (condition.length) {
        line(emitter, "if (%s)", condition.text);
        emitter->depth++;
    }
    line(emitter, "%s", text.text);
    if (condition.length)
        emitter->depth--;
}

static void print_barrier(struct emitter *emitter, const struct fw_ast_node *call)
{
    size_t number = strtoul(call->name + 1, NULL, 10);
    bool global = emitter->schedule->barriers.at[number].global;
    if (emitter->target == FW_EMIT_CUDA)
        line(emitter, "__syncthreads();");
    else
        line(emitter, "barrier(%s);",
             global ? "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE" : "CLK_LOCAL_MEM_FENCE");
}

/* ---- nodes ---- */

static void print_node(struct emitter *emitter, const struct fw_ast_node *node);

/* Whether the generated loop's compiler is to unroll it. */
static bool has_pragma(const struct emitter *emitter, const struct fw_ast_node *node)
{
    for (size_t v = 0; v < emitter->program->variables.count; v++)
        if (emitter->pragma[v] && strcmp(emitter->program->variables.at[v].name, node->name) == 0)
            return emitter->target != FW_EMIT_C;
    return false;
}

/* Whether the node is one line or one head with a body: no braces are needed around it. */
static bool is_single(const struct emitter *emitter, const struct fw_ast_node *node)
{
    if (node->kind == FW_AST_BLOCK)
        return node->count == 1 && is_single(emitter, node->children[0]);
    return node->kind == FW_AST_CALL ||
           (node->kind == FW_AST_FOR && !node->once && !has_pragma(emitter, node));
}

static void print_body(struct emitter *emitter, const char *head, const struct fw_ast_node *body)
{
    bool single = is_single(emitter, body);
    line(emitter, "%s%s", head, single ? "" : " {");
    emitter->depth++;
    print_node(emitter, body);
    emitter->depth--;
    if (!single)
        line(emitter, "}");
}

static void print_for(struct emitter *emitter, const struct fw_ast_node *node)
{
    struct fw_buffer head = fw_buffer_new(emitter->arena), start = fw_buffer_new(emitter->arena);
    struct fw_buffer step = fw_buffer_new(emitter->arena), until = fw_buffer_new(emitter->arena);
    struct fw_buffer loop = fw_buffer_new(emitter->arena);
    const struct fw_ast_expression counter = {.kind = FW_AST_NAME, .name = node->name};
    emit_ast(emitter, &loop, &counter, CHOICE);
    emit_ast(emitter, &start, node->start, CHOICE);
    if (node->once) {
        line(emitter, "{");
        emitter->depth++;
        line(emitter, "const int %s = %s;", loop.text, start.text);
        print_node(emitter, node->children[0]);
        emitter->depth--;
        line(emitter, "}");
        return;
    }
    emit_ast(emitter, &until, node->condition, CHOICE);
    emit_ast(emitter, &step, node->step, CHOICE);
    bool by_one = node->step->kind == FW_AST_INTEGER && node->step->value == 1;
    fw_buffer_printf(&head, "for (int %s = %s; %s; ", loop.text, start.text, until.text);
    if (by_one)
        fw_buffer_printf(&head, "%s++)", loop.text);
    else
        fw_buffer_printf(&head, "%s += %s)", loop.text, step.text);
    if (has_pragma(emitter, node))
        line(emitter, "#pragma unroll");
    print_body(emitter, head.text, node->children[0]);
}

static void print_if(struct emitter *emitter, const struct fw_ast_node *node)
{
    struct fw_buffer condition = fw_buffer_new(emitter->arena);
    emit_ast(emitter, &condition, node->condition, CHOICE);
    char *head = fw_arena_printf(emitter->arena, "if (%s)", condition.text);
    if (node->count < 2) {
        print_body(emitter, head, node->children[0]);
        return;
    }
    line(emitter, "%s {", head);
    emitter->depth++;
    print_node(emitter, node->children[0]);
    emitter->depth--;
    line(emitter, "} else {");
    emitter->depth++;
    print_node(emitter, node->children[1]);
    emitter->depth--;
    line(emitter, "}");
}

static void print_node(struct emitter *emitter, const struct fw_ast_node *node)
{
    switch (node->kind) {
    case FW_AST_BLOCK:
        for (uint32_t i = 0; i < node->count; i++)
            print_node(emitter, node->children[i]);
        break;
    case FW_AST_FOR:
        print_for(emitter, node);
        break;
    case FW_AST_IF:
        print_if(emitter, node);
        break;
    default:
        if (node->name[0] == 'B')
            print_barrier(emitter, node);
        else
            print_statement(emitter, node);
        break;
    }
}

/* ---- all ---- */

static bool uses(const struct emitter *emitter, enum fw_type type)
{
    for (size_t i = 0; i < emitter->program->arrays.count; i++)
        if (emitter->program->arrays.at[i].type == type)
            return true;
    return false;
}

static void print_preamble(struct emitter *emitter)
{
    if (emitter->target == FW_EMIT_C)
        line(emitter, "#include <math.h>\n#include <stdlib.h>\n");
    if (emitter->target == FW_EMIT_OPENCL && uses(emitter, FW_TYPE_F16))
        line(emitter, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    if (emitter->target == FW_EMIT_CUDA && uses(emitter, FW_TYPE_F16))
        line(emitter, "#include <cuda_fp16.h>\n");
    if (emitter->target == FW_EMIT_CUDA && uses(emitter, FW_TYPE_BF16))
        line(emitter, "#include <cuda_bf16.h>\n");
}

void emit_kernel(struct emitter *emitter, const struct fw_ast_node *tree)
{
    name_axes(emitter);
    /* The body first: it tells which helpers there must be. */
    emitter->text = fw_buffer_new(emitter->arena);
    emitter->depth = 1;
    print_node(emitter, tree);
    char *body = emitter->text.text;
    emitter->text = fw_buffer_new(emitter->arena);
    emitter->depth = 0;
    print_preamble(emitter);
    fw_buffer_printf(&emitter->text, "%s", emit_helpers(emitter));
    print_comment(emitter);
    print_head(emitter);
    line(emitter, "{");
    emitter->depth = 1;
    print_temporaries(emitter);
    print_axes(emitter);
    fw_buffer_printf(&emitter->text, "%s}\n", body);
    emitter->emission->text = emitter->text.text;
}

char *fw_emission_extent(const struct fw_emission *emission, enum fw_loop_side side, unsigned axis)
{
    const struct fw_loop_schedule *schedule = emission->schedule;
    struct fw_arena *arena = schedule->program->arena;
    const struct fw_loop_axis *found = &schedule->launch->axes[side][axis];
    struct emitter emitter = {.arena = arena,
                              .target = FW_EMIT_CUDA,
                              .program = schedule->program,
                              .schedule = schedule,
                              .launch = schedule->launch};
    struct fw_buffer buffer = fw_buffer_new(arena);
    if (!found->used)
        return fw_arena_printf(arena, "1");
    if (side == FW_LOOP_OF_THREADS)
        return fw_arena_printf(arena, "%" PRId64, found->extent);
    /* Of blocks the extent is the greatest that assumptions allow; as many as there are follow from
     * the last one. */
    const struct fw_ast_expression *last = found->last;
    if (last->kind == FW_AST_INTEGER)
        return fw_arena_printf(arena, "%" PRId64, last->value + 1);
    if (last->kind == FW_AST_SUBTRACT && last->operands[1]->kind == FW_AST_INTEGER &&
        last->operands[1]->value == 1) {
        emit_ast(&emitter, &buffer, last->operands[0], CHOICE);
        return buffer.text;
    }
    emit_ast(&emitter, &buffer, last, SUM);
    fw_buffer_printf(&buffer, " + 1");
    return buffer.text;
}
