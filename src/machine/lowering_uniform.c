/* lowering, fifth part: integer arithmetic on values that are equal for the whole warp.
 *
 * sm_90 has a second, scalar datapath for them (UIADD3, UIMAD, ...), whose operations counters of
 * executed threads do not see.  ptxas uses it where nothing has to come back from it: a value goes
 * there when all that it is made of is there or can be brought there (parameters, blockIdx, sizes
 * of block and grid, literals), and all that reads it is there too or can read it from there.  A
 * thread's operation reads one such value, beside a value of the thread's own and no literal: both
 * want the same field of the operation.  What is stored, is a global address, decides a branch, or
 * is counted by a loop that threads leave at different times stays a thread's own.
 * Kernels u, v and w of data/lowering/idioms.cu show each.  The cases are solved from the
 * hopeful side: every candidate is taken until a reason against it is found. */
#include "lowering_internal.h"
#include "passes.h"

#include <string.h>

static const struct {
    const char *thread, *warp;
} twins[] = {{"IADD3", "UIADD3"},      {"IMAD", "UIMAD"},   {"IMAD.WIDE", "UIMAD.WIDE"},
             {"LEA", "ULEA"},          {"LOP3", "ULOP3"},   {"SHF", "USHF"},
             {"SGXT", "USGXT"},        {"BMSK", "UBMSK"},   {"PRMT", "UPRMT"},
             {"SEL", "USEL"},          {"ISETP", "UISETP"}, {"MOV", "UMOV"},
             {"IMNMX", "UISETP USEL"}, {"POPC", "UPOPC"}};

struct uniform {
    struct lowering *work;
    uint8_t *level;     /* of each value, by the pass */
    uint8_t *divergent; /* by block: a loop around it has an exit that a warp's threads part at */
    bool *scalar;       /* by value: on the scalar datapath, as far as is known */
    bool *useful;       /* by value: an operation of a thread reads it, or what is made of it */
    uint32_t *sources;  /* values that is_source gives */
    uint32_t source_count;
    bool changed;
};

enum { DEPTH = 16, OPERANDS = 16 };

static const struct fw_instruction *instruction(const struct uniform *u, uint32_t i)
{
    return &u->work->function->instructions[i];
}

static const struct fw_lowered *lowered_of(const struct uniform *u, uint32_t i)
{
    return &u->work->result->instructions[i];
}

static const char *twin(enum fw_machine operation)
{
    for (size_t t = 0; t < sizeof(twins) / sizeof(*twins); t++)
        if (strcmp(twins[t].thread, fw_machine_text(operation)) == 0)
            return twins[t].warp;
    return NULL;
}

/* Parameters, and the special registers that the constant bank or S2UR give: read once, into a
 * register of the one kind or of the other. */
static bool is_source(const struct fw_instruction *at)
{
    if (at->guard != FW_NO_INDEX || at->operand_count < 2 || at->destinations != 1)
        return false;
    if (at->opcode == FW_OP_LD && at->space == FW_SPACE_PARAM)
        return at->vector <= 1 && fw_type_class((enum fw_type)at->types[0]) != 'f';
    if (at->opcode != FW_OP_MOV)
        return false;
    const struct fw_operand *from = &at->operands[1];
    return from->kind == FW_OPERAND_SPECIAL &&
           ((from->index >= FW_SREG_NTID_X && from->index <= FW_SREG_NTID_Z) ||
            (from->index >= FW_SREG_CTAID_X && from->index <= FW_SREG_NCTAID_Z));
}

/* What stands in the operation that reads it, or is made anew for each. */
static bool is_constant(const struct fw_instruction *at)
{
    return at->guard == FW_NO_INDEX && at->opcode == FW_OP_MOV && at->operand_count == 2 &&
           (at->operands[1].kind == FW_OPERAND_INTEGER ||
            at->operands[1].kind == FW_OPERAND_SYMBOL);
}

/* Issues nothing of its own: its operands are its users' (or, where it is absorbed, the
 * absorber's). */
static bool is_clear(const struct uniform *u, uint32_t i)
{
    const struct fw_instruction *at = instruction(u, i);
    return at->guard == FW_NO_INDEX && at->destinations == 1 && !is_source(at) &&
           !is_constant(at) &&
           (lowered_of(u, i)->absorbed != FW_NO_INDEX ||
            ((at->opcode == FW_OP_MOV || at->opcode == FW_OP_CVTA || at->opcode == FW_OP_CVT) &&
             lowered_of(u, i)->count == 0));
}

