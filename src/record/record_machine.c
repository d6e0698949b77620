/* The machine layer of the record: what each instruction is lowered to, and registers by liveness.
 */
#include "record_internal.h"

#include "liveness.h"
#include "lowering.h"

enum {
    MOST_READ = 8,
    FACTORS = 2 /* operands that come first */
};

/* Machine operations under the names that PTX has for them. */
static const char *portable_name(enum fw_machine operation)
{
    switch (operation) {
    case FW_MACHINE_FFMA:
    case FW_MACHINE_DFMA:
    case FW_MACHINE_HFMA2:
        return "fma";
    case FW_MACHINE_FADD:
    case FW_MACHINE_DADD:
    case FW_MACHINE_HADD2:
    case FW_MACHINE_IADD3:
        return "add";
    case FW_MACHINE_FMUL:
    case FW_MACHINE_DMUL:
    case FW_MACHINE_HMUL2:
        return "mul";
    case FW_MACHINE_IMAD:
    case FW_MACHINE_IMAD_WIDE:
    case FW_MACHINE_IMAD_HI:
        return "mad";
    case FW_MACHINE_FSETP:
    case FW_MACHINE_DSETP:
    case FW_MACHINE_HSETP2:
    case FW_MACHINE_ISETP:
        return "setp";
    case FW_MACHINE_SHF:
        return "shift";
    case FW_MACHINE_HMMA:
    case FW_MACHINE_IMMA:
    case FW_MACHINE_DMMA:
        return "mma";
    default:
        return NULL;
    }
}

static const char *small_letters(struct fw_arena *arena, const char *name)
{
    char *text = fw_arena_printf(arena, "%s", name);
    for (char *c = text; *c; c++)
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c + 32 : *c);
    return text;
}

/* Registers of a thread that an instruction's machine operations read: each value counts once,
 * those of 64 bits twice.  Read through what issues nothing of its own: what has been merged into
 * the instruction, and moves.  Parameters, literals and what lies on the scalar datapath are no
 * registers of a thread. */
struct reading {
    struct builder *b;
    const struct fw_lowering *lowering;
    uint32_t values[MOST_READ];
    uint32_t count, registers, depth;
    uint32_t result; /* FW_NO_INDEX: none, or several */
};

static void read_operand(void *user, struct fw_operand *operand)
{
    struct reading *reading = user;
    const struct fw_function *function = reading->b->function;
    const uint32_t v = operand->value;
    if (v == FW_NO_INDEX || (reading->lowering->scalar && reading->lowering->scalar[v]))
        return;
    const struct fw_value *value = &function->values[v];
    if (value->kind == FW_VALUE_INSTRUCTION) {
        const struct fw_instruction *from = &function->instructions[value->definition];
        bool issues = reading->lowering->instructions[value->definition].count > 0;
        if (from->opcode == FW_OP_LD && from->space == FW_SPACE_PARAM)
            return;
        if (!issues && from->guard == FW_NO_INDEX) {
            if (reading->depth++ < MOST_READ)
                fw_instruction_uses(from, read_operand, reading);
            return;
        }
    }
    for (uint32_t k = 0; k < reading->count; k++)
        if (reading->values[k] == v)
            return;
    enum fw_type type = function->registers[value->reg].type;
    if (type == FW_TYPE_PRED || reading->count == MOST_READ)
        return;
    reading->values[reading->count++] = v;
    reading->registers += (fw_type_bits(type) + 31) / 32;
}

/* Whether an operation reads one of the factors that its predecessor has read: it is kept for one
 * operation more (".reuse" of the disassembler).  One that needs its predecessor's result does not
 * follow it at once. */
static bool reads_again(const struct reading *reading, const struct reading *before)
{
    bool again = false;
    for (uint32_t k = 0; k < reading->count; k++) {
        if (before->result != FW_NO_INDEX && reading->values[k] == before->result)
            return false;
        for (uint32_t j = 0; j < before->count; j++)
            again |= k < FACTORS && j < FACTORS && reading->values[k] == before->values[j];
    }
    return again;
}

/* Of each of the operations that an instruction becomes.  `before`: the one ahead of it, then
 * this one. */
static uint32_t reads_of(struct builder *b, const struct fw_lowering *lowering, uint32_t i,
                         struct reading *before)
{
    const struct fw_lowered *lowered = &lowering->instructions[i];
    const struct fw_instruction *at = &b->function->instructions[i];
    struct reading reading = {.b = b, .lowering = lowering, .result = FW_NO_INDEX};
    uint32_t operations = 0, registers;
    for (uint32_t m = 0; m < lowered->count; m++)
        operations += lowered->at[m].count;
    if (!operations)
        return 0;
    fw_instruction_uses(at, read_operand, &reading);
    if (at->destinations == 1)
        reading.result = at->operands[0].value;
    registers = reading.registers - (reads_again(&reading, before) ? 1 : 0);
    *before = reading;
    return registers / operations;
}

/* Of an instruction's operations of one kind those that the FMA unit has a form of, too, as ptxas
 * 13.0 writes them for sm_90: moves (IMAD.MOV), sums of two numbers (IMAD.IADD, VIADD; of 64 bits
 * the upper word's, IMAD.X), and shifts of a word to the left by a literal (IMAD.SHL).  Other
 * shifts, and sums of three, are the ALU's alone. */
