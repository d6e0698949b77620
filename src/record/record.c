/* The record from IR: read top to bottom, fw_record_build is the order of the work. */
#include "checked.h"
#include "record_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Whether the function names the variable. */
static bool names(const struct fw_function *function, const struct fw_variable *variable)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        for (uint32_t o = 0; o < at->operand_count; o++)
            if (at->operands[o].variable == variable)
                return true;
    }
    return false;
}

static bool belongs(const struct fw_function *function, const struct fw_variable *variable)
{
    for (uint32_t v = 0; v < function->variable_count; v++)
        if (function->variables[v] == variable)
            return true;
    return false;
}

static void add_static_shared(struct fw_resources *resources, const struct fw_variable *variable)
{
    uint64_t alignment = variable->alignment ? variable->alignment : 1;
    uint64_t start = (resources->static_shared + alignment - 1) / alignment * alignment, end;
    bool over = fw_add_overflows(start, variable->bytes, &end) || end > UINT32_MAX;
    resources->static_shared = over ? UINT32_MAX : (uint32_t)end;
}

static void add_dynamic_shared(struct fw_resources *resources, const struct fw_function *function,
                               const struct fw_variable *variable)
{
    const struct fw_module *module = function->module;
    bool used = names(function, variable);
    resources->dynamic_shared = true;
    if (used)
        resources->addresses_dynamic = variable->name;
    if (resources->dynamic_unused) /* one is told of */
        return;
    for (uint32_t f = 0; f < module->function_count && !used; f++)
        used = names(module->functions[f], variable);
    resources->dynamic_unused = !used;
}

static void add_resources(struct builder *b)
{
    struct fw_resources *resources = &b->kernel->resources;
    const struct fw_function *function = b->function;
    resources->registers_source = "";
    for (int scope = 0; scope < 2; scope++) {
        uint32_t count = scope ? function->module->variable_count : function->variable_count;
        for (uint32_t v = 0; v < count; v++) {
            const struct fw_variable *variable =
                scope ? function->module->variables[v] : function->variables[v];
            if (variable->space == FW_SPACE_SHARED && variable->external)
                add_dynamic_shared(resources, function, variable);
            else if (variable->space == FW_SPACE_SHARED &&
                     (belongs(function, variable) || names(function, variable)))
                add_static_shared(resources, variable);
            else if (variable->space == FW_SPACE_LOCAL)
                resources->local_bytes += (uint32_t)variable->bytes;
        }
    }
}

struct waiting {
    struct builder *b;
    uint32_t found[64];
    uint32_t count;
};

static void wait_for(struct waiting *w, uint32_t value, bool through_phi)
{
    const struct fw_value *origin;
    if (value == FW_NO_INDEX)
        return;
    origin = &w->b->function->values[value];
    if (origin->kind == FW_VALUE_PHI && through_phi) {
        const struct fw_block *block = &w->b->function->blocks[origin->block];
        for (uint32_t p = 0; p < block->predecessor_count; p++)
            wait_for(w, block->phis[origin->definition].inputs[p], false);
    }
    if (origin->kind != FW_VALUE_INSTRUCTION || w->count == 64)
        return;
    for (uint32_t i = 0; i < w->count; i++)
        if (w->found[i] == origin->definition)
            return;
    w->found[w->count++] = origin->definition;
}

static void wait_for_operand(void *user, struct fw_operand *operand)
{
    wait_for(user, operand->value, true);
}

static void count_flops(const struct fw_instruction *at, struct fw_scheduled *row)
{
    enum fw_type type = (enum fw_type)at->types[0];
    uint32_t lanes =
        type == FW_TYPE_F16X2 || type == FW_TYPE_BF16X2 || type == FW_TYPE_F32X2 ? 2 : 1;
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_FMA:
    case FW_OP_MAD:
        row->flops = fw_type_class(type) == 'f' ? 2 * lanes : 0;
        return;
    case FW_OP_ADD:
    case FW_OP_SUB:
    case FW_OP_MUL:
    case FW_OP_DIV:
    case FW_OP_MIN:
    case FW_OP_MAX:
    case FW_OP_RCP:
    case FW_OP_SQRT:
    case FW_OP_RSQRT:
    case FW_OP_SIN:
    case FW_OP_COS:
    case FW_OP_LG2:
    case FW_OP_EX2:
    case FW_OP_TANH:
        row->flops = fw_type_class(type) == 'f' ? lanes : 0;
        return;
    default:
        return;
    }
}