static bool maps(const struct fw_lowered *lowered)
{
    for (unsigned c = 0; c < lowered->count; c++)
        if (lowered->at[c].guarded || !twin((enum fw_machine)lowered->at[c].operation))
            return false;
    return lowered->count > 0;
}

static bool is_candidate(const struct uniform *u, uint32_t v)
{
    const struct fw_value *value = &u->work->function->values[v];
    if (u->level[v] > FW_UNIFORM_WARP || value->kind == FW_VALUE_ENTRY)
        return false;
    if (value->kind == FW_VALUE_PHI)
        return !u->divergent[value->block];
    const struct fw_instruction *at = instruction(u, value->definition);
    return is_source(at) ||
           (at->guard == FW_NO_INDEX && at->destinations == 1 && !is_constant(at) &&
            !is_clear(u, value->definition) && maps(lowered_of(u, value->definition)));
}

/* What an operation reads, through what issues nothing. */
struct reads {
    uint32_t values[OPERANDS];
    bool shifted[OPERANDS]; /* read through an absorbed shift or product with a literal */
    unsigned count, literals;
    bool more; /* than are held, or something that no rule is for */
};

struct reader {
    const struct uniform *u;
    struct reads *reads;
    unsigned depth;
    bool shifted;
};

static void read_instruction(struct reader *reader, uint32_t i);

static void read_operand(void *user, struct fw_operand *operand)
{
    struct reader *reader = user;
    struct reads *reads = reader->reads;
    if (operand->value == FW_NO_INDEX)
        return;
    const struct fw_value *value = &reader->u->work->function->values[operand->value];
    if (value->kind == FW_VALUE_INSTRUCTION && is_clear(reader->u, value->definition)) {
        if (reader->depth < DEPTH)
            read_instruction(reader, value->definition);
        else
            reads->more = true;
        return;
    }
    if (value->kind == FW_VALUE_INSTRUCTION &&
        is_constant(instruction(reader->u, value->definition))) {
        const struct fw_operand *from = &instruction(reader->u, value->definition)->operands[1];
        reads->literals += from->kind == FW_OPERAND_INTEGER && from->immediate != 0;
        return;
    }
    if (reads->count == OPERANDS) {
        reads->more = true;
        return;
    }
    reads->shifted[reads->count] = reader->shifted;
    reads->values[reads->count++] = operand->value;
}

static void read_instruction(struct reader *reader, uint32_t i)
{
    const struct fw_instruction *at = instruction(reader->u, i);
    bool shift = at->opcode == FW_OP_SHL || at->opcode == FW_OP_MUL;
    bool before = reader->shifted;
    for (unsigned o = at->destinations; o < at->operand_count; o++)
        if (at->operands[o].kind == FW_OPERAND_INTEGER) {
            /* LEA holds its shift in a field of its own */
            if (!(shift && reader->depth))
                reader->reads->literals += at->operands[o].immediate != 0;
            else
                reader->shifted = true;
        }
    reader->depth++;
    fw_instruction_uses(at, read_operand, reader);
    reader->depth--;
    reader->shifted = before;
}

static struct reads reads_of(const struct uniform *u, uint32_t i)
{
    struct reads reads = {.count = 0};
    struct reader reader = {.u = u, .reads = &reads};
    read_instruction(&reader, i);
    return reads;
}

static bool is_free(const struct uniform *u, uint32_t v)
{
    const struct fw_value *value = &u->work->function->values[v];
    return value->kind == FW_VALUE_INSTRUCTION && is_source(instruction(u, value->definition));
}

/* The 8 bytes of the parameter block that a 32-bit parameter lies in; FW_NO_INDEX for others. */
static uint32_t pair_of(const struct uniform *u, uint32_t v)
{
    const struct fw_instruction *at = instruction(u, u->work->function->values[v].definition);
    if (at->opcode != FW_OP_LD || fw_type_bits((enum fw_type)at->types[0]) != 32 ||
        at->operands[1].kind != FW_OPERAND_ADDRESS || !at->operands[1].variable)
        return FW_NO_INDEX;
    return (at->operands[1].variable->offset + (uint32_t)at->operands[1].immediate) / 8;
}

/* The block that reads a value first. */
static uint32_t home_of(const struct uniform *u, uint32_t v)
{
    uint32_t first = FW_NO_INDEX;
    for (uint32_t i = 0; i < fw_lowering_use_count(u->work, v); i++)
        if (fw_lowering_use(u->work, v, i) < first)
            first = fw_lowering_use(u->work, v, i);
    return first == FW_NO_INDEX ? FW_NO_INDEX : u->work->blocks[first];
}

