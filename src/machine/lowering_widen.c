/* lowering, part of what is done once for several: accesses of shared memory that ptxas joins to
 * wider ones.
 *
 * Elements have 16, 32 or 64 bits, alone or in vectors; those that are joined have one size and one
 * base, of which the alignment is known (shared_alignment.h).  A granule is 16 bytes (8 of elements
 * of 16 bits), or less where less is known of the base.
 *  - Loads: three or four of a granule's four elements are one load of the granule; of two, those
 *    of an aligned half are one load.  Their order and what else stands between them do not matter,
 *    as long as nothing that orders shared memory does.
 *  - Guarded and volatile accesses and bytes are never joined, nor across basic blocks.
 * Stores are left apart, though ptxas joins neighbours that stand one behind the other (STS.64,
 * STS.128): the H200's counters of `butterfly` (data/h200/generated) have all passes of both.
 * Rows "shared" of data/lowering/cases.txt. */
#include "checked.h"
#include "lowering_internal.h"
#include "quotient.h"
#include "shared_alignment.h"

#include <stdlib.h>

enum { GRANULE = 16, ELEMENTS = 4 };

struct access {
    uint32_t instruction;
    uint32_t bytes;    /* of an element */
    uint32_t elements; /* 1, 2, 4 */
    uint32_t base;     /* a value, or FW_NO_INDEX */
    struct fw_variable *variable;
    int64_t granule;  /* its number */
    uint32_t size;    /* of the granule in bytes; 0: too little is known of the base */
    uint32_t element; /* the first one's number in the granule */
};
typedef FW_VECTOR(struct access) accesses;

struct widening {
    struct lowering *work;
    const struct fw_shared_alignment *alignment;
    accesses loads; /* since shared memory was last written or ordered */
};

static const struct fw_instruction *instruction(const struct widening *w, uint32_t i)
{
    return &w->work->function->instructions[i];
}

/* The base less what literals add to it: ptxas moves these into the offset. */
static void find_base(struct access *access, int64_t *offset, const struct widening *w,
                      const struct fw_operand *address)
{
    enum { STEPS = 16 };
    const struct fw_function *function = w->work->function;
    access->variable = address->variable;
    access->base = address->index == FW_NO_INDEX ? FW_NO_INDEX : address->value;
    *offset = address->immediate;
    for (unsigned step = 0; step < STEPS && access->base != FW_NO_INDEX; step++) {
        const struct fw_value *value = &function->values[access->base];
        const struct fw_instruction *at =
            value->kind == FW_VALUE_INSTRUCTION ? instruction(w, value->definition) : NULL;
        bool moves = at && at->opcode == FW_OP_MOV && at->operand_count == 2;
        bool adds = at && at->opcode == FW_OP_ADD && at->operand_count == 3 &&
                    at->operands[2].kind == FW_OPERAND_INTEGER;
        if (!(moves || adds) || at->guard != FW_NO_INDEX ||
            (at->flags & (FW_FLAG_SAT | FW_FLAG_CARRY_OUT)))
            return;
        if (moves && at->operands[1].kind == FW_OPERAND_SYMBOL) {
            access->base = FW_NO_INDEX;
            access->variable = at->operands[1].variable;
            *offset = fw_saturated_add(*offset, at->operands[1].immediate);
            return;
        }
        if (at->operands[1].kind != FW_OPERAND_REGISTER || at->operands[1].value == FW_NO_INDEX)
            return;
        access->base = at->operands[1].value;
        if (adds)
            *offset = fw_saturated_add(*offset, at->operands[2].immediate);
    }
}

