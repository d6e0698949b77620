/* Accesses of what moves more than a thread's registers: asynchronous and bulk copies, matrices.
 *
 * A copy is two accesses: a load from where it comes and a store to where it goes.  What goes
 * through another memory's port later (tensor memory, prefetches) is no access here. */
#include "record_internal.h"
#include "warp.h"

#include <string.h>

enum { ROW_BYTES = 16 /* of one of ldmatrix's 8 x 8 matrices */ };

static struct fw_access new_access(struct builder *b, uint32_t i, uint32_t domain,
                                   enum fw_direction direction)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    return (struct fw_access){.instruction = i,
                              .domain = domain,
                              .direction = direction,
                              .space = (enum fw_space)at->space,
                              .type = FW_TYPE_B8,
                              .vector = 1,
                              .cache = record_cache_operators(b, at),
                              .array = FW_NONE,
                              .line = at->line,
                              .size = FW_NO_EXPRESSION,
                              .transaction = FW_NONE,
                              .quantity = FW_NONE};
}

static void set_bytes(struct fw_access *access, uint32_t bytes, enum fw_type type)
{
    uint32_t element = fw_type_bytes(type) ? fw_type_bytes(type) : 1;
    access->type = type;
    access->bytes = bytes;
    access->vector = bytes >= element ? bytes / element : 1;
}

static fw_expression operand_value(struct builder *b, uint32_t i, uint32_t operand)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    return operand < at->operand_count
               ? record_operand(b, &at->operands[operand], FW_TYPE_U32, b->block_of[i])
               : FW_NO_EXPRESSION;
}

/* ---- cp.async ---- */

/* cp.async dst, src, size{, bytes read}{, policy}: what is not read is zero in dst. */
static void record_small_copy(struct builder *b, uint32_t i, uint32_t domain)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    struct fw_access load = new_access(b, i, domain, FW_LOAD);
    struct fw_access store = new_access(b, i, domain, FW_STORE);
    int64_t size = 0, read;
    uint32_t operands = at->operand_count - (fw_instruction_has(at, "L2::cache_hint") ? 1u : 0u);
    fw_expression stated = operand_value(b, i, 2);
    if (stated != FW_NO_EXPRESSION)
        fw_expression_constant(b->pool, stated, &size);
    load.asynchronous = store.asynchronous = true;
    load.space = FW_SPACE_GLOBAL;
    store.space = FW_SPACE_SHARED;
    set_bytes(&load, (uint32_t)size, FW_TYPE_B32);
    set_bytes(&store, (uint32_t)size, FW_TYPE_B32);
    if (operands > 3 && at->operands[3].kind == FW_OPERAND_REGISTER &&
        b->function->registers[at->operands[3].index].type == FW_TYPE_PRED) {
        fw_condition ignored = record_predicate(b, at->operands[3].value, b->block_of[i]);
        if (at->operands[3].negated)
            ignored = fw_condition_not(b->pool, ignored);
        load.domain = record_restricted_domain(b, i, domain, fw_condition_not(b->pool, ignored));
    } else if (operands > 3) {
        fw_expression bytes = operand_value(b, i, 3);
        if (bytes != FW_NO_EXPRESSION && fw_expression_constant(b->pool, bytes, &read) && read > 0)
            set_bytes(&load, (uint32_t)(read < size ? read : size), FW_TYPE_B8);
        else if (bytes != FW_NO_EXPRESSION)
            load.domain = record_restricted_domain(
                b, i, domain, fw_condition_not(b->pool, fw_is_zero(b->pool, bytes)));
    }
    record_add_access(b, load, &at->operands[1]);
    record_add_access(b, store, &at->operands[0]);
}

/* ---- bulk copies ---- */

/* The constant that an mbarrier at this address is told to expect, where one instruction does. */
static uint32_t find_transaction(struct builder *b, uint32_t i, const struct fw_operand *mbarrier)
{
    fw_expression address = record_address(b, mbarrier, b->block_of[i]);
    uint32_t best = FW_NONE;
    for (uint32_t t = 0; t < b->expectations.count; t++)
        if (b->expectations.at[t].address == address &&
            (b->expectations.at[t].instruction < i || best == FW_NONE))
            best = t; /* the last before the copy */
    if (best != FW_NONE)
        b->transactions.at[best].sharers++;
    return best;
}

