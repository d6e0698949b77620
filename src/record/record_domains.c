/* Domains: the set of points at which each block runs, as a graph. */
#include "record_internal.h"

#include <string.h>

static uint32_t add_domain(struct builder *b, struct fw_domain domain)
{
    /* The same restriction of the same parent is the same domain. */
    for (uint32_t i = domain.parent; domain.kind == FW_DOMAIN_RESTRICT && i < b->domains.count;
         i++) {
        const struct fw_domain *old = &b->domains.at[i];
        if (old->kind == FW_DOMAIN_RESTRICT && old->parent == domain.parent &&
            old->truth == domain.truth &&
            b->branches.at[old->branch].condition == b->branches.at[domain.branch].condition)
            return i;
        if (i > domain.parent + 64)
            break;
    }
    *FW_APPEND(b->arena, &b->domains) = domain;
    return (uint32_t)b->domains.count - 1;
}

/* The line of a place in the PTX, counted on from the one that was asked for last. */
static uint32_t line_of(struct builder *b, struct fw_span span)
{
    size_t end = span.offset < span.source->length ? span.offset : span.source->length;
    const char *text = span.source->text;
    if (b->counted_in != span.source || end < b->counted_to) {
        b->counted_in = span.source;
        b->counted_to = 0;
        b->counted_lines = 0;
    }
    for (const char *at = text + b->counted_to;
         (at = memchr(at, '\n', (size_t)(text + end - at))) != NULL; at++)
        b->counted_lines++;
    b->counted_to = end;
    return b->counted_lines + 1;
}

static const char *place_name(struct builder *b, const char *what, uint32_t instruction)
{
    const struct fw_instruction *at = &b->function->instructions[instruction];
    const struct fw_module *module = b->function->module;
    const char *file = at->file < module->file_count ? module->files[at->file] : NULL;
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (file && at->line)
        return fw_arena_printf(b->arena, "%s@%s:%u", what, slash ? slash + 1 : file, at->line);
    uint32_t line = at->span.source ? line_of(b, at->span) : instruction;
    return fw_arena_printf(b->arena, "%s@ptx:%u", what, line);
}

/* Two branches or loops on one line get numbers: taken@a.cu:7, taken@a.cu:7#2. */
static const char *unique_name(struct builder *b, const char *name)
{
    bool added;
    struct fw_map_entry *entry = fw_map_add(&b->array_names, name, strlen(name), &added);
    entry->value++;
    return added ? name : fw_arena_printf(b->arena, "%s#%u", name, entry->value);
}

static uint32_t add_branch(struct builder *b, uint32_t instruction, fw_condition condition)
{
    const struct fw_instruction *at = &b->function->instructions[instruction];
    *FW_APPEND(b->arena, &b->branches) =
        (struct fw_branch){.name = unique_name(b, place_name(b, "taken", instruction)),
                           .condition = condition,
                           .instruction = instruction,
                           .line = at->line,
                           .data_dependent = record_condition_opaque(b, condition)};
    return (uint32_t)b->branches.count - 1;
}

/* The nearest restriction of `domain` by the condition, not behind a loop that was left, which had
 * iterations of its own; NULL: there is none near. */
static const struct fw_domain *restricted_before(const struct builder *b, uint32_t domain,
                                                 fw_condition condition)
{
    enum { NEAR = 64 };
    const struct fw_domain *at = &b->domains.at[domain];
    for (unsigned i = 0; i < NEAR; i++) {
        if (at->kind == FW_DOMAIN_RESTRICT && b->branches.at[at->branch].condition == condition)
            return at;
        if (at->kind != FW_DOMAIN_RESTRICT && at->kind != FW_DOMAIN_LOOP)
            return NULL;
        at = &b->domains.at[at->parent];
    }
    return NULL;
}

static uint32_t restrict_domain(struct builder *b, uint32_t parent, uint32_t branch, bool truth)
{
    fw_condition condition = b->branches.at[branch].condition;
    const struct fw_domain *before = restricted_before(b, parent, condition);
    if (condition == (truth ? FW_CONDITION_TRUE : FW_CONDITION_FALSE) ||
        (before && before->truth == truth))
        return parent;
    if (condition == (truth ? FW_CONDITION_FALSE : FW_CONDITION_TRUE) || before ||
        b->domains.at[parent].kind == FW_DOMAIN_EMPTY)
        return add_domain(b, (struct fw_domain){.kind = FW_DOMAIN_EMPTY, .parent = parent});
    return add_domain(b, (struct fw_domain){.kind = FW_DOMAIN_RESTRICT,
                                            .parent = parent,
                                            .branch = branch,
                                            .truth = truth,
                                            .innermost = b->domains.at[parent].innermost});
}