static void schedule_instruction(struct builder *b, uint32_t i)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    struct fw_scheduled *row = &b->kernel->schedule[i];
    struct waiting waiting = {.b = b};
    bool reachable = b->function->blocks[b->block_of[i]].order != FW_NO_INDEX;
    row->operation = at->name;
    row->type = (enum fw_type)at->types[0];
    row->group = (enum fw_group)fw_opcode_group((enum fw_opcode)at->opcode);
    row->file = at->file;
    row->line = at->line;
    row->call = at->call;
    row->access = FW_NONE;
    row->unreachable = !reachable;
    row->domain = reachable ? 0 : record_nowhere(b);
    row->together = 1;
    row->quantity = FW_NONE;
    if (!reachable)
        return;
    if (!record_matrix(b, i, row))
        count_flops(at, row);
    if (at->opcode == FW_OP_CALL) {
        row->quantity = record_quantity(b, "operations", i, 0);
        b->quantities.at[row->quantity].called = true;
    }
    record_barrier(b, i, row);
    row->linear_fetch = strcmp(at->name, "tex") == 0 && at->type_count > 1 &&
                        at->types[1] == FW_TYPE_S32 && fw_instruction_has(at, "1d");
    row->domain = record_guarded_domain(b, i);
    uint32_t before = (uint32_t)b->accesses.count;
    record_accesses(b, i, row->domain);
    row->access_count = (uint32_t)b->accesses.count - before;
    row->access = row->access_count ? before : FW_NONE;
    fw_instruction_uses(at, wait_for_operand, &waiting);
    if (at->guard != FW_NO_INDEX)
        wait_for(&waiting, at->guard_value, true);
    row->waits_for = fw_arena_copy(b->arena, waiting.found, waiting.count * sizeof(uint32_t));
    row->wait_count = waiting.count;
}

/* Runs of instructions of a block with one domain are one statement. */
static void add_statements(struct builder *b)
{
    const struct fw_function *function = b->function;
    for (uint32_t o = 0; o < function->order_count; o++) {
        const struct fw_block *block = &function->blocks[function->order[o]];
        for (uint32_t i = block->first; i < block->end;) {
            uint32_t end = i + 1, domain = b->kernel->schedule[i].domain;
            while (end < block->end && b->kernel->schedule[end].domain == domain)
                end++;
            struct fw_statement *statement = FW_APPEND(b->arena, &b->statements);
            *statement =
                (struct fw_statement){.domain = domain,
                                      .instructions = FW_ARRAY(b->arena, uint32_t, end - i),
                                      .instruction_count = end - i,
                                      .line = function->instructions[i].line};
            for (uint32_t k = i; k < end; k++)
                statement->instructions[k - i] = k;
            i = end;
        }
    }
}

enum { MOST_THREADS = 1024 /* of a block, and in any dimension of it */ };

static void prepare(struct builder *b)
{
    const struct fw_function *function = b->function;
    uint32_t blocks = function->block_count, n = function->instruction_count;
    b->pool = &b->kernel->pool;
    fw_pool_init(b->pool, b->arena);
    for (uint32_t d = 0; d < 3; d++)
        b->pool->most_threads[d] =
            function->required_threads[0] ? function->required_threads[d] : MOST_THREADS;
    b->values = FW_ARRAY(b->arena, struct value_memo, function->value_count);
    b->block_of = FW_ARRAY(b->arena, uint32_t, n + 1);
    b->branch_of = FW_ARRAY(b->arena, uint32_t, n + 1);
    b->opaque_of = FW_ARRAY(b->arena, uint32_t, function->value_count);
    b->domain_of = FW_ARRAY(b->arena, uint32_t, blocks);
    b->walk_stamp = FW_ARRAY(b->arena, uint32_t, blocks);
    b->walk_stack = FW_ARRAY(b->arena, uint32_t, 2 * (size_t)blocks + 2); /* two walks' */
    b->ways.marked = FW_NO_INDEX;
    b->behind_stamp = FW_ARRAY(b->arena, uint32_t, blocks);
    b->loops = FW_ARRAY(b->arena, struct loop_memo, function->loop_count);
    b->settled = FW_ARRAY(b->arena, uint32_t, function->value_count);
    b->settle_at = SETTLE_DEPTH;
    b->array_names = fw_map_new(b->arena);
    b->reach_names = fw_map_new(b->arena);
    for (uint32_t i = 0; i <= n; i++)
        b->branch_of[i] = b->block_of[i] = FW_NO_INDEX;
    for (uint32_t v = 0; v < function->value_count; v++)
        b->opaque_of[v] = FW_NO_INDEX;
    for (uint32_t block = 0; block < blocks; block++) {
        b->domain_of[block] = FW_NO_INDEX;
        for (uint32_t i = function->blocks[block].first; i < function->blocks[block].end; i++)
            b->block_of[i] = block;
    }
}