/* The box of a tensor copy, from what the caller knows of the descriptor; 0: nothing. */
static uint32_t known_box(const struct builder *b, const struct fw_access *access)
{
    const struct fw_record_options *options = b->options;
    if (!options || !options->box_bytes || access->array == FW_NONE)
        return 0;
    for (uint32_t p = 0; p < b->function->parameter_count && p < options->box_count; p++)
        if (strcmp(b->function->parameters[p].name, b->arrays.at[access->array].name) == 0)
            return options->box_bytes[p];
    return 0;
}

/* How many blocks of the cluster a copy's mask has, where that is a constant; else 0. */
static uint32_t receivers_of(struct builder *b, uint32_t i, uint32_t mask)
{
    int64_t bits = 0;
    if (!fw_instruction_has(&b->function->instructions[i], "multicast::cluster"))
        return 0;
    const fw_expression value = operand_value(b, i, mask);
    if (value == FW_NO_EXPRESSION || !fw_expression_constant(b->pool, value, &bits))
        return 0;
    return (uint32_t)__builtin_popcountll((uint64_t)bits & UINT16_MAX);
}

/* cp.async.bulk.tensor: {dst, src} are an address and a descriptor with coordinates. */
static void record_tensor_copy(struct builder *b, uint32_t i, uint32_t domain)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    bool reduces = strncmp(at->modifiers[0], "reduce", 6) == 0;
    bool to_shared = at->space == FW_SPACE_SHARED;
    uint32_t tensor = to_shared ? 1 : 0, shared = to_shared ? 0 : 1;
    struct fw_access outer = new_access(b, i, domain,
                                        to_shared ? FW_LOAD
                                        : reduces ? FW_REDUCTION
                                                  : FW_STORE);
    struct fw_access inner = new_access(b, i, domain, to_shared ? FW_STORE : FW_LOAD);
    fw_expression descriptor = record_address(b, &at->operands[tensor], b->block_of[i]);
    outer.bulk = inner.bulk = outer.asynchronous = inner.asynchronous = true;
    outer.space = FW_SPACE_GLOBAL;
    inner.space = FW_SPACE_SHARED;
    inner.cluster = fw_instruction_has(at, "shared::cluster");
    fw_expression offset;
    outer.array = record_find_array(b, descriptor, FW_SPACE_GLOBAL, &offset);
    outer.offset = fw_atom_new(b->pool, FW_ATOM_UNKNOWN, FW_TOO_DEEP, i, 0);
    outer.data_dependent = true;
    outer.bytes = known_box(b, &outer);
    if (!outer.bytes && to_shared && at->operand_count > 2)
        outer.transaction = find_transaction(b, i, &at->operands[2]);
    if (!outer.bytes && outer.transaction == FW_NONE)
        outer.quantity = record_quantity(b, "bytes", i, FW_USUAL_BOX_BYTES);
    outer.receivers = receivers_of(b, i, 3);
    inner.bytes = outer.bytes;
    inner.transaction = outer.transaction;
    inner.quantity = outer.quantity;
    *FW_APPEND(b->arena, &b->accesses) = outer;
    record_add_access(b, inner, &at->operands[shared]);
}

/* cp{.reduce}.async.bulk dst, src, size{, mbarrier}. */
static void record_bulk_copy(struct builder *b, uint32_t i, uint32_t domain)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    bool reduces = strncmp(at->modifiers[0], "reduce", 6) == 0;
    struct fw_access load = new_access(b, i, domain, FW_LOAD);
    struct fw_access store = new_access(b, i, domain, reduces ? FW_REDUCTION : FW_STORE);
    fw_expression size = operand_value(b, i, 2);
    int64_t bytes;
    load.bulk = store.bulk = load.asynchronous = store.asynchronous = true;
    load.space = (enum fw_space)at->source_space;
    store.cluster = fw_instruction_has(at, "shared::cluster");
    if (size != FW_NO_EXPRESSION && fw_expression_constant(b->pool, size, &bytes) && bytes >= 0 &&
        bytes <= UINT32_MAX)
        load.bytes = store.bytes = (uint32_t)bytes;
    else if (size != FW_NO_EXPRESSION && !record_expression_opaque(b, size))
        load.size = store.size = size;
    else
        load.quantity = store.quantity = record_quantity(b, "bytes", i, FW_USUAL_BOX_BYTES);
    load.receivers = receivers_of(b, i, 4);
    bool outwards = load.space == FW_SPACE_SHARED; /* the side in device memory comes first */
    if (!outwards)
        record_add_access(b, load, &at->operands[1]);
    record_add_access(b, store, &at->operands[0]);
    if (outwards)
        record_add_access(b, load, &at->operands[1]);
}

