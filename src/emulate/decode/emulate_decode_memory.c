/* Loads, stores, atomics and copies. */
#include "checked.h"
#include "emulate_atomic.h"
#include "emulate_decode.h"
#include "emulate_special.h"

#include <string.h>

/* The address operand: slot a, immediate and space.  A kernel's parameters and constants lie in the
 * global address space, parameters of inlined calls in local memory. */
void fw_emulate_address(struct emulate_decoder *decoder, const struct fw_operand *operand,
                        enum fw_space space, struct emulate_memory *memory, uint32_t *slot,
                        int64_t *immediate)
{
    *immediate = operand->immediate;
    *slot = 0;
    if (operand->kind != FW_OPERAND_ADDRESS && operand->kind != FW_OPERAND_SYMBOL) {
        fw_emulate_refuse(decoder, "this kind of address");
        return;
    }
    if (operand->count)
        fw_emulate_refuse(decoder, "an address with coordinates");
    if (space == FW_SPACE_PARAM || space == FW_SPACE_CONST)
        space = operand->variable && space == FW_SPACE_CONST ? FW_SPACE_GLOBAL : FW_SPACE_GENERIC;
    memory->space = (uint8_t)space;
    if (operand->variable)
        *immediate =
            fw_wrapped_add(*immediate, (int64_t)fw_emulate_symbol_value(decoder, operand->variable,
                                                                        space == FW_SPACE_GENERIC));
    if (operand->index != FW_NO_INDEX) {
        const struct emulate_slot base = fw_emulate_register(decoder, operand);
        if (base.lane_bytes != 4 && base.lane_bytes != 8)
            fw_emulate_refuse(decoder, "an address register of this size");
        memory->has_address = true;
        memory->address_wide = base.lane_bytes == 8;
        *slot = base.offset;
    } else if (space == FW_SPACE_GENERIC && operand->variable) {
        /* known now which window it is */
        const uint64_t address = (uint64_t)*immediate;
        if (address - SHARED_WINDOW < SHARED_LIMIT) {
            memory->space = FW_SPACE_SHARED;
            *immediate = (int64_t)(address - SHARED_WINDOW);
        } else if (address - LOCAL_WINDOW < LOCAL_LIMIT) {
            memory->space = FW_SPACE_LOCAL;
            *immediate = (int64_t)(address - LOCAL_WINDOW);
        } else {
            memory->space = FW_SPACE_GLOBAL;
        }
    }
}

static void set_element(struct emulate_memory *memory, unsigned e, struct emulate_slot slot)
{
    memory->slots[e] = slot.offset;
    memory->wide[e] = slot.lane_bytes;
    memory->used[e] = true;
}

/* A store's value, a load's destination: the register as it is. */
static void load_element(struct emulate_decoder *decoder, struct emulate_memory *memory, unsigned e,
                         const struct fw_operand *operand)
{
    if (operand->kind == FW_OPERAND_SINK)
        return;
    if (operand->kind != FW_OPERAND_REGISTER) {
        fw_emulate_refuse(decoder, "a destination of this kind");
        return;
    }
    const struct emulate_slot slot = fw_emulate_register(decoder, operand);
    if (slot.lane_bytes == 0 || slot.lane_bytes < memory->bytes)
        fw_emulate_refuse(decoder, "the destination's register is too small");
    if (slot.lane_bytes == 16 && memory->bytes < 16)
        fw_emulate_refuse(decoder, "the destination's register is too large");
    set_element(memory, e, slot);
}

/* 16-bit registers are kept zero-extended. */
static void trim(struct emulate_decoder *decoder, const struct fw_operand *operand)
{
    if (operand->kind != FW_OPERAND_REGISTER ||
        fw_type_bits(decoder->function->registers[operand->index].type) != 16)
        return;
    struct emulate_micro *micro =
        fw_emulate_emit(decoder, decoder->lanes->convert[QUICK_EXTEND_44]);
    micro->d = micro->a = fw_emulate_register(decoder, operand).offset;
    micro->immediate = 0xffff;
}

