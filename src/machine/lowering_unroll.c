/* lowering, sixth part: loops that ptxas unrolls, and what their iterations then share.
 *
 * ptxas 13.0 takes four iterations at once of a loop that counts by a literal to a bound that does
 * not change, when one block leaves it, no loop and no call is inside, and the body is small. Found
 * by compiling loops of growing bodies (scripts/study-unrolling, data/lowering/unrolling.txt): an
 * operation weighs 1, an access of memory 2, an atomic one 10, what counts the loop and what moves
 * its pointers by literals nothing; a pointer that is put together from one that moves and one that
 * does not, 2.  A predicate of an instruction weighs 1, and so does each register that is set for
 * the case that a load is not executed, and a condition that is joined to another.  A body may
 * weigh 18; 18 and 5 for each load from shared memory, up to 96; 46 when it loads from global
 * memory.  A loop of a known number of iterations is unrolled completely if all of them weigh no
 * more than 768, or 1500 when one weighs no more than 18, or 500 where the loop is left in its
 * middle: what stands ahead of that is executed once before it, and what stands behind it comes
 * first then; a loop that only asks at its begin is turned to ask at its end. The compare, the branch, the counter and the pointers are then issued once in four
 * iterations. Sums, logic and extremes that gather over the iterations take two of them at once.
 * What stands around such a loop (data/lowering/around_loops.txt) is issued with the instruction
 * before it. */
#include "checked.h"
#include "lowering_internal.h"

#include <string.h>

enum {
    TOGETHER = 4,
    WEIGHT = 18,
    SHARED_MORE = 5,
    SHARED_MOST = 96,
    GLOBAL_MOST = 46,
    COMPLETE = 1500,
    COMPLETE_LARGE = 768,
    COMPLETE_MIDDLE = 500,
    ACCESS = 2,
    WIDE = 2,
    ATOMIC = 10
};

/* A loop that counts: phi, its next value, and the compare and branch at the end of its only
 * latch. */
struct footprint_memo {
    const struct fw_loop_info *loop;
    uint32_t phi;     /* value */
    uint32_t step;    /* instruction */
    uint32_t compare; /* instruction */
    uint32_t branch;  /* instruction */
    uint64_t trips;   /* 0: not known; of what comes before the branch */
    bool middle;      /* the branch stands in the middle */
    uint32_t back;    /* instruction: the branch without a guard of a loop that asks first, which is
                         none once the loop is turned; FW_NO_INDEX: it asks elsewhere */
};

static const struct fw_instruction *instruction(const struct lowering *work, uint32_t i)
{
    return &work->function->instructions[i];
}

static bool contains(const struct fw_function *function, const struct fw_loop_info *loop,
                     uint32_t block)
{
    uint32_t at = function->blocks[block].loop;
    while (at != FW_NO_INDEX && &function->loops[at] != loop)
        at = function->loops[at].parent;
    return at != FW_NO_INDEX;
}

static bool has_inner(const struct fw_function *function, const struct fw_loop_info *loop)
{
    for (uint32_t l = 0; l < function->loop_count; l++)
        if (function->loops[l].parent == (uint32_t)(loop - function->loops))
            return true;
    return false;
}

static bool ends_kernel(const struct fw_function *function, const struct fw_block *block)
{
    if (block->end == block->first)
        return false;
    const enum fw_opcode opcode = (enum fw_opcode)function->instructions[block->end - 1].opcode;
    return opcode == FW_OP_RET || opcode == FW_OP_EXIT || opcode == FW_OP_TRAP ||
           opcode == FW_OP_BRX;
}

/* The only block that leaves the loop, which each iteration comes to: the one latch, or a block in
 * the middle, as where a compiler has made one iteration of two and their number is odd.
 * FW_NO_INDEX: there is no such block. */
static uint32_t leaving_block(const struct fw_function *function, const struct fw_loop_info *loop)
{
    uint32_t leaves = FW_NO_INDEX;
    if (loop->latch_count != 1)
        return FW_NO_INDEX;
    for (uint32_t b = 0; b < loop->block_count; b++) {
        const struct fw_block *block = &function->blocks[loop->blocks[b]];
        bool out = ends_kernel(function, block) && loop->blocks[b] != loop->latches[0];
        for (uint32_t s = 0; s < block->successor_count; s++)
            if (!contains(function, loop, block->successors[s])) {
                out |= leaves != FW_NO_INDEX && leaves != loop->blocks[b];
                leaves = loop->blocks[b];
            }
        if (out)
            return FW_NO_INDEX;
    }
    uint32_t above = loop->latches[0];
    while (above != FW_NO_INDEX && above != leaves && above != loop->header)
        above = function->blocks[above].dominator;
    return above == leaves ? leaves : FW_NO_INDEX;
}