static void record_copy(struct builder *b, uint32_t i, uint32_t domain)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    if (!fw_instruction_has(at, "async") || at->operand_count < 2 ||
        fw_instruction_has(at, "prefetch") || fw_instruction_has(at, "mbarrier"))
        return;
    if (fw_instruction_has(at, "tensor"))
        record_tensor_copy(b, i, domain);
    else if (at->operand_count < 3)
        return;
    else if (fw_instruction_has(at, "bulk"))
        record_bulk_copy(b, i, domain);
    else
        record_small_copy(b, i, domain);
}

/* ---- matrices ---- */

static uint32_t matrices_of(const struct fw_instruction *at)
{
    return fw_instruction_has(at, "x4") ? 4 : fw_instruction_has(at, "x2") ? 2 : 1;
}

/* ldmatrix, stmatrix: each matrix is 8 (b8: 16) rows of 16 bytes at the addresses of as many
 * lanes; a thread's share is 4 (8) bytes of each. */
static void record_matrix_rows(struct builder *b, uint32_t i, uint32_t domain)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    bool loads = at->opcode == FW_OP_LDMATRIX;
    struct fw_access access = new_access(b, i, domain, loads ? FW_LOAD : FW_STORE);
    uint32_t rows = fw_instruction_has(at, "m16n16") ? 16 : 8, lanes = rows * matrices_of(at);
    set_bytes(&access, lanes * ROW_BYTES / FW_WARP_THREADS, (enum fw_type)at->types[0]);
    access.lanes = (uint8_t)(lanes < FW_WARP_THREADS ? lanes : FW_WARP_THREADS);
    access.lane_bytes = ROW_BYTES;
    if (at->operand_count > 1)
        record_add_access(b, access, &at->operands[loads ? 1 : 0]);
}

/* The tile by itself, where it can be told from arguments and indices. */
static void set_tile(struct builder *b, struct fw_access *access, struct fw_tile tile)
{
    if (record_expression_opaque(b, tile.from) || record_expression_opaque(b, tile.apart))
        return;
    struct fw_tile *kept = FW_NEW(b->arena, struct fw_tile);
    *kept = tile;
    access->tile = kept;
}

/* wmma.load, wmma.store: a tile of rows, `stride` elements apart.  Which lane moves which part is
 * not stated by PTX: by the access's offset they share the tile out in order, row by row. */