/* Two parameters in one aligned pair that one block reads first are loaded together: both go where
 * one has to go. */
static void refuse(struct uniform *u, uint32_t v)
{
    u->changed |= u->scalar[v];
    if (!u->scalar[v])
        return;
    u->scalar[v] = false;
    uint32_t pair = is_free(u, v) ? pair_of(u, v) : FW_NO_INDEX;
    for (uint32_t s = 0; pair != FW_NO_INDEX && s < u->source_count; s++)
        if (pair_of(u, u->sources[s]) == pair && home_of(u, u->sources[s]) == home_of(u, v))
            u->scalar[u->sources[s]] = false;
}

static void refuse_all(struct uniform *u, const struct reads *reads)
{
    for (unsigned r = 0; r < reads->count; r++)
        refuse(u, reads->values[r]);
}

/* A value that is read where nothing scalar can be: guards, old values, other phis, into which
 * (`anew`) a parameter is loaded anew. */
static void refuse_through(struct uniform *u, uint32_t v, bool anew)
{
    struct fw_operand operand = {.kind = FW_OPERAND_REGISTER, .value = v};
    struct reads reads = {.count = 0};
    struct reader reader = {.u = u, .reads = &reads};
    read_operand(&reader, &operand);
    for (unsigned r = 0; r < reads.count; r++)
        if (!anew || !is_free(u, reads.values[r]))
            refuse(u, reads.values[r]);
}

static void mark(struct uniform *u, uint32_t v)
{
    if (!u->useful[v]) {
        u->useful[v] = true;
        u->changed = true;
    }
}

/* Operations of threads that read a scalar register. */
static bool reads_scalar(const struct uniform *u, uint32_t i)
{
    const struct fw_lowered *lowered = lowered_of(u, i);
    unsigned issued = 0;
    for (unsigned c = 0; c < lowered->count; c++) {
        enum fw_machine operation = (enum fw_machine)lowered->at[c].operation;
        bool converts = operation == FW_MACHINE_I2FP || operation == FW_MACHINE_I2F;
        if (!converts && !twin(operation) && operation != FW_MACHINE_FLO)
            return false;
        issued += lowered->at[c].count;
    }
    return issued == 1 || (issued == 2 && lowered->count == 1 &&
                           (lowered->at[0].operation == FW_MACHINE_IADD3 ||
                            lowered->at[0].operation == FW_MACHINE_LEA ||
                            lowered->at[0].operation == FW_MACHINE_SEL));
}

static bool is_shared_access(const struct fw_instruction *at)
{
    return (at->opcode == FW_OP_LD || at->opcode == FW_OP_ST) && at->space == FW_SPACE_SHARED;
}

static bool compares_literal(const struct fw_instruction *at)
{
    for (unsigned o = at->destinations; o < at->operand_count; o++)
        if (at->operands[o].kind == FW_OPERAND_INTEGER)
            return true;
    return false;
}

/* An operation of threads: may it read the scalar values that it reads? */
static void check_reader(struct uniform *u, uint32_t i)
{
    const struct fw_instruction *at = instruction(u, i);
    struct reads reads = reads_of(u, i);
    unsigned scalars = 0, own = 0, shifted = 0;
    if (is_shared_access(at)) {
        for (unsigned o = 0; o < at->operand_count; o++)
            if (at->operands[o].kind == FW_OPERAND_REGISTER && at->opcode == FW_OP_ST)
                refuse_through(u, at->operands[o].value, false);
        for (unsigned r = 0; r < reads.count; r++)
            if (u->scalar[reads.values[r]] && !is_free(u, reads.values[r]))
                mark(u, reads.values[r]);
        return;
    }
    for (unsigned r = 0; r < reads.count; r++) {
        bool again = false;
        for (unsigned s = 0; s < r; s++)
            again |= reads.values[s] == reads.values[r];
        scalars += u->scalar[reads.values[r]] && !is_free(u, reads.values[r]) && !again;
        shifted += u->scalar[reads.values[r]] && reads.shifted[r];
        own += !u->scalar[reads.values[r]];
    }
    bool compare = at->opcode == FW_OP_SETP && reads.count == 1; /* with zero */
    bool converts = at->opcode == FW_OP_CVT || at->opcode == FW_OP_CLZ;
    bool fits = !reads.more && scalars <= 1 && shifted == 0 && reads.literals == 0 &&
                reads_scalar(u, i) && (own > 0 || compare || converts);
    if (!fits)
        refuse_all(u, &reads);
    else if (at->opcode != FW_OP_SETP || !compares_literal(at))
        for (unsigned r = 0; r < reads.count; r++)
            if (u->scalar[reads.values[r]])
                mark(u, reads.values[r]);
}