static bool literal_of(const struct lowering *work, const struct fw_operand *operand,
                       int64_t *literal)
{
    if (operand->kind == FW_OPERAND_INTEGER) {
        *literal = operand->immediate;
        return true;
    }
    uint32_t value = operand->kind == FW_OPERAND_REGISTER ? fw_lowering_origin(work, operand->value)
                                                          : FW_NO_INDEX;
    if (value == FW_NO_INDEX || work->function->values[value].kind != FW_VALUE_INSTRUCTION)
        return false;
    const struct fw_instruction *at = instruction(work, work->function->values[value].definition);
    if (at->opcode != FW_OP_MOV || at->guard != FW_NO_INDEX || at->operand_count != 2 ||
        at->operands[1].kind != FW_OPERAND_INTEGER)
        return false;
    *literal = at->operands[1].immediate;
    return true;
}

static bool is_invariant(const struct lowering *work, const struct fw_loop_info *loop,
                         const struct fw_operand *operand)
{
    if (operand->kind == FW_OPERAND_INTEGER)
        return true;
    return operand->kind == FW_OPERAND_REGISTER && operand->value != FW_NO_INDEX &&
           !contains(work->function, loop, work->function->values[operand->value].block);
}

/* The counters of one loop, found together: by value that is one, or is a literal's step from one.
 */
struct lowering_counters {
    const struct fw_loop_info *loop; /* NULL: none yet */
    uint32_t *stamp;                 /* by value: of which finding; others have no counter */
    uint32_t *phi;                   /* by value: index among the header's phis */
    uint32_t *step;                  /* by value: the instruction of its next value */
    uint32_t found;
};

static void note_counter(struct lowering_counters *counters, uint32_t value, uint32_t phi,
                         uint32_t step)
{
    if (counters->stamp[value] == counters->found)
        return; /* the first one holds */
    counters->stamp[value] = counters->found;
    counters->phi[value] = phi;
    counters->step[value] = step;
}

/* The instruction that steps a phi by a literal when an edge is followed; FW_NO_INDEX: another. */
static uint32_t step_of(const struct lowering *work, const struct fw_phi *phi, uint32_t next)
{
    int64_t by;
    if (next == FW_NO_INDEX || work->function->values[next].kind != FW_VALUE_INSTRUCTION)
        return FW_NO_INDEX;
    uint32_t step = work->function->values[next].definition;
    const struct fw_instruction *at = instruction(work, step);
    if ((at->opcode != FW_OP_ADD && at->opcode != FW_OP_SUB) || at->guard != FW_NO_INDEX ||
        at->operand_count != 3 || fw_type_class((enum fw_type)at->types[0]) == 'f' ||
        !literal_of(work, &at->operands[2], &by) || at->operands[1].kind != FW_OPERAND_REGISTER ||
        fw_lowering_origin(work, at->operands[1].value) != phi->value)
        return FW_NO_INDEX;
    return step;
}

static void find_counters(const struct lowering *work, const struct fw_loop_info *loop)
{
    struct lowering_counters *counters = work->counters;
    const struct fw_block *header = &work->function->blocks[loop->header];
    counters->loop = loop;
    counters->found++;
    for (uint32_t i = 0; i < header->predecessor_count; i++)
        for (uint32_t p = 0;
             p < header->phi_count && contains(work->function, loop, header->predecessors[i]);
             p++) {
            uint32_t next = fw_lowering_origin(work, header->phis[p].inputs[i]);
            uint32_t step = step_of(work, &header->phis[p], next);
            if (step == FW_NO_INDEX)
                continue;
            note_counter(counters, next, p, step);
            note_counter(counters, header->phis[p].value, p, step);
        }
}

/* The phi of the loop's header that a value is, or is a literal's step from: its next value's
 * instruction in `step`. */
static const struct fw_phi *counter_of(const struct lowering *work, const struct fw_loop_info *loop,
                                       uint32_t value, uint32_t *step)
{
    const struct lowering_counters *counters = work->counters;
    value = fw_lowering_origin(work, value);
    if (counters->loop != loop)
        find_counters(work, loop);
    if (value == FW_NO_INDEX || counters->stamp[value] != counters->found)
        return NULL;
    *step = counters->step[value];
    return &work->function->blocks[loop->header].phis[counters->phi[value]];
}

