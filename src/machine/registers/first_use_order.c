/* first-use order: the instructions of a block in the order of the text, but some right before
 * their first user.
 *
 * ptxas 13.0 moves loads down to where they are used first, and what is computed of one value: 27
 * points that the text loads before it sums them take the registers of one or two
 * (`stencil27_layers` in data/h200/programs-seventh).  By levels, all that is computed waits: the
 * instruction from which the longest way leads to what the block leaves comes first.  Chains of
 * sums which the text has one after the other go on side by side so, and what several of them read
 * is let go of once each has come by (data/lowering/README.md, "Order": 8 sums of 32 products of 64
 * bits take 38 registers, not 235).  Whichever order has fewer registers live counts.  No load
 * passes what may write what it reads.  Each instruction is looked at a few times for each of its
 * operands, and levels are sorted. */
#include "liveness_internal.h"

#include <stdlib.h>

enum { SPACE_SHARED = 1, SPACE_GLOBAL = 2, SPACE_LOCAL = 4, SPACE_ALL = 7, SPACE_COUNT = 3 };

static unsigned spaces_of(enum fw_space space)
{
    switch (space) {
    case FW_SPACE_SHARED:
        return SPACE_SHARED;
    case FW_SPACE_GLOBAL:
        return SPACE_GLOBAL;
    case FW_SPACE_LOCAL:
        return SPACE_LOCAL;
    case FW_SPACE_PARAM:
    case FW_SPACE_CONST:
        return 0;
    default:
        return SPACE_ALL;
    }
}

struct machine_order machine_order_of(const struct fw_instruction *at)
{
    struct machine_order order = {0};
    bool changes = (at->flags & FW_FLAG_VOLATILE) != 0;
    switch (at->opcode) {
    case FW_OP_LD:
    case FW_OP_LDU:
        if (!(at->flags & FW_FLAG_NONCOHERENT) && !at->slot)
            *(changes ? &order.writes : &order.reads) = spaces_of((enum fw_space)at->space);
        return order;
    case FW_OP_LDMATRIX:
        order.reads = SPACE_SHARED;
        return order;
    case FW_OP_ST:
        order.writes = at->slot ? 0 : spaces_of((enum fw_space)at->space);
        return order;
    case FW_OP_ATOM:
    case FW_OP_RED:
        order.writes = spaces_of((enum fw_space)at->space);
        return order;
    case FW_OP_MMA:
    case FW_OP_MOVMATRIX:
    case FW_OP_SHFL:
    case FW_OP_VOTE:
    case FW_OP_MATCH:
    case FW_OP_REDUX:
    case FW_OP_ACTIVEMASK:
    case FW_OP_TEX:
    case FW_OP_TLD4:
        return order;
    case FW_OP_WMMA:
        if (fw_instruction_has(at, "load"))
            order.reads = spaces_of((enum fw_space)at->space);
        else if (fw_instruction_has(at, "store"))
            order.writes = spaces_of((enum fw_space)at->space);
        return order;
    default:
        break;
    }
    unsigned group = fw_opcode_group((enum fw_opcode)at->opcode);
    bool computes = group == fw_opcode_group(FW_OP_ADD) || group == fw_opcode_group(FW_OP_AND) ||
                    group == fw_opcode_group(FW_OP_SIN);
    order.writes = computes ? 0 : SPACE_ALL;
    return order;
}

struct sinking {
    const struct liveness *work;
    uint32_t index, first;
    bool *late;   /* by instruction of the block: waits for its first user */
    bool *placed; /* likewise */
    bool *read;   /* likewise: another one of the block reads it */
    uint32_t *order, *stack;
    uint32_t count, depth;
    uint32_t *level;    /* by instruction: computed ones on the longest way from it; or NULL */
    uint64_t *gathered; /* what is to be placed: its level, and its number below */
    uint32_t gathered_count;
    bool *found; /* by instruction: gathered */
    bool stores_wait;
    unsigned stored;               /* memory that gathered stores write, as bits */
    value_list loads[SPACE_COUNT]; /* that are late and not behind a store yet */
    uint32_t next; /* an instruction that the one which is looked at reads; FW_NO_INDEX: none */
    bool one;      /* it reads no other of the block */
};

/* The instruction of the block that computes a value. FW_NO_INDEX: none does. */
static uint32_t definition_of(const struct sinking *s, uint32_t value)
{
    if (value == FW_NO_INDEX)
        return FW_NO_INDEX;
    const struct fw_value *from = &s->work->function->values[value];
    if (from->kind != FW_VALUE_INSTRUCTION || from->block != s->index)
        return FW_NO_INDEX;
    return from->definition;
}

