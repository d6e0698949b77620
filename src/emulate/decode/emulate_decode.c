/* Slots, operands and the walk over the instructions. */
#include "emulate_decode.h"

#include "emulate_convert.h"
#include "emulate_number.h"
#include "emulate_special.h"

#include <stdio.h>

enum {
    SCRATCH_START = TRASH_SLOT + 512,
    SCRATCH_SLOTS = 16,
    SCRATCH_BYTES = 512,
    FRAME_START = SCRATCH_START + SCRATCH_SLOTS * SCRATCH_BYTES
};

unsigned fw_emulate_lane_bytes(enum fw_type type)
{
    const unsigned bits = fw_type_bits(type);
    return bits <= 32 ? 4 : bits <= 64 ? 8 : 16;
}

static uint32_t reserve(struct emulate_decoder *decoder, unsigned lane_bytes)
{
    const uint32_t bytes = lane_bytes ? lane_bytes * LANES : 4;
    uint32_t *end = &decoder->code->frame_bytes;
    if (lane_bytes)
        *end = (*end + 63) / 64 * 64;
    const uint32_t offset = *end;
    *end += bytes;
    return offset;
}

uint32_t fw_emulate_temporary(struct emulate_decoder *decoder, unsigned lane_bytes)
{
    if (decoder->scratch < SCRATCH_SLOTS)
        return SCRATCH_START + SCRATCH_BYTES * decoder->scratch++;
    return reserve(decoder, lane_bytes);
}

uint32_t fw_emulate_constant(struct emulate_decoder *decoder, uint64_t value, unsigned lane_bytes)
{
    struct emulate_code *code = decoder->code;
    for (size_t i = 0; i < code->constants.count; i++)
        if (code->constants.at[i].value == value && code->constants.at[i].lane_bytes == lane_bytes)
            return code->constants.at[i].offset;
    struct emulate_constant *constant = FW_APPEND(decoder->arena, &code->constants);
    *constant = (struct emulate_constant){value, reserve(decoder, lane_bytes), (uint8_t)lane_bytes};
    return constant->offset;
}

struct emulate_micro *fw_emulate_emit(struct emulate_decoder *decoder, emulate_handler *run)
{
    struct emulate_micro *micro = FW_APPEND(decoder->arena, &decoder->code->micros);
    const struct fw_instruction *at = decoder->at;
    micro->run = run;
    micro->instruction = decoder->index;
    micro->counter = decoder->counter;
    decoder->counter = FW_NO_INDEX;
    if (at->guard != FW_NO_INDEX) {
        micro->guard = decoder->registers[at->guard].offset;
        micro->guard_flip = at->guard_negated ? UINT32_MAX : 0;
    }
    return micro;
}

void fw_emulate_refuse(struct emulate_decoder *decoder, const char *reason)
{
    if (!decoder->failure)
        decoder->failure = reason;
}

struct emulate_slot fw_emulate_register(const struct emulate_decoder *decoder,
                                        const struct fw_operand *operand)
{
    return decoder->registers[operand->index];
}

const struct emulate_symbol *fw_emulate_symbol(const struct emulate_code *code,
                                               const struct fw_variable *variable)
{
    for (size_t i = 0; i < code->symbols.count; i++)
        if (code->symbols.at[i].variable == variable)
            return &code->symbols.at[i];
    return NULL;
}

uint64_t fw_emulate_symbol_value(struct emulate_decoder *decoder,
                                 const struct fw_variable *variable, bool generic)
{
    const struct emulate_symbol *symbol = fw_emulate_symbol(decoder->code, variable);
    if (!symbol) {
        fw_emulate_refuse(decoder, "a variable of this kind has no address here");
        return 0;
    }
    if (symbol->staged || (generic && variable->space == FW_SPACE_LOCAL))
        return symbol->address + LOCAL_WINDOW;
    return symbol->address + (generic && variable->space == FW_SPACE_SHARED ? SHARED_WINDOW : 0);
}

/* A literal's bits as the type. */
static uint64_t literal(const struct fw_operand *operand, enum fw_type type)
{
    const uint64_t bits = (uint64_t)operand->immediate;
    const unsigned width = fw_type_bits(type);
    if (operand->kind == FW_OPERAND_INTEGER)
        return width < 64 ? bits & (((uint64_t)1 << width) - 1) : bits;
    if (fw_type_class(type) != 'f') /* its bits as they were written */
        return operand->single ? bits & UINT32_MAX : bits;
    const f64 value = operand->single ? (f64)from32((u32)bits) : from64(bits);
    if (type == FW_TYPE_F32 && operand->single)
        return bits & UINT32_MAX;
    return fw_number_float_known(type) ? fw_number_encode(type, value, FW_ROUND_RN, false) : bits;
}

