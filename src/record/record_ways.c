/* Ways: whether every way from a block passes another.
 *
 * Ways are those within the body of the innermost loop that the second block is entered in: they
 * end where they come back to its header, leave it or end the function.  Inner loops are taken to
 * end.  Most answers are read off the tree of post-dominators of that body, which is found once; a
 * walk over the blocks in between gives the others. */
#include "record_internal.h"

/* The body of a loop, or the whole function, without the edges to the header. */
struct record_body {
    struct fw_tree tree;      /* of post-dominators; node 0 is the end of all ways */
    const uint32_t *block_of; /* by node */
    uint32_t header;          /* the node of the loop's header */
    bool all_end;             /* from every block there is a way to an end */
    bool may_leave;           /* threads can leave the function in it */
    bool may_stick;           /* a way out of the loop goes round for ever */
};

enum { NO_NODE = FW_NO_INDEX };

bool record_can_leave(const struct fw_function *function, uint32_t index)
{
    const struct fw_block *block = &function->blocks[index];
    const struct fw_instruction *last =
        block->end > block->first ? &function->instructions[block->end - 1] : NULL;
    return block->successor_count == 0 || (last && fw_instruction_is_terminator(last) &&
                                           last->opcode != FW_OP_BRA && last->opcode != FW_OP_BRX);
}

/* Whether a block does nothing but end threads. */
static bool just_ends(const struct fw_function *function, uint32_t index)
{
    const struct fw_block *block = &function->blocks[index];
    return record_can_leave(function, index) && block->end <= block->first + 1;
}

/* Whether no way from a block ends the function, though one from the entry does: an endless loop,
 * which no thread of a launch that ends comes to. */
static bool sticks(struct builder *b, uint32_t index)
{
    const struct fw_function *function = b->function;
    if (!b->ways.ends) {
        uint32_t depth = 0, n = function->block_count;
        uint32_t *stack = FW_ARRAY(b->arena, uint32_t, (size_t)n + 1);
        bool *ends = b->ways.ends = FW_ARRAY(b->arena, bool, (size_t)n + 1);
        for (uint32_t i = 0; i < n; i++) {
            ends[i] = function->blocks[i].order != FW_NO_INDEX && record_can_leave(function, i);
            if (ends[i])
                stack[depth++] = i;
        }
        while (depth) {
            const struct fw_block *block = &function->blocks[stack[--depth]];
            for (uint32_t p = 0; p < block->predecessor_count; p++) {
                uint32_t from = block->predecessors[p];
                if (!ends[from])
                    stack[depth++] = from;
                ends[from] = true;
            }
        }
    }
    return !b->ways.ends[index] && b->ways.ends[function->order[0]];
}

/* The loop whose body a block is entered in: a header's is the one around its own. */
static uint32_t loop_of_entry(const struct fw_function *function, uint32_t block)
{
    uint32_t loop = function->blocks[block].loop;
    bool header = loop != FW_NO_INDEX && function->loops[loop].header == block;
    return header ? function->loops[loop].parent : loop;
}

/* Whether an edge to `next` ends the ways in the body of a loop. */
static bool ends_way(const struct fw_function *function, uint32_t next, uint32_t loop)
{
    return loop != FW_NO_INDEX &&
           (next == function->loops[loop].header || !fw_block_in_loop(function, next, loop));
}

/* ---- bodies ---- */

/* A body under construction: its blocks get numbers from 1 on in the order in which the ends come
 * back to them. */
struct body_search {
    const struct fw_function *function;
    uint32_t loop, count;
    uint32_t *number; /* by block, 0: none yet; those of other bodies are left over */
    uint32_t *block_of;
};

static void number_block(struct body_search *search, uint32_t block)
{
    if (search->number[block])
        return;
    search->block_of[++search->count] = block;
    search->number[block] = search->count;
}

/* Numbers the blocks from which there is a way to an end.  Gives whether threads can leave. */
static bool number_body(struct body_search *search, const uint32_t *blocks, uint32_t count)
{
    const struct fw_function *function = search->function;
    uint32_t header =
        search->loop == FW_NO_INDEX ? FW_NO_INDEX : function->loops[search->loop].header;
    bool leaves = false;
    for (uint32_t i = 0; i < count; i++)
        search->number[blocks[i]] = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct fw_block *block = &function->blocks[blocks[i]];
        bool ends = record_can_leave(function, blocks[i]);
        leaves |= ends;
        for (uint32_t s = 0; s < block->successor_count && !ends; s++)
            ends = ends_way(function, block->successors[s], search->loop);
        if (ends)
            number_block(search, blocks[i]);
    }
    for (uint32_t done = 1; done <= search->count; done++) {
        const struct fw_block *block = &function->blocks[search->block_of[done]];
        for (uint32_t p = 0; p < block->predecessor_count; p++)
            if (search->block_of[done] != header &&
                (search->loop == FW_NO_INDEX ||
                 fw_block_in_loop(function, block->predecessors[p], search->loop)))
                number_block(search, block->predecessors[p]);
    }
    return leaves;
}