/* Domains are indices without exception: who counts never looks for FW_NONE. */
static void check_domains(const struct fw_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        assert(kernel->schedule[i].domain < kernel->domain_count);
    for (uint32_t a = 0; a < kernel->access_count; a++)
        assert(kernel->accesses[a].domain < kernel->domain_count);
    for (uint32_t t = 0; t < kernel->transaction_count; t++)
        assert(kernel->transactions[t].domain < kernel->domain_count);
    for (uint32_t d = 0; d < kernel->domain_count; d++) {
        assert(kernel->domains[d].parent < kernel->domain_count);
        assert(kernel->domains[d].kind != FW_DOMAIN_UNION || kernel->domains[d].member_count > 0);
    }
    (void)kernel;
}

static void finish(struct builder *b)
{
    struct fw_kernel *kernel = b->kernel;
#define HAND_OVER(vector, array, size)                                                             \
    kernel->array = b->vector.at;                                                                  \
    kernel->size = (uint32_t)b->vector.count
    HAND_OVER(arrays, arrays, array_count);
    HAND_OVER(opaques, opaques, opaque_count);
    HAND_OVER(floats, floats, float_count);
    HAND_OVER(branches, branches, branch_count);
    HAND_OVER(domains, domains, domain_count);
    HAND_OVER(statements, statements, statement_count);
    HAND_OVER(accesses, accesses, access_count);
    HAND_OVER(quantities, quantities, quantity_count);
    HAND_OVER(transactions, transactions, transaction_count);
    HAND_OVER(obligations, obligations, obligation_count);
#undef HAND_OVER
    kernel->obligation_signed = b->obligation_signed.at;
    kernel->obligation_lines = b->obligation_lines.at;
    check_domains(kernel);
}

enum fw_status fw_record_build(struct fw_kernel **kernel, struct fw_arena *arena,
                               const struct fw_function *function,
                               const struct fw_record_options *options, const struct fw_sink *sink)
{
    struct builder b = {.arena = arena, .function = function, .sink = sink, .options = options};
    if (!function->has_body) {
        fw_report(sink, FW_ERROR, "REC001", function->span, "kernel %s has no body",
                  function->name);
        return FW_ERROR_INPUT;
    }
    if (function->irreducible) {
        fw_report(sink, FW_ERROR, "REC002", function->span,
                  "kernel %s has a cycle with two entries, which is not modelled", function->name);
        return FW_ERROR_INPUT;
    }
    b.kernel = FW_NEW(arena, struct fw_kernel);
    b.kernel->arena = arena;
    b.kernel->name = function->name;
    b.kernel->layer = "ptx";
    b.kernel->files = function->module->files;
    b.kernel->file_count = function->module->file_count;
    b.kernel->calls = function->calls;
    b.kernel->call_count = function->call_count;
    memcpy(b.kernel->required_block, function->required_threads, sizeof(b.kernel->required_block));
    b.kernel->cluster_blocks = function->required_cluster[0] * function->required_cluster[1] *
                               function->required_cluster[2];
    memcpy(b.kernel->max_block, function->max_threads, sizeof(b.kernel->max_block));
    b.kernel->min_blocks = function->min_blocks;
    b.kernel->max_registers = function->max_registers;
    b.kernel->for_debugging = function->module->target_options &&
                              strstr(function->module->target_options, "debug") != NULL;
    prepare(&b);
    record_parameters(&b, options);
    record_mark_pointers(&b);
    record_domains(&b);
    record_expectations(&b);
    b.kernel->schedule = FW_ARRAY(arena, struct fw_scheduled, function->instruction_count);
    b.kernel->schedule_count = function->instruction_count;
    for (uint32_t i = 0; i < function->instruction_count; i++)
        schedule_instruction(&b, i);
    record_addresses(&b);
    record_tensors(&b);
    record_mbarriers(&b);
    record_data_rows(&b);
    record_tables(&b);
    record_turns(&b);
    add_statements(&b);
    add_resources(&b);
    record_likely(&b);
    record_machine(&b, options && options->capability ? options->capability
                                                      : function->module->capability);
    finish(&b);
    *kernel = b.kernel;
    return FW_OK;
}