static uint32_t defined(const struct uniform *u, uint32_t i)
{
    return fw_lowering_value(u->work, i) == FW_NO_INDEX ? FW_NO_INDEX
                                                        : fw_lowering_value(u->work, i);
}

static void check_guard(struct uniform *u, const struct fw_instruction *at)
{
    if (at->guard == FW_NO_INDEX)
        return;
    refuse_through(u, at->guard_value, false);
    uint32_t count = at->prior_values ? fw_instruction_definitions(at, NULL, NULL) : 0;
    for (uint32_t i = 0; i < count; i++)
        refuse_through(u, at->prior_values[i], false);
}

static void check_instruction(struct uniform *u, uint32_t i)
{
    uint32_t v = defined(u, i);
    check_guard(u, instruction(u, i));
    if (is_clear(u, i) && instruction(u, i)->guard == FW_NO_INDEX)
        return;
    if (v == FW_NO_INDEX || !u->scalar[v]) {
        check_reader(u, i);
        return;
    }
    struct reads reads = reads_of(u, i);
    bool all = !reads.more;
    for (unsigned r = 0; r < reads.count; r++)
        all = all && u->scalar[reads.values[r]];
    if (!all) {
        refuse(u, v);
        return;
    }
    for (unsigned r = 0; u->useful[v] && r < reads.count; r++)
        mark(u, reads.values[r]);
}

/* The way into a loop: what a value of the threads starts with may be moved over from a scalar. */
static bool starts(const struct uniform *u, const struct fw_block *block, uint32_t p)
{
    const struct fw_function *function = u->work->function;
    if (block->loop == FW_NO_INDEX ||
        &function->blocks[function->loops[block->loop].header] != block)
        return false;
    /* What comes from inside is a latch. */
    return !fw_block_in_loop(function, block->predecessors[p], block->loop);
}

static void check_phi(struct uniform *u, const struct fw_block *block, const struct fw_phi *phi)
{
    bool all = u->scalar[phi->value];
    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        struct fw_operand operand = {.kind = FW_OPERAND_REGISTER, .value = phi->inputs[p]};
        struct reads reads = {.count = 0};
        struct reader reader = {.u = u, .reads = &reads};
        read_operand(&reader, &operand);
        for (unsigned r = 0; r < reads.count; r++) /* a parameter is loaded anew */
            all = all && (u->scalar[reads.values[r]] || is_free(u, reads.values[r]));
        for (unsigned r = 0; all && u->useful[phi->value] && r < reads.count; r++)
            mark(u, reads.values[r]);
    }
    if (all)
        return;
    refuse(u, phi->value);
    for (uint32_t p = 0; p < block->predecessor_count; p++)
        if (phi->inputs[p] != FW_NO_INDEX && !starts(u, block, p))
            refuse_through(u, phi->inputs[p], true);
}

static void check_all(struct uniform *u)
{
    const struct fw_function *function = u->work->function;
    for (uint32_t o = 0; o < function->order_count; o++) {
        const struct fw_block *block = &function->blocks[function->order[o]];
        for (uint32_t p = 0; p < block->phi_count; p++)
            if (u->work->read[block->phis[p].value])
                check_phi(u, block, &block->phis[p]);
        for (uint32_t i = block->first; i < block->end; i++)
            check_instruction(u, i);
    }
}

/* Made of a scalar that there is a use for: to bring that over would be dearer. */
static bool continues(const struct uniform *u, uint32_t v)
{
    const struct fw_value *value = &u->work->function->values[v];
    if (value->kind != FW_VALUE_INSTRUCTION)
        return false;
    struct reads reads = reads_of(u, value->definition);
    for (unsigned r = 0; r < reads.count; r++)
        if (u->scalar[reads.values[r]] && u->useful[reads.values[r]] &&
            !is_free(u, reads.values[r]))
            return true;
    return false;
}

/* Until nothing changes: what cannot be scalar is not, then what nobody has a use for is not
 * either. */