/* The tree of post-dominators of the blocks that have numbers. */
static struct fw_tree body_tree(struct fw_arena *arena, const struct body_search *search)
{
    const struct fw_function *function = search->function;
    uint32_t nodes = search->count + 1, edges = 0, e = 0;
    for (uint32_t i = 1; i < nodes; i++)
        edges += function->blocks[search->block_of[i]].successor_count + 1;
    uint32_t *start = FW_ARRAY(arena, uint32_t, (size_t)nodes + 1);
    uint32_t *into = FW_ARRAY(arena, uint32_t, edges + 1);
    for (uint32_t i = 1; i < nodes; i++) {
        const struct fw_block *block = &function->blocks[search->block_of[i]];
        bool ends = record_can_leave(function, search->block_of[i]);
        for (uint32_t s = 0; s < block->successor_count; s++) {
            bool out = ends_way(function, block->successors[s], search->loop);
            ends |= out;
            if (!out && search->number[block->successors[s]])
                into[e++] = search->number[block->successors[s]];
        }
        if (ends)
            into[e++] = 0;
        start[i + 1] = e;
    }
    uint32_t *parent = fw_graph_dominators(arena, nodes, start, into);
    parent[0] = FW_NO_INDEX;
    return fw_tree_new(arena, parent, nodes);
}

static struct record_body *new_body(struct builder *b, uint32_t loop)
{
    const struct fw_function *function = b->function;
    struct record_body *body = FW_NEW(b->arena, struct record_body);
    const struct fw_loop_info *info = loop == FW_NO_INDEX ? NULL : &function->loops[loop];
    const uint32_t *blocks = info ? info->blocks : function->order;
    uint32_t count = info ? info->block_count : function->order_count;
    struct body_search search = {function, loop, 0, b->ways.number,
                                 FW_ARRAY(b->arena, uint32_t, (size_t)count + 1)};
    body->may_leave = number_body(&search, blocks, count);
    body->all_end = search.count == count;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t s = 0; s < function->blocks[blocks[i]].successor_count; s++)
            body->may_stick |= sticks(b, function->blocks[blocks[i]].successors[s]);
    body->tree = body_tree(b->arena, &search);
    body->block_of = search.block_of;
    body->header = info ? search.number[info->header] : NO_NODE;
    for (uint32_t i = 0; i < count; i++)
        if (loop_of_entry(function, blocks[i]) == loop)
            b->ways.node[blocks[i]] = search.number[blocks[i]];
    return body;
}

/* The body that `to` is entered in. */
static const struct record_body *body_of(struct builder *b, uint32_t to)
{
    uint32_t loop = loop_of_entry(b->function, to), n = b->function->block_count;
    if (!b->ways.bodies) {
        b->ways.bodies = FW_ARRAY(b->arena, struct record_body *, b->function->loop_count + 1);
        b->ways.number = FW_ARRAY(b->arena, uint32_t, n);
        b->ways.node = FW_ARRAY(b->arena, uint32_t, n);
    }
    struct record_body **body =
        &b->ways.bodies[loop == FW_NO_INDEX ? b->function->loop_count : loop];
    if (!*body)
        *body = new_body(b, loop);
    return *body;
}

/* The node of a block in the body of a loop: 0 if no way from it ends, NO_NODE if it is not known,
 * since the block is further inside. */
static uint32_t node_of(const struct builder *b, const struct record_body *body, uint32_t loop,
                        uint32_t block)
{
    if (loop != FW_NO_INDEX && block == b->function->loops[loop].header)
        return body->header;
    return loop_of_entry(b->function, block) == loop ? b->ways.node[block] : NO_NODE;
}

/* ---- walks ---- */

/* Marks what can be reached from a block within the body of a loop, it itself included.  False:
 * these are more than `most`. */