/* Where an access lies in the granules that its base's alignment tells apart. */
static void find_granule(struct access *access, const struct widening *w, int64_t offset)
{
    struct fw_operand base = {.kind = FW_OPERAND_REGISTER, .value = access->base};
    if (access->base == FW_NO_INDEX)
        base = (struct fw_operand){.kind = FW_OPERAND_SYMBOL, .variable = access->variable};
    uint32_t most = access->bytes == 2 ? GRANULE / 2 : GRANULE;
    access->size = fw_shared_alignment_of(w->alignment, &base);
    access->size = access->size < most ? access->size : most;
    access->granule = fw_floor_quotient(offset, access->size);
    uint32_t within = (uint32_t)(offset - access->granule * access->size);
    access->element = within / access->bytes;
    if (access->size < 2 * access->bytes || within % access->bytes)
        access->size = 0;
}

static bool is_unordered(const struct fw_instruction *at)
{
    return !(at->flags & FW_FLAG_VOLATILE) && !fw_instruction_has(at, "relaxed") &&
           !fw_instruction_has(at, "acquire") && !fw_instruction_has(at, "release");
}

/* False: no access of shared memory that could be joined. */
static bool read_access(struct access *access, const struct widening *w, uint32_t i)
{
    const struct fw_instruction *at = instruction(w, i);
    if (at->opcode != FW_OP_LD || at->space != FW_SPACE_SHARED || at->operand_count != 2 ||
        at->guard != FW_NO_INDEX || !is_unordered(at) ||
        fw_instruction_has(at, "shared::cluster") || w->work->taken[i] ||
        at->operands[1].kind != FW_OPERAND_ADDRESS)
        return false;
    unsigned bits = fw_type_bits((enum fw_type)at->types[0]);
    if (bits != 16 && bits != 32 && bits != 64)
        return false;
    int64_t offset = 0;
    *access = (struct access){.instruction = i, .bytes = bits / 8};
    access->elements = at->vector > 1 ? at->vector : 1;
    find_base(access, &offset, w, &at->operands[1]);
    find_granule(access, w, offset);
    return access->size && access->element + access->elements <= access->size / access->bytes;
}

/* Joins those members whose elements are all in `mask` into the first. */
static void join(struct widening *w, const struct access *members, size_t count, unsigned mask,
                 uint32_t bytes)
{
    const char *name = bytes == 16 ? "LDS.128" : bytes == 8 ? "LDS.64" : "LDS";
    size_t first = count;
    bool joined = false;
    for (size_t m = 0; m < count; m++) {
        if (!(mask >> members[m].element & 1))
            continue;
        joined = first < count;
        if (joined)
            fw_lowering_absorb(w->work, members[m].instruction, members[first].instruction);
        else
            first = m;
    }
    if (!joined)
        return;
    uint32_t holder = members[first].instruction;
    fw_lowering_list(&w->work->result->instructions[holder], w->work->arena, name);
    w->work->taken[holder] = true;
}

/* Members of one granule, in the order of the code. */
static void join_granule(struct widening *w, const struct access *members, size_t count)
{
    unsigned present = 0, elements = members->size / members->bytes;
    for (size_t m = 0; m < count; m++)
        present |= ((1U << members[m].elements) - 1) << members[m].element;
    unsigned distinct = 0;
    for (unsigned e = 0; e < elements; e++)
        distinct += present >> e & 1;
    if (distinct == elements || (elements == ELEMENTS && distinct == ELEMENTS - 1)) {
        join(w, members, count, (1U << elements) - 1, members->size);
        return;
    }
    for (unsigned half = 0; half < elements; half += 2) {
        unsigned pair = 3U << half;
        if ((present & pair) == pair)
            join(w, members, count, pair, 2 * members->bytes);
    }
}

static int order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* By base, size of elements, granule; then as they stand in the code. */
static int compare(const void *left, const void *right)
{
    const struct access *a = left, *b = right;
    int by = order(a->base, b->base);
    by = by ? by
            : ((uintptr_t)a->variable > (uintptr_t)b->variable) -
                  ((uintptr_t)a->variable < (uintptr_t)b->variable);
    by = by ? by : order(a->bytes, b->bytes);
    by = by ? by : order(a->granule, b->granule);
    return by ? by : order(a->instruction, b->instruction);
}