/* Iterations, where start, step and bound are literals and the loop ends in the usual way. */
static uint64_t known_trips(const struct lowering *work, const struct footprint_memo *counted,
                            const struct fw_phi *phi, const struct fw_operand *bound)
{
    enum { MOST = 1 << 20 };
    const struct fw_block *header = &work->function->blocks[counted->loop->header];
    const struct fw_instruction *step = instruction(work, counted->step);
    int64_t from = 0, by, to;
    bool known = literal_of(work, bound, &to) && literal_of(work, &step->operands[2], &by);
    for (uint32_t i = 0; i < header->predecessor_count; i++) {
        struct fw_operand start = {.kind = FW_OPERAND_REGISTER, .value = phi->inputs[i]};
        if (!contains(work->function, counted->loop, header->predecessors[i]))
            known = known && phi->inputs[i] != FW_NO_INDEX && literal_of(work, &start, &from);
    }
    int64_t distance;
    if (!known || by == 0 || by == INT64_MIN || fw_subtract_overflows(to, from, &distance) ||
        distance == INT64_MIN)
        return 0;
    by = step->opcode == FW_OP_SUB ? -by : by;
    if ((distance > 0) != (by > 0) || distance / by <= 0 || distance / by > MOST)
        return 0;
    return (uint64_t)((distance - (by > 0 ? 1 : -1)) / by) + 1;
}

/* Whether a loop that is left at its begin does nothing there but ask whether it goes on, and its
 * latch is a branch without a guard behind other work: ptxas turns it so that it asks at its end.
 */
static bool asks_first(const struct fw_function *function, const struct fw_loop_info *loop)
{
    const struct fw_block *latch = &function->blocks[loop->latches[0]];
    const struct fw_block *header = &function->blocks[loop->header];
    if (loop->latches[0] == loop->header || latch->end == latch->first ||
        header->successor_count != 2)
        return false;
    for (uint32_t i = header->first; i < header->end; i++) {
        const enum fw_opcode opcode = (enum fw_opcode)function->instructions[i].opcode;
        if (opcode == FW_OP_LD || opcode == FW_OP_ST || opcode == FW_OP_ATOM || opcode == FW_OP_RED)
            return false;
    }
    const struct fw_instruction *back = &function->instructions[latch->end - 1];
    return back->opcode == FW_OP_BRA && back->guard == FW_NO_INDEX;
}

static bool is_counted(const struct lowering *work, struct footprint_memo *counted)
{
    const struct fw_function *function = work->function;
    const struct fw_loop_info *loop = counted->loop;
    const uint32_t leaves = has_inner(function, loop) ? FW_NO_INDEX : leaving_block(function, loop);
    if (leaves == FW_NO_INDEX || function->blocks[leaves].end == function->blocks[leaves].first)
        return false;
    const bool first = leaves == loop->header && asks_first(function, loop);
    counted->middle = leaves != loop->latches[0] && !first;
    counted->back = first ? function->blocks[loop->latches[0]].end - 1 : FW_NO_INDEX;
    counted->branch = function->blocks[leaves].end - 1;
    const struct fw_instruction *branch = instruction(work, counted->branch);
    if (branch->opcode != FW_OP_BRA || branch->guard == FW_NO_INDEX)
        return false;
    uint32_t guard = fw_lowering_origin(work, branch->guard_value);
    if (guard == FW_NO_INDEX || function->values[guard].kind != FW_VALUE_INSTRUCTION)
        return false;
    counted->compare = function->values[guard].definition;
    const struct fw_instruction *compare = instruction(work, counted->compare);
    if (compare->opcode != FW_OP_SETP || compare->operand_count != 3 ||
        fw_type_class((enum fw_type)compare->types[0]) == 'f')
        return false;
    for (unsigned o = 1; o < 3; o++) {
        const struct fw_operand *at = &compare->operands[o], *bound = &compare->operands[3 - o];
        if (at->kind != FW_OPERAND_REGISTER || !is_invariant(work, loop, bound))
            continue;
        const struct fw_phi *phi = counter_of(work, loop, at->value, &counted->step);
        if (!phi)
            continue;
        counted->phi = phi->value;
        counted->trips = known_trips(work, counted, phi, bound);
        if (counted->middle && counted->trips) /* what is compared has not been stepped yet */
            counted->trips += fw_lowering_origin(work, at->value) == phi->value;
        return true;
    }
    return false;
}