/* Special registers that are the same for the whole launch; false: it depends on more. */
static bool uniform_special(const struct emulate_decoder *decoder, uint32_t which, uint64_t *value)
{
    const uint32_t threads =
        decoder->block_size[0] * decoder->block_size[1] * decoder->block_size[2];
    const uint32_t *cluster = decoder->code->cluster;
    *value = 0;
    switch (which) {
    case FW_SREG_NTID_X:
    case FW_SREG_NTID_Y:
    case FW_SREG_NTID_Z:
        *value = decoder->block_size[which - FW_SREG_NTID_X];
        return true;
    case FW_SREG_NCTAID_X:
    case FW_SREG_NCTAID_Y:
    case FW_SREG_NCTAID_Z:
        *value = decoder->grid[which - FW_SREG_NCTAID_X];
        return true;
    case FW_SREG_NCLUSTERID_X:
    case FW_SREG_NCLUSTERID_Y:
    case FW_SREG_NCLUSTERID_Z:
        *value =
            decoder->grid[which - FW_SREG_NCLUSTERID_X] / cluster[which - FW_SREG_NCLUSTERID_X];
        return true;
    case FW_SREG_NWARPID:
        *value = (threads + LANES - 1) / LANES;
        return true;
    case FW_SREG_NSMID:
        *value = 1;
        return true;
    case FW_SREG_CLUSTER_NCTAID_X:
    case FW_SREG_CLUSTER_NCTAID_Y:
    case FW_SREG_CLUSTER_NCTAID_Z:
        *value = cluster[which - FW_SREG_CLUSTER_NCTAID_X];
        return true;
    case FW_SREG_CLUSTER_NCTARANK:
        *value = (uint64_t)cluster[0] * cluster[1] * cluster[2];
        return true;
    case FW_SREG_DYNAMIC_SMEM_SIZE:
        *value = decoder->dynamic_shared;
        return true;
    case FW_SREG_TOTAL_SMEM_SIZE:
    case FW_SREG_AGGR_SMEM_SIZE:
        *value = decoder->code->shared_total;
        return true;
    case FW_SREG_SMID:
    case FW_SREG_GRIDID:
        return true;
    case FW_SREG_IS_EXPLICIT_CLUSTER:
        *value = decoder->function->explicit_cluster;
        return true;
    default:
        return false;
    }
}

static uint32_t special_slot(struct emulate_decoder *decoder, const struct fw_operand *operand,
                             enum fw_type type, unsigned lane_bytes)
{
    const uint32_t which = operand->index;
    uint64_t value;
    if (uniform_special(decoder, which, &value))
        return fw_emulate_constant(decoder, value, lane_bytes);
    if (which == FW_SREG_RESERVED) {
        /* %envreg: OpenCL's global offset and the like, which are zero */
        if (strncmp(operand->name, "%envreg", 7) != 0)
            fw_emulate_refuse(decoder, "this special register is not emulated");
        return fw_emulate_constant(decoder, 0, lane_bytes);
    }
    if (which >= FW_SREG_CLOCK && which <= FW_SREG_GLOBALTIMER_HI) {
        const uint32_t slot = fw_emulate_temporary(decoder, lane_bytes);
        struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_clock);
        micro->d = slot;
        micro->small[0] = (uint8_t)lane_bytes;
        micro->small[1] = which == FW_SREG_CLOCK_HI || which == FW_SREG_GLOBALTIMER_HI;
        return slot;
    }
    uint32_t *slot = &decoder->code->special[which];
    if (!*slot)
        *slot = reserve(decoder, 4);
    if (lane_bytes == 4)
        return *slot;
    const uint32_t wide = fw_emulate_temporary(decoder, lane_bytes);
    struct emulate_micro *micro =
        fw_emulate_emit(decoder, decoder->lanes->convert[QUICK_EXTEND_48]);
    (void)type;
    micro->d = wide;
    micro->a = *slot;
    micro->immediate = UINT32_MAX;
    return wide;
}

/* A register's value in a slot of another width. */
static uint32_t resized(struct emulate_decoder *decoder, struct emulate_slot slot,
                        enum fw_type type, unsigned lane_bytes)
{
    if (slot.lane_bytes == lane_bytes || (slot.lane_bytes == 16 && lane_bytes == 8))
        return slot.offset;
    if (slot.lane_bytes == 0 || lane_bytes == 0 || lane_bytes == 16) {
        fw_emulate_refuse(decoder, "an operand's register has another size than the instruction");
        return slot.offset;
    }
    const bool narrow = lane_bytes == 4, is_signed = fw_type_class(type) == 's';
    const uint32_t to = fw_emulate_temporary(decoder, lane_bytes);
    struct emulate_micro *micro =
        fw_emulate_emit(decoder, decoder->lanes->convert[narrow      ? QUICK_EXTEND_84
                                                         : is_signed ? QUICK_SIGN_48
                                                                     : QUICK_EXTEND_48]);
    micro->d = to;
    micro->a = slot.offset;
    micro->immediate = UINT32_MAX;
    return to;
}

