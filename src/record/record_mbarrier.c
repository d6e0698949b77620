/* Which mbarriers instructions wait at, arrive at, and complete on.
 *
 * Told by the static shared array that an address lies in, which holds the mbarriers of a ring of
 * stages: which of them it is follows from how often each warp has come there (src/sm).  In dynamic
 * shared memory, and in arrays that have data, too, rings are told by what is initialized:
 * mbarriers side by side, from one at which addresses that vary begin up to the next such. */
#include "record_internal.h"

enum { MBARRIER_BYTES = 8, MOST_BYTES = 1024, MOST_PLACES = 64 };

/* A place in an array that has data beside its mbarriers. */
struct place {
    uint32_t array;
    int64_t at; /* bytes from the array's begin, without what varies */
};

/* The mbarriers of a function that lie beside data. */
struct places {
    struct place initialized[MOST_PLACES], begins[MOST_PLACES];
    uint32_t initialized_count, begin_count;
    bool overflowed;
};

/* cp.async.mbarrier.arrive: when the thread's copies so far (cp.async) are there. */
static bool arrives_behind_copies(const struct fw_instruction *at)
{
    return at->opcode == FW_OP_CP && fw_instruction_has(at, "mbarrier") &&
           fw_instruction_has(at, "arrive");
}

/* The operand that names the mbarrier; NULL: there is none. */
static const struct fw_operand *mbarrier_operand(const struct fw_instruction *at)
{
    bool copies = at->opcode == FW_OP_CP && fw_instruction_has(at, "bulk");
    if (!copies && at->opcode != FW_OP_MBARRIER && !arrives_behind_copies(at))
        return NULL;
    if (copies && !fw_instruction_has(at, "mbarrier::complete_tx::bytes"))
        return NULL;
    const struct fw_operand *found = NULL;
    for (uint32_t o = 0; o < at->operand_count; o++)
        if (at->operands[o].kind == FW_OPERAND_ADDRESS && (copies || !found))
            found = &at->operands[o]; /* a copy's last one */
    return found;
}

/* The array that an instruction's mbarrier is in, and where.  False: it has none, or it is not
 * known. */
static bool place_of(struct builder *b, uint32_t i, struct place *place, bool *varies)
{
    const struct fw_operand *operand = mbarrier_operand(&b->function->instructions[i]);
    fw_expression offset;
    *varies = false;
    if (!operand)
        return false;
    fw_expression address = record_address(b, operand, b->block_of[i]);
    *place = (struct place){record_find_array(b, address, FW_SPACE_SHARED, &offset), 0};
    if (place->array == FW_NONE || b->arrays.at[place->array].space != FW_SPACE_SHARED)
        return false;
    const struct fw_expression_node *node = &b->pool->expressions.at[offset];
    for (uint32_t t = 0; t < node->term_count; t++) {
        *varies |= node->terms[t].atom_count > 0;
        if (node->terms[t].atom_count == 0)
            place->at = node->terms[t].coefficient;
    }
    return true;
}

/* Whether an array has mbarriers alone. */
static bool is_own(const struct builder *b, uint32_t array)
{
    return b->arrays.at[array].bytes >= MBARRIER_BYTES && b->arrays.at[array].bytes <= MOST_BYTES;
}

static void note(struct places *places, struct place *at, uint32_t *count, const struct place *one)
{
    for (uint32_t p = 0; p < *count; p++)
        if (at[p].array == one->array && at[p].at == one->at)
            return;
    places->overflowed |= *count == MOST_PLACES;
    if (*count < MOST_PLACES)
        at[(*count)++] = *one;
}

static bool has(const struct place *at, uint32_t count, uint32_t array, int64_t offset)
{
    for (uint32_t p = 0; p < count; p++)
        if (at[p].array == array && at[p].at == offset)
            return true;
    return false;
}

/* What is initialized beside data, and where addresses that vary begin. */
static void find_places(struct builder *b, struct places *places)
{
    for (uint32_t i = 0; i < b->function->instruction_count; i++) {
        struct place place;
        bool varies;
        if (b->kernel->schedule[i].unreachable || !place_of(b, i, &place, &varies) ||
            is_own(b, place.array))
            continue;
        if (b->function->instructions[i].opcode == FW_OP_MBARRIER &&
            fw_instruction_has(&b->function->instructions[i], "init"))
            note(places, places->initialized, &places->initialized_count, &place);
        if (varies)
            note(places, places->begins, &places->begin_count, &place);
    }
}