static void look(void *user, struct fw_operand *operand)
{
    struct sinking *s = user;
    for (unsigned p = 0; operand->value != FW_NO_INDEX && p < 2; p++) {
        uint32_t from = definition_of(s, s->work->stands[operand->value].values[p]);
        if (from == FW_NO_INDEX || from == s->next)
            continue;
        s->one &= s->next == FW_NO_INDEX;
        s->next = from;
    }
}

/* Whether an instruction waits for its first user: a load, what is computed of one value of the
 * block, or, `computed`, all that is computed. */
static bool is_late(struct sinking *s, uint32_t i, bool computed)
{
    const struct fw_instruction *at = &s->work->function->instructions[i];
    struct machine_order order = machine_order_of(at);
    if (order.writes || !at->destinations || at->slot || at->flags & FW_FLAG_CARRY_OUT ||
        at->opcode == FW_OP_ADDC || at->opcode == FW_OP_SUBC || at->opcode == FW_OP_MADC ||
        fw_instruction_is_terminator(at))
        return false;
    if (at->opcode == FW_OP_LD || at->opcode == FW_OP_LDMATRIX ||
        (at->opcode == FW_OP_WMMA && order.reads))
        return true;
    unsigned group = fw_opcode_group((enum fw_opcode)at->opcode);
    if (group != fw_opcode_group(FW_OP_ADD) && group != fw_opcode_group(FW_OP_AND) &&
        group != fw_opcode_group(FW_OP_SIN))
        return false;
    if (computed)
        return true;
    if (at->guard != FW_NO_INDEX)
        return false;
    s->one = true;
    s->next = FW_NO_INDEX;
    fw_instruction_uses(at, look, s);
    return s->one;
}

static void note_read(void *user, struct fw_operand *operand)
{
    struct sinking *s = user;
    for (unsigned p = 0; operand->value != FW_NO_INDEX && p < 2; p++) {
        uint32_t from = definition_of(s, s->work->stands[operand->value].values[p]);
        if (from != FW_NO_INDEX)
            s->read[from - s->first] = true;
    }
}

static void wait_for(struct sinking *s, uint32_t read)
{
    for (unsigned p = 0; read != FW_NO_INDEX && p < 2; p++) {
        uint32_t from = definition_of(s, s->work->stands[read].values[p]);
        if (from != FW_NO_INDEX && !s->placed[from - s->first] && s->next == FW_NO_INDEX)
            s->next = from;
    }
}

static void wait_for_operand(void *user, struct fw_operand *operand)
{
    wait_for(user, operand->value);
}

static void place(struct sinking *s, uint32_t i);

/* What reads memory and waits is placed before what may write there. */
static void place_loads(struct sinking *s, uint32_t i)
{
    struct machine_order order = machine_order_of(&s->work->function->instructions[i]);
    for (unsigned c = 0; c < SPACE_COUNT; c++) {
        for (size_t l = 0; order.writes & 1U << c && l < s->loads[c].count; l++)
            if (!s->placed[s->loads[c].at[l] - s->first])
                place(s, s->loads[c].at[l]);
        if (order.writes & 1U << c)
            s->loads[c].count = 0;
    }
}

/* What is late and not placed of what an instruction reads, and the instruction. */
static void place(struct sinking *s, uint32_t i)
{
    uint32_t bottom = s->depth;
    s->stack[s->depth++] = i;
    while (s->depth > bottom) {
        uint32_t top = s->stack[s->depth - 1];
        const struct fw_instruction *at = &s->work->function->instructions[top];
        s->next = FW_NO_INDEX;
        fw_instruction_uses(at, wait_for_operand, s);
        if (at->guard != FW_NO_INDEX) {
            uint32_t count = at->prior_values ? fw_instruction_definitions(at, NULL, NULL) : 0;
            wait_for(s, at->guard_value);
            for (uint32_t d = 0; d < count; d++)
                wait_for(s, at->prior_values[d]);
        }
        if (s->next != FW_NO_INDEX) {
            s->stack[s->depth++] = s->next;
            continue;
        }
        place_loads(s, top);
        s->depth--;
        s->placed[top - s->first] = true;
        s->order[s->count++] = top;
    }
}

static void raise_level(void *user, struct fw_operand *operand)
{
    struct sinking *s = user;
    for (unsigned p = 0; operand->value != FW_NO_INDEX && p < 2; p++) {
        uint32_t from = definition_of(s, s->work->stands[operand->value].values[p]);
        if (from != FW_NO_INDEX && s->level[from - s->first] < s->next)
            s->level[from - s->first] = s->next;
    }
}

/* Loads are placed where they are read, on no level of their own. */
static void find_levels(struct sinking *s, uint32_t end)
{
    for (uint32_t i = end; i-- > s->first;) {
        const struct fw_instruction *at = &s->work->function->instructions[i];
        s->next = s->level[i - s->first] + (at->opcode != FW_OP_LD);
        fw_instruction_uses(at, raise_level, s);
    }
}