static bool decode_load(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const enum fw_type type = (enum fw_type)at->types[0];
    struct emulate_memory *memory = FW_NEW(decoder->arena, struct emulate_memory);
    memory->bytes = (uint8_t)fw_type_bytes(type);
    memory->elements = at->vector;
    memory->extend = fw_type_class(type) == 's';
    if (at->operand_count < 2) {
        fw_emulate_refuse(decoder, "an operand is missing");
        return true;
    }
    const struct fw_operand *to = &at->operands[0];
    if (to->kind == FW_OPERAND_VECTOR && to->count == at->vector)
        for (unsigned e = 0; e < to->count; e++)
            load_element(decoder, memory, e, &to->elements[e]);
    else if (at->vector == 1)
        load_element(decoder, memory, 0, to);
    else
        fw_emulate_refuse(decoder, "a vector of another length");
    uint32_t slot;
    int64_t immediate;
    fw_emulate_address(decoder, &at->operands[1], (enum fw_space)at->space, memory, &slot,
                       &immediate);
    struct emulate_micro *micro = fw_emulate_emit(decoder, decoder->lanes->load);
    micro->a = slot;
    micro->immediate = immediate;
    micro->extra = memory;
    if (memory->extend && memory->bytes == 1) {
        if (to->kind == FW_OPERAND_VECTOR)
            for (unsigned e = 0; e < to->count; e++)
                trim(decoder, &to->elements[e]);
        else
            trim(decoder, to);
    }
    return true;
}

static bool decode_store(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const enum fw_type type = (enum fw_type)at->types[0];
    struct emulate_memory *memory = FW_NEW(decoder->arena, struct emulate_memory);
    memory->bytes = (uint8_t)fw_type_bytes(type);
    memory->elements = at->vector;
    memory->store = true;
    if (at->operand_count < 2 || fw_instruction_has(at, "async")) {
        fw_emulate_refuse(decoder, "this form");
        return true;
    }
    const struct fw_operand *from = &at->operands[1];
    const bool vector = from->kind == FW_OPERAND_VECTOR;
    if (at->vector != (vector ? from->count : 1))
        fw_emulate_refuse(decoder, "a vector of another length");
    for (unsigned e = 0; e < at->vector && !decoder->failure; e++) {
        const struct fw_operand *element = vector ? &from->elements[e] : from;
        struct emulate_slot slot = {0, (uint8_t)fw_emulate_lane_bytes(type)};
        if (element->kind == FW_OPERAND_REGISTER)
            slot = fw_emulate_register(decoder, element);
        else
            slot.offset = fw_emulate_source(decoder, element, type, slot.lane_bytes);
        if (slot.lane_bytes == 0 || slot.lane_bytes < memory->bytes ||
            (slot.lane_bytes == 16 && memory->bytes < 16))
            fw_emulate_refuse(decoder, "a register of another size");
        set_element(memory, e, slot);
    }
    uint32_t slot;
    int64_t immediate;
    fw_emulate_address(decoder, &at->operands[0], (enum fw_space)at->space, memory, &slot,
                       &immediate);
    struct emulate_micro *micro = fw_emulate_emit(decoder, decoder->lanes->store);
    micro->a = slot;
    micro->immediate = immediate;
    micro->extra = memory;
    return true;
}

/* Which operations an atomic of the type has. */
static bool atomic_known(unsigned mode, enum fw_type type)
{
    const bool is_float = fw_type_class(type) == 'f';
    switch (mode) {
    case FW_MODE_ADD:
        return fw_type_bits(type) <= 64;
    case FW_MODE_MIN:
    case FW_MODE_MAX:
    case FW_MODE_INC:
    case FW_MODE_DEC:
        return !is_float && fw_type_bits(type) <= 64;
    case FW_MODE_AND:
    case FW_MODE_OR:
    case FW_MODE_XOR:
    case FW_MODE_EXCH:
    case FW_MODE_CAS:
        return fw_type_bits(type) <= 64;
    default:
        return false;
    }
}

static bool decode_atomic(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const enum fw_type type = (enum fw_type)at->types[0];
    const unsigned first = at->opcode == FW_OP_ATOM;
    struct emulate_memory *memory = FW_NEW(decoder->arena, struct emulate_memory);
    memory->bytes = (uint8_t)fw_type_bytes(type);
    memory->elements = at->vector;
    memory->operation = at->mode;
    memory->type = (uint8_t)type;
    memory->store = memory->atomic = true;
    memory->flush = type == FW_TYPE_F32 && at->space == FW_SPACE_GLOBAL;
    const unsigned wanted = first + 2u + (at->mode == FW_MODE_CAS);
    if (!atomic_known(at->mode, type) || at->operand_count < wanted ||
        fw_instruction_has(at, "async") || memory->bytes < 2) {
        fw_emulate_refuse(decoder, "this operation or type");
        return true;
    }
    const unsigned lane_bytes = fw_emulate_lane_bytes(type);
    const struct fw_operand *value = &at->operands[first + 1];
    uint32_t b = 0, c = 0;
    for (unsigned e = 0; e < at->vector; e++) {
        const struct fw_operand *element =
            value->kind == FW_OPERAND_VECTOR && e < value->count ? &value->elements[e] : value;
        b = fw_emulate_source(decoder, element, type, lane_bytes);
        memory->sources[e] = b;
    }
    if (at->mode == FW_MODE_CAS)
        c = fw_emulate_source(decoder, &at->operands[first + 2], type, lane_bytes);
    if (first) {
        const struct fw_operand *to = &at->operands[0];
        for (unsigned e = 0; e < at->vector; e++)
            load_element(decoder, memory, e,
                         to->kind == FW_OPERAND_VECTOR && e < to->count ? &to->elements[e] : to);
    }
    uint32_t slot;
    int64_t immediate;
    fw_emulate_address(decoder, &at->operands[first], (enum fw_space)at->space, memory, &slot,
                       &immediate);
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_atomic);
    micro->a = slot;
    micro->b = b;
    micro->c = c;
    micro->immediate = immediate;
    micro->extra = memory;
    return true;
}