/* Only places of memory read the value, as their address. */
static bool only_places(const struct lowering *work, uint32_t value)
{
    uint32_t count = fw_lowering_use_count(work, value);
    for (uint32_t u = 0; u < count; u++) {
        uint32_t user = fw_lowering_use(work, value, u);
        if (user == FW_NO_INDEX)
            return false;
        const struct fw_instruction *at = instruction(work, user);
        bool place = false, read = false;
        for (unsigned o = 0; o < at->operand_count; o++) {
            place |= at->operands[o].kind == FW_OPERAND_ADDRESS && at->operands[o].value == value;
            read |= fw_lowering_reads(&at->operands[o], value);
        }
        if (!place || read)
            return false;
    }
    return count > 0;
}

/* The sum of a pointer that a literal moves and what does not change: a place that moves with it.
 */
static bool offsets_pointer(const struct lowering *work, const struct footprint_memo *counted,
                            uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    uint32_t value = fw_lowering_value(work, i), step;
    if (at->opcode != FW_OP_ADD || at->operand_count != 3 || value == FW_NO_INDEX ||
        work->blocks[i] == FW_NO_INDEX ||
        !contains(work->function, counted->loop, work->blocks[i]) || !only_places(work, value))
        return false;
    for (unsigned o = 1; o < 3; o++)
        if (at->operands[o].kind == FW_OPERAND_REGISTER &&
            is_invariant(work, counted->loop, &at->operands[3 - o])) {
            const struct fw_phi *phi =
                counter_of(work, counted->loop, at->operands[o].value, &step);
            if (phi && fw_lowering_origin(work, at->operands[o].value) == phi->value)
                return true;
        }
    return false;
}

/* Moves a pointer by a literal: a step of a phi that, apart from compares, only places of memory
 * read, so that the places' offsets take it. */
static bool moves_pointer(const struct lowering *work, const struct footprint_memo *counted,
                          uint32_t i)
{
    uint32_t step;
    uint32_t value = fw_lowering_value(work, i);
    const struct fw_phi *phi =
        value == FW_NO_INDEX ? NULL : counter_of(work, counted->loop, value, &step);
    if (!phi || step != i)
        return false;
    for (uint32_t u = 0; u < fw_lowering_use_count(work, phi->value); u++) {
        uint32_t user = fw_lowering_use(work, phi->value, u);
        if (user == i || user == counted->compare)
            continue;
        if (user == FW_NO_INDEX)
            return false;
        const struct fw_instruction *access = instruction(work, user);
        if (offsets_pointer(work, counted, user))
            continue;
        bool place = work->result->instructions[user].absorbed != FW_NO_INDEX;
        for (unsigned o = 0; o < access->operand_count; o++)
            place |= access->operands[o].kind == FW_OPERAND_ADDRESS &&
                     access->operands[o].value == phi->value;
        if (!place)
            return false;
    }
    return true;
}

struct weight {
    uint32_t sum, shared_loads, global_loads;
    bool refused;
};

static void weigh_operation(struct weight *weight, const struct fw_machine_count *at)
{
    enum fw_machine operation = (enum fw_machine)at->operation;
    const char *name = fw_machine_text(operation);
    uint32_t each = 1;
    if (operation == FW_MACHINE_CALL || operation == FW_MACHINE_FCHK)
        weight->refused = true;
    if (strncmp(name, "ATOM", 4) == 0 || strncmp(name, "RED", 3) == 0)
        each = ATOMIC;
    else if (fw_machine_pipe(operation) == FW_PIPE_LSU && operation != FW_MACHINE_SHFL)
        each = ACCESS;
    if (strncmp(name, "LDS", 3) == 0 && operation != FW_MACHINE_LDSM)
        weight->shared_loads += at->count;
    if (strncmp(name, "LDG", 3) == 0 || strncmp(name, "LD", 3) == 0)
        weight->global_loads += at->count;
    weight->sum += each * at->count;
}

/* Words of shared memory are still loaded one by one where ptxas decides. */
static void weigh_word(struct weight *weight, const struct fw_instruction *at,
                       const struct fw_lowered *lowered)
{
    if (at->opcode == FW_OP_LD && at->space == FW_SPACE_SHARED && lowered->count == 0) {
        weight->sum += ACCESS;
        weight->shared_loads++;
    }
}

