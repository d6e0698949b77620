/* From instructions to micro-operations: what the decoder's files share.
 *
 * Each instruction becomes one micro-operation where its operands fit, and a few where they have to
 * be widened, flushed or rounded first.  One that cannot be run becomes a fault that is reported if
 * it is ever reached. */
#ifndef FW_EMULATE_DECODE_H
#define FW_EMULATE_DECODE_H

#include "emulate_state.h"

struct emulate_decoder {
    struct emulate_code *code;
    struct fw_arena *arena;
    const struct emulate_lanes *lanes;
    const struct fw_function *function;
    const struct fw_instruction *at;
    uint32_t index;      /* of the instruction */
    uint32_t block;      /* its basic block */
    uint32_t counter;    /* of its guard, until its first micro has it */
    uint32_t scratch;    /* temporaries in use */
    const char *failure; /* why the instruction cannot be run; NULL: it can */
    struct emulate_slot *registers;
    uint32_t block_size[3], grid[3];
    uint64_t dynamic_shared;
    const bool *ends; /* by basic block: threads end there; NULL: nowhere */
};

#define TRASH_SLOT 64u /* what nobody reads: 512 bytes */

/* Decodes the function; code->symbols are placed.  Gives micros, frame layout and constants. */
void fw_emulate_decode_function(struct emulate_decoder *decoder);

/* Appends a micro of the current instruction.  The pointer is good until the next one. */
struct emulate_micro *fw_emulate_emit(struct emulate_decoder *decoder, emulate_handler *run);

/* The instruction cannot be run; the first reason stays. */
void fw_emulate_refuse(struct emulate_decoder *decoder, const char *reason);

/* A temporary of the instruction: bytes a lane 4, 8, 16; 0: a predicate word. */
uint32_t fw_emulate_temporary(struct emulate_decoder *decoder, unsigned lane_bytes);

/* A slot that holds a constant in every lane. */
uint32_t fw_emulate_constant(struct emulate_decoder *decoder, uint64_t value, unsigned lane_bytes);

/* A slot with the operand's value as that type, `lane_bytes` wide (0: a predicate's word). */
uint32_t fw_emulate_source(struct emulate_decoder *decoder, const struct fw_operand *operand,
                           enum fw_type type, unsigned lane_bytes);

/* Operand `which` of the current instruction, refused when it is missing. */
uint32_t fw_emulate_source_at(struct emulate_decoder *decoder, unsigned which, enum fw_type type,
                              unsigned lane_bytes);

/* The slot of a destination: a register of that width, or trash. */
uint32_t fw_emulate_destination(struct emulate_decoder *decoder, const struct fw_operand *operand,
                                unsigned lane_bytes);

/* A register's slot. */
struct emulate_slot fw_emulate_register(const struct emulate_decoder *decoder,
                                        const struct fw_operand *operand);

/* What a variable's name stands for: its address in its space. */
uint64_t fw_emulate_symbol_value(struct emulate_decoder *decoder,
                                 const struct fw_variable *variable, bool generic);
const struct emulate_symbol *fw_emulate_symbol(const struct emulate_code *code,
                                               const struct fw_variable *variable);

/* 4 or 8 (16 for 128 bits): the bytes a lane that a type takes in a slot. */
unsigned fw_emulate_lane_bytes(enum fw_type type);

/* The row of an operation, of itself or of a type of the same width without a sign; NULL: none. */
const struct emulate_operation *fw_emulate_operation(const struct emulate_decoder *decoder,
                                                     unsigned opcode, unsigned type, unsigned mode,
                                                     unsigned flags);

/* A slot of single precision flushed, for operations whose row does not do it: another slot. */
uint32_t fw_emulate_flushed(struct emulate_decoder *decoder, uint32_t slot);

/* One file each: true when the instruction is theirs. */
bool fw_emulate_decode_compare(struct emulate_decoder *decoder);
bool fw_emulate_decode_math(struct emulate_decoder *decoder);
bool fw_emulate_decode_move(struct emulate_decoder *decoder);
bool fw_emulate_decode_memory(struct emulate_decoder *decoder);
bool fw_emulate_decode_matrix(struct emulate_decoder *decoder);

/* The address operand of a memory instruction: slot a, immediate and space of its micro. */
void fw_emulate_address(struct emulate_decoder *decoder, const struct fw_operand *operand,
                        enum fw_space space, struct emulate_memory *memory, uint32_t *slot,
                        int64_t *immediate);
bool fw_emulate_decode_control(struct emulate_decoder *decoder);

#endif