static uint32_t predicate_source(struct emulate_decoder *decoder, const struct fw_operand *operand)
{
    uint32_t word;
    if (operand->kind == FW_OPERAND_INTEGER) {
        word = fw_emulate_constant(decoder, operand->immediate ? UINT32_MAX : 0, 0);
    } else if (operand->kind == FW_OPERAND_REGISTER) {
        const struct emulate_slot slot = fw_emulate_register(decoder, operand);
        if (slot.lane_bytes)
            fw_emulate_refuse(decoder, "an operand is no predicate");
        word = slot.offset;
    } else if (operand->kind == FW_OPERAND_SPECIAL &&
               operand->index == FW_SREG_IS_EXPLICIT_CLUSTER) {
        word = fw_emulate_constant(decoder, 0, 0);
    } else {
        fw_emulate_refuse(decoder, "an operand is no predicate");
        return TRASH_SLOT;
    }
    if (!operand->negated)
        return word;
    const uint32_t to = fw_emulate_temporary(decoder, 0);
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_predicate);
    micro->d = to;
    micro->a = micro->b = word;
    micro->small[0] = PREDICATE_NOT;
    return to;
}

uint32_t fw_emulate_source(struct emulate_decoder *decoder, const struct fw_operand *operand,
                           enum fw_type type, unsigned lane_bytes)
{
    if (lane_bytes == 0)
        return predicate_source(decoder, operand);
    if (operand->negated || (operand->selector && operand->selector != FW_SELECT_GENERIC))
        fw_emulate_refuse(decoder, "a negated or selected operand is not emulated here");
    switch (operand->kind) {
    case FW_OPERAND_REGISTER:
        return resized(decoder, fw_emulate_register(decoder, operand), type, lane_bytes);
    case FW_OPERAND_INTEGER:
    case FW_OPERAND_FLOAT:
        return fw_emulate_constant(decoder, literal(operand, type), lane_bytes);
    case FW_OPERAND_SPECIAL:
        return special_slot(decoder, operand, type, lane_bytes);
    case FW_OPERAND_SYMBOL:
    case FW_OPERAND_ADDRESS:
        if (operand->variable && operand->index == FW_NO_INDEX) {
            const bool generic = operand->selector == FW_SELECT_GENERIC;
            const uint64_t value = fw_emulate_symbol_value(decoder, operand->variable, generic) +
                                   (uint64_t)operand->immediate;
            if (lane_bytes == 4 && value >> 32)
                fw_emulate_refuse(decoder, "an address of 64 bits in a register of 32");
            return fw_emulate_constant(decoder, value, lane_bytes);
        }
        break;
    default:
        break;
    }
    fw_emulate_refuse(decoder, operand->kind == FW_OPERAND_FUNCTION
                                   ? "functions have no addresses here"
                                   : "an operand of this kind is not emulated here");
    return TRASH_SLOT;
}

uint32_t fw_emulate_source_at(struct emulate_decoder *decoder, unsigned which, enum fw_type type,
                              unsigned lane_bytes)
{
    if (which >= decoder->at->operand_count) {
        fw_emulate_refuse(decoder, "an operand is missing");
        return TRASH_SLOT;
    }
    return fw_emulate_source(decoder, &decoder->at->operands[which], type, lane_bytes);
}

uint32_t fw_emulate_destination(struct emulate_decoder *decoder, const struct fw_operand *operand,
                                unsigned lane_bytes)
{
    if (operand->kind == FW_OPERAND_SINK)
        return TRASH_SLOT;
    if (operand->kind != FW_OPERAND_REGISTER) {
        fw_emulate_refuse(decoder, "a destination of this kind is not emulated");
        return TRASH_SLOT;
    }
    const struct emulate_slot slot = fw_emulate_register(decoder, operand);
    if (slot.lane_bytes != lane_bytes)
        fw_emulate_refuse(decoder, "the destination's register has another size than the result");
    return slot.offset;
}

/* "mma.sync.aligned...", as written up to the operands. */
static char *mnemonic_of(struct fw_arena *arena, const struct fw_instruction *instruction)
{
    struct fw_buffer text = fw_buffer_new(arena);
    fw_buffer_printf(&text, "%s", instruction->name);
    for (unsigned i = 0; i < instruction->modifier_count; i++)
        fw_buffer_printf(&text, ".%s", instruction->modifiers[i]);
    return text.text;
}