/* The domain of following edge number s out of `from`. */
static uint32_t edge_domain(struct builder *b, uint32_t from, uint32_t s)
{
    const struct fw_block *block = &b->function->blocks[from];
    uint32_t parent = b->domain_of[from];
    const struct fw_instruction *last =
        block->end > block->first ? &b->function->instructions[block->end - 1] : NULL;
    if (last && last->opcode == FW_OP_BRX)
        return restrict_domain(b, parent, add_branch(b, block->end - 1, record_edge(b, from, s)),
                               true);
    if (!last || !fw_instruction_is_terminator(last) || last->guard == FW_NO_INDEX)
        return parent;
    uint32_t *branch = &b->branch_of[block->end - 1];
    if (*branch == FW_NO_INDEX) {
        *branch = add_branch(b, block->end - 1, record_guard(b, block->end - 1));
        for (uint32_t way = 0; way < block->successor_count; way++)
            b->branches.at[*branch].leaves_loop |=
                record_loop_left(b->function, from, block->successors[way]) != FW_NO_INDEX;
    }
    bool taken = last->opcode == FW_OP_BRA && s == 0 && block->successor_count == 2;
    return restrict_domain(b, parent, *branch, taken);
}

/* The block that dominates `block` within its loop: of a loop that it is behind, the header. */
static uint32_t dominator_within(const struct fw_function *function, uint32_t block)
{
    uint32_t dominator = function->blocks[block].dominator;
    uint32_t left =
        dominator == FW_NO_INDEX ? FW_NO_INDEX : record_loop_left(function, dominator, block);
    return left == FW_NO_INDEX ? dominator : function->loops[left].header;
}

/* Whether every thread that enters a loop leaves it to `block`: no other way out that can be
 * followed, and none that ends threads. */
static bool leaves_to(const struct builder *b, uint32_t loop, uint32_t block)
{
    const struct fw_loop_info *info = &b->function->loops[loop];
    uint32_t order = b->function->blocks[block].order;
    for (uint32_t i = 0; i < info->block_count; i++) {
        const struct fw_block *inside = &b->function->blocks[info->blocks[i]];
        bool known = inside->order < order;
        if (known && b->domains.at[b->domain_of[info->blocks[i]]].kind == FW_DOMAIN_EMPTY)
            continue;
        if (record_can_leave(b->function, info->blocks[i]))
            return false;
        for (uint32_t s = 0; s < inside->successor_count; s++)
            if (inside->successors[s] != block &&
                !fw_block_in_loop(b->function, inside->successors[s], loop))
                return false;
    }
    return true;
}

/* The domain behind all edges that leave a loop for `block`: where all threads that enter it leave
 * it to there, that of entering it. */
static uint32_t domain_left(struct builder *b, uint32_t from, uint32_t block, uint32_t edge)
{
    uint32_t loop = record_loop_left(b->function, from, block);
    if (loop == FW_NO_INDEX || !leaves_to(b, loop, block))
        return edge;
    return b->domains.at[b->domain_of[b->function->loops[loop].header]].parent;
}

/* The domain that members make up together, where they are all there is of it: both ways of a
 * branch are what came to the branch.  A compiler that follows a condition it has decided before
 * leaves ways in the code that no thread takes, so that what all threads come to is no
 * post-dominator of where they part.  Changes the members; FW_NO_INDEX: there is no such domain. */
static uint32_t whole_domain(const struct builder *b, uint32_t *members, uint32_t count)
{
    enum { MOST = 32 };
    if (count > MOST)
        return FW_NO_INDEX;
    for (uint32_t i = 0; i < count; i++) {
        const struct fw_domain *one = &b->domains.at[members[i]];
        bool joined = false;
        for (uint32_t j = 0; j < count && !joined; j++) {
            const struct fw_domain *other = &b->domains.at[members[j]];
            joined =
                j != i && (members[j] == members[i] ||
                           (one->kind == FW_DOMAIN_RESTRICT && other->kind == FW_DOMAIN_RESTRICT &&
                            one->parent == other->parent && one->truth != other->truth &&
                            b->branches.at[one->branch].condition ==
                                b->branches.at[other->branch].condition));
            if (!joined)
                continue;
            members[i] = members[j] == members[i] ? members[i] : one->parent;
            members[j] = members[--count];
        }
        if (joined)
            i = (uint32_t)-1; /* from the first one again */
    }
    return count == 1 ? members[0] : FW_NO_INDEX;
}

