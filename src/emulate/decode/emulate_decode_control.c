/* Branches, calls, barriers and operations among the lanes of a warp. */
#include "emulate_decode.h"
#include "emulate_special.h"

#include <string.h>

static uint32_t block_of_label(const struct emulate_decoder *decoder, uint32_t label)
{
    const struct fw_function *function = decoder->function;
    const uint32_t instruction = function->labels[label].instruction;
    if (instruction >= function->instruction_count)
        return function->block_count;
    uint32_t low = 0, high = function->block_count;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (function->blocks[middle].first <= instruction)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void decode_branch(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    if (at->opcode == FW_OP_BRA) {
        if (at->target_count != 1) {
            fw_emulate_refuse(decoder, "this form");
            return;
        }
        struct emulate_micro *micro = fw_emulate_emit(decoder, NULL);
        micro->control = CONTROL_BRANCH;
        micro->b = decoder->block;
        micro->immediate = block_of_label(decoder, at->targets[0]);
        return;
    }
    if (at->guard != FW_NO_INDEX) {
        fw_emulate_refuse(decoder, "a guarded branch by index");
        return;
    }
    const uint32_t index = fw_emulate_source_at(decoder, 0, FW_TYPE_U32, 4);
    struct emulate_table *table = FW_NEW(decoder->arena, struct emulate_table);
    table->count = at->target_count;
    table->targets = FW_ARRAY(decoder->arena, uint32_t, at->target_count);
    for (uint32_t k = 0; k < table->count; k++)
        table->targets[k] = block_of_label(decoder, at->targets[k]);
    struct emulate_micro *micro = fw_emulate_emit(decoder, NULL);
    micro->control = CONTROL_BRX;
    micro->a = index;
    micro->b = decoder->block;
    micro->extra = table;
}

static void emit_fault(struct emulate_decoder *decoder, const char *code, const char *message)
{
    struct emulate_micro *micro = fw_emulate_emit(decoder, NULL);
    struct emulate_fault_text *text = FW_NEW(decoder->arena, struct emulate_fault_text);
    text->code = code;
    text->message = message;
    micro->control = CONTROL_FAULT;
    micro->extra = text;
}

/* printf prints nothing; what else is called without a body is named when it is reached. */
static void decode_call(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const char *name = at->operand_count > 1 && at->operands[1].kind == FW_OPERAND_FUNCTION
                           ? at->operands[1].name
                           : NULL;
    if (at->callee)
        name = at->callee->name;
    if (name && strcmp(name, "vprintf") == 0) {
        fw_emulate_emit(decoder, fw_emulate_run_nothing);
        return;
    }
    if (!name)
        emit_fault(decoder, "EMU018", "an indirect call: which function it reaches is not known");
    else if (strcmp(name, "__assertfail") == 0 || strcmp(name, "__assert_fail") == 0)
        emit_fault(decoder, "EMU015", "an assertion of the kernel does not hold");
    else
        emit_fault(decoder, "EMU018",
                   fw_arena_printf(decoder->arena, "a call of '%s', which %s", name,
                                   at->callee && at->callee->has_body
                                       ? "is recursive or was not inlined"
                                       : "has no body here"));
}

static void decode_barrier(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    if (fw_instruction_has(at, "cluster")) {
        fw_emulate_refuse(decoder, "barriers of clusters");
        return;
    }
    if (fw_instruction_has(at, "warp")) {
        const uint32_t members = fw_emulate_source_at(decoder, 0, FW_TYPE_B32, 4);
        struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_nothing);
        micro->control = CONTROL_SYNC;
        micro->e = members;
        micro->small[6] = 1;
        return;
    }
    struct emulate_barrier_use *use = FW_NEW(decoder->arena, struct emulate_barrier_use);
    const bool reduces = fw_instruction_has(at, "red");
    unsigned next = reduces;
    use->kind = fw_instruction_has(at, "arrive") ? BARRIER_ARRIVE : BARRIER_SYNC;
    use->id = fw_emulate_source_at(decoder, next++, FW_TYPE_U32, 4);
    if (next + reduces < at->operand_count)
        use->count = fw_emulate_source_at(decoder, next++, FW_TYPE_U32, 4);
    if (reduces) {
        use->kind = at->mode == FW_MODE_POPC  ? BARRIER_POPC
                    : at->mode == FW_MODE_AND ? BARRIER_AND
                                              : BARRIER_OR;
        use->predicate = fw_emulate_source_at(decoder, next, FW_TYPE_PRED, 0);
        use->result =
            fw_emulate_destination(decoder, &at->operands[0], use->kind == BARRIER_POPC ? 4 : 0);
    }
    if (use->kind == BARRIER_ARRIVE && !use->count)
        fw_emulate_refuse(decoder, "bar.arrive without a count");
    struct emulate_micro *micro = fw_emulate_emit(decoder, NULL);
    micro->control = CONTROL_BARRIER;
    micro->extra = use;
}