static void gather_one(struct sinking *s, uint32_t i)
{
    if (s->placed[i - s->first] || s->found[i - s->first])
        return;
    s->found[i - s->first] = true;
    s->gathered[s->gathered_count++] = (uint64_t)~s->level[i - s->first] << 32 | i;
}

static void gather_operand(void *user, struct fw_operand *operand)
{
    struct sinking *s = user;
    for (unsigned p = 0; operand->value != FW_NO_INDEX && p < 2; p++) {
        uint32_t from = definition_of(s, s->work->stands[operand->value].values[p]);
        if (from != FW_NO_INDEX)
            gather_one(s, from);
    }
}

static int by_level(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Places the gathered ones and all that they wait for, level after level. */
static void place_levels(struct sinking *s)
{
    for (uint32_t g = 0; g < s->gathered_count; g++)
        fw_instruction_uses(&s->work->function->instructions[(uint32_t)s->gathered[g]],
                            gather_operand, s);
    if (s->gathered_count)
        qsort(s->gathered, s->gathered_count, sizeof *s->gathered, by_level);
    for (uint32_t g = 0; g < s->gathered_count; g++) {
        uint32_t i = (uint32_t)s->gathered[g];
        s->found[i - s->first] = false;
        if (!s->placed[i - s->first] && s->work->function->instructions[i].opcode != FW_OP_LD)
            place(s, i);
    }
    s->gathered_count = 0;
}

static void keep_late(struct sinking *s, uint32_t i)
{
    struct machine_order order = machine_order_of(&s->work->function->instructions[i]);
    s->late[i - s->first] = true;
    for (unsigned c = 0; c < SPACE_COUNT; c++)
        if (order.reads & 1U << c)
            *FW_APPEND(s->work->arena, &s->loads[c]) = i;
}

/* Stores that wait do so up to what may read what they write or stands apart: sums that end in a
 * store each go on side by side. */
static void go_on(struct sinking *s, uint32_t i)
{
    const struct fw_instruction *at = &s->work->function->instructions[i];
    struct machine_order order = machine_order_of(at);
    bool late = is_late(s, i, s->level != NULL);
    bool waits = s->stores_wait && at->opcode == FW_OP_ST && !(at->flags & FW_FLAG_VOLATILE);
    if (!waits && (!late || order.reads & s->stored)) {
        place_levels(s);
        s->stored = 0;
    }
    if (late) {
        keep_late(s, i);
    } else if (waits) {
        gather_one(s, i);
        s->stored |= order.writes;
    } else if (s->level) {
        gather_one(s, i);
        place_levels(s);
    } else {
        place_loads(s, i);
        place(s, i);
    }
}

/* What later blocks and iterations alone read, and what that waits for. */
static void place_rest(struct sinking *s, uint32_t last, uint32_t end)
{
    for (uint32_t i = s->first; s->level && i < last; i++)
        if (!s->read[i - s->first])
            gather_one(s, i);
    if (s->level)
        place_levels(s);
    for (int read = 0; read <= 1; read++)
        for (uint32_t i = s->first; i < end; i++)
            if (!s->placed[i - s->first] && s->read[i - s->first] == (read == 1))
                place(s, i);
}

uint32_t machine_first_use_order(struct liveness *work, uint32_t index,
                                 enum machine_waiting waiting, uint32_t *order)
{
    const struct fw_block *block = &work->function->blocks[index];
    struct fw_arena_mark mark = fw_arena_mark(work->arena);
    uint32_t room = block->end - block->first + 1, last = block->end;
    struct sinking s = {.work = work, .index = index, .first = block->first, .order = order};
    s.late = FW_ARRAY(work->arena, bool, room);
    s.placed = FW_ARRAY(work->arena, bool, room);
    s.read = FW_ARRAY(work->arena, bool, room);
    s.stack = FW_ARRAY(work->arena, uint32_t, room);
    s.stores_wait = waiting == MACHINE_STORES_WAIT;
    if (waiting != MACHINE_LOADS_WAIT) {
        s.level = FW_ARRAY(work->arena, uint32_t, room);
        s.found = FW_ARRAY(work->arena, bool, room);
        s.gathered = FW_ARRAY(work->arena, uint64_t, room);
        find_levels(&s, block->end);
    }
    if (last > s.first && fw_instruction_is_terminator(&work->function->instructions[last - 1]))
        last--;
    for (uint32_t i = s.first; i < block->end; i++)
        if (machine_is_merged(work, i))
            s.placed[i - s.first] = true;
        else
            fw_instruction_uses(&work->function->instructions[i], note_read, &s);
    for (uint32_t i = s.first; i < last; i++)
        if (!s.placed[i - s.first])
            go_on(&s, i);
    place_rest(&s, last, block->end);
    fw_arena_release(work->arena, mark);
    return s.count;
}
