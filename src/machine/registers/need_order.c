/* need order: the instructions of one block, each as near to its users as dependences let it.
 *
 * A list scheduler from the block's end (Goodman and Hsu, "Code Scheduling and Register Allocation
 * in Large Basic Blocks", 1988, its mode for few free registers): of the instructions whose users
 * are all placed, the one is placed that leaves the fewest registers live before it, and of equal
 * ones the last in the text.  Accesses keep their order where they could meet: what is loaded is
 * not moved over a store to the same space or over a barrier.  Heap and lists make it
 * n log n in the instructions and the registers that they read. */
#include "liveness_internal.h"

enum {
    SPACE_SHARED = 1,
    SPACE_GLOBAL = 2,
    SPACE_LOCAL = 4,
    SPACE_ALL = 7,
    SPACE_COUNT = 3,
    NOWHERE = UINT32_MAX,
    SHARES = 5040 /* divisible by small numbers of readers */
};

/* One instruction of the block; nodes are numbered in the order of the text. */
struct node {
    uint32_t instruction;
    uint32_t first_use, end_use;   /* in `uses`: distinct values with registers */
    uint32_t first_edge, end_edge; /* in `edges`: nodes that come before */
    uint32_t waiting;              /* users that are not placed */
    int64_t cost;                  /* registers live before it, less those live after it; SHARES */
    uint32_t place;                /* in the heap; NOWHERE */
};

struct use {
    uint32_t value, node;
    uint32_t next;   /* the use before it of the same value in this block */
    uint32_t number; /* of its uses so far */
};

struct scheduler {
    struct liveness *work;
    const struct fw_block *block;
    uint32_t index;
    struct node *nodes;
    uint32_t count;
    FW_VECTOR(struct use) uses;
    value_list edges;
    uint32_t *home;  /* by value: its node here (+ base of this block), see node_of */
    uint32_t *chain; /* by value: its last use here */
    uint32_t *heap;
    uint32_t heap_count;
    uint32_t last_store[SPACE_COUNT], last_carry;
    value_list loads[SPACE_COUNT]; /* since the last store */
};

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

static uint32_t node_of(const struct scheduler *s, uint32_t value)
{
    const struct fw_value *from = &s->work->function->values[value];
    if (from->kind != FW_VALUE_INSTRUCTION || from->block != s->index)
        return NOWHERE;
    return s->home[from->definition - s->block->first];
}

static void add_edge(struct scheduler *s, uint32_t before, uint32_t after)
{
    if (before == NOWHERE || before == after)
        return;
    *FW_APPEND(s->work->arena, &s->edges) = before;
    s->nodes[before].waiting++;
}

static void add_use(struct scheduler *s, uint32_t read)
{
    for (unsigned p = 0; read != FW_NO_INDEX && p < 2; p++) {
        uint32_t value = s->work->stands[read].values[p], node = s->count;
        if (value == FW_NO_INDEX || !s->work->width[value])
            continue;
        uint32_t last = s->chain[value];
        if (last < s->uses.count && s->uses.at[last].value == value) {
            if (s->uses.at[last].node == node)
                continue;
        } else {
            last = NOWHERE;
        }
        s->chain[value] = (uint32_t)s->uses.count;
        *FW_APPEND(s->work->arena, &s->uses) =
            (struct use){.value = value,
                         .node = node,
                         .next = last,
                         .number = last == NOWHERE ? 1 : s->uses.at[last].number + 1};
        add_edge(s, node_of(s, value), node);
    }
}

static void add_operand(void *user, struct fw_operand *operand)
{
    add_use(user, operand->value);
}

static void add_order(struct scheduler *s, const struct fw_instruction *at)
{
    struct machine_order order = machine_order_of(at);
    uint32_t node = s->count;
    for (unsigned c = 0; c < SPACE_COUNT; c++) {
        if ((order.reads | order.writes) & 1U << c)
            add_edge(s, s->last_store[c], node);
        if (order.writes & 1U << c) {
            for (size_t l = 0; l < s->loads[c].count; l++)
                add_edge(s, s->loads[c].at[l], node);
            s->loads[c].count = 0;
            s->last_store[c] = node;
        } else if (order.reads & 1U << c) {
            *FW_APPEND(s->work->arena, &s->loads[c]) = node;
        }
    }
    if (at->flags & FW_FLAG_CARRY_OUT || at->opcode == FW_OP_ADDC || at->opcode == FW_OP_SUBC ||
        at->opcode == FW_OP_MADC) { /* the carry is no value: its order stays */
        add_edge(s, s->last_carry, node);
        s->last_carry = node;
    }
}

static void add_node(struct scheduler *s, uint32_t i)
{
    const struct fw_instruction *at = &s->work->function->instructions[i];
    if (machine_is_merged(s->work, i))
        return;
    struct node *node = &s->nodes[s->count];
    *node = (struct node){.instruction = i, .place = NOWHERE};
    node->first_use = (uint32_t)s->uses.count;
    node->first_edge = (uint32_t)s->edges.count;
    fw_instruction_uses(at, add_operand, s);
    if (at->guard != FW_NO_INDEX) {
        uint32_t count = at->prior_values ? fw_instruction_definitions(at, NULL, NULL) : 0;
        add_use(s, at->guard_value);
        for (uint32_t d = 0; d < count; d++)
            add_use(s, at->prior_values[d]);
    }
    add_order(s, at);
    if (fw_instruction_is_terminator(at) || i + 1 == s->block->end)
        for (uint32_t n = 0; n < s->count; n++)
            add_edge(s, n, s->count);
    node->end_use = (uint32_t)s->uses.count;
    node->end_edge = (uint32_t)s->edges.count;
    s->home[i - s->block->first] = s->count++;
}