/* Sets the ring of an instruction: its number, from 1 on, beyond those of the arrays, and its
 * mbarriers. */
static void set_ring(const struct builder *b, const struct places *places,
                     const struct place *place, struct fw_scheduled *row)
{
    int64_t from = place->at, end;
    uint32_t number = 0;
    while (!has(places->begins, places->begin_count, place->array, from) &&
           has(places->initialized, places->initialized_count, place->array, from - MBARRIER_BYTES))
        from -= MBARRIER_BYTES;
    if (!has(places->begins, places->begin_count, place->array, from))
        from = place->at; /* by itself */
    end = from + MBARRIER_BYTES;
    while (from != place->at || has(places->begins, places->begin_count, place->array, from)) {
        if (!has(places->initialized, places->initialized_count, place->array, end) ||
            has(places->begins, places->begin_count, place->array, end))
            break;
        end += MBARRIER_BYTES;
    }
    while (number < places->initialized_count &&
           (places->initialized[number].array != place->array ||
            places->initialized[number].at != from))
        number++;
    if (number == places->initialized_count)
        return; /* nothing initializes it */
    row->mbarrier = (uint32_t)b->arrays.count + number + 1;
    row->mbarrier_places = (uint32_t)((end - from) / MBARRIER_BYTES);
}

/* Sets the mbarriers of an instruction, if they are known. */
static void set_mbarrier(struct builder *b, const struct places *places, uint32_t i)
{
    struct fw_scheduled *row = &b->kernel->schedule[i];
    struct place place;
    bool varies;
    row->mbarrier = 0;
    if (row->unreachable || !place_of(b, i, &place, &varies))
        return;
    if (is_own(b, place.array)) {
        row->mbarrier = place.array + 1;
        row->mbarrier_places = (uint32_t)(b->arrays.at[place.array].bytes / MBARRIER_BYTES);
    } else if (!places->overflowed)
        set_ring(b, places, &place, row);
}

/* The arrivals that mbarrier.init says for an array; 0: none, or different ones. */
static uint32_t arrivals_of(struct builder *b, uint32_t array)
{
    uint32_t arrivals = 0;
    for (uint32_t i = 0; i < b->function->instruction_count; i++) {
        const struct fw_instruction *at = &b->function->instructions[i];
        int64_t count;
        if (at->opcode != FW_OP_MBARRIER || !fw_instruction_has(at, "init") ||
            b->kernel->schedule[i].mbarrier != array || at->operand_count < 2)
            continue;
        fw_expression told = record_operand(b, &at->operands[1], FW_TYPE_U32, b->block_of[i]);
        if (told == FW_NO_EXPRESSION || !fw_expression_constant(b->pool, told, &count) ||
            count <= 0 || count > UINT16_MAX || (arrivals && arrivals != count))
            return 0;
        arrivals = (uint32_t)count;
    }
    return arrivals;
}

void record_mbarriers(struct builder *b)
{
    const uint32_t count = b->function->instruction_count;
    struct fw_scheduled *schedule = b->kernel->schedule, *announces = NULL;
    struct places *places = FW_NEW(b->arena, struct places);
    find_places(b, places);
    for (uint32_t i = 0; i < count; i++)
        set_mbarrier(b, places, i);
    for (uint32_t i = 0; i < count; i++) {
        struct fw_scheduled *row = &schedule[i];
        const struct fw_instruction *at = &b->function->instructions[i];
        if (!row->mbarrier)
            continue;
        row->mbarrier_arrivals = arrivals_of(b, row->mbarrier);
        if (row->barrier == FW_BARRIER_MBARRIER_ARRIVE && fw_instruction_has(at, "expect_tx"))
            announces = row;
        else if (arrives_behind_copies(at)) {
            row->behind_copies = true;
            row->no_arrival = !fw_instruction_has(at, "noinc");
        } else if (at->opcode == FW_OP_CP && announces && announces->mbarrier == row->mbarrier)
            announces->mbarrier_copies++;
    }
}