static bool mark_reachable(struct builder *b, uint32_t from, uint32_t loop, uint32_t most)
{
    const struct fw_function *function = b->function;
    uint32_t depth = 0, count = 1, *stack = b->walk_stack + function->block_count + 1;
    b->behind_epoch++;
    b->ways.marked = FW_NO_INDEX;
    stack[depth++] = from;
    b->behind_stamp[from] = b->behind_epoch;
    while (depth) {
        const struct fw_block *block = &function->blocks[stack[--depth]];
        for (uint32_t s = 0; s < block->successor_count; s++) {
            uint32_t next = block->successors[s];
            if (b->behind_stamp[next] == b->behind_epoch || ends_way(function, next, loop))
                continue;
            if (count++ == most)
                return false;
            b->behind_stamp[next] = b->behind_epoch;
            stack[depth++] = next;
        }
    }
    b->ways.marked = from;
    return true;
}

enum answer { NO, YES, UNDECIDED };

static const struct fw_tree *dominators_of(struct builder *b)
{
    if (!b->ways.dominators.count)
        b->ways.dominators = fw_dominator_tree(b->arena, b->function);
    return &b->ways.dominators;
}

/* Whether `next`, below `from` in the tree of dominators, is in a part that is entered from `from`
 * alone: nothing else that `from` dominates leads there. */
static bool apart(struct builder *b, uint32_t from, uint32_t next)
{
    const struct fw_tree *tree = dominators_of(b);
    if (b->function->irreducible || from == next || !fw_tree_above(tree, from, next))
        return false;
    uint32_t part = next, depth = tree->depth[from] + 1;
    while (tree->depth[part] > depth)
        part = tree->depth[tree->jump[part]] >= depth ? tree->jump[part] : tree->parent[part];
    const struct fw_block *block = &b->function->blocks[part];
    return block->predecessor_count == 1 && block->predecessors[0] == from;
}

/* Whether `to` leads to `next`, which comes after it in reverse post-order and on a way from `from`
 * past `to`. */
static enum answer leads_to(struct builder *b, uint32_t from, uint32_t to, uint32_t next,
                            bool limited)
{
    uint32_t loop = loop_of_entry(b->function, to);
    const struct record_body *body = body_of(b, to);
    if (b->ways.marked != to) {
        uint32_t at = node_of(b, body, loop, to), then = node_of(b, body, loop, next);
        if (at && then && at != NO_NODE && then != NO_NODE && fw_tree_above(&body->tree, then, at))
            return YES;
        if (limited)
            return b->function->blocks[to].dominator == from && apart(b, from, next) ? NO
                                                                                     : UNDECIDED;
        mark_reachable(b, to, loop, FW_NO_INDEX);
    }
    return b->behind_stamp[next] == b->behind_epoch ? YES : NO;
}

/* Whether every way from `from` passes `to`; with `unsure`, as record_meets says.  At most `most`
 * blocks are walked over; without a limit the answer is always found. */
static enum answer all_ways_pass(struct builder *b, uint32_t from, uint32_t to, bool *unsure,
                                 uint32_t most)
{
    const struct fw_function *function = b->function;
    uint32_t loop = loop_of_entry(function, to), depth = 0, count = 0;
    if (unsure)
        *unsure = false;
    b->walk_epoch++;
    b->walk_stack[depth++] = from;
    b->walk_stamp[from] = b->walk_epoch;
    while (depth) {
        const struct fw_block *block = &function->blocks[b->walk_stack[--depth]];
        if (record_can_leave(function, b->walk_stack[depth]) && !unsure)
            return NO;
        if (count > most)
            return UNDECIDED;
        count += block->successor_count;
        for (uint32_t s = 0; s < block->successor_count; s++) {
            uint32_t next = block->successors[s];
            if (next == to || (unsure && sticks(b, next)))
                continue;
            if (ends_way(function, next, loop)) /* the header is an end even where it is `from` */
                return NO;
            if (b->walk_stamp[next] == b->walk_epoch)
                continue;
            /* What `to` leads to comes after it in reverse post-order. */
            enum answer behind = NO;
            if (unsure && function->blocks[next].order > function->blocks[to].order)
                behind = leads_to(b, from, to, next, most != FW_NO_INDEX);
            if (behind == UNDECIDED)
                return UNDECIDED;
            if (behind == YES && !record_can_leave(function, next))
                return NO;
            if (behind == YES)
                *unsure |= !just_ends(function, next);
            b->walk_stamp[next] = b->walk_epoch;
            b->walk_stack[depth++] = next;
        }
    }
    return YES;
}

bool record_covers(struct builder *b, uint32_t from, uint32_t to)
{
    uint32_t loop = loop_of_entry(b->function, to);
    const struct record_body *body = body_of(b, to);
    uint32_t at = node_of(b, body, loop, from), then = node_of(b, body, loop, to);
    if (at == NO_NODE || then == NO_NODE)
        return all_ways_pass(b, from, to, NULL, FW_NO_INDEX) == YES;
    return !at || (then && fw_tree_above(&body->tree, then, at));
}