static void record_tile(struct builder *b, uint32_t i, uint32_t domain)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    bool loads = fw_instruction_has(at, "load");
    uint32_t sizes[3], address = loads ? 1 : 0, stride = 2;
    struct fw_access access = new_access(b, i, domain, loads ? FW_LOAD : FW_STORE);
    if (!fw_instruction_shape(at, sizes) || at->operand_count < 2)
        return;
    bool is_a = fw_instruction_has(at, "a"), is_b = fw_instruction_has(at, "b");
    bool by_column = fw_instruction_has(at, "col");
    uint32_t rows = is_b ? sizes[2] : sizes[0], columns = is_a ? sizes[2] : sizes[1];
    uint32_t count = by_column ? columns : rows, length = by_column ? rows : columns;
    enum fw_type type = (enum fw_type)at->types[0];
    uint32_t bits = fw_type_bits(type), row_bytes = length * bits / 8;
    uint32_t share = count * row_bytes / FW_WARP_THREADS;
    if (share == 0 || row_bytes == 0)
        return;
    fw_expression apart = fw_constant(b->pool, length);
    if (stride < at->operand_count)
        apart = operand_value(b, i, stride);
    fw_expression from = fw_scale(b->pool, fw_launch_value(b->pool, FW_LANE), share);
    fw_expression row = fw_floor_divide(b->pool, from, fw_constant(b->pool, row_bytes));
    fw_expression inside = fw_subtract(b->pool, from, fw_scale(b->pool, row, row_bytes));
    set_bytes(&access, share, type);
    record_add_access(b, access, &at->operands[address]);
    struct fw_access *added = &b->accesses.at[b->accesses.count - 1];
    if (apart == FW_NO_EXPRESSION) {
        added->data_dependent = true;
        return;
    }
    /* Sub-byte elements: strides are whole bytes. */
    apart = fw_floor_divide(b->pool, fw_scale(b->pool, apart, bits), fw_constant(b->pool, 8));
    bool turned = !is_a && !is_b && sizes[1] > 16; /* m8n32: lanes' sums lie along m, not along n */
    set_tile(b, added,
             (struct fw_tile){.rows = count,
                              .row_bytes = row_bytes,
                              .element = bits / 8,
                              .from = added->offset,
                              .apart = apart,
                              .sums = !is_a && !is_b,
                              .along = by_column == (is_b || turned)});
    added->offset = fw_add(b->pool, added->offset, inside);
    added->offset = fw_add(b->pool, added->offset, fw_multiply(b->pool, row, apart));
    added->data_dependent = record_expression_opaque(b, added->offset);
}

/* multimem: one address that stands for the same place in several devices. */
static void record_multimem(struct builder *b, uint32_t i, uint32_t domain)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    bool loads = fw_instruction_has(at, "ld_reduce");
    struct fw_access access = new_access(b, i, domain,
                                         loads                          ? FW_LOAD
                                         : fw_instruction_has(at, "st") ? FW_STORE
                                                                        : FW_REDUCTION);
    enum fw_type type = (enum fw_type)at->types[0];
    set_bytes(&access, fw_type_bytes(type) * (at->vector ? at->vector : 1u), type);
    for (uint32_t o = 0; o < at->operand_count; o++)
        if (at->operands[o].kind == FW_OPERAND_ADDRESS) {
            record_add_access(b, access, &at->operands[o]);
            return;
        }
}

bool record_copies(struct builder *b, uint32_t i, uint32_t domain)
{
    const struct fw_instruction *at = &b->function->instructions[i];
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_CP:
        record_copy(b, i, domain);
        return true;
    case FW_OP_LDMATRIX:
    case FW_OP_STMATRIX:
        record_matrix_rows(b, i, domain);
        return true;
    case FW_OP_WMMA:
        if (!fw_instruction_has(at, "mma"))
            record_tile(b, i, domain);
        return true;
    case FW_OP_MULTIMEM:
        record_multimem(b, i, domain);
        return true;
    default:
        return false;
    }
}

/* ---- what mbarriers expect ---- */

void record_expectations(struct builder *b)
{
    for (uint32_t i = 0; i < b->function->instruction_count; i++) {
        const struct fw_instruction *at = &b->function->instructions[i];
        int64_t bytes;
        uint32_t o = 0;
        if (at->opcode != FW_OP_MBARRIER || b->block_of[i] == FW_NO_INDEX ||
            b->function->blocks[b->block_of[i]].order == FW_NO_INDEX ||
            (!fw_instruction_has(at, "expect_tx") && !fw_instruction_has(at, "arrive::expect_tx")))
            continue;
        while (o < at->operand_count && at->operands[o].kind != FW_OPERAND_ADDRESS)
            o++;
        if (o + 1 >= at->operand_count)
            continue;
        fw_expression address = record_address(b, &at->operands[o], b->block_of[i]);
        fw_expression told = operand_value(b, i, o + 1);
        if (told == FW_NO_EXPRESSION || !fw_expression_constant(b->pool, told, &bytes) ||
            bytes <= 0 || bytes > UINT32_MAX)
            continue;
        *FW_APPEND(b->arena, &b->expectations) = (struct expectation){i, address};
        *FW_APPEND(b->arena, &b->transactions) =
            (struct fw_transaction){record_guarded_domain(b, i), (uint32_t)bytes, 0};
    }
}