static uint32_t either_of(const struct fw_instruction *at, const struct fw_machine_count *of,
                          uint32_t reads)
{
    enum { SUMMED = 2, WORDS = 2 };
    const bool left = (at->opcode == FW_OP_SHL && at->operands[2].kind == FW_OPERAND_INTEGER) ||
                      (at->opcode == FW_OP_MUL && fw_instruction_has(at, "lo")) ||
                      (at->opcode == FW_OP_CVT && at->types[0] == FW_TYPE_F32);
    switch ((enum fw_machine)of->operation) {
    case FW_MACHINE_MOV:
        return of->count < UINT8_MAX ? of->count : UINT8_MAX;
    case FW_MACHINE_IADD3:
        return reads <= SUMMED && of->count <= WORDS;
    case FW_MACHINE_SHF:
        return left && of->count <= WORDS;
    default:
        return 0;
    }
}

static void fill(struct builder *b, uint32_t i, const struct fw_lowered *lowered,
                 const char **names, uint32_t reads, const uint8_t *level)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    struct fw_scheduled *row = &b->kernel->schedule[i];
    row->machine = FW_ARRAY(b->arena, struct fw_machine_operation, lowered->count);
    row->machine_count = lowered->count;
    row->matched = record_matched(b, at, level);
    for (uint32_t m = 0; m < lowered->count; m++) {
        const struct fw_machine_count *from = &lowered->at[m];
        enum fw_machine operation = (enum fw_machine)from->operation;
        const char *name = fw_machine_text(operation);
        if (!names[operation])
            names[operation] =
                portable_name(operation) ? portable_name(operation) : small_letters(b->arena, name);
        row->machine[m] =
            (struct fw_machine_operation){.operation = names[operation],
                                          .name = name,
                                          .pipe = fw_pipe_text(fw_machine_pipe(operation)),
                                          .type = (enum fw_type)from->type,
                                          .times = from->count,
                                          .every = from->every ? from->every : 1,
                                          .reads = (uint8_t)reads,
                                          .either = (uint8_t)either_of(at, from, reads),
                                          .guarded = from->guarded};
    }
}

static void record_pressures(struct builder *b, const struct fw_registers *registers)
{
    struct fw_resources *resources = &b->kernel->resources;
    resources->pressures = FW_ARRAY(b->arena, struct fw_pressure, registers->block_count + 1);
    for (uint32_t i = 0; i < registers->block_count; i++) {
        const struct fw_block_registers *block = &registers->blocks[i];
        if (block->first < b->kernel->schedule_count)
            resources->pressures[resources->pressure_count++] =
                (struct fw_pressure){.domain = b->kernel->schedule[block->first].domain,
                                     .need = block->need,
                                     .loaded = block->loaded,
                                     .common = block->common,
                                     .others = block->others,
                                     .idle = block->idle,
                                     .ahead = block->ahead,
                                     .ahead_need = block->ahead_need};
    }
}

/* Blocks under a predicate are issued wherever their branch would be. */
static void record_predicates(struct builder *b, const struct fw_lowering *lowering)
{
    for (uint32_t k = 0; k < b->function->block_count; k++) {
        const struct fw_block *block = &b->function->blocks[k];
        uint32_t branch = lowering->predicated[k];
        for (uint32_t i = block->first; i < block->end && branch != FW_NO_INDEX; i++) {
            b->kernel->schedule[i].predicated = true;
            b->kernel->schedule[i].issued = b->kernel->schedule[branch].domain;
        }
    }
}

static void record_places(struct builder *b, const struct fw_lowering *lowering)
{
    for (uint32_t k = 0; k < b->function->block_count; k++) {
        const struct fw_block *block = &b->function->blocks[k];
        for (uint32_t i = block->first; i < block->end && lowering->tables[k]; i++)
            b->kernel->schedule[i].tabled = true;
        if (lowering->places[k] != FW_NO_INDEX)
            b->kernel->schedule[block->first].is_place = true;
    }
}

void record_machine(struct builder *b, uint32_t capability)
{
    struct fw_lowering *lowering = NULL;
    struct fw_registers registers;
    struct reading before = {.result = FW_NO_INDEX};
    const char **names = FW_ARRAY(b->arena, const char *, FW_MACHINE_COUNT);
    if (fw_lower(&lowering, b->arena, b->function, capability) == FW_OK) {
        b->kernel->capability = capability;
        b->kernel->unlowered = lowering->unknown_count;
        for (uint32_t i = 0; i < lowering->instruction_count; i++)
            fill(b, i, &lowering->instructions[i], names, reads_of(b, lowering, i, &before),
                 lowering->level);
        record_predicates(b, lowering);
        record_places(b, lowering);
        for (uint32_t l = 0; l < b->kernel->loop_count; l++) {
            b->kernel->loops[l].at_once = lowering->iterations[b->function->loops[l].header];
            b->kernel->loops[l].counts_rest = lowering->counts_rest[b->function->loops[l].header];
        }
    }
    if (fw_registers_estimate(&registers, b->arena, b->function, lowering) == FW_OK) {
        b->kernel->resources.registers = registers.estimate;
        b->kernel->resources.registers_source = "liveness";
        record_pressures(b, &registers);
    }
}