/* What a predicate adds that is not issued by itself: it weighs, and so does each copy that sets a
 * register for the case that what is under the predicate is not executed, and a condition that
 * ptxas joins to the comparison before it. */
static uint32_t weigh_predicate(const struct lowering *work, const struct footprint_memo *counted,
                                uint32_t i)
{
    const struct fw_function *function = work->function;
    const struct fw_instruction *at = instruction(work, i);
    const bool joined = at->opcode == FW_OP_AND && at->types[0] == FW_TYPE_PRED &&
                        work->result->instructions[i].absorbed != FW_NO_INDEX;
    if (at->guard == FW_NO_INDEX || at->opcode == FW_OP_MOV || at->opcode == FW_OP_BRA)
        return joined;
    uint32_t sum = 1, count = at->prior_values ? fw_instruction_definitions(at, NULL, NULL) : 0;
    for (uint32_t p = 0; p < count; p++) {
        if (at->prior_values[p] == FW_NO_INDEX)
            continue;
        const struct fw_value *prior = &function->values[at->prior_values[p]];
        sum += prior->kind == FW_VALUE_INSTRUCTION &&
               instruction(work, prior->definition)->opcode == FW_OP_MOV &&
               !work->result->instructions[prior->definition].count &&
               contains(function, counted->loop, prior->block);
    }
    return sum;
}

static struct weight weigh(const struct lowering *work, const struct footprint_memo *counted)
{
    struct weight weight = {0};
    for (uint32_t b = 0; b < counted->loop->block_count; b++) {
        const struct fw_block *block = &work->function->blocks[counted->loop->blocks[b]];
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct fw_lowered *lowered = &work->result->instructions[i];
            const struct fw_instruction *at = instruction(work, i);
            weight.refused |= (at->flags & FW_FLAG_ROLLED) || at->opcode == FW_OP_CALL;
            if (i == counted->step || i == counted->compare || i == counted->branch ||
                i == counted->back || moves_pointer(work, counted, i))
                continue;
            for (unsigned c = 0; c < lowered->count; c++)
                weigh_operation(&weight, &lowered->at[c]);
            weigh_word(&weight, at, lowered);
            weight.sum += weigh_predicate(work, counted, i);
            weight.sum += offsets_pointer(work, counted, i) ? WIDE - 1 : 0;
        }
    }
    return weight;
}

static bool is_small(const struct weight *weight)
{
    uint32_t most = WEIGHT + SHARED_MORE * weight->shared_loads;
    if (most > SHARED_MOST)
        most = SHARED_MOST;
    if (weight->global_loads && most < GLOBAL_MOST)
        most = GLOBAL_MOST;
    return weight->sum <= most;
}

static void share(struct lowering *work, uint32_t i, uint8_t every)
{
    struct fw_lowered *lowered = &work->result->instructions[i];
    for (unsigned c = 0; c < lowered->count; c++)
        lowered->at[c].every = every;
}

/* x = x op y from one iteration to the next, read nowhere else in the loop: two steps at once. */
static bool gathers(const struct lowering *work, const struct footprint_memo *counted, uint32_t i)
{
    const struct fw_lowered *lowered = &work->result->instructions[i];
    uint32_t value = fw_lowering_value(work, i);
    if (lowered->count != 1 || lowered->at[0].count != 1 || value == FW_NO_INDEX ||
        work->taken[i] ||
        (lowered->at[0].operation != FW_MACHINE_IADD3 &&
         lowered->at[0].operation != FW_MACHINE_LOP3 &&
         lowered->at[0].operation != FW_MACHINE_IMNMX))
        return false;
    const struct fw_block *header = &work->function->blocks[counted->loop->header];
    for (uint32_t p = 0; p < header->phi_count; p++) {
        uint32_t phi = header->phis[p].value;
        bool next = false;
        for (uint32_t n = 0; n < header->predecessor_count; n++)
            next |= contains(work->function, counted->loop, header->predecessors[n]) &&
                    fw_lowering_origin(work, header->phis[p].inputs[n]) == value;
        if (next && fw_lowering_use_count(work, phi) == 1 && fw_lowering_use(work, phi, 0) == i)
            return true;
    }
    return false;
}

/* Operations that are issued once for each way into a loop. */
struct entry {
    struct fw_machine_count *at;
    uint16_t count;
};

static void add_to_entry(struct entry *entry, enum fw_machine operation, unsigned count)
{
    if (count)
        entry->at[entry->count++] = (struct fw_machine_count){
            .operation = (uint8_t)operation, .type = FW_TYPE_S32, .count = (uint16_t)count};
}