/* d|p: the predicate's word, 0 without one. */
static uint32_t second_result(struct emulate_decoder *decoder, const struct fw_operand **first)
{
    const struct fw_operand *operand = *first;
    if (operand->kind != FW_OPERAND_PAIR)
        return 0;
    *first = &operand->elements[0];
    if (operand->elements[1].kind == FW_OPERAND_SINK)
        return 0;
    return fw_emulate_destination(decoder, &operand->elements[1], 0);
}

static uint32_t all_lanes(struct emulate_decoder *decoder)
{
    return fw_emulate_constant(decoder, FULL_MASK, 4);
}

/* Operations that wait for the lanes of a member mask when they are .sync. */
static void synchronized(struct emulate_decoder *decoder, struct emulate_micro *micro,
                         uint32_t members)
{
    if (decoder->at->flags & FW_FLAG_SYNC) {
        micro->control = CONTROL_SYNC;
        micro->e = members;
    }
}

static void decode_shuffle(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const bool sync = (at->flags & FW_FLAG_SYNC) != 0;
    if (at->operand_count < (sync ? 5 : 4)) {
        fw_emulate_refuse(decoder, "an operand is missing");
        return;
    }
    const struct fw_operand *to = &at->operands[0];
    const uint32_t word = second_result(decoder, &to);
    const uint32_t a = fw_emulate_source_at(decoder, 1, FW_TYPE_B32, 4);
    const uint32_t b = fw_emulate_source_at(decoder, 2, FW_TYPE_U32, 4);
    const uint32_t c = fw_emulate_source_at(decoder, 3, FW_TYPE_U32, 4);
    const uint32_t members =
        sync ? fw_emulate_source_at(decoder, 4, FW_TYPE_B32, 4) : all_lanes(decoder);
    const uint32_t d = fw_emulate_destination(decoder, to, 4);
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_shuffle);
    micro->d = d;
    micro->a = a;
    micro->b = b;
    micro->c = c;
    micro->immediate = word;
    micro->small[0] = at->mode;
    synchronized(decoder, micro, members);
}

static void decode_vote(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const bool sync = (at->flags & FW_FLAG_SYNC) != 0, ballot = at->mode == FW_MODE_BALLOT;
    const uint32_t word = fw_emulate_source_at(decoder, 1, FW_TYPE_PRED, 0);
    const uint32_t members =
        sync ? fw_emulate_source_at(decoder, 2, FW_TYPE_B32, 4) : all_lanes(decoder);
    const uint32_t d = fw_emulate_destination(decoder, &at->operands[0], ballot ? 4 : 0);
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_vote);
    micro->d = d;
    micro->a = word;
    micro->small[0] = at->mode;
    synchronized(decoder, micro, members);
}