static bool is_live(const struct scheduler *s, uint32_t value)
{
    return s->work->marked[value] == s->work->stamp;
}

/* Registers: predicates are others. */
static int64_t weight_of(const struct scheduler *s, uint32_t value)
{
    return machine_is_predicate(s->work->function, value) ? 0 : s->work->width[value] * SHARES;
}

/* What making a value live costs one of its readers: they share it. */
static int64_t share_of(const struct scheduler *s, uint32_t value)
{
    return weight_of(s, value) / (int64_t)s->uses.at[s->chain[value]].number;
}

static bool is_before(const struct scheduler *s, uint32_t a, uint32_t b)
{
    return s->nodes[a].cost != s->nodes[b].cost ? s->nodes[a].cost < s->nodes[b].cost : a > b;
}

static void put(struct scheduler *s, uint32_t place, uint32_t node)
{
    s->heap[place] = node;
    s->nodes[node].place = place;
}

static void rise(struct scheduler *s, uint32_t node)
{
    uint32_t place = s->nodes[node].place;
    while (place && is_before(s, node, s->heap[(place - 1) / 2])) {
        put(s, place, s->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put(s, place, node);
}

static uint32_t take_first(struct scheduler *s)
{
    uint32_t first = s->heap[0], last = s->heap[--s->heap_count], place = 0;
    s->nodes[first].place = NOWHERE;
    if (first == last)
        return first;
    for (;;) {
        uint32_t child = 2 * place + 1;
        if (child + 1 < s->heap_count && is_before(s, s->heap[child + 1], s->heap[child]))
            child++;
        if (child >= s->heap_count || is_before(s, last, s->heap[child]))
            break;
        put(s, place, s->heap[child]);
        place = child;
    }
    put(s, place, last);
    return first;
}

struct definition_cost {
    struct scheduler *s;
    int64_t cost;
};

static void add_definition(void *user, struct fw_operand *operand)
{
    struct definition_cost *to = user;
    if (operand->value != FW_NO_INDEX && is_live(to->s, operand->value))
        to->cost -= weight_of(to->s, operand->value);
}

static void make_ready(struct scheduler *s, uint32_t n)
{
    struct node *node = &s->nodes[n];
    struct definition_cost cost = {s, 0};
    fw_instruction_definitions(&s->work->function->instructions[node->instruction], add_definition,
                               &cost);
    for (uint32_t u = node->first_use; u < node->end_use; u++)
        if (!is_live(s, s->uses.at[u].value))
            cost.cost += share_of(s, s->uses.at[u].value);
    node->cost = cost.cost;
    put(s, s->heap_count++, n);
    rise(s, n);
}

static void end_definition(void *user, struct fw_operand *operand)
{
    struct scheduler *s = user;
    if (operand->value != FW_NO_INDEX)
        s->work->marked[operand->value] = 0;
}

/* A value becomes live: those that wait and read it too cost less. */
static void begin(struct scheduler *s, uint32_t use)
{
    uint32_t value = s->uses.at[use].value;
    if (is_live(s, value))
        return;
    s->work->marked[value] = s->work->stamp;
    for (uint32_t u = s->chain[value]; u != NOWHERE; u = s->uses.at[u].next) {
        uint32_t other = s->uses.at[u].node;
        if (s->nodes[other].place == NOWHERE)
            continue;
        s->nodes[other].cost -= share_of(s, value);
        rise(s, other);
    }
}

static void place_all(struct scheduler *s, uint32_t *order)
{
    uint32_t left = s->count;
    for (uint32_t n = 0; n < s->count; n++)
        if (!s->nodes[n].waiting)
            make_ready(s, n);
    while (s->heap_count) {
        uint32_t n = take_first(s);
        const struct node *node = &s->nodes[n];
        order[--left] = node->instruction;
        fw_instruction_definitions(&s->work->function->instructions[node->instruction],
                                   end_definition, s);
        for (uint32_t u = node->first_use; u < node->end_use; u++)
            begin(s, u);
        for (uint32_t e = node->first_edge; e < node->end_edge; e++)
            if (--s->nodes[s->edges.at[e]].waiting == 0)
                make_ready(s, s->edges.at[e]);
    }
}

uint32_t machine_need_order(struct liveness *work, uint32_t index, uint32_t *order)
{
    const struct fw_block *block = &work->function->blocks[index];
    struct fw_arena_mark mark = fw_arena_mark(work->arena);
    uint32_t room = block->end - block->first;
    struct scheduler *s = FW_NEW(work->arena, struct scheduler);
    *s = (struct scheduler){.work = work, .block = block, .index = index, .last_carry = NOWHERE};
    s->nodes = FW_ARRAY(work->arena, struct node, room);
    s->home = FW_ARRAY(work->arena, uint32_t, room);
    s->heap = FW_ARRAY(work->arena, uint32_t, room);
    s->chain = work->chain;
    work->stamp++;
    for (unsigned c = 0; c < SPACE_COUNT; c++)
        s->last_store[c] = NOWHERE;
    for (uint32_t i = 0; i < room; i++)
        s->home[i] = NOWHERE;
    for (uint32_t i = block->first; i < block->end; i++)
        add_node(s, i);
    for (size_t v = 0; v < work->live_out[index].count; v++)
        work->marked[work->live_out[index].at[v]] = work->stamp;
    place_all(s, order);
    uint32_t count = s->count;
    fw_arena_release(work->arena, mark);
    return count;
}