/* Operations of one iteration; `global` tells whether one loads from global memory. */
static uint32_t operations_of(const struct lowering *work, const struct footprint_memo *counted,
                              bool *global)
{
    uint32_t count = 0;
    *global = false;
    for (uint32_t b = 0; b < counted->loop->block_count; b++) {
        const struct fw_block *block = &work->function->blocks[counted->loop->blocks[b]];
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct fw_lowered *lowered = &work->result->instructions[i];
            if (i == counted->compare || i == counted->branch)
                continue;
            for (unsigned c = 0; c < lowered->count; c++) {
                enum fw_machine operation = (enum fw_machine)lowered->at[c].operation;
                const char *name = fw_machine_text(operation);
                count += lowered->at[c].count;
                *global |= strncmp(name, "LDG", 3) == 0;
            }
        }
    }
    return count;
}

/* The iteration that a loop without sign begins with where its bound may lie before its start:
 * under a predicate, or behind a branch if it is long. */
static void add_first_iteration(struct lowering *work, const struct footprint_memo *counted,
                                struct entry *entry)
{
    bool global;
    uint32_t count = operations_of(work, counted, &global);
    if (counted->loop->block_count > 1 || count > (global ? (uint32_t)FW_LOWERING_PREDICATED_GLOBAL
                                                          : (uint32_t)FW_LOWERING_PREDICATED)) {
        add_to_entry(entry, FW_MACHINE_BRA, 1);
        add_to_entry(entry, FW_MACHINE_PLOP3, 1);
        add_to_entry(entry, FW_MACHINE_BSSY,
                     work->divergent && work->divergent[counted->loop->header]);
        add_to_entry(entry, FW_MACHINE_BSYNC,
                     work->divergent && work->divergent[counted->loop->header]);
        return;
    }
    const struct fw_block *block = &work->function->blocks[counted->loop->header];
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct fw_lowered *lowered = &work->result->instructions[i];
        if (i == counted->compare || i == counted->branch)
            continue;
        for (unsigned c = 0; c < lowered->count; c++) {
            entry->at[entry->count] = lowered->at[c];
            entry->at[entry->count++].guarded = true;
        }
    }
}

/* What stands around a loop whose number of iterations is not known, once for each way into it:
 * tests whether there are four more, two more, or one; branches over the blocks that do not run;
 * and predicates that tell whether four or two have run.  A bound that is no literal is subtracted
 * from for each test.  A loop that ends at equality is tested for its direction as well, one
 * without sign for whether there is any iteration.  Where threads leave at different times, the
 * blocks for four and for two end with a synchronisation. */
static struct entry entry_of(struct lowering *work, const struct footprint_memo *counted)
{
    enum { KINDS = 12 };
    const struct fw_instruction *compare = instruction(work, counted->compare);
    const struct fw_block *header = &work->function->blocks[counted->loop->header];
    enum fw_type type = (enum fw_type)compare->types[0];
    bool equality = compare->compare == FW_CMP_NE || compare->compare == FW_CMP_EQ;
    bool without_sign = !equality && fw_type_class(type) == 'u';
    unsigned words = fw_type_bits(type) == 64 ? 2 : 1;
    int64_t bound;
    bool literal = literal_of(work, &compare->operands[1], &bound) ||
                   literal_of(work, &compare->operands[2], &bound);
    unsigned most = KINDS;
    for (uint32_t i = header->first; i < header->end; i++)
        most += work->result->instructions[i].count;
    struct entry entry = {.at = FW_ARRAY(work->arena, struct fw_machine_count, most)};
    work->result->counts_rest[counted->loop->header] = equality;
    add_to_entry(&entry, FW_MACHINE_ISETP, words * (without_sign ? 6 : equality ? 4 : 3));
    add_to_entry(&entry, FW_MACHINE_IADD3, literal ? 0 : 3 * words);
    add_to_entry(&entry, FW_MACHINE_PLOP3, 2);
    add_to_entry(&entry, FW_MACHINE_BRA, equality ? 4 : 3);
    if (work->divergent && work->divergent[counted->loop->header]) {
        add_to_entry(&entry, FW_MACHINE_BSSY, equality ? 3 : 2);
        add_to_entry(&entry, FW_MACHINE_BSYNC, equality ? 3 : 2);
    }
    if (without_sign)
        add_first_iteration(work, counted, &entry);
    return entry;
}