/* cp.async of 4, 8 or 16 bytes, done at once; its groups and waits have nothing left to do. */
static bool decode_copy(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    if (!fw_instruction_has(at, "async") || fw_instruction_has(at, "bulk") ||
        fw_instruction_has(at, "mbarrier"))
        return false;
    if (at->operand_count < 3) {
        if (!fw_instruction_has(at, "commit_group") && !fw_instruction_has(at, "wait_group") &&
            !fw_instruction_has(at, "wait_all"))
            return false;
        fw_emulate_emit(decoder, fw_emulate_run_nothing);
        return true;
    }
    struct emulate_memory *memory = FW_NEW(decoder->arena, struct emulate_memory);
    struct emulate_memory source = {0};
    const int64_t size = at->operands[2].immediate;
    uint32_t slot, from, read = 0;
    int64_t immediate, source_offset;
    memory->elements = 1;
    memory->bytes = (uint8_t)size;
    memory->copy = (uint32_t)size;
    if (at->operands[2].kind != FW_OPERAND_INTEGER || (size != 4 && size != 8 && size != 16))
        fw_emulate_refuse(decoder, "this size");
    if (at->operand_count > 3) {
        if (at->operand_count > 4 || fw_instruction_has(at, "L2::cache_hint"))
            fw_emulate_refuse(decoder, "a cache policy");
        const struct fw_operand *ignored = &at->operands[3];
        if (ignored->kind == FW_OPERAND_REGISTER &&
            fw_emulate_register(decoder, ignored).lane_bytes == 0)
            fw_emulate_refuse(decoder, "ignore-src");
        memory->partial = true;
        read = fw_emulate_source(decoder, ignored, FW_TYPE_U32, 4);
    }
    fw_emulate_address(decoder, &at->operands[0], FW_SPACE_SHARED, memory, &slot, &immediate);
    fw_emulate_address(decoder, &at->operands[1], FW_SPACE_GLOBAL, &source, &from, &source_offset);
    if (!source.has_address)
        from = fw_emulate_constant(decoder, 0, 8);
    else if (!source.address_wide)
        fw_emulate_refuse(decoder, "an address of 32 bits");
    memory->source_offset = source_offset;
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_copy);
    micro->a = slot;
    micro->b = from;
    micro->c = read;
    micro->immediate = immediate;
    micro->extra = memory;
    return true;
}

bool fw_emulate_decode_memory(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const unsigned space = at->space;
    const bool shared_cluster = fw_instruction_has(at, "shared::cluster");
    switch (at->opcode) {
    case FW_OP_LD:
    case FW_OP_LDU:
    case FW_OP_ST:
    case FW_OP_ATOM:
    case FW_OP_RED:
        if (space == FW_SPACE_TEX || shared_cluster) {
            fw_emulate_refuse(decoder, "this state space");
            return true;
        }
        if (at->vector > MAX_ELEMENTS || at->vector == 0) {
            fw_emulate_refuse(decoder, "a vector of this length");
            return true;
        }
        if (at->opcode == FW_OP_ST)
            return decode_store(decoder);
        return at->opcode == FW_OP_LD || at->opcode == FW_OP_LDU ? decode_load(decoder)
                                                                 : decode_atomic(decoder);
    case FW_OP_CP:
        return decode_copy(decoder);
    case FW_OP_PREFETCH:
    case FW_OP_PREFETCHU:
    case FW_OP_APPLYPRIORITY:
    case FW_OP_DISCARD:
        fw_emulate_emit(decoder, fw_emulate_run_nothing);
        return true;
    default:
        return false;
    }
}