static void decode_instruction(struct emulate_decoder *decoder)
{
    struct emulate_code *code = decoder->code;
    const size_t before = code->micros.count;
    const struct fw_instruction *at = decoder->at;
    decoder->failure = NULL;
    decoder->scratch = 0;
    decoder->counter = FW_NO_INDEX;
    uint32_t counter = FW_NO_INDEX;
    if (at->guard != FW_NO_INDEX) {
        counter = (uint32_t)code->guarded.count;
        FW_APPEND(decoder->arena, &code->guarded)->instruction = decoder->index;
        decoder->counter = counter;
    }
    const bool known = fw_emulate_decode_math(decoder) || fw_emulate_decode_move(decoder) ||
                       fw_emulate_decode_memory(decoder) || fw_emulate_decode_matrix(decoder) ||
                       fw_emulate_decode_control(decoder);
    if (!known)
        fw_emulate_refuse(decoder, "no emulation of this instruction");
    if (!decoder->failure)
        return;
    code->micros.count = before;
    memset(&code->micros.at[before], 0, (code->micros.capacity - before) * sizeof *code->micros.at);
    decoder->counter = counter;
    struct emulate_micro *micro = fw_emulate_emit(decoder, NULL);
    struct emulate_fault_text *text = FW_NEW(decoder->arena, struct emulate_fault_text);
    micro->control = CONTROL_FAULT;
    micro->extra = text;
    text->code = "EMU010";
    text->message = fw_arena_printf(decoder->arena, "'%s' cannot be emulated: %s",
                                    mnemonic_of(decoder->arena, at), decoder->failure);
}

static void place_registers(struct emulate_decoder *decoder)
{
    const struct fw_function *function = decoder->function;
    struct emulate_code *code = decoder->code;
    decoder->registers = FW_ARRAY(decoder->arena, struct emulate_slot, function->register_count);
    code->frame_bytes = FRAME_START;
    code->registers_start = FRAME_START;
    for (uint32_t pass = 0; pass < 2; pass++) /* predicates together */
        for (uint32_t i = 0; i < function->register_count; i++) {
            const enum fw_type type = function->registers[i].type;
            const bool predicate = type == FW_TYPE_PRED;
            if (predicate != (pass == 0))
                continue;
            const unsigned bytes = predicate ? 0 : fw_emulate_lane_bytes(type);
            decoder->registers[i] = (struct emulate_slot){reserve(decoder, bytes), (uint8_t)bytes};
        }
    code->registers_end = code->frame_bytes;
}

static void resolve_branches(struct emulate_code *code)
{
    for (size_t i = 0; i < code->micros.count; i++) {
        struct emulate_micro *micro = &code->micros.at[i];
        if (micro->control == CONTROL_BRANCH)
            micro->immediate = code->block_start[micro->immediate];
        if (micro->control == CONTROL_BRX) {
            struct emulate_table *table = micro->extra;
            for (uint32_t k = 0; k < table->count; k++)
                table->targets[k] = code->block_start[table->targets[k]];
        }
    }
}

void fw_emulate_decode_function(struct emulate_decoder *decoder)
{
    const struct fw_function *function = decoder->function;
    struct emulate_code *code = decoder->code;
    place_registers(decoder);
    for (unsigned d = 0; d < 3; d++)
        code->cluster[d] = function->required_cluster[d] ? function->required_cluster[d] : 1;
    code->block_start = FW_ARRAY(decoder->arena, uint32_t, function->block_count + 1);
    for (uint32_t b = 0; b < function->block_count; b++) {
        const struct fw_block *block = &function->blocks[b];
        const bool ends = decoder->ends && decoder->ends[b];
        code->block_start[b] = (uint32_t)code->micros.count;
        struct emulate_micro *micro = FW_APPEND(decoder->arena, &code->micros);
        *micro = (struct emulate_micro){.control = CONTROL_BLOCK,
                                        .a = b,
                                        .instruction = block->first,
                                        .immediate = ends ? 0 : block->end - block->first};
        if (ends)
            *FW_APPEND(decoder->arena, &code->micros) = (struct emulate_micro){
                .control = CONTROL_EXIT, .counter = FW_NO_INDEX, .instruction = block->first};
        decoder->block = b;
        for (uint32_t i = block->first; i < block->end; i++) {
            decoder->index = i;
            decoder->at = &function->instructions[i];
            decode_instruction(decoder);
        }
    }
    code->block_start[function->block_count] = (uint32_t)code->micros.count;
    *FW_APPEND(decoder->arena, &code->micros) = (struct emulate_micro){
        .control = CONTROL_EXIT,
        .counter = FW_NO_INDEX,
        .instruction = function->instruction_count ? function->instruction_count - 1 : 0};
    resolve_branches(code);
    code->frame_bytes = (code->frame_bytes + 4095) / 4096 * 4096 + 256;
}