/* The union of the edges into `block` from blocks that come before it. */
static uint32_t union_of_edges(struct builder *b, uint32_t block)
{
    const struct fw_block *to = &b->function->blocks[block];
    uint32_t *members = FW_ARRAY(b->arena, uint32_t, to->predecessor_count + 1), count = 0;
    uint32_t *wholes = FW_ARRAY(b->arena, uint32_t, to->predecessor_count + 1);
    bool header = to->loop != FW_NO_INDEX && b->function->loops[to->loop].header == block;
    uint32_t inner = header ? b->function->loops[to->loop].parent : to->loop;
    uint32_t dominator = dominator_within(b->function, block);
    bool unsure = false;
    bool meets = dominator == FW_NO_INDEX || record_meets(b, dominator, block, &unsure);
    for (uint32_t p = 0; p < to->predecessor_count; p++) {
        uint32_t from = to->predecessors[p], seen = 0;
        if (b->function->blocks[from].order >= to->order)
            continue;
        for (uint32_t q = 0; q < p; q++)
            seen += to->predecessors[q] == from;
        for (uint32_t s = 0; s < b->function->blocks[from].successor_count; s++) {
            if (b->function->blocks[from].successors[s] != block || seen-- > 0)
                continue;
            seen = 0;
            uint32_t edge = edge_domain(b, from, s), whole = domain_left(b, from, block, edge);
            if (record_loop_left(b->function, from, block) != FW_NO_INDEX)
                edge = add_domain(b, (struct fw_domain){.kind = FW_DOMAIN_LEAVE,
                                                        .parent = edge,
                                                        .meets = meets,
                                                        .unsure = unsure,
                                                        .innermost = inner});
            if (b->domains.at[edge].kind != FW_DOMAIN_EMPTY) {
                wholes[count] = whole;
                members[count++] = edge;
            }
            break;
        }
    }
    uint32_t all = count ? whole_domain(b, wholes, count) : FW_NO_INDEX;
    if (all != FW_NO_INDEX)
        return all;
    if (count == 1)
        return members[0];
    if (count == 0)
        return add_domain(b, (struct fw_domain){.kind = FW_DOMAIN_EMPTY, .innermost = inner});
    return add_domain(b, (struct fw_domain){.kind = FW_DOMAIN_UNION,
                                            .meets = meets,
                                            .unsure = unsure,
                                            .parent = members[0],
                                            .members = members,
                                            .member_count = count,
                                            .innermost = inner});
}

/* The domain of entering a block: that of its dominator when every way from it leads here. */
static uint32_t entry_domain(struct builder *b, uint32_t block)
{
    uint32_t dominator = b->function->blocks[block].dominator;
    if (dominator == FW_NO_INDEX)
        return 0;
    uint32_t left = record_loop_left(b->function, dominator, block);
    uint32_t from = dominator_within(b->function, block);
    if (b->function->blocks[block].predecessor_count == 1 && left == FW_NO_INDEX)
        return union_of_edges(b, block);
    if (!record_covers(b, from, block))
        return union_of_edges(b, block);
    return left == FW_NO_INDEX ? b->domain_of[from] : b->domains.at[b->domain_of[from]].parent;
}

static void describe_loop(struct builder *b, uint32_t loop)
{
    const struct fw_loop_info *info = &b->function->loops[loop];
    struct fw_loop *out = &b->kernel->loops[loop];
    uint32_t first = b->function->blocks[info->header].first;
    /* The latch's branch is where the source's loop statement stands. */
    uint32_t end = b->function->blocks[info->latches[0]].end;
    uint32_t named = end > 0 ? end - 1 : first;
    *out = (struct fw_loop){.name = unique_name(b, place_name(b, "trips", named)),
                            .parent = info->parent,
                            .depth = info->depth,
                            .line = b->function->instructions[named].line,
                            .instruction = first};
}