/* What the tree of post-dominators says of record_meets. */
static enum answer meets_by_tree(struct builder *b, uint32_t from, uint32_t to)
{
    const struct fw_function *function = b->function;
    uint32_t loop = loop_of_entry(function, to);
    const struct record_body *body = body_of(b, to);
    uint32_t at = node_of(b, body, loop, from), then = node_of(b, body, loop, to);
    if (!at || !then || at == NO_NODE || then == NO_NODE || body->may_stick)
        return UNDECIDED;
    bool above = fw_tree_above(&body->tree, then, at);
    if (body->all_end && !function->irreducible && above)
        return YES; /* what comes after `to` comes after it on all ways */
    if (!above && loop != FW_NO_INDEX && !body->may_leave)
        return NO;                         /* a way ends, and not by leaving the function */
    uint32_t join = body->tree.parent[at]; /* where all ways come together, `to` aside */
    if (above || !join || !fw_tree_above(&body->tree, join, then))
        return UNDECIDED;
    bool behind = function->blocks[body->block_of[join]].order > function->blocks[to].order;
    return behind && !record_can_leave(function, body->block_of[join]) ? NO : UNDECIDED;
}

/* Whether some way from `from` passes `to` by, and all of those come to `next`. */
static bool joins(struct builder *b, uint32_t from, uint32_t to, uint32_t next)
{
    uint32_t loop = loop_of_entry(b->function, to);
    const struct record_body *body = body_of(b, to);
    uint32_t at = node_of(b, body, loop, from), then = node_of(b, body, loop, to);
    uint32_t join = node_of(b, body, loop, next);
    return at && then && join && at != NO_NODE && then != NO_NODE && join != NO_NODE &&
           !fw_tree_above(&body->tree, then, at) && fw_tree_above(&body->tree, join, at);
}

/* The answer of record_meets outside of loops from the few blocks that `to` leads to: which of them
 * are on ways past it. */
static enum answer meets_by_successors(struct builder *b, uint32_t from, uint32_t to, bool *unsure,
                                       uint32_t most)
{
    const struct fw_function *function = b->function;
    bool no = false;
    *unsure = false;
    if (loop_of_entry(function, to) != FW_NO_INDEX || !mark_reachable(b, to, FW_NO_INDEX, most))
        return UNDECIDED;
    const struct fw_tree *dominators = dominators_of(b);
    uint32_t *stack = b->walk_stack, depth = 0;
    b->walk_epoch++;
    b->walk_stamp[to] = b->walk_epoch;
    for (stack[depth++] = to; depth;) {
        const struct fw_block *block = &function->blocks[stack[--depth]];
        for (uint32_t s = 0; s < block->successor_count; s++) {
            uint32_t next = block->successors[s];
            if (b->walk_stamp[next] == b->walk_epoch || sticks(b, next))
                continue;
            b->walk_stamp[next] = b->walk_epoch;
            stack[depth++] = next;
            if (function->blocks[next].order <= function->blocks[to].order ||
                fw_tree_above(dominators, to, next))
                continue;
            if (!fw_tree_above(dominators, from, next) && !joins(b, from, to, next))
                return UNDECIDED; /* other ways may lead there, and none from `from` */
            no |= !record_can_leave(function, next);
            *unsure |= record_can_leave(function, next) && !just_ends(function, next);
        }
    }
    return no ? *unsure ? UNDECIDED : NO : YES;
}

/* The same but for ways that end the function and do not come to anything that `to` leads to, save
 * its end, and for those that go round for ever: no thread waits for one that leaves, and none goes
 * into an endless loop in a launch that ends.  Unsure: that end does more than end, and whether
 * threads wait for each other before it is the assembler's choice. */
bool record_meets(struct builder *b, uint32_t from, uint32_t to, bool *unsure)
{
    enum { FEW = 32 };
    enum answer answer = meets_by_tree(b, from, to);
    *unsure = false;
    for (uint32_t most = FEW; answer == UNDECIDED && most < b->function->block_count; most *= 4) {
        answer = meets_by_successors(b, from, to, unsure, most);
        if (answer == UNDECIDED)
            answer = all_ways_pass(b, from, to, unsure, most);
    }
    if (answer == UNDECIDED)
        answer = all_ways_pass(b, from, to, unsure, FW_NO_INDEX);
    return answer == YES;
}
