/* lowering: tests of one number that become a branch through a table.
 *
 * ptxas 13.0 makes one indexed branch of blocks that stand one behind the other, hold nothing but
 * the test of one integer for equality with a literal and the branch under it, and of which the
 * next is where no test holds: of at least two of them, where the literals leave at most four
 * places in five of the table empty (2, 3, 4 and 6 tests, their largest literal from 6 to 64).  The
 * number, less the least literal, is limited (VIMNMX, or VIADDMNMX where that is not 0; by other
 * operations before sm_90) and made an address (SHF), a word comes from the constant bank (LDC,
 * SHF.R.S32.HI of its sign), and BRX goes there.  A block in front of which something else is
 * tested or computed in the same block is not among them. */
#include "lowering_internal.h"

enum { FEWEST = 2, MOST_TESTS = 64, PLACES_A_TEST = 5, TEST_LENGTH = 2 };

/* A block that tests a number and goes to its first successor where that is the literal. */
struct test {
    uint32_t value;
    int64_t literal;
};

static bool find_test(struct test *test, const struct fw_function *function, uint32_t index)
{
    const struct fw_block *block = &function->blocks[index];
    if (block->end - block->first != TEST_LENGTH || block->successor_count != 2 ||
        block->successors[1] != index + 1)
        return false;
    const struct fw_instruction *compares = &function->instructions[block->first];
    const struct fw_instruction *branch = compares + 1;
    if (compares->opcode != FW_OP_SETP || compares->compare != FW_CMP_EQ ||
        compares->guard != FW_NO_INDEX || compares->destinations != 1 ||
        compares->operand_count != 3 || branch->opcode != FW_OP_BRA || branch->guard_negated ||
        branch->guard == FW_NO_INDEX || branch->guard_value != compares->operands[0].value)
        return false;
    enum fw_type type = (enum fw_type)compares->types[0];
    if (fw_type_bits(type) != 32 || fw_type_class(type) == 'f' ||
        compares->operands[1].kind != FW_OPERAND_REGISTER ||
        compares->operands[2].kind != FW_OPERAND_INTEGER)
        return false;
    *test = (struct test){compares->operands[1].value, compares->operands[2].immediate};
    return true;
}

/* How many tests of one number stand one behind the other from a block on. */
static uint32_t tests_from(const struct lowering *work, uint32_t first, int64_t *least,
                           int64_t *most)
{
    const struct fw_function *function = work->function;
    struct test head, next;
    uint32_t count = 1;
    if (!find_test(&head, function, first))
        return 0;
    *least = *most = head.literal;
    while (first + count < function->block_count && count < MOST_TESTS &&
           function->blocks[first + count].predecessor_count == 1 &&
           find_test(&next, function, first + count) && next.value == head.value) {
        *least = next.literal < *least ? next.literal : *least;
        *most = next.literal > *most ? next.literal : *most;
        count++;
    }
    return count;
}

/* A place that the table of the branch at the end of block `first` leads to, of `count` blocks:
 * unless threads come there on other ways too. */
static void add_place(struct lowering *work, uint32_t place, uint32_t first, uint32_t count)
{
    const struct fw_block *block = &work->function->blocks[place];
    for (uint32_t p = 0; p < block->predecessor_count; p++)
        if (block->predecessors[p] < first || block->predecessors[p] >= first + count)
            return;
    if (block->end > block->first)
        work->result->places[place] = work->function->blocks[first].end - 1;
}

/* The number less the least literal, limited to the table; then an address and the word there. */
static const char *text_of(const struct lowering *work, int64_t least)
{
    static const char *const less[] = {"IADD3 ISETP SEL SHF*2 LDC", "IADD3 IMNMX SHF*2 LDC",
                                       "VIADDMNMX SHF*2 LDC"};
    static const char *const same[] = {"ISETP SEL SHF*2 LDC", "IMNMX SHF*2 LDC", "IMNMX SHF*2 LDC"};
    return least ? less[work->column] : same[work->column];
}

static void make_table(struct lowering *work, uint32_t first, uint32_t count, int64_t least)
{
    const struct fw_function *function = work->function;
    for (uint32_t b = first; b < first + count; b++) {
        uint32_t at = function->blocks[b].first;
        fw_lowering_list(&work->result->instructions[at], work->arena,
                         b > first ? "" : text_of(work, least));
        fw_lowering_list(&work->result->instructions[at + 1], work->arena, b > first ? "" : "BRX");
        work->result->tables[b] = true;
        add_place(work, function->blocks[b].successors[0], first, count);
    }
    add_place(work, function->blocks[first + count - 1].successors[1], first, count);
}

void fw_lowering_tables(struct lowering *work)
{
    const struct fw_function *function = work->function;
    for (uint32_t b = 0; b < function->block_count; b++) {
        const struct fw_block *block = &function->blocks[b];
        int64_t least = 0, most = 0;
        uint32_t count = tests_from(work, b, &least, &most);
        if (count >= FEWEST && most - least < (int64_t)PLACES_A_TEST * count) {
            make_table(work, b, count, least);
            b += count - 1;
        } else if (block->end > block->first &&
                   function->instructions[block->end - 1].opcode == FW_OP_BRX) {
            for (uint32_t s = 0; s < block->successor_count; s++)
                add_place(work, block->successors[s], b, 1);
        }
    }
}