static void add_entry(struct lowering *work, const struct footprint_memo *counted,
                      const struct entry *entry)
{
    const struct fw_function *function = work->function;
    const struct fw_block *header = &function->blocks[counted->loop->header];
    for (uint32_t p = 0; p < header->predecessor_count; p++) {
        const struct fw_block *before = &function->blocks[header->predecessors[p]];
        if (contains(work->function, counted->loop, header->predecessors[p]) ||
            before->end == before->first)
            continue;
        struct fw_lowered *last = &work->result->instructions[before->end - 1];
        struct fw_machine_count *counts =
            FW_ARRAY(work->arena, struct fw_machine_count, last->count + entry->count + 1U);
        if (last->count)
            memcpy(counts, last->at, last->count * sizeof(*counts));
        memcpy(counts + last->count, entry->at, entry->count * sizeof(*counts));
        last->count = (uint16_t)(last->count + entry->count);
        last->at = counts;
    }
}

static void set_iterations(struct lowering *work, const struct footprint_memo *counted,
                           uint64_t iterations)
{
    for (uint32_t b = 0; b < counted->loop->block_count; b++)
        work->result->iterations[counted->loop->blocks[b]] =
            (uint8_t)(iterations < UINT8_MAX ? iterations : UINT8_MAX);
}

static void unroll(struct lowering *work, const struct footprint_memo *counted)
{
    struct entry entry = {.count = 0};
    if (!counted->trips)
        entry = entry_of(work, counted); /* of operations that are not shared yet */
    uint32_t value = fw_lowering_value(work, counted->step);
    bool only_counts = moves_pointer(work, counted, counted->step);
    for (uint32_t u = 0; value != FW_NO_INDEX && u < fw_lowering_use_count(work, value); u++) {
        uint32_t user = fw_lowering_use(work, value, u);
        only_counts = only_counts && (user == FW_NO_INDEX || user == counted->compare);
    }
    if (only_counts)
        share(work, counted->step, TOGETHER);
    share(work, counted->compare, TOGETHER);
    share(work, counted->branch, TOGETHER);
    for (uint32_t b = 0; b < counted->loop->block_count; b++) /* four, two and one at once */
        work->copies[counted->loop->blocks[b]] = 2 * TOGETHER - 1;
    set_iterations(work, counted, TOGETHER);
    if (entry.count)
        add_entry(work, counted, &entry);
    for (uint32_t b = 0; b < counted->loop->block_count; b++) {
        const struct fw_block *block = &work->function->blocks[counted->loop->blocks[b]];
        for (uint32_t i = block->first; i < block->end; i++) {
            if (i == counted->step || i == counted->compare || i == counted->branch)
                continue;
            if (moves_pointer(work, counted, i) || offsets_pointer(work, counted, i))
                share(work, i, TOGETHER);
            else if (gathers(work, counted, i))
                share(work, i, TOGETHER / 2);
        }
    }
}

/* Bytes that an iteration moves the place of a load by; 0: not known. */
static int64_t place_step(const struct lowering *work, const struct footprint_memo *counted,
                          const struct fw_operand *place)
{
    const struct fw_value *of = &work->function->values[place->value];
    uint32_t step = FW_NO_INDEX;
    int64_t by = 0;
    if (counter_of(work, counted->loop, place->value, &step) == NULL) {
        if (of->kind != FW_VALUE_INSTRUCTION || !offsets_pointer(work, counted, of->definition))
            return 0;
        const struct fw_instruction *sum = instruction(work, of->definition);
        for (unsigned o = 1; o < 3 && step == FW_NO_INDEX; o++)
            if (sum->operands[o].kind == FW_OPERAND_REGISTER)
                counter_of(work, counted->loop, sum->operands[o].value, &step);
    }
    if (step == FW_NO_INDEX || !literal_of(work, &instruction(work, step)->operands[2], &by))
        return 0;
    return instruction(work, step)->opcode == FW_OP_SUB ? -by : by;
}

static bool loads_shared(const struct fw_instruction *at)
{
    return at->opcode == FW_OP_LD && at->space == FW_SPACE_SHARED && at->guard == FW_NO_INDEX &&
           !(at->flags & FW_FLAG_VOLATILE) &&
           at->operands[at->operand_count - 1].kind == FW_OPERAND_ADDRESS &&
           at->operands[at->operand_count - 1].value != FW_NO_INDEX;
}