static void solve(struct uniform *u)
{
    uint32_t count = u->work->function->value_count;
    bool dropped = true;
    while (dropped) {
        do {
            u->changed = false;
            check_all(u);
        } while (u->changed);
        dropped = false;
        for (uint32_t v = 0; v < count; v++)
            if (u->scalar[v] && !u->useful[v] && !is_free(u, v) && !continues(u, v)) {
                u->scalar[v] = false;
                dropped = true;
            }
        memset(u->useful, 0, count * sizeof(*u->useful));
    }
}

/* Blocks of loops that threads of a warp leave at different times. */
static void find_divergent(struct uniform *u)
{
    const struct fw_function *function = u->work->function;
    for (uint32_t l = 0; l < function->loop_count; l++) {
        const struct fw_loop_info *loop = &function->loops[l];
        bool parts = false;
        for (uint32_t b = 0; b < loop->block_count; b++) {
            const struct fw_block *block = &function->blocks[loop->blocks[b]];
            if (block->end == block->first)
                continue;
            const struct fw_instruction *last = &function->instructions[block->end - 1];
            bool leaves = false;
            for (uint32_t s = 0; s < block->successor_count; s++) {
                leaves |= !fw_block_in_loop(function, block->successors[s], l);
            }
            parts |= leaves && last->guard != FW_NO_INDEX &&
                     u->level[last->guard_value] > FW_UNIFORM_WARP;
        }
        if (parts)
            u->divergent[loop->header] = 1;
    }
}

static void rewrite(struct uniform *u, uint32_t i)
{
    struct fw_lowered *lowered = &u->work->result->instructions[i];
    struct fw_buffer text = fw_buffer_new(u->work->arena);
    for (unsigned c = 0; c < lowered->count; c++) {
        const char *name = twin((enum fw_machine)lowered->at[c].operation);
        for (unsigned n = 0; n < lowered->at[c].count; n++)
            fw_buffer_printf(&text, "%s%s", text.length ? " " : "", name);
    }
    fw_lowering_list(lowered, u->work->arena, text.text);
}

/* Literals that start scalar values are moved there. */
static void rewrite_starts(struct uniform *u)
{
    const struct fw_function *function = u->work->function;
    bool *own = FW_ARRAY(u->work->arena, bool, function->value_count);
    bool *scalar = FW_ARRAY(u->work->arena, bool, function->value_count);
    for (uint32_t b = 0; b < function->block_count; b++)
        for (uint32_t p = 0; p < function->blocks[b].phi_count; p++) {
            const struct fw_phi *phi = &function->blocks[b].phis[p];
            for (uint32_t i = 0; i < function->blocks[b].predecessor_count; i++)
                if (u->work->read[phi->value] && phi->inputs[i] != FW_NO_INDEX)
                    (u->scalar[phi->value] ? scalar : own)[phi->inputs[i]] = true;
        }
    for (uint32_t v = 0; v < function->value_count; v++) {
        const struct fw_value *value = &function->values[v];
        if (!scalar[v] || own[v] || value->kind != FW_VALUE_INSTRUCTION ||
            !is_constant(instruction(u, value->definition)))
            continue;
        fw_lowering_list(&u->work->result->instructions[value->definition], u->work->arena, "UMOV");
    }
}

void fw_lowering_uniform(struct lowering *work)
{
    const struct fw_function *function = work->function;
    struct uniform u = {.work = work};
    if (work->column < 2 || function->value_count == 0)
        return;
    u.level = fw_pass_uniformity(work->arena, function);
    u.divergent = FW_ARRAY(work->arena, uint8_t, function->block_count);
    u.scalar = FW_ARRAY(work->arena, bool, function->value_count);
    u.useful = FW_ARRAY(work->arena, bool, function->value_count);
    find_divergent(&u);
    work->level = u.level;
    work->divergent = u.divergent;
    u.sources = FW_ARRAY(work->arena, uint32_t, function->value_count);
    for (uint32_t v = 0; v < function->value_count; v++) {
        u.scalar[v] = is_candidate(&u, v);
        if (is_free(&u, v))
            u.sources[u.source_count++] = v;
    }
    solve(&u);
    for (uint32_t v = 0; v < function->value_count; v++)
        if (u.scalar[v] && function->values[v].kind == FW_VALUE_INSTRUCTION && !is_free(&u, v))
            rewrite(&u, function->values[v].definition);
    rewrite_starts(&u);
    work->result->scalar = u.scalar;
    work->result->level = u.level;
    work->result->divergent = u.divergent;
}