/* Whether a loop only waits for an mbarrier: it goes on while the wait has not succeeded, which the
 * record takes it to do at once. */
static bool is_wait(const struct builder *b, uint32_t loop)
{
    const struct fw_loop_info *info = &b->function->loops[loop];
    if (b->loops[loop].stays != FW_CONDITION_FALSE)
        return false;
    for (uint32_t k = 0; k < info->block_count; k++) {
        const struct fw_block *block = &b->function->blocks[info->blocks[k]];
        for (uint32_t i = block->first; i < block->end; i++)
            if (record_waits(&b->function->instructions[i]))
                return true;
    }
    return false;
}

static void condition_loop(struct builder *b, uint32_t loop)
{
    struct fw_loop *out = &b->kernel->loops[loop];
    out->trips = record_trips(b, loop);
    fw_condition stays = b->loops[loop].stays;
    out->stays = record_condition_before(b, stays, loop);
    out->is_wait = is_wait(b, loop);
    out->splits = record_splits(b, loop);
    out->apart = record_goes_apart(b, loop);
    out->data_dependent = out->is_wait || record_condition_opaque(b, stays);
    out->usual_trips = out->data_dependent && !out->is_wait
                           ? record_usual_trips(b, out->stays, loop, FW_DEFAULT_TRIPS)
                           : 0;
    fw_expression atom = fw_atom_new(b->pool, FW_ATOM_TRIPS, loop, 0, 0);
    if (out->trips == atom)
        out->trips = FW_NO_EXPRESSION;
}

void record_domains(struct builder *b)
{
    const struct fw_function *function = b->function;
    *FW_APPEND(b->arena, &b->domains) =
        (struct fw_domain){.kind = FW_DOMAIN_ALL, .innermost = FW_NONE};
    b->kernel->loops = FW_ARRAY(b->arena, struct fw_loop, function->loop_count);
    b->kernel->loop_count = function->loop_count;
    for (uint32_t l = 0; l < function->loop_count; l++)
        describe_loop(b, l);
    for (uint32_t o = 0; o < function->order_count; o++) {
        uint32_t block = function->order[o], loop = function->blocks[block].loop;
        bool header = loop != FW_NO_INDEX && function->loops[loop].header == block;
        uint32_t domain = header ? union_of_edges(b, block) : entry_domain(b, block);
        if (header) {
            /* A loop that starts where every way leads is entered as often as its dominator runs.
             */
            uint32_t dominator = function->blocks[block].dominator;
            if (dominator != FW_NO_INDEX && b->domains.at[domain].kind == FW_DOMAIN_UNION)
                domain = entry_domain(b, block);
            domain = add_domain(
                b, (struct fw_domain){
                       .kind = FW_DOMAIN_LOOP, .parent = domain, .loop = loop, .innermost = loop});
        }
        b->domain_of[block] = domain;
    }
    for (uint32_t l = 0; l < function->loop_count; l++)
        condition_loop(b, l);
}

uint32_t record_nowhere(struct builder *b)
{
    if (b->nowhere == 0) /* the domain 0 is that of all threads */
        b->nowhere =
            add_domain(b, (struct fw_domain){.kind = FW_DOMAIN_EMPTY, .innermost = FW_NONE});
    return b->nowhere;
}

uint32_t record_guarded_domain(struct builder *b, uint32_t instruction)
{
    const struct fw_instruction *at = &b->function->instructions[instruction];
    uint32_t parent = b->domain_of[b->block_of[instruction]];
    if (at->guard == FW_NO_INDEX || fw_instruction_is_terminator(at))
        return parent;
    return restrict_domain(b, parent, add_branch(b, instruction, record_guard(b, instruction)),
                           true);
}

uint32_t record_restricted_domain(struct builder *b, uint32_t instruction, uint32_t parent,
                                  fw_condition condition)
{
    if (condition == FW_CONDITION_TRUE)
        return parent;
    return restrict_domain(b, parent, add_branch(b, instruction, condition), true);
}

uint32_t record_quantity(struct builder *b, const char *what, uint32_t instruction, double usual)
{
    *FW_APPEND(b->arena, &b->quantities) =
        (struct fw_quantity){.name = unique_name(b, place_name(b, what, instruction)),
                             .line = b->function->instructions[instruction].line,
                             .usual = usual};
    return (uint32_t)b->quantities.count - 1;
}