/* Whether the iteration before has loaded what a load asks for, by the load `other`. */
static bool loads_ahead(const struct lowering *work, const struct footprint_memo *counted,
                        const struct fw_instruction *at, const struct fw_instruction *other)
{
    const struct fw_operand *place = &at->operands[at->operand_count - 1];
    const struct fw_operand *ahead = &other->operands[other->operand_count - 1];
    int64_t further;
    return loads_shared(other) && other->space == at->space && other->types[0] == at->types[0] &&
           other->vector == at->vector && ahead->value == place->value &&
           !fw_subtract_overflows(ahead->immediate, place->immediate, &further) && further != 0 &&
           further == place_step(work, counted, place);
}

/* Of iterations one after the other that store nothing, ptxas 13.0 makes no load from shared memory
 * again that the iteration before has made: of the nine points of a patch that moves by two
 * columns, it loads three (`nlm_denoise` in data/h200/programs-eighth). */
static void share_loads(struct lowering *work, const struct footprint_memo *counted)
{
    const struct fw_loop_info *loop = counted->loop;
    for (uint32_t b = 0; b < loop->block_count; b++) {
        const struct fw_block *block = &work->function->blocks[loop->blocks[b]];
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct fw_instruction *at = instruction(work, i);
            if (at->opcode == FW_OP_ST || at->opcode == FW_OP_ATOM || at->opcode == FW_OP_RED ||
                at->opcode == FW_OP_BAR)
                return;
        }
    }
    const uint8_t every = (uint8_t)(counted->trips < UINT8_MAX ? counted->trips : UINT8_MAX);
    for (uint32_t b = 0; b < loop->block_count; b++) {
        const struct fw_block *block = &work->function->blocks[loop->blocks[b]];
        for (uint32_t i = block->first; i < block->end; i++)
            for (uint32_t c = 0; loads_shared(instruction(work, i)) && c < loop->block_count; c++) {
                const struct fw_block *other = &work->function->blocks[loop->blocks[c]];
                for (uint32_t j = other->first; j < other->end; j++)
                    if (loads_ahead(work, counted, instruction(work, i), instruction(work, j)))
                        share(work, i, every);
            }
    }
}

/* All iterations one after the other: nothing is left of the counter, places of memory included. */
static void unroll_completely(struct lowering *work, const struct footprint_memo *counted)
{
    const uint32_t gone[] = {counted->step, counted->compare, counted->branch};
    set_iterations(work, counted, counted->trips);
    for (unsigned g = 0; g < sizeof(gone) / sizeof(*gone); g++)
        fw_lowering_list(&work->result->instructions[gone[g]], work->arena, "");
    for (uint32_t b = 0; b < counted->loop->block_count; b++) {
        const struct fw_block *block = &work->function->blocks[counted->loop->blocks[b]];
        for (uint32_t i = block->first; i < block->end; i++)
            if (moves_pointer(work, counted, i) ||
                (counted->middle && offsets_pointer(work, counted, i)))
                fw_lowering_list(&work->result->instructions[i], work->arena, "");
            else if (gathers(work, counted, i))
                share(work, i, TOGETHER / 2);
    }
    if (counted->middle)
        share_loads(work, counted);
}

void fw_lowering_unroll(struct lowering *work)
{
    const struct fw_function *function = work->function;
    struct lowering_counters counters = {
        .stamp = FW_ARRAY(work->arena, uint32_t, function->value_count + 1),
        .phi = FW_ARRAY(work->arena, uint32_t, function->value_count + 1),
        .step = FW_ARRAY(work->arena, uint32_t, function->value_count + 1)};
    work->counters = &counters;
    for (uint32_t l = 0; l < function->loop_count; l++) {
        struct footprint_memo counted = {.loop = &function->loops[l]};
        if (!is_counted(work, &counted))
            continue;
        struct weight weight = weigh(work, &counted);
        if (weight.refused)
            continue;
        if (counted.back != FW_NO_INDEX)
            fw_lowering_list(&work->result->instructions[counted.back], work->arena, "");
        const uint64_t all = counted.trips * (weight.sum + ACCESS);
        const uint64_t most = counted.middle         ? COMPLETE_MIDDLE
                              : weight.sum <= WEIGHT ? COMPLETE
                                                     : COMPLETE_LARGE;
        if (counted.trips && all <= most)
            unroll_completely(work, &counted);
        else if (is_small(&weight))
            unroll(work, &counted);
    }
    work->counters = NULL;
}