static bool is_together(const struct access *a, const struct access *b)
{
    return a->base == b->base && a->variable == b->variable && a->bytes == b->bytes &&
           a->granule == b->granule;
}

static void end_loads(struct widening *w)
{
    if (w->loads.count > 1)
        qsort(w->loads.at, w->loads.count, sizeof *w->loads.at, compare);
    for (size_t first = 0, end; first < w->loads.count; first = end) {
        for (end = first + 1; end < w->loads.count; end++)
            if (!is_together(&w->loads.at[first], &w->loads.at[end]))
                break;
        if (end > first + 1)
            join_granule(w, &w->loads.at[first], end - first);
    }
    w->loads.count = 0;
}

/* What shared memory's other accesses do not move across. */
static bool orders_memory(const struct fw_instruction *at)
{
    switch (at->opcode) {
    case FW_OP_ST:
    case FW_OP_ATOM:
    case FW_OP_RED:
        return at->space != FW_SPACE_GLOBAL && at->space != FW_SPACE_LOCAL;
    case FW_OP_BAR:
    case FW_OP_BARRIER:
    case FW_OP_CALL:
    case FW_OP_MEMBAR:
    case FW_OP_FENCE:
    case FW_OP_MBARRIER:
    case FW_OP_STMATRIX:
    case FW_OP_NANOSLEEP:
        return true;
    default:
        return false;
    }
}

static bool uses_shared(const struct fw_function *function)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < function->instruction_count && count < 2; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        count += at->opcode == FW_OP_LD && at->space == FW_SPACE_SHARED;
    }
    return count > 1;
}

void fw_lowering_widen(struct lowering *work)
{
    const struct fw_function *function = work->function;
    if (!uses_shared(function))
        return;
    struct widening w = {.work = work, .alignment = fw_shared_alignment_new(work->arena, function)};
    for (uint32_t o = 0; o < function->order_count; o++) {
        const struct fw_block *block = &function->blocks[function->order[o]];
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct fw_instruction *at = &function->instructions[i];
            struct access access;
            if (orders_memory(at))
                end_loads(&w);
            else if (read_access(&access, &w, i))
                *FW_APPEND(work->arena, &w.loads) = access;
        }
        end_loads(&w);
    }
}

/* ---- asynchronous copies ---- */

static bool copies(const struct lowering *work, uint32_t i)
{
    const struct fw_lowered *lowered = &work->result->instructions[i];
    for (unsigned c = 0; c < lowered->count; c++)
        if (lowered->at[c].operation == FW_MACHINE_LDGSTS)
            return true;
    return false;
}

static bool accesses_shared(const struct fw_instruction *at)
{
    switch (at->opcode) {
    case FW_OP_LD:
    case FW_OP_ST:
    case FW_OP_ATOM:
    case FW_OP_RED:
        return at->space == FW_SPACE_SHARED;
    case FW_OP_LDMATRIX:
    case FW_OP_STMATRIX:
    case FW_OP_BAR:
    case FW_OP_BARRIER:
        return true;
    default:
        return false;
    }
}

void fw_lowering_copies(struct lowering *work)
{
    enum { LOADS = 3 };
    const struct fw_function *function = work->function;
    for (uint32_t o = 0; o < function->order_count && work->column > 0; o++) {
        const uint32_t b = function->order[o];
        bool ordered = false;
        for (uint32_t i = function->blocks[b].first; i < function->blocks[b].end; i++) {
            if (!copies(work, i)) {
                ordered = ordered && !accesses_shared(&function->instructions[i]);
                continue;
            }
            if (!ordered) {
                fw_lowering_append(work, i, FW_MACHINE_LDS, LOADS);
                struct fw_lowered *lowered = &work->result->instructions[i];
                lowered->at[lowered->count - 1].guarded = true;
                lowered->at[lowered->count - 1].every = work->copies[b];
            }
            ordered = true;
        }
    }
}