static void decode_match(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const enum fw_type type = (enum fw_type)at->types[0];
    const unsigned bytes = fw_emulate_lane_bytes(type);
    const struct fw_operand *to = &at->operands[0];
    const uint32_t word = second_result(decoder, &to);
    const uint32_t a = fw_emulate_source_at(decoder, 1, type, bytes);
    const uint32_t members = fw_emulate_source_at(decoder, 2, FW_TYPE_B32, 4);
    const uint32_t d = fw_emulate_destination(decoder, to, 4);
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_match);
    micro->d = d;
    micro->a = a;
    micro->immediate = word;
    micro->small[0] = at->mode;
    micro->small[1] = (uint8_t)bytes;
    synchronized(decoder, micro, members);
}

static void decode_redux(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    const enum fw_type type = (enum fw_type)at->types[0];
    if (fw_type_class(type) == 'f' || fw_type_bits(type) != 32) {
        fw_emulate_refuse(decoder, "this type");
        return;
    }
    const uint32_t a = fw_emulate_source_at(decoder, 1, type, 4);
    const uint32_t members = fw_emulate_source_at(decoder, 2, FW_TYPE_B32, 4);
    const uint32_t d = fw_emulate_destination(decoder, &at->operands[0], 4);
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_redux);
    micro->d = d;
    micro->a = a;
    micro->small[0] = at->mode;
    micro->small[1] = fw_type_class(type) == 's';
    synchronized(decoder, micro, members);
}

static void decode_elect(struct emulate_decoder *decoder)
{
    const struct fw_operand *to = &decoder->at->operands[0];
    const uint32_t word = second_result(decoder, &to);
    const uint32_t members = fw_emulate_source_at(decoder, 1, FW_TYPE_B32, 4);
    const uint32_t d = fw_emulate_destination(decoder, to, 4);
    struct emulate_micro *micro = fw_emulate_emit(decoder, fw_emulate_run_elect);
    micro->d = d;
    micro->immediate = word;
    micro->control = CONTROL_SYNC;
    micro->e = members;
}

bool fw_emulate_decode_control(struct emulate_decoder *decoder)
{
    const struct fw_instruction *at = decoder->at;
    switch (at->opcode) {
    case FW_OP_BRA:
    case FW_OP_BRX:
        decode_branch(decoder);
        return true;
    case FW_OP_CALL:
        decode_call(decoder);
        return true;
    case FW_OP_RET:
    case FW_OP_EXIT:
        fw_emulate_emit(decoder, NULL)->control = CONTROL_EXIT;
        return true;
    case FW_OP_TRAP:
        emit_fault(decoder, "EMU015", "the kernel executed trap");
        return true;
    case FW_OP_BAR:
    case FW_OP_BARRIER:
        decode_barrier(decoder);
        return true;
    case FW_OP_SHFL:
        decode_shuffle(decoder);
        return true;
    case FW_OP_VOTE:
        decode_vote(decoder);
        return true;
    case FW_OP_MATCH:
        decode_match(decoder);
        return true;
    case FW_OP_REDUX:
        decode_redux(decoder);
        return true;
    case FW_OP_ELECT:
        decode_elect(decoder);
        return true;
    case FW_OP_ACTIVEMASK: {
        const uint32_t d = fw_emulate_destination(decoder, &at->operands[0], 4);
        fw_emulate_emit(decoder, fw_emulate_run_activemask)->d = d;
        return true;
    }
    case FW_OP_MEMBAR:
    case FW_OP_FENCE:
    case FW_OP_NANOSLEEP:
    case FW_OP_PMEVENT:
    case FW_OP_BRKPT:
    case FW_OP_GRIDDEPCONTROL:
    case FW_OP_SETMAXNREG:
        fw_emulate_emit(decoder, fw_emulate_run_nothing);
        return true;
    case FW_OP_CREATEPOLICY:
        fw_emulate_destination(decoder, &at->operands[0], 8);
        fw_emulate_emit(decoder, fw_emulate_run_nothing);
        return true;
    default:
        return false;
    }
}
